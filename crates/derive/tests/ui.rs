//! Wrong attributes and what is said about them: `ui/<name>.rs` has one wrong type, `ui/<name>.stderr` what the compiler
//! shows. `TRYBUILD=overwrite cargo test -p crd-channels-derive --test ui` writes the latter anew.
//!
//! Those in `ui` are attributes that the generator reads as well, and a test of it holds that both say the same.

#[test]
fn wrong_attributes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/convert/*.rs");
}
