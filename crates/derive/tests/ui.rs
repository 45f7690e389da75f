//! Wrong attributes and what is said about them: `ui/<name>.rs` has one wrong type, `ui/<name>.stderr` what the compiler
//! shows. `TRYBUILD=overwrite cargo test -p crd-channels-derive --test ui` writes the latter anew.

#[test]
fn wrong_attributes() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
