//! What an API server's environment declares for rules of CRDs, as Kubernetes 1.36 has it: functions with the numbers of
//! arguments that they take, and the names of types.

/// A function, with the numbers of arguments of its overloads.
type Function = (&'static str, &'static [usize]);

/// `name(..)`, and with a namespace `name.space(..)`.
const GLOBAL: &[Function] = &[
    ("bool", &[1]),
    ("bytes", &[1]),
    ("cidr", &[1]),
    ("double", &[1]),
    ("duration", &[1]),
    ("dyn", &[1]),
    ("format.byte", &[0]),
    ("format.date", &[0]),
    ("format.datetime", &[0]),
    ("format.dns1035Label", &[0]),
    ("format.dns1035LabelPrefix", &[0]),
    ("format.dns1123Label", &[0]),
    ("format.dns1123LabelPrefix", &[0]),
    ("format.dns1123Subdomain", &[0]),
    ("format.dns1123SubdomainPrefix", &[0]),
    ("format.labelValue", &[0]),
    ("format.named", &[1]),
    ("format.qualifiedName", &[0]),
    ("format.uri", &[0]),
    ("format.uuid", &[0]),
    ("int", &[1]),
    ("ip", &[1]),
    ("ip.isCanonical", &[1]),
    ("isCIDR", &[1]),
    ("isIP", &[1]),
    ("isQuantity", &[1]),
    ("isSemver", &[1, 2]),
    ("isURL", &[1]),
    ("lists.range", &[1]),
    ("matches", &[2]),
    ("optional.none", &[0]),
    ("optional.of", &[1]),
    ("optional.ofNonZeroValue", &[1]),
    ("optional.unwrap", &[1]),
    ("quantity", &[1]),
    ("semver", &[1, 2]),
    ("sets.contains", &[2]),
    ("sets.equivalent", &[2]),
    ("sets.intersects", &[2]),
    ("sign", &[1]),
    ("size", &[1]),
    ("string", &[1]),
    ("strings.quote", &[1]),
    ("timestamp", &[1]),
    ("type", &[1]),
    ("uint", &[1]),
    ("url", &[1]),
];

/// `target.name(..)`; the target is not counted.
const MEMBER: &[Function] = &[
    ("add", &[1]),
    ("allowed", &[0]),
    ("asApproximateFloat", &[0]),
    ("asInteger", &[0]),
    ("charAt", &[1]),
    ("check", &[1]),
    ("compareTo", &[1]),
    ("contains", &[1]),
    ("containsCIDR", &[1]),
    ("containsIP", &[1]),
    ("distinct", &[0]),
    ("endsWith", &[1]),
    ("error", &[0]),
    ("errored", &[0]),
    ("family", &[0]),
    ("fieldSelector", &[1]),
    ("find", &[1]),
    ("findAll", &[1, 2]),
    ("first", &[0]),
    ("flatten", &[0, 1]),
    ("format", &[1]),
    ("getDate", &[0, 1]),
    ("getDayOfMonth", &[0, 1]),
    ("getDayOfWeek", &[0, 1]),
    ("getDayOfYear", &[0, 1]),
    ("getEscapedPath", &[0]),
    ("getFullYear", &[0, 1]),
    ("getHost", &[0]),
    ("getHostname", &[0]),
    ("getHours", &[0, 1]),
    ("getMilliseconds", &[0, 1]),
    ("getMinutes", &[0, 1]),
    ("getMonth", &[0, 1]),
    ("getPort", &[0]),
    ("getQuery", &[0]),
    ("getScheme", &[0]),
    ("getSeconds", &[0, 1]),
    ("group", &[1]),
    ("hasValue", &[0]),
    ("indexOf", &[1, 2]),
    ("ip", &[0]),
    ("isGlobalUnicast", &[0]),
    ("isGreaterThan", &[1]),
    ("isInteger", &[0]),
    ("isLessThan", &[1]),
    ("isLinkLocalMulticast", &[0]),
    ("isLinkLocalUnicast", &[0]),
    ("isLoopback", &[0]),
    ("isSorted", &[0]),
    ("isUnspecified", &[0]),
    ("join", &[0, 1]),
    ("labelSelector", &[1]),
    ("last", &[0]),
    ("lastIndexOf", &[1, 2]),
    ("lowerAscii", &[0]),
    ("major", &[0]),
    ("masked", &[0]),
    ("matches", &[1]),
    ("max", &[0]),
    ("min", &[0]),
    ("minor", &[0]),
    ("name", &[1]),
    ("namespace", &[1]),
    ("or", &[1]),
    ("orValue", &[1]),
    ("patch", &[0]),
    ("path", &[1]),
    ("prefixLength", &[0]),
    ("reason", &[0]),
    ("replace", &[2, 3]),
    ("resource", &[1]),
    ("reverse", &[0]),
    ("serviceAccount", &[2]),
    ("size", &[0]),
    ("slice", &[2]),
    ("sort", &[0]),
    ("split", &[1, 2]),
    ("startsWith", &[1]),
    ("sub", &[1]),
    ("subresource", &[1]),
    ("substring", &[1, 2]),
    ("sum", &[0]),
    ("trim", &[0]),
    ("unwrapOpt", &[0]),
    ("upperAscii", &[0]),
    ("validate", &[1]),
    ("value", &[0]),
];

/// Names that stand for types.
const TYPES: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "dyn",
    "int",
    "list",
    "map",
    "net.CIDR",
    "net.IP",
    "null_type",
    "optional_type",
    "string",
    "type",
    "uint",
];

/// How a call is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Style {
    /// `name(..)`
    Global,
    /// `target.name(..)`
    Member,
}

/// What the environment knows of a call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Known {
    /// A function that takes that number of arguments.
    Fits,
    /// A function of that name, in another form.
    Otherwise,
    /// No function.
    Not,
}

/// Whether there is a function of that name for that number of arguments.
pub(super) fn function(name: &str, style: Style, arguments: usize) -> Known {
    let found = |table: &'static [Function]| table.iter().find(|(known, _)| *known == name);
    let (own, other) = match style {
        Style::Global => (found(GLOBAL), found(MEMBER)),
        Style::Member => (found(MEMBER), found(GLOBAL)),
    };
    match (own, other) {
        (Some((_, counts)), _) if counts.contains(&arguments) => Known::Fits,
        (None, None) => Known::Not,
        _ => Known::Otherwise,
    }
}

/// How many variables a macro with that number of arguments names, if it is one.
pub(super) fn macro_variables(name: &str, arguments: usize) -> Option<usize> {
    match (name, arguments) {
        ("all" | "exists" | "exists_one" | "filter" | "map" | "sortBy", 2)
        | ("optMap" | "optFlatMap", 2)
        | ("map", 3) => Some(1),
        ("all" | "exists" | "exists_one" | "existsOne", 3)
        | ("transformList" | "transformMap" | "transformMapEntry", 3 | 4) => Some(2),
        _ => None,
    }
}

/// Whether a name with its dots stands for a type. Those of protocol buffers are not listed here, and taken.
pub(super) fn is_type(name: &str) -> bool {
    let name = name.strip_prefix('.').unwrap_or(name);
    name.starts_with("google.protobuf.") || TYPES.contains(&name)
}

/// All functions that are called like that, for suggestions.
pub(super) fn functions(style: Style) -> impl Iterator<Item = &'static str> {
    let table = match style {
        Style::Global => GLOBAL,
        Style::Member => MEMBER,
    };
    table.iter().map(|(name, _)| *name)
}
