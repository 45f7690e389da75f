//! HTML as browsers read it, as a list of elements with their texts.

use html5gum::{Token, Tokenizer};
use std::collections::BTreeMap;

/// Elements that have no end.
const VOID: [&str; 9] = [
    "area", "br", "hr", "img", "input", "line", "link", "meta", "rect",
];

/// An element.
#[derive(Clone, Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// Its text, with that of the elements inside of it.
    pub text: String,
    /// The number of the element that it is inside of.
    pub parent: Option<usize>,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }

    pub fn is(&self, name: &str, class: &str) -> bool {
        self.name == name && self.attribute("class") == Some(class)
    }
}

fn text(bytes: &[u8]) -> String {
    std::str::from_utf8(bytes).unwrap().to_owned()
}

/// Reads a page, whose elements have to end in the order in which they begin.
pub fn elements(page: &str) -> Vec<Element> {
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for token in Tokenizer::new(page) {
        let Ok(token) = token;
        match token {
            Token::StartTag(tag) => {
                let name = text(&tag.name);
                let attributes = tag.attributes.iter();
                all.push(Element {
                    name: name.clone(),
                    attributes: attributes
                        .map(|(name, value)| (text(name), text(&value.value)))
                        .collect(),
                    text: String::new(),
                    parent: open.last().copied(),
                });
                if !VOID.contains(&&*name) {
                    open.push(all.len() - 1);
                }
            }
            Token::EndTag(tag) => {
                let last = open.pop().unwrap();
                assert_eq!(all[last].name, text(&tag.name), "{:?}", all[last]);
            }
            Token::String(more) => {
                let more = text(&more);
                open.iter()
                    .for_each(|number| all[*number].text.push_str(&more));
            }
            Token::Doctype(_) => {}
            Token::Comment(_) => panic!("a comment"),
            Token::Error(error) => panic!("{error:?}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    all
}
