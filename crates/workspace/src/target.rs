//! What `cfg` says of well-known target triples. Taken from `rustc --print cfg --target`, never from the host.

/// The triple that is meant when none is configured.
pub const DEFAULT: &str = "x86_64-unknown-linux-gnu";

/// The `target_*` values of one triple.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The triple.
    pub triple: &'static str,
    arch: &'static str,
    os: &'static str,
    family: &'static str,
    env: &'static str,
    abi: &'static str,
    vendor: &'static str,
    big_endian: bool,
    pointer_width: &'static str,
    /// Widths of atomics besides 8, 16, 32 and `ptr`, which all have.
    wide_atomics: &'static [&'static str],
}

impl Target {
    /// The target of a triple.
    pub fn find(triple: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.triple == triple)
    }

    /// Whether a `cfg` of the target holds; none where the name says nothing of targets.
    pub fn holds(&self, name: &str, value: Option<&str>) -> Option<bool> {
        let Some(value) = value else {
            return match name {
                "unix" => Some(self.family == "unix"),
                "windows" => Some(self.family == "windows"),
                "target_thread_local" => Some(self.family != "wasm"),
                _ => None,
            };
        };
        let is = match name {
            "target_arch" => self.arch == value,
            "target_os" => self.os == value,
            "target_family" => self.family == value,
            "target_env" => self.env == value,
            "target_abi" => self.abi == value,
            "target_vendor" => self.vendor == value,
            "target_endian" => value == if self.big_endian { "big" } else { "little" },
            "target_pointer_width" => self.pointer_width == value,
            "target_has_atomic" => {
                matches!(value, "8" | "16" | "32" | "ptr") || self.wide_atomics.contains(&value)
            }
            _ => return None,
        };
        Some(is)
    }
}

/// All triples that are known, for messages.
pub fn triples() -> impl Iterator<Item = &'static str> {
    TARGETS.iter().map(|target| target.triple)
}

const fn linux(triple: &'static str, arch: &'static str, env: &'static str) -> Target {
    Target {
        triple,
        arch,
        os: "linux",
        family: "unix",
        env,
        abi: "",
        vendor: "unknown",
        big_endian: false,
        pointer_width: "64",
        wide_atomics: &["64"],
    }
}

const fn windows(triple: &'static str, arch: &'static str, env: &'static str) -> Target {
    Target {
        os: "windows",
        family: "windows",
        vendor: "pc",
        wide_atomics: &["64", "128"],
        ..linux(triple, arch, env)
    }
}

const fn apple(triple: &'static str, arch: &'static str) -> Target {
    Target {
        os: "macos",
        vendor: "apple",
        wide_atomics: &["64", "128"],
        ..linux(triple, arch, "")
    }
}

const fn wasm(triple: &'static str, os: &'static str, env: &'static str) -> Target {
    Target {
        os,
        family: "wasm",
        pointer_width: "32",
        ..linux(triple, "wasm32", env)
    }
}

static TARGETS: [Target; 19] = [
    linux("x86_64-unknown-linux-gnu", "x86_64", "gnu"),
    linux("x86_64-unknown-linux-musl", "x86_64", "musl"),
    Target {
        wide_atomics: &["64", "128"],
        ..linux("aarch64-unknown-linux-gnu", "aarch64", "gnu")
    },
    Target {
        wide_atomics: &["64", "128"],
        ..linux("aarch64-unknown-linux-musl", "aarch64", "musl")
    },
    Target {
        pointer_width: "32",
        ..linux("i686-unknown-linux-gnu", "x86", "gnu")
    },
    Target {
        pointer_width: "32",
        abi: "eabihf",
        ..linux("armv7-unknown-linux-gnueabihf", "arm", "gnu")
    },
    linux("riscv64gc-unknown-linux-gnu", "riscv64", "gnu"),
    Target {
        abi: "elfv2",
        ..linux("powerpc64le-unknown-linux-gnu", "powerpc64", "gnu")
    },
    Target {
        big_endian: true,
        wide_atomics: &["64", "128"],
        ..linux("s390x-unknown-linux-gnu", "s390x", "gnu")
    },
    linux("loongarch64-unknown-linux-gnu", "loongarch64", "gnu"),
    Target {
        os: "freebsd",
        ..linux("x86_64-unknown-freebsd", "x86_64", "")
    },
    apple("x86_64-apple-darwin", "x86_64"),
    apple("aarch64-apple-darwin", "aarch64"),
    windows("x86_64-pc-windows-msvc", "x86_64", "msvc"),
    windows("x86_64-pc-windows-gnu", "x86_64", "gnu"),
    Target {
        wide_atomics: &["64", "128"],
        ..windows("aarch64-pc-windows-msvc", "aarch64", "msvc")
    },
    wasm("wasm32-unknown-unknown", "unknown", ""),
    wasm("wasm32-wasip1", "wasi", "p1"),
    wasm("wasm32-wasip2", "wasi", "p2"),
];
