//! Which types two versions of a package have at the same places, and other names for them.

use super::Files;
use super::pieces::{argument, is_camel, serialized};
use super::uses::{Leaf, leaves};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::ops::Range;
use std::str::FromStr as _;
use syn::{Attribute, Fields, Item, Type};

/// A type: its file, and its name.
pub(super) type Id = (String, String);

/// A type, for those that follow fields.
struct Known {
    /// What a kind is called; none of other types.
    kind: Option<String>,
    /// The names in the type of each field, by its serialized name.
    fields: BTreeMap<String, Vec<String>>,
}

/// The types of a package.
struct Index {
    types: BTreeMap<Id, Known>,
    /// The names that each file uses.
    uses: BTreeMap<String, Vec<Leaf>>,
}

/// The types of two versions of a package that are at the same places, found from the kinds on. A file that is no Rust has none.
pub(super) fn pairs(one: &Files, other: &Files) -> BTreeMap<Id, Id> {
    let [one, other] = [one, other].map(Index::new);
    let kinds = |index: &Index| -> BTreeMap<String, Id> {
        let named = index.types.iter();
        named
            .filter_map(|(id, known)| Some((known.kind.clone()?, id.clone())))
            .collect()
    };
    let others = kinds(&other);
    let mut open: Vec<(Id, Id)> = kinds(&one)
        .into_iter()
        .filter_map(|(kind, id)| Some((id, others.get(&kind)?.clone())))
        .collect();
    let mut pairs = BTreeMap::new();
    while let Some((id, its)) = open.pop() {
        if pairs.contains_key(&id) {
            continue;
        }
        if let (Some(known), Some(counterpart)) = (one.types.get(&id), other.types.get(&its)) {
            for (field, names) in &known.fields {
                let below = one.of(&id.0, names);
                let its = counterpart
                    .fields
                    .get(field)
                    .and_then(|names| other.of(&its.0, names));
                open.extend(below.zip(its));
            }
        }
        pairs.insert(id, its);
    }
    pairs
}

impl Index {
    fn new(files: &Files) -> Self {
        let mut index = Self {
            types: BTreeMap::new(),
            uses: BTreeMap::new(),
        };
        for (file, text) in files {
            let items = syn::parse_file(text)
                .map(|file| file.items)
                .unwrap_or_default();
            index.uses.insert(file.clone(), leaves(text));
            for item in items {
                let (name, attributes, fields) = match &item {
                    Item::Struct(of) => (&of.ident, &of.attrs, Some(&of.fields)),
                    Item::Enum(of) => (&of.ident, &of.attrs, None),
                    _ => continue,
                };
                let known = Known::new(attributes, fields);
                index.types.insert((file.clone(), name.to_string()), known);
            }
        }
        index
    }

    /// The type of the package that one of these names means in a file.
    fn of(&self, file: &str, names: &[String]) -> Option<Id> {
        let mut found = names.iter().rev().filter_map(|name| {
            let here = (file.to_owned(), name.clone());
            if self.types.contains_key(&here) {
                return Some(here);
            }
            let uses = self.uses.get(file)?;
            let (path, name) = uses.iter().find(|(_, used)| used == name)?;
            let id = [
                file_of(path)?,
                format!("{}/mod.rs", file_of(path)?.trim_end_matches(".rs")),
            ];
            let mut ids = id.into_iter().map(|file| (file, name.clone()));
            ids.find(|id| self.types.contains_key(id))
        });
        found.next()
    }
}

/// The file of a module of the package.
pub(super) fn file_of(path: &str) -> Option<String> {
    let inside = path.strip_prefix("crate::")?;
    Some(format!("src/{}.rs", inside.replace("::", "/")))
}

impl Known {
    fn new(attributes: &[Attribute], fields: Option<&Fields>) -> Self {
        let of_kube = |key: &str| argument(attributes, "kube", key);
        let parts = ["group", "version", "kind"].map(of_kube);
        let kind = parts.into_iter().collect::<Option<Vec<String>>>();
        let mut known = Self {
            kind: kind.map(|parts| parts.join("/")),
            fields: BTreeMap::new(),
        };
        // A field of an object cannot have this name.
        known
            .fields
            .extend(of_kube("status").map(|name| ("#status".to_owned(), vec![name])));
        let is_camel = is_camel(attributes);
        for (index, field) in fields.into_iter().flatten().enumerate() {
            let name = match &field.ident {
                Some(name) => serialized(name, &field.attrs, is_camel),
                None => format!("#{index}"),
            };
            let mut names = Vec::new();
            names_in(&field.ty, &mut names);
            known.fields.insert(name, names);
        }
        known
    }
}

/// The last names of the paths in a type, from the outside to the inside.
fn names_in(ty: &Type, found: &mut Vec<String>) {
    let Type::Path(path) = ty else { return };
    let Some(last) = path.path.segments.last() else {
        return;
    };
    found.push(last.ident.to_string());
    if let syn::PathArguments::AngleBracketed(arguments) = &last.arguments {
        for argument in &arguments.args {
            if let syn::GenericArgument::Type(inner) = argument {
                names_in(inner, found);
            }
        }
    }
}

/// The files with other names of types, wherever the names are code.
pub(super) fn rename(files: &Files, names: &BTreeMap<Id, String>) -> Files {
    let renamed = files.iter().map(|(file, text)| {
        let own = names
            .iter()
            .filter(|((of, _), _)| of == file)
            .map(|((_, old), new)| (old.clone(), new.clone()));
        let mut here: BTreeMap<String, String> = own.collect();
        for (path, name) in leaves(text) {
            let in_mod = |file: String| format!("{}/mod.rs", file.trim_end_matches(".rs"));
            let files = file_of(&path)
                .into_iter()
                .flat_map(|file| [file.clone(), in_mod(file)]);
            let mut found = files.filter_map(|file| names.get(&(file, name.clone())));
            if let Some(new) = found.next() {
                here.insert(name, new.clone());
            }
        }
        let text = match here.is_empty() {
            true => text.clone(),
            false => replaced(text, &here),
        };
        (file.clone(), text)
    });
    renamed.collect()
}

fn replaced(text: &str, names: &BTreeMap<String, String>) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    if let Ok(tokens) = TokenStream::from_str(text) {
        collect(tokens, names, false, &mut edits);
    }
    let mut out = String::new();
    let mut at = 0;
    for (range, name) in edits {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&name);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Finds the names of types. Those of variants, and of what belongs to a type, may be the same.
fn collect(
    tokens: TokenStream,
    names: &BTreeMap<String, String>,
    are_variants: bool,
    edits: &mut Vec<(Range<usize>, String)>,
) {
    let mut before: [String; 3] = Default::default();
    let mut in_enum = false;
    for token in tokens {
        match &token {
            TokenTree::Group(group) => {
                let is_body = in_enum && group.delimiter() == Delimiter::Brace;
                collect(group.stream(), names, is_body, edits);
                in_enum &= !is_body;
            }
            TokenTree::Ident(name) => {
                let name = name.to_string();
                in_enum |= name == "enum";
                let is_of_type =
                    before[1..] == [":", ":"] && before[0].starts_with(char::is_uppercase);
                let new = names.get(&name).filter(|_| !are_variants && !is_of_type);
                edits.extend(new.map(|new| (token.span().byte_range(), new.clone())));
            }
            _ => {}
        }
        before.rotate_left(1);
        before[2] = token.to_string();
    }
}
