//! Texts of CRDs are nothing but text to browsers and to what reads Markdown.

use crate::html::elements;
use crate::reader::with;
use crate::{Files, api_of};
use crd_channels_reference::{Api, Look, markdown, site};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

/// Texts that have become more than text somewhere.
pub fn texts() -> Vec<String> {
    let long = "x".repeat(5_000);
    let all = [
        "<script>alert(1)</script>",
        "</script><script src=//e.vil></script>",
        "<img src=x onerror=alert(1)>",
        "![a](https://e.vil/a.png) ![b](javascript:alert(1)) ![c](x \"onerror=alert(1)\")",
        "[a](javascript:alert(1)) [b](JAVASCRIPT:alert(1)) [c](data:text/html,x) [d](vbscript:x) [e]( javascript:x)",
        "[a](&#x6a;avascript:alert(1)) [b](java\tscript:x) <javascript:alert(1)>",
        "[a]: javascript:alert(1)\n\n[a] [a][] [b][a]",
        "</div></li></ul></details></section></main></body></html>",
        "<div><p><b>unbalanced",
        "<!-- comment\n\n--> <![CDATA[ x ]]> <?php x ?> <!DOCTYPE x>",
        "| a | b |\n|---|---|\n| `|` | <td> |\n",
        "a | b || c \\| d",
        "```\nunclosed",
        "` `` ``` ```` \\` `",
        "{{ 7 * 7 }} {% raw %} {# x #} {{{x}}} {x} ${x} <%= x %>",
        "`{{ 7 * 7 }}` `{% raw %}`",
        "    {{ code }}\n\n~~~\n{% code %}\n~~~",
        "import x from 'y'\n\nexport const x = 1",
        "# h1\n\n###### h6\n\nsetext\n===\n\n---\n\n:::note\nx\n:::\n\n!!! note",
        "- a\n  1. b\n     > c\n\n     d\n\n\te",
        "a\0b\u{1}c\u{7f}d\u{85}e",
        "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{2028}f\u{e0041}g",
        "\" onmouseover=\"alert(1)\" x=' y='",
        "&lt;script&gt; &#60;script&#62; &amp;",
        "<svg onload=alert(1)><style>*{display:none}</style><base href=//e.vil><meta http-equiv=refresh>",
        "<a id=\"v1\" href=\"javascript:alert(1)\" style=\"x\">x</a>",
        "\r\nline\rend",
        &long,
        "",
        " ",
    ];
    all.map(str::to_owned).to_vec()
}

/// An API whose CRD has such a text wherever it can have one.
pub fn api() -> Api {
    let all = texts();
    let every = all.join("\n\n");
    let mut properties = serde_json::Map::new();
    for (number, text) in all.iter().enumerate() {
        let field = json!({
            "type": "string", "description": text, "title": text, "default": text, "pattern": text, "enum": [text, "a"], "example": text,
            "externalDocs": {"description": text, "url": text},
            "x-kubernetes-validations": [
                {"rule": text, "message": text, "messageExpression": text, "reason": text, "fieldPath": text}],
        });
        properties.insert(format!("f{number}"), field);
        let named = json!({"type": "object", "description": text, "required": [text], "properties": {text: {"type": "integer"}}});
        properties.insert(text.clone(), named);
    }
    let version = |name: &str, storage: bool| {
        json!({
            "name": name, "served": true, "storage": storage, "deprecated": true, "deprecationWarning": every,
            "subresources": {"status": {}, "scale": {"specReplicasPath": every, "statusReplicasPath": every, "labelSelectorPath": every}},
            "selectableFields": [{"jsonPath": every}],
            "additionalPrinterColumns": [{"name": every, "type": every, "jsonPath": every, "description": every, "format": every}],
            "schema": {"openAPIV3Schema": {"type": "object", "description": every, "properties": properties}},
        })
    };
    let names = json!({
        "plural": every, "singular": every, "kind": every, "shortNames": [every], "categories": [every],
    });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": {"name": format!("{every}.{every}")},
        "spec": {"group": every, "names": names, "scope": "Namespaced", "versions": [version("v1", true), version(&every, false)]},
    });
    api_of(&crd.to_string())
}

/// The elements that templates and descriptions have, with their attributes.
const ELEMENTS: [(&str, &str); 53] = [
    ("a", "aria-current class href title"),
    ("aside", ""),
    ("b", ""),
    ("blockquote", ""),
    ("body", ""),
    ("br", ""),
    ("code", "class"),
    ("dd", ""),
    ("details", "open"),
    ("div", "aria-label class data-only hidden id role tabindex"),
    ("dl", "class"),
    ("dt", ""),
    ("em", ""),
    ("fieldset", "class"),
    ("footer", ""),
    ("form", "autocomplete class role"),
    ("h1", ""),
    ("h2", "id"),
    ("h3", "data-kind data-only"),
    ("head", ""),
    ("header", "class"),
    ("hr", ""),
    ("html", "lang"),
    ("i", "data-only"),
    ("input", "checked id name placeholder spellcheck type value"),
    ("label", "for"),
    ("legend", ""),
    ("li", "class data-kind data-only id"),
    ("line", "x1 x2 y1 y2"),
    ("link", "href rel"),
    ("main", "id tabindex"),
    ("meta", "charset content name"),
    ("nav", "aria-label class"),
    ("ol", "start"),
    ("p", "class hidden id role"),
    ("pre", ""),
    ("rect", "class height rx width x y"),
    ("script", "defer src"),
    ("section", "aria-labelledby class data-only"),
    ("select", "id"),
    ("span", "class data-only"),
    ("strong", ""),
    ("summary", ""),
    ("svg", "aria-label class height role style width"),
    ("table", "class"),
    ("tbody", ""),
    ("td", ""),
    ("text", "class dx x y"),
    ("th", "scope"),
    ("thead", ""),
    ("title", ""),
    ("tr", "data-only"),
    ("ul", "aria-label class data-kind data-only id"),
];

fn is_unseen(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
        || matches!(
            c,
            '\u{200b}' | '\u{2028}' | '\u{202e}' | '\u{2066}' | '\u{feff}' | '\u{e0041}'
        )
}

#[test]
fn sites_have_only_elements_of_templates() {
    let files = site(&api(), &Look::default()).unwrap();
    assert!(files.len() == 6, "{:?}", files.keys());
    assert_eq!(is_plain_site(&files), 1);
}

/// Fails if the text of a CRD has become more than text. Returns the number of kinds.
pub fn is_plain_site(files: &Files) -> usize {
    for (path, text) in files {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        assert!(
            path.chars().all(is_plain) && !path.starts_with('.'),
            "{path}"
        );
        assert!(path.len() < 255, "{path}");
        assert!(!text.contains(is_unseen), "{path}");
        if !path.ends_with(".html") {
            continue;
        }
        // Neither quirks nor templates in templates.
        assert!(text.starts_with("<!DOCTYPE html>\n"));
        assert!(!text.contains(">49<") && !text.contains("49 "), "{path}");
        let all = elements(text);
        for element in &all {
            let known = ELEMENTS.iter().find(|(name, _)| *name == element.name);
            let (_, known) = known.unwrap_or_else(|| panic!("{path}: {element:?}"));
            let known: Vec<&str> = known.split(' ').collect();
            for name in element.attributes.keys() {
                assert!(known.contains(&&**name), "{path}: {element:?}");
            }
        }
        for (element, link) in with(&all, "href") {
            let is_own =
                files.contains_key(link.split('#').next().unwrap()) || link.starts_with('#');
            let is_web = ["https://", "http://", "mailto:"]
                .iter()
                .any(|it| link.starts_with(it));
            assert!(is_own || is_web && element.name == "a", "{path}: {link}");
        }
        for (_, source) in with(&all, "src") {
            assert!(
                ["script.js", "search.js"].contains(&source),
                "{path}: {source}"
            );
        }
        for (_, style) in with(&all, "style") {
            let width = style
                .strip_prefix("min-width:")
                .and_then(|it| it.strip_suffix("em"));
            assert!(width.is_some_and(|it| it.parse::<u32>().is_ok()), "{style}");
        }
    }
    let search = &files["search.js"];
    assert!(!search.contains('<'));
    searchable(search)[0].as_array().unwrap().len()
}

/// Parses the script of the search: the kinds with their fields, and what was removed.
pub fn searchable(script: &str) -> [Value; 2] {
    let known = script.strip_prefix("window.crdChannelsFields = ").unwrap();
    let (known, gone) = known.split_once(";\nwindow.crdChannelsGone = ").unwrap();
    let gone = gone.strip_suffix(";\n").unwrap();
    [known, gone].map(|json| serde_json::from_str(json).unwrap())
}

/// How many cells a line of a table has.
fn cells(line: &str) -> usize {
    let line = line.replace("\\\\", "");
    line.matches('|').count() - line.matches("\\|").count()
}

#[test]
fn markdown_has_only_anchors() {
    let files = markdown(&api(), &Look::default());
    assert_eq!(files.len(), 3, "{:?}", files.keys());
    is_plain_markdown(&files);
}

/// Fails if the text of a CRD has become more than text.
pub fn is_plain_markdown(files: &Files) {
    for (path, text) in files {
        assert!(!text.contains(is_unseen), "{path}");
        for odd in ["{{", "{%", "{#", "<script", "<img", "<svg"] {
            let lines: Vec<&str> = text.lines().filter(|line| line.contains(odd)).collect();
            // Code blocks and spans may have HTML, which is code there to everybody.
            let is_code = odd.starts_with('<')
                && lines
                    .iter()
                    .all(|line| line.contains('`') || line.starts_with(' '));
            assert!(lines.is_empty() || is_code, "{path}: {odd}: {lines:?}");
        }
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::InlineHtml(html) | Event::Html(html) => {
                    let html = html.trim();
                    let id = html
                        .strip_prefix("<a id=\"")
                        .and_then(|it| it.strip_suffix("\">"));
                    let is_anchor = id.is_some_and(|id| !id.contains(['"', '<', '>', ' ']))
                        || html == "</a>"
                        || html.starts_with("<a id=\"")
                            && html.ends_with("\"></a>")
                            && html.matches('<').count() == 2;
                    assert!(is_anchor, "{path}: {html}");
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let is_web = ["https://", "http://", "mailto:"]
                        .iter()
                        .any(|it| dest_url.starts_with(it));
                    let is_own = dest_url.starts_with('#')
                        || dest_url.split('#').next().unwrap().ends_with(".md");
                    assert!(is_web || is_own, "{path}: {dest_url}");
                }
                Event::Start(Tag::Image { .. }) => panic!("{path} has an image"),
                _ => {}
            }
        }
        let mut width = None;
        for line in text.lines() {
            match (line.starts_with("| "), width) {
                (true, None) => width = Some(cells(line)),
                (true, Some(width)) => assert_eq!(cells(line), width, "{path}: {line}"),
                (false, _) => width = None,
            }
        }
    }
}
