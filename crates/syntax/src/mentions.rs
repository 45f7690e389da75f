//! The names that each item of a file mentions: what code may run if an item is used, found without resolving any name.
//!
//! A value that only the compiler knows depends on code that nothing reads. Words find a superset of it: who calls a function
//! writes its name, and who uses an operator of a type has the type from an item that writes the type's name.

use crate::known::derives;
use crate::known::macros::is_built_in;
pub use crate::words::words_of_text;
use crate::words::{code_of, plain, words_of};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;
use std::sync::Arc;
use syn::{Attribute, ImplItem, Item, ItemImpl, ItemStruct, Stmt, TraitItem, Type, UseTree};

/// The attributes that take something out of a channel.
const GATES: [&str; 2] = ["experimental", "not_experimental"];

/// Words that are in most calls of macros, and name nothing that they make.
const NO_NAMES: [&str; 29] = [
    "Self", "as", "bool", "char", "crate", "f32", "f64", "fn", "i128", "i16", "i32", "i64", "i8",
    "impl", "isize", "let", "mut", "pub", "ref", "self", "str", "super", "u128", "u16", "u32",
    "u64", "u8", "use", "usize",
];

/// The keywords before a name that is declared.
const DECLARING: [&str; 8] = [
    "const", "enum", "fn", "mod", "static", "struct", "trait", "type",
];

/// A part of a file that is used as a whole, or not at all.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Mentions {
    /// The words that code must mention, all of them, to use it; one of them if it is a block.
    pub names: Vec<String>,
    /// The type whose `impl` block it is from: if no such type exists in source, the block is used by its methods alone.
    pub of_type: Option<String>,
    /// The trait of the block, if it is about the whole of it: the trait's methods are called by what a derive or an operator
    /// stands for.
    pub of_trait: Option<String>,
    /// The words that it mentions, also in strings, but not in documentation.
    pub words: BTreeSet<String>,
    /// Its tokens, or those of what it is in, without documentation.
    pub code: Arc<str>,
    /// Their documentation, as far as a schema may show it.
    pub docs: Arc<str>,
    /// The fields of a struct, each with the struct's attributes.
    pub fields: Vec<Mentions>,
    /// What it declares, or does.
    pub what: What,
    /// Whether something in it is not in every channel.
    pub is_gated: bool,
}

/// What an item is, as far as it decides how it is used.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum What {
    /// A type, or another name of one.
    Type,
    /// A trait.
    Trait,
    /// A macro by example.
    Macro,
    /// A call of the macro of this name that may make any item of the module.
    Call(String),
    /// An import of any item into the module.
    Glob,
    /// Another name of what has this name.
    Rename(String),
    /// Nothing: it leads from a type to another name of it.
    Alias,
    /// Something else.
    #[default]
    Other,
}

/// Returns what each item of a file mentions; `None` if the file does not parse. `module` is its name.
#[must_use]
pub fn mentions(text: &str, module: &str) -> Option<Vec<Mentions>> {
    let file = syn::parse_file(text).ok()?;
    let mut found = Vec::new();
    let has_modules = |item: &Item| matches!(item, Item::Mod(module) if module.content.is_none());
    let is_parent = file.items.iter().any(has_modules);
    for item in file.items {
        add(item, (module, is_parent), &mut found);
    }
    let renames: Vec<(String, String)> = found
        .iter()
        .filter_map(|item| match &item.what {
            What::Rename(original) => Some((item.names.first()?.clone(), original.clone())),
            _ => None,
        })
        .collect();
    for block in found.iter_mut().filter(|item| item.of_trait.is_some()) {
        for (name, original) in &renames {
            if block.names.contains(name) {
                block.names.push(original.clone());
            }
        }
    }
    Some(found)
}

/// `module` is the module around, and whether files below it see its imports.
fn add(item: Item, module: (&str, bool), found: &mut Vec<Mentions>) {
    let known = found.len();
    let shows_docs = shows_docs(&item);
    let (code, mut docs) = code_of(&item);
    if !shows_docs {
        docs.clear();
    }
    add_parts(item, words_of_text(&code), module, found);
    let (code, docs) = (Arc::from(code), Arc::from(docs));
    for part in found.iter_mut().skip(known) {
        if part.code.is_empty() {
            part.code = Arc::clone(&code);
            part.docs = Arc::clone(&docs);
        }
    }
}

/// Whether a schema may show the documentation in an item: that of a type with a schema, and of what a macro makes.
fn shows_docs(item: &Item) -> bool {
    let attributes = match item {
        Item::Struct(it) => &it.attrs,
        Item::Enum(it) => &it.attrs,
        Item::Macro(_) => return true,
        _ => return false,
    };
    attributes.iter().any(may_make_schema)
}

/// Whether an attribute of a type may make a schema: any derive but those that are known to make something else, and any macro.
fn may_make_schema(attribute: &Attribute) -> bool {
    match attribute.path().get_ident() {
        Some(name) if name == "derive" || name == "cfg_attr" => {
            let derived = words_of(&attribute.meta).into_iter();
            let mut derived = derived.filter(|word| word.starts_with(char::is_uppercase));
            derived.any(|word| !derives::makes_no_schema(&word))
        }
        Some(name) => !is_built_in(&name.to_string()),
        None => true,
    }
}

/// Adds the items in a module or a block, or the one item with its words.
fn add_parts(item: Item, words: BTreeSet<String>, module: (&str, bool), found: &mut Vec<Mentions>) {
    let named = |name: &syn::Ident, words| Mentions {
        names: vec![plain(name)],
        words,
        ..Mentions::default()
    };
    match item {
        Item::Mod(inner) => {
            let name = plain(&inner.ident);
            // An attribute decides which file it is.
            if inner.content.is_none() && !inner.attrs.is_empty() {
                found.push(named(&inner.ident, words));
            }
            let items = inner.content.into_iter().flat_map(|(_, items)| items);
            items.for_each(|item| add(item, (&name, module.1), found));
        }
        Item::Fn(it) => {
            let derives = it.attrs.iter().filter(|attribute| {
                let name = attribute.path().get_ident();
                name.is_some_and(|name| name == "proc_macro_derive")
            });
            for derive in derives {
                let arguments = derive.parse_args::<TokenStream>().unwrap_or_default();
                if let Some(TokenTree::Ident(name)) = arguments.into_iter().next() {
                    found.push(named(&name, words.clone()));
                }
            }
            found.push(named(&it.sig.ident, words));
            add_statements(it.block.stmts, module, found);
        }
        Item::Const(it) => {
            found.push(named(&it.ident, words));
            if let syn::Expr::Block(block) = *it.expr {
                add_statements(block.block.stmts, module, found);
            }
        }
        Item::Static(it) => found.push(named(&it.ident, words)),
        Item::Type(it) => {
            // What is written for the one name is for the other, too.
            let meant = words_of(&it.ty).into_iter();
            found.extend(meant.map(|word| alias(word, &it.ident)));
            found.push(Mentions {
                what: What::Type,
                ..named(&it.ident, words)
            });
        }
        Item::Struct(it) => found.push(Mentions {
            fields: fields_of(&it),
            what: What::Type,
            is_gated: is_gated(&it),
            ..named(&it.ident, words)
        }),
        Item::Enum(it) => found.push(Mentions {
            what: What::Type,
            is_gated: is_gated(&it),
            ..named(&it.ident, words)
        }),
        Item::Union(it) => found.push(Mentions {
            what: What::Type,
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
                what: What::Trait,
                ..named(&it.ident, words_of(&it.supertraits))
            });
        }
        Item::Impl(block) => add_block(&block, words, found),
        Item::Macro(it) => match &it.ident {
            Some(name) => add_macro(name, &it.mac.tokens, &words, found),
            None => {
                let name = it.mac.path.segments.last();
                let name = name.map_or_else(String::new, |last| plain(&last.ident));
                add_call(&name, &words, None, found);
                found.push(Mentions {
                    names: vec![module.0.to_owned()],
                    words,
                    what: What::Call(name),
                    ..Mentions::default()
                });
            }
        },
        Item::Use(it) => {
            let is_seen = module.1 || !matches!(it.vis, syn::Visibility::Inherited);
            add_use(&it.tree, &BTreeSet::new(), (module.0, is_seen), found);
        }
        _ => {}
    }
}

/// Adds the items among the statements of a body.
fn add_statements(statements: Vec<Stmt>, module: (&str, bool), found: &mut Vec<Mentions>) {
    for statement in statements {
        if let Stmt::Item(item) = statement {
            add(item, module, found);
        }
    }
}

/// Adds a macro by example. Code that writes the name of something that it makes uses it, and its calls.
fn add_macro(
    name: &syn::Ident,
    tokens: &TokenStream,
    words: &BTreeSet<String>,
    found: &mut Vec<Mentions>,
) {
    let gated = |names, words| Mentions {
        names,
        is_gated: is_gated_by(&words),
        words,
        ..Mentions::default()
    };
    found.push(Mentions {
        what: What::Macro,
        ..gated(vec![plain(name)], words.clone())
    });
    let mut made = Made::default();
    made.add(tokens.clone());
    let mut with_calls = words.clone();
    with_calls.insert(format!("{}!", plain(name)));
    let (declared, heads) = (made.declared.into_iter(), made.heads.into_iter());
    found.extend(declared.map(|word| gated(vec![word], with_calls.clone())));
    found.extend(heads.map(|word| Mentions {
        what: What::Alias,
        ..gated(vec![word], with_calls.clone())
    }));
}

/// Adds a call of a macro: what it makes has one of its words as a name, or one that the macro has.
fn add_call(
    name: &str,
    words: &BTreeSet<String>,
    of_type: Option<&String>,
    found: &mut Vec<Mentions>,
) {
    let names = words
        .iter()
        .filter(|word| *word != name && is_name(word))
        .cloned();
    for word in names.chain([format!("{name}!")]) {
        found.push(Mentions {
            names: vec![word],
            of_type: of_type.cloned(),
            words: words.clone(),
            is_gated: is_gated_by(words),
            ..Mentions::default()
        });
    }
}

fn is_gated_by(words: &BTreeSet<String>) -> bool {
    GATES.iter().any(|gate| words.contains(*gate))
}

fn is_name(word: &str) -> bool {
    !word.starts_with(|c: char| c.is_ascii_digit()) && !NO_NAMES.contains(&word)
}

/// What a macro makes: the names that follow a keyword and those that it passes on, and what its blocks are for.
#[derive(Default)]
struct Made {
    declared: BTreeSet<String>,
    heads: BTreeSet<String>,
}

impl Made {
    fn add(&mut self, tokens: TokenStream) {
        let (mut declares, mut calls) = (false, false);
        // Whether it is between `impl` or `fn` and its braces.
        let (mut in_head, mut in_signature) = (false, false);
        for tree in tokens {
            match tree {
                TokenTree::Ident(word) => {
                    let word = plain(&word);
                    if declares {
                        self.declared.insert(word.clone());
                    } else if in_head {
                        self.heads.insert(word.clone());
                    }
                    in_head |= word == "impl" && !in_signature;
                    in_signature |= word == "fn";
                    (declares, calls) = (DECLARING.contains(&&*word), false);
                }
                TokenTree::Group(group) => {
                    let is_braces = group.delimiter() == Delimiter::Brace;
                    if calls {
                        let words = words_of(&group.stream()).into_iter();
                        self.declared.extend(words.filter(|word| is_name(word)));
                    }
                    // The body of a function declares nothing for others.
                    if !(in_signature && is_braces) {
                        self.add(group.stream());
                    }
                    in_head &= !is_braces;
                    in_signature &= !is_braces;
                    (declares, calls) = (false, false);
                }
                TokenTree::Punct(mark) => (declares, calls) = (false, mark.as_char() == '!'),
                TokenTree::Literal(_) => (declares, calls) = (false, false),
            }
        }
    }
}

/// Adds a block: each item by its own name if only code that writes the name uses it, otherwise the block by its type.
fn add_block(block: &ItemImpl, words: BTreeSet<String>, found: &mut Vec<Mentions>) {
    let parameters: BTreeSet<String> = block
        .generics
        .type_params()
        .map(|it| plain(&it.ident))
        .collect();
    let of_type = match &*block.self_ty {
        Type::Path(path) => path.path.segments.last().map(|last| plain(&last.ident)),
        _ => None,
    };
    let of_type = of_type.filter(|name| !parameters.contains(name));
    let (attributes, generics, ty) = (&block.attrs, &block.generics, &block.self_ty);
    let bounds = &generics.where_clause;
    for item in &block.items {
        let (code, _) = code_of(&quote!(#(#attributes)* #generics #ty #bounds #item));
        let own = words_of(&quote!(#generics #ty #item));
        let name = match item {
            ImplItem::Fn(it) => &it.sig.ident,
            ImplItem::Const(it) => &it.ident,
            ImplItem::Type(it) => &it.ident,
            ImplItem::Macro(it) => {
                let name = it.mac.path.segments.last();
                let name = name.map_or_else(String::new, |last| plain(&last.ident));
                add_call(&name, &own, of_type.as_ref(), found);
                continue;
            }
            _ => continue,
        };
        let mut method = Mentions {
            names: vec![plain(name)],
            of_type: of_type.clone(),
            ..Mentions::default()
        };
        match block.trait_.is_some() {
            true => method.words = words.clone(),
            false => {
                (method.words, method.code) = (own, code.into());
            }
        }
        found.push(method);
    }
    // Operators, conversions, drops and derived code call methods of traits without their names.
    if let Some((path, _)) = &block.trait_
        && let Some(last) = path.segments.last()
    {
        let mut names = words_of(&block.self_ty);
        names.extend(words_of(&last.arguments));
        found.push(Mentions {
            names: names.difference(&parameters).cloned().collect(),
            of_trait: Some(plain(&last.ident)),
            words,
            ..Mentions::default()
        });
    }
}

fn alias(name: String, other: &syn::Ident) -> Mentions {
    Mentions {
        names: vec![name],
        words: BTreeSet::from([plain(other)]),
        what: What::Alias,
        ..Mentions::default()
    }
}

/// Adds what a `use` gives: new names, and names that other files see. `path` are the words before them.
fn add_use(
    tree: &UseTree,
    path: &BTreeSet<String>,
    module: (&str, bool),
    found: &mut Vec<Mentions>,
) {
    let with = |word: &syn::Ident| {
        let mut words = path.clone();
        words.insert(plain(word));
        words
    };
    let named = |name: String, words, what| Mentions {
        names: vec![name],
        words,
        what,
        ..Mentions::default()
    };
    match tree {
        UseTree::Path(inner) => add_use(&inner.tree, &with(&inner.ident), module, found),
        UseTree::Group(group) => {
            let trees = group.items.iter();
            trees.for_each(|tree| add_use(tree, path, module, found));
        }
        UseTree::Rename(rename) => {
            let original = plain(&rename.ident);
            if module.1 {
                found.push(alias(original.clone(), &rename.rename));
            }
            let words = with(&rename.ident);
            found.push(named(plain(&rename.rename), words, What::Rename(original)));
        }
        UseTree::Name(name) if module.1 => {
            found.push(named(plain(&name.ident), with(&name.ident), What::Other));
        }
        UseTree::Name(_) => {}
        UseTree::Glob(_) => found.push(named(module.0.to_owned(), path.clone(), What::Glob)),
    }
}

fn fields_of(of: &ItemStruct) -> Vec<Mentions> {
    let named = of.fields.iter().enumerate().map(|(index, field)| {
        let name = field.ident.as_ref();
        let (attributes, generics) = (&of.attrs, &of.generics);
        let (code, _) = code_of(&quote!(#(#attributes)* #generics #field));
        let (_, docs) = code_of(field);
        Mentions {
            names: vec![name.map_or_else(|| index.to_string(), plain)],
            words: words_of(&quote!(#(#attributes)* #field)),
            code: code.into(),
            docs: docs.into(),
            ..Mentions::default()
        }
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

    use super::{Mentions, mentions};

    fn found(text: &str) -> Vec<Mentions> {
        mentions(text, "here").unwrap()
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
            names("impl<T> From<B<T>> for &A { fn from() {} }"),
            ["from", "A B"]
        );
        assert_eq!(names("use a::{b as c, d, e::*};"), ["c", "here"]);
        assert_eq!(names("pub use a::b as c;"), ["b", "c"]);
        assert_eq!(names("pub use a::d;"), ["d"]);
        assert_eq!(names("type B = A;"), ["A", "B"]);
        assert_eq!(names("make!(A, f);"), ["A", "f", "make!", "here"]);
        assert_eq!(names("impl A { make!(f); }"), ["A", "f", "make!"]);
        assert_eq!(
            names("macro_rules! make { ($t:ty) => { fn f() {} impl A for $t { } inner!(g); } }"),
            ["make", "f", "g", "A", "for", "t"]
        );
        assert_eq!(
            names("const _: () = { impl A { fn m() {} } }; fn f() { impl A { fn n() {} } }"),
            ["_", "m", "f", "n"]
        );
    }

    #[test]
    fn words_in_strings_and_attributes_count() {
        let text =
            "#[serde(default = \"a::b\")] struct S { /** Doc */ #[x(y = \"c\")] f: d::E, g: u8 }";
        let item = &found(text)[0];
        for word in ["a", "b", "c", "d", "E", "serde"] {
            assert!(item.words.contains(word), "{word}");
        }
        let field = &item.fields[0];
        assert_eq!(field.names, ["f"]);
        assert!(["b", "c"].iter().all(|word| field.words.contains(*word)));
        assert!(!field.words.contains("g") && !item.words.contains("Doc"));
        assert!(field.docs.contains("Doc") && !field.code.contains("Doc"));
        assert_eq!(
            field.code,
            found(&text.replace(", g", ",\n // Why.\n h"))[0].fields[0].code
        );
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
