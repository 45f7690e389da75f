//! The text of a file once a feature has graduated: what it gates holds always, what held without it is gone. Only the
//! bytes of attributes change; nothing is printed anew.

mod edits;
mod merge;
mod marks;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use super::lower_syn::span;
use super::parse;
use crate::diag::{Code, Diagnostic, FileId};
use crd_channels_markers::Extent;
use edits::{Edits, indentation, line_end, line_start};
use marks::{Mark, Says, marks};
use quote::ToTokens;
use std::ops::Range;
use syn::{Attribute, Fields, Item};

/// The text of a file after a feature has graduated, and what cannot be edited. No text where the file says nothing about
/// the feature.
///
/// # Errors
/// `syntax-error` or `nesting-too-deep`, where the text is not Rust.
pub fn graduate(
    text: &str,
    feature: &str,
    file: FileId,
) -> Result<(Option<String>, Vec<Diagnostic>), Box<Diagnostic>> {
    parse::look(text, file, |tree| {
        let mut writer = Writer {
            text,
            feature,
            file,
            edits: Edits::default(),
            problems: Vec::new(),
        };
        writer.items(&tree.items);
        let Writer {
            edits, problems, ..
        } = writer;
        ((!edits.is_empty()).then(|| edits.apply(text)), problems)
    })
}

/// The edits of one file.
struct Writer<'t> {
    text: &'t str,
    feature: &'t str,
    file: FileId,
    edits: Edits,
    problems: Vec<Diagnostic>,
}

/// What becomes of a node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fate {
    Stays,
    Goes,
}

/// The bytes of some tokens.
fn range(tokens: &impl ToTokens) -> Range<usize> {
    let extent = Extent::of(tokens);
    extent.start.byte_range().start..extent.end.byte_range().end
}

impl Writer<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => {
                    self.item(&item.attrs, &item.ident);
                    self.fields(&item.fields);
                }
                Item::Enum(item) => {
                    self.item(&item.attrs, &item.ident);
                    for variant in &item.variants {
                        match self.node(&variant.attrs) {
                            Fate::Stays => self.fields(&variant.fields),
                            Fate::Goes => self.remove(range(variant)),
                        }
                    }
                }
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items);
                    }
                }
                _ => {}
            }
        }
    }

    fn item(&mut self, attrs: &[Attribute], name: &syn::Ident) {
        if self.node(attrs) == Fate::Goes {
            self.cannot(
                name,
                format!("`{name}` is there only without the feature, and code may use it"),
                format!("remove `{name}` by hand first"),
            );
        }
    }

    fn fields(&mut self, fields: &Fields) {
        for field in fields {
            if self.node(&field.attrs) == Fate::Goes {
                self.remove(range(field));
            }
        }
    }

    /// Says what a person has to do before.
    fn cannot(&mut self, at: &impl ToTokens, message: String, help: String) {
        let extent = Extent::of(at);
        let mut place = span(self.file, extent.start);
        place.end = span(self.file, extent.end).end.max(place.end);
        let finding = Diagnostic::new(Code::GraduationUnclear, place, message);
        self.problems.push(finding.with_help(help));
    }

    /// Edits the attributes of one node.
    fn node(&mut self, attrs: &[Attribute]) -> Fate {
        let mut fate = Fate::Stays;
        let mut held: Vec<(&Attribute, Says)> = Vec::new();
        for attr in attrs {
            for mark in marks(attr) {
                if mark.feature != self.feature {
                    continue;
                }
                match (mark.within.clone(), mark.on, &mark.says) {
                    (None, false, Says::Node) => fate = Fate::Goes,
                    (None, true, Says::Node) | (None, false, Says::Content(_)) => {
                        self.drop_attribute(attr);
                    }
                    (None, true, Says::Content(_)) => held.push((attr, mark.says)),
                    (Some(_), false, Says::Node) => self.cannot(
                        attr,
                        "whether the node goes depends on a `cfg`".to_owned(),
                        "write the two cases as two nodes, each with its own `#[cfg(..)]`"
                            .to_owned(),
                    ),
                    (Some(place), ..) => self.within_cfg(attr, &place, &mark),
                }
            }
        }
        if fate == Fate::Stays && !held.is_empty() {
            self.unwrap(attrs, held);
        }
        fate
    }

    /// Removes an attribute, and its line where nothing else stands on it.
    fn drop_attribute(&mut self, attr: &Attribute) {
        let own = range(attr);
        self.edits.delete(self.with_line(own));
    }

    /// A range, with its lines where nothing else stands on them, else with the spaces behind it.
    fn with_line(&self, own: Range<usize>) -> Range<usize> {
        let start = line_start(self.text, own.start);
        let end = line_end(self.text, own.end);
        let blank = |range: Range<usize>| {
            let between = self.text.get(range).unwrap_or_default();
            between.chars().all(char::is_whitespace)
        };
        if blank(start..own.start) && blank(own.end..end) {
            return start..end;
        }
        let behind = self.text.get(own.end..).unwrap_or_default();
        let spaces = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        own.start..own.end + spaces
    }

    /// Removes a field or a variant, the comma and the comment behind it, and its lines.
    fn remove(&mut self, own: Range<usize>) {
        let behind = self.text.get(own.end..).unwrap_or_default();
        let gap = behind.len() - behind.trim_start().len();
        let comma = behind.trim_start().starts_with(',');
        let mut end = own.end + if comma { gap + 1 } else { 0 };
        let line = self.text.get(end..line_end(self.text, end));
        let line = line.unwrap_or_default().trim_end();
        if line.trim_start().starts_with("//") {
            end += line.len();
        }
        self.edits.delete(self.with_line(own.start..end));
    }

    /// Unwraps or removes one item of `#[cfg_attr(.., ..)]`.
    fn within_cfg(&mut self, attr: &Attribute, place: &marks::Within, mark: &Mark) {
        let content = match (&mark.says, mark.on) {
            (Says::Content(content), true) => content.texts(self.text),
            _ => Vec::new(),
        };
        if !content.is_empty() {
            self.edits.replace(place.item.clone(), content.join(", "));
        } else if place.alone {
            self.drop_attribute(attr);
        } else {
            self.edits.delete(place.before..place.item.end);
        }
    }

    /// The spaces before an attribute, for lines that follow it.
    fn indentation_at(&self, at: usize) -> &str {
        indentation(self.text, at)
    }
}
