//! Lints in the terms of Rust types: attributes instead of the keywords of a CRD.

use super::finding::{Bound, Finding};
use super::registry::Rule;
use crd_channels_validation::path::PathElement;

impl Finding {
    /// The message, for a span in Rust.
    #[must_use]
    pub fn message_in_rust(&self) -> &str {
        match self.rule {
            Rule::UntypedList => {
                "a list of objects without a merge strategy is replaced as a whole"
            }
            Rule::ConditionsList => "the conditions are not merged by `type`",
            _ => &self.message,
        }
    }

    /// The help, for a span in Rust.
    #[must_use]
    pub fn help_in_rust(&self) -> &str {
        if let Some(help) = &self.help {
            return help;
        }
        match self.rule {
            Rule::UntypedList => {
                "write `#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]` with the key of the items, or `#[x_kube(merge_strategy = ListMerge::Atomic)]`; on a type without `KubeSchema` `#[schemars(extend(\"x-kubernetes-list-type\" = \"map\", \"x-kubernetes-list-map-keys\" = [\"name\"]))]` or `#[schemars(extend(\"x-kubernetes-list-type\" = \"atomic\"))]`"
            }
            Rule::ConditionsList => {
                "write `#[x_kube(merge_strategy = ListMerge::Map(vec![\"type\".into()]))]`, or on a type without `KubeSchema` `#[schemars(extend(\"x-kubernetes-list-type\" = \"map\", \"x-kubernetes-list-map-keys\" = [\"type\"]))]`"
            }
            Rule::SetItems => {
                "write `#[x_kube(merge_strategy = ListMerge::Atomic)]`, or `#[x_kube(merge_strategy = ListMerge::Map(vec![\"name\".into()]))]` with the key of the items; on a type without `KubeSchema` `#[schemars(extend(\"x-kubernetes-list-type\" = \"atomic\"))]`"
            }
            Rule::StatusWithoutSubresource => "write `status = \"..\"` into `#[kube(..)]`",
            Rule::UnknownFormat => {
                "remove the format, or write bounds instead, as in `#[schemars(range(min = 0))]`"
            }
            Rule::NullableEnum => {
                "remove `#[crd(nullable)]`: an optional field needs no null. Under the `kube` convention each `Option` is nullable: write `nullable-enum = \"allow\"` below `[lints]` in `channels/bundle.toml`"
            }
            Rule::ConditionFields => {
                "use `k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition`, or declare the field without `Option`"
            }
            Rule::UnobservedCondition => "add `pub observed_generation: Option<i64>`",
            Rule::Float => {
                "use an integer in a smaller unit, or `k8s_openapi::apimachinery::pkg::api::resource::Quantity`"
            }
            Rule::Phase => {
                "remove it, and write conditions, to which more can be added; on a type that derives `ApiType`:\n\n/// What is known about the object.\n#[crd(list_type = \"map\", list_map_keys(\"type\"))]\npub conditions: Option<Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>>,"
            }
            _ => self.help(),
        }
    }
}

impl Bound {
    /// The attribute that sets the bound; `None` if no attribute of schemars reaches the node.
    #[must_use]
    pub fn attribute(&self) -> Option<String> {
        let most = self.most;
        let length = format!("length(max = {most})");
        let text = match self.field.elements() {
            [.., values] if values.is_child("additionalProperties") => return None,
            [.., above, items] if items.is_child("items") => match above {
                PathElement::Child(_) => return None,
                _ if self.keyword == "maxProperties" => return None,
                _ => format!("inner({length})"),
            },
            _ if self.keyword == "maxProperties" => {
                format!("extend(\"maxProperties\" = {most})")
            }
            _ => length,
        };
        Some(format!("#[schemars({text})]"))
    }

    /// The label for the field that needs the bound.
    #[must_use]
    pub fn label(&self) -> String {
        let wrong = if self.is_there {
            "is too large"
        } else {
            "is missing"
        };
        format!("`{}` {wrong} here", self.keyword)
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;
    use crd_channels_validation::path::FieldPath;

    #[test]
    fn bounds_have_attributes_where_schemars_reaches_them() {
        let a = || FieldPath::default().child("properties").key("a");
        let attribute = |keyword, field: FieldPath| {
            let bound = Bound {
                keyword,
                field,
                most: 8,
                is_there: false,
            };
            bound.attribute()
        };
        let of = |text: &str| Some(format!("#[schemars({text})]"));
        assert_eq!(attribute("maxItems", a()), of("length(max = 8)"));
        assert_eq!(
            attribute("maxLength", a().child("items")),
            of("inner(length(max = 8))")
        );
        assert_eq!(
            attribute("maxProperties", a()),
            of("extend(\"maxProperties\" = 8)")
        );
        assert_eq!(attribute("maxProperties", a().child("items")), None);
        assert_eq!(
            attribute("maxLength", a().child("items").child("items")),
            None
        );
        let values = a().child("additionalProperties");
        assert_eq!(attribute("maxLength", values), None);
    }
}
