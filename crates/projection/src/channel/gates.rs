//! Checks of gates: features are declared, and nothing depends on an item that a gate may remove.

use super::config::{Features, UNNAMED};
use super::kinds::Kind;
use super::walk;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span, Text};
use crd_channels_schema::draft::{Draft, Field, Gate, Shape, Type, Variant};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Returns the attribute of a gate.
pub fn attribute(gate: &Gate) -> String {
    format!("#[{}]", with_feature(gate, None))
}

/// Returns the attribute, without brackets, that puts something under a gate.
pub fn with_feature(gate: &Gate, content: Option<&str>) -> String {
    let word = if gate.on {
        "experimental"
    } else {
        "not_experimental"
    };
    let feature = match &*gate.feature {
        UNNAMED => None,
        name => Some(format!("feature = \"{name}\"")),
    };
    let inside: Vec<_> = feature.as_deref().into_iter().chain(content).collect();
    match inside.as_slice() {
        [] => word.to_owned(),
        inside => format!("{word}({})", inside.join(", ")),
    }
}

/// The content of a gate on the status of a kind.
pub const STATUS: &str = "kube(status)";

/// Returns in words when an item with this gate is present.
pub fn condition(gate: &Gate) -> String {
    let word = if gate.on { "with" } else { "without" };
    format!("{word} the feature `{}`", gate.feature)
}

/// Returns true if both gates hold in the same channels.
fn alike(one: &Gate, other: &Gate) -> bool {
    one.feature == other.feature && one.on == other.on
}

/// Checks every gate of the kinds.
pub fn check(kinds: &[Kind], features: &Features, sink: &mut Sink) {
    let drafts = || kinds.iter().flat_map(|kind| &kind.versions);
    for draft in drafts() {
        let own = draft.gate.iter();
        for gate in own.chain(draft.facets.when.iter().map(|(gate, _)| gate)) {
            check_declared(gate, features, sink);
        }
    }
    let roots = drafts().filter_map(|draft| draft.root.as_ref());
    let roots: HashSet<_> = roots.map(Arc::as_ptr).collect();
    let covers = covers(drafts());
    for ty in walk::gated_types(drafts()) {
        for gate in walk::gates_of(ty) {
            check_declared(gate, features, sink);
        }
        let above = |gate: &Gate| {
            let own = ty.gate.as_ref().is_some_and(|own| alike(own, gate));
            let mut covers = covers.get(&Arc::as_ptr(ty)).into_iter().flatten();
            own || covers.all(|cover| *cover == Some((&gate.feature, gate.on)))
        };
        check_uses(ty, roots.contains(&Arc::as_ptr(ty)), &above, sink);
        check_required(ty, &above, sink);
    }
}

/// The gate of a version that covers a type: a feature, and whether it is on; `None` if the version has no gate, or uses the type
/// elsewhere than as its spec or status.
type Cover<'d> = Option<(&'d Text, bool)>;

/// Returns how each type is covered in the versions that use it. Items need not repeat the gate of their version.
fn covers<'d>(drafts: impl Iterator<Item = &'d Draft>) -> HashMap<*const Type, HashSet<Cover<'d>>> {
    let mut covers: HashMap<*const Type, HashSet<Cover<'d>>> = HashMap::new();
    for draft in drafts {
        let mut covered = HashSet::new();
        if let (Some(_), Some(root)) = (&draft.gate, &draft.root) {
            let below = walk::members(root).fields;
            let below = below
                .iter()
                .flat_map(|(_, field)| walk::named_types(&field.ty));
            covered.extend(below.chain([root]).map(Arc::as_ptr));
        }
        for ty in walk::gated_types([draft]).into_iter().map(Arc::as_ptr) {
            let gate = draft.gate.as_ref().filter(|_| covered.contains(&ty));
            let cover = gate.map(|gate| (&gate.feature, gate.on));
            covers.entry(ty).or_default().insert(cover);
        }
    }
    covers
}

/// Reports declared features that no gate names.
pub fn unused(kinds: &[Kind], features: &Features, sink: &mut Sink) {
    let drafts = kinds.iter().flat_map(|kind| &kind.versions);
    let named: BTreeSet<_> = drafts
        .flat_map(walk::gates)
        .map(|gate| &gate.feature)
        .collect();
    let of_crds = kinds.iter().any(|kind| kind.crds.is_some());
    for feature in &features.declared {
        let name = &feature.name;
        // Its places were reported one by one.
        if !feature.paths.is_empty() {
            continue;
        }
        if !named.contains(&name.value) {
            sink.push(
                Diagnostic::new(
                    Code::UnusedFeature,
                    name.span,
                    format!("the feature `{}` is declared, but no gate uses it", name.value),
                )
                .with_help(match of_crds {
                    true => "remove its table, or name what it gates: `paths = [\"Kind: spec.path\"]`".to_owned(),
                    false => format!(
                        "remove the table `[{0}]`, or use it in a gate: `#[experimental(feature = \"{0}\")]`",
                        name.value
                    ),
                }),
            );
        }
    }
}

fn check_declared(gate: &Gate, features: &Features, sink: &mut Sink) {
    if !features.has(&gate.feature) {
        sink.push(features.unknown(&gate.feature, gate.span, "this gate"));
    }
}

/// Checks that a gated type is used only where its gate holds.
fn check_uses(ty: &Type, is_root: bool, above: &dyn Fn(&Gate) -> bool, sink: &mut Sink) {
    let members = walk::members(ty);
    for (variant, field) in &members.fields {
        let gates = || {
            field
                .gate
                .iter()
                .chain(variant.and_then(|v| v.gate.as_ref()))
        };
        for used in walk::named_types(&field.ty) {
            let covered = |gate: &Gate| above(gate) || gates().any(|own| alike(own, gate));
            if let Some(gate) = used.gate.as_ref().filter(|gate| !covered(gate)) {
                // The status is no field in source.
                let on_kind = is_root && *field.name == *"status";
                sink.push(ungated_use(&field.name, field.span, used, gate, on_kind));
            }
        }
    }
    if let Shape::Literal(literal) = &ty.shape {
        for used in walk::literal_types(literal)
            .into_iter()
            .flat_map(walk::named_types)
        {
            let gate = used.gate.as_ref().filter(|gate| !above(gate));
            if let (Some(gate), Some(span)) = (gate, ty.span) {
                sink.push(ungated_use(&ty.name, span, used, gate, false));
            }
        }
    }
}

fn ungated_use(user: &str, span: Span, used: &Type, gate: &Gate, on_kind: bool) -> Diagnostic {
    let write = match on_kind {
        true => format!(
            "`#[{}]` beside `#[kube(..)]`",
            with_feature(gate, Some(STATUS))
        ),
        false => format!("`{}` on `{user}`", attribute(gate)),
    };
    Diagnostic::new(
        Code::GatedType,
        span,
        format!(
            "`{user}` uses `{}`, which is only available {}",
            used.name,
            condition(gate)
        ),
    )
    .with_label(gate.span, format!("the gate of `{}`", used.name))
    .with_help(format!(
        "write {write}, or remove the gate of `{}`",
        used.name
    ))
}

/// Checks that a gated field is optional, unless its container has the same gate.
fn check_required(ty: &Type, above: &dyn Fn(&Gate) -> bool, sink: &mut Sink) {
    let by_place = matches!(ty.shape, Shape::Newtype(_) | Shape::Tuple(_));
    for (variant, field) in walk::members(ty).fields {
        let Some(gate) = &field.gate else { continue };
        let covered = |variant: &Variant| variant.gate.as_ref().is_some_and(|own| alike(own, gate));
        if above(gate) || variant.is_some_and(covered) {
            continue;
        }
        if by_place {
            let message = format!(
                "field `{}` of `{}` has no name, so no channel can leave it out",
                field.name, ty.name
            );
            let help = "gate the fields that use the type, or write a struct with named fields";
            sink.push(required(field, gate, message, help.to_owned()));
        } else if !may_be_absent(field) {
            let message = format!("`{}` of `{}` is gated and required", field.name, ty.name);
            let help = format!(
                "write `{}: Option<{}>`, or add `#[serde(default)]`",
                field.rust_name, field.ty.name
            );
            sink.push(required(field, gate, message, help));
        }
    }
}

fn required(field: &Field, gate: &Gate, message: String, help: String) -> Diagnostic {
    Diagnostic::new(Code::RequiredGatedField, field.span, message)
        .with_label(gate.span, "the gate")
        .with_help(help)
}

/// Returns true if objects without the field are valid. A flattened field is absent if its own fields are.
fn may_be_absent(field: &Field) -> bool {
    let mut open = vec![field];
    let mut seen = HashSet::new();
    while let Some(field) = open.pop() {
        if field.optional {
            continue;
        }
        if !field.flatten || !seen.insert(Arc::as_ptr(&field.ty)) {
            return false;
        }
        match &field.ty.shape {
            Shape::Map { .. } | Shape::Any | Shape::Option(_) => {}
            Shape::Struct(body) => open.extend(&body.fields),
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::builders::*;
    use super::super::config::{Feature, Features};
    use super::{check, unused};
    use crd_channels_diagnostics::Spanned;
    use crd_channels_schema::draft::{
        Content, Draft, Facets, Field, KindFacets, Shape, Struct, Tagging, Variant,
    };
    use serde_json::json;
    use std::sync::Arc;

    fn declared() -> Features {
        let feature = |name: &str| Feature {
            name: Spanned {
                value: name.into(),
                span: somewhere(),
            },
            summary: "s".into(),
            owner: None,
            link: None,
            since: None,
            paths: Vec::new(),
        };
        Features {
            declared: vec![feature("Alpha"), feature("Beta")],
        }
    }

    fn case(draft: Draft, expected: &[&str]) {
        let ((), found) = findings(|sink| check(&[kind(vec![draft])], &declared(), sink));
        assert_eq!(found, expected);
    }

    #[test]
    fn features_are_declared() {
        let unknown = |gate| {
            format!("unknown-feature: this gate names the feature `{gate}`, which is not declared")
        };
        let facets = || Facets {
            max_length: Some(1),
            ..Facets::default()
        };
        for name in ["Alpha", "Beta", "unnamed"] {
            case(gateway(vec![text("a").gated(gate(name))]), &[]);
        }
        let expected = unknown("Alhpa");
        let expected = [&*expected];
        case(gateway(vec![text("a").gated(gate("Alhpa"))]), &expected);
        case(gateway(vec![text("a").gated(not("Alhpa"))]), &expected);
        case(
            gateway(vec![text("a").when(gate("Alhpa"), facets())]),
            &expected,
        );
        let ty = object("T", vec![]).when(gate("Alhpa"), facets());
        case(gateway(vec![field("a", option(ty))]), &expected);
        let ty = values("E", vec![variant("A"), variant("B").gated(gate("Alhpa"))]);
        case(gateway(vec![field("a", option(ty))]), &expected);
        let ty = values("E", vec![variant("A").when(gate("Alhpa"), facets())]);
        case(gateway(vec![field("a", list(ty))]), &expected);
        let mut kind = gateway(vec![]);
        kind.gate = Some(gate("Alhpa"));
        case(kind, &expected);
        let mut kind = gateway(vec![]);
        kind.facets
            .when
            .push((gate("Alhpa"), KindFacets::default()));
        case(kind, &expected);
    }

    #[test]
    fn a_feature_without_gates_is_told() {
        let kinds = [kind(vec![gateway(vec![text("a").gated(gate("Alpha"))])])];
        let ((), found) = findings(|sink| unused(&kinds, &declared(), sink));
        let expected = ["unused-feature: the feature `Beta` is declared, but no gate uses it"];
        assert_eq!(found, expected);
    }

    #[test]
    fn gated_types_are_used_under_their_gate() {
        let ty = || object("Timeouts", vec![]).gated(gate("Alpha"));
        let expected =
            ["gated-type: `a` uses `Timeouts`, which is only available with the feature `Alpha`"];
        case(gateway(vec![field("a", option(ty()))]), &expected);
        case(gateway(vec![field("a", list(option(ty())))]), &expected);
        case(gateway(vec![field("a", map(ty()))]), &expected);
        case(
            gateway(vec![field("a", option(ty())).gated(gate("Beta"))]),
            &expected,
        );
        case(
            gateway(vec![field("a", option(ty())).gated(not("Alpha"))]),
            &expected,
        );
        case(
            gateway(vec![field("a", option(ty())).gated(gate("Alpha"))]),
            &[],
        );
        // Inside another type with the same feature, and in a variant with it.
        let outer = object("Outer", vec![field("a", option(ty()))]).gated(gate("Alpha"));
        case(
            gateway(vec![field("o", option(outer)).gated(gate("Alpha"))]),
            &[],
        );
        let carrying = |variant: Variant| Variant {
            content: Content::Newtype(Box::new(field("0", ty()))),
            ..variant
        };
        let one = |variant| choice("E", Tagging::External, vec![carrying(variant)]);
        case(
            gateway(vec![field(
                "e",
                option(one(variant("T").gated(gate("Alpha")))),
            )]),
            &[],
        );
        case(
            gateway(vec![field("e", option(one(variant("T"))))]),
            &["gated-type: `0` uses `Timeouts`, which is only available with the feature `Alpha`"],
        );
    }

    #[test]
    fn a_gated_version_covers_its_spec() {
        let mut draft = gateway(vec![field(
            "a",
            option(object("T", vec![]).gated(gate("Alpha"))),
        )]);
        draft.gate = Some(gate("Alpha"));
        case(draft.clone(), &[]);
        draft.gate = Some(gate("Beta"));
        case(
            draft,
            &["gated-type: `a` uses `T`, which is only available with the feature `Alpha`"],
        );
        // The spec type of the version is itself gated.
        let spec = object("GatewaySpec", vec![]).gated(gate("Alpha"));
        let mut draft = gateway(vec![]);
        draft.root = Some(root(vec![field("spec", spec)]));
        draft.gate = Some(gate("Alpha"));
        case(draft, &[]);
    }

    #[test]
    fn gated_fields_may_be_left_out() {
        let expected = ["required-gated-field: `a` of `GatewaySpec` is gated and required"];
        let required = || field("a", string()).gated(gate("Alpha"));
        case(gateway(vec![required()]), &expected);
        case(gateway(vec![defaulted(required(), json!("x"))]), &[]);
        case(gateway(vec![text("a").gated(gate("Alpha"))]), &[]);
        case(gateway(vec![field("a", string())]), &[]);
        let inside = |of| object("T", vec![required()]).gated(gate(of));
        let holder = |of| field("t", option(inside(of))).gated(gate(of));
        case(gateway(vec![holder("Alpha")]), &[]);
        case(
            gateway(vec![holder("Beta")]),
            &["required-gated-field: `a` of `T` is gated and required"],
        );
        let body = Struct {
            fields: vec![required()],
            deny_unknown: false,
        };
        let carrying = |variant: Variant| Variant {
            content: Content::Struct(body.clone()),
            ..variant
        };
        let one = |variant| choice("E", Tagging::External, vec![carrying(variant)]);
        case(
            gateway(vec![field(
                "e",
                option(one(variant("V").gated(gate("Alpha")))),
            )]),
            &[],
        );
        case(
            gateway(vec![field("e", option(one(variant("V"))))]),
            &["required-gated-field: `a` of `E` is gated and required"],
        );
        let newtype = named_type(
            "N",
            Shape::Newtype(Box::new(text("0").gated(gate("Alpha")))),
        );
        case(
            gateway(vec![field("n", newtype)]),
            &["required-gated-field: field `0` of `N` has no name, so no channel can leave it out"],
        );
    }

    #[test]
    fn flattened_fields_are_as_required_as_their_own() {
        let flat = |fields: Vec<Field>| Field {
            flatten: true,
            ..field("flat", object("Flat", fields)).gated(gate("Alpha"))
        };
        case(gateway(vec![flat(vec![text("a")])]), &[]);
        case(
            gateway(vec![flat(vec![field("a", string())])]),
            &["required-gated-field: `flat` of `GatewaySpec` is gated and required"],
        );
    }

    #[test]
    fn a_gated_version_covers_what_no_other_one_uses() {
        let shared = object("S", vec![field("a", string()).gated(gate("Alpha"))]);
        let with = |kind: &str, on: Option<&str>, fields: Vec<Field>| Draft {
            root: Some(root(fields)),
            gate: on.map(gate),
            ..draft("example.com", "v1", kind)
        };
        let status = || vec![field("status", option(Arc::clone(&shared)))];
        let nested = || vec![field("spec", object("Spec", status()))];
        let both = |one: Draft, other: Draft, is_refused: bool| {
            let kinds = [kind(vec![one]), kind(vec![other])];
            let ((), found) = findings(|sink| check(&kinds, &declared(), sink));
            let expected = "required-gated-field: `a` of `S` is gated and required";
            let expected: &[&str] = if is_refused { &[expected] } else { &[] };
            assert_eq!(found, expected);
        };
        let alpha = |kind| with(kind, Some("Alpha"), status());
        both(alpha("A"), alpha("B"), false);
        both(alpha("A"), with("B", None, status()), true);
        both(with("A", None, status()), alpha("B"), true);
        both(alpha("A"), with("B", Some("Beta"), status()), true);
        both(alpha("A"), with("B", None, nested()), true);
        both(alpha("A"), with("B", None, vec![]), false);
    }

    #[test]
    fn shared_types_are_told_once() {
        let shared = object("T", vec![field("a", string()).gated(gate("Alpha"))]);
        let twice = vec![
            field("x", option(Arc::clone(&shared))),
            field("y", list(shared)),
        ];
        case(
            gateway(twice),
            &["required-gated-field: `a` of `T` is gated and required"],
        );
    }
}
