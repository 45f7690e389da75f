//! The first difference of two types.

use crate::types::{Body, Definitions, Doc, Field};
use std::collections::BTreeMap;

/// Says where and how two definitions differ first; `None` if they are one.
pub(crate) fn difference(definitions: &Definitions, one: usize, other: usize) -> Option<String> {
    differing_below(definitions, one, other, "")
}

/// Says where they differ first; `path` leads to them.
fn differing_below(
    definitions: &Definitions,
    one: usize,
    other: usize,
    path: &str,
) -> Option<String> {
    if one == other {
        return None;
    }
    let at = |what: &str| match path {
        "" => what.to_owned(),
        path => format!("`{}`: {what}", path.trim_start_matches('.')),
    };
    let [first, second] = [one, other].map(|id| &definitions.all[id]);
    match (&first.shape.body, &second.shape.body) {
        (Body::Struct(these), Body::Struct(those)) => {
            if let Some(found) = fields(definitions, these, those, path) {
                return Some(found);
            }
        }
        (Body::Enum(these), Body::Enum(those)) => {
            let only = these
                .iter()
                .chain(those)
                .find(|it| !(these.contains(it) && those.contains(it)));
            if let Some(only) = only {
                return Some(at(&format!(
                    "the value `{}` is in one of them only, or has another gate",
                    only.value
                )));
            }
        }
        (Body::Newtype(these), Body::Newtype(those)) => match (these.named(), those.named()) {
            (Some(these), Some(those)) => {
                if let Some(found) = differing_below(definitions, these, those, path) {
                    return Some(found);
                }
            }
            _ if these != those => return Some(at("they have different types")),
            _ => {}
        },
        _ => return Some(at("one has fields or values, and the other has not")),
    }
    let documented = |doc: &Doc| *doc != Doc::Free;
    match () {
        () if first.shape.attributes != second.shape.attributes => {
            Some(at("their bounds, rules or other keywords differ"))
        }
        () if first.doc != second.doc && documented(&first.doc) && documented(&second.doc) => {
            Some(at("their descriptions differ"))
        }
        () => Some(at("their fields are in another order")),
    }
}

fn fields(
    definitions: &Definitions,
    these: &[Field],
    those: &[Field],
    path: &str,
) -> Option<String> {
    let named = |fields: &[Field]| -> BTreeMap<String, Field> {
        let named = fields
            .iter()
            .map(|field| (field.property.clone().unwrap_or_default(), field.clone()));
        named.collect()
    };
    let (these, those) = (named(these), named(those));
    for name in these.keys().chain(those.keys()) {
        let inside = format!("{path}.{name}");
        let shown = inside.trim_start_matches('.');
        let (Some(this), Some(that)) = (these.get(name), those.get(name)) else {
            return Some(format!("`{shown}` is in one of them only"));
        };
        if let (Some(this), Some(that)) = (this.ty.named(), that.ty.named())
            && let Some(found) = differing_below(definitions, this, that, &inside)
        {
            return Some(found);
        }
        if this != that {
            return Some(format!("`{shown}` differs"));
        }
    }
    None
}
