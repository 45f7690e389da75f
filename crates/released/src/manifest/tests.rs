//! Manifests are read as they were written, or not at all.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::{FORMAT, Manifest};
use crate::digest::Digest;
use crate::fixture::manifest;
use crate::history::Presence;
use crd_channels_diagnostics::Code;

fn error_code(text: &str) -> Code {
    Manifest::parse(text.as_bytes()).unwrap_err().code
}

#[test]
fn a_manifest_comes_back_as_it_was() {
    let manifest = manifest();
    let (text, digest) = manifest.to_text();
    let sealed = Manifest {
        digest: Some(digest),
        ..manifest
    };
    assert_eq!(Manifest::parse(text.as_bytes()).unwrap(), sealed);
}

/// Format 1 has no conditions, and is read as it was written.
#[test]
fn an_older_format_is_read_as_it_was_written() {
    let mut old = manifest();
    old.format = 1;
    assert_eq!(error_code(&old.to_text().0), Code::BundleInvalid);
    old.channels[0].conditions.clear();
    assert_eq!(error_code(&old.to_text().0), Code::BundleInvalid);
    old.history.clear();
    let (text, _) = old.to_text();
    assert!(!text.contains("conditions"), "{text}");
    let read = Manifest::parse(text.as_bytes()).unwrap();
    assert_eq!((read.format, read.conditions("stable")), (1, None));
    assert_eq!(read.to_text().0, text);
    let mut new = old;
    new.format = FORMAT;
    let read = Manifest::parse(new.to_text().0.as_bytes()).unwrap();
    assert_eq!(read.conditions("stable"), Some(&[][..]));
    assert_eq!(read.conditions("preview"), None);
}

#[test]
fn steps_of_a_history_are_in_the_words_of_pages() {
    let mut manifest = manifest();
    let (text, _) = manifest.to_text();
    assert!(text.contains("\"stable since v0.1.0\""), "{text}");
    for wrong in [
        "since v0.1.0",
        "stable",
        "stable in v0.1.0",
        "removed since v0.1.0",
        "stable since ",
    ] {
        let text = text.replacen("stable since v0.1.0", wrong, 1);
        assert_eq!(error_code(&text), Code::BundleInvalid, "{wrong}");
    }
    manifest.history[0].places[0].steps[0].presence = Presence::Removed;
    let (text, _) = manifest.to_text();
    assert!(text.contains("\"removed in v0.1.0\""), "{text}");
    assert!(Manifest::parse(text.as_bytes()).is_ok());
}

#[test]
fn no_byte_of_it_can_change() {
    let (text, _) = manifest().to_text();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        assert!(Manifest::parse(&bytes).is_err(), "byte {at}");
    }
    assert_eq!(error_code(text.trim_end()), Code::BundleTampered);
    let spaced = text.replacen("{\n", "{ \n", 1);
    assert_eq!(error_code(&spaced), Code::BundleTampered);
}

#[test]
fn what_is_newer_unknown_or_leads_out_is_refused() {
    let (text, _) = manifest().to_text();
    let newer = format!("{{\"format\": {}, \"news\": 1}}", FORMAT + 1);
    assert_eq!(error_code(&newer), Code::BundleNewer);
    assert_eq!(error_code(""), Code::BundleInvalid);
    let unknown = text.replacen("\"tool\"", "\"more\": 1, \"tool\"", 1);
    assert_eq!(error_code(&unknown), Code::BundleInvalid);
    for path in [
        "../a",
        "/a",
        "a/../b",
        "./a",
        "a//b",
        "",
        "manifest.json",
        "C:\\a",
    ] {
        let mut manifest = manifest();
        manifest.shared.insert(path.to_owned(), Digest::of(b""));
        assert_eq!(
            error_code(&manifest.to_text().0),
            Code::BundleInvalid,
            "{path}"
        );
    }
    let mut other = manifest();
    let digest = Digest::of(b"");
    other.channels[0]
        .files
        .insert("elsewhere/a".to_owned(), digest);
    assert_eq!(error_code(&other.to_text().0), Code::BundleInvalid);
}
