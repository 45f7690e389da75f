//! `docs/changes.md`, the page of all rules on changes, from their records.

use crd_channels_compat::{Gate, Record, catalogue};

/// The whole page.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    for record in catalogue() {
        let Record {
            id,
            rows: _,
            topic: _,
            gate,
            waivable,
            summary,
            explanation,
        } = record;
        let exempt = match gate {
            Gate::Own => " A change under its own experimental gate is exempt.",
            Gate::Node => "",
            Gate::Absolute => " Never exempt.",
        };
        let waivable = if *waivable {
            " A waiver may allow it."
        } else {
            ""
        };
        page.push_str(&format!(
            "\n## `{id}`\n\n{summary}\n\n{explanation}{exempt}{waivable}\n"
        ));
    }
    page
}

const INTRODUCTION: &str = "\
# Changes

`cargo xtask diff OLD NEW` compares two sets of CRDs and gives each change one of these codes, three verdicts and a bump:

- **stored objects**: whether what is in etcd is still accepted, and keeps its meaning and its data;
- **writers**: whether old manifests are still accepted and mean the same;
- **readers**: whether old controllers and typed clients still understand what they read;
- the lowest **bump** that may carry it: `none`, `patch`, `minor`, `new-api-version` (or, in place, a major bundle), `never`.
  `unknown` (it cannot be told) and `unclassified` (no rule knows it) count as `new-api-version` until a waiver in
  `channels/waivers.toml` says otherwise.

Sets of values decide, not keywords: a bound that no old value breaks is not a tightening, patterns are compared as languages,
rules in CEL are evaluated over all values that the old schema admits; where that proves nothing, values that old objects
may have are tried, and one that a new rule refuses is shown. What makes no difference, such as the order of enum values,
is not a change.

A node is experimental where the stable channel of the same bundle does not have it. Its changes ask for a minor at most.
Either side is a released bundle (its folder, or its version), a folder with a folder for each channel (`stable` or
`standard`, and `experimental`), a folder or file of CRDs of one channel, `.` for the working tree, or `git:REV` for the
types of a revision, which are read from git's objects: nothing is checked out and nothing compiled. Further channels are
compared where both sides have them. CRDs of others are read too: annotations are recognised by how their names end.
Tombstones stand in no CRD: they are judged between released bundles, which have a manifest, and the types.

`cargo xtask explain CODE` says the same as this page, which is written from the rules' records by
`cargo xtask pages`.
";
