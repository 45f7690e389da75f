//! Tests of `check` on single texts.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use super::files::Unread;
use super::{CheckOptions, CheckedFile, find_name_clashes, report, set_levels};
use crd_channels_check::{Level, NEWEST, Rule};
use crd_channels_diagnostics::report::Format;
use crd_channels_projection::channel::config::Lints;
use serde_json::{Value, json};

fn crd(plural: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("{plural}.example.com")},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": plural, "kind": "Widget"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }],
        },
    })
}

fn read(text: &str) -> Result<CheckedFile, Unread> {
    let options = CheckOptions {
        lints: Lints::default(),
        minor: NEWEST,
        root: None,
    };
    super::check_text("f.yaml".to_owned(), text.to_owned(), &options)
}

fn check_text(text: &str) -> CheckedFile {
    read(text).unwrap()
}

/// The JSON document of one file, with the file's `accept` copied to the top level.
fn json_of(text: &str) -> Value {
    let mut written = report::json(&[check_text(text)], &[], &Lints::default());
    written["accept"] = written["files"][0]["accept"].clone();
    written
}

#[test]
fn all_files_are_one_document() {
    let unread = Unread {
        name: "g.yaml".to_owned(),
        message: "`g.yaml` cannot be read".to_owned(),
    };
    let clean = check_text(&crd("widgets").to_string());
    let whole = report::json(&[clean], &[unread], &Lints::default());
    assert_eq!(
        whole["files"],
        json!([{"file": "f.yaml", "accept": true}, {"file": "g.yaml", "accept": null}])
    );
    assert_eq!(whole["findings"][0]["code"], "unreadable-file");
    assert_eq!(whole["findings"][0]["file"], "g.yaml");
    assert_eq!(whole["format"], 2);
    let mut bad = crd("widgets");
    bad["spec"]["scope"] = json!("Everywhere");
    let bad = json_of(&bad.to_string());
    assert_eq!(bad["accept"], json!(false));
    let finding = &bad["findings"][0];
    assert_eq!(finding["code"], json!("scope"));
    assert_eq!(finding["severity"], json!("error"));
    assert_eq!(finding["reason"], json!("FieldValueNotSupported"));
    assert_eq!(finding["field"], json!("spec.scope"));
    assert_eq!(finding["message"], json!("`Everywhere` is not a scope"));
}

#[test]
fn unknown_fields_leave_a_crd_accepted_and_wrong_kinds_have_no_field() {
    let mut unknown = crd("widgets");
    unknown["spec"]["colour"] = json!("blue");
    let unknown = json_of(&unknown.to_string());
    assert_eq!(unknown["accept"], json!(true));
    assert_eq!(unknown["findings"][0]["severity"], json!("warning"));
    assert_eq!(unknown["findings"][0]["field"], json!("spec.colour"));
    assert_eq!(unknown["findings"][0]["reason"], Value::Null);
    let mut wrong = crd("widgets");
    wrong["spec"]["scope"] = json!(1);
    let wrong = json_of(&wrong.to_string());
    assert_eq!(wrong["accept"], json!(false));
    assert_eq!(wrong["findings"][0]["reason"], Value::Null);
    assert_eq!(wrong["findings"][0]["field"], Value::Null);
}

#[test]
fn what_servers_accept_and_never_serve_is_an_error_and_accepted() {
    let mut crd = crd("widgets");
    crd["spec"]["versions"][0]["subresources"] = json!({"scale": {
        "specReplicasPath": ".spec.list[0]", "statusReplicasPath": ".status.replicas",
    }});
    let found = json_of(&crd.to_string());
    assert_eq!(found["accept"], json!(true));
    assert_eq!(found["findings"][0]["code"], json!("scale-notation"));
    assert_eq!(found["findings"][0]["severity"], json!("error"));
}

#[test]
fn several_crds_of_a_file_are_told_apart() {
    let (one, mut two) = (crd("widgets"), crd("gadgets"));
    two["spec"]["scope"] = json!("");
    let text = format!("---\n{one}\n---\n{two}\n---\nkind: Service\n");
    let checked = check_text(&text);
    assert_eq!(checked.others, 1);
    let notes = report::notes(&[checked]);
    assert_eq!(
        notes[0],
        "1 document of `f.yaml` is skipped, because it is not a CRD"
    );
    assert_eq!(notes[1], "2 CRDs checked, 1 rejected");
    let found = json_of(&text);
    assert_eq!(found["accept"], json!(false));
    let message = found["findings"][0]["message"].as_str().unwrap();
    assert_eq!(message, "`gadgets.example.com`: the scope is missing");
}

#[test]
fn people_see_the_place_and_what_to_write() {
    let mut bad = crd("widgets");
    bad["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["type"] = json!("string");
    let checked = check_text(&bad.to_string());
    let written = report::human(&[checked], &Lints::default());
    assert!(written.starts_with("error[schema-type]: the root must be an object, not `string`"));
    assert!(
        written.contains("^ spec.versions[0].schema.openAPIV3Schema.type"),
        "{written}"
    );
    assert!(written.contains("help: write `type: "), "{written}");
}

#[test]
fn what_is_no_yaml_is_said() {
    let error = read("a: [").err().map(|unread| unread.message).unwrap();
    assert!(error.starts_with("`f.yaml`: "), "{error}");
}

#[test]
fn lints_do_what_their_levels_say() {
    let mut float = crd("widgets");
    float["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"] =
        json!({"type": "number"});
    let text = float.to_string();
    for (level, denied, written) in [
        (Level::Allow, false, 0),
        (Level::Warn, false, 1),
        (Level::Deny, true, 1),
    ] {
        let mut lints = Lints::default();
        lints.set(Rule::Float, level);
        // The level of what servers refuse cannot be lowered.
        lints.set(Rule::Scope, Level::Allow);
        assert_eq!(lints.level(Rule::Scope), Level::Deny);
        let mut checked = [check_text(&text)];
        assert_eq!(set_levels(&mut checked, &lints), denied);
        let written_json = report::json(&checked, &[], &lints);
        let findings = written_json["findings"].as_array().unwrap();
        assert_eq!(findings.len(), written);
        assert_eq!(written_json["files"][0]["accept"], true);
        for finding in findings {
            let severity = if denied { "error" } else { "warning" };
            assert_eq!(finding["severity"], severity);
        }
        let github = report::write(&checked, &[], &lints, Format::Github);
        let word = if denied { "::error " } else { "::warning " };
        assert_eq!(github.matches(word).count(), written, "{github}");
        let sarif = report::write(&checked, &[], &lints, Format::Sarif);
        let sarif: Value = serde_json::from_str(&sarif).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), written);
        for result in results {
            let place = &result["locations"][0];
            assert_eq!(
                place["physicalLocation"]["artifactLocation"]["uri"],
                "f.yaml"
            );
            let field = "spec.versions[0].schema.openAPIV3Schema.properties[spec].type";
            assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], field);
        }
    }
}

#[test]
fn names_clash_between_files() {
    let (one, mut two) = (crd("widgets"), crd("gadgets"));
    two["spec"]["names"]["kind"] = json!("Gadget");
    two["spec"]["names"]["shortNames"] = json!(["widget"]);
    let file = |crd: &Value| check_text(&crd.to_string());
    let mut checked = [file(&one), file(&one), file(&two)];
    find_name_clashes(&mut checked);
    let found = checked.map(|file| file.crds[0].findings.len());
    assert_eq!(found, [0, 0, 1]);
}

#[test]
fn findings_have_lines_of_the_file() {
    let text = "\
---
kind: Service
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a.b:
            type: any
";
    let checked = [check_text(text)];
    let lints = Lints::default();
    let github = report::write(&checked, &[], &lints, Format::Github);
    assert!(
        github.starts_with("::error file=f.yaml,line=23,col=13,title=schema-type::"),
        "{github}"
    );
    let sarif = report::write(&checked, &[], &lints, Format::Sarif);
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        place["region"],
        json!({"startLine": 23, "startColumn": 13, "endLine": 23, "endColumn": 17})
    );
    let human = report::human(&checked, &lints);
    assert!(human.contains("--> f.yaml:23:13\n"), "{human}");
    assert!(human.contains("23 |             type: any\n"), "{human}");
}

#[test]
fn names_with_dots_and_brackets_are_not_taken_apart() {
    let text = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a:
            type: object
            unknown: {}
            properties:
              b:
                type: any
          a.unknown:
            type: string
          a].b:
            type: any
          a].properties[b:
            type: string
          c].JSONPath:
            type: any
";
    let found = json_of(text);
    let findings = found["findings"].as_array().unwrap();
    let mut places: Vec<(u64, &str)> = findings
        .iter()
        .map(|finding| {
            let line = finding["place"]["line"].as_u64().unwrap();
            (line, finding["field"].as_str().unwrap())
        })
        .collect();
    places.sort_unstable();
    let schema = "spec.validation.openAPIV3Schema";
    assert_eq!(
        places,
        [
            (
                21,
                "spec.versions[0].schema.openAPIV3Schema.properties.a.unknown"
            ),
            (24, &format!("{schema}.properties[a].properties[b].type")),
            (28, &format!("{schema}.properties[a].b].type")),
            (32, &format!("{schema}.properties[c].JSONPath].type")),
        ]
    );
    let sarif = report::write(&[check_text(text)], &[], &Lints::default(), Format::Sarif);
    assert!(sarif.contains("properties[c].JSONPath].type"), "{sarif}");
}

/// A CRD with as many warnings.
fn warned(number: usize) -> Value {
    let properties: serde_json::Map<_, _> = (0..number)
        .map(|nth| {
            (
                format!("field{nth}"),
                json!({"type": "string", "format": "unheard-of"}),
            )
        })
        .collect();
    let mut crd = crd("widgets");
    crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"] = properties.into();
    crd
}

/// 16 times as many findings take about 16 times as long, not 256 times. Other processes may double that more than once.
#[test]
fn findings_take_linear_time() {
    let pretty = |crd: &Value| serde_json::to_string_pretty(crd).unwrap();
    let plain = |crd: &Value| crd.to_string();
    for text in [&pretty as &dyn Fn(&Value) -> String, &plain] {
        let taken = |number: usize| {
            let text = text(&warned(number));
            let start = std::time::Instant::now();
            let checked = [check_text(&text)];
            let written = report::human(&checked, &Lints::default());
            assert_eq!(written.matches("warning[unknown-format]").count(), number);
            assert!(written.len() < number * 2000, "{}", written.len());
            let found = report::json(&checked, &[], &Lints::default());
            assert_eq!(found["findings"].as_array().unwrap().len(), number);
            start.elapsed()
        };
        taken(50);
        let few = (0..3).map(|_| taken(250)).min().unwrap();
        let many = (0..2).map(|_| taken(4000)).min().unwrap();
        assert!(many < few * 128, "{few:?} {many:?}");
    }
}

/// Of a long line the place in the file is shown.
#[test]
fn long_lines_are_not_repeated() {
    let crd = warned(100).to_string();
    let written = report::human(&[check_text(&crd)], &Lints::default());
    let field = crd.find("\"field7\"").unwrap();
    let column = field + crd[field..].find("\"format\"").unwrap() + 1;
    let place = format!("--> f.yaml:1:{column}: spec.versions[0].");
    assert!(written.contains(&place), "{written}");
    let shortest = written.lines().all(|line| line.chars().count() < 300);
    assert!(shortest, "{written}");
}
