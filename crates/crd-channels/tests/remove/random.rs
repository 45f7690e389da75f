//! Random kinds: the remaining types are those of a channel without the feature.

use super::{PATH, remove, with, workspace};
use proptest::prelude::*;

/// The attributes of one field: unconditional, with `Timeouts` or another feature.
const MENU: [(&str, &str); 8] = [
    ("", "#[experimental(feature = \"F\")]"),
    (
        "#[schemars(length(max = 3))]",
        "#[experimental(feature = \"F\", schemars(length(max = 9)), doc = \"Longer.\")]",
    ),
    (
        "#[schemars(length(min = 2, max = 3))] // short",
        "#[experimental(\n        feature = \"F\",\n        schemars(length(min = 1, max = 4))\n    )]",
    ),
    (
        "",
        "#[not_experimental(feature = \"F\", schemars(length(max = 3)))]\n    #[experimental(feature = \"F\", doc = \"Any length.\")]",
    ),
    (
        "#[x_kube(validation = \"self != 'a'\")]",
        "#[experimental(feature = \"F\", doc = \"One.\", doc = \"Two.\")]",
    ),
    (
        "",
        "#[not_experimental(feature = \"F\", x_kube(validation = \"self != 'b'\"))]",
    ),
    ("", "#[not_experimental(feature = \"F\")]"),
    (
        "#[validate(length(max = 3))]",
        "#[experimental(feature = \"F\", validate(length(max = 6)))]",
    ),
];

fn fields(choices: &[(usize, bool, bool)]) -> String {
    let mut text = PATH.to_owned();
    for (nth, (choice, own, gap)) in choices.iter().enumerate() {
        let (always, gated) = MENU[*choice];
        let gated = gated.replace("\"F\"", if *own { "\"Timeouts\"" } else { "\"Other\"" });
        text.push_str(if *gap { "\n" } else { "" });
        text.push_str(&format!("    /// Field {nth}.\n"));
        for line in [always, &gated] {
            if !line.is_empty() {
                text.push_str(&format!("    {line}\n"));
            }
        }
        text.push_str(&format!("    pub field_{nth}: Option<String>,\n"));
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn removing_is_what_was_without_the_feature(choices in prop::collection::vec((0..MENU.len(), any::<bool>(), any::<bool>()), 1..7)) {
        let fields = fields(&choices);
        prop_assume!(fields.contains("\"Timeouts\""));
        let workspace = workspace(&fields);
        let nothing = with(&workspace, &[]);
        let other = with(&workspace, &["Other"]);
        remove(&workspace, "Timeouts");
        prop_assert_eq!(with(&workspace, &[]), nothing);
        prop_assert_eq!(with(&workspace, &["Other"]), other);
        let text = workspace.read("src/lib.rs");
        prop_assert!(!text.contains("\n\n\n") && !text.contains("{\n\n") && !text.contains("\n\n}"), "{}", text);
    }
}
