//! The closed list of rules about CRDs, the only place with each one's level, summary, explanation and help.

pub use crd_channels_schema::marks::Level;

use crd_channels_diagnostics::{self as diag, Severity};
use crd_channels_markers::Lint;

/// The metadata of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The name users see and pass to `explain`.
    pub id: &'static str,
    /// The default level. `Deny` cannot be changed: API servers reject these CRDs, or can never serve them. Every other rule is
    /// a lint, and its level can be set.
    pub level: Level,
    /// One sentence: what the rule reports.
    pub summary: &'static str,
    /// Why it matters.
    pub explanation: &'static str,
    /// The fix, if a finding has no more specific one.
    pub help: &'static str,
}

/// The code of a rule: its own, or that of the lint of the same name.
macro_rules! id {
    ($lint:ident lint) => {
        Lint::$lint.code()
    };
    ($rule:ident $id:literal) => {
        $id
    };
}

macro_rules! rules {
    ($($variant:ident $id:tt $level:ident $summary:literal $explanation:literal $help:literal)*) => {
        /// A rule about CRDs.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Rule {
            $(#[doc = $summary] $variant,)*
        }

        impl Rule {
            /// Every rule, in the order of this file.
            pub const ALL: &[Rule] = &[$(Rule::$variant,)*];

            /// Its metadata.
            #[must_use]
            pub fn record(self) -> Record {
                match self {
                    $(Rule::$variant => Record {
                        id: id!($variant $id),
                        level: Level::$level,
                        summary: $summary,
                        explanation: $explanation,
                        help: $help,
                    },)*
                }
            }

            /// Its metadata for a diagnostic at this level.
            #[must_use]
            pub fn record_at(self, level: Level) -> diag::Record {
                let Record { id, summary, explanation, .. } = self.record();
                let severity = match level {
                    Level::Deny => Severity::Error,
                    Level::Warn | Level::Allow => Severity::Warning,
                };
                diag::Record { id, severity, summary, explanation }
            }

            /// Whether it is about CRDs that servers accept, so that its level can be set.
            #[must_use]
            pub fn is_lint(self) -> bool {
                self.record().level != Level::Deny
            }

            /// Whether an API server rejects a CRD with such a finding.
            #[must_use]
            pub fn is_refusal(self) -> bool {
                !self.is_lint() && self != Rule::ScaleNotation
            }
        }
    };
}

rules! {
    // Reading.
    Undecodable "undecodable" Deny
        "The JSON type of a value does not match its field."
        "The server decodes a CRD into typed fields before it validates anything, and answers 400 for the first value that does not fit."
        "write a value of the type that the message names"
    UnknownField lint Warn
        "A CRD has an unknown field."
        "The server rejects the CRD under strict field validation, which `kubectl` requests; otherwise it drops the field and warns. Below `items` and `additionalProperties` it drops the field silently."
        "remove the field, or fix its name"
    DroppedField lint Warn
        "The oldest supported Kubernetes version drops a field of the CRD."
        "New fields stay behind a feature gate for a minor version or two: the server accepts the CRD and silently drops the field."
        "omit the field, or declare a newer Kubernetes"
    NewerKubernetes lint Warn
        "A newer Kubernetes rejects what the oldest supported one accepts."
        "Servers change the prices and functions of rules. After an upgrade users can install neither the CRD nor a newer version of it. The help names a bound that is enough on all servers that this tool knows."
        "change the rule so that the newer servers accept it too"
    UnservedApiVersion "unserved-api-version" Deny
        "The `apiVersion` of a CRD is no longer served."
        "`apiextensions.k8s.io/v1beta1` was removed in Kubernetes 1.22."
        "write `apiVersion: apiextensions.k8s.io/v1`"
    // Metadata and names.
    MetadataName "metadata-name" Deny
        "The name of a CRD is not the plural and the group of its resource."
        "The server finds the resource by the CRD's name, so it must be `<spec.names.plural>.<spec.group>`, a DNS subdomain of at most 253 characters. `generateName` is never valid."
        "write `metadata.name: <plural>.<group>`"
    ObjectMetadata "object-metadata" Deny
        "A label, annotation, finalizer or owner reference is malformed."
        "Keys are qualified names, optionally with a DNS subdomain and a slash before them; label values have at most 63 characters; all annotations together have at most 262,144 bytes."
        "fix the key or the value"
    ApiApproval "api-approval" Deny
        "A CRD of a protected group has no approval."
        "Groups that end in `k8s.io` or `kubernetes.io` belong to the Kubernetes community."
        "set the annotation `api-approved.kubernetes.io` to the pull request's URL, or to `unapproved, <why>`, or choose another group"
    GroupName "group-name" Deny
        "The group is not a DNS subdomain with a dot."
        "Groups are domains that their authors own; those without a dot are reserved for Kubernetes."
        "write a domain that you own, such as `example.com`"
    ResourceNames "resource-names" Deny
        "A name of the resource is malformed."
        "Plural, singular, short names and categories are DNS labels of at most 63 characters: lower case, digits and dashes, beginning with a letter. Kind and list kind follow the same rules once written in lower case, and differ from each other."
        "use lower case letters, digits and dashes, beginning with a letter; kinds may have capitals and at most 59 characters"
    Scope "scope" Deny
        "The scope is neither `Cluster` nor `Namespaced`."
        "There is no default."
        "write `scope: Namespaced` or `scope: Cluster`"
    // Versions.
    VersionName "version-name" Deny
        "The name of a version is not a DNS label."
        "Version names are part of URLs and of `apiVersion`."
        "write something like `v1`, `v1beta1` or `v2alpha1`"
    VersionSet "version-set" Deny
        "There is not exactly one storage version, or two versions have the same name."
        "Objects are stored in exactly one version."
        "set `storage: true` on one version and `storage: false` on all others"
    MissingSchema "version-schema-missing" Deny
        "A version has no schema."
        "Every version needs a schema, even one that is not served; without it all fields would be pruned."
        "give the version `schema.openAPIV3Schema`, at least `{type: object, x-kubernetes-preserve-unknown-fields: true}`"
    PreserveUnknownFields "preserve-unknown-fields" Deny
        "`preserveUnknownFields` has a value that is not allowed."
        "`spec.preserveUnknownFields: true` is rejected in v1, and `x-kubernetes-preserve-unknown-fields: false` everywhere: omit it instead."
        "remove the field; where unknown fields must survive, set `x-kubernetes-preserve-unknown-fields: true` in the schema"
    DeprecationWarning "deprecation-warning" Deny
        "A deprecation warning cannot be sent, or belongs to a version that is not deprecated."
        "It becomes an HTTP header: 1 to 256 bytes of printable characters. It is only sent for deprecated versions."
        "shorten the text to 256 bytes without line breaks or tabs, and set `deprecated: true`"
    PrinterColumn "printer-column" Deny
        "A printer column is incomplete or of an unknown type."
        "A column needs a name, a type and a JSON path that begins with a dot."
        "write `{name: .., type: boolean|date|integer|number|string, jsonPath: .spec..}`"
    ScalePath "scale-path" Deny
        "A path of the scale subresource is missing or invalid."
        "`specReplicasPath` is below `.spec`, `statusReplicasPath` below `.status`, `labelSelectorPath` below either."
        "write a path such as `.spec.replicas` and `.status.replicas`"
    ScaleNotation "scale-notation" Deny
        "A path of the scale subresource is not just names with dots between them."
        "API servers accept a CRD with `.spec.list[0]`, look for a field of that name, and answer every request to `/scale` with an error."
        "name a field of the schema with dots only, such as `.spec.replicas`"
    SelectableField "selectable-field" Deny
        "A selectable field does not exist in the schema, or has an unsupported type."
        "Paths run through properties in dot notation and end at a string, boolean or integer outside of metadata; there are at most 8."
        "name a field of the schema, such as `.spec.color`"
    ConversionWebhook "conversion-webhook" Deny
        "The conversion's configuration does not match its strategy."
        "`Webhook` needs a client configuration with either a URL or a service, and at least one review version that the server supports; `None` takes neither."
        "write `conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {..}}}}`"
    // Schemas.
    SchemaType "schema-type" Deny
        "A node of the schema has no type, or the wrong one."
        "A structural schema gives every node one of the types array, boolean, integer, number, object and string. The root is an object. Nodes with `x-kubernetes-int-or-string` or `x-kubernetes-preserve-unknown-fields` need none."
        "write `type: <array|boolean|integer|number|object|string>`"
    ArrayItems "array-items" Deny
        "An array has no single schema for its items."
        "Every array of a structural schema has `items`, and `items` is one schema."
        "write `items: {type: ..}`"
    AdditionalProperties "additional-properties" Deny
        "`additionalProperties` is used where it is not allowed."
        "It is rejected at the root, beside `properties`, and in embedded resources."
        "remove it; where unknown fields must survive, write `x-kubernetes-preserve-unknown-fields: true`"
    RootKeyword "root-keyword" Deny
        "A keyword is not allowed at the root of the schema."
        "With the status subresource the root takes only keywords that do not validate the object as a whole; `nullable` is never allowed at the root."
        "move the keyword to `spec`, or write an `x-kubernetes-validations` rule instead"
    Pattern "pattern" Deny
        "A pattern is not a valid Go regular expression."
        "Go's syntax is RE2: no look-around, no backreferences, no repetition above 1000."
        "rewrite the pattern without look-around and backreferences, or split it into an `x-kubernetes-validations` rule"
    UnsupportedKeyword "unsupported-keyword" Deny
        "A keyword of OpenAPI or JSON Schema is not supported in CRDs."
        "`$ref`, `$schema`, `id`, `definitions`, `dependencies`, `patternProperties`, `additionalItems` and `uniqueItems: true` are known to the server but rejected."
        "remove the keyword; inline what it refers to; for unique items use `x-kubernetes-list-type: set`"
    JunctorKeyword "junctor-keyword" Deny
        "A keyword inside `allOf`, `anyOf`, `oneOf` or `not` belongs outside."
        "Junctors may only contain value validations. Types, defaults, descriptions, `nullable`, `additionalProperties` and the extensions describe the structure and belong outside; `metadata` cannot be restricted inside."
        "move the keyword to the node that has the junctor"
    JunctorField "junctor-field" Deny
        "A junctor names a field that the structure does not have."
        "Everything that is validated inside `allOf`, `anyOf`, `oneOf` or `not` at the root must be declared outside as well."
        "declare the field in `properties` (or `items`) outside of the junctor too"
    MetadataSchema "metadata-schema" Deny
        "The schema restricts `metadata`, `kind` or `apiVersion` more than allowed."
        "The server owns them: `metadata` is an object of which only `name` and `generateName` can be restricted; `kind` and `apiVersion` are strings; none has a default at the root."
        "write `metadata: {type: object}`, `kind: {type: string}` and `apiVersion: {type: string}`"
    ExtensionConflict "extension-conflict" Deny
        "Two extensions of one node exclude each other."
        "`x-kubernetes-int-or-string` cannot be combined with `x-kubernetes-preserve-unknown-fields` or `x-kubernetes-embedded-resource`."
        "keep one of them"
    EmbeddedResource "embedded-resource" Deny
        "An embedded resource is not an object with known or preserved fields."
        "`x-kubernetes-embedded-resource` needs `type: object` and either `properties` or `x-kubernetes-preserve-unknown-fields: true`, and is not allowed in metadata."
        "write `type: object` and `x-kubernetes-preserve-unknown-fields: true` beside it"
    ListType "list-type" Deny
        "`x-kubernetes-list-type` does not fit its list."
        "It is `atomic`, `set` or `map` and applies to arrays. Items of sets and maps are not nullable; items of sets are scalars, atomic maps or atomic lists."
        "write `x-kubernetes-list-type: atomic`, or make the items fit"
    ListMapKeys "list-map-keys" Deny
        "The keys of a list of type map do not identify its items."
        "Keys are scalar properties of items that are objects; each is required or has a default, and none is nullable."
        "name required scalar properties of the items in `x-kubernetes-list-map-keys`"
    MapType "map-type" Deny
        "`x-kubernetes-map-type` does not fit its object."
        "It is `atomic` or `granular` and applies to objects."
        "write `x-kubernetes-map-type: atomic` or `granular` beside `type: object`"
    // Defaults.
    DefaultForbidden "default-forbidden" Deny
        "A default is not allowed here."
        "Top-level `metadata`, `kind` and `apiVersion` take no defaults, nor do maps inside of metadata."
        "remove the default"
    DefaultInvalid "default-invalid" Deny
        "A default is not a valid value of its own field."
        "Each default is validated alone, before defaults below it are filled in: types, enums, bounds, formats, rules, no unknown fields, no null where it is not nullable."
        "write a default that the field's own schema takes, with all required fields in it"
    // Rules.
    RuleText "rule-text" Deny
        "A field of a validation rule is empty, has line breaks or an unknown value."
        "`rule` is not blank, `message` is one line and present when the rule has several, `messageExpression` is not blank, `reason` is one of four values."
        "write `reason: FieldValueInvalid|FieldValueForbidden|FieldValueRequired|FieldValueDuplicate`, and a message of one line"
    RuleFieldPath "rule-field-path" Deny
        "The `fieldPath` of a rule does not resolve."
        "It runs from the rule's node through properties and map values, as in `.spec.replicas` or `.labels['a.b/c']`, never into a list."
        "write a path that begins with a dot and names declared fields"
    RuleSyntax "rule-syntax" Deny
        "An expression does not parse."
        "Rules and message expressions are CEL."
        "fix the expression where the message points"
    RuleName "rule-name" Deny
        "An expression names a variable, a function, a type or a field that the server does not know."
        "Rules read `self` and `oldSelf` and the variables of their macros. Fields are those that the schema declares; metadata has only `name` and `generateName`. Functions are those of Kubernetes 1.37."
        "fix the name where the message points, or declare the field"
    RuleVersion "rule-version" Deny
        "An expression uses a feature that the oldest supported Kubernetes version lacks."
        "`kubernetes` of `channels/bundle.toml`, 1.30 by default, and `crd-channels check --kubernetes` set that version. Servers compile new rules as the previous minor version would: rules can use a feature from the minor version after the one that added it."
        "write the rule without it, or declare a newer Kubernetes"
    RuleMismatch "rule-mismatch" Deny
        "An expression does not type-check, or returns a value of the wrong type."
        "Rules return a `bool`, message expressions a `string`. Types are those that the schema declares; functions and operators are those of Kubernetes 1.37. Constant patterns, times and formats are checked when the rule is compiled."
        "change the expression where the message points"
    RuleCost "rule-cost" Deny
        "The estimated cost of an expression exceeds the server's budget."
        "Servers estimate the cost of an expression for the largest value that its schema allows: 10,000,000 for each expression, times the number of values that a rule applies to, and 100,000,000 for a whole schema. Values without a bound are assumed to be as large as a request allows. `crd-channels gen-crds --cost` shows every expression beside these budgets, `crd-channels explain-rule` the cost of each part of a rule."
        "bound the lists, maps and texts that the expression reads, or the lists and maps above it"
    RuleType "rule-type" Deny
        "A rule applies to a node that has no CEL type."
        "Nodes without `type`, lists of such nodes and maps of them cannot be read by rules."
        "give the node a type, or move the rule up to a node that has one"
    RuleOldSelf "rule-old-self" Deny
        "`oldSelf` or `optionalOldSelf` is used where it has no meaning."
        "Old values exist only where the server can correlate old and new values: not below lists, except those of type map. `optionalOldSelf` needs a rule that reads `oldSelf`."
        "make the list `x-kubernetes-list-type: map`, move the rule to the list itself, or remove `optionalOldSelf`"
    // Sizes.
    TooLarge "too-large" Deny
        "The CRD is larger than the server stores or reads."
        "Requests of more than 3 MiB are answered with 413. etcd accepts requests of up to 1.5 MiB, including the managed fields."
        "shorten descriptions, or split the kind"
    Large lint Warn
        "The CRD is close to the server's size limit, or close to or above that of client-side apply."
        "Servers add managed fields before they store. `kubectl apply` keeps the whole object in an annotation, and all annotations together have at most 262,144 bytes."
        "use `kubectl apply --server-side`, or shorten descriptions"
    // Lints.
    UnorderedVersion lint Warn
        "The name of a version is not a Kubernetes-style version."
        "Discovery puts `v2` before `v1`, `v1` before `v1beta1`, and all other names last, alphabetically."
        "write a name such as `v1`, `v1beta1` or `v2alpha1`"
    UnseenDeprecation lint Warn
        "A version is deprecated and not served."
        "The warning is sent with responses, and a version that is not served has none. A version that a released bundle deprecated while it was served is not reported."
        "serve the version for one bundle, so that its users are warned, or remove `deprecated`"
    StatusWithoutSubresource lint Warn
        "A schema has a status, but the version has no status subresource."
        "Without it every client that writes the spec writes the status too, and each status update increments the generation."
        "write `subresources: {status: {}}`"
    EmptyColumn lint Warn
        "A printer column shows a field that the schema does not have."
        "The server accepts any path, and the column stays empty."
        "name a field of the schema"
    ColumnType lint Warn
        "A printer column has a different type than its field."
        "A value that is not of the column's type is not shown; a date that does not parse is shown as `<invalid>`. A column of type string shows any value."
        "use the field's type: `string` always fits, `date` fits a string of the format `date-time`"
    PartialColumn lint Warn
        "A printer column shows only the first of several values."
        "The server takes the first value that the path selects. Of the fields of an object, that is any one of them. A list or an object as a whole is shown as JSON, in a column of type string."
        "show the whole list, or write `[0]` in place of `[*]` if the first item is meant"
    ScaleField lint Warn
        "A path of the scale subresource refers to a field that does not exist, or has the wrong type."
        "The server accepts any path below `.spec` and `.status`, and then answers requests to `/scale` with an error, or with zero replicas. Replicas are integers, the selector is a string."
        "name a field of the schema: an integer for replicas, a string for the selector"
    ScaleReplicas lint Warn
        "The replicas of the scale subresource may be absent or out of range."
        "The server answers requests to `/scale` of an object without replicas with an error. It rejects objects whose replicas are negative or above 2,147,483,647, regardless of the schema: bounds and formats that promise more are reported, a plain `i32` or integer is not."
        "require the field and its parents, or give them defaults; bound it by `minimum: 0` and `format: int32`"
    UnknownFormat lint Warn
        "A format is unknown for its type."
        "It is ignored, and servers since 1.34 warn about it."
        "remove the format, or write bounds instead, such as `minimum: 0`"
    ImpossibleBound lint Warn
        "No value is within the bounds."
        "The server accepts the schema and then rejects every object that sets the field."
        "lower the minimum, or raise the maximum"
    EnumValueType lint Warn
        "A value of an enum is not of the node's type."
        "It can never be set."
        "remove the value, or write it in the node's type"
    NullableEnum lint Warn
        "An enum is nullable."
        "The server rejects null, with or without `null` among the values, so it can never be set."
        "remove `nullable` and `null`: an optional field needs neither"
    DuplicateDefault lint Warn
        "The default of a list of type set or map has a duplicate item."
        "The server accepts the default and then rejects every object that it is applied to."
        "remove the duplicate"
    RejectedDefault lint Warn
        "A default in the values of a map is invalid."
        "The server does not validate defaults there: it accepts the CRD, and then rejects every object that leaves the field out."
        "write a default that the schema and its rules allow, or remove it"
    UnevaluatedDefault lint Warn
        "Only a server can evaluate a rule on a default."
        "Servers evaluate rules on defaults, and reject the CRD if one fails. Rules that depend on the server, such as on its time zones, are not evaluated here."
        "try it on a server, for example with `crd-channels envtest`, or remove the default"
    UntypedList lint Warn
        "A list of objects has no merge strategy."
        "Server-side apply replaces the whole list, so that two writers overwrite each other; the type cannot be changed safely later. Kubernetes' own label selectors are exempt: their requirements are atomic everywhere."
        "write `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys`, or `atomic` where that is meant"
    SetItems lint Warn
        "A list of type set has items that are not scalars."
        "Server-side apply and rules do not support such sets, and servers since 1.37 warn about them: a rule that compares or extends one ends in an error."
        "write `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys`, or `atomic`"
    ConditionsList lint Warn
        "The conditions of a status are not a list of type map by `type`."
        "Several controllers write the conditions of one object. In any other list the last writer overwrites those of all others."
        "write `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`"
    ConditionFields lint Warn
        "A condition lacks a field that every condition has."
        "`kubectl wait` and other tools that read any kind's conditions rely on `type`, `status`, `reason`, `message` and `lastTransitionTime`, all of them required."
        "use Kubernetes' own `Condition`, or declare and require the field"
    UnobservedCondition lint Warn
        "Conditions have no `observedGeneration`."
        "Without `observedGeneration` clients cannot distinguish a current condition from one of an older spec."
        "add the field `observedGeneration`, an integer of format int64"
    Phase lint Warn
        "A status has a phase."
        "Kubernetes' API conventions call phases deprecated: clients come to rely on the list of values, so no value can be added later. Conditions carry the same information and can be extended."
        "write conditions instead"
    Float lint Warn
        "A field holds a floating-point number."
        "It may change when it is parsed and written in different languages, and then compares as different. Kubernetes' API conventions ask for integers, or for quantities such as `500m`."
        "write an integer in a smaller unit, or a quantity"
    UnguardedRead lint Warn
        "A rule reads an optional field without checking that it is set."
        "Where the field is absent the rule ends in an error, and the object is rejected with a message about a missing key instead of the rule's own."
        "check first, as in `!has(self.a) || self.a > 0`, or read it as `self.?a.orValue(0)`"
    NameClash lint Warn
        "Two CRDs of one group have the same name, or a short name is another name of its own CRD."
        "A server accepts both CRDs and serves the second one only without that name, or not at all. Plurals, singulars and short names share one set, kinds and list kinds another. Within one CRD, a later update ends in `NamesAccepted=False`, and tools that wait for the CRD wait in vain."
        "give one of them another name"
    BuiltinName lint Warn
        "A short name is one that Kubernetes uses for a resource of its own."
        "`kubectl get po` shows pods even if another resource has that short name: the server's own groups take precedence."
        "write another short name, or none"
    KeptAnnotations lint Warn
        "A webhook converts between versions, and what one of them lacks may not fit into annotations."
        "A conversion keeps what a version cannot represent in annotations of the object, of which a server accepts 262,144 bytes. An object that would have more cannot be converted, and every list that it is in fails. Characters count as up to six bytes, as in `\\u0000`."
        "bound what only one version has, with `#[schemars(length(max = ..))]`"
}

#[cfg(test)]
mod tests {
    use super::Rule;
    use crd_channels_diagnostics::Code;
    use crd_channels_markers::Lint;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_kebab_case_and_unique_among_codes_too() {
        let mut seen: BTreeSet<&str> = Code::ALL.iter().map(|code| code.record().id).collect();
        for rule in Rule::ALL {
            let id = rule.record().id;
            assert!(seen.insert(id), "`{id}` stands twice");
            assert!(
                id.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "`{id}` is not kebab case"
            );
        }
    }

    #[test]
    fn the_lints_are_those_that_attributes_can_set() {
        let lints = Rule::ALL.iter().filter(|rule| rule.is_lint());
        let mut lints: Vec<&str> = lints.map(|rule| rule.record().id).collect();
        let mut settable: Vec<&str> = Lint::ALL.iter().map(|lint| lint.code()).collect();
        lints.sort_unstable();
        settable.sort_unstable();
        assert_eq!(lints, settable);
    }
}
