//! Markers of Go's generators left in doc comments. They have no effect here, so each is reported with the corresponding
//! attribute.

use super::reader::Reader;
use crd_channels_diagnostics::Code;
use crd_channels_markers::{Extent, NodeAttrs, near_miss};
use syn::Attribute;

/// The start of a marker, and its replacement; `{}` stands for the marker's value.
type Row = (&'static str, &'static str);

/// Markers of gates. An overlooked one would ship a field as stable.
#[rustfmt::skip]
const GATES: &[Row] = &[
    ("+experimental", "`#[experimental]`"),
    ("<gateway:experimental>", "`#[experimental]`"),
    ("<gateway:experimental:description>", "`#[experimental(doc = \"..\")]`"),
    ("<gateway:experimental:validation", "`#[experimental(schemars(..))]`"),
    ("<gateway:standard:validation", "`#[not_experimental(schemars(..))]`"),
    ("<gateway:experimental", "`#[experimental(..)]`"),
    ("<gateway:standard", "`#[not_experimental(..)]`"),
];

/// Markers that describe or validate. The first match counts.
#[rustfmt::skip]
const OTHERS: &[Row] = &[
    ("<gateway:validateIPAddress", "`#[schemars(ip)]`"),
    ("<gateway:util:excludeFromCRD", "a `//` comment for text that is not for users"),
    ("</gateway:util:excludeFromCRD", "a `//` comment for text that is not for users"),
    ("+optional", "`Option<..>` as the field's type"),
    ("+required", "a type other than `Option<..>`"),
    ("+nullable", "`#[crd(nullable)]`"),
    ("+default", "`#[serde(default = \"..\")]`"),
    ("+enum", "an enum as the field's type"),
    ("+listType", "`#[crd(list_type = \"{}\")]`"),
    ("+listMapKey", "`#[crd(list_type = \"map\", list_map_keys(\"{}\"))]`"),
    ("+patchMergeKey", "`#[crd(list_type = \"map\", list_map_keys(\"{}\"))]`"),
    ("+patchStrategy", "`#[crd(list_type = \"map\", list_map_keys(\"..\"))]`"),
    ("+mapType", "`#[crd(map_type = \"{}\")]`"),
    ("+structType", "`#[crd(struct_type = \"{}\")]`"),
    ("+union", "`#[crd(exactly_one_of(\"..\", \"..\"))]` on the struct"),
    ("+kubebuilder:default", "`#[serde(default = \"..\")]`"),
    ("+kubebuilder:example", "`#[crd(example = {})]`"),
    ("+kubebuilder:title", "`#[crd(title = \"{}\")]`"),
    ("+kubebuilder:validation:Optional", "`Option<..>` as the field's type"),
    ("+kubebuilder:validation:Required", "a type other than `Option<..>`"),
    ("+kubebuilder:validation:MinLength", "`#[schemars(length(min = {}))]`"),
    ("+kubebuilder:validation:MaxLength", "`#[schemars(length(max = {}))]`"),
    ("+kubebuilder:validation:MinItems", "`#[schemars(length(min = {}))]`"),
    ("+kubebuilder:validation:MaxItems", "`#[schemars(length(max = {}))]`"),
    ("+kubebuilder:validation:MinProperties", "`#[schemars(extend(\"minProperties\" = {}))]`"),
    ("+kubebuilder:validation:MaxProperties", "`#[schemars(extend(\"maxProperties\" = {}))]`"),
    ("+kubebuilder:validation:Minimum", "`#[schemars(range(min = {}))]`"),
    ("+kubebuilder:validation:Maximum", "`#[schemars(range(max = {}))]`"),
    ("+kubebuilder:validation:MultipleOf", "`#[schemars(extend(\"multipleOf\" = {}))]`"),
    ("+kubebuilder:validation:Pattern", "`#[schemars(regex(pattern = r\"{}\"))]`"),
    ("+kubebuilder:validation:Format", "`#[schemars(extend(\"format\" = \"{}\"))]`"),
    ("+kubebuilder:validation:Enum", "an enum as the field's type"),
    ("+kubebuilder:validation:UniqueItems", "`#[crd(list_type = \"set\")]`"),
    ("+kubebuilder:validation:XValidation", "`#[x_kube(validation = Rule::new(\"..\"))]`"),
    ("+kubebuilder:validation:ExactlyOneOf", "`#[crd(exactly_one_of(\"..\", \"..\"))]`"),
    ("+kubebuilder:validation:AtMostOneOf", "`#[crd(at_most_one_of(\"..\", \"..\"))]`"),
    ("+kubebuilder:validation:AtLeastOneOf", "`#[crd(at_least_one_of(\"..\", \"..\"))]`"),
    ("+kubebuilder:validation:EmbeddedResource", "`#[crd(embedded_resource)]`"),
    ("+kubebuilder:validation:Schemaless", "`#[schemars(schema_with = \"..\")]`"),
    ("+kubebuilder:validation:Type", "`#[schemars(with = \"..\")]`"),
    ("+kubebuilder:validation:XIntOrString", "`IntOrString` of `k8s-openapi` as the field's type"),
    ("+kubebuilder:validation", "`#[schemars(..)]`"),
    ("+kubebuilder:pruning:PreserveUnknownFields", "`#[schemars(extend(\"x-kubernetes-preserve-unknown-fields\" = true))]`"),
    ("+kubebuilder:object:root", "`#[derive(CustomResource)]`"),
    ("+kubebuilder:subresource:status", "`#[kube(status = \"..\")]`"),
    ("+kubebuilder:subresource:scale", "`#[kube(scale(..))]`"),
    ("+kubebuilder:resource", "`#[kube(kind = \"..\", plural = \"..\", shortname = \"..\")]`"),
    ("+kubebuilder:printcolumn", "`#[kube(printcolumn(..))]`"),
    ("+kubebuilder:selectablefield", "`#[kube(selectable = \"..\")]`"),
    ("+kubebuilder:storageversion", "`#[kube(storage = true)]`"),
    ("+kubebuilder:unservedversion", "`#[kube(served = false)]`"),
    ("+kubebuilder:deprecatedversion", "`#[kube(deprecated)]`"),
    ("+kubebuilder:metadata", "`#[crd(annotation(\"..\", \"..\"))]`"),
    ("+kubebuilder:", "the attribute of `#[kube(..)]`, `#[schemars(..)]` or `#[crd(..)]` with the same effect"),
    ("+k8s:", "the attribute of `#[kube(..)]`, `#[schemars(..)]` or `#[crd(..)]` with the same effect"),
];

/// Reports the markers in the documentation of one node, whose texts are `docs`.
pub(super) fn report(
    attrs: &[Attribute],
    docs: &[Option<String>],
    node: &NodeAttrs,
    reader: &mut Reader<'_>,
) {
    let is_gated = node.gate.is_some() || !node.conditionals.is_empty();
    let mut fence = Fence::default();
    let attrs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    for (attr, text) in attrs.zip(docs) {
        let Some(text) = text else {
            continue;
        };
        let outside = text.lines().filter(|line| fence.leaves_out(line));
        let markers: Vec<Marker<'_>> = outside.filter_map(marker).collect();
        for marker in markers {
            let (code, message, help) = marker.words(is_gated);
            reader.find(code, Extent::of(attr), message, help);
        }
    }
}

/// Whether the current doc line is in a code block, each line of which may be an attribute of its own.
#[derive(Default)]
struct Fence(bool);

impl Fence {
    /// Reads the next line; returns whether it is text.
    fn leaves_out(&mut self, line: &str) -> bool {
        let line = line.trim_start();
        if line.starts_with("```") || line.starts_with("~~~") {
            self.0 = !self.0;
            return false;
        }
        !self.0
    }
}

/// A marker that was found.
struct Marker<'l> {
    /// The marker in the source, without its value.
    text: &'l str,
    /// The replacement.
    instead: String,
    /// Whether it is a gate.
    gates: bool,
}

impl Marker<'_> {
    /// The code, the message and the help about the marker at something that is gated or not.
    fn words(&self, is_gated: bool) -> (Code, String, String) {
        let Self {
            text,
            instead,
            gates,
        } = self;
        let write = format!("write {instead} instead");
        let (code, more, help) = match (gates, is_gated) {
            (false, _) => (Code::UnreadMarker, "", write),
            (true, true) => {
                let remove = "remove the line: an attribute already has that effect";
                (Code::UnreadMarker, "", remove.to_owned())
            }
            (true, false) => (Code::UnreadGate, " and gates nothing", write),
        };
        let message = format!("`{text}` is only text in a doc comment{more}");
        let help = format!("{help}; to keep it as text, put it in backticks");
        (code, message, help)
    }
}

/// The marker that makes up a line. Text that only resembles one, such as `+1 for ..`, is ignored.
fn marker(line: &str) -> Option<Marker<'_>> {
    // Lines of a block comment may begin with an asterisk.
    let line = line.trim();
    let line = line.strip_prefix("* ").unwrap_or(line).trim_start();
    if !line.starts_with(['+', '<']) {
        return None;
    }
    let end = line.find(|c: char| c == '=' || c == '(' || c.is_whitespace());
    let (text, rest) = line.split_at(end.unwrap_or(line.len()));
    let value = rest.strip_prefix('=').map(|value| value.trim_matches('"'));
    let found = |gates| {
        move |(_, instead): &Row| Marker {
            text,
            instead: filled(instead, value),
            gates,
        }
    };
    let behind = rest.trim_start();
    let is_prose = rest.starts_with(char::is_whitespace) && !behind.is_empty();
    let lowercase = text.to_ascii_lowercase();
    let gate = GATES.iter().find(|(name, _)| is_named(&lowercase, name));
    if let Some(row) = gate {
        let is_gate = !is_prose || text.starts_with('<') || behind.starts_with('(');
        return is_gate.then(|| found(true)(row));
    }
    let word = text.strip_prefix('+').unwrap_or_default();
    if rest.is_empty() && near_miss(word) == Some("experimental") {
        return GATES.first().map(found(false));
    }
    let is_value = |value: &str| {
        !value.contains(char::is_whitespace) || value.starts_with(['"', '\'', '`', '{', '['])
    };
    let is_alone = rest.is_empty() || value.is_some_and(is_value);
    if !text.contains(':') && !is_alone {
        return None;
    }
    let other = OTHERS.iter().find(|(name, _)| is_named(text, name));
    other.map(found(false))
}

/// Whether a marker has this name, possibly followed by a colon and further words.
fn is_named(text: &str, name: &str) -> bool {
    let rest = text.strip_prefix(name);
    rest.is_some_and(|rest| {
        let has_more = rest.starts_with(':') && rest.len() > 1;
        rest.is_empty() || has_more || rest.starts_with('>') || name.ends_with(':')
    })
}

/// The replacement with the marker's value, if that fits into a line.
fn filled(instead: &str, value: Option<&str>) -> String {
    let value = value.map(|value| value.trim_matches('`'));
    let value = value.filter(|value| value.len() <= 40 && !value.contains(['`', '"']));
    instead.replace(
        "{}",
        value.filter(|value| !value.is_empty()).unwrap_or(".."),
    )
}

#[cfg(test)]
mod tests {
    use super::{GATES, OTHERS, marker};

    fn marker_parts(line: &str) -> Option<(&str, String, bool)> {
        marker(line).map(|found| (found.text, found.instead, found.gates))
    }

    #[test]
    fn markers_are_told_from_prose() {
        for (line, text, instead, gates) in [
            (" +experimental", "+experimental", "`#[experimental]`", true),
            (
                " +experimental  (since 2026)",
                "+experimental",
                "`#[experimental]`",
                true,
            ),
            ("+Experimental", "+Experimental", "`#[experimental]`", true),
            ("+experimantal", "+experimantal", "`#[experimental]`", false),
            (
                "<gateway:experimental>",
                "<gateway:experimental>",
                "`#[experimental]`",
                true,
            ),
            (
                "<gateway:experimental:description> More text </gateway:experimental:description>",
                "<gateway:experimental:description>",
                "`#[experimental(doc = \"..\")]`",
                true,
            ),
            (
                "<gateway:standard:validation:Enum=A;B>",
                "<gateway:standard:validation:Enum",
                "`#[not_experimental(schemars(..))]`",
                true,
            ),
            (
                " +optional",
                "+optional",
                "`Option<..>` as the field's type",
                false,
            ),
            (
                " * +optional",
                "+optional",
                "`Option<..>` as the field's type",
                false,
            ),
            (
                "+listType=atomic",
                "+listType",
                "`#[crd(list_type = \"atomic\")]`",
                false,
            ),
            (
                "+kubebuilder:validation:MaxLength=253",
                "+kubebuilder:validation:MaxLength",
                "`#[schemars(length(max = 253))]`",
                false,
            ),
            (
                "+kubebuilder:validation:Pattern=`^a$`",
                "+kubebuilder:validation:Pattern",
                "`#[schemars(regex(pattern = r\"^a$\"))]`",
                false,
            ),
            (
                "+kubebuilder:validation:items:MaxLength=9",
                "+kubebuilder:validation:items:MaxLength",
                "`#[schemars(..)]`",
                false,
            ),
            (
                "+kubebuilder:validation:XValidation:message=\"a b\",rule=\"self\"",
                "+kubebuilder:validation:XValidation:message",
                "`#[x_kube(validation = Rule::new(\"..\"))]`",
                false,
            ),
        ] {
            assert_eq!(
                marker_parts(line),
                Some((text, instead.to_owned(), gates)),
                "{line}"
            );
        }
        for line in [
            "+1 for each replica",
            "+ one",
            "+optional fields are added later",
            "+enum of all values",
            "+optionally",
            "+experimental routes are here",
            "+experimental: true",
            "+default: 10",
            "+default=5 is added to it",
            "+enum(a, b)",
            "+experiment with it",
            "+5%",
            "a +experimental",
            "`+experimental`",
            "\\+experimental",
            "- +experimental fields",
            "<gateway> is a name",
            "<b>bold</b>",
            "+foo=bar",
            "",
        ] {
            assert_eq!(marker_parts(line), None, "{line}");
        }
    }

    #[test]
    fn the_page_lists_the_markers() {
        let page = include_str!("../../../../docs/attributes.md");
        for (name, instead) in GATES.iter().chain(OTHERS) {
            let row = format!("| `{name}` | {} |\n", instead.replace("{}", ".."));
            assert!(page.contains(&row), "docs/attributes.md lacks {row}");
        }
    }
}
