//! The lists of conditions in the objects of a kind, and what each channel has of them.

use super::config::Channel;
use super::kinds::Kind;
use super::serving::present;
use super::wire::inside;
use crate::render::{ChannelCondition, Selection, conditions_in};
use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::{Draft, Gate, Shape, Type};
use crd_channels_schema::marks::{Conditions, Marks};
use crd_channels_schema::path::{Segment, push};
use std::collections::HashMap;
use std::sync::Arc;

/// A list of conditions with a declaration.
#[derive(Clone, Debug)]
pub struct ConditionList<'d> {
    /// Its path in objects, such as `status.conditions`.
    pub path: String,
    /// The declaration.
    pub conditions: &'d Conditions,
    /// The gates around it.
    gates: Vec<&'d Gate>,
}

/// The conditions that a channel has in one list.
#[derive(Clone, Debug)]
pub struct DeclaredList<'d> {
    /// The version.
    pub version: &'d Text,
    /// The path of the list.
    pub path: String,
    /// The types.
    pub types: Vec<ChannelCondition<'d>>,
}

/// Returns the conditions that a kind declares in a channel: those that the descriptions of its lists have.
#[must_use]
pub fn declared_lists<'d>(kind: &'d Kind, channel: &Channel) -> Vec<DeclaredList<'d>> {
    let selection = Selection::Features(&channel.features);
    let mut found = Vec::new();
    let drafts = kind.versions.iter();
    for draft in drafts.filter(|draft| present(draft, channel)) {
        let lists = condition_lists(draft).into_iter();
        let there = lists.filter(|list| list.gates.iter().all(|gate| selection.holds(gate)));
        found.extend(there.map(|list| DeclaredList {
            version: &draft.version,
            path: list.path,
            types: conditions_in(list.conditions, selection),
        }));
    }
    found
}

/// Returns the lists of a version, for all channels.
#[must_use]
pub fn condition_lists(draft: &Draft) -> Vec<ConditionList<'_>> {
    let mut search = Search::default();
    if let Some(root) = &draft.root {
        search.walk(root, "", &[]);
    }
    search.found
}

#[derive(Default)]
struct Search<'d> {
    found: Vec<ConditionList<'d>>,
    /// Whether there is a list inside a type. Most types have none and are skipped.
    below: HashMap<*const Type, bool>,
}

impl<'d> Search<'d> {
    fn walk(&mut self, ty: &'d Arc<Type>, path: &str, gates: &[&'d Gate]) {
        if !self.has(ty) {
            return;
        }
        let around: Vec<&Gate> = gates.iter().copied().chain(&ty.gate).collect();
        for below in inside(ty) {
            let mut path = path.to_owned();
            below
                .segments
                .iter()
                .for_each(|segment| push(&mut path, *segment));
            let gates = [&*around, &*below.gates].concat();
            if let Some(marks) = below.marks {
                self.add(marks, below.ty, path.clone(), &gates);
            }
            self.walk(below.ty, &path, &gates);
        }
    }

    /// Adds the list that a field is, or that is inside it.
    fn add(&mut self, marks: &'d Marks, ty: &'d Arc<Type>, mut path: String, gates: &[&'d Gate]) {
        if let Some(conditions) = &marks.conditions {
            self.found.push(ConditionList {
                path: path.clone(),
                conditions,
                gates: gates.to_vec(),
            });
        }
        let Some(inner) = &marks.inner else {
            return;
        };
        let mut ty = ty;
        loop {
            ty = match &ty.shape {
                Shape::Option(inner) => inner,
                Shape::Newtype(field) => &field.ty,
                Shape::List { items, .. } => {
                    push(&mut path, Segment::Items);
                    return self.add(inner, items, path, gates);
                }
                Shape::Map { value, .. } => {
                    push(&mut path, Segment::Values);
                    return self.add(inner, value, path, gates);
                }
                _ => return,
            }
        }
    }

    fn has(&mut self, ty: &Type) -> bool {
        let key = std::ptr::from_ref(ty);
        if let Some(known) = self.below.get(&key) {
            return *known;
        }
        // Recursive types are refused elsewhere; this only ends the recursion.
        self.below.insert(key, false);
        let has = inside(ty).into_iter().fold(false, |has, below| {
            let own = below.marks.is_some_and(has_conditions);
            self.has(below.ty) || own || has
        });
        self.below.insert(key, has);
        has
    }
}

fn has_conditions(marks: &Marks) -> bool {
    marks.conditions.is_some() || marks.inner.as_deref().is_some_and(has_conditions)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "tests")]

    use super::super::builders::*;
    use super::super::places::{declaring, locate_condition};
    use super::super::reserved_names;
    use super::{condition_lists, declared_lists};
    use crd_channels_diagnostics::Span;
    use crd_channels_schema::draft::{Field, Gate, Literal, Shape, Tombstone};
    use crd_channels_schema::marks::{
        Condition, Conditions, Declaring, Marks, Polarity, Reason, Reasons, Status,
    };

    fn tombstone(name: &str) -> Tombstone {
        let ty = with_tombstone(&object("T", Vec::new()), name);
        ty.tombstones[0].clone()
    }

    fn declaring_enum(name: &str, gone: &str) -> Declaring {
        Declaring {
            name: name.into(),
            span: somewhere(),
            tombstones: vec![tombstone(gone)],
        }
    }

    fn condition(name: &str, gates: Vec<Gate>) -> Condition {
        let reason = Reason {
            name: Some("Is".into()),
            span: somewhere(),
            gates: Vec::new(),
            status: Status::True,
            docs: "So it is.".into(),
        };
        let gated = Reason {
            name: Some("WithMesh".into()),
            gates: vec![gate("Mesh")],
            ..reason.clone()
        };
        Condition {
            name: name.into(),
            span: somewhere(),
            gates,
            polarity: Polarity::Positive,
            optional: false,
            replaced: None,
            docs: "It is.".into(),
            reasons: Reasons {
                declared_by: declaring_enum("Why", "NoReason"),
                all: vec![reason, gated],
            },
        }
    }

    fn marks() -> Marks {
        Marks {
            conditions: Some(Conditions {
                declared_by: declaring_enum("RouteCondition", "Scheduled"),
                types: vec![
                    condition("Accepted", Vec::new()),
                    condition("Meshed", vec![gate("Mesh")]),
                ],
                of_kubernetes: false,
            }),
            ..Marks::default()
        }
    }

    fn conditions(name: &str) -> Field {
        let items = object("State", vec![text("type")]);
        field(name, list(items)).with(|facets| facets.marks = Some(Box::new(marks())))
    }

    fn kinds() -> Vec<super::Kind> {
        let parent = object("Parent", vec![conditions("conditions")]);
        let schema = Literal::Schema(parent.clone(), Vec::new());
        let properties = Literal::Object(vec![("deep".into(), schema)]);
        let written = Literal::Object(vec![("properties".into(), properties)]);
        let by_hand = named_type("ByHand", Shape::Literal(written));
        let nested = field("nested", list(list(object("State", vec![text("type")]))));
        let inner = Some(Box::new(Marks {
            inner: Some(Box::new(marks())),
            ..Marks::default()
        }));
        let fields = vec![
            conditions("conditions"),
            field("parents", option(list(parent.clone()))),
            field("tried", parent).gated(gate("Mesh")),
            field("written", by_hand),
            nested.with(|facets| facets.marks = inner),
            text("plain"),
        ];
        vec![kind(vec![gateway(fields)])]
    }

    #[test]
    fn a_list_is_found_wherever_it_is() {
        let kinds = kinds();
        let lists = condition_lists(&kinds[0].versions[0]);
        let mut paths: Vec<String> = lists.into_iter().map(|list| list.path).collect();
        paths.sort();
        let expected = [
            "spec.conditions",
            "spec.nested[]",
            "spec.parents[].conditions",
            "spec.tried.conditions",
            "spec.written.deep.conditions",
        ];
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_channel_has_what_its_features_leave() {
        let kinds = kinds();
        let in_channel = |features: &[&str]| -> Vec<String> {
            let lists = declared_lists(&kinds[0], &channel("c", features));
            let lists = lists.into_iter().map(|list| {
                let types = list.types.iter();
                let types = types.map(|of| format!("{} {}", of.of.name, of.reasons.len()));
                format!("{}: {}", list.path, types.collect::<Vec<_>>().join(", "))
            });
            lists.collect()
        };
        let stable = in_channel(&[]);
        assert!(
            stable.contains(&"spec.conditions: Accepted 1".to_owned()),
            "{stable:?}"
        );
        assert_eq!(stable.len(), 4, "{stable:?}");
        let all = in_channel(&["Mesh"]);
        let whole = "spec.tried.conditions: Accepted 2, Meshed 2".to_owned();
        assert!(all.contains(&whole), "{all:?}");
        assert_eq!(all.len(), 5, "{all:?}");
    }

    #[test]
    fn names_are_reserved_and_found_at_their_places() {
        let kinds = kinds();
        let reserved: Vec<String> = reserved_names(&kinds)
            .into_iter()
            .map(|name| format!("{} {}", name.path, name.tombstone.name))
            .collect();
        for name in [
            "spec.parents[].conditions Scheduled",
            "spec.parents[].conditions[Accepted] NoReason",
        ] {
            assert!(reserved.contains(&name.to_owned()), "{reserved:?}");
        }
        let draft = &kinds[0].versions[0];
        let name = |path: &str| declaring(draft, path).map(|of| of.name.to_string());
        assert_eq!(name("spec.conditions").as_deref(), Some("RouteCondition"));
        assert_eq!(name("spec.conditions[Accepted]").as_deref(), Some("Why"));
        assert_eq!(name("spec.conditions[Gone]"), None);
        let place = |path: &str, reason: &str| -> Option<(bool, Span)> {
            let place = locate_condition(draft, path, reason)?;
            Some((place.exact, place.span))
        };
        let lists = condition_lists(draft);
        let list = lists[0].conditions;
        let accepted = &list.types[0];
        let is_reason = Some((true, accepted.reasons.all[0].span));
        assert_eq!(place("spec.conditions[Accepted]", "Is"), is_reason);
        assert_eq!(
            place("spec.conditions[Accepted]", ""),
            Some((true, accepted.span))
        );
        let gone = Some((false, list.declared_by.span));
        assert_eq!(place("spec.conditions[Gone]", ""), gone);
        assert_eq!(place("spec.conditions[]", ""), None);
    }
}
