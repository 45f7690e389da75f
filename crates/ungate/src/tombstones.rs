//! Adds tombstones to a type, after all its other attributes.

use super::edits::{indentation, line_end, line_start, range};
use crate::parse;
use crd_channels_diagnostics::FileId;
use proc_macro2::Literal;
use syn::Item;

/// A tombstone to add.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct NewTombstone {
    /// The serialized name.
    pub name: String,
    /// The bundle that removes it.
    pub removed: String,
    /// Why it was removed.
    pub reason: String,
}

/// The maximum width of an attribute's content on one line, as in rustfmt.
const WIDEST: usize = 70;

/// Adds tombstones to the type whose name begins at a byte; returns the file's new text. `None` if there is no such type.
#[must_use]
pub fn add_tombstones(text: &str, at: usize, tombstones: &[NewTombstone]) -> Option<String> {
    let place = parse::look(text, FileId(u32::MAX), |tree| place(&tree.items, at)).ok()??;
    let start = line_start(text, place);
    let ends = text.get(start..line_end(text, place))?;
    let newline = if ends.ends_with("\r\n") { "\r\n" } else { "\n" };
    let indent = indentation(text, place);
    let gap = format!("{newline}{indent}");
    let written: String = tombstones
        .iter()
        .map(|tombstone| format!("{}{gap}", attribute(tombstone, &gap)))
        .collect();
    let (before, behind) = text.split_at_checked(place)?;
    Some(format!("{before}{written}{behind}"))
}

/// The start of a type's definition, after its attributes.
fn place(items: &[Item], at: usize) -> Option<usize> {
    items.iter().find_map(|item| {
        let (vis, word, name) = match item {
            Item::Struct(item) => (
                &item.vis,
                item.struct_token.span.byte_range().start,
                &item.ident,
            ),
            Item::Enum(item) => (
                &item.vis,
                item.enum_token.span.byte_range().start,
                &item.ident,
            ),
            Item::Mod(item) => return place(&item.content.as_ref()?.1, at),
            _ => return None,
        };
        let word = match vis {
            syn::Visibility::Inherited => word,
            vis => range(vis).start,
        };
        (name.span().byte_range().start == at).then_some(word)
    })
}

fn attribute(tombstone: &NewTombstone, gap: &str) -> String {
    let NewTombstone {
        name,
        removed,
        reason,
    } = tombstone;
    let keys = [("name", name), ("removed", removed), ("reason", reason)];
    let keys = keys.map(|(key, value)| format!("{key} = {}", Literal::string(value)));
    let inside = keys.join(", ");
    if inside.chars().count() <= WIDEST {
        return format!("#[tombstone({inside})]");
    }
    let inside = keys.join(&format!(",{gap}    "));
    format!("#[tombstone({gap}    {inside}{gap})]")
}
