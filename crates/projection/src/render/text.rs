//! Titles and descriptions, from doc comments and attributes.

use crd_channels_diagnostics::Text;
use crd_channels_schema::draft::Facets;

/// Returns the title and the description: those of attributes, else those of the doc comment. Empty text counts as none.
pub(super) fn title_and_description(facets: &Facets) -> (Option<Text>, Option<Text>) {
    let (doc_title, doc_description) = facets.doc.as_ref().map_or((None, None), read_doc);
    let title = facets.title.clone().or(doc_title);
    let description = facets.description.clone().or(doc_description);
    (
        title.filter(|text| !text.is_empty()),
        description.filter(|text| !text.is_empty()),
    )
}

/// Splits a doc comment: a first line that starts with `#` is the title, the rest is the description.
pub(super) fn read_doc(doc: &Text) -> (Option<Text>, Option<Text>) {
    let trimmed = trim(doc);
    if !trimmed.starts_with('#') {
        let same = trimmed.len() == doc.len();
        let description = if same { doc.clone() } else { trimmed.into() };
        return (None, Some(description));
    }
    let (first, rest) = trimmed.split_once('\n').unwrap_or((trimmed, ""));
    let title = trim(first.trim_start_matches('#'));
    (Some(title.into()), Some(trim(rest).into()))
}

/// schemars trims ASCII whitespace only.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{Facets, title_and_description};

    #[test]
    fn docs_are_read_as_schemars_reads_them() {
        let check = |doc: &str, title: Option<&str>, description: Option<&str>| {
            let facets = Facets {
                doc: Some(doc.into()),
                ..Facets::default()
            };
            let (found_title, found_description) = title_and_description(&facets);
            assert_eq!(found_title.as_deref(), title, "title of {doc:?}");
            assert_eq!(found_description.as_deref(), description, "{doc:?}");
        };
        check("", None, None);
        check("One.", None, Some("One."));
        check("\n  One.\n\n Two. \n", None, Some("One.\n\n Two."));
        check("# Title", Some("Title"), None);
        check("## Title \n\nText", Some("Title"), Some("Text"));
        check("#\nText", None, Some("Text"));
        check("\u{a0}One", None, Some("\u{a0}One"));
    }
}
