#!/usr/bin/env python3
"""Writes a benchmark set: N kinds as Rust types in OUT/rust and the same kinds as Go types in OUT/go."""

import argparse
import pathlib
import shutil

import as_go
import as_rust
import kinds

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


def generate(count, out):
    shutil.rmtree(out, ignore_errors=True)
    made = [kinds.make_kind(number) for number in range(count)]
    as_rust.write(made, out / "rust", REPOSITORY)
    as_go.write(made, out / "go")


def size(folder, pattern):
    return sum(path.stat().st_size for path in folder.rglob(pattern))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", type=int, required=True, metavar="N", help=f"how many; at most {kinds.MOST_KINDS}")
    parser.add_argument("--out", type=pathlib.Path, required=True, metavar="DIR", help="a folder, replaced if it exists")
    arguments = parser.parse_args()
    if not 0 < arguments.kinds <= kinds.MOST_KINDS:
        parser.error("--kinds is out of range")
    generate(arguments.kinds, arguments.out)
    for name, pattern in [("rust/types", "*.rs"), ("go", "*.go")]:
        print(f"{name}: {size(arguments.out / name, pattern) / 1000 / arguments.kinds:.1f} KB per kind")
