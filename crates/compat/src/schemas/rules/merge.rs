//! Merge semantics, embedded objects, unknown fields.

use super::fields::Field;
use super::{NodeRule, narrowed};
use crate::findings::verdict::{Answer, Need, Verdict};
use crate::findings::{Change, Record, Topic};
use crate::schemas::pair::SchemaPair;
use crate::values::refused;
use crd_channels_schema::{JsonType, ListType, MapType, Merge, Schema};
use serde_json::Value;

const LIST_TYPE: &[Field] = &[Field::ListType];
const MAP_TYPE: &[Field] = &[Field::MapType];

pub(super) const RULES: &[NodeRule] = &[
    NodeRule {
        record: Record::new(
            "list-type-narrowed",
            Topic::Breaking,
            "A list became a set: its elements must be unique.",
            "Stored lists with duplicates are rejected, and server-side apply tracks ownership of elements rather than of the list.",
        ),
        claims: LIST_TYPE,
        decide: |node, _| narrowed_list(node),
    },
    NodeRule {
        record: Record::new(
            "list-type-atomic",
            Topic::Breaking,
            "A list became atomic.",
            "Clients that apply single elements remove those of others.",
        ),
        claims: LIST_TYPE,
        decide: |node, _| atomic_list(node),
    },
    NodeRule {
        record: Record::new(
            "merge-type-spelled-out",
            Topic::Fixed,
            "The default merge type is now explicit, or no longer.",
            "The meaning is the same.",
        ),
        claims: &[Field::ListType, Field::MapType],
        decide: |node, _| spelled_out(node),
    },
    NodeRule {
        record: Record::new(
            "list-map-keys-changed",
            Topic::Breaking,
            "The map keys of a list changed.",
            "Stored lists may have duplicates under the new keys, and server-side apply merges differently.",
        ),
        claims: &[Field::ListMapKeys],
        decide: |node, _| keys(node),
    },
    NodeRule {
        record: Record::new(
            "map-type-atomic",
            Topic::Breaking,
            "An object became atomic.",
            "Clients that apply single fields remove those of others.",
        ),
        claims: MAP_TYPE,
        decide: |node, _| atomic_map(node),
    },
    NodeRule {
        record: Record::new(
            "map-type-granular",
            Topic::Loosened,
            "An object became granular.",
            "Fields that one client omits keep the values that others set.",
        ),
        claims: MAP_TYPE,
        decide: |node, _| granular_map(node),
    },
    NodeRule {
        record: Record::new(
            "unknown-fields-pruned",
            Topic::Breaking,
            "Unknown fields are no longer kept.",
            "They are pruned from stored objects at their next write.",
        ),
        claims: &[Field::PreserveUnknownFields],
        decide: |node, _| pruned(node),
    },
    NodeRule {
        record: Record::new(
            "unknown-fields-kept",
            Topic::Loosened,
            "Unknown fields are kept.",
            "Readers may find fields that are in no schema.",
        ),
        claims: &[Field::PreserveUnknownFields],
        decide: |node, _| kept(node),
    },
    NodeRule {
        record: Record::new(
            "embedded-resource-changed",
            Topic::Breaking,
            "A field became an embedded resource, or no longer is one.",
            "If set, objects without `apiVersion` and `kind` are rejected; if unset, their implied fields are pruned.",
        ),
        claims: &[Field::EmbeddedResource],
        decide: |node, _| embedded(node),
    },
];

fn list_type(schema: &Schema) -> ListType {
    let merge = schema.merge.as_deref();
    merge
        .and_then(|merge| merge.list_type)
        .unwrap_or(ListType::Atomic)
}

fn map_type(schema: &Schema) -> MapType {
    let merge = schema.merge.as_deref();
    merge
        .and_then(|merge| merge.map_type)
        .unwrap_or(MapType::Granular)
}

fn shown(list_type: ListType) -> &'static str {
    match list_type {
        ListType::Atomic => "atomic",
        ListType::Set => "set",
        ListType::Map => "map",
    }
}

fn lists(node: &SchemaPair<'_>) -> Option<(ListType, ListType)> {
    let types = (list_type(node.old), list_type(node.new));
    (types.0 != types.1).then_some(types)
}

fn narrowed_list(node: &SchemaPair<'_>) -> Vec<Change> {
    let Some((old, new @ (ListType::Set | ListType::Map))) = lists(node) else {
        return Vec::new();
    };
    let message = format!("list type was `{}` and is `{}`", shown(old), shown(new));
    let change = Change::new(
        [Verdict::No, Verdict::No, Verdict::Ok],
        Need::VERSION,
        message,
    );
    vec![Change {
        rejected: rejected_list(node),
        ..change
    }]
}

/// A list that has an item twice, or two items with equal keys, which only the new list type refuses.
fn rejected_list(node: &SchemaPair<'_>) -> Option<Value> {
    let unique = Schema {
        ty: Some(JsonType::Array),
        merge: node.new.merge.clone(),
        ..Schema::default()
    };
    shows(node, &unique)
}

/// A value that was accepted and that a constraint of the new node refuses.
fn shows(node: &SchemaPair<'_>, constraint: &Schema) -> Option<Value> {
    let is_live = node.live_before() != Answer::No;
    is_live.then(|| refused(node.old, node.new, constraint))?
}

fn atomic_list(node: &SchemaPair<'_>) -> Vec<Change> {
    let Some((old, ListType::Atomic)) = lists(node) else {
        return Vec::new();
    };
    let message = format!("list type was `{}` and is `atomic`", shown(old));
    vec![Change::new(
        [Verdict::Ok, Verdict::No, Verdict::Ok],
        Need::VERSION,
        message,
    )]
}

fn spelled_out(node: &SchemaPair<'_>) -> Vec<Change> {
    let none = Merge::default();
    let old = node.old.merge.as_deref().unwrap_or(&none);
    let new = node.new.merge.as_deref().unwrap_or(&none);
    let list = old.list_type != new.list_type && list_type(node.old) == list_type(node.new);
    let map = old.map_type != new.map_type && map_type(node.old) == map_type(node.new);
    let spelled = |what: &str| {
        Change::harmless(
            Need::PATCH,
            format!("{what} is the default, explicit or not"),
        )
    };
    let mut changes = Vec::new();
    if list {
        changes.push(spelled("list type `atomic`"));
    }
    if map {
        changes.push(spelled("map type `granular`"));
    }
    changes
}

fn keys(node: &SchemaPair<'_>) -> Vec<Change> {
    let keys = |schema: &Schema| {
        let merge = schema.merge.as_deref();
        let mut keys = merge.map_or_else(Vec::new, |merge| merge.list_map_keys.clone());
        keys.sort_unstable();
        keys
    };
    let (old, new) = (keys(node.old), keys(node.new));
    // Keys are added or removed with the list type.
    if old == new || lists(node).is_some() {
        return Vec::new();
    }
    let message = format!(
        "list map keys were `{}` and are `{}`",
        old.join("`, `"),
        new.join("`, `")
    );
    let change = Change::new(
        [Verdict::No, Verdict::No, Verdict::Ok],
        Need::VERSION,
        message,
    );
    vec![Change {
        rejected: rejected_list(node),
        ..change
    }]
}

fn atomic_map(node: &SchemaPair<'_>) -> Vec<Change> {
    if (map_type(node.old), map_type(node.new)) != (MapType::Granular, MapType::Atomic) {
        return Vec::new();
    }
    let verdicts = [Verdict::Ok, Verdict::No, Verdict::Ok];
    vec![Change::new(
        verdicts,
        Need::VERSION,
        "map type was `granular` and is `atomic`",
    )]
}

fn granular_map(node: &SchemaPair<'_>) -> Vec<Change> {
    if (map_type(node.old), map_type(node.new)) != (MapType::Atomic, MapType::Granular) {
        return Vec::new();
    }
    vec![Change::harmless(
        Need::MINOR,
        "map type was `atomic` and is `granular`",
    )]
}

fn pruned(node: &SchemaPair<'_>) -> Vec<Change> {
    if !node.old.preserve_unknown_fields || node.new.preserve_unknown_fields {
        return Vec::new();
    }
    let change = narrowed(
        node,
        (Answer::Yes, None),
        "unknown fields are pruned from now on".to_owned(),
    );
    vec![Change {
        readers: Verdict::No,
        bump: Need::VERSION,
        ..change
    }]
}

fn kept(node: &SchemaPair<'_>) -> Vec<Change> {
    if node.old.preserve_unknown_fields || !node.new.preserve_unknown_fields {
        return Vec::new();
    }
    let verdicts = [Verdict::Ok, Verdict::Ok, Verdict::Unknown];
    vec![Change::new(
        verdicts,
        Need::MINOR,
        "unknown fields are kept from now on",
    )]
}

fn embedded(node: &SchemaPair<'_>) -> Vec<Change> {
    let message = match (node.old.embedded_resource, node.new.embedded_resource) {
        (false, true) => "holds a whole Kubernetes object from now on",
        (true, false) => "no longer holds a whole Kubernetes object",
        (false, false) | (true, true) => return Vec::new(),
    };
    let verdicts = [Verdict::No, Verdict::No, Verdict::Unknown];
    let whole = Schema {
        ty: Some(JsonType::Object),
        embedded_resource: true,
        preserve_unknown_fields: true,
        ..Schema::default()
    };
    let rejected = match node.new.embedded_resource {
        true => shows(node, &whole),
        false => None,
    };
    vec![Change {
        rejected,
        ..Change::new(verdicts, Need::VERSION, message)
    }]
}
