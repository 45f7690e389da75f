//! The closed list of diagnostic codes: each one's severity, summary and explanation stand here and nowhere else.

use super::Severity;

/// What is known of a code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Record {
    /// The name users see and pass to `explain`.
    pub id: &'static str,
    /// Whether it stops the run.
    pub severity: Severity,
    /// One sentence: what the code says.
    pub summary: &'static str,
    /// Why it matters and what to do.
    pub explanation: &'static str,
}

macro_rules! codes {
    ($($variant:ident $id:literal $severity:ident $summary:literal $explanation:literal)*) => {
        /// One rule that can speak.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Code {
            $(#[doc = $summary] $variant,)*
        }

        impl Code {
            /// Every code, in the order of this file.
            pub const ALL: &[Code] = &[$(Code::$variant,)*];

            /// What is known of it.
            #[must_use]
            pub fn record(self) -> Record {
                match self {
                    $(Code::$variant => Record {
                        id: $id,
                        severity: Severity::$severity,
                        summary: $summary,
                        explanation: $explanation,
                    },)*
                }
            }
        }
    };
}

codes! {
    // Reading files and following modules.
    UnreadableFile "unreadable-file" Error
        "A file that the types need cannot be read."
        "The file is named by a manifest or by a `mod` item. Check that it exists and that you may read it."
    NotUtf8 "not-utf8" Error
        "A source file is not valid UTF-8."
        "Rust source is UTF-8. Convert the file; `iconv -t utf-8` does it for most."
    SyntaxError "syntax-error" Error
        "A source file does not parse as Rust."
        "The message is the parser's own. Other files are still read, so that all findings come at once; nothing is written."
    NestingTooDeep "nesting-too-deep" Error
        "Brackets in a source file, or types in each other, are nested deeper than the reader follows."
        "Nesting is bounded, so that hostile input cannot overflow the stack. Split the expression or the module, or break the chain of types."
    ModuleNotFound "module-not-found" Error
        "A `mod` item has no file."
        "A module `name` lives in `name.rs` or `name/mod.rs` beside its parent, or where `#[path]` says."
    ModuleCycle "module-cycle" Error
        "A file includes itself as a module, directly or through a link."
        "Following the modules would never end. Look for a symbolic link to a parent folder or a `#[path]` that points back."
    UnknownCfg "unknown-cfg" Error
        "A `cfg` predicate is decided by nothing that is known here."
        "Types are read without building, so a custom cfg that a build script would set has to be declared in `channels/bundle.toml` under `cfgs`."
    UnreadItems "unread-items" Warning
        "What an `include!` or another macro brings in is not read, and there may be kinds in it."
        "The included file is made while building, or its name cannot be told from the source; or a macro that cannot be expanded is called with `CustomResource` in its input. Kinds in it are missing; names that only it has lead nowhere."
    UnknownMacro "unknown-macro" Error
        "A macro of another crate may rewrite what is needed here."
        "An attribute macro may change anything about the item below it. What common ones do is known; say of others what the item is, under `[schemas]` or `[values]` in `channels/bundle.toml`."
    UnresolvedPath "unresolved-path" Error
        "A path leads to nothing that can be found."
        "Names are resolved as rustc does it: modules, `use` items, globs, re-exports, the prelude, dependencies. A name that a macro makes cannot be seen."
    // Attributes.
    SerdeAttribute "serde-attribute" Error
        "serde would refuse this attribute."
        "The message is serde's own; it would also fail the build."
    UnknownAttribute "unknown-attribute" Error
        "An attribute or a key of it is defined by nobody."
        "Misspelt attributes are never dropped in silence: a gate that is not read would ship its field as stable."
    InvalidAttribute "invalid-attribute" Error
        "An attribute has the wrong form, or a value that it cannot take."
        "The message names the form that is expected."
    GateContent "gate-content" Error
        "Something stands inside a conditional attribute that cannot differ between channels."
        "Validation, documentation, printer columns, names and the like may differ by channel; serde attributes and types may not, because the Rust type is one."
    IdleGate "idle-gate" Error
        "A gate stands on a member that no schema shows."
        "The type's schema is written by hand or is another type's, so that the gate takes nothing away in any channel. Derive the schema, or gate the fields that use the type."
    IgnoredAttribute "ignored-attribute" Warning
        "An attribute has no effect on the schema where it stands."
        "kube and schemars drop it in silence, and so does the CRD. Write the same with an attribute that is read there."
    TwoGates "two-gates" Error
        "Two gates stand on one node."
        "One node belongs to one feature. Nest the node in a type of its own if it needs two."
    MissingDerive "missing-derive" Warning
        "An attribute of ours stands where rustc does not know it."
        "`#[experimental]` and the like are legal where the derive `ApiType` of the crate `crd-channels-derive` stands above them; without it the types do not compile. `gen-crds` reads them all the same."
    // From items to drafts.
    MissingKubeKey "missing-kube-key" Error
        "`#[kube(..)]` lacks a key that a CRD cannot do without."
        "`group`, `version` and `kind` are required."
    MissingSchema "missing-schema" Error
        "A type has no schema that can be read."
        "Derive `JsonSchema` (or `KubeSchema`), or point to a type that does with `#[schemars(with = \"..\")]`."
    SchemaDisabled "schema-disabled" Warning
        "A kind whose schema is disabled is left out."
        "`#[kube(schema = \"disabled\")]` makes a type for clients of somebody else's CRD: kube writes no schema for it, and an API server refuses a CRD without one. Where the CRD is yours, drop the key, or write `schema = \"manual\"` and the schema by hand."
    UnsupportedType "unsupported-type" Error
        "A type cannot be expressed in a CRD."
        "The message names the type and what to use in its place."
    RecursiveType "recursive-type" Error
        "A type contains itself."
        "A CRD's schema is a tree without references, so recursion has no end. Break the cycle with a field that preserves unknown fields."
    NotConstant "not-constant" Error
        "A value is needed at generation time that only running the program could tell."
        "Source is read, not run: literals, constants and their simple combinations can be evaluated. Write the value as a literal."
    Environment "environment" Warning
        "What a CRD shows depends on a variable of the environment."
        "The program would show what is set where it runs. CRDs are written from source alone, so no variable is set here. State what the CRD shall show as the value of the function that asks: `[values]` in `channels/bundle.toml`, see `docs/configuration.md`."
    UnreadableSchema "unreadable-schema" Error
        "A hand-written schema is not of a form that can be read without running it."
        "A body that is one `json_schema!({..})` or `json!({..})` is read. Write it so, or use `#[schemars(with = \"..\")]`."
    PropertyConflict "property-conflict" Error
        "Two variants of an enum give one property two different schemas."
        "A structural schema has one schema for one property. Rename one, or make the two types equal, documentation included."
    NonStructural "non-structural" Error
        "The type's schema cannot be made structural, so an API server would refuse it."
        "Every node of a CRD needs one type. The message says which shape is in the way and what to write instead."
    MisplacedRule "misplaced-rule" Warning
        "What an attribute says of a flattened field lands elsewhere."
        "A flattened field has no node of its own. kube puts rules and merge keywords onto the first property of the flattened type; write them on the struct or on the field that is meant."
    NoEffect "no-effect" Warning
        "An attribute is accepted and changes nothing."
        "kube takes it and the CRD shows nothing of it, so what it was meant to say is not said. The message names what does."
    // Kinds and versions.
    DuplicateVersion "duplicate-version" Error
        "Two types claim the same version of the same kind."
        "One Rust type is one version of one kind."
    PluralClash "plural-clash" Error
        "Two kinds of one group have the same plural."
        "The plural is the resource's name in URLs and in the CRD's own name. Set `#[kube(plural = \"..\")]` on one."
    NoStorageVersion "no-storage-version" Error
        "No version of a kind is the storage version."
        "Exactly one version of a kind is stored. Set `#[kube(storage = true)]` on it and `storage = false` on the others."
    SeveralStorageVersions "several-storage-versions" Error
        "Several versions of a kind are storage versions."
        "Exactly one version of a kind is stored; `#[kube(storage)]` is true unless said otherwise. Set `storage = false` on the others."
    VersionsDisagree "versions-disagree" Error
        "Versions of one kind disagree on what they must share."
        "Scope, names and categories belong to the kind, not to a version."
    ConversionConfig "conversion-config" Error
        "The conversion of a kind is not configured, or not alike in all versions."
        "`#[crd(conversion = \"webhook\")]` needs `[conversion.webhook]` in `channels/bundle.toml`."
    NothingToDo "nothing-to-do" Error
        "No kind was found."
        "No type of the packages that were read derives `CustomResource`."
    // Channels and gates.
    UnknownFeature "unknown-feature" Error
        "A gate names a feature that `channels/features.toml` does not declare."
        "Declaring features keeps a misspelt gate from becoming a feature of its own."
    UnusedFeature "unused-feature" Warning
        "A feature is declared, and no gate names it."
        "What a feature gated has graduated or is gone, or the gate was forgotten and its field is in every channel."
    GatedType "gated-type" Error
        "A gated type is used where the gate does not hold."
        "Every use of a gated type must itself be gated by the same feature, else the channel without it has a field without a type."
    RequiredGatedField "required-gated-field" Error
        "A gated field is required."
        "Objects written under the channel without the field would be invalid under the other. Make it optional or give it a default."
    TombstoneInUse "tombstone-in-use" Error
        "A name is used again that a tombstone keeps out of use."
        "Stored objects may still carry the old meaning. Choose another name."
    GatedMapKey "gated-map-key" Error
        "A list-map key is a gated field."
        "The channel without the field would have a list-map without that key."
    GatedScalePath "gated-scale-path" Error
        "A scale path runs through a gated field."
        "The channel without the field would serve a `/scale` that fails on every request."
    GatedValue "gated-value" Error
        "A default or a rule names an enum value that a channel does not have."
        "In the channel without the value the default is invalid and the comparison never true."
    GatedFieldPath "gated-field-path" Error
        "A rule's `fieldPath` points to a gated field."
        "In the channel without the field the API server refuses the rule."
    GatedRead "gated-read" Error
        "A CEL expression reads a field that a channel does not have."
        "In the channel without the field the expression does not compile and the API server refuses the CRD. Gate the rule by the same feature. kube knows no gates: what `crd()` returns at run time has the field then and lacks the rule, so install the CRDs that are written here."
    GraduationRefused "graduation-refused" Error
        "A feature may not graduate."
        "What graduates becomes a promise: it was experimental in a released bundle, and nothing that is stable already may be refused or lost. The message names the change and its rule, which `explain` knows too."
    GraduationUnclear "graduation-unclear" Error
        "The source cannot be edited so that a feature graduates."
        "Attributes are edited where they are written. What macros make, what differs by `cfg`, and what other features lay over it is left to a person; nothing was written."
    EmptyEnum "empty-enum" Error
        "A channel leaves an enum without any value."
        "No object could ever set the field. Gate the field as well, or keep one value."
    GatedName "gated-name" Warning
        "Text of a channel names a field or a value that the channel does not have."
        "Users read of what they cannot set. Put the sentence into `#[experimental(doc = \"..\")]`."
    CelSyntax "cel-syntax" Error
        "A CEL expression does not parse."
        "The message is the parser's own."
    RefusedCrd "refused-crd" Error
        "An API server would refuse a CRD of a channel."
        "The rules are the server's own, and `cargo xtask check` applies the same ones to files. The help names the rule, which `cargo xtask explain` knows too."
    UnusedAllowance "unused-allowance" Warning
        "A lint is allowed where it has nothing to say."
        "What it was about has been mended or moved, and the next finding at that place would not be seen. Only lints that speak in some channel count."
    StaleBaseline "stale-baseline" Warning
        "`channels/warnings.json` knows of a warning that is gone."
        "The file keeps known warnings from being said, so that new ones are seen. Were an entry to stay, its warning would come back unseen. `gen-crds --write-baseline` writes the file anew."
    // Configuration and the world outside.
    ConfigMissing "config-missing" Error
        "A configuration file is missing."
        "The message names the file and its smallest content."
    ConfigExists "config-exists" Error
        "A file that `init` would write is there already."
        "`init` makes a bundle of a workspace that has none. It replaces no file: `channels/*.toml` is yours to edit."
    ConfigInvalid "config-invalid" Error
        "A configuration file does not say what it must, or says something unknown."
        "Unknown keys are errors, so that a misspelt setting is never ignored."
    PrefixNeeded "prefix-needed" Error
        "The annotations' prefix cannot be derived."
        "With several API groups the prefix has to be chosen: `annotation-prefix` in `channels/bundle.toml`."
    PackageNotFound "package-not-found" Error
        "A package that is named is no member of the workspace, or one that is read is not built."
        "`packages` in `channels/bundle.toml` names the packages whose types are read. `cargo-packages` and `-p` name those whose build decides which features are on; what is read has to be among them or below."
    CargoFailed "cargo-failed" Error
        "cargo could not describe the workspace."
        "The message is cargo's own."
    CompileFailed "compile-failed" Error
        "The types do not compile, or the program that shows their CRDs does not run."
        "What cargo said stands above. `prove` compiles the packages with kinds as the project does: its lock file, features and toolchain."
    RecordStale "record-stale" Warning
        "What a value was recorded from has changed since."
        "`channels/recorded.json` has what source could not tell, taken from the compiled CRDs, with the digests of the files that it depends on. `prove` says whether it still holds, `prove --record` takes it anew."
    RecordUnused "record-unused" Warning
        "A recorded value is used by nothing."
        "Source tells it now, or the type or field is gone. `prove --record` takes it out of `channels/recorded.json`."
    RecordGated "record-gated" Error
        "What source cannot tell holds something that only some channels have."
        "The compiled types are one, whatever the channel, so a recorded schema or default cannot leave out what is gated inside it. Make the place readable, or state it in `[schemas]` or `[values]`."
    RecordFailed "record-failed" Error
        "What source cannot tell is not found in the compiled CRDs."
        "What several types make together has no place of its own in a CRD. Make it readable, or state it in `[schemas]` or `[values]`."
    ProofDiffers "proof-differs" Error
        "A CRD is not what the compiled types say."
        "`gen-crds` reads the types, `prove` compiles them and compares. Where `[schemas]` or `[values]` speak in the place of source, mend them; else it is a bug of this tool: please report it with the line."
    ProofIncomplete "proof-incomplete" Error
        "A kind could not be compared with its compiled type."
        "The message says why: the kind cannot be reached, its source cannot be read, or the program does not show it."
    LockMissing "lock-missing" Error
        "There is no lock that says which bundle is pinned."
        "`crd-channels pin --from SOURCE --channel stable --version '^0.2'` writes `bundle.lock`."
    LockInvalid "lock-invalid" Error
        "A lock cannot be read."
        "`bundle.lock` is written by `pin` and not by hand. Take it from version control, or pin again."
    LockNewer "lock-newer" Error
        "A lock was written by a newer version of this tool."
        "What an older version does not know it could only leave out. Use the version of the tool that wrote the lock, or a newer one."
    BundleMissing "bundle-missing" Error
        "A source has no bundle that is asked for."
        "A source holds bundles in folders that are called like their versions, below `channels/` or at its top, or is one itself. The message lists those that it has."
    GitFailed "git-failed" Error
        "git could not read a revision."
        "A revision's files come from git's objects, so the folder has to lie in a repository whose objects are there. The message is git's own."
    RevisionNotFound "revision-not-found" Error
        "A name leads to no commit."
        "`git:` takes what git itself takes for a commit: a hash, a tag, a branch, `HEAD~2`. A shallow clone has few commits, and a clone without tags cannot name releases."
    DependencyMissing "dependency-missing" Error
        "The source of a dependency is not on this machine."
        "Run `cargo fetch`."
    // Releasing.
    ReleaseVersion "release-version" Error
        "There cannot be a bundle of the version that was asked for."
        "Bundles never change and only follow lower ones: a patch the latest of its own line, a minor or major version the latest of all. Pre-releases promise nothing and nothing follows them."
    ReleaseRefused "release-refused" Error
        "Something that changed cannot be released under the version that was asked for."
        "What a patch, a minor and a major bundle may change is in `docs/changes.md`. A waiver in `channels/waivers.toml` may lower what a change asks for, for one bundle and with a reason."
    UncleanTree "unclean-tree" Error
        "The working tree has changes that are not committed."
        "A bundle is made from a commit, so that everybody can make it again. Commit or undo the changes."
    StaleFiles "stale-files" Error
        "Generated files are not what the types say."
        "Run `cargo xtask gen-crds` and commit what it writes."
    // Released bundles.
    BundleInvalid "bundle-invalid" Error
        "A folder is no released bundle, or its manifest cannot be understood."
        "A bundle is a folder with a `manifest.json`, written by `release`. Unknown fields are errors: what is not understood cannot be verified."
    BundleNewer "bundle-newer" Error
        "A bundle was made by a newer version of this tool."
        "Its manifest has a format that this version does not know, so nothing about it can be promised."
    BundleTampered "bundle-tampered" Error
        "A bundle is not as it was released."
        "Every file is listed in the manifest with its digest, and the manifest with its own. A file that changed, is missing or was added makes the bundle another one."
    // Output.
    WriteFailed "write-failed" Error
        "A file could not be written."
        "Nothing else was changed: files are replaced one by one only after all of them were written aside."
    SizeLimit "size-limit" Warning
        "A CRD is larger than a limit that tools in common use have."
        "Client-side apply keeps the whole object in an annotation (262,144 bytes for all annotations), Helm keeps a release in a Secret (1 MiB), etcd takes requests of 1.5 MiB. Shorten descriptions by policy in `channels/<channel>.toml`."
    SchemaTooDeep "schema-too-deep" Error
        "A schema is nested deeper than JSON readers follow."
        "Clients written in Rust refuse objects of more than 127 levels. Flatten the type, or end it with a field that preserves unknown fields."
    SchemaTooLarge "schema-too-large" Error
        "A type comes to more nodes than any API server holds."
        "A schema has no references: a type is written out wherever it is used, and types that hold each other twice double at each level. etcd takes requests of 1.5 MiB. End the chain with a field that preserves unknown fields."
    SizeBudget "size-budget" Warning
        "A CRD is larger than its budget."
        "Budgets stand in the channel's configuration: `size-budget` is only compared, `budget` below `[descriptions]` is met by leaving out descriptions where that is enough. Raise the budget, or split the kind."
}

#[cfg(test)]
mod tests {
    use super::Code;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_unique_and_kebab_case() {
        let mut seen = BTreeSet::new();
        for code in Code::ALL {
            let id = code.record().id;
            assert!(seen.insert(id), "`{id}` stands twice");
            assert!(
                id.chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'),
                "`{id}` is not kebab case"
            );
        }
    }
}
