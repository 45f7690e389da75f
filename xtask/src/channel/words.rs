//! Text of a channel that names, in backticks, a field or value that the channel does not have.

use super::nodes::{Node, walk};
use crate::Text;
use crate::diag::{Code, Diagnostic, Sink};
use crate::render::Selection;
use crate::schema::Schema;
use crate::schema::draft::Draft;
use std::collections::BTreeSet;

/// The names that a channel does not have.
#[derive(Debug, Default)]
pub(super) struct Words(BTreeSet<Text>);

/// The serialized names that a draft has only outside the channel. A name that also stands for something inside is none.
pub(super) fn gated_names(draft: &Draft, selection: Selection<'_>) -> Words {
    let mut gone: BTreeSet<Text> = BTreeSet::new();
    let mut there: BTreeSet<Text> = BTreeSet::new();
    walk(draft, &mut |node, around| {
        let (name, gate) = match node {
            Node::Type(_) => return true,
            Node::Field(field) => (&field.name, field.gate.as_ref()),
            Node::Variant(variant) => (&variant.name, variant.gate.as_ref()),
        };
        let kept = around.iter().all(|gate| selection.holds(gate)) && selection.keeps(gate);
        if kept { &mut there } else { &mut gone }.insert(name.clone());
        true
    });
    Words(gone.difference(&there).cloned().collect())
}

impl Words {
    /// Reports the texts of one node that name what is gone.
    pub(super) fn check(&self, channel: &str, node: &Schema, sink: &mut Sink) {
        if self.0.is_empty() {
            return;
        }
        let description = node
            .description
            .iter()
            .map(|text| (text, "description", node.origin.0));
        let messages = node
            .rules
            .iter()
            .filter_map(|rule| Some((rule.message.as_ref()?, "message", rule.origin.0)));
        for (text, what, span) in description.chain(messages) {
            for name in quoted(text).filter(|name| self.0.contains(*name)) {
                let message = format!("the {what} names `{name}`, which channel `{channel}` lacks");
                let help = "put the sentence into `#[experimental(doc = \"..\")]`, or name something that every channel has";
                sink.push(Diagnostic::new(Code::GatedName, span, message).with_help(help));
            }
        }
    }
}

/// The last names of the paths that stand in backticks: of `` `spec.timeouts.request` `` it is `request`.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).map(|path| {
        path.rsplit('.')
            .next()
            .unwrap_or(path)
            .trim_end_matches("[]")
    })
}
