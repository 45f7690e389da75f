//! Invalid attributes and their errors: `ui/<name>.rs` has one invalid type, `ui/<name>.stderr` the compiler's output.
//! `TRYBUILD=overwrite cargo test -p crd-channels-derive --test ui` updates the latter.
//!
//! The generator reads the attributes in `ui` as well, and one of its tests checks that both report the same errors.

#[test]
fn wrong_attributes() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    cases.compile_fail("tests/convert/*.rs");
    // What the derive alone demands.
    cases.compile_fail("tests/conditions/*.rs");
}
