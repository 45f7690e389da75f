//! Tombstones on a type: attributes below all that it has.

use super::edits::{indentation, line_end, line_start, range};
use super::parse;
use crd_channels_diagnostics::FileId;
use proc_macro2::Literal;
use syn::Item;

/// What a tombstone says.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct NewTombstone {
    /// The name, as objects have it.
    pub name: String,
    /// The bundle that removes it.
    pub removed: String,
    /// Why.
    pub reason: String,
}

/// How wide the inside of an attribute may be in one line, as rustfmt has it.
const WIDEST: usize = 70;

/// The text of a file with tombstones on the type whose name begins at a byte. None where there is no such type.
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

/// Where the words of a type begin, behind its attributes.
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
