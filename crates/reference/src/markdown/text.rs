//! Texts of any origin as Markdown that means the same to GitHub, mkdocs, Docusaurus and Jekyll, and is nothing but text to
//! their HTML, tables, templates and scripts.

use crate::anchor::visible;
use crate::site::markdown::{Part, parts, safe};
use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

/// How deep lists and quotations may be inside of each other; what is deeper is written as if it was not.
const DEEPEST: usize = 8;

/// Writes text so that no character of it is markup. Python's Markdown knows fewer escapes than others, so most are
/// references to characters.
#[must_use]
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_escaped(&mut out, &visible(text));
    out
}

fn push_escaped(out: &mut String, text: &str) {
    let mut is_start = out.is_empty() || out.ends_with('\n');
    let text = match is_start {
        true => text.trim_start(),
        false => text,
    };
    // In MDX such a line is a part of a program.
    if is_start && (text.starts_with("import") || text.starts_with("export")) {
        out.push_str(match text.starts_with('i') {
            true => "&#105;",
            false => "&#101;",
        });
        return push_escaped(out, text.split_at(1).1);
    }
    let mut is_number = is_start;
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '!' => out.extend(['\\', c]),
            '-' | '+' if is_start => out.extend(['\\', c]),
            '.' | ')' if is_number && !is_start => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '{' | '}' | '|' | '~' | '$' | '^' => out.push_str(&format!("&#{};", u32::from(c))),
            '=' | ':' | '%' | '"' if is_start => out.push_str(&format!("&#{};", u32::from(c))),
            '\n' | '\t' => out.push(' '),
            c => out.push(c),
        }
        is_number &= c.is_ascii_digit();
        is_start = false;
    }
}

/// Writes a value as code, or as text where code cannot have it.
#[must_use]
pub(crate) fn code(text: &str) -> String {
    let text = visible(text).replace(['\n', '\t'], " ");
    // Templates of Jekyll and mkdocs are looked for in code as well.
    if ["{{", "{%", "{#"].iter().any(|odd| text.contains(odd)) || text.trim().is_empty() {
        return without_code(&text);
    }
    let fence = fence(&text, 1);
    let space = match text.starts_with('`')
        || text.ends_with('`')
        || text.starts_with(' ') && text.ends_with(' ')
    {
        true => " ",
        false => "",
    };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Writes code in a cell of a table, which a `|` would end in code as well.
#[must_use]
pub(crate) fn code_in_cell(text: &str) -> String {
    match text.contains('|') {
        true => without_code(&visible(text).replace(['\n', '\t'], " ")),
        false => code(text),
    }
}

/// Writes what cannot be code as text with the same spaces.
fn without_code(text: &str) -> String {
    escaped(text).replace(' ', "&#32;")
}

/// Writes lines as a block of code.
#[must_use]
pub(crate) fn code_block(text: &str) -> String {
    let text = visible(text);
    let text = text.trim_end_matches('\n');
    if ["{{", "{%", "{#"].iter().any(|odd| text.contains(odd)) {
        let lines: Vec<String> = text.lines().map(escaped).collect();
        return lines.join("  \n");
    }
    let fence = fence(text, 3);
    format!("{fence}text\n{text}\n{fence}")
}

/// A run of backquotes that is longer than those in a text.
fn fence(text: &str, least: usize) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    "`".repeat(runs.max().map_or(least, |longest| least.max(longest + 1)))
}

/// Writes facts in words, where backquotes mark code.
#[must_use]
pub(crate) fn words(text: &str) -> String {
    let text = visible(text);
    let mut out = String::new();
    for part in parts(&text) {
        match part {
            Part::Text(text) => push_escaped(&mut out, text),
            Part::Code(text) => out.push_str(&code(text)),
        }
    }
    out
}

/// The destination of a link, without what would end it.
#[must_use]
pub(crate) fn destination(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' | ')' | '<' | '>' | '{' | '}' | '|' | '\\' | '"' | '\'' | '`' | '[' | ']' | '*'
            | '_' | ' ' => {
                out.push_str(&format!("%{:02X}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

/// Writes a description, which is Markdown itself, without HTML, headings, images and links to nowhere.
#[must_use]
pub(crate) fn description(text: &str) -> String {
    let text = visible(text);
    let mut writer = Writer::default();
    for event in safe(&text) {
        writer.event(event);
    }
    writer
        .out
        .pop()
        .map_or_else(String::new, |out| out.text.trim().to_owned())
}

/// What is written: the text itself, and each list, element of a list and quotation that is open.
struct Writer {
    out: Vec<Open>,
    /// The destinations of links that are open.
    links: Vec<String>,
    /// The code of a block that is open.
    code: Option<String>,
}

/// A text, and what becomes of it when it ends.
#[derive(Default)]
struct Open {
    text: String,
    /// The number of the next element, if it is a list with numbers.
    next: Option<u64>,
}

impl Default for Writer {
    fn default() -> Self {
        Self {
            out: vec![Open::default()],
            links: Vec::new(),
            code: None,
        }
    }
}

impl Writer {
    fn push(&mut self, text: &str) {
        if let Some(open) = self.out.last_mut() {
            open.text.push_str(text);
        }
    }

    /// Begins a paragraph or the like.
    fn block(&mut self) {
        if let Some(Open { text, .. }) = self.out.last_mut()
            && !text.is_empty()
        {
            text.truncate(text.trim_end().len());
            text.push_str("\n\n");
        }
    }

    fn open(&mut self, next: Option<u64>) {
        self.out.push(Open {
            text: String::new(),
            next,
        });
    }

    /// Ends a text and returns its lines, each but the first after `indent`.
    fn close(&mut self, indent: &str) -> String {
        let text = match self.out.len() {
            0 | 1 => String::new(),
            _ => self.out.pop().unwrap_or_default().text,
        };
        let indent = match self.out.len() > DEEPEST {
            true => "",
            false => indent,
        };
        let mut lines = text.trim().lines();
        let mut all = lines.next().unwrap_or_default().to_owned();
        for line in lines {
            all.push('\n');
            all.push_str(match line.is_empty() {
                true => indent.trim_end(),
                false => indent,
            });
            all.push_str(line);
        }
        all
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => match (&mut self.code, self.out.last_mut()) {
                (Some(code), _) => code.push_str(&text),
                (None, Some(open)) => push_escaped(&mut open.text, &text),
                (None, None) => {}
            },
            // It may be in a table.
            Event::Code(text) => self.push(&code_in_cell(&text)),
            Event::SoftBreak => self.push(" "),
            Event::HardBreak => self.push("  \n"),
            Event::Rule => {
                self.block();
                self.push("* * *");
            }
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Html(text) | Event::InlineHtml(text) => self.push(&escaped(&text)),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.push(&escaped(&text)),
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong => self.push("**"),
            Tag::Emphasis => self.push("*"),
            Tag::Link { dest_url, .. } => {
                self.links.push(destination(&dest_url));
                self.push("[");
            }
            Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => {
                self.code = Some(String::new());
            }
            Tag::List(first) => self.open(first),
            Tag::Item | Tag::BlockQuote(_) => self.open(None),
            _ => self.block(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong => self.push("**"),
            TagEnd::Emphasis => self.push("*"),
            TagEnd::Link => {
                let link = self.links.pop().unwrap_or_default();
                self.push(&format!("]({link})"));
            }
            TagEnd::CodeBlock => {
                self.block();
                let code = self.code.take().unwrap_or_default();
                self.push(&code_block(&code));
            }
            TagEnd::List(_) => {
                let list = self.close("");
                self.block();
                self.push(&list);
                self.push("\n\n");
            }
            TagEnd::Item => {
                // Four columns, as Python's Markdown asks for.
                let item = self.close("    ");
                if let Some(list) = self.out.last_mut() {
                    let mark = match &mut list.next {
                        Some(number) => {
                            let mark = format!("{:<4}", format!("{}.", *number % 100));
                            *number = number.saturating_add(1);
                            mark
                        }
                        None => "-   ".to_owned(),
                    };
                    list.text.push_str(&format!("{mark}{item}\n"));
                }
            }
            TagEnd::BlockQuote(_) => {
                let quotation = self.close("> ");
                self.block();
                self.push(&format!("> {quotation}\n\n"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_not_markup() {
        for (text, expected) in [
            (
                "a|b <c> {{ d }}",
                "a&#124;b &lt;c&gt; &#123;&#123; d &#125;&#125;",
            ),
            ("- a", "\\- a"),
            ("1. a", "1\\. a"),
            ("a 1. b", "a 1. b"),
            ("import a", "&#105;mport a"),
            ("# a_b*", "\\# a\\_b\\*"),
            ("::: note", "&#58;:: note"),
            ("    a", "a"),
            ("a\0", "a\\\\u&#123;0&#125;"),
        ] {
            assert_eq!(escaped(text), expected, "{text}");
        }
    }

    #[test]
    fn code_ends_where_it_has_to() {
        for (text, expected) in [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("a|b", "`a|b`"),
            ("{{a}}", "&#123;&#123;a&#125;&#125;"),
        ] {
            assert_eq!(code(text), expected, "{text}");
        }
        assert_eq!(code_in_cell("a|b c"), "a&#124;b&#32;c");
        assert_eq!(code_in_cell("b c"), "`b c`");
    }

    #[test]
    fn descriptions_keep_their_form() {
        let text = "A *route*:\n\n* one\n  more\n* two\n\n  ```\n  x | y\n  ```\n\n1. a\n2. b\n\n> said\n> so\n\n[b](https://c.d) [e](javascript:f)\n\n# Title\n<b>x</b>";
        let expected = "A *route*:\n\n-   one more\n\n-   two\n\n    ```text\n    x | y\n    ```\n\n1.  a\n2.  b\n\n> said so\n\n[b](https://c.d) e\n\n**Title**\n\n&lt;b&gt;x&lt;/b&gt;";
        let found = description(text);
        assert_eq!(
            found.replace("\n\n-   two", "\n-   two"),
            expected.replace("\n\n-   two", "\n-   two")
        );
        // It means the same the second time.
        assert_eq!(
            crate::site::markdown::rendered(&found),
            crate::site::markdown::rendered(text)
                .replace("<pre><code>", "<pre><code class=\"language-text\">")
                .replace("one\nmore", "one more")
                .replace("said\nso", "said so")
                .replace("</b>\n</p>", "</b></p>")
        );
    }
}
