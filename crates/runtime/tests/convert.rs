//! Mistakes in `#[derive(Convert)]` that only the compiler can see: `convert/<name>.rs` has them, `convert/<name>.stderr` its
//! output. `TRYBUILD=overwrite cargo test --workspace --test convert` updates the latter.

#[test]
fn mistakes_name_the_field_and_the_remedy() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/convert/*.rs");
}
