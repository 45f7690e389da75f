//! Removes a feature from `channels/*.toml`. Everything else keeps its form, including comments and order.

use toml_edit::{DocumentMut, Item, RawString, Table};

/// Returns the text of `features.toml` without the table of a feature and the comment right above it. `None` if the feature is
/// not a table of its own; the unchanged text if there is no such feature.
pub fn without_feature(text: &str, name: &str) -> Option<String> {
    let mut document: DocumentMut = text.replace("\r\n", "\n").parse().ok()?;
    let removed = match document.remove(name) {
        None => return Some(text.to_owned()),
        Some(Item::Table(table)) if !table.is_dotted() && !table.is_implicit() => table,
        Some(_) => return None,
    };
    let place = removed.position()?;
    let is_first = {
        let tables = document.iter().filter_map(|(_, item)| item.as_table());
        tables
            .filter_map(Table::position)
            .all(|other| other > place)
    };
    let above = prefix(&removed);
    // The comment right above the table is removed; text further above stays. The first comment is about the file.
    let kept = match above.rfind("\n\n") {
        Some(end) => above.get(..end + 2)?,
        None if above.starts_with('\n') => "\n",
        None if is_first => above,
        None => "",
    };
    let tables = document
        .iter_mut()
        .filter_map(|(_, item)| item.as_table_mut());
    let next = tables
        .filter(|table| table.position().is_some_and(|other| other > place))
        .min_by_key(|table| table.position());
    match next {
        Some(next) => {
            let below = prefix(next).trim_start_matches('\n').to_owned();
            next.decor_mut().set_prefix(format!("{kept}{below}"));
        }
        None => {
            let below = text_of(Some(document.trailing()));
            let kept = match kept.trim_end_matches('\n') {
                "" => String::new(),
                comment => format!("{comment}\n"),
            };
            document.set_trailing(format!("{kept}{below}"));
        }
    }
    Some(as_before(&document, text))
}

/// Returns the text of a channel's file without a feature in its list. `None` if it is not valid TOML; the unchanged text if it
/// does not name the feature.
pub fn without_name(text: &str, name: &str) -> Option<String> {
    let mut document: DocumentMut = text.replace("\r\n", "\n").parse().ok()?;
    let list = document.get_mut("features").and_then(Item::as_array_mut);
    let is_it = |value: &toml_edit::Value| value.as_str() == Some(name);
    let Some(list) = list.filter(|list| list.iter().any(is_it)) else {
        return Some(text.to_owned());
    };
    // The first entry keeps the text before the list's first, the last entry the text after its last.
    let before = list
        .iter()
        .next()
        .and_then(|first| first.decor().prefix())
        .cloned();
    let behind = list
        .iter()
        .last()
        .and_then(|last| last.decor().suffix())
        .cloned();
    list.retain(|value| !is_it(value));
    if let (Some(first), Some(before)) = (list.get_mut(0), before) {
        first.decor_mut().set_prefix(before);
    }
    if let (Some(last), Some(behind)) = (list.iter_mut().last(), behind) {
        last.decor_mut().set_suffix(behind);
    }
    if list.is_empty() {
        list.set_trailing_comma(false);
    }
    Some(as_before(&document, text))
}

/// Returns the document with the line endings of `text`: `toml_edit` writes those of Unix.
fn as_before(document: &DocumentMut, text: &str) -> String {
    let edited = document.to_string();
    match text.contains("\r\n") {
        true => edited.replace('\n', "\r\n"),
        false => edited,
    }
}

/// Returns the text above a table's header.
fn prefix(table: &Table) -> &str {
    text_of(table.decor().prefix())
}

fn text_of(raw: Option<&RawString>) -> &str {
    raw.and_then(RawString::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{without_feature, without_name};

    #[test]
    fn a_table_goes_with_its_comment_and_nothing_else() {
        let text = "# The features.\n\n# About a.\n[A]\nsummary = \"a # [B]\"\n\n# About b.\n[B] # here\nsummary = \"b\"\n\n[\"C\"]\nsummary = \"c\"\n";
        let check = |name: &str, expected: &str| {
            assert_eq!(
                without_feature(text, name).as_deref(),
                Some(expected),
                "{name}"
            );
        };
        check(
            "A",
            "# The features.\n\n# About b.\n[B] # here\nsummary = \"b\"\n\n[\"C\"]\nsummary = \"c\"\n",
        );
        check(
            "B",
            "# The features.\n\n# About a.\n[A]\nsummary = \"a # [B]\"\n\n[\"C\"]\nsummary = \"c\"\n",
        );
        check(
            "C",
            "# The features.\n\n# About a.\n[A]\nsummary = \"a # [B]\"\n\n# About b.\n[B] # here\nsummary = \"b\"\n",
        );
        check("D", text);
        let detached = "[A]\nsummary = \"a\"\n\n# Of all.\n\n# About b.\n[B]\nsummary = \"b\"\n";
        assert_eq!(
            without_feature(detached, "A").as_deref(),
            Some("# Of all.\n\n# About b.\n[B]\nsummary = \"b\"\n")
        );
        assert_eq!(
            without_feature(detached, "B").as_deref(),
            Some("[A]\nsummary = \"a\"\n\n# Of all.\n")
        );
        let first = "# The features.\n[A]\nsummary = \"a\"\n";
        assert_eq!(
            without_feature(first, "A").as_deref(),
            Some("# The features.\n")
        );
        assert_eq!(without_feature("A = { summary = \"a\" }\n", "A"), None);
        assert_eq!(without_feature("A.summary = \"a\"\n", "A"), None);
    }

    #[test]
    fn a_feature_is_removed_with_its_comma() {
        let check = |list: &str, expected: &str| {
            let text = format!("features = {list} # all\nalpha = \"served\"\n");
            let expected = format!("features = {expected} # all\nalpha = \"served\"\n");
            assert_eq!(without_name(&text, "A"), Some(expected), "{list}");
        };
        check("[\"A\", \"B\"]", "[\"B\"]");
        check("['B', 'A']", "['B']");
        check("[\"B\", \"A\", \"C\"]", "[\"B\", \"C\"]");
        check("[\"A\"]", "[]");
        check("[\n  \"B\",\n  \"A\", # a\n]", "[\n  \"B\", # a\n]");
        check("\"all\"", "\"all\"");
        check("[\"B\"]", "[\"B\"]");
        check("[\"A\",]", "[]");
        check("[\n  \"B\",\n  \"A\"\n]", "[\n  \"B\"\n]");
        check("[\n  \"A\", # a\n  \"B\",\n]", "[\n  \"B\",\n]");
    }
}
