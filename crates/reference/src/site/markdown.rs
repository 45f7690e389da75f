//! Descriptions of any origin as HTML that can neither run anything nor leave its place.

use crate::anchor::visible;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

/// Renders a description, which is Markdown. HTML in it is shown as text, headings become bold paragraphs, images and links
/// become links if [`is_link`] lets them.
#[must_use]
pub fn rendered(description: &str) -> String {
    let text = visible(description);
    let mut html = String::with_capacity(text.len() + text.len() / 4);
    html::push_html(&mut html, safe(&text));
    html
}

/// The first sentence of a description, without marks.
#[must_use]
pub fn summary(description: &str) -> String {
    let text = visible(description);
    let mut words = String::new();
    for event in safe(&text) {
        match event {
            Event::Text(text) | Event::Code(text) => words.push_str(&text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            Event::End(TagEnd::Paragraph) if !words.trim().is_empty() => break,
            _ => {}
        }
    }
    let words = words.trim();
    match words.find(". ") {
        Some(end) => words.split_at(end + 1).0.to_owned(),
        None => words.to_owned(),
    }
}

/// The events of a description, of which none is raw HTML and none a link that is not safe.
pub(crate) fn safe(text: &str) -> impl Iterator<Item = Event<'_>> {
    // Whether each link that is open is one that may be.
    let mut links: Vec<bool> = Vec::new();
    Parser::new_ext(text, Options::empty()).flat_map(move |event| {
        let events = match event {
            Event::Html(html) | Event::InlineHtml(html) => [Some(Event::Text(html)), None],
            Event::Start(Tag::HtmlBlock) => [Some(Event::Start(Tag::Paragraph)), None],
            Event::End(TagEnd::HtmlBlock) => [Some(Event::End(TagEnd::Paragraph)), None],
            Event::Start(Tag::Heading { .. }) => [
                Some(Event::Start(Tag::Paragraph)),
                Some(Event::Start(Tag::Strong)),
            ],
            Event::End(TagEnd::Heading(_)) => [
                Some(Event::End(TagEnd::Strong)),
                Some(Event::End(TagEnd::Paragraph)),
            ],
            Event::Start(
                Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                }
                | Tag::Image {
                    link_type,
                    dest_url,
                    title,
                    id,
                },
            ) => {
                // A link inside of a link, as around an image, is text.
                let is_safe = is_link(&dest_url) && !links.contains(&true);
                links.push(is_safe);
                let link = Tag::Link {
                    link_type,
                    dest_url,
                    title,
                    id,
                };
                [is_safe.then_some(Event::Start(link)), None]
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                let is_safe = links.pop() == Some(true);
                [is_safe.then_some(Event::End(TagEnd::Link)), None]
            }
            event => [Some(event), None],
        };
        events.into_iter().flatten()
    })
}

/// Whether a link of a description becomes one in a page: to a page on the web or a mailbox. Relative links lead nowhere here, and
/// ids of descriptions are none of a page.
#[must_use]
pub fn is_link(url: &str) -> bool {
    let lower = url.trim_start().to_ascii_lowercase();
    ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        && url == url.trim()
        && !url.contains(|c: char| c.is_control())
}

/// A part of a text in which backquotes mark code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Part<'t> {
    Text(&'t str),
    Code(&'t str),
}

/// The parts of a text in which single backquotes mark code, as facts in words have them.
pub(crate) fn parts(words: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('`') {
        match after.split_once('`') {
            Some((code, after)) if !code.is_empty() => {
                parts.extend([Part::Text(before), Part::Code(code)]);
                rest = after;
            }
            _ => break,
        }
    }
    parts.push(Part::Text(rest));
    parts.retain(|part| *part != Part::Text(""));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_text() {
        let html = rendered("<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b </div>");
        assert_eq!(
            html,
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n<p>a &lt;img src=x onerror=alert(1)&gt; b &lt;/div&gt;</p>\n"
        );
    }

    #[test]
    fn only_safe_links_are_links() {
        for (description, expected) in [
            ("[a](https://b.c)", "<p><a href=\"https://b.c\">a</a></p>\n"),
            (
                "![a](https://b.c)",
                "<p><a href=\"https://b.c\">a</a></p>\n",
            ),
            ("[a](javascript:alert(1))", "<p>a</p>\n"),
            ("[a](JaVaScRiPt:alert(1))", "<p>a</p>\n"),
            ("[a](&#106;avascript:alert(1))", "<p>a</p>\n"),
            ("[a](data:text/html,b)", "<p>a</p>\n"),
            ("[a](#b)", "<p>a</p>\n"),
            ("[a](b.html)", "<p>a</p>\n"),
            ("[a](//b.c)", "<p>a</p>\n"),
            (
                "[![a](https://b.c)](https://d.e)",
                "<p><a href=\"https://d.e\">a</a></p>\n",
            ),
            ("<javascript:alert(1)>", "<p>javascript:alert(1)</p>\n"),
        ] {
            assert_eq!(rendered(description), expected, "{description}");
        }
    }

    #[test]
    fn a_heading_is_a_bold_paragraph() {
        assert_eq!(rendered("# a\nb"), "<p><strong>a</strong></p>\n<p>b</p>\n");
    }

    #[test]
    fn a_summary_is_a_sentence() {
        assert_eq!(
            summary("A `route`\nis v1.0. It is more.\n\nB"),
            "A route is v1.0."
        );
        assert_eq!(summary(""), "");
    }

    #[test]
    fn backquotes_mark_code() {
        use Part::{Code, Text};
        assert_eq!(
            parts("by `a` and `b`, not ` c"),
            [
                Text("by "),
                Code("a"),
                Text(" and "),
                Code("b"),
                Text(", not ` c")
            ]
        );
    }
}
