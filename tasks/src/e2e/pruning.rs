//! Fields that only another channel has: a server prunes them and warns.

use super::install::described;
use super::kinds::Kind;
use super::opinion::SecondOpinion;
use super::tried;
use crate::objects::dice::Dice;
use crate::objects::field::{Field, Segment};
use crate::objects::valid;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_schema::{Additional, Schema};
use serde_json::Value;

/// Every field that `other`, the same version in another channel, has and this one lacks is pruned from an accepted object, and
/// refused by strict validation.
pub fn foreign_fields(
    kind: &Kind<'_>,
    other: &Schema,
    accepted: &[Value],
    opinion: &mut SecondOpinion,
    report: &mut Report,
) -> Result<(), Failure> {
    let mut fields = Vec::new();
    missing(kind.schema, other, &Field::default(), &mut fields);
    let mut dice = Dice::new(&kind.title());
    for (field, schema) in fields {
        let name = format!("{}: {field} is pruned", kind.title());
        let in_status = kind.has_status() && field.is_below("status");
        let parent = Field(
            field
                .0
                .split_last()
                .map_or(Vec::new(), |(_, above)| above.to_vec()),
        );
        let has_parent = |object: &Value| parent.get(object).is_some_and(Value::is_object);
        let holder = match accepted.iter().find(|object| has_parent(object)) {
            Some(object) => Some(object.clone()),
            None => tried::find(kind, &has_parent, &mut dice, opinion)?,
        };
        let (Some(holder), Some(value)) = (holder, valid::value(schema, &mut dice)) else {
            report.check(name, "an object to put it into", "none");
            continue;
        };
        let mut object = holder;
        if let (Some(Segment::Name(last)), Some(parent)) =
            (field.0.last(), parent.get_mut(&mut object))
        {
            parent[last] = value;
        }
        let answer = if in_status {
            tried::write_status(kind, &object, true, opinion)?
        } else {
            object["metadata"]["name"] = "pruned".into();
            tried::create(kind, &object, true, opinion)?
        };
        let strict = described(&answer).contains(&format!("unknown field \"{field}\""));
        report.check(
            format!("{name}: strict validation refuses it"),
            true,
            strict,
        );
        if in_status {
            continue;
        }
        let path = format!("{}?fieldValidation=Warn", kind.path());
        let answer = kind.api.post(&path, &object)?;
        let place = format!("{}/pruned", kind.path());
        let stored = kind.api.get(&place)?.json();
        kind.api.delete(&place)?;
        report.check(
            format!("{name} from what is stored"),
            "201, absent",
            format!("{}, {}", described(&answer), presence(&field, &stored)),
        );
    }
    Ok(())
}

fn presence(field: &Field, object: &Value) -> &'static str {
    if field.get(object).is_some() {
        "present"
    } else {
        "absent"
    }
}

/// Returns the fields that `other` has and `one` lacks; the first item represents all items of a list.
fn missing<'s>(
    one: &Schema,
    other: &'s Schema,
    field: &Field,
    found: &mut Vec<(Field, &'s Schema)>,
) {
    if one.preserve_unknown_fields {
        return;
    }
    for (name, below) in &other.properties {
        match one.properties.get(name) {
            Some(same) => missing(same, below, &field.name(name), found),
            None if one.additional_properties.is_none() => found.push((field.name(name), below)),
            None => {}
        }
    }
    if let (Some(one), Some(other)) = (&one.items, &other.items) {
        missing(one, other, &field.index(0), found);
    }
    if let (Some(Additional::Schema(one)), Some(Additional::Schema(other))) =
        (&one.additional_properties, &other.additional_properties)
    {
        missing(one, other, &field.name("key0"), found);
    }
}
