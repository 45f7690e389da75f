//! The nodes of a text with their ranges, before their values are built.

use super::edited::Edited;
use super::scalars::{self, Scalar};
use super::{Wrong, breaks};
use granit_parser::{
    ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, StructureStyle, Tag, options,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

pub(super) const TOO_DEEP: &str = "collections are nested too deep, more than 256 levels";

/// The nodes of a document, which refer to each other by index.
#[derive(Default)]
pub(crate) struct Nodes<'t> {
    all: Vec<YamlNode<'t>>,
    root: Option<usize>,
}

/// Takes the nodes of a document.
pub(crate) type Deliver<'d> = &'d mut dyn FnMut(Nodes<'_>) -> Result<(), Wrong>;

/// A node.
pub(crate) struct YamlNode<'t> {
    /// Its range, in bytes.
    pub(crate) at: Range<usize>,
    pub(crate) inside: NodeContent<'t>,
    /// The whole tag, such as `tag:yaml.org,2002:int`, if it has one.
    pub(super) tag: Option<String>,
}

/// The content of a node.
pub(crate) enum NodeContent<'t> {
    Scalar(Cow<'t, str>, Style),
    Items(Vec<usize>),
    /// Keys and values.
    Fields(Vec<(usize, usize)>),
    /// Another node.
    Alias(usize),
}

/// The style of a scalar, as far as it matters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    DoubleQuoted,
    Other,
}

/// A collection whose end was not read yet.
struct Open {
    node: usize,
    /// The key whose value is next.
    key: Option<usize>,
    /// Whether it is in brackets or braces.
    flow: bool,
}

#[derive(Default)]
struct Reader<'t> {
    nodes: Nodes<'t>,
    documents: usize,
    open: Vec<Open>,
    anchors: HashMap<usize, usize>,
    /// The offsets at which quoted text begins.
    quoted: Vec<usize>,
}

/// What was read of a text.
pub(super) struct Attempt {
    /// The number of whole documents.
    pub(super) documents: usize,
    /// The offsets at which quoted text begins.
    pub(super) quoted: Vec<usize>,
    /// The reason for which the text was not read to its end.
    pub(super) failed: Option<Wrong>,
}

impl<'t> Nodes<'t> {
    /// Parses a text whose lines end, and are indented, as YAML 1.2 wants it.
    pub(super) fn attempt(text: &str, deliver: Deliver<'_>) -> Attempt {
        let mut reader = Reader::default();
        let failed = reader.read(text, deliver).err();
        Attempt {
            documents: reader.documents,
            quoted: reader.quoted,
            failed,
        }
    }

    /// The nodes with their ranges in the text before it was edited.
    pub(super) fn moved<'n>(self, edited: &Edited<'_>) -> Nodes<'n> {
        let all = self.all.into_iter().map(|node| YamlNode {
            at: edited.before(node.at.start)..edited.before(node.at.end),
            inside: node.inside.into_owned(),
            tag: node.tag,
        });
        Nodes {
            all: all.collect(),
            root: self.root,
        }
    }

    /// Returns the node with the given index.
    pub(crate) fn get(&self, node: usize) -> Option<&YamlNode<'t>> {
        self.all.get(node)
    }

    /// Returns the root, unless the document is null. An empty document is null.
    pub(crate) fn root(&self) -> Option<usize> {
        self.root.filter(|root| !self.is_null(*root))
    }

    fn is_null(&self, node: usize) -> bool {
        let node = self.get(node).filter(|node| node.tag.is_none());
        let Some(NodeContent::Scalar(content, Style::Plain)) = node.map(|node| &node.inside) else {
            return false;
        };
        scalars::resolve_plain(content) == Scalar::Null
    }
}

impl NodeContent<'_> {
    fn into_owned<'n>(self) -> NodeContent<'n> {
        match self {
            Self::Scalar(text, style) => NodeContent::Scalar(text.into_owned().into(), style),
            Self::Items(items) => NodeContent::Items(items),
            Self::Fields(fields) => NodeContent::Fields(fields),
            Self::Alias(target) => NodeContent::Alias(target),
        }
    }
}

impl<'t> Reader<'t> {
    fn read(&mut self, text: &'t str, deliver: Deliver<'_>) -> Result<(), Wrong> {
        let options = options! {
            disallow_directives: true,
            emit_anchor_events: true,
            emit_comments: false,
        };
        for event in Parser::new_from_str_with_options(text, options) {
            let (event, span) = event.map_err(|error| syntax(&error))?;
            if event.is_node() {
                self.is_read_alike(&event, &span, text)?;
            }
            let is_end = matches!(event, Event::DocumentEnd);
            self.take(event, bytes(&span), text)?;
            if is_end {
                self.documents += 1;
                self.anchors.clear();
                deliver(std::mem::take(&mut self.nodes))?;
            }
        }
        Ok(())
    }

    fn take(&mut self, event: Event<'t>, at: Range<usize>, text: &str) -> Result<(), Wrong> {
        match event {
            Event::DocumentStart(explicit, _) => self.begin(explicit, at.start, text)?,
            Event::Alias(anchor) => {
                if let Some(node) = self.anchors.get(&anchor) {
                    self.add(NodeContent::Alias(*node), None, 0, at);
                }
            }
            Event::Anchor(_, name) => named_plainly(&name, at.start)?,
            Event::Scalar(content, style, anchor, tag) => {
                if matches!(style, ScalarStyle::DoubleQuoted | ScalarStyle::SingleQuoted) {
                    self.quoted.push(at.start);
                }
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let written = text.get(at.clone()).unwrap_or_default();
                let joined =
                    breaks::joined(&content, written, is_block || self.is_key(), at.start)?;
                let content = joined.map_or(content, Cow::Owned);
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
                    _ => Style::Other,
                };
                self.add(NodeContent::Scalar(content, style), tag, anchor, at);
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.enter(style, NodeContent::Items(Vec::new()), tag, anchor, at);
            }
            Event::MappingStart(style, anchor, tag) => {
                self.enter(style, NodeContent::Fields(Vec::new()), tag, anchor, at);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                self.open.pop();
            }
            _ => {}
        }
        Ok(())
    }

    /// kubectl splits a text at the lines that begin with `---`, and reads the first document of each part.
    fn begin(&self, explicit: bool, at: usize, text: &str) -> Result<(), Wrong> {
        let starts_line = text.get(..at).is_none_or(|before| before.ends_with('\n'));
        if self.documents == 0 || (explicit && starts_line) {
            return Ok(());
        }
        let message = "kubectl ignores this document; begin it with a line `---`";
        Err(Wrong::new(at, message))
    }

    /// Refuses syntax that YAML 1.1 reads differently than YAML 1.2.
    fn is_read_alike(&self, event: &Event<'t>, span: &Span, text: &str) -> Result<(), Wrong> {
        let at = bytes(span);
        let behind = |at: usize| text.get(at..).unwrap_or_default();
        if !self.open.last().is_some_and(|open| open.flow) {
            return if is_behind_tab(text, at.start) {
                let message = "tabs are not allowed before this; write spaces";
                Err(Wrong::new(at.start, message))
            } else {
                Ok(())
            };
        }
        let plain = matches!(event, Event::Scalar(_, ScalarStyle::Plain, ..));
        let starts = plain && behind(at.start).starts_with(['?', ':']) && !at.is_empty();
        let ends = plain
            && [":,", ":]", ":}"]
                .iter()
                .any(|end| behind(at.end).starts_with(end));
        let tag = span.tag_span();
        let tagged = tag.filter(|tag| behind(bytes(tag).end).starts_with([',', ']', '}']));
        if starts || ends || tagged.is_some() {
            let at = tagged.map_or(at, |tag| bytes(&tag));
            let message =
                "kubectl reads this differently inside brackets and braces; write it in quotes";
            return Err(Wrong::new(at.start, message));
        }
        Ok(())
    }

    fn enter(
        &mut self,
        style: StructureStyle,
        inside: NodeContent<'t>,
        tag: Tagged<'_>,
        anchor: usize,
        at: Range<usize>,
    ) {
        let node = self.add(inside, tag, anchor, at);
        let flow = style == StructureStyle::Flow || self.open.last().is_some_and(|open| open.flow);
        self.open.push(Open {
            node,
            key: None,
            flow,
        });
    }

    fn add(
        &mut self,
        inside: NodeContent<'t>,
        tag: Tagged<'_>,
        anchor: usize,
        at: Range<usize>,
    ) -> usize {
        let node = self.nodes.all.len();
        let tag = tag.map(|tag| format!("{}{}", tag.handle(), tag.suffix()));
        self.nodes.all.push(YamlNode { at, inside, tag });
        if anchor != 0 {
            self.anchors.insert(anchor, node);
        }
        self.place(node);
        node
    }

    /// Whether the next node is a key.
    fn is_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            let parent = self.nodes.get(open.node).map(|parent| &parent.inside);
            open.key.is_none() && matches!(parent, Some(NodeContent::Fields(_)))
        })
    }

    /// Adds a node to its parent.
    fn place(&mut self, node: usize) {
        let Some(open) = self.open.last_mut() else {
            self.nodes.root = Some(node);
            return;
        };
        let parent = self.nodes.all.get_mut(open.node);
        match parent.map(|parent| &mut parent.inside) {
            Some(NodeContent::Items(items)) => items.push(node),
            Some(NodeContent::Fields(fields)) => match open.key.take() {
                Some(key) => fields.push((key, node)),
                None => open.key = Some(node),
            },
            _ => {}
        }
    }
}

type Tagged<'a> = Option<Cow<'a, Tag>>;

/// Whether only dashes and indentation with a tab precede a node.
fn is_behind_tab(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.contains('\t') && line.chars().all(|c| matches!(c, ' ' | '\t' | '-' | '?'))
}

/// Refuses names of anchors that kubectl would end at another character.
fn named_plainly(name: &str, at: usize) -> Result<(), Wrong> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.chars().all(plain) {
        return Ok(());
    }
    let message =
        format!("the anchor `&{name}` has characters other than letters, digits, `-` and `_`");
    Err(Wrong::new(at, message))
}

fn bytes(span: &Span) -> Range<usize> {
    let start = span.start.byte_offset().unwrap_or_default();
    start..span.end.byte_offset().unwrap_or(start).max(start)
}

/// Describes a syntax error.
fn syntax(error: &ScanError) -> Wrong {
    let message = match error.kind() {
        ErrorKind::DirectiveDisallowed => {
            "kubectl rejects lines that begin with `%`; remove the line".to_owned()
        }
        ErrorKind::RecursionLimitExceeded => TOO_DEEP.to_owned(),
        _ => error.info(),
    };
    let at = error.marker().byte_offset().unwrap_or_default();
    Wrong {
        of_quotes: matches!(
            error.kind(),
            ErrorKind::InvalidQuotedScalarIndent
                | ErrorKind::DocumentIndicatorInQuotedScalar
                | ErrorKind::UnclosedQuotedScalar
                | ErrorKind::InvalidTrailingSingleQuotedScalar
                | ErrorKind::InvalidTrailingDoubleQuotedScalar
        ),
        of_indentation: matches!(
            error.kind(),
            ErrorKind::InvalidQuotedScalarIndent | ErrorKind::TabInIndentation
        ),
        ..Wrong::new(at, message)
    }
}
