//! `gen-crds --cost`: every rule with the budgets of API servers. The expected costs come from the code of kube-apiserver, see
//! `apiserver/cel/tests/server/rules.txt`.

use crate::support::Workspace;
use serde_json::{Value, json};

/// The server's costs are 12 for the rule of the kind, and 21 for that of its parts.
const CHEAP: &str = r#"
//- src/lib.rs
use kube::{CustomResource, KubeSchema};
/// Where requests go.
#[derive(crd_channels_derive::ApiType, Clone, CustomResource, KubeSchema, serde::Deserialize, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Route", namespaced)]
#[x_kube(validation = Rule::new("'%d %s'.format([1,'a']) == 'x'").message("no x"))]
pub struct RouteSpec {
    /// What it is made of.
    #[schemars(length(max = 7))]
    #[x_kube(merge_strategy = ListMerge::Atomic)]
    pub parts: Vec<Part>,
    /// Whom it serves.
    pub hosts: Vec<String>,
}
/// A part.
#[derive(crd_channels_derive::ApiType, Clone, KubeSchema, serde::Deserialize, serde::Serialize)]
#[x_kube(validation = Rule::new("[1,2].all(x, x > 0)").message("no more"))]
pub struct Part {
    /// Its name.
    pub name: String,
}
"#;

/// The cost of its schema: seven parts and the kind.
const TOTAL: u64 = 7 * 21 + 12;

#[test]
fn rules_are_shown_beside_their_budgets() {
    let workspace = Workspace::new(CHEAP);
    let ran = workspace.run(&["gen-crds", "--cost"]).with_code(0);
    let of = |channel: &str| {
        format!(
            "{channel} Route v1: {TOTAL} of 100,000,000, 0.0 %
  {}     0.0 %   spec.parts[] --rule 0: [1,2].all(x, x > 0)
   12     0.0 %   spec --rule 0: '%d %s'.format([1,'a']) == 'x'
",
            7 * 21
        )
    };
    let tables = ["stable", "experimental"].map(of).concat();
    assert!(ran.stdout.starts_with(&tables), "{}", ran.stdout);
    assert!(workspace.generated().is_empty());
    let both = workspace
        .run(&["gen-crds", "--cost", "--check"])
        .with_code(1);
    assert!(both.stdout.starts_with(&tables), "{}", both.stdout);
    assert!(both.stdout.contains("missing: "), "{}", both.stdout);
    workspace.generate();
    let one = workspace.run(&["gen-crds", "--cost", "--channel", "stable"]);
    let one = one.with_code(0).stdout;
    assert!(one.starts_with(&of("stable")), "{one}");
}

#[test]
fn programs_read_costs_as_data() {
    let workspace = Workspace::new(CHEAP);
    let json = ["gen-crds", "--cost", "--format", "json"];
    let document: Value = serde_json::from_str(&workspace.run(&json).with_code(0).stdout).unwrap();
    assert_eq!(document["format"], 1);
    assert_eq!(document["findings"], json!([]));
    let [stable, experimental] = document["schemas"].as_array().unwrap().as_slice() else {
        panic!("{document}");
    };
    assert_eq!(experimental["channel"], "experimental");
    let part = &stable["expressions"][0];
    assert_eq!(
        *stable,
        json!({
            "channel": "stable", "crd": "routes.example.com", "kind": "Route", "version": "v1",
            "total": TOTAL, "share": TOTAL as f64 / 100_000_000.0,
            "expressions": [
                {
                    "field": "spec.parts[]", "rule": 0, "of": "rule", "text": "[1,2].all(x, x > 0)",
                    "once": 21, "times": 7, "cost": 147, "share": part["share"],
                },
                {
                    "field": "spec", "rule": 0, "of": "rule", "text": "'%d %s'.format([1,'a']) == 'x'",
                    "once": 12, "times": 1, "cost": 12, "share": 12.0 / 10_000_000.0,
                },
            ],
        })
    );
}

#[test]
fn rules_over_their_budget_are_shown_too() {
    let workspace = Workspace::new(CHEAP);
    workspace.edit(
        "src/lib.rs",
        "'%d %s'.format([1,'a']) == 'x'",
        "self.hosts.all(host, host.matches('^[a-z]+$'))",
    );
    let ran = workspace.run(&["gen-crds", "--cost"]).with_code(1);
    let (_, rest) = ran
        .stderr
        .split_once("the expression costs up to ")
        .unwrap();
    let (cost, _) = rest.split_once(',').unwrap();
    let first = ran.stdout.lines().nth(1).unwrap();
    let shown = first
        .trim_start()
        .split(' ')
        .next()
        .unwrap()
        .replace(',', "");
    assert_eq!(shown, cost, "{}", ran.stdout);
    assert!(
        first.contains("%!  spec --rule 0: self.hosts.all"),
        "{first}"
    );
    let json = ["gen-crds", "--cost", "--format", "json"];
    let document: Value = serde_json::from_str(&workspace.run(&json).with_code(1).stdout).unwrap();
    assert_eq!(
        document["schemas"][0]["expressions"][0]["cost"].to_string(),
        cost
    );
    assert_eq!(document["findings"][0]["code"], "refused-crd");
}

#[test]
fn kinds_without_rules_have_no_costs() {
    let workspace = Workspace::new(super::ROUTE);
    let ran = workspace.run(&["gen-crds", "--cost"]).with_code(0);
    assert_eq!(ran.stdout, "there are no rules\n");
    let json = ["gen-crds", "--cost", "--format", "json", "--channel", "x"];
    let document: Value = serde_json::from_str(&workspace.run(&json).with_code(2).stdout).unwrap();
    assert_eq!(
        (&document["format"], &document["schemas"]),
        (&json!(1), &Value::Null)
    );
    assert_ne!(document["findings"], json!([]));
}
