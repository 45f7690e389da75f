//! Removes the gates of a feature from the text of a file. If the feature graduates, the gated items stay, and the items that
//! exist only without the feature are removed. If the feature is removed, it is the other way round. Only the bytes of the
//! gates change; the rest of the file is not reformatted.
#![doc = include_str!("../README.md")]

mod edits;
mod merge;
mod gate_attributes;
mod tombstones;
mod mentions;
mod status;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests;

use crd_channels_syntax::lower_syn::span;
use crd_channels_syntax::parse;

use crd_channels_diagnostics::{Code, Diagnostic, FileId, Span};
use crd_channels_markers::Extent;
use edits::{Edits, indentation, line_end, line_start, range};
use gate_attributes::{GateAttribute, GatedPart, gate_attributes};
pub use mentions::{Mention, MentionTarget, mentions};
use quote::ToTokens;
use std::ops::Range;
use syn::ext::IdentExt;
use syn::{Attribute, Fields, Ident, Item, ItemEnum, ItemStruct};
pub use tombstones::{NewTombstone, add_tombstones};

/// How a feature ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FeatureEnd {
    /// Gated items stay in every channel.
    Graduates,
    /// Gated items are removed.
    Goes,
}

/// A file without the gates of a feature.
#[derive(Debug, Default)]
pub struct UngatedFile {
    /// The new text; `None` if the file does not name the feature.
    pub text: Option<String>,
    /// The removed items.
    pub gone: Vec<RemovedItem>,
    /// The parts that cannot be edited.
    pub problems: Vec<Diagnostic>,
}

/// An item that is removed from the source, by its names in Rust.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RemovedItem {
    /// A field of a struct or of a variant.
    Field {
        /// The struct or the variant.
        of: String,
        /// The field.
        name: String,
    },
    /// A variant of an enum.
    Variant {
        /// The enum.
        of: String,
        /// The variant.
        name: String,
    },
    /// The type of a version of a kind.
    Kind {
        /// The type.
        name: String,
        /// The span of its name.
        span: Span,
    },
}

/// Removes the gates of a feature from the text of a file.
///
/// # Errors
/// `syntax-error` or `nesting-too-deep` if the text is not Rust.
pub fn ungate(
    text: &str,
    feature: &str,
    end: FeatureEnd,
    file: FileId,
) -> Result<UngatedFile, Box<Diagnostic>> {
    parse::look(text, file, |tree| {
        let mut writer = Writer {
            text,
            feature,
            end,
            file,
            edits: Edits::default(),
            gone: Vec::new(),
            problems: Vec::new(),
        };
        writer.items(&tree.items);
        let Writer {
            edits,
            gone,
            problems,
            ..
        } = writer;
        UngatedFile {
            text: (!edits.is_empty()).then(|| edits.apply(text)),
            gone,
            problems,
        }
    })
}

/// The edits of one file.
struct Writer<'t> {
    text: &'t str,
    feature: &'t str,
    end: FeatureEnd,
    file: FileId,
    edits: Edits,
    gone: Vec<RemovedItem>,
    problems: Vec<Diagnostic>,
}

/// Whether a node stays.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fate {
    Stays,
    Goes,
}

impl Writer<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => self.structure(item),
                Item::Enum(item) => self.variants(item),
                Item::Mod(item) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items);
                    }
                }
                _ => {}
            }
        }
    }

    /// Edits the attributes of a type. The type of a kind is removed as a whole; any other type stays, since code may use it.
    fn item(&mut self, attrs: &[Attribute], name: &Ident, own: Range<usize>) -> Fate {
        if self.node(attrs) == Fate::Stays {
            return Fate::Stays;
        }
        if self.end == FeatureEnd::Graduates {
            self.cannot(
                name,
                format!("`{name}` exists only without the feature, and code may use it"),
                format!("remove `{name}` by hand first"),
            );
            return Fate::Stays;
        }
        if attrs.iter().any(|attr| attr.path().is_ident("kube")) {
            let span = span(self.file, name.span());
            let name = name.to_string();
            self.gone.push(RemovedItem::Kind { name, span });
            self.remove(own);
            return Fate::Goes;
        }
        for attr in attrs {
            if gate_attributes(attr)
                .iter()
                .any(|gate| gate.feature == self.feature)
            {
                self.drop_attribute(attr);
            }
        }
        Fate::Stays
    }

    fn structure(&mut self, item: &ItemStruct) {
        if self.item(&item.attrs, &item.ident, range(item)) == Fate::Stays {
            self.fields(&item.fields, &item.ident);
        }
    }

    fn variants(&mut self, item: &ItemEnum) {
        if self.item(&item.attrs, &item.ident, range(item)) == Fate::Goes {
            return;
        }
        for variant in &item.variants {
            match self.node(&variant.attrs) {
                Fate::Stays => self.fields(&variant.fields, &variant.ident),
                Fate::Goes => {
                    let (of, name) = (item.ident.to_string(), variant.ident.to_string());
                    self.gone.push(RemovedItem::Variant { of, name });
                    self.remove(range(variant));
                }
            }
        }
    }

    fn fields(&mut self, fields: &Fields, of: &Ident) {
        for field in fields {
            if self.node(&field.attrs) == Fate::Goes {
                if let Some(name) = &field.ident {
                    let (of, name) = (of.to_string(), name.unraw().to_string());
                    self.gone.push(RemovedItem::Field { of, name });
                }
                self.remove(range(field));
            }
        }
    }

    /// Reports what a person has to do first.
    fn cannot(&mut self, at: &impl ToTokens, message: String, help: String) {
        let extent = Extent::of(at);
        let mut place = span(self.file, extent.start);
        place.end = span(self.file, extent.end).end.max(place.end);
        let finding = Diagnostic::new(Code::EditUnclear, place, message);
        self.problems.push(finding.with_help(help));
    }

    /// Edits the attributes of one node.
    fn node(&mut self, attrs: &[Attribute]) -> Fate {
        let mut fate = Fate::Stays;
        let mut held: Vec<(&Attribute, GatedPart)> = Vec::new();
        for attr in attrs {
            for gate in gate_attributes(attr) {
                if gate.feature != self.feature {
                    continue;
                }
                let holds = self.holds(&gate);
                let has_status = match &gate.part {
                    GatedPart::Node => false,
                    GatedPart::Content(content) => content.has_status(),
                };
                if has_status && gate.within.is_some() {
                    self.cannot(
                        attr,
                        "the gate of the status depends on a `cfg`".to_owned(),
                        "write the two cases as two types, each with its own `#[cfg(..)]`"
                            .to_owned(),
                    );
                    continue;
                }
                if has_status && !holds {
                    self.remove_status(attrs);
                }
                match (gate.within.clone(), holds, &gate.part) {
                    (None, false, GatedPart::Node) => fate = Fate::Goes,
                    (None, true, GatedPart::Node) | (None, false, GatedPart::Content(_)) => {
                        self.drop_attribute(attr);
                    }
                    (None, true, GatedPart::Content(_)) => held.push((attr, gate.part)),
                    (Some(_), false, GatedPart::Node) => self.cannot(
                        attr,
                        "the removal of the node depends on a `cfg`".to_owned(),
                        "write the two cases as two nodes, each with its own `#[cfg(..)]`"
                            .to_owned(),
                    ),
                    (Some(place), ..) => self.within_cfg(attr, &place, &gate),
                }
            }
        }
        if fate == Fate::Stays && !held.is_empty() {
            self.unwrap(attrs, held);
        }
        fate
    }

    /// Whether the gated part stays.
    fn holds(&self, gate: &GateAttribute) -> bool {
        gate.on == (self.end == FeatureEnd::Graduates)
    }

    /// Removes an attribute, and its line if that has nothing else.
    fn drop_attribute(&mut self, attr: &Attribute) {
        let own = range(attr);
        self.edits.delete(self.with_line(own));
    }

    /// Extends a range to whole lines if they have nothing else, otherwise by the spaces after it.
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

    /// Removes a field or a variant, with the comma and the comment after it, and its lines.
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
        self.edits.remove(self.with_line(own.start..end));
    }

    /// Unwraps or removes one item of `#[cfg_attr(.., ..)]`.
    fn within_cfg(
        &mut self,
        attr: &Attribute,
        place: &gate_attributes::CfgItem,
        gate: &GateAttribute,
    ) {
        let content = match (&gate.part, self.holds(gate)) {
            (GatedPart::Content(content), true) => content.texts(self.text),
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

    /// The indentation of an attribute, for the lines that follow it.
    fn indentation_at(&self, at: usize) -> &str {
        indentation(self.text, at)
    }
}
