//! Merges the content of a conditional attribute into the unconditional one of the same name.

use super::edits::range;
use super::edits::{indentation, moved};
use super::gate_attributes::{Content, GatedPart, is_status};
use crate::Writer;
use crd_channels_markers::{Item, items};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::ops::Range;
use syn::{Attribute, LitStr, MacroDelimiter, Meta, MetaList};

/// Keys that replace each other because they set the same keyword.
const FAMILIES: [&[&str]; 2] = [
    &["regex", "pattern", "contains"],
    &["email", "url", "ip", "ipv4", "ipv6"],
];

/// Keys of `#[kube(..)]` that occur once; all others are added.
const KUBE_ONCE: [&str; 3] = ["deprecated", "doc", "scale"];

impl Writer<'_> {
    /// Unwraps the conditional attributes of one node.
    pub(super) fn unwrap(&mut self, attrs: &[Attribute], held: Vec<(&Attribute, GatedPart)>) {
        // If there is no attribute to merge into, all of one name become a new one, at the position of the first.
        let mut fresh: Vec<(String, Vec<&MetaList>)> = Vec::new();
        let mut docs = Vec::new();
        let Some((first, _)) = held.first() else {
            return;
        };
        let place = range(*first);
        let indent = self.indentation_at(place.start).to_owned();
        for (_, part) in &held {
            let GatedPart::Content(Content { docs: lines, lists }) = part else {
                continue;
            };
            docs.extend(lines.iter().cloned());
            for list in lists {
                let Some(name) = list.path.get_ident().map(ToString::to_string) else {
                    continue;
                };
                let targets: Vec<&MetaList> = attrs
                    .iter()
                    .filter(|attr| attr.path().is_ident(&name))
                    .filter_map(|attr| match &attr.meta {
                        Meta::List(list) => Some(list),
                        Meta::Path(_) | Meta::NameValue(_) => None,
                    })
                    .collect();
                if !targets.is_empty() {
                    self.merge(&name, &targets, list);
                } else if let Some((_, lists)) = fresh.iter_mut().find(|(known, _)| *known == name)
                {
                    lists.push(list);
                } else {
                    fresh.push((name, vec![list]));
                }
            }
        }
        let mut lines: Vec<String> = fresh
            .iter()
            .map(|(name, lists)| self.attribute(name, lists, &indent))
            .collect();
        let comments: Vec<String> = docs.iter().flat_map(|doc| self.comment(doc)).collect();
        if !comments.is_empty() {
            let known = attrs.iter().rfind(|attr| attr.path().is_ident("doc"));
            match (known, attrs.first()) {
                (Some(last), _) => {
                    let last = range(last);
                    let indent = self.indentation_at(last.start).to_owned();
                    let text: String = comments
                        .iter()
                        .map(|line| format!("\n{indent}{line}"))
                        .collect();
                    self.edits.insert(last.end, text);
                }
                (None, Some(top)) if range(top) != place => {
                    let text: String = comments
                        .iter()
                        .map(|line| format!("{line}\n{indent}"))
                        .collect();
                    self.edits.insert(range(top).start, text);
                }
                _ => lines.splice(0..0, comments).for_each(drop),
            }
        }
        for (nth, (attr, _)) in held.iter().enumerate() {
            if nth == 0 && !lines.is_empty() {
                let text = lines.join(&format!("\n{indent}"));
                self.edits.replace(place.clone(), text);
            } else {
                self.drop_attribute(attr);
            }
        }
    }

    /// A new attribute: a single list as it is written, or the items of several.
    fn attribute(&self, name: &str, lists: &[&MetaList], indent: &str) -> String {
        if let [only] = lists {
            let list = moved(self.text, range(only), only.to_token_stream(), indent);
            return format!("#[{list}]");
        }
        let inside = lists.iter().flat_map(|list| items(list, &mut Vec::new()));
        let texts =
            inside.map(|item| moved(self.text, range(&item), item.to_token_stream(), indent));
        format!("#[{name}({})]", Vec::from_iter(texts).join(", "))
    }

    /// Lines of documentation, each as a comment.
    fn comment(&self, doc: &LitStr) -> Vec<String> {
        let value = doc.value();
        if value.chars().any(|c| c.is_control() && c != '\n') {
            let written = self.text.get(range(doc)).unwrap_or_default();
            return vec![format!("#[doc = {written}]")];
        }
        let value = value.strip_prefix(' ').unwrap_or(&value);
        let comment = |line: &str| match line {
            "" => "///".to_owned(),
            line => format!("/// {line}"),
        };
        value.split('\n').map(comment).collect()
    }

    /// Merges the items of a list into the attributes of that name.
    fn merge(&mut self, name: &str, targets: &[&MetaList], list: &MetaList) {
        for new in items(list, &mut Vec::new()) {
            // The attribute has the type already.
            if is_status(name, &new) {
                continue;
            }
            let key = new.name().unwrap_or_default();
            let known: Vec<(Item, &MetaList)> = targets
                .iter()
                .flat_map(|target| {
                    let inside = items(target, &mut Vec::new());
                    inside.into_iter().map(|item| (item, *target))
                })
                .collect();
            let added = match name {
                "kube" => !KUBE_ONCE.contains(&key.as_str()),
                "x_kube" => true,
                _ => false,
            };
            if added {
                let text = new.to_token_stream().to_string();
                let twice = known
                    .iter()
                    .any(|(item, _)| item.to_token_stream().to_string() == text);
                if twice && key != "validation" {
                    continue;
                }
            }
            let same = known
                .iter()
                .find(|(item, _)| item.name().is_some_and(|known| alike(&known, &key)));
            match same.filter(|_| !added) {
                Some((old, _)) => self.lay_over(old, &new),
                None => {
                    if let Some(last) = targets.last() {
                        self.append(last, &new, range(&new));
                    }
                }
            }
        }
    }

    /// Merges the new item into the old one with the same key.
    fn lay_over(&mut self, old: &Item, new: &Item) {
        let name = new.name().unwrap_or_default();
        match (old, new) {
            (Item::List(below), Item::List(above)) if name == "inner" => {
                self.merge("inner", &[below], above);
            }
            (Item::List(below), Item::List(above)) if name == "extend" => {
                self.extend(below, above);
            }
            (Item::List(below), Item::List(above)) if matches!(&*name, "length" | "range") => {
                self.bounds(old, below, above);
            }
            _ => {
                let text = self.written(new, range(old).start);
                self.edits.replace(range(old), text);
            }
        }
    }

    /// Merges `length` and `range`: each bound is a keyword of its own, `equal` sets both.
    fn bounds(&mut self, old: &Item, below: &MetaList, above: &MetaList) {
        let (known, new) = (items(below, &mut Vec::new()), items(above, &mut Vec::new()));
        let named = |items: &[Item], name: &str| {
            let found = items
                .iter()
                .find(|item| item.name().as_deref() == Some(name));
            found.map(range)
        };
        let text = |range: Range<usize>| self.text.get(range).unwrap_or_default().to_owned();
        if named(&new, "equal").is_some() || named(&known, "equal").is_some() {
            let value = |items: &[Item], key: &str| {
                let found = items
                    .iter()
                    .find(|item| item.name().as_deref() == Some(key));
                match found {
                    Some(Item::Value(_, _, value)) => Some(text(range(value))),
                    _ => None,
                }
            };
            let bound = |key: &str| {
                let of = |items: &[Item]| value(items, key).or_else(|| value(items, "equal"));
                of(&new).or_else(|| of(&known))
            };
            let both = ["min", "max"].map(|key| bound(key).map(|value| (key, value)));
            let equal = value(&new, "equal").filter(|_| new.len() == 1);
            let inside: Vec<String> = match equal {
                Some(value) => vec![format!("equal = {value}")],
                None => both
                    .into_iter()
                    .flatten()
                    .map(|(key, value)| format!("{key} = {value}"))
                    .collect(),
            };
            let name = old.name().unwrap_or_default();
            self.edits
                .replace(range(old), format!("{name}({})", inside.join(", ")));
            return;
        }
        for item in &new {
            match named(&known, &item.name().unwrap_or_default()) {
                Some(place) => {
                    let text = self.written(item, place.start);
                    self.edits.replace(place, text);
                }
                None => self.append(below, item, range(item)),
            }
        }
    }

    /// Merges `extend`: each key is a keyword of its own, and values may be anything that `json!` accepts.
    fn extend(&mut self, below: &MetaList, above: &MetaList) {
        let known = pairs(below.tokens.clone());
        for (key, tokens) in pairs(above.tokens.clone()) {
            let own = range(&tokens);
            match known.iter().find(|(known, _)| *known == key) {
                Some((_, old)) => {
                    let place = range(old);
                    let text = self.written(&tokens, place.start);
                    self.edits.replace(place, text);
                }
                None => self.append(below, &tokens, own),
            }
        }
    }

    /// The source text of tokens, indented for another position.
    fn written(&self, tokens: &impl ToTokens, to: usize) -> String {
        let to = indentation(self.text, to);
        moved(self.text, range(tokens), tokens.to_token_stream(), to)
    }

    /// Appends an item to a list, in the list's own style.
    fn append(&mut self, list: &MetaList, tokens: &impl ToTokens, own: Range<usize>) {
        let span = match &list.delimiter {
            MacroDelimiter::Paren(paren) => paren.span,
            MacroDelimiter::Brace(brace) => brace.span,
            MacroDelimiter::Bracket(bracket) => bracket.span,
        };
        let open = span.open().byte_range().end;
        if list.tokens.is_empty() {
            let text = self.written(tokens, open);
            self.edits.insert(open, text);
            return;
        }
        let inside = range(&list.tokens);
        let between = self.text.get(open..inside.start).unwrap_or_default();
        let comma = list.tokens.clone().into_iter().last();
        let comma = matches!(comma, Some(TokenTree::Punct(punct)) if punct.as_char() == ',');
        let end = inside.end - usize::from(comma);
        let indent = indentation(self.text, inside.start);
        let text = moved(self.text, own, tokens.to_token_stream(), indent);
        let gap = if between.contains('\n') {
            format!(",\n{indent}")
        } else {
            ", ".to_owned()
        };
        self.edits.insert(end, format!("{gap}{text}"));
    }
}

/// Whether two keys set the same keyword.
fn alike(one: &str, other: &str) -> bool {
    let family = |family: &&[&str]| family.contains(&one) && family.contains(&other);
    one == other || FAMILIES.iter().any(family)
}

/// The entries between commas, each with its first token.
fn pairs(tokens: TokenStream) -> Vec<(String, TokenStream)> {
    let mut found: Vec<(String, TokenStream)> = Vec::new();
    let mut open: Option<(String, TokenStream)> = None;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => found.extend(open.take()),
            _ => {
                let key = || token.to_string();
                let (_, pair) = open.get_or_insert_with(|| (key(), TokenStream::new()));
                pair.extend([token]);
            }
        }
    }
    found.extend(open);
    found
}
