//! `docs/changes.md` says what the records of the rules say.

#[allow(dead_code, reason = "`main` is the example's")]
#[path = "../examples/changes_page.rs"]
mod example;

#[test]
fn the_page_is_that_of_the_records() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/changes.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        page == example::page(),
        "docs/changes.md is stale; run\n\n    \
         cargo run -p crd-channels --example changes_page > docs/changes.md\n"
    );
}
