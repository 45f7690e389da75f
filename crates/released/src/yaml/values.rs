//! Builds the JSON that kubectl makes from nodes.

use super::nodes::{NodeContent, Nodes, Style, TOO_DEEP, YamlNode};
use super::scalars::{self, Scalar};
use super::{Wrong, place};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The maximum nesting of collections, including the targets of aliases.
const DEEPEST: usize = 256;

/// The maximum amount of text that aliases may copy, in bytes.
const MOST_COPIED: usize = 1 << 28;

const MERGE: &str = "tag:yaml.org,2002:merge";

/// Returns the value of a document.
pub(super) fn document_value(nodes: &Nodes<'_>, text: &str) -> Result<Value, Wrong> {
    match nodes.root() {
        Some(root) => Builder::new(nodes, text).value(root),
        None => Ok(Value::Null),
    }
}

struct Builder<'n> {
    nodes: &'n Nodes<'n>,
    text: &'n str,
    depth: usize,
    /// The targets of the aliases that are being followed.
    followed: Vec<usize>,
    /// The number of nodes read, and of those read through aliases.
    read: usize,
    repeated: usize,
    copied: usize,
}

impl<'n> Builder<'n> {
    fn new(nodes: &'n Nodes<'n>, text: &'n str) -> Self {
        Self {
            nodes,
            text,
            depth: 0,
            followed: Vec::new(),
            read: 1,
            repeated: 0,
            copied: 0,
        }
    }

    fn value(&mut self, node: usize) -> Result<Value, Wrong> {
        let Some(found) = self.nodes.get(node) else {
            return Ok(Value::Null);
        };
        self.count(found)?;
        match &found.inside {
            NodeContent::Scalar(..) => {
                let value = self.scalar(found)?.into_value();
                value.map_err(|message| Wrong::new(found.at.start, message))
            }
            NodeContent::Alias(target) => self.followed(found, *target, Self::value),
            NodeContent::Items(items) => self.nested(found, |builder| {
                let items = items.iter().map(|item| builder.value(*item));
                items.collect::<Result<_, _>>().map(Value::Array)
            }),
            NodeContent::Fields(fields) => self.nested(found, |builder| builder.fields(fields)),
        }
    }

    /// Limits the expansion of aliases as kubectl does.
    fn count(&mut self, node: &YamlNode<'_>) -> Result<(), Wrong> {
        self.read += 1;
        self.repeated += usize::from(!self.followed.is_empty());
        let many = self.repeated > 100 && self.read > 1000;
        if many && self.repeated * 100 > self.read * most_repeated(self.read) {
            return Err(Wrong::new(node.at.start, "aliases repeat too much"));
        }
        Ok(())
    }

    fn nested<T>(
        &mut self,
        node: &YamlNode<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, Wrong>,
    ) -> Result<T, Wrong> {
        if self.depth == DEEPEST {
            return Err(Wrong::new(node.at.start, TOO_DEEP));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn followed<T>(
        &mut self,
        alias: &YamlNode<'_>,
        target: usize,
        read: impl FnOnce(&mut Self, usize) -> Result<T, Wrong>,
    ) -> Result<T, Wrong> {
        if self.followed.contains(&target) {
            return Err(Wrong::new(
                alias.at.start,
                "the alias refers to a node that contains it",
            ));
        }
        self.followed.push(target);
        let value = self.nested(alias, |builder| read(builder, target));
        self.followed.pop();
        value
    }

    fn scalar(&mut self, node: &'n YamlNode<'n>) -> Result<Scalar<'n>, Wrong> {
        let NodeContent::Scalar(content, style) = &node.inside else {
            return Ok(Scalar::Null);
        };
        if !self.followed.is_empty() {
            self.copied += content.len();
            if self.copied > MOST_COPIED {
                return Err(Wrong::new(node.at.start, "aliases repeat too much text"));
            }
        }
        if *style == Style::DoubleQuoted {
            escapes(
                self.text.get(node.at.clone()).unwrap_or_default(),
                node.at.start,
            )?;
        }
        let resolved = match node.tag.as_deref() {
            None if *style == Style::Plain => Ok(scalars::resolve_plain(content)),
            None | Some("!") => Ok(Scalar::Text(content.as_ref().into())),
            Some(tag) => scalars::tagged(tag, content),
        };
        resolved.map_err(|message| Wrong::new(node.at.start, message))
    }

    fn fields(&mut self, fields: &'n [(usize, usize)]) -> Result<Value, Wrong> {
        let mut map = Map::new();
        // Fields that come from a merge may be overwritten.
        let mut own: HashMap<String, usize> = HashMap::new();
        for (key, value) in fields {
            if self.nodes.get(*key).is_some_and(is_merge) {
                self.merge(*value, &mut map)?;
                continue;
            }
            let name = self.name(*key)?;
            let value = self.value(*value)?;
            if let Some(first) = own.insert(name.clone(), *key) {
                return Err(self.given_twice(&name, first, *key));
            }
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }

    fn name(&mut self, key: usize) -> Result<String, Wrong> {
        let Some(found) = self.nodes.get(key) else {
            return Ok(String::new());
        };
        self.count(found)?;
        match &found.inside {
            NodeContent::Scalar(..) => {
                let name = self.scalar(found)?.into_key();
                name.map_err(|message| Wrong::new(found.at.start, message))
            }
            NodeContent::Alias(target) => self.followed(found, *target, Self::name),
            NodeContent::Items(_) | NodeContent::Fields(_) => Err(Wrong::new(
                found.at.start,
                "a key must be a scalar, not a list or a mapping",
            )),
        }
    }

    fn given_twice(&self, name: &str, first: usize, second: usize) -> Wrong {
        let at = |key| self.nodes.get(key).map_or(0, |found| found.at.start);
        let first = place(self.text, at(first));
        let message = format!(
            "the key `{name}` is given twice, first at {first}; kubectl silently takes the last one, remove one of them"
        );
        Wrong::new(at(second), message)
    }

    /// Adds the fields that `<<` names. The first of several mappings takes precedence.
    fn merge(&mut self, value: usize, map: &mut Map<String, Value>) -> Result<(), Wrong> {
        let Some(found) = self.nodes.get(value) else {
            return Ok(());
        };
        let merged = match &found.inside {
            NodeContent::Items(items) => items.iter().rev().copied().collect(),
            _ => vec![value],
        };
        for node in merged {
            match self.value(node)? {
                Value::Object(fields) if !self.is_list(node) => map.extend(fields),
                _ => {
                    return Err(Wrong::new(
                        found.at.start,
                        "`<<` takes a mapping or a list of mappings",
                    ));
                }
            }
        }
        Ok(())
    }

    fn is_list(&self, node: usize) -> bool {
        let inside = self.nodes.get(node).map(|node| &node.inside);
        matches!(inside, Some(NodeContent::Items(_)))
    }
}

fn is_merge(key: &YamlNode<'_>) -> bool {
    match (&key.inside, key.tag.as_deref()) {
        (NodeContent::Scalar(content, style), None) => content == "<<" && *style == Style::Plain,
        (NodeContent::Scalar(content, _), Some(MERGE | "!")) => content == "<<",
        _ => false,
    }
}

/// The maximum percentage of nodes that may come from aliases.
fn most_repeated(read: usize) -> usize {
    const FEW: usize = 400_000;
    const MANY: usize = 4_000_000;
    match read {
        ..=FEW => 99,
        MANY.. => 10,
        between => 99 - 89 * (between - FEW) / (MANY - FEW),
    }
}

/// Refuses escapes that JSON has and YAML 1.1 lacks.
fn escapes(written: &str, at: usize) -> Result<(), Wrong> {
    let mut rest = written;
    let mut offset = at;
    while let Some(found) = rest.find('\\') {
        let behind = rest.get(found + 1..).unwrap_or_default();
        let place = offset + found;
        if behind.starts_with('/') {
            return Err(Wrong::new(place, "YAML has no escape `\\/`; write `/`"));
        }
        if is_surrogate(behind) {
            let message =
                "a character above U+FFFF needs one escape of eight digits, as \"\\U0001f600\"";
            return Err(Wrong::new(place, message));
        }
        let escaped = behind.chars().next().map_or(0, char::len_utf8);
        offset = place + 1 + escaped;
        rest = behind.get(escaped..).unwrap_or_default();
    }
    Ok(())
}

fn is_surrogate(escape: &str) -> bool {
    let digits = escape.strip_prefix('u').and_then(|behind| behind.get(..4));
    let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.is_some_and(|code| (0xd800..0xe000).contains(&code))
}
