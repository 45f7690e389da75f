//! Names that people choose, and packages that are compared with what would be imported.

use super::{QUEUE, import, workspace};
use crate::support::{Ran, Workspace};
use std::fs;

const BOTH: [&str; 6] = [
    "--channel",
    "stable=crds/stable",
    "--channel",
    "experimental=crds/experimental",
    "--out",
    "crates/api",
];

pub fn both(workspace: &Workspace, more: &[&str]) -> Ran {
    import(workspace, &[&BOTH[..], more].concat())
}

fn mapped(workspace: &Workspace, mapping: &str) -> Ran {
    workspace.write("names.toml", mapping);
    both(workspace, &["--mapping", "names.toml"])
}

#[test]
fn names_are_recorded_and_given_again() {
    let workspace = workspace();
    both(&workspace, &[]).with_code(0);
    let mapping = workspace.read("crates/api/import.toml");
    let recorded = "\n[types]\n\
                    QueueSpec = \"queues.example.dev spec\"\n\
                    Retry = \"queues.example.dev spec.retry\"\n\
                    Storage = \"queues.example.dev spec.storage\"\n\
                    \n[features]\nRetry = \"retry\"\n";
    assert!(mapping.ends_with(recorded), "{mapping}");
    // Other names, and a comment that stays.
    let edited = mapping
        .replace("QueueSpec =", "# Ours.\nQueueFields =")
        .replace("Retry = \"queues", "RetryPolicy = \"queues")
        .replace("Retry = \"retry\"", "Again = \"retry\"");
    for folder in ["crates", "channels"] {
        fs::remove_dir_all(workspace.path(folder)).unwrap();
    }
    workspace.write("crates/api/import.toml", &edited);
    let ran = both(&workspace, &[]).with_code(0);
    assert!(
        ran.stdout.contains("makes the same again"),
        "{}",
        ran.stdout
    );
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    for part in [
        "pub struct QueueFields {",
        "pub retry: Option<RetryPolicy>,",
        "#[experimental(feature = \"Again\")]",
    ] {
        assert!(queue.contains(part), "{part}\n{queue}");
    }
    assert_eq!(workspace.read("crates/api/import.toml"), edited);
    let features = workspace.read("channels/features.toml");
    assert!(features.starts_with("[Again]\n"), "{features}");
}

#[test]
fn a_name_stays_with_its_place_when_a_type_of_the_old_name_comes() {
    let workspace = workspace();
    both(&workspace, &[]).with_code(0);
    let spec = "            properties:\n              capacity:";
    let more = "            properties:\n              a:\n                type: object\n                properties:\n                  \
                retry: {type: object, properties: {seconds: {type: integer}}}\n              capacity:";
    let changed = QUEUE.replace(spec, more);
    assert_ne!(changed, QUEUE);
    workspace.write("crds/experimental/queue.yaml", &changed);
    let stable: Vec<&str> = changed
        .lines()
        .filter(|line| !line.contains("# experimental"))
        .collect();
    workspace.write("crds/stable/queue.yaml", stable.join("\n"));
    workspace.write("names.toml", workspace.read("crates/api/import.toml"));
    for folder in ["crates", "channels"] {
        fs::remove_dir_all(workspace.path(folder)).unwrap();
    }
    both(&workspace, &["--mapping", "names.toml"]).with_code(0);
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    // Without the mapping it would be the first that gets the shortest name.
    assert!(
        queue.contains("    pub retry: Option<Retry>,\n    pub storage"),
        "{queue}"
    );
    assert!(queue.contains("    pub retry: Option<ARetry>,"), "{queue}");
}

#[test]
fn entries_that_lead_nowhere_are_said() {
    let workspace = workspace();
    let wrong = |mapping: &str, code: i32, expected: &str| {
        let ran = mapped(&workspace, mapping);
        assert_eq!(ran.code, Some(code), "{mapping}\n{}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{mapping}\n{}", ran.stderr);
        assert!(!workspace.path("crates").exists(), "{mapping}");
    };
    wrong("[type]\nA = \"b\"", 2, "did you mean `types`?");
    wrong("[types]\nA = 5", 2, "`A` takes a place or a list of places");
    wrong(
        "[types]\nA = [\"x y\"]\nB = [\"x y\"]",
        2,
        "`x y` has two names in `[types]`",
    );
    wrong("[types\n", 2, "names.toml:1");
    wrong(
        "[same]\nAgain = [\"queues.example.dev spec.retri\"]",
        2,
        "did you mean `queues.example.dev spec.retry`?",
    );
    wrong(
        "[same]\nAgain = [\"queues.example.dev spec.capacity\"]",
        2,
        "`[same]` names `queues.example.dev spec.capacity`, and it has no type of its own",
    );
    wrong(
        "[use]\n\"crate::own::Retry\" = \"queues.example.dev spec.retri\"",
        2,
        "names.toml:2:",
    );
    wrong(
        "[features]\nAgain = \"retri\"",
        2,
        "`[features]` names `retri`",
    );
    wrong(
        "leave-out = [\"queues.example.dev/v2\"]",
        2,
        "did you mean `queues.example.dev/v1`?",
    );
    wrong(
        "leave-out = [\"queues.example.dev/v1\"]",
        2,
        "which servers store",
    );
    wrong(
        "[types]\nVec = \"queues.example.dev spec.retry\"",
        1,
        "the files use this name for something else",
    );
    wrong(
        "[types]\nretry = \"queues.example.dev spec.retry\"",
        1,
        "the name of a type is like `QueueRetry`",
    );
    wrong(
        "[same]\nBoth = [\"queues.example.dev spec.retry\", \"queues.example.dev spec\"]\n",
        2,
        "has no type of its own",
    );
    let ran = mapped(
        &workspace,
        "[types]\nAgain = \"queues.example.dev spec.retri\"",
    )
    .with_code(0);
    let said = "note: `import.toml`: nothing has a type of its own at `queues.example.dev spec.retri`; did you mean";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    assert!(!workspace.read("crates/api/import.toml").contains("retri\""));
}

#[test]
fn types_that_have_to_be_the_same_are_compared() {
    let workspace = workspace();
    let with = |other: &str| {
        let spec = "              capacity:";
        let more = format!(
            "              last: {{type: object, properties: {{attempts: {{type: integer, format: int32, {other}}}}}}}\n{spec}"
        );
        workspace.write("crds/experimental/queue.yaml", QUEUE.replace(spec, &more));
        let mapping =
            "[same]\nTries = [\"queues.example.dev spec.retry\", \"queues.example.dev spec.last\"]";
        mapped(&workspace, mapping)
    };
    let ran = with("maximum: 6").with_code(1);
    let why = "`queues.example.dev spec.last`: it cannot be `Tries` like `queues.example.dev spec.retry`: `attempts` differs";
    assert!(
        ran.stderr.contains(why) || ran.stderr.contains("`attempts` differs"),
        "{}",
        ran.stderr
    );
    with("maximum: 5").with_code(0);
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    assert!(queue.contains("pub last: Option<Tries>"), "{queue}");
    assert!(queue.contains("pub retry: Option<Tries>"), "{queue}");
}

#[test]
fn features_are_regrouped_by_place() {
    let workspace = workspace();
    mapped(
        &workspace,
        "[features]\nFirst = \"queues.example.dev spec.retry\"",
    )
    .with_code(0);
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    assert!(
        queue.contains("#[experimental(feature = \"First\")]"),
        "{queue}"
    );
    assert!(
        workspace
            .read("channels/features.toml")
            .starts_with("[First]")
    );
    let mapping = workspace.read("crates/api/import.toml");
    assert!(
        mapping.contains("First = \"queues.example.dev spec.retry\""),
        "{mapping}"
    );
}

#[test]
fn a_type_of_another_package_is_used_and_compared() {
    let workspace = workspace();
    let own = "use serde::{Deserialize, Serialize};\n#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, schemars::JsonSchema)]\n\
               pub struct Retry {\n    #[schemars(range(max = 5))]\n    pub attempts: Option<i32>,\n}\n";
    workspace.write("crates/own/src/lib.rs", own);
    let manifest = "[package]\nname = \"own\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nschemars = \"1\"\nserde = \"1\"\n";
    workspace.write("crates/own/Cargo.toml", manifest);
    let mapping = "[use]\n\"own::Retry\" = \"queues.example.dev spec.retry\"\n[dependencies]\nown = { path = \"../own\" }\n";
    let ran = mapped(&workspace, mapping).with_code(0);
    assert!(
        ran.stdout
            .contains("experimental: 1 CRD, and `gen-crds` makes the same again"),
        "{}",
        ran.stdout
    );
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    assert!(
        queue.contains("use own::Retry;\n") && queue.contains("pub retry: Option<Retry>,"),
        "{queue}"
    );
    // What differs is found where both are generated.
    workspace.write("crates/own/src/lib.rs", own.replace("max = 5", "max = 6"));
    workspace.write("names.toml", mapping);
    let again = [&BOTH[..5], &["crates/two", "--mapping", "names.toml"]].concat();
    fs::remove_dir_all(workspace.path("crates/api")).unwrap();
    fs::remove_dir_all(workspace.path("channels")).unwrap();
    let ran = import(&workspace, &again).with_code(1);
    assert!(ran.stdout.contains("spec.retry.attempts"), "{}", ran.stdout);
}

#[test]
fn versions_and_kinds_are_left_out() {
    let workspace = workspace();
    let version = QUEUE.split("  - name: v1\n").nth(1).unwrap();
    let version = version.split("status:").next().unwrap();
    let older = version.replace("storage: true", "storage: false");
    let crd = QUEUE.replace(
        "status: {conditions: []}\n",
        &format!("  - name: v1beta1\n{older}"),
    );
    let other = QUEUE
        .replace("queue", "topic")
        .replace("Queue", "Topic")
        .replace("[q]", "[t]");
    workspace.write("all/queue.yaml", &crd);
    workspace.write("all/topic.yaml", &other);
    workspace.write(
        "names.toml",
        "leave-out = [\"queues.example.dev/v1beta1\", \"topics.example.dev\"]",
    );
    let ran = import(
        &workspace,
        &["all", "--out", "crates/api", "--mapping", "names.toml"],
    )
    .with_code(0);
    assert!(
        ran.stdout
            .contains("stable: 1 CRD, and `gen-crds` makes the same again"),
        "{}",
        ran.stdout
    );
    assert!(!workspace.path("crates/api/src/v1beta1").exists());
}

#[test]
fn a_package_that_is_not_edited_can_be_checked() {
    let workspace = workspace();
    let ran = both(&workspace, &["--check"]).with_code(2);
    assert!(
        ran.stderr
            .contains("error[config-missing]: `crates/api` has no `import.lock`"),
        "{}",
        ran.stderr
    );
    both(&workspace, &[]).with_code(0);
    let ran = both(&workspace, &["--check"]).with_code(0);
    assert!(
        ran.stdout.contains("as `import` makes them"),
        "{}",
        ran.stdout
    );
    let queue = workspace.read("crates/api/src/v1/queue.rs");
    workspace.write(
        "crates/api/src/v1/queue.rs",
        queue.replace("range(min = 1)", "range(min = 2)"),
    );
    workspace.write("crates/api/src/more.rs", "");
    // What people say of the package is theirs.
    let manifest = workspace.read("crates/api/Cargo.toml");
    workspace.write("crates/api/Cargo.toml", manifest.replace("0.1.0", "0.2.0"));
    let ran = both(&workspace, &["--check"]).with_code(1);
    for part in [
        "error[stale-files]: `crates/api/src/v1/queue.rs` is other than `import` makes it",
        "error[stale-files]: `crates/api/src/more.rs` is no file that `import` makes",
    ] {
        assert!(ran.stderr.contains(part), "{part}\n{}", ran.stderr);
    }
    let lines = "-    #[schemars(range(min = 2))]\n+    #[schemars(range(min = 1))]\n";
    assert!(ran.stdout.contains(lines), "{}", ran.stdout);
    assert!(
        !ran.stdout.contains("0.2.0") && !ran.stderr.contains("Cargo.toml"),
        "{}",
        ran.stdout
    );
    assert!(
        workspace
            .read("crates/api/src/v1/queue.rs")
            .contains("min = 2")
    );
}
