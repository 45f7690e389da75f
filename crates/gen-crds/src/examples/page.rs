//! The page that shows the examples of a workspace.

use super::place::Expectation;
use super::read::{Example, reason};
use crate::type_meta::TypeMeta;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{Disk, Read};
use crd_channels_generator::pipeline::Setup;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The first line of the page.
const HEAD: &str =
    "<!-- Written by `gen-crds` from the examples; do not edit: the next run overwrites it. -->\n";

/// Returns the configured page: its path below the workspace and its text. `None`, with an error reported, if it would replace
/// a file that something else has written.
pub fn file(setup: &Setup, examples: &[Example], sink: &mut Sink) -> Option<(String, String)> {
    let bundle = &setup.config.bundle;
    let path = bundle.examples_page.as_ref()?;
    let there = Disk.read(&setup.workspace.root.join(&*path.value));
    let there = there.unwrap_or_default();
    if !there.trim_ascii().is_empty() && !there.starts_with(HEAD.as_bytes()) {
        let message = format!("`{}` was not written by `gen-crds`", path.value);
        let finding = Diagnostic::new(Code::ConfigInvalid, path.span, message);
        sink.push(finding.with_help("choose another file, or empty this one"));
        return None;
    }
    Some((path.value.to_string(), page_text(examples)))
}

/// Returns the text of the page.
fn page_text(examples: &[Example]) -> String {
    let mut kinds: BTreeMap<&str, Vec<&Example>> = BTreeMap::new();
    for example in examples {
        kinds.entry(&example.place.kind).or_default().push(example);
    }
    let mut page = format!(
        "{HEAD}\n# Examples\n\nObjects that the CRDs accept, and some that they reject, with the reason.\n"
    );
    for (folder, mut examples) in kinds {
        let first = examples.first().map(|example| example.type_meta().kind);
        let kind = first.unwrap_or(folder);
        let _ = write!(page, "\n## {kind}\n");
        examples.sort_by_key(|example| example.place.fate);
        for example in examples {
            show(example, &mut page);
        }
    }
    page
}

/// Adds an example: the comment at its top as prose, the rest unchanged.
fn show(example: &Example, page: &mut String) {
    let refused = match example.place.fate {
        Expectation::Accepted => "",
        Expectation::Rejected => ", rejected",
    };
    let _ = write!(page, "\n### {}{refused}\n", example.title());
    if let Some(channel) = &example.place.channel {
        let _ = write!(page, "\nIn the channel `{channel}`.\n");
    }
    let (comment, yaml) = head(&example.text);
    let prose = prose(&comment);
    if !prose.is_empty() {
        let _ = write!(page, "\n{prose}\n");
    }
    for reason in comment.iter().filter_map(|line| reason(line)) {
        let _ = write!(page, "\nThe reason: {reason}\n");
    }
    if let Some((old, _)) = &example.old {
        block(head(old).1, page);
        page.push_str("\nThe update:\n");
    }
    block(yaml, page);
}

/// What a comment says besides the reasons of rejections.
fn prose(comment: &[&str]) -> String {
    let lines = comment.iter().filter(|line| reason(line).is_none());
    let lines = lines.map(|line| line.trim_start_matches('#').trim());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

impl Example {
    /// What it shows: the name of its file as words.
    #[must_use]
    pub fn title(&self) -> String {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        name.replace(['-', '_'], " ")
    }

    /// What the comment at its top says besides the reasons of rejections.
    #[must_use]
    pub fn prose(&self) -> String {
        prose(&head(&self.text).0)
    }

    /// Its objects as they are written, without the comment at the top.
    #[must_use]
    pub fn yaml(&self) -> &str {
        head(&self.text).1.trim_end()
    }

    /// The version and the kind of its first object.
    #[must_use]
    pub fn type_meta(&self) -> TypeMeta<'_> {
        let first = self.objects.first();
        first.map_or_else(TypeMeta::default, |object| TypeMeta::of(&object.value))
    }
}

/// Splits a text into the lines of the comment at its top and the rest.
fn head(text: &str) -> (Vec<&str>, &str) {
    let (mut comment, mut rest) = (Vec::new(), text);
    while let Some((line, below)) = rest.split_once('\n') {
        let line = line.trim();
        if line.starts_with('#') {
            comment.push(line);
        } else if !line.is_empty() && line != "---" {
            break;
        }
        rest = below;
    }
    (comment, rest)
}

/// Adds a block of YAML, in a fence that is longer than any in it.
fn block(yaml: &str, page: &mut String) {
    let mut fence = "```".to_owned();
    while yaml.contains(&fence) {
        fence.push('`');
    }
    let _ = write!(page, "\n{fence}yaml\n{}\n{fence}\n", yaml.trim_end());
}

#[cfg(test)]
mod tests {
    use super::{block, head};

    #[test]
    fn a_comment_ends_where_the_object_begins() {
        let text = "# One.\n#\n---\n# rejected: a\n\nkind: A\n# Two.\n";
        let (comment, rest) = head(text);
        assert_eq!(comment, ["# One.", "#", "# rejected: a"]);
        assert_eq!(rest, "kind: A\n# Two.\n");
    }

    #[test]
    fn fences_are_longer_than_those_inside() {
        let mut page = String::new();
        block("a: |\n  ```\n", &mut page);
        assert_eq!(page, "\n````yaml\na: |\n  ```\n````\n");
    }
}
