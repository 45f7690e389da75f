//! The known derives: the crates that export them, their names, and the traits that they may implement.

use super::ends;

/// The derives that determine how a type is read, by name. Under another name, the type would be misread.
pub const STEERING: &[&str] = &[
    "ApiType",
    "CELSchema",
    "CustomResource",
    "Deserialize",
    "JsonSchema",
    "JsonSchema_repr",
    "KubeSchema",
];

/// A derive.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// The crates that export it; the first one is used in its name.
    homes: &'static [&'static str],
    name: &'static str,
    /// The traits that it may implement, limited to those that this tool queries.
    makes: &'static [&'static str],
    /// The [`HELPERS`] that it declares, in any version of its crate.
    declares: &'static [&'static str],
}

const fn row(
    homes: &'static [&'static str],
    name: &'static str,
    makes: &'static [&'static str],
) -> Row {
    Row {
        homes,
        name,
        makes,
        declares: &[],
    }
}

impl Row {
    const fn declares(self, declares: &'static [&'static str]) -> Self {
        Self { declares, ..self }
    }
}

const STD: &[&str] = &["std"];
const SERDE: &[&str] = &["serde", "serde_derive", "serde_core"];
const SCHEMARS: &[&str] = &["schemars", "schemars_derive"];
const KUBE: &[&str] = &["kube", "kube_derive"];
const STRUM: &[&str] = &["strum", "strum_macros"];
const MORE: &[&str] = &["derive_more", "derive_more_impl"];

const CLAP: &[&str] = &["clap", "clap_derive"];
const PARSE_DISPLAY: &[&str] = &["parse_display", "parse_display_derive"];
const PROST: &[&str] = &["prost", "prost_derive"];
const SERDE_WITH: &[&str] = &["serde_with", "serde_with_macros"];
const SNAFU: &[&str] = &["snafu", "snafu_derive"];
const STACKABLE: &[&str] = &["stackable_operator", "stackable_operator_derive"];
const THISERROR: &[&str] = &["thiserror", "thiserror_impl"];
const TYPED_BUILDER: &[&str] = &["typed_builder", "typed_builder_macro"];
const VALIDATOR: &[&str] = &["validator", "validator_derive"];
const RUNTIME: &[&str] = &["crd_channels_derive", "crd_channels_runtime"];

/// What an attribute of these derives may select.
#[rustfmt::skip]
const DERIVATIVE: &[&str] = &["Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"];
#[rustfmt::skip]
const EDUCE: &[&str] = &[
    "Clone", "Copy", "Debug", "Default", "Deref", "Eq", "From", "Hash", "Into", "Ord", "PartialEq", "PartialOrd",
];

#[rustfmt::skip]
const DERIVES: &[Row] = &[
    row(STD, "Clone", &["Clone"]),
    row(STD, "Copy", &["Copy"]),
    row(STD, "Debug", &["Debug"]),
    row(STD, "Default", &["Default"]).declares(&["default"]),
    row(STD, "Eq", &["Eq"]),
    row(STD, "Hash", &["Hash"]),
    row(STD, "Ord", &["Ord"]),
    row(STD, "PartialEq", &["PartialEq"]),
    row(STD, "PartialOrd", &["PartialOrd"]),
    row(SERDE, "Serialize", &["Serialize"]).declares(&["serde"]),
    row(SERDE, "Deserialize", &["Deserialize"]).declares(&["serde"]),
    row(&["serde_repr"], "Serialize_repr", &["Serialize"]),
    row(&["serde_repr"], "Deserialize_repr", &["Deserialize"]).declares(&["serde"]),
    row(SCHEMARS, "JsonSchema", &["JsonSchema"]).declares(&["garde", "schemars", "serde", "validate"]),
    row(SCHEMARS, "JsonSchema_repr", &["JsonSchema"]).declares(&["schemars", "serde"]),
    row(KUBE, "CustomResource", &["CustomResource"]).declares(&["kube"]),
    row(KUBE, "KubeSchema", &["JsonSchema"]).declares(&["schemars", "validate", "x_kube"]),
    row(KUBE, "CELSchema", &["JsonSchema"]).declares(&["cel_validate", "schemars"]),
    row(KUBE, "Resource", &["Resource"]),
    row(&["crd_channels_derive", "crd_channels"], "ApiType", &[])
        .declares(&["crd", "experimental", "not_experimental", "tombstone"]),
    row(RUNTIME, "Conditions", &[]).declares(&["condition", "conditions", "experimental", "not_experimental", "tombstone"]),
    row(RUNTIME, "Reasons", &[]).declares(&["experimental", "not_experimental", "reason", "tombstone"]),
    row(RUNTIME, "Convert", &[]).declares(&["convert"]),
    row(STRUM, "AsRefStr", &["AsRef"]),
    row(STRUM, "Display", &["Display"]),
    row(STRUM, "EnumCount", &["EnumCount"]),
    row(STRUM, "EnumDiscriminants", &["From"]),
    row(STRUM, "EnumIs", &[]),
    row(STRUM, "EnumIter", &["IntoEnumIterator"]),
    row(STRUM, "EnumMessage", &["EnumMessage"]),
    row(STRUM, "EnumProperty", &["EnumProperty"]),
    row(STRUM, "EnumString", &["FromStr", "TryFrom"]),
    row(STRUM, "EnumTryAs", &[]),
    row(STRUM, "EnumVariantNames", &["VariantNames"]),
    row(STRUM, "FromRepr", &[]),
    row(STRUM, "IntoStaticStr", &["From"]),
    row(STRUM, "VariantArray", &["VariantArray"]),
    row(STRUM, "VariantNames", &["VariantNames"]),
    row(MORE, "AsRef", &["AsRef"]),
    row(MORE, "Add", &["Add"]),
    row(MORE, "Constructor", &[]),
    row(MORE, "Debug", &["Debug"]),
    row(MORE, "Deref", &["Deref"]),
    row(MORE, "DerefMut", &["DerefMut"]),
    row(MORE, "Display", &["Display"]),
    row(MORE, "Error", &["Error"]),
    row(MORE, "From", &["From"]),
    row(MORE, "FromStr", &["FromStr"]),
    row(MORE, "Into", &["From", "Into"]),
    row(MORE, "IntoIterator", &["IntoIterator"]),
    row(MORE, "IsVariant", &[]),
    row(MORE, "TryFrom", &["TryFrom"]),
    row(MORE, "TryInto", &["TryFrom"]),
    row(MORE, "Unwrap", &[]),
    row(&["bon", "bon_macros"], "Builder", &[]),
    row(CLAP, "Args", &["Args", "FromArgMatches"]),
    row(CLAP, "Parser", &["Parser", "Args", "FromArgMatches"]),
    row(CLAP, "Subcommand", &["Subcommand", "FromArgMatches"]),
    row(CLAP, "ValueEnum", &["ValueEnum"]),
    row(&["derivative"], "Derivative", DERIVATIVE),
    row(&["derive_builder", "derive_builder_macro"], "Builder", &[]),
    row(&["derive_setters"], "Setters", &[]),
    row(&["educe"], "Educe", EDUCE),
    row(&["garde", "garde_derive"], "Validate", &["Validate"]).declares(&["garde"]),
    row(&["getset"], "CopyGetters", &[]),
    row(&["getset"], "Getters", &[]),
    row(&["getset"], "MutGetters", &[]),
    row(&["getset"], "Setters", &[]),
    row(PARSE_DISPLAY, "Display", &["Display"]),
    row(PARSE_DISPLAY, "FromStr", &["FromStr"]),
    row(PROST, "Message", &["Clone", "Debug", "Default", "Message"]),
    row(SERDE_WITH, "DeserializeFromStr", &["Deserialize"]),
    row(SERDE_WITH, "SerializeDisplay", &["Serialize"]),
    row(&["smart_default"], "SmartDefault", &["Default"]).declares(&["default"]),
    row(SNAFU, "Snafu", &["Display", "Error", "From"]),
    row(STACKABLE, "Fragment", &["FromFragment"]),
    row(STACKABLE, "Merge", &["Merge"]),
    row(THISERROR, "Error", &["Display", "Error", "From"]),
    row(&["ts_rs", "ts_rs_macros"], "TS", &["TS"]),
    row(TYPED_BUILDER, "TypedBuilder", &[]),
    row(&["utoipa", "utoipa_gen"], "ToSchema", &["ToSchema"]),
    row(VALIDATOR, "Validate", &["Validate"]).declares(&["validate"]),
    row(&["zeroize", "zeroize_derive"], "Zeroize", &["Zeroize"]),
];

/// The canonical name of a derive, such as `std::Default`, by its full path; `None` if it is unknown.
pub fn name_of(path: &str) -> Option<(&'static str, &'static str)> {
    let found = find(path)?;
    Some((found.homes.first()?, found.name))
}

/// The traits that a derive may implement, by its full path; `None` if it is unknown.
pub fn makes(path: &str) -> Option<&'static [&'static str]> {
    find(path).map(|row| row.makes)
}

/// An attribute that rustc knows only on a type with a derive that declares it.
#[derive(Clone, Copy, Debug)]
pub struct Helper {
    /// Its name.
    pub name: &'static str,
    /// The package of the derive to write for it.
    pub package: &'static str,
    /// The path of that derive in the package.
    pub derive: &'static str,
}

const fn helper(name: &'static str, package: &'static str, derive: &'static str) -> Helper {
    Helper {
        name,
        package,
        derive,
    }
}

const OURS: &str = "crd-channels-derive";
const OF_RUNTIME: &str = "crd-channels-runtime";

/// All such attributes that this tool reads.
pub const HELPERS: &[Helper] = &[
    helper("cel_validate", "kube", "CELSchema"),
    helper("condition", OF_RUNTIME, "conditions::Conditions"),
    helper("conditions", OF_RUNTIME, "conditions::Conditions"),
    helper("convert", OF_RUNTIME, "conversion::Convert"),
    helper("crd", OURS, "ApiType"),
    helper("default", "std", "Default"),
    helper("experimental", OURS, "ApiType"),
    helper("garde", "garde", "Validate"),
    helper("kube", "kube", "CustomResource"),
    helper("not_experimental", OURS, "ApiType"),
    helper("reason", OF_RUNTIME, "conditions::Reasons"),
    helper("schemars", "schemars", "JsonSchema"),
    helper("serde", "serde", "Deserialize"),
    helper("tombstone", OURS, "ApiType"),
    helper("validate", "schemars", "JsonSchema"),
    helper("x_kube", "kube", "KubeSchema"),
];

/// The [`HELPERS`] that a derive declares, by its full path, in any version of its crate; `None` if it is unknown.
pub fn declares(path: &str) -> Option<&'static [&'static str]> {
    find(path).map(|row| row.declares)
}

fn find(path: &str) -> Option<&'static Row> {
    let (home, name) = ends(path);
    let mut rows = DERIVES.iter();
    rows.find(|row| row.name == name && row.homes.contains(&home))
}

/// Whether a crate exports this derive.
pub(crate) fn is_of(home: &str, name: &str) -> bool {
    let mut rows = DERIVES.iter();
    rows.any(|row| row.name == name && row.homes.contains(&home))
}

/// Whether all derives of a name are known to make no schema.
pub(crate) fn makes_no_schema(name: &str) -> bool {
    let mut rows = DERIVES.iter().filter(|row| row.name == name).peekable();
    rows.peek().is_some() && rows.all(|row| !row.makes.contains(&"JsonSchema"))
}

/// The crate of a derive whose name is unique among known crates.
pub fn only_home(name: &str) -> Option<&'static str> {
    let mut rows = DERIVES.iter().filter(|row| row.name == name);
    match (rows.next(), rows.next()) {
        (Some(row), None) => row.homes.first().copied(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{DERIVES, HELPERS, declares};

    #[test]
    fn the_derive_to_write_declares_the_attribute() {
        for helper in HELPERS {
            let path = format!("{}::{}", helper.package.replace('-', "_"), helper.derive);
            let declared = declares(&path).unwrap();
            assert!(declared.contains(&helper.name), "{helper:?}");
        }
        let declared = DERIVES.iter().flat_map(|row| row.declares);
        for name in declared {
            assert!(HELPERS.iter().any(|helper| helper.name == *name), "{name}");
        }
    }
}
