//! Pages, read back: what they say about each place.

use crate::html::{Element, elements};
use crate::oracle::{Said, squeezed};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};

/// A change that a page lists, or a kind: its text, and where it leads to.
pub type Line = (String, Option<String>);

/// A part of a page about changes: the release, the kind, and what changed.
pub type Part = (String, Line, BTreeSet<Line>);

pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        (bytes, rest) = match first {
            b'%' => {
                let digits = std::str::from_utf8(&more[..2]).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                (bytes, &more[2..])
            }
            first => {
                bytes.push(*first);
                (bytes, more)
            }
        };
    }
    String::from_utf8(bytes).unwrap()
}

/// The elements of a page that have an attribute.
pub fn with<'e>(
    all: &'e [Element],
    attribute: &'e str,
) -> impl Iterator<Item = (&'e Element, &'e str)> {
    all.iter()
        .filter_map(move |it| Some((it, it.attribute(attribute)?)))
}

/// A site's page, with what depends on where the switch is.
struct Page {
    all: Vec<Element>,
    /// The children of each element.
    children: Vec<Vec<usize>>,
    shown: Vec<bool>,
    /// The id of the place that each element is about.
    places: Vec<Option<String>>,
}

impl Page {
    fn new(page: &str, channel: &str) -> Self {
        let all = elements(page);
        let mut page = Self {
            children: vec![Vec::new(); all.len()],
            shown: Vec::new(),
            places: Vec::new(),
            all,
        };
        for (number, element) in page.all.iter().enumerate() {
            let parent = element.parent;
            if let Some(parent) = parent {
                page.children[parent].push(number);
            }
            let only = element.attribute("data-only");
            let is_shown = only.is_none_or(|only| only == channel);
            page.shown
                .push(is_shown && parent.is_none_or(|it| page.shown[it]));
            let own = match &*element.name {
                "li" => element.attribute("id"),
                // Sections begin with a heading that has the id of the version.
                "section" => element.attribute("aria-labelledby"),
                _ => None,
            };
            let around = parent.and_then(|parent| page.places[parent].clone());
            page.places.push(own.map(str::to_owned).or(around));
        }
        page
    }

    fn inside(&self, number: usize) -> impl Iterator<Item = &Element> {
        self.children[number].iter().map(|it| &self.all[*it])
    }

    /// The text of an element without the mark of the one channel that has it.
    fn plain(&self, number: usize) -> String {
        let text = &self.all[number].text;
        let only = self.inside(number).find(|it| it.is("span", "in"));
        let only = only.map_or("", |only| &only.text);
        squeezed(text.strip_suffix(only).unwrap_or(text))
    }

    fn badges(&self, number: usize) -> String {
        let is_badge = |it: &&Element| {
            let class = it.attribute("class");
            it.name == "span" && class.is_some_and(|it| it.starts_with("badge p-"))
        };
        let badges = self.inside(number).filter(is_badge);
        badges.map(|it| squeezed(&it.text)).collect()
    }
}

/// What a page of a site says where the switch is at a channel, by the ids of places.
pub fn found(page: &str, channel: &str) -> BTreeMap<String, Said> {
    let page = Page::new(page, channel);
    let mut places: BTreeMap<String, Said> = BTreeMap::new();
    let mut same = Vec::new();
    for (number, element) in page.all.iter().enumerate() {
        let Some(id) = page.places[number].as_ref().filter(|_| page.shown[number]) else {
            continue;
        };
        if element.name == "ul"
            && let Some(id) = element.attribute("id")
        {
            places.entry(id.to_owned()).or_default();
        }
        let said = places.entry(id.to_owned()).or_default();
        let parent = element.parent.map(|it| &page.all[it]);
        let is_in = |name, class| parent.is_some_and(|parent| parent.is(name, class));
        let text = squeezed(&element.text);
        match &*element.name {
            "i" if parent.is_some_and(|it| it.name == "summary") => {
                assert_eq!(said.ty, None, "{id}");
                said.ty = Some(page.plain(number));
            }
            "summary" => {
                said.badge = page.badges(number);
                said.is_marked = page.inside(number).any(|it| it.is("span", "in"));
            }
            "span" if element.is("span", "status") => said.badge = text,
            "span" if element.is("span", "required") => said.required = true,
            "div" if element.is("div", "doc") => {
                assert_eq!(said.docs, "", "{id}");
                let only = page.inside(number).find(|it| it.is("p", "in"));
                let only = only.map_or_else(String::new, |it| squeezed(&it.text));
                said.docs = text.strip_prefix(&only).unwrap_or(&text).to_owned();
            }
            "li" if is_in("ul", "facts") => _ = said.facts.insert(page.plain(number)),
            "li" if is_in("ul", "values") => {
                let value = page.inside(number).find(|it| it.name == "code").unwrap();
                let only = page.inside(number).find(|it| it.is("span", "in"));
                let only = only.map_or_else(String::new, |it| squeezed(&it.text));
                said.values
                    .insert(squeezed(&value.text) + &page.badges(number) + &only);
            }
            "li" if is_in("ul", "served") => {
                let plain = page.plain(number);
                let only = squeezed(&format!("In {channel}: "));
                let by = squeezed("Objects can be selected by ");
                match plain.starts_with(&by) {
                    false => {
                        _ = said
                            .about
                            .insert(plain.strip_prefix(&only).unwrap_or(&plain).to_owned());
                    }
                    true => {
                        let paths = page.children[number].iter().filter(|it| page.shown[**it]);
                        said.about
                            .extend(paths.map(|it| by.clone() + &page.plain(*it)));
                    }
                }
            }
            "svg" => {
                _ = said
                    .about
                    .insert(squeezed(element.attribute("aria-label").unwrap()))
            }
            "tr" if parent.is_some_and(|it| it.name == "tbody") => {
                let cells = page.children[number].iter().map(|it| page.plain(*it));
                said.about.insert(cells.collect::<Vec<_>>().join("|"));
            }
            "a" if is_in("p", "path")
                && parent.unwrap().text.starts_with("The same as in ")
                && element.text != "link"
                && element.text != "source"
                && !element.text.starts_with("feature ") =>
            {
                let href = element.attribute("href").unwrap();
                same.push((id.to_owned(), href.to_owned()));
            }
            _ => {}
        }
    }
    for (id, href) in same {
        let target = percent_decoded(href.strip_prefix('#').unwrap());
        let other = places[&target].clone();
        let said = places.get_mut(&id).unwrap();
        let has_none = said.docs.is_empty() && said.facts.is_empty() && said.values.is_empty();
        assert!(has_none, "{id}");
        (said.docs, said.facts, said.values) = (other.docs, other.facts, other.values);
    }
    places
}

/// What a page about changes lists.
pub fn changes(page: &str) -> Vec<Part> {
    let page = Page::new(page, "");
    let mut parts: Vec<Part> = Vec::new();
    let mut release = String::new();
    let link = |number: usize| {
        let mut links = page.inside(number).filter_map(|it| it.attribute("href"));
        links.next().map(percent_decoded)
    };
    for (number, element) in page.all.iter().enumerate() {
        let text = squeezed(&element.text);
        match &*element.name {
            "h2" => release = text,
            "h3" => parts.push((release.clone(), (text, link(number)), BTreeSet::new())),
            "li" if page.places[number].is_some() => {
                assert!(parts.last_mut().unwrap().2.insert((text, link(number))));
            }
            _ => {}
        }
    }
    parts
}

/// What a page of Markdown says about a place.
#[derive(Debug, Default)]
pub struct Section {
    /// All of it. Texts are squeezed.
    pub text: String,
    /// Its paragraphs and the elements of its lists.
    pub items: BTreeSet<String>,
    /// The lines of tables.
    pub rows: BTreeSet<String>,
}

/// The sections of a page of Markdown, by the ids of places.
pub fn sections(page: &str) -> BTreeMap<String, Section> {
    let mut all: BTreeMap<String, Section> = BTreeMap::new();
    let (mut place, mut has_text) = (String::new(), true);
    // Elements of lists that are open, the last paragraph, and the cells of a line.
    let (mut open, mut last, mut cells) = (vec![String::new()], String::new(), Vec::new());
    let mut is_table = false;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        let mut items = Vec::new();
        match event {
            Event::InlineHtml(html) | Event::Html(html) => {
                let id = html.trim().strip_prefix("<a id=\"");
                if let Some(id) = id.and_then(|it| it.split('"').next()) {
                    // What follows at once are the elements of a list about which nothing is said.
                    if std::mem::take(&mut has_text) {
                        place = id.to_owned();
                    }
                    all.entry(id.to_owned()).or_default();
                }
            }
            Event::Start(Tag::Table(_)) => is_table = true,
            Event::End(TagEnd::Table) => is_table = false,
            Event::Start(Tag::Item | Tag::TableCell) => open.push(String::new()),
            Event::Start(Tag::Paragraph | Tag::Heading { .. }) => last.clear(),
            Event::End(TagEnd::TableCell) => cells.push(open.pop().unwrap()),
            Event::End(TagEnd::TableHead) => cells.clear(),
            Event::End(TagEnd::TableRow) => {
                let row = std::mem::take(&mut cells).join("|");
                _ = all.get_mut(&place).unwrap().rows.insert(row);
            }
            Event::End(TagEnd::Item) => items.push(open.pop().unwrap()),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_)) => items.push(last.clone()),
            Event::Text(text) | Event::Code(text) => {
                let text = squeezed(&text);
                open.iter_mut().for_each(|it| it.push_str(&text));
                last.push_str(&text);
                has_text |= !text.is_empty();
                if let Some(own) = all.get_mut(&place).filter(|_| !is_table) {
                    own.text.push_str(&text);
                }
            }
            _ => {}
        }
        if let Some(own) = all.get_mut(&place) {
            own.items
                .extend(items.into_iter().filter(|it| !it.is_empty()));
        }
    }
    all
}

/// What a page of Markdown about changes lists.
pub fn changes_of_markdown(page: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let (mut release, mut text, mut link) = (String::new(), String::new(), None);
    for event in Parser::new(page) {
        match event {
            Event::Start(Tag::Item | Tag::Heading { .. }) => (text, link) = (String::new(), None),
            Event::Start(Tag::Link { dest_url, .. }) => link = Some(percent_decoded(&dest_url)),
            Event::Text(more) | Event::Code(more) => text.push_str(&squeezed(&more)),
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => release.clone_from(&text),
            Event::End(TagEnd::Heading(HeadingLevel::H3)) => {
                parts.push((
                    release.clone(),
                    (text.clone(), link.take()),
                    BTreeSet::new(),
                ));
            }
            Event::End(TagEnd::Item) => {
                assert!(
                    parts
                        .last_mut()
                        .unwrap()
                        .2
                        .insert((text.clone(), link.take()))
                );
            }
            _ => {}
        }
    }
    parts
}
