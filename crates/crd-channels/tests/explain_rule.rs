//! `explain-rule` as users run it. The expected costs come from the code of kube-apiserver, see
//! `apiserver/cel/tests/server/rules.txt`.

use crate::support::{Ran, Workspace};
use serde_json::Value;

/// The lists of `apiserver/cel/tests/server/schema.json`, on a node that occurs three times.
const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              parts:
                type: array
                maxItems: 3
                items:
                  type: object
                  properties:
                    ls: {type: array, maxItems: 5, items: {type: string, maxLength: 5}}
                    lu: {type: array, items: {type: string}}
                  x-kubernetes-validations:
                  - rule: self.ls.all(x, self.ls.all(x, x == ''))
";

fn workspace() -> Workspace {
    let workspace = Workspace::new("");
    workspace.write("crds/widgets.yaml", CRD);
    workspace
}

fn explain(workspace: &Workspace, arguments: &[&str]) -> Ran {
    workspace.run(&[&["explain-rule", "--crds", "crds"], arguments].concat())
}

#[test]
fn every_part_has_its_type_its_cost_and_its_bound() {
    let workspace = workspace();
    let ran = explain(&workspace, &["Widget"]).with_code(0);
    // The server's cost of the rule is 133.
    let head = "Widget v1, rule 0 of `spec.parts[]`, in `crds/widgets.yaml`:
rule: self.ls.all(x, self.ls.all(x, x == ''))
costs up to 399 of 10,000,000, 0.0 %: 133 for each of up to 3 values
  `spec.parts` has `maxItems: 3`
new rules can use it since Kubernetes 1.25
  cost  times  type          part
   399      3  bool          self.ls.all(x, self.ls.all(x, x == ''))
";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    let columns = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let rows: Vec<String> = ran.stdout.lines().map(columns).collect();
    for row in [
        "6 3 list(string) self.ls up to 5 items, limited by `maxItems` of `self.ls`",
        "345 15 bool self.ls.all(x, x == '')",
        "75 75 bool x == ''",
        "75 75 string x up to 20 bytes, limited by `maxLength` or `enum` of `self.ls[]`",
    ] {
        assert!(
            rows.iter().any(|known| known == row),
            "{row}\n{}",
            ran.stdout
        );
    }
    let same = explain(
        &workspace,
        &["Widget", "spec.parts[]", "--rule", "0", "--version", "v1"],
    );
    assert_eq!(same.with_code(0).stdout, ran.stdout);
}

#[test]
fn an_expression_is_explained_as_if_it_stood_there() {
    let workspace = workspace();
    let at = ["Widget", "spec.parts[]", "--expression"];
    let given = |expression| explain(&workspace, &[&at[..], &[expression]].concat());
    // The server's cost is 159.
    let ran = given("self.ls.sortBy(x, self.ls.size()) == self.ls");
    assert!(
        ran.stdout
            .contains("new rules can use it since Kubernetes 1.35\n  `self.ls.sortBy(x, self.ls.size())` uses `sortBy`\n"),
        "{}",
        ran.stdout
    );
    // The server's cost is 329854432052.
    let ran = given("self.lu.isSorted()").with_code(1);
    for expected in [
        "Widget v1, an expression for `spec.parts[]`, in `crds/widgets.yaml`:\nrule: self.lu.isSorted()\n",
        "costs up to 989,563,296,156 of 10,000,000, 9895633.0 %!: 329,854,432,052 for each of up to 3 values\n",
        "`self.lu` has no `maxItems`\n",
        "error: the expression costs up to 989563296156, which is 98956.3 times the budget of 10000000\nhelp: ",
    ] {
        assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
    }
    let ran = given("self.la.size() == 1").with_code(1);
    let expected = "error: unknown field `la` at byte 5 of `self.la.size() == 1`\nhelp: ";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    let ran = explain(
        &workspace,
        &["Widget", "--expression", "self.metadata.name != 'a'"],
    );
    let expected = "Widget v1, an expression for the root, in `crds/widgets.yaml`:\nrule: self.metadata.name != 'a'\ncosts up to ";
    assert!(ran.with_code(0).stdout.starts_with(expected));
}

#[test]
fn parts_with_a_type_have_it_where_others_have_none() {
    let workspace = workspace();
    let at = ["Widget", "spec.parts[]", "--expression"];
    let given = |expression| explain(&workspace, &[&at[..], &[expression]].concat()).with_code(1);
    let ran = given("self.ls.all(x, x.size() > self.la.size())");
    let expected = "Widget v1, an expression for `spec.parts[]`, in `crds/widgets.yaml`:
rule: self.ls.all(x, x.size() > self.la.size())
  type          part
  bool          self.ls.all(x, x.size() > self.la.size())
  list(string)    self.ls
  object            self
  bool            x.size() > self.la.size()
  int               x.size()
  string              x
  int               self.la.size()
  ?                   self.la                              unknown field `la`
  object                self
error: unknown field `la` at byte 31 of `self.ls.all(x, x.size() > self.la.size())`
help: ";
    assert!(ran.stdout.starts_with(expected), "{}", ran.stdout);
    // All parts have a type, but the whole does not have the type of a rule.
    let ran = given("self.ls.size() + 1");
    let expected = "  type          part
  int           self.ls.size() + 1  the expression returns a value of type `int` where `bool` is expected
  int             self.ls.size()
";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    // A text with a syntax error has no parts.
    let ran = given("self.ls.size( > 1");
    let expected = "rule: self.ls.size( > 1\nerror: ";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

/// Returns the rows of a part and those below it: cost, times, type and text.
fn rows(part: &Value, rows: &mut Vec<String>) {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let columns = ["cost", "times", "type", "text"].map(|column| text(&part[column]));
    rows.push(columns.join(" "));
    for below in part["parts"].as_array().unwrap() {
        self::rows(below, rows);
    }
}

#[test]
fn json_has_the_same_content() {
    let workspace = workspace();
    workspace.write("crds/more/widgets.yaml", CRD);
    let json = |arguments: &[&str], code| -> Value {
        let ran = explain(&workspace, &[arguments, &["--format", "json"]].concat()).with_code(code);
        assert_eq!(ran.stderr, "");
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let document = json(&["Widget"], 0);
    assert_eq!(
        (
            &document["format"],
            &document["budget"],
            &document["findings"]
        ),
        (&2.into(), &10_000_000.into(), &serde_json::json!([]))
    );
    let rule = &document["rules"][0];
    let places = rule["positions"].as_array().unwrap();
    let files: Vec<&str> = places
        .iter()
        .map(|it| it["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["crds/more/widgets.yaml", "crds/widgets.yaml"]);
    assert_eq!(
        places[1],
        serde_json::json!({"kind": "Widget", "version": "v1", "field": "spec.parts[]", "rule": 0, "file": "crds/widgets.yaml"})
    );
    let expression = &rule["expressions"][0];
    for (key, expected) in [
        ("of", "rule".into()),
        ("text", "self.ls.all(x, self.ls.all(x, x == ''))".into()),
        ("once", 133.into()),
        ("times", 3.into()),
        ("cost", 399.into()),
        ("kubernetes", "1.25".into()),
        ("newest", Value::Null),
        (
            "above",
            serde_json::json!(["`spec.parts` has `maxItems: 3`"]),
        ),
    ] {
        assert_eq!(expression[key], expected, "{key}");
    }
    let mut all = Vec::new();
    rows(&expression["parts"], &mut all);
    let text = explain(&workspace, &["Widget"]).with_code(0).stdout;
    let columns = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(columns).collect();
    for row in &all {
        assert!(
            lines.iter().any(|line| line.starts_with(row)),
            "{row}\n{text}"
        );
    }
    let list = &expression["parts"]["parts"][0];
    assert_eq!(
        list["size"],
        serde_json::json!({"most": 5, "unit": "items", "by": {"node": "self.ls", "keyword": "maxItems", "bounded": true}})
    );
    assert_eq!(list["range"], serde_json::json!({"start": 0, "end": 7}));

    let at = ["Widget", "spec.parts[]", "--expression"];
    let document = json(&[&at[..], &["self.ls.sort() == self.ls"]].concat(), 0);
    let expression = &document["rules"][0]["expressions"][0];
    assert_eq!(expression["kubernetes"], "1.35");
    assert_eq!(
        expression["newest"],
        serde_json::json!({"range": {"start": 0, "end": 14}, "uses": "sort"})
    );
    let document = json(&[&at[..], &["self.la.size() == 1"]].concat(), 1);
    let rule = &document["rules"][0];
    assert_eq!(
        (&rule["accept"], &rule["compiled"]),
        (&false.into(), &true.into())
    );
    let whole = &rule["expressions"][0]["parts"];
    assert_eq!(
        (&whole["type"], &whole["cost"]),
        (&"bool".into(), &Value::Null)
    );
    let unknown = &whole["parts"][0]["parts"][0];
    assert_eq!(unknown["errors"][0], "unknown field `la`");
    assert_eq!(
        rule["findings"][0]["range"],
        serde_json::json!({"start": 5, "end": 7})
    );
    assert_eq!(rule["positions"][0]["rule"], Value::Null);

    let document = json(&["Wigdet"], 2);
    let message = document["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `Widget`?"), "{message}");
    assert_eq!(document["rules"], serde_json::json!([]));
}

#[test]
fn channels_that_have_a_rule_alike_have_it_explained_once() {
    let workspace = workspace();
    workspace.write("crds/more/widgets.yaml", CRD);
    let ran = explain(&workspace, &["Widget"]).with_code(0);
    let head = "Widget v1, rule 0 of `spec.parts[]`, in `crds/more/widgets.yaml`:
Widget v1, rule 0 of `spec.parts[]`, in `crds/widgets.yaml`:
rule: ";
    assert!(ran.stdout.starts_with(head), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("costs up to").count(), 1);
}

#[test]
fn errors_in_the_rest_of_the_schema_come_first() {
    let workspace = workspace();
    let faulty = CRD.replace("lu: {type", "lu: {uniqueItems: true, type");
    workspace.write("crds/widgets.yaml", faulty);
    let ran = explain(&workspace, &["Widget"]).with_code(1);
    let expected = "servers compile rules only if the rest of the schema is valid:
error at `spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[parts].items.properties[lu].uniqueItems`: ";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

#[test]
fn unknown_kinds_versions_and_fields_are_reported() {
    let workspace = workspace();
    for (arguments, expected) in [
        (
            &["Wigdet"][..],
            "no CRD in `crds` has the kind `Wigdet`, did you mean `Widget`?",
        ),
        (
            &["Widget", "--version", "v2"],
            "no CRD in `crds` has the kind `Widget` with a version `v2`; name other CRDs with `--crds`",
        ),
        (
            &["Widget", "spec.part[]"],
            "`Widget` has no rules at `spec.part[]`, did you mean `spec.parts[]`?",
        ),
        (
            &["Widget", "spec.parts[]", "--rule", "1"],
            "`Widget` has no rule 1 at `spec.parts[]`",
        ),
        (
            &["Widget", "spec.port", "--expression", "true"],
            "`Widget` has no node at `spec.port`, did you mean `spec.parts`?",
        ),
    ] {
        let ran = explain(&workspace, arguments).with_code(2);
        assert_eq!(ran.stderr, format!("error: {expected}\n"));
    }
}

#[test]
fn the_page_shows_the_printed_output() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = |language: &str| {
        let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    let (head, _) = CRD.split_once("          spec:\n").unwrap();
    let schema: Vec<String> = block("yaml")
        .lines()
        .map(|line| format!("          {line}\n"))
        .collect();
    let crd = head.replace("Widget", "Host").replace("widget", "host") + &schema.concat();
    let workspace = Workspace::new("");
    workspace.write("generated/stable/example.com_hosts.yaml", crd);
    let ran = workspace
        .run(&["explain-rule", "Host", "spec"])
        .with_code(1);
    assert_eq!(ran.stdout.trim_end(), block("text").trim_end());
}
