//! Reads all objects of a kind in pages, so that no more than one page is in memory.

use super::kubectl::{Failure, Kubectl, Reason, patiently};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crd_channels_diagnostics::uri;
use serde_json::{Value, json};

/// The objects of a page.
const LIMIT: usize = 500;

/// How often a list is begun.
const BEGINNINGS: usize = 5;

/// Takes the objects of a list.
pub(super) trait Visitor {
    /// The list begins, or begins again: nothing counts that was seen before.
    fn begin(&mut self);

    /// Takes the objects of the next page.
    fn page(&mut self, items: &[Value]) -> Result<(), Failure>;
}

/// Reads a list. Servers keep what a list continues from for some minutes. If that is gone, the list continues with the objects
/// that exist now, and begins again if the server does not allow that. Both visit every object that existed at the beginning and
/// still exists.
pub(super) fn visit(
    kubectl: &Kubectl,
    collection: &str,
    visitor: &mut dyn Visitor,
) -> Result<(), Failure> {
    let mut expired = None;
    for _ in 0..BEGINNINGS {
        visitor.begin();
        match visit_once(kubectl, collection, visitor) {
            Err(failure) if failure.reason == Reason::Expired => expired = Some(failure),
            result => return result,
        }
    }
    expired.map_or(Ok(()), Err)
}

fn visit_once(
    kubectl: &Kubectl,
    collection: &str,
    visitor: &mut dyn Visitor,
) -> Result<(), Failure> {
    let mut token = String::new();
    loop {
        let read = |token: &str| {
            let mut path = format!("{collection}?limit={LIMIT}");
            if !token.is_empty() {
                path.push_str("&continue=");
                path.push_str(&uri::escaped(token, ""));
            }
            patiently(|| kubectl.get(&path))
        };
        let page = match read(&token) {
            Err(failure) if failure.reason == Reason::Expired => match relaxed(&token) {
                Some(token) => read(&token)?,
                None => return Err(failure),
            },
            page => page?,
        };
        let items = page.get("items").and_then(Value::as_array);
        visitor.page(items.map(Vec::as_slice).unwrap_or_default())?;
        match page.pointer("/metadata/continue").and_then(Value::as_str) {
            None | Some("") => return Ok(()),
            Some(next) => next.clone_into(&mut token),
        }
    }
}

/// Returns a token that continues at the same place with the objects that exist now, as servers offer it when a token expires;
/// `kubectl` does not pass theirs on. `None` if the token has another form.
fn relaxed(token: &str) -> Option<String> {
    let bytes = URL_SAFE_NO_PAD.decode(token.trim_end_matches('=')).ok()?;
    let mut place: Value = serde_json::from_slice(&bytes).ok()?;
    if place.get("v")? != "meta.k8s.io/v1" || place.get("rv")?.as_i64()? < 0 {
        return None;
    }
    place.as_object_mut()?.insert("rv".to_owned(), json!(-1));
    Some(URL_SAFE_NO_PAD.encode(place.to_string()))
}
