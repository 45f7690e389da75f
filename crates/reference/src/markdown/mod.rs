//! Markdown pages: for GitHub, mkdocs, Docusaurus and whatever else reads Markdown.

mod history;
mod text;

use crate::UNRELEASED;
use crate::anchor::{href, id};
use crate::api::{Api, Example};
use crate::reserved::Reserved;
use crate::site::{Look, markdown::is_link};
use crate::survey::{Survey, add_compared, survey};
use crate::view::{Badge, FactView, KindView, RowView, Shown, VersionView, kind_view};
use history::{changes_page, features_page};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use text::{code, code_block, code_in_cell, description, destination, escaped, words};

/// Returns the pages, by their paths. They need no templates: [`Look::templates`] are for sites.
#[must_use]
pub fn markdown(api: &Api, look: &Look) -> BTreeMap<String, String> {
    let has_changes = api.releases.len() > 1;
    let Ok(Survey {
        kinds,
        features,
        mut changes,
    }) = survey::<_, Infallible>(api, |page, _| {
        let view = kind_view(page, api.has_history());
        let mut text = String::new();
        kind_page(&mut text, &view);
        Ok((text, line(&view)))
    });
    let mut files = BTreeMap::new();
    let mut index = format!("# {}\n", escaped(&look.title(api)));
    if !features.is_empty() {
        index.push_str("\n- [Features](features.md)");
    }
    if has_changes {
        index.push_str("\n- [Changes](changes.md)");
    }
    let mut group = None;
    for kind in kinds {
        let (Some(file), Some((page, line))) = (kind.file, kind.page) else {
            continue;
        };
        if group.as_ref() != Some(&kind.group) {
            let head = "| Kind | Versions | Channels | Purpose |\n| --- | --- | --- | --- |";
            put(
                &mut index,
                format_args!("\n\n## {}\n\n{head}", escaped(&kind.group)),
            );
            group = Some(kind.group);
        }
        put(
            &mut index,
            format_args!("\n| [{}]({file}.md) | {line} |", escaped(&kind.kind)),
        );
        files.insert(format!("{file}.md"), page);
    }
    if let Some(last) = api.releases.last()
        && has_changes
    {
        put(
            &mut index,
            format_args!("\n\nAs of {}.", released(&last.name)),
        );
        if let Some(first) = api.oldest() {
            let first = escaped(first);
            put(
                &mut index,
                format_args!(
                    " The oldest release that is known is {first}; what it has may be older."
                ),
            );
        }
    }
    index.push('\n');
    files.insert("index.md".to_owned(), index);
    if !features.is_empty() {
        files.insert("features.md".to_owned(), features_page(&features));
    }
    if has_changes {
        add_compared(api, &mut changes);
        files.insert(
            "changes.md".to_owned(),
            changes_page(&changes, api.oldest().is_none()),
        );
    }
    files
}

/// Writing into a string cannot fail.
fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(what);
}

fn released(name: &str) -> String {
    match name {
        UNRELEASED => "the next release".to_owned(),
        name => escaped(name),
    }
}

/// The cells of a kind in the index, after its name.
fn line(view: &KindView<'_>) -> String {
    let versions = view.versions.iter().map(|version| {
        let presence = version.life.last();
        let presence = presence.map_or_else(String::new, |last| format!(" ({})", last.presence));
        escaped(version.name) + &presence
    });
    let versions: Vec<String> = versions.collect();
    let purpose = escaped(&view.purpose());
    format!(
        "{} | {} | {purpose}",
        versions.join(", "),
        view.channels.join(", ")
    )
}

/// ` (stable only)` where one channel alone has something.
fn only(only: Option<&'static str>) -> String {
    only.map_or_else(String::new, |only| format!(" ({only} only)"))
}

fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| code(name)).collect();
    names.join(", ")
}

fn kind_page(text: &mut String, kind: &KindView<'_>) {
    put(text, format_args!("# {}\n\n", escaped(kind.kind)));
    put(text, format_args!("- Group: {}\n", code(kind.group)));
    put(text, format_args!("- CRD: {}\n", code(kind.crd)));
    put(text, format_args!("- Names: {}", code(kind.plural)));
    if !kind.names.is_empty() {
        put(text, format_args!(", {}", list(kind.names)));
    }
    if !kind.categories.is_empty() {
        put(
            text,
            format_args!("\n- Categories: {}", list(kind.categories)),
        );
    }
    let scope = match kind.namespaced {
        true => "objects live in namespaces",
        false => "objects live in the whole cluster",
    };
    let channels = kind.channels.join(" and ");
    put(
        text,
        format_args!("\n- Scope: {scope}\n- Channels: {channels}\n"),
    );
    for version in &kind.versions {
        version_part(text, version);
    }
    examples(text, kind.examples);
    reserved_names(text, kind.reserved);
}

fn version_part(text: &mut String, version: &VersionView<'_>) {
    let only_there = only(version.only);
    put(
        text,
        format_args!(
            "\n<a id=\"{}\"></a>\n\n## {}{only_there}\n\n",
            version.id,
            escaped(version.name)
        ),
    );
    if let Some(status) = &version.status {
        put(text, format_args!("- {}\n", escaped(status)));
    }
    for Shown { text: there, only } in &version.served {
        let channel = only.map_or_else(String::new, |channel| format!("in {channel}: "));
        let served = match there.served {
            true => "served",
            false => "not served",
        };
        put(text, format_args!("- {channel}{served}"));
        if there.storage {
            text.push_str("; objects are stored in it");
        }
        if there.deprecated {
            text.push_str("; deprecated");
        }
        if let Some(warning) = &there.warning {
            put(text, format_args!(": {}", escaped(warning)));
        }
        text.push('\n');
    }
    for said in &version.subresources {
        put(
            text,
            format_args!("- subresource {}{}\n", words(said.text), only(said.only)),
        );
    }
    if !version.selectable.is_empty() {
        let paths = version.selectable.iter();
        let paths: Vec<String> = paths.map(|it| code(it.text) + &only(it.only)).collect();
        put(
            text,
            format_args!("- objects can be selected by {}\n", paths.join(", ")),
        );
    }
    put(text, format_args!("- {}\n", code(&version.explain)));
    if let Some(root) = &version.root {
        body(text, root);
    }
    if !version.columns.is_empty() {
        text.push_str(
            "\n### Columns\n\n| Column | Type | Shows | Meaning |\n| --- | --- | --- | --- |\n",
        );
    }
    for Shown {
        text: column,
        only: there,
    } in &version.columns
    {
        let docs = column.docs.as_deref().map_or_else(String::new, escaped);
        let wide = match column.wide {
            true => " (with `-o wide`)",
            false => "",
        };
        let (name, ty) = (escaped(&column.name), escaped(&column.ty));
        let only = only(*there);
        put(
            text,
            format_args!(
                "| {name}{only} | {ty} | {} | {docs}{wide} |\n",
                code_in_cell(&column.path)
            ),
        );
    }
    if version.rows.is_empty() {
        return;
    }
    text.push_str(
        "\n### Fields\n\n| Field | Type | Required | State |\n| --- | --- | --- | --- |\n",
    );
    for row in &version.rows {
        let required = row
            .required
            .as_ref()
            .map_or_else(String::new, |it| format!("required{}", only(it.only)));
        let path = match code_in_cell(row.path) {
            path if row.id.is_empty() => path,
            path => format!("[{path}]({})", row.href),
        };
        let state = marks(&row.badges, row.features);
        put(
            text,
            format_args!(
                "| {path}{} | {} | {required} | {state} |\n",
                only(row.only),
                types(row)
            ),
        );
    }
    for row in &version.rows {
        text.push('\n');
        if !row.id.is_empty() {
            put(text, format_args!("<a id=\"{}\"></a>\n\n", row.id));
        }
        let elements = row.elements_id.iter().filter(|_| row.opens);
        elements.for_each(|id| put(text, format_args!("<a id=\"{id}\"></a>\n\n")));
        put(
            text,
            format_args!("#### {}\n\n{}", code(row.path), types(row)),
        );
        if let Some(required) = &row.required {
            put(text, format_args!(", required{}", only(required.only)));
        }
        put(text, format_args!("{}", only(row.only)));
        let marks = marks(&row.badges, row.features);
        if !marks.is_empty() {
            put(text, format_args!("; {marks}"));
        }
        text.push('\n');
        body(text, row);
    }
}

fn types(row: &RowView<'_>) -> String {
    let types = row.types.iter();
    let types: Vec<String> = types.map(|it| escaped(it.text) + &only(it.only)).collect();
    types.join(" or ")
}

/// What a field or a value has besides its version, in words.
fn marks(badges: &[Badge], features: &[String]) -> String {
    let features = features.iter().map(|name| {
        format!(
            "feature [{}](features.md{})",
            escaped(name),
            href(&id(name, ""))
        )
    });
    let marks = badges.iter().map(|badge| escaped(&badge.text));
    marks.chain(features).collect::<Vec<_>>().join(", ")
}

/// What is known about a place besides its name and its type.
fn body(text: &mut String, row: &RowView<'_>) {
    for docs in &row.docs {
        if let Some(only) = docs.only {
            put(text, format_args!("\nIn {only}:\n"));
        }
        put(text, format_args!("\n{}\n", description(docs.text)));
    }
    let is_long = |fact: &&FactView<'_>| fact.code.is_some_and(|code| code.trim().contains('\n'));
    let mut is_first = true;
    let mut begin = |text: &mut String| {
        if is_first {
            text.push('\n');
        }
        is_first = false;
    };
    for fact in row.facts.iter().filter(|fact| !is_long(fact)) {
        begin(text);
        put(text, format_args!("- {}", words(fact.words)));
        match fact.code {
            Some(url) if fact.name == "externalDocs" && is_link(url) => {
                put(
                    text,
                    format_args!(": [{}]({})", escaped(url), destination(url)),
                );
            }
            Some(value) => put(text, format_args!(": {}", code(value))),
            None => {}
        }
        put(text, format_args!("{}\n", only(fact.only)));
    }
    for value in &row.values {
        begin(text);
        put(
            text,
            format_args!("- value {}{}", code(value.value), only(value.only)),
        );
        let marks = marks(&value.badges, value.features);
        if !marks.is_empty() {
            put(text, format_args!("; {marks}"));
        }
        text.push('\n');
    }
    for fact in row.facts.iter().filter(is_long) {
        let block = code_block(fact.code.unwrap_or_default());
        put(
            text,
            format_args!("\n{}{}:\n\n{block}\n", words(fact.words), only(fact.only)),
        );
    }
}

fn examples(text: &mut String, examples: &[Example]) {
    if !examples.is_empty() {
        text.push_str("\n## Examples\n");
    }
    for example in examples {
        let channel = example.channel.as_ref();
        let channel = channel.map_or_else(String::new, |name| format!(", {} only", escaped(name)));
        put(
            text,
            format_args!(
                "\n### {} ({}{channel})\n",
                escaped(&example.title),
                escaped(&example.version)
            ),
        );
        if !example.prose.is_empty() {
            put(text, format_args!("\n{}\n", description(&example.prose)));
        }
        put(text, format_args!("\n{}\n", code_block(&example.yaml)));
    }
}

/// The names that a kind does not use again.
fn reserved_names(text: &mut String, reserved: &[Reserved]) {
    if reserved.is_empty() {
        return;
    }
    text.push_str(
        "\n## Reserved names\n\nWhat had these names is gone, and nothing else gets them.\n\n",
    );
    for one in reserved {
        let path = match one.path.is_empty() {
            true => String::new(),
            false => format!(" in {}", code(&one.path)),
        };
        put(
            text,
            format_args!(
                "- {}{path}, removed in {}: {}\n",
                code(&one.name),
                escaped(&one.removed),
                escaped(&one.reason)
            ),
        );
    }
}
