//! Taking a feature out of `channels/*.toml`. Everything else stays as it is written: the result is parsed again, and is
//! what was there without the feature.

use std::ops::Range;
use toml::Table;
use toml::de::{DeTable, DeValue};

/// The text of `features.toml` without the table of a feature, and the comment right above it. None where it cannot be
/// told what to remove; the text itself where it has no such table.
#[must_use]
pub fn without_feature(text: &str, name: &str) -> Option<String> {
    let mut wanted: Table = toml::from_str(text).ok()?;
    if wanted.remove(name).is_none() {
        return Some(text.to_owned());
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let heads = |line: &str| {
        let line = line.trim_start();
        line.starts_with('[') && !line.starts_with("[[")
    };
    let is_it = |line: &str| {
        let alone: Option<Table> = toml::from_str(line).ok();
        heads(line) && alone.is_some_and(|table| table.contains_key(name) && table.len() == 1)
    };
    let is_comment = |line: &str| line.trim_start().starts_with('#');
    let is_blank = |line: &str| line.trim().is_empty();
    let head = lines.iter().position(|line| is_it(line))?;
    let next = lines.iter().skip(head + 1).position(|line| heads(line));
    let mut end = next.map_or(lines.len(), |next| head + 1 + next);
    let mut start = head;
    let above = |at: usize, is: &dyn Fn(&str) -> bool| {
        at.checked_sub(1)
            .and_then(|above| lines.get(above))
            .is_some_and(|line| is(line))
    };
    // A comment right above the next table is about that table.
    while end > head + 1 && next.is_some() && above(end, &is_comment) {
        end -= 1;
    }
    while above(start, &is_comment) {
        start -= 1;
    }
    // The first comment is about the file.
    if start == 0 && head > 0 {
        start = head;
    }
    let last = next.is_none() || end == lines.len();
    while last && above(start, &is_blank) {
        start -= 1;
    }
    let mut rest: String = lines.iter().take(start).copied().collect();
    rest.extend(lines.iter().skip(end).copied());
    let is: Table = toml::from_str(&rest).ok()?;
    (is == wanted).then_some(rest)
}

/// The text of a channel's file without a feature in its list. None where it cannot be told what to remove; the text
/// itself where it does not name the feature.
#[must_use]
pub fn without_name(text: &str, name: &str) -> Option<String> {
    let mut wanted: Table = toml::from_str(text).ok()?;
    let listed = wanted
        .get_mut("features")
        .and_then(|list| list.as_array_mut());
    let Some(list) = listed.filter(|list| list.iter().any(|one| one.as_str() == Some(name))) else {
        return Some(text.to_owned());
    };
    list.retain(|one| one.as_str() != Some(name));
    let mut rest = text.to_owned();
    for cut in cuts(text, name)?.into_iter().rev() {
        rest.replace_range(cut, "");
    }
    let is: Table = toml::from_str(&rest).ok()?;
    (is == wanted).then_some(rest)
}

/// The bytes of a name in the list of features, with a comma.
fn cuts(text: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let table = DeTable::parse(text).ok()?;
    let DeValue::Array(list) = table.get_ref().get("features")?.get_ref() else {
        return None;
    };
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let mut before: Option<usize> = None;
    for one in list.iter() {
        let own = one.span();
        let is_it = matches!(one.get_ref(), DeValue::String(text) if *text == name);
        if !is_it {
            before = Some(own.end);
            continue;
        }
        let behind = text.get(own.end..)?;
        let gap = behind.len() - behind.trim_start().len();
        let comma = behind.trim_start().starts_with(',');
        cuts.push(match before {
            Some(before) => before..own.end,
            None if comma => {
                let rest = behind.get(gap + 1..)?;
                let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                own.start..own.end + gap + 1 + spaces
            }
            None => own,
        });
    }
    Some(cuts)
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
        let first = "# The features.\n[A]\nsummary = \"a\"\n";
        assert_eq!(
            without_feature(first, "A").as_deref(),
            Some("# The features.\n")
        );
        assert_eq!(without_feature("A = { summary = \"a\" }\n", "A"), None);
        assert_eq!(without_feature("A.summary = \"a\"\n", "A"), None);
    }

    #[test]
    fn a_name_goes_with_its_comma() {
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
    }
}
