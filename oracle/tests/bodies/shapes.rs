//! Shapes that were once read wrong, with others of their kind: fact by fact what kube-derive's `crd()` says, or refused.
//! A file of `shapes/` is one cause.

use super::texts::{self, Outcome};

macro_rules! causes {
    ($($name:literal)*) => {
        [$(include_str!(concat!("shapes/", $name, ".rs"))),*]
    };
}

#[test]
fn shapes() {
    let causes = causes!(
        "attribute_macros"
        "included_items"
        "own_methods"
        "generic_impls"
        "trait_functions"
        "types_of_names"
        "sets_and_maps"
        "numbers"
        "from_by_type"
        "macro_hygiene"
        "remote_types"
        "hand_written_partial_eq"
        "derives_named_like_std"
        "rarer"
        "written_variants"
        "examples"
        "documentation"
        "excluding_bounds"
        "rules_of_fields"
        "items_of_blocks"
        "changes_in_place"
        "names_in_bodies"
        "overlooked"
        "visibility"
        "macro_tokens"
        "bounds_and_paths"
        "same_names"
        "without_prelude"
        "constants_and_lists"
        "parsed_texts"
        "second_readings"
        "conversions"
        "blocks_elsewhere"
        "unseen"
        "identities"
        "kube_schema_code"
        "unseen_serialize"
        "alternatives"
        "skipped_variants"
    );
    let outcomes = texts::outcomes("shapes", &causes);
    let (mut equal, mut documented, mut refused, mut wrong) = (0, 0, 0, Vec::new());
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Equal => equal += 1,
            Outcome::Documented(rows) => {
                documented += 1;
                println!("documented {name}: {rows:?}");
            }
            Outcome::Refused(why) => {
                refused += 1;
                println!("refused {name}: {why}");
            }
            Outcome::Panics(why) => wrong.push(format!("{name}: kube panics: {why}")),
            Outcome::Wrong(facts) => wrong.push(format!("{name}: {}", facts.join("\n  "))),
        }
    }
    println!(
        "{equal} of {} shapes equal, {documented} different as documented, {refused} refused, {} wrong",
        outcomes.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let alternatives = include_str!("shapes/alternatives.rs");
    assert_eq!(documented, alternatives.matches("//# ").count());
}
