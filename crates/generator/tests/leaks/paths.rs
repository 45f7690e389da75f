//! JSONPaths in all the forms in which they can name a field (`F`), a value of an enum or the key of a map (`V`).

/// Paths of printer columns.
pub const COLUMNS: &[&str] = &[
    ".spec.part.F",
    "spec.part.F",
    "$.spec.part.F",
    "@.spec.part.F",
    ".spec.part['F']",
    "['spec']['part']['F']",
    ".spec.['part'].F",
    ".spec.part[\"F\"]",
    ".spec.part['kept','F']",
    ".spec.part.F.more",
    "..F",
    "..['F']",
    ".spec..F",
    "..part.F",
    "..*.F",
    ".spec.*.F",
    ".*.*.F",
    ".spec[*].F",
    ".spec.parts[*].F",
    ".spec.parts[0].F",
    ".spec.parts[-1:].F",
    ".spec.parts[0,1].F",
    ".spec.parts.*.F",
    ".spec.parts[?(@.F)].kept",
    ".spec.parts[?(@.F=='a')].kept",
    ".spec.parts[?('a'==@.F)].kept",
    ".spec.parts[?(@['F']!='a')].kept",
    ".spec.parts[?(@.pick=='V')].kept",
    ".spec.parts[?(@.pick==\"V\")].kept",
    ".spec.parts[?(@.pick < 'V')].kept",
    "..[?(@.F=='a')].kept",
    ".spec.parts[?(@.kept=='a')].F",
    ".spec.named.k.F",
    ".spec.named['k'].F",
    ".spec.named.*.F",
    ".spec.keyed.V",
    ".spec.keyed['V']",
    "..keyed.V",
    "{.spec.part.F}",
    "{.spec.kept} {.spec.part.F}",
    ".spec.plain .spec.part.F",
    ".spec.part.F[",
    ".spec.parts[x].F",
    ".spec.\\F",
];

/// Paths of selectable fields.
pub const SELECTABLE: &[&str] = &[".spec.part.F", ".spec.part['F']", ".spec.keyed.V"];

/// A rule's `fieldPath` on the spec.
pub const FIELD_PATHS: &[&str] = &[
    ".part.F",
    ".part['F']",
    "['part']['F']",
    ".named.k.F",
    ".named['k'].F",
    ".keyed.V",
    ".keyed['V']",
];
