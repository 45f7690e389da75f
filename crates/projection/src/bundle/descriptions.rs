//! Description policies: how many of its descriptions a CRD keeps in a channel. Users read them in `kubectl explain`, and they
//! make up most of a CRD's size.

use super::sizes::compact_json;
use crate::channel::config::{Channel, DescriptionPolicy, DescriptionScope};
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Text};
use crd_channels_schema::{Additional, Crd, Schema};
use std::sync::Arc;

/// Shortens a CRD's descriptions as its channel's policy requires, and reports a CRD that still exceeds its budget.
pub fn shorten(channel: &Channel, crd: &mut Crd, sink: &mut Sink) {
    let policy = channel.descriptions.for_crd(&crd.name());
    if let Err(warning) = apply(&policy, crd) {
        sink.push(warning);
    }
}

/// Applies a policy to a CRD. The result depends only on the two.
///
/// # Errors
///
/// Returns a warning if the CRD exceeds its budget even without descriptions; then none are left.
fn apply(policy: &DescriptionPolicy, crd: &mut Crd) -> Result<(), Diagnostic> {
    let DescriptionPolicy {
        kept: keep,
        max_length,
        budget,
    } = policy;
    for version in &mut crd.versions {
        let kept = match keep {
            DescriptionScope::All => true,
            DescriptionScope::StorageVersion => version.storage,
            DescriptionScope::None => false,
        };
        rewrite(&mut version.schema, &|text, _| match max_length {
            _ if !kept => Edit::Drop,
            Some(most) => cut(text, *most),
            None => Edit::Keep,
        });
    }
    match budget {
        Some(budget) => meet(*budget, crd),
        None => Ok(()),
    }
}

/// A change to a description.
enum Edit {
    Keep,
    Drop,
    Replace(Text),
}

/// Edits every description of a schema, given its text and depth. Shared nodes stay shared unless they change.
fn rewrite(schema: &mut Option<Arc<Schema>>, edit: &impl Fn(&str, usize) -> Edit) {
    if let Some(changed) = schema
        .as_deref()
        .and_then(|schema| rewritten(schema, 0, edit))
    {
        *schema = Some(Arc::new(changed));
    }
}

/// Returns the schema with its descriptions edited, or `None` if nothing changes.
fn rewritten(schema: &Schema, depth: usize, edit: &impl Fn(&str, usize) -> Edit) -> Option<Schema> {
    let mut changed: Option<Schema> = None;
    match schema.description.as_deref().map(|text| edit(text, depth)) {
        None | Some(Edit::Keep) => {}
        Some(Edit::Drop) => changed.get_or_insert_with(|| schema.clone()).description = None,
        Some(Edit::Replace(text)) => {
            changed.get_or_insert_with(|| schema.clone()).description = Some(text);
        }
    }
    let below = |child: &Schema| rewritten(child, depth + 1, edit);
    for (name, child) in &schema.properties {
        if let Some(child) = below(child) {
            let changed = changed.get_or_insert_with(|| schema.clone());
            changed.properties.insert(name.clone(), Arc::new(child));
        }
    }
    if let Some(child) = schema.items.as_deref().and_then(below) {
        changed.get_or_insert_with(|| schema.clone()).items = Some(Arc::new(child));
    }
    if let Some(Additional::Schema(child)) = &schema.additional_properties
        && let Some(child) = below(child)
    {
        let child = Additional::Schema(Arc::new(child));
        changed
            .get_or_insert_with(|| schema.clone())
            .additional_properties = Some(child);
    }
    if let Some(junctors) = schema.junctors.as_deref() {
        let rewritten = junctors.map(|child| below(child).unwrap_or_else(|| child.clone()));
        if rewritten != *junctors {
            changed.get_or_insert_with(|| schema.clone()).junctors = Some(Box::new(rewritten));
        }
    }
    changed
}

/// Drops the descriptions of the deepest fields, level by level and in all versions alike, until the CRD fits. It drops whole
/// levels, so that the order of fields does not decide which are documented.
fn meet(budget: usize, crd: &mut Crd) -> Result<(), Diagnostic> {
    loop {
        let size = compact_json(crd);
        if size <= budget {
            return Ok(());
        }
        let mut levels = Vec::new();
        for version in &crd.versions {
            if let Some(schema) = version.schema.as_deref() {
                weigh(schema, 0, &mut levels);
            }
        }
        let mut left = size;
        let mut kept = levels.len();
        while let Some(weight) = levels.pop()
            && left > budget
        {
            left -= weight.min(left);
            kept -= 1;
        }
        if kept == 0 && left == size {
            let name = crd.name();
            return Err(Diagnostic::new(
                Code::SizeBudget,
                None,
                format!("`{name}` has {size} bytes of JSON without any description; its budget is {budget}"),
            )
            .with_help(format!("raise the budget to at least {size}")));
        }
        // Weights ignore commas, so one more round may be needed.
        for version in &mut crd.versions {
            rewrite(&mut version.schema, &|_, depth| {
                if depth < kept { Edit::Keep } else { Edit::Drop }
            });
        }
    }
}

/// Adds the size of each description to its level. The last level has at least one description.
fn weigh(schema: &Schema, depth: usize, levels: &mut Vec<usize>) {
    if let Some(text) = schema.description.as_deref() {
        if levels.len() <= depth {
            levels.resize(depth + 1, 0);
        }
        if let Some(level) = levels.get_mut(depth) {
            *level += r#""description":,"#.len() + compact_json(text);
        }
    }
    for child in schema.children().chain(schema.branches()) {
        weigh(child, depth + 1, levels);
    }
}

/// Appended to a text that was cut within a sentence.
const ELLIPSIS: &str = "...";

/// Cuts a text to a number of characters: after the last full sentence, else between two words, else anywhere.
fn cut(text: &str, most: usize) -> Edit {
    let Some((end, _)) = text.char_indices().nth(most) else {
        return Edit::Keep;
    };
    if let Some(sentences) = sentences(text, end) {
        return Edit::Replace(sentences.into());
    }
    let room = most
        .checked_sub(ELLIPSIS.len())
        .and_then(|room| text.char_indices().nth(room))
        .map_or(0, |(room, _)| room);
    let words = match text
        .get(..room)
        .map(|kept| (kept, kept.rfind(char::is_whitespace)))
    {
        // A word that ends here is complete.
        Some((kept, _))
            if text
                .get(room..)
                .is_some_and(|rest| rest.starts_with(char::is_whitespace)) =>
        {
            kept
        }
        Some((kept, Some(gap))) if !kept[..gap].trim().is_empty() => &kept[..gap],
        Some((kept, _)) => kept,
        None => "",
    };
    match words.trim_end() {
        "" => Edit::Drop,
        words => Edit::Replace(format!("{words}{ELLIPSIS}").into()),
    }
}

/// Returns the full sentences in the first `end` bytes. The end of a paragraph ends a sentence; a full stop before a lowercase
/// letter (`e.g. this`) does not.
fn sentences(text: &str, end: usize) -> Option<&str> {
    let mut last = None;
    for (at, character) in text.char_indices().take_while(|(at, _)| *at < end) {
        let after = at + character.len_utf8();
        let rest = text.get(after..)?;
        let is_end = match character {
            '.' | '!' | '?' => {
                rest.starts_with(char::is_whitespace)
                    && !rest.trim_start().starts_with(char::is_lowercase)
            }
            _ => rest.starts_with("\n\n"),
        };
        if is_end {
            last = Some(after);
        }
    }
    let kept = text.get(..last?)?.trim_end();
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

    use super::{Edit, apply, cut};
    use crate::bundle::sizes::compact_json;
    use crate::channel::config::{DescriptionPolicy, DescriptionScope};
    use crd_channels_schema::Crd;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn check(text: &str, most: usize, expected: Option<&str>) {
        let shortened = match cut(text, most) {
            Edit::Keep => Some(text.to_owned()),
            Edit::Drop => None,
            Edit::Replace(text) => Some(text.to_string()),
        };
        assert_eq!(shortened.as_deref(), expected, "{text:?} to {most}");
    }

    #[test]
    fn descriptions_are_cut_at_a_sentence() {
        check("One. Two.", 9, Some("One. Two."));
        check("One. Two.", 8, Some("One."));
        check("One. Two three.", 4, Some("One."));
        check("What? No! Yes.", 10, Some("What? No!"));
        check(
            "Use e.g. this or that. More.",
            24,
            Some("Use e.g. this or that."),
        );
        check("A title\n\nThen text that is long", 20, Some("A title"));
        check("Version 1.5 of this thing", 15, Some("Version 1.5..."));
    }

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        check("One two three four", 14, Some("One two..."));
        check("One two three four", 10, Some("One two..."));
        check("One two three four", 9, Some("One..."));
        check("Onetwothreefour", 8, Some("Onetw..."));
        check("Onetwothreefour", 3, None);
        check("anything", 0, None);
    }

    #[test]
    fn characters_are_counted_and_never_split() {
        check("ééé. Éé", 4, Some("ééé."));
        check("日本語日本語", 5, Some("日本..."));
        check("日本語", 3, Some("日本語"));
    }

    fn crd() -> Crd {
        let leaf = |text: &str| json!({"description": text, "type": "string"});
        let schema = |root: &str| {
            json!({
                "description": root,
                "properties": {
                    "a": {"description": "level one", "properties": {"b": leaf("level two, <b>")}},
                    "list": {"items": {"additionalProperties": leaf("level three")}},
                    "any": {"anyOf": [leaf("level two")], "not": leaf("level two")},
                    "description": {"type": "string"},
                }
            })
        };
        let version = |name: &str, storage: bool| {
            json!({
                "name": name, "served": true, "storage": storage,
                "schema": {"openAPIV3Schema": schema(name)},
                "additionalPrinterColumns": [{"name": "A", "type": "string", "jsonPath": ".a", "description": "stays"}],
            })
        };
        Crd::from_json(&json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "as.a.b"},
            "spec": {
                "group": "a.b", "scope": "Cluster", "names": {"kind": "A", "plural": "as", "singular": "a"},
                "versions": [version("v1", true), version("v1beta1", false)],
            },
        }))
        .unwrap()
    }

    /// Returns the descriptions that a policy keeps, in order.
    fn left(policy: &DescriptionPolicy) -> Vec<String> {
        let mut crd = crd();
        apply(policy, &mut crd).unwrap();
        let mut found = Vec::new();
        for version in &crd.versions {
            collect(
                &serde_json::to_value(version.schema.as_deref()).unwrap(),
                &mut found,
            );
        }
        assert_eq!(
            crd.versions[0].columns[0].description.as_deref(),
            Some("stays")
        );
        found
    }

    fn collect(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Array(values) => values.iter().for_each(|value| collect(value, found)),
            Value::Object(map) => map.iter().for_each(|(key, value)| match value {
                Value::String(text) if key == "description" => found.push(text.clone()),
                value => collect(value, found),
            }),
            _ => {}
        }
    }

    #[test]
    fn versions_are_kept_as_asked() {
        let policy = |kept| DescriptionPolicy {
            kept,
            ..DescriptionPolicy::default()
        };
        assert_eq!(left(&policy(DescriptionScope::All)).len(), 12);
        let storage = left(&policy(DescriptionScope::StorageVersion));
        assert_eq!(storage.len(), 6);
        assert!(storage.contains(&"v1".to_owned()) && !storage.contains(&"v1beta1".to_owned()));
        assert_eq!(left(&policy(DescriptionScope::None)), [""; 0]);
    }

    #[test]
    fn a_length_holds_everywhere() {
        let policy = DescriptionPolicy {
            max_length: Some(8),
            ..DescriptionPolicy::default()
        };
        assert!(left(&policy).iter().all(|text| text.len() <= 8));
    }

    #[test]
    fn a_budget_is_met_by_dropping_the_deepest_levels() {
        let (full, mut bare) = (crd(), crd());
        apply(
            &DescriptionPolicy {
                kept: DescriptionScope::None,
                ..DescriptionPolicy::default()
            },
            &mut bare,
        )
        .unwrap();
        let (full, bare) = (compact_json(&full), compact_json(&bare));
        let mut kept = Vec::new();
        for budget in (bare..=full).rev() {
            let policy = DescriptionPolicy {
                budget: Some(budget),
                ..DescriptionPolicy::default()
            };
            let mut crd = crd();
            apply(&policy, &mut crd).unwrap();
            assert!(compact_json(&crd) <= budget);
            kept.push(left(&policy).len());
        }
        kept.dedup();
        assert_eq!(kept, [12, 10, 4, 2, 0]);
    }

    #[test]
    fn a_budget_that_cannot_be_met_is_said() {
        let mut crd = crd();
        let policy = DescriptionPolicy {
            budget: Some(10),
            ..DescriptionPolicy::default()
        };
        let problem = apply(&policy, &mut crd).unwrap_err();
        let size = compact_json(&crd);
        assert!(
            problem
                .message
                .contains(&format!("`as.a.b` has {size} bytes")),
            "{problem:?}"
        );
    }

    #[test]
    fn what_does_not_change_stays_shared() {
        let mut crd = crd();
        let before = crd.versions[0].schema.clone().unwrap();
        let policy = DescriptionPolicy {
            max_length: Some(100),
            ..DescriptionPolicy::default()
        };
        apply(&policy, &mut crd).unwrap();
        assert!(std::sync::Arc::ptr_eq(
            &before,
            crd.versions[0].schema.as_ref().unwrap()
        ));
    }

    proptest! {
        #[test]
        fn nothing_is_longer_than_asked(text in "\\PC{0,40}|([a-zA-Z.!? \\n]{0,60})", most in 0usize..50) {
            match cut(&text, most) {
                Edit::Keep => prop_assert!(text.chars().count() <= most),
                Edit::Drop => {}
                Edit::Replace(short) => {
                    prop_assert!(short.chars().count() <= most);
                    prop_assert!(text.starts_with(short.trim_end_matches("...")));
                }
            }
        }
    }
}
