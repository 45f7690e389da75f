//! `docs/trust.md`: how much was compared with what knows, from the record that `.ci/evidence` makes.

use crd_channels_projection::bundle::sizes::grouped;
use serde_json::Value;
use std::fmt::Write as _;

const RECORD: &str = include_str!("../../../docs/evidence.json");

const HEAD: &str = "# Why trust it

This page is for those who decide whether to rely on the tool. `cargo xtask pages` writes it from `docs/evidence.json`, in which
`.ci/evidence` records what runs compared. Nothing in it is typed by hand except the words.

The tool reads types that rustc compiles, and says what API servers would say. It could be wrong in both without an error, so
the rule is: a **refusal** is fine, a **silent difference** is not, and what knows the answer is asked instead of writing down what we
expect. In every row below, none differed: one difference fails the run, and then nothing is recorded. Known differences are
intended, and [listed](differences.md). CI draws new inputs every night.

| compared | how many | with what | last run | again |
|---|---|---|---|---|
";

const TAIL: &str = "
## What this does not show

- The inputs are drawn from grammars and from the CRDs of public projects. What no grammar has is not tried; where the tool does
  not know, it refuses ([values](values.md) has the language that it reads).
- Real projects compile differently from drawn kinds. Run [`prove`](proving.md) on yours: it compares every fact with the
  compiled types, and belongs into your CI.
- Servers are kube-apiserver with etcd, without the other parts of a cluster. [API server](apiserver.md) says what is tested there.

## How tests are kept honest

A test counts as evidence if it fails once what it guards is broken. `.ci/mutants` breaks each line of the runtime that a commit
changes; [promises](promises.md) names a test for each promise. What tests need comes with them or is fetched; what cannot be tried
on a machine is printed.
";

/// The page.
pub fn page() -> String {
    let rows: Value = serde_json::from_str(RECORD).unwrap_or_default();
    let mut page = HEAD.to_owned();
    for row in rows.as_array().into_iter().flatten() {
        // A row without a recorded run is left out.
        let Some(number) = row["number"].as_u64() else {
            continue;
        };
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | `{}` |",
            text("what"),
            grouped(number),
            text("against"),
            text("recorded"),
            text("command"),
        );
    }
    page + TAIL
}
