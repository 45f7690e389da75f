//! `show` as users run it.

use crate::support::Workspace;
use serde_json::Value;

/// A CRD whose `spec` has these fields, in the flow style of YAML.
fn crd(fields: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, singular: widget, shortNames: [wd], kind: Widget}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {{type: object, required: [size], properties: {{{fields}}}}}
"
    )
}

const SIZE: &str = "size: {type: integer, minimum: 1}";

/// Three releases: `color` is experimental in the second and stable in the third, which has `old` no more.
fn releases() -> Workspace {
    let workspace = Workspace::new("");
    let color = ", color: {type: string, enum: [red, green], description: Its color.}";
    let more = ", color: {type: string, enum: [red, green, blue], description: Its color.}";
    let old = ", old: {type: object, properties: {a: {type: string}}}";
    for (version, channel, fields) in [
        ("v0.1.0", "stable", format!("{SIZE}{old}")),
        ("v0.1.0", "experimental", format!("{SIZE}{old}")),
        ("v0.2.0", "stable", format!("{SIZE}{old}")),
        ("v0.2.0", "experimental", format!("{SIZE}{old}{color}")),
        ("v0.3.0", "stable", format!("{SIZE}{color}")),
        ("v0.3.0", "experimental", format!("{SIZE}{more}")),
    ] {
        workspace.write(
            &format!("crds/{version}/{channel}/widgets.yaml"),
            crd(&fields),
        );
    }
    workspace
}

#[track_caller]
fn shown(workspace: &Workspace, arguments: &[&str]) -> String {
    let ran = workspace.run(&[&["show"], arguments, &["--from", "crds"]].concat());
    ran.with_code(0).stdout
}

#[test]
fn a_field_has_its_facts_and_its_life() {
    let workspace = releases();
    assert_eq!(
        shown(&workspace, &["widgets.spec.color"]),
        "GROUP:    example.com
KIND:     Widget
VERSION:  v1 (stable since v0.1.0)
FIELD:    spec.color <string>, stable since v0.3.0, before that experimental since v0.2.0

DESCRIPTION:
    Its color.

VALUES:
    \"red\"
    \"green\"
    \"blue\", experimental since v0.3.0
"
    );
    let spec = shown(&workspace, &["wd.spec"]);
    assert!(spec.contains("\n    size <integer>, required\n"), "{spec}");
    assert!(!spec.contains("old"), "{spec}");
    let stable = shown(&workspace, &["Widget.spec.color", "--channel", "stable"]);
    assert!(
        stable.contains("green") && !stable.contains("blue"),
        "{stable}"
    );
}

#[test]
fn what_changed_since_a_release_is_listed_once() {
    let workspace = releases();
    assert_eq!(
        shown(&workspace, &["Widget", "--since", "v0.1.0"]),
        "spec.color: stable since v0.3.0, before that experimental since v0.2.0
spec.color, value \"blue\": experimental since v0.3.0
spec.old: removed in v0.3.0, before that stable since v0.1.0
"
    );
    assert_eq!(
        shown(
            &workspace,
            &["Widget", "--since", "v0.2.0", "--channel", "stable"]
        ),
        "spec.color: stable since v0.3.0, before that experimental since v0.2.0
spec.old: removed in v0.3.0, before that stable since v0.1.0
"
    );
    assert_eq!(
        shown(&workspace, &["Widget", "--since", "v0.3.0"]),
        "nothing changed its state after v0.3.0\n"
    );
    let changes = shown(
        &workspace,
        &["Widget", "--since", "v0.1.0", "--format", "json"],
    );
    let changes: Value = serde_json::from_str(&changes).unwrap();
    assert_eq!(changes["changes"][1]["value"], "blue");
    assert_eq!(changes["changes"][2]["life"][1]["state"], "removed");
}

#[test]
fn fields_with_odd_names_and_without_schemas_are_listed() {
    let workspace = Workspace::new("");
    let fields = "size: {type: object, required: [ghost], properties: {a.b: {type: array, items: {type: object, properties: {c: {type: string}}}}}}, note: {type: object, required: [ghost]}";
    workspace.write("crds/v0.1.0/stable/widgets.yaml", crd(fields));
    workspace.write("crds/v0.2.0/stable/widgets.yaml", crd(fields));
    let size = shown(&workspace, &["Widget.spec.size"]);
    assert!(
        size.contains("FIELD:    spec.size <object>, required\n"),
        "{size}"
    );
    assert!(size.contains("\n    has to have: ghost\n"), "{size}");
    assert!(size.contains("\n    ['a.b'] <list of objects>\n"), "{size}");
    let inside = shown(&workspace, &["Widget.spec.size['a.b']"]);
    assert!(inside.contains("\n    c <string>\n"), "{inside}");
    let note = shown(&workspace, &["Widget.spec.note"]);
    assert!(note.contains("FIELD:    spec.note <object>\n"), "{note}");
}

#[test]
fn what_there_is_not_is_said_with_what_there_is() {
    let workspace = releases();
    for (arguments, said) in [
        (
            &["Wigdet"][..],
            "there is no kind `Wigdet`; did you mean `widget`?",
        ),
        (
            &["Widget.spec.colour"],
            "v1 has no field `spec.colour`; did you mean `spec.color`?",
        ),
        (
            &["Widget", "--version", "v2"],
            "Widget has no version `v2`; it has `v1`",
        ),
        (
            &["Widget", "--since", "v0.9.0"],
            "there is no release `v0.9.0`; there are `v0.1.0`, `v0.2.0`, `v0.3.0`",
        ),
    ] {
        let ran = workspace.run(&[&["show"], arguments, &["--from", "crds"]].concat());
        let ran = ran.with_code(2);
        assert!(ran.stderr.contains(said), "{ran:?}");
        let ran = workspace.run(
            &[
                &["show"],
                arguments,
                &["--from", "crds", "--format", "json"],
            ]
            .concat(),
        );
        let document: Value = serde_json::from_str(&ran.with_code(2).stdout).unwrap();
        assert_eq!(document["findings"][0]["message"], said);
    }
}

#[test]
fn elements_and_new_limits_are_shown_with_their_field() {
    let workspace = Workspace::new("");
    let tags = |more: &str| {
        let items = format!("{{type: string, description: One word.{more}}}");
        format!(
            "{SIZE}, tags: {{type: array, items: {{type: array, maxItems: 3, items: {items}}}}}"
        )
    };
    workspace.write("crds/v0.1.0/stable/widgets.yaml", crd(&tags("")));
    workspace.write(
        "crds/v0.2.0/stable/widgets.yaml",
        crd(&tags(", enum: [a, b]")),
    );
    let found = shown(&workspace, &["Widget.spec.tags"]);
    let (_, facts) = found.split_once("FACTS:\n").unwrap();
    assert_eq!(
        facts,
        "    server-side apply replaces it as a whole

FACTS OF spec.tags[]:
    at most 3 elements
    server-side apply replaces it as a whole

DESCRIPTION OF spec.tags[][]:
    One word.

VALUES OF spec.tags[][]:
    \"a\"
    \"b\"
"
    );
    let since = ["Widget", "--since", "v0.1.0"];
    let limited = "spec.tags[][]: became limited to values in v0.2.0\n";
    assert_eq!(shown(&workspace, &since), limited);
    let stable = [&since[..], &["--channel", "stable"]].concat();
    assert_eq!(shown(&workspace, &stable), limited);
    let json = shown(&workspace, &[&since[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["changes"][0]["limited"], "became limited to values");
    assert_eq!(json["changes"][0]["value"], Value::Null);
}

/// Who has one channel hears what comes to it, and what leaves it.
#[test]
fn changes_are_those_of_a_channel() {
    let workspace = Workspace::new("");
    let text = "{type: string}";
    for (version, channel, fields) in [
        (
            "v0.1.0",
            "stable",
            format!("{SIZE}, back: {text}, gone: {text}"),
        ),
        (
            "v0.1.0",
            "experimental",
            format!("{SIZE}, back: {text}, gone: {text}, tried: {text}, dropped: {text}"),
        ),
        ("v0.2.0", "stable", format!("{SIZE}, tried: {text}")),
        (
            "v0.2.0",
            "experimental",
            format!("{SIZE}, back: {text}, tried: {text}, new: {text}"),
        ),
    ] {
        let file = format!("crds/{version}/{channel}/widgets.yaml");
        workspace.write(&file, crd(&fields));
    }
    let lines = |channel: &str| {
        shown(
            &workspace,
            &["Widget", "--since", "v0.1.0", "--channel", channel],
        )
    };
    let back = "spec.back: experimental since v0.2.0, before that stable since v0.1.0\n";
    let dropped = "spec.dropped: removed in v0.2.0, before that experimental since v0.1.0\n";
    let gone = "spec.gone: removed in v0.2.0, before that stable since v0.1.0\n";
    let new = "spec.new: experimental since v0.2.0\n";
    let tried = "spec.tried: stable since v0.2.0, before that experimental since v0.1.0\n";
    assert_eq!(lines("stable"), [back, gone, tried].concat());
    assert_eq!(
        lines("experimental"),
        [back, dropped, gone, new, tried].concat()
    );
}

#[test]
fn what_is_gone_or_elsewhere_is_said() {
    let workspace = releases();
    let other = crd(SIZE)
        .replace("widgets", "gadgets")
        .replace("Widget", "Gadget");
    workspace.write("crds/v0.1.0/stable/gadgets.yaml", other);
    for (arguments, expected) in [
        (
            &["Widget.spec.old"][..],
            "v1 has no field `spec.old` any more: removed in v0.3.0, before that stable since v0.1.0",
        ),
        (
            &["Gadget"],
            "there is no kind `Gadget` any more; the last release with it is v0.1.0",
        ),
    ] {
        let ran = workspace.run(&[&["show"], arguments, &["--from", "crds"]].concat());
        let ran = ran.with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    let more = crd(&format!("{SIZE}, new: {{type: string}}"));
    workspace.write("crds/v0.3.0/experimental/widgets.yaml", more);
    let stable = [
        "show",
        "Widget.spec.new",
        "--channel",
        "stable",
        "--from",
        "crds",
    ];
    let ran = workspace.run(&stable).with_code(2);
    let expected = "`spec.new` of v1 is in another channel: experimental since v0.3.0";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn every_version_of_a_kind_is_part_of_what_changed() {
    let workspace = Workspace::new("");
    let both = |is_deprecated: bool| {
        let one = crd(SIZE);
        let (_, version) = one.split_once("  versions:\n").unwrap();
        let old = version.replace("name: v1", "name: v1beta1").replace(
            "storage: true",
            &format!("storage: false\n    deprecated: {is_deprecated}"),
        );
        format!("{one}{old}")
    };
    workspace.write("crds/v0.1.0/stable/widgets.yaml", both(false));
    workspace.write("crds/v0.2.0/stable/widgets.yaml", both(true));
    let deprecated = "v1beta1: deprecated since v0.2.0, before that stable since v0.1.0\n";
    let whole = shown(&workspace, &["Widget", "--since", "v0.1.0"]);
    assert_eq!(whole, deprecated);
    let one = ["Widget", "--since", "v0.1.0", "--version", "v1"];
    assert_eq!(
        shown(&workspace, &one),
        "nothing changed its state after v0.1.0\n"
    );
}

#[test]
fn releases_are_not_guessed() {
    for (folders, expected) in [
        (
            &["v0.1.0", "latest"][..],
            "`crds/latest` has CRDs and is not called after a version",
        ),
        (&["v0.1", "v0.2"], "`crds/v0.1` has CRDs and is not called"),
    ] {
        let workspace = Workspace::new("");
        for folder in folders {
            workspace.write(&format!("crds/{folder}/stable/widgets.yaml"), crd(SIZE));
        }
        workspace.write("crds/examples/widget.yaml", "kind: Widget\n");
        let ran = workspace.run(&["show", "Widget", "--from", "crds"]);
        let ran = ran.with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    // Folders without CRDs are no releases, whatever they are called.
    let workspace = Workspace::new("");
    workspace.write("crds/widgets.yaml", crd(SIZE));
    workspace.write("crds/1-first/widget.yaml", "kind: Widget\n");
    workspace.write("crds/2-second/widget.yaml", "kind: Widget\n");
    shown(&workspace, &["Widget.spec.size"]);
    let workspace = releases();
    for (named, expected) in [
        (
            ["crds/v0.2.0", "crds/v0.1.0"],
            "`v0.2.0` is named before `v0.1.0`",
        ),
        (
            [
                "crds/v0.1.0/stable/widgets.yaml",
                "crds/v0.2.0/stable/widgets.yaml",
            ],
            "two releases are called `widgets`",
        ),
    ] {
        let ran = workspace.run(&["show", "Widget", "--from", named[0], "--from", named[1]]);
        let ran = ran.with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

#[test]
fn a_kind_of_several_groups_is_named_with_one() {
    let workspace = Workspace::new("");
    let widget = crd(SIZE);
    workspace.write("crds/widgets.yaml", &widget);
    workspace.write(
        "crds/others.yaml",
        widget.replace("example.com", "other.org"),
    );
    let asked = |place: &str| workspace.run(&["show", place, "--from", "crds"]);
    let ran = asked("Widget.spec.size").with_code(2);
    let expected = "name one, as in `Widget.example.com`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    for (place, group, field) in [
        ("Widget.example.com.spec.size", "example.com", true),
        ("widgets.other.org.spec.size", "other.org", true),
        ("widgets.other.org", "other.org", false),
    ] {
        let text = asked(place).with_code(0).stdout;
        assert!(text.contains(&format!("GROUP:    {group}\n")), "{text}");
        assert_eq!(text.contains("FIELD:    spec.size"), field, "{text}");
    }
    let ran = asked("widgets.third.org.spec.size").with_code(2);
    assert!(ran.stderr.contains("several groups"), "{}", ran.stderr);
    // One group need not be named, and may be.
    std::fs::remove_file(workspace.path("crds/others.yaml")).unwrap();
    for place in ["Widget.spec.size", "Widget.example.com.spec.size"] {
        asked(place).with_code(0);
    }
    asked("Widget.other.org.spec.size").with_code(2);
}
