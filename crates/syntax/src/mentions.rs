//! The names that each item of a file mentions: what code may run if an item is used, found without resolving any name.
//!
//! A value that only the compiler knows depends on code that nothing reads. Words find a superset of it: who calls a function
//! writes its name, and who uses an operator of a type has the type from an item that writes the type's name.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, Type, UseTree};

/// The attributes that take something out of a channel.
const GATES: [&str; 2] = ["experimental", "not_experimental"];

/// A part of a file that is used as a whole, or not at all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Mentions {
    /// The words that code must mention, all of them, to use it.
    pub names: Vec<String>,
    /// The type whose `impl` block it is from: if no such type exists in source, the block is used by its methods alone.
    pub of_type: Option<String>,
    /// The trait of the block, if it is about the whole of it: the trait's methods are called by what a derive or an operator
    /// stands for.
    pub of_trait: Option<String>,
    /// The words that it mentions, also in strings.
    pub words: BTreeSet<String>,
    /// The fields of a struct, with the words of each.
    pub fields: Vec<(String, BTreeSet<String>)>,
    /// The words of its own attributes.
    pub attributes: BTreeSet<String>,
    /// Whether it declares a type.
    pub is_type: bool,
    /// Whether it declares a trait.
    pub is_trait: bool,
    /// Whether something in it is not in every channel.
    pub is_gated: bool,
}

/// Returns what each item of a file mentions; `None` if the file does not parse.
#[must_use]
pub fn mentions(text: &str) -> Option<Vec<Mentions>> {
    let file = syn::parse_file(text).ok()?;
    let mut found = Vec::new();
    file.items
        .into_iter()
        .for_each(|item| add(item, &mut found));
    Some(found)
}

fn add(item: Item, found: &mut Vec<Mentions>) {
    let words = words_of(&item);
    let named = |name: &syn::Ident, words| Mentions {
        names: vec![plain(name)],
        words,
        ..Mentions::default()
    };
    match item {
        Item::Mod(module) => {
            let items = module.content.into_iter().flat_map(|(_, items)| items);
            items.for_each(|item| add(item, found));
        }
        Item::Fn(it) => found.push(named(&it.sig.ident, words)),
        Item::Const(it) => found.push(named(&it.ident, words)),
        Item::Static(it) => found.push(named(&it.ident, words)),
        Item::Type(it) => found.push(named(&it.ident, words)),
        Item::Struct(it) => found.push(Mentions {
            fields: fields_of(&it.fields),
            attributes: words_of_all(&it.attrs),
            is_type: true,
            is_gated: is_gated(&it),
            ..named(&it.ident, words)
        }),
        Item::Enum(it) => found.push(Mentions {
            is_type: true,
            is_gated: is_gated(&it),
            ..named(&it.ident, words)
        }),
        Item::Union(it) => found.push(Mentions {
            is_type: true,
            ..named(&it.ident, words)
        }),
        Item::Trait(it) => {
            // A method that no type overrides is used by its name, like one of a block.
            let methods = it.items.iter().filter_map(|item| match item {
                TraitItem::Fn(method) => Some(named(&method.sig.ident, words_of(method))),
                TraitItem::Const(constant) => Some(named(&constant.ident, words_of(constant))),
                _ => None,
            });
            found.extend(methods);
            found.push(Mentions {
                is_trait: true,
                ..named(&it.ident, words_of(&it.supertraits))
            });
        }
        Item::Impl(block) => add_block(&block, words, found),
        Item::Macro(it) => match &it.ident {
            Some(name) => found.push(named(name, words)),
            // What it makes has one of these names.
            None => found.extend(words.iter().map(|word| Mentions {
                names: vec![word.clone()],
                words: words.clone(),
                is_gated: GATES.iter().any(|gate| words.contains(*gate)),
                ..Mentions::default()
            })),
        },
        Item::Use(it) => add_renamed(&it.tree, &words, found),
        _ => {}
    }
}

/// Adds a block: each item by its own name if only code that writes the name uses it, otherwise the block by its type.
fn add_block(block: &ItemImpl, words: BTreeSet<String>, found: &mut Vec<Mentions>) {
    let of_type = match &*block.self_ty {
        Type::Path(path) => path.path.segments.last().map(|last| plain(&last.ident)),
        _ => None,
    };
    let heads: BTreeSet<String> = words_of(&block.generics)
        .into_iter()
        .chain(words_of(&block.self_ty))
        .collect();
    for item in &block.items {
        let name = match item {
            ImplItem::Fn(it) => &it.sig.ident,
            ImplItem::Const(it) => &it.ident,
            ImplItem::Type(it) => &it.ident,
            _ => continue,
        };
        let own: BTreeSet<String> = words_of(item).into_iter().chain(heads.clone()).collect();
        found.push(Mentions {
            names: vec![plain(name)],
            of_type: of_type.clone(),
            words: if block.trait_.is_some() {
                words.clone()
            } else {
                own
            },
            ..Mentions::default()
        });
    }
    // Operators, conversions, drops and derived code call methods of traits without their names.
    if let (Some(name), Some((path, _))) = (of_type, &block.trait_) {
        let of_trait = path.segments.last();
        found.push(Mentions {
            names: vec![name],
            of_trait: of_trait.map(|last| plain(&last.ident)),
            words,
            ..Mentions::default()
        });
    }
}

/// Adds the new names that a `use` gives.
fn add_renamed(tree: &UseTree, words: &BTreeSet<String>, found: &mut Vec<Mentions>) {
    match tree {
        UseTree::Path(path) => add_renamed(&path.tree, words, found),
        UseTree::Group(group) => {
            let trees = group.items.iter();
            trees.for_each(|tree| add_renamed(tree, words, found));
        }
        UseTree::Rename(rename) => found.push(Mentions {
            names: vec![plain(&rename.rename)],
            words: words.clone(),
            ..Mentions::default()
        }),
        UseTree::Name(_) | UseTree::Glob(_) => {}
    }
}

fn fields_of(fields: &Fields) -> Vec<(String, BTreeSet<String>)> {
    let named = fields.iter().enumerate().map(|(index, field)| {
        let name = field
            .ident
            .as_ref()
            .map_or_else(|| index.to_string(), plain);
        (name, words_of(field))
    });
    named.collect()
}

/// Whether an attribute of a type or of a part of it is a gate.
fn is_gated(item: &impl ToTokens) -> bool {
    let tokens = item.to_token_stream();
    is_gated_in(tokens, false)
}

fn is_gated_in(tokens: TokenStream, in_attribute: bool) -> bool {
    let mut after_hash = false;
    tokens.into_iter().any(|tree| {
        let begins = std::mem::replace(
            &mut after_hash,
            matches!(&tree, TokenTree::Punct(mark) if mark.as_char() == '#'),
        );
        match tree {
            TokenTree::Ident(word) => in_attribute && GATES.contains(&plain(&word).as_str()),
            TokenTree::Group(group) => is_gated_in(group.stream(), in_attribute || begins),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        }
    })
}

fn words_of_all(attributes: &[Attribute]) -> BTreeSet<String> {
    attributes.iter().flat_map(words_of).collect()
}

/// The identifiers of some tokens, and those in their strings.
fn words_of(tokens: &(impl ToTokens + ?Sized)) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    add_words(tokens.to_token_stream(), &mut words);
    words
}

fn add_words(tokens: TokenStream, words: &mut BTreeSet<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(word) => {
                words.insert(plain(&word));
            }
            TokenTree::Group(group) => add_words(group.stream(), words),
            TokenTree::Literal(literal) => words.extend(words_in(&literal.to_string())),
            TokenTree::Punct(_) => {}
        }
    }
}

/// The words of a text.
fn words_in(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    parts.filter(|part| !part.is_empty()).map(str::to_owned)
}

fn plain(name: &syn::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::{Mentions, mentions};

    fn found(text: &str) -> Vec<Mentions> {
        mentions(text).unwrap()
    }

    #[test]
    fn items_are_used_by_their_names() {
        let names = |text: &str| -> Vec<String> {
            let found = found(text).into_iter();
            found.map(|it| it.names.join(" ")).collect()
        };
        assert_eq!(names("mod a { fn f() {} } const C: u8 = 1;"), ["f", "C"]);
        assert_eq!(
            names("trait T { fn m(&self) {} const N: u8; }"),
            ["m", "N", "T"]
        );
        assert_eq!(names("impl A { fn m() {} fn r#n() {} }"), ["m", "n"]);
        assert_eq!(
            names("impl Default for A { fn default() {} }"),
            ["default", "A"]
        );
        assert_eq!(names("use a::{b as c, d, e::*};"), ["c"]);
        assert_eq!(names("make!(A, f);"), ["A", "f", "make"]);
    }

    #[test]
    fn words_in_strings_and_attributes_count() {
        let text = "#[serde(default = \"a::b\")] struct S { #[x(y = \"c\")] f: d::E }";
        let item = &found(text)[0];
        for word in ["a", "b", "c", "d", "E", "serde"] {
            assert!(item.words.contains(word), "{word}");
        }
        assert!(item.attributes.contains("b") && !item.attributes.contains("c"));
        assert_eq!(item.fields[0].0, "f");
        assert!(item.fields[0].1.contains("c") && !item.fields[0].1.contains("b"));
    }

    #[test]
    fn gates_are_attributes() {
        for (text, expected) in [
            ("struct S { #[experimental] a: u8 }", true),
            (
                "enum E { #[cfg_attr(x, not_experimental(feature = \"F\"))] A }",
                true,
            ),
            (
                "struct S { experimental: u8, #[doc = \"experimental\"] a: u8 }",
                false,
            ),
        ] {
            assert_eq!(found(text)[0].is_gated, expected, "{text}");
        }
    }
}
