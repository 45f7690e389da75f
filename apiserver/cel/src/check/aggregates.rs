//! Lists and maps with elements of different types, which servers reject even if any type would be valid.

use super::checked::Checked;
use crate::core::{Id, Kind};
use crate::diagnostic::{Code, Diagnostic};
use crate::types::Type;

/// The elements whose type differs from the first one's. Only arguments of `format` may be mixed.
pub(super) fn faults(checked: &Checked) -> Vec<Diagnostic> {
    let exempt = below_format(checked);
    let mut found = Vec::new();
    for (id, node) in checked.tree().nodes() {
        if exempt.get(id.0).copied().unwrap_or_default() {
            continue;
        }
        match &node.kind {
            Kind::List(elements) => {
                let parts = elements.iter().copied();
                found.extend(first_other(checked, parts));
            }
            Kind::Map(entries) => {
                let keys = entries.iter().map(|(key, _, _)| (*key, false));
                found.extend(first_other(checked, keys));
                let values = entries
                    .iter()
                    .map(|(_, value, optional)| (*value, *optional));
                found.extend(first_other(checked, values));
            }
            _ => {}
        }
    }
    found
}

fn first_other(
    checked: &Checked,
    elements: impl Iterator<Item = (Id, bool)>,
) -> Option<Diagnostic> {
    let mut first: Option<&Type> = None;
    for (id, optional) in elements {
        let ty = match checked.ty(id) {
            Type::Optional(inner) if optional => inner,
            // The server's request fails here.
            Type::Dyn if optional => return fault(checked, id, "an optional", "`dyn`"),
            ty => ty,
        };
        match first {
            None => first = Some(ty),
            Some(first) if first.is_same(ty) => {}
            Some(first) => {
                return fault(
                    checked,
                    id,
                    &format!("`{first}` like the first"),
                    &format!("`{ty}`"),
                );
            }
        }
    }
    None
}

fn fault(checked: &Checked, id: Id, wanted: &str, found: &str) -> Option<Diagnostic> {
    let node = checked.tree().node(id)?;
    let message = format!("this element is of type {found} where {wanted} is expected");
    Some(Diagnostic::new(
        Code::Mismatch,
        node.range.clone(),
        node.at,
        message,
    ))
}

/// The nodes in the arguments of `format(..)`, at any depth.
fn below_format(checked: &Checked) -> Vec<bool> {
    let tree = checked.tree();
    let mut exempt = vec![false; tree.len()];
    // Nodes come before their parents, so iterating backwards goes down.
    let ids: Vec<Id> = tree.nodes().map(|(id, _)| id).collect();
    for id in ids.into_iter().rev() {
        let Some(node) = tree.node(id) else { continue };
        let own = matches!(&node.kind, Kind::Call { function, .. } if &**function == "format");
        if own || exempt.get(id.0).copied().unwrap_or_default() {
            for child in node.kind.children() {
                if let Some(flag) = exempt.get_mut(child.0) {
                    *flag = true;
                }
            }
        }
    }
    exempt
}
