//! Published text that names removed parts, in backticks or in comments of rules.

use super::{Closure, Finding, MissingPart, field_path};
use crate::channel::gates::with_feature;
use crd_channels_check::cel;
use crd_channels_diagnostics::{Code, Span, Spanned, Text};
use crd_channels_schema::Schema;
use crd_channels_schema::draft::{Draft, KindFacets};
use std::collections::{BTreeSet, HashMap};

impl Closure<'_> {
    /// Checks all text of a schema, of columns and of the deprecation.
    pub(super) fn mentions(&mut self, projected: &Schema, facets: &KindFacets) {
        if self.missing.is_empty() {
            return;
        }
        let lost = std::mem::take(&mut self.missing);
        let mut by_name: HashMap<&str, Vec<&MissingPart>> = HashMap::new();
        for lost in &lost {
            by_name.entry(&*lost.name).or_default().push(lost);
        }
        let mut known: Option<BTreeSet<String>> = None;
        let mut look = |closure: &mut Self,
                        text: PublishedText<'_>,
                        holder: &dyn Fn(&Self) -> String,
                        span| {
            for name in text.names() {
                let Some(gone) = missing(name, &by_name) else {
                    continue;
                };
                let known = known.get_or_insert_with(|| present(projected));
                if !known.contains(&plain(name)) {
                    let holder = holder(closure);
                    closure.mention(&holder, span, name, gone);
                }
            }
        };
        for Spanned {
            value: column,
            span,
        } in &facets.columns
        {
            let texts = [
                ("name", Some(&column.name)),
                ("description", column.description.as_ref()),
            ];
            for (word, text) in texts {
                let Some(text) = text else { continue };
                let holder = |_: &Self| format!("the {word} of the column `{}`", column.name);
                look(self, PublishedText::Prose(text), &holder, Some(*span));
            }
        }
        if let Some(deprecated) = &facets.deprecated
            && let Some(text) = &deprecated.warning
        {
            let holder = |closure: &Self| {
                let Draft { kind, version, .. } = closure.draft;
                format!("the deprecation of `{kind}` {version}")
            };
            look(
                self,
                PublishedText::Prose(text),
                &holder,
                Some(deprecated.span),
            );
        }
        let mut open = vec![(String::new(), projected)];
        while let Some((path, node)) = open.pop() {
            for (word, text, span) in texts(node) {
                let holder = |closure: &Self| format!("the {word} {}", closure.show_path(&path));
                look(self, text, &holder, span);
            }
            for (name, child) in &node.properties {
                open.push((field_path(&path, name), child));
            }
            if let Some(items) = &node.items {
                open.push((format!("{path}[]"), items));
            }
            if let Some(values) = node.values() {
                open.push((format!("{path}{{}}"), values));
            }
        }
    }

    fn mention(&mut self, holder: &str, span: Option<Span>, name: &str, gone: &MissingPart) {
        let gate = gone.gate.and_then(|span| self.keepers.gate_at(span));
        let what = format!("{holder} names `{name}`");
        let help = match gate {
            Some(gate) => format!(
                "move the sentence into `#[{}]`",
                with_feature(gate, Some("doc = \"..\""))
            ),
            None => "move the sentence into `#[experimental(feature = \"..\", doc = \"..\")]`"
                .to_owned(),
        };
        self.report(Finding {
            code: Code::GatedName,
            span,
            what,
            name,
            of: gone.gate,
            gate,
            help,
        });
    }
}

/// A published text for people.
#[derive(Clone, Copy)]
enum PublishedText<'t> {
    Prose(&'t Text),
    /// Code, with text in string literals and comments.
    Expression(&'t Text),
}

impl<'t> PublishedText<'t> {
    /// Returns the names in the text: those in backticks, and words in comments that look like no English word.
    fn names(self) -> Vec<&'t str> {
        match self {
            Self::Prose(text) => quoted(text).collect(),
            Self::Expression(text) => {
                let comments = cel::comments(text).into_iter();
                quoted(text).chain(comments.flat_map(identifiers)).collect()
            }
        }
    }
}

/// Returns the texts of a node, each with its keyword and span.
fn texts(node: &Schema) -> impl Iterator<Item = (&'static str, PublishedText<'_>, Option<Span>)> {
    let of_node = node.origin.0;
    let docs = node.notes.as_ref();
    let docs = docs.and_then(|notes| notes.docs_description.as_ref());
    let own = [
        ("description of", node.description.as_ref()),
        ("title of", node.title.as_ref()),
        ("`externalDocs` of", docs),
    ];
    let own = own
        .into_iter()
        .filter_map(move |(word, text)| Some((word, PublishedText::Prose(text?), of_node)));
    let rules = node.rules.iter().flat_map(move |rule| {
        let span = rule.origin.0.or(of_node);
        let message = rule.message.as_ref().map(PublishedText::Prose);
        let expression = rule
            .message_expression
            .as_ref()
            .map(PublishedText::Expression);
        let all = [
            ("message of a rule on", message),
            ("`messageExpression` on", expression),
            (
                "text in a rule on",
                Some(PublishedText::Expression(&rule.rule)),
            ),
        ];
        all.into_iter()
            .filter_map(move |(word, text)| Some((word, text?, span)))
    });
    own.chain(rules)
}

/// The words in backticks.
fn quoted(text: &Text) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the words of a comment that look like names: after a dot, or with a capital, a digit or an underscore inside.
fn identifiers(comment: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = comment.split(move |c| !is_word(c));
    words.filter(move |word| {
        let mut inside = word.chars().skip(1);
        let odd = inside.any(|c| !c.is_lowercase());
        odd || comment.contains(&format!(".{word}"))
    })
}

/// Strips what paths have around names: brackets, quotes, a leading dot.
fn plain(word: &str) -> String {
    let word = word.replace("[]", "").replace("{}", "");
    let word = word.trim_start_matches('.').trim_matches(['"', '\'']);
    word.to_owned()
}

/// Returns the removed part of that name, or whose path ends with it.
fn missing<'l>(word: &str, lost: &HashMap<&str, Vec<&'l MissingPart>>) -> Option<&'l MissingPart> {
    let word = plain(word);
    let last = word.rsplit('.').next()?;
    let found = lost.get(last)?;
    found
        .iter()
        .copied()
        .find(|lost| ends_with(&plain(&lost.path), &word))
}

fn ends_with(path: &str, word: &str) -> bool {
    let rest = path.strip_suffix(word);
    rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Returns every path of a schema with all its suffixes: `spec.a.b`, `a.b`, `b`. Enum values count as names.
fn present(schema: &Schema) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open = vec![(String::new(), schema)];
    while let Some((path, node)) = open.pop() {
        let values = node.enum_values.iter().filter_map(|value| value.as_str());
        let names = node.properties.keys().map(|name| &**name);
        for name in names.chain(values) {
            let path = field_path(&path, name);
            let dots = path.match_indices('.').map(|(dot, _)| dot + 1);
            let endings = dots.filter_map(|start| path.get(start..).map(str::to_owned));
            all.extend(endings.collect::<Vec<_>>());
            all.insert(path);
        }
        for (name, child) in &node.properties {
            open.push((field_path(&path, name), child));
        }
        let inner = node.items.iter().chain(node.values());
        open.extend(inner.map(|inner| (path.clone(), &**inner)));
    }
    all
}
