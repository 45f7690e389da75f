//! Every link of a page leads somewhere, and every id is there once.

use crate::html::elements;
use crate::reader::{percent_decoded, with};
use crate::{Files, api, hostile};
use crd_channels_reference::{Look, markdown, site};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::collections::{BTreeMap, BTreeSet};

fn is_of_the_web(link: &str) -> bool {
    ["https://", "http://", "mailto:"]
        .iter()
        .any(|scheme| link.starts_with(scheme))
}

/// Follows the links of pages to the ids in them. Returns how many there are.
fn follow(
    ids: &BTreeMap<String, BTreeSet<String>>,
    links: &BTreeMap<String, Vec<String>>,
) -> usize {
    let mut count = 0;
    for (page, links) in links {
        for link in links.iter().filter(|link| !is_of_the_web(link)) {
            let (file, id) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { page } else { file };
            let ids = ids.get(file).unwrap_or_else(|| panic!("{page}: {link}"));
            assert!(
                id.is_empty() || ids.contains(&percent_decoded(id)),
                "{page}: {link}"
            );
            count += 1;
        }
    }
    count
}

/// Follows the links of a site. Returns how many there are.
pub fn follow_site(files: &Files) -> usize {
    let (mut ids, mut links) = (BTreeMap::new(), BTreeMap::new());
    for (path, text) in files {
        let own: &mut BTreeSet<String> = ids.entry(path.clone()).or_default();
        if !path.ends_with(".html") {
            continue;
        }
        let all = elements(text);
        for (_, id) in with(&all, "id") {
            assert!(own.insert(id.to_owned()), "{path} has {id} twice");
            assert!(
                !id.contains(char::is_whitespace) && !id.is_empty(),
                "{path}: {id:?}"
            );
        }
        let hrefs = with(&all, "href").chain(with(&all, "src"));
        links.insert(
            path.clone(),
            hrefs.map(|(_, link)| link.to_owned()).collect(),
        );
        for (element, name) in with(&all, "aria-labelledby").chain(with(&all, "for")) {
            assert!(own.contains(name), "{path}: {element:?}");
        }
    }
    follow(&ids, &links)
}

/// Follows the links of Markdown. Returns how many there are.
pub fn follow_markdown(files: &Files) -> usize {
    let (mut ids, mut links) = (BTreeMap::new(), BTreeMap::new());
    for (path, text) in files {
        let own: &mut BTreeSet<String> = ids.entry(path.clone()).or_default();
        let to: &mut Vec<String> = links.entry(path.clone()).or_default();
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::InlineHtml(html) | Event::Html(html) => {
                    let id = html.trim().strip_prefix("<a id=\"");
                    if let Some(id) = id.and_then(|it| it.split('"').next()) {
                        assert!(own.insert(id.to_owned()), "{path} has {id} twice");
                    }
                }
                Event::Start(Tag::Link { dest_url, .. }) => to.push(dest_url.into_string()),
                _ => {}
            }
        }
    }
    follow(&ids, &links)
}

#[test]
fn links_lead_somewhere() {
    for (api, of_site, of_markdown) in [(api(), 300, 250), (hostile::api(), 10, 10)] {
        assert!(follow_site(&site(&api, &Look::default()).unwrap()) > of_site);
        assert!(follow_markdown(&markdown(&api, &Look::default())) > of_markdown);
    }
}
