//! The decisions of `init`, and the files that it leaves alone.

use super::{WRITTEN, added_files, kind, sources, unconfigured};
use crate::support::Workspace;

#[test]
fn several_groups_get_a_prefix() {
    let lib = kind("infra.example.com", "v1", "Node")
        + &kind("example.com", "v1", "Route")
        + &kind("example.com", "v1alpha1", "Draft");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    assert_eq!(added_files(&workspace, &["init"], 0), WRITTEN);
    workspace.generate();
    for file in [
        "example.com_drafts",
        "example.com_routes",
        "infra.example.com_nodes",
    ] {
        for channel in ["stable", "experimental"] {
            let crd = workspace.read(&format!("generated/{channel}/{file}.yaml"));
            let annotation = format!("\n    example.com/channel: {channel}\n");
            assert!(
                crd.contains(&annotation) && crd.contains("served: true"),
                "{crd}"
            );
        }
    }
}

#[test]
fn of_types_that_are_the_same_version_one_is_published() {
    let (gateway, route) = (
        kind("example.com", "v1", "Gateway"),
        kind("example.com", "v1", "Route"),
    );
    let draft = kind("example.com", "v1alpha1", "Draft");
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\npub mod experimental {{\n{gateway}{draft}}}\npub mod other {{\n{gateway}{route}}}\npub mod third {{\n{route}}}\n"
    ));
    let ran = workspace.run(&["init"]).with_code(0);
    assert!(
        ran.stdout.contains(
            "left out\n  demo::experimental::Gatewayv1Spec: the same version of a kind that another type is\n  demo::third::Routev1Spec: "
        ),
        "{}",
        ran.stdout
    );
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\nexclude = [\n    # the same version of a kind that another type is\n    \"demo::experimental::Gatewayv1Spec\",\n    \"demo::third::Routev1Spec\",\n]\n"),
        "{bundle}"
    );
    workspace.generate();
    for file in ["gateways", "routes", "drafts"] {
        workspace.read(&format!("generated/stable/example.com_{file}.yaml"));
    }
}

#[test]
fn the_newest_of_several_stored_versions_stays_stored() {
    let (old, new) = (
        kind("example.com", "v1beta1", "Gateway"),
        kind("example.com", "v1", "Gateway"),
    );
    let workspace = unconfigured(&format!("//- src/lib.rs\n{old}{new}"));
    let ran = workspace.run(&["init"]).with_code(0);
    assert!(
        ran.stdout.contains("\n  gateways.example.com: v1\n"),
        "{}",
        ran.stdout
    );
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\n[kinds.\"gateways.example.com\"]\n")
            && bundle.ends_with("\nstorage = \"v1\"\n"),
        "{bundle}"
    );
    workspace.generate();
    let crd = workspace.read("generated/stable/example.com_gateways.yaml");
    assert_eq!(crd.matches("storage: true").count(), 1, "{crd}");
}

/// What is decided from names does not wait for the compiler.
#[test]
fn kinds_that_source_does_not_tell_have_a_stored_version_and_a_prefix() {
    let name = "pub struct Name(String);
const fn least(one: u32, other: u32) -> u32 { if one < other { one } else { other } }
impl schemars::JsonSchema for Name {
    fn schema_name() -> std::borrow::Cow<'static, str> { \"Name\".into() }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ \"type\": \"string\", \"maxLength\": least(253, 63) })
    }
}
";
    let open = |group: &str, version: &str, of: &str| {
        kind(group, version, of).replace("host: Option<String>", "name: Name")
    };
    let kinds = [
        open("a.example.com", "v1beta1", "Gateway"),
        open("a.example.com", "v1", "Gateway"),
        open("b.example.com", "v1", "Route"),
    ];
    let workspace = unconfigured(&format!("//- src/lib.rs\n{}{name}", kinds.concat()));
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\nannotation-prefix = \"example.com\"\n"),
        "{bundle}"
    );
    assert!(bundle.contains("\nstorage = \"v1\"\n"), "{bundle}");
}

#[test]
fn a_protected_group_has_an_approval_or_says_that_it_has_none() {
    let own = kind("own.k8s.io", "v1", "Route");
    let approved = kind("own.k8s.io", "v1", "Gate").replace(
        "kind = ",
        "annotation(\"api-approved.kubernetes.io\", \"https://example.com/1\"), kind = ",
    );
    let workspace = unconfigured(&format!("//- src/lib.rs\n{own}{approved}"));
    workspace.run(&["init"]).with_code(0);
    workspace.generate();
    for (plural, expected) in [
        ("routes", "unapproved, no approval is known"),
        ("gates", "https://example.com/1"),
    ] {
        let crd = workspace.read(&format!("generated/stable/own.k8s.io_{plural}.yaml"));
        let line = format!("api-approved.kubernetes.io: {expected}\n");
        assert!(crd.contains(&line), "{crd}");
    }
}

#[test]
fn kinds_without_a_schema_are_counted_and_do_not_hide_that_none_is_left() {
    let marked = kind("example.com", "v1", "Route").replace(
        "    pub ",
        "    /// <gateway:experimental:description>\n    pub ",
    );
    let disabled =
        kind("example.com", "v1", "Gate").replace("kind = ", "schema = \"disabled\", kind = ");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{marked}{disabled}"));
    let ran = workspace.run(&["init"]).with_code(1);
    let line = "  1 kind with `schema = \"disabled\"`, which leaves no schema to write\n";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("error: the types have 1 error; "),
        "{}",
        ran.stderr
    );
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    assert!(ran.stderr.contains("error[unread-gate]"), "{}", ran.stderr);
    let workspace = unconfigured(&format!("//- src/lib.rs\n{disabled}"));
    let ran = workspace.run(&["init"]).with_code(2);
    assert!(ran.stderr.contains("1 kind with `schema"), "{}", ran.stderr);
}

#[test]
fn packages_of_several_versions_get_one() {
    let package = |name: &str, version: &str| {
        format!(
            "//- {name}/Cargo.toml\n[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\
             [dependencies]\nkube = {{ path = \"../stubs/kube\" }}\n\
             //- {name}/src/lib.rs\n{}",
            kind("example.com", "v1", &name.to_uppercase())
        )
    };
    let workspace = unconfigured(&format!(
        "//- Cargo.toml\n[workspace]\nresolver = \"3\"\nmembers = [\"a\", \"b\"]\nexclude = [\"stubs\"]\n{}{}",
        package("a", "0.10.0"),
        package("b", "0.9.0")
    ));
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(bundle.contains("\nversion = \"0.10.0\"\n"), "{bundle}");
    assert!(bundle.contains("\npackages = [\"a\", \"b\"]\n"), "{bundle}");
    workspace.generate();
}

#[test]
fn a_workspace_without_kinds_is_not_initialised() {
    let workspace = unconfigured("//- src/lib.rs\n// CustomResource\n");
    assert_eq!(added_files(&workspace, &["init"], 2), Vec::<String>::new());
    let ran = workspace.run(&["init"]).with_code(2);
    assert!(
        ran.stderr.starts_with("error[nothing-to-do]: ") && ran.stdout.is_empty(),
        "{ran:?}"
    );
    // Errors in the source are reported as well.
    workspace.write("src/lib.rs", "pub struct {\n");
    let ran = workspace.run(&["init"]).with_code(2);
    assert!(ran.stderr.contains("nothing-to-do"), "{ran:?}");
    workspace.write("src/lib.rs", kind("example.com", "v1", "Route"));
    workspace.run(&["init"]).with_code(0);
}

#[test]
fn kinds_with_types_that_are_not_found_wait_for_the_compiler() {
    let broken = kind("example.com", "v1", "Route").replace("Option<String>", "Nobody");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{broken}"));
    let ran = workspace.run(&["init"]).with_code(0);
    assert_eq!(
        ran.stderr,
        "help: run `crd-channels gen-crds --record`, which compiles the types once: source does not tell 1 value\n"
    );
    assert!(ran.stdout.starts_with("1 kind in `demo`\n"), "{ran:?}");
    let bundle = workspace.read("channels/bundle.toml");
    assert!(bundle.contains("\nconventions = \"kube\"\n"), "{bundle}");
    assert!(bundle.contains("\npackages = [\"demo\"]\n"), "{bundle}");
    let findings = workspace
        .run(&["gen-crds", "--format", "json"])
        .with_code(1)
        .findings();
    assert_eq!(findings.len(), 1);
}

#[test]
fn existing_files_are_unchanged() {
    for file in ["bundle", "stable", "preview"] {
        let workspace = unconfigured(&format!(
            "//- channels/{file}.toml\n# ours\n//- src/lib.rs\n{}",
            kind("example.com", "v1", "Route")
        ));
        assert_eq!(added_files(&workspace, &["init"], 2), Vec::<String>::new());
        let ran = workspace.run(&["init"]).with_code(2);
        let message = format!("error[config-exists]: `channels/{file}.toml` already exists");
        assert!(
            ran.stderr.contains(&message) && ran.stdout.is_empty(),
            "{ran:?}"
        );
    }
    // A second run does the same.
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{}",
        kind("example.com", "v1", "Route")
    ));
    workspace.run(&["init"]).with_code(0);
    assert_eq!(added_files(&workspace, &["init"], 2), Vec::<String>::new());
}

#[test]
fn nothing_is_written_by_halves() {
    // A folder has the name of the last file to write.
    let route = kind("example.com", "v1", "Route");
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{route}//- folder channels/stable.toml/inside\n"
    ));
    assert_eq!(added_files(&workspace, &["init"], 2), Vec::<String>::new());
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{route}//- .cargo\nthis is not a folder\n"
    ));
    assert_eq!(added_files(&workspace, &["init"], 2), Vec::<String>::new());
}

#[test]
fn showing_writes_nothing() {
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{}",
        kind("example.com", "v1", "Route")
    ));
    let before = sources(&workspace);
    let shown = workspace.run(&["init", "--diff"]).with_code(0).stdout;
    assert!(
        shown.starts_with("1 kind in `demo`\n  routes.example.com: v1\n"),
        "{shown}"
    );
    for path in WRITTEN {
        assert!(shown.contains(&format!("\n+++ b/{path}\n")), "{shown}");
    }
    assert_eq!(sources(&workspace), before);
}

#[test]
fn an_alias_is_made_only_where_nobody_has_one() {
    let channels = &WRITTEN[1..];
    for (given, proposed) in [
        (
            "//- .cargo/config.toml\n[build]\njobs = 2\n",
            "note: for `cargo xtask gen-crds` add this below `[alias]` in `.cargo/config.toml`: xtask = \"crd-channels\"\n",
        ),
        (
            "//- .cargo/config.toml\n[alias]\nxtask = \"run -p xtask --\"\n",
            "note: for `cargo crds gen-crds` add this below `[alias]` in `.cargo/config.toml`: crds = \"crd-channels\"\n",
        ),
        (
            "//- .cargo/config.toml\n[alias]\nours = [\"crd-channels\", \"gen-crds\"]\n",
            "",
        ),
    ] {
        let route = kind("example.com", "v1", "Route");
        let text = format!("//- src/lib.rs\n{route}{given}");
        let workspace = unconfigured(&text);
        assert_eq!(added_files(&workspace, &["init"], 0), channels, "{given}");
        let workspace = unconfigured(&text);
        let ran = workspace.run(&["init"]).with_code(0);
        assert_eq!(
            ran.stderr,
            format!("{proposed}help: run `crd-channels gen-crds`\n")
        );
    }
    let xtask = Workspace::new(&format!(
        "//- no channels/stable.toml\n//- no channels/experimental.toml\n\
         //- Cargo.toml\n[workspace]\nexclude = [\"stubs\"]\n[package]\nname = \"xtask\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nkube = {{ path = \"stubs/kube\" }}\n\
         //- src/main.rs\nfn main() {{}}\n{}",
        kind("example.com", "v1", "Route")
    ));
    assert_eq!(added_files(&xtask, &["init"], 0), channels);
}

/// What only the compiled types tell does not keep a kind out: the command that asks them is the next one.
#[test]
fn values_that_source_does_not_tell_are_recorded_next() {
    let lib = kind("example.com", "v1", "Route").replace(
        "    pub host",
        "    #[serde(default = \"now\")]\n    pub at: u64,\n    pub host",
    ) + "fn now() -> u64 { [7, 8].into_iter().sum() }\n";
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    let ran = workspace.run(&["init"]).with_code(0);
    assert_eq!(
        ran.stderr.lines().last(),
        Some(
            "help: run `crd-channels gen-crds --record`, which compiles the types once: source does not tell 1 value"
        )
    );
    assert!(!workspace.read("channels/bundle.toml").contains("pending"));
}

/// Everything else is written as if the others did not exist.
#[test]
fn kinds_that_cannot_be_written_are_left_out() {
    let unreadable = "#[derive(kube::CustomResource, schemars::JsonSchema)]\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"Draft\")]\n\
         pub struct DraftSpec {\n    pub host: Option<Box<DraftSpec>>,\n}\n";
    let lib = kind("example.com", "v1", "Route")
        + &kind("Example.com", "v1", "Gateway")
        + &kind("example.com", "v1beta1", "Draft")
        + unreadable
        + &kind("example.com", "v1", "Copy").replace(
            "    pub host",
            "    pub again: Vec<Copyv1Spec>,\n    pub host",
        );
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    let ran = workspace.run(&["init"]).with_code(0);
    let last: Vec<&str> = ran.stderr.lines().rev().take(2).collect();
    assert_eq!(
        last[1],
        "warning: 3 of your 4 kinds are left out: Copy, Draft, Gateway"
    );
    assert!(last[0].starts_with("help: `pending` in `channels/bundle.toml`"));
    let (_, left_out) = ran.stdout.split_once("left out\n").unwrap();
    let left_out: Vec<&str> = left_out
        .lines()
        .take_while(|line| line.starts_with("  demo::"))
        .collect();
    let expected = [
        "  demo::Gatewayv1Spec: refused-crd: ",
        "  demo::Draftv1beta1Spec: recursive-type: ",
        "  demo::DraftSpec: recursive-type: ",
        "  demo::Copyv1Spec: recursive-type: ",
    ];
    assert_eq!(left_out.len(), 4, "{}", ran.stdout);
    for (line, start) in left_out.iter().zip(expected) {
        assert!(line.starts_with(start), "{line}");
    }
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("    # refused-crd: an API server rejects `gateways.Example.com`")
            && !bundle.contains("annotation-prefix"),
        "{bundle}"
    );
    assert!(bundle.contains("\npending = [\n"), "{bundle}");
    // Each run prints a reminder of them, in one line.
    for arguments in [&["gen-crds"][..], &["gen-crds"], &["gen-crds", "--check"]] {
        let ran = workspace.run(arguments).with_code(0);
        assert_eq!(
            ran.stderr,
            "note: left out until they can be generated, `pending` in `channels/bundle.toml`: \
             demo::Gatewayv1Spec, demo::Draftv1beta1Spec, demo::DraftSpec, demo::Copyv1Spec\n"
        );
    }
    assert!(
        workspace
            .generated()
            .into_keys()
            .filter(|path| !path.contains("kustomization"))
            .eq([
                "experimental/example.com_routes.yaml",
                "stable/example.com_routes.yaml"
            ])
    );
}

/// If nothing would be left, `gen-crds` reports the errors.
#[test]
fn the_only_kind_is_not_left_out() {
    let lib = kind("Example.com", "v1", "Gateway");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    let ran = workspace.run(&["init"]).with_code(1);
    assert!(!ran.stdout.contains("left out"), "{}", ran.stdout);
    let ran = workspace.run(&["gen-crds"]).with_code(1);
    assert!(ran.stderr.contains("refused-crd"), "{}", ran.stderr);
}

#[test]
fn a_short_name_goes_to_the_first_kind() {
    let short = |name: &str, names: &str| {
        kind("example.com", "v1", name).replace("version", &format!("{names}, version"))
    };
    let lib = short("Gateway", "shortname = \"gw\", shortname = \"gate\"")
        + &short("Gate", "shortname = \"gw\", shortname = \"ga\"");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    let ran = workspace.run(&["init"]).with_code(0);
    assert!(
        ran.stdout.contains(
            "remaining short names, where several kinds have the same\n  gateways.example.com: none\n"
        ),
        "{}",
        ran.stdout
    );
    workspace.generate();
    let read = |file: &str| workspace.read(&format!("generated/stable/example.com_{file}.yaml"));
    assert!(
        !read("gateways").contains("shortNames"),
        "{}",
        read("gateways")
    );
    assert!(
        read("gates").contains("    shortNames:\n    - gw\n    - ga\n"),
        "{}",
        read("gates")
    );
}

/// They exist if the program that prints the CRDs is built.
#[test]
fn kinds_behind_features_are_found() {
    let (route, gateway) = (
        kind("example.com", "v1", "Route"),
        kind("example.com", "v1", "Gateway"),
    );
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n#[cfg(feature = \"controller\")]\npub mod crds;\n#[cfg(all(feature = \"kube\", feature = \"schemas\"))]\n{gateway}\n//- src/crds.rs\n{route}"
    ));
    workspace.edit(
        "Cargo.toml",
        "kube = { path = \"stubs/kube\" }",
        "kube = { path = \"stubs/kube\", optional = true }",
    );
    let manifest = workspace.read("Cargo.toml");
    workspace.write(
        "Cargo.toml",
        manifest + "\n[features]\nagent = []\ncontroller = [\"kube\"]\nschemas = []\n",
    );
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\ncargo-features = [\"demo/controller\", \"demo/schemas\"]\n"),
        "{bundle}"
    );
    workspace.generate();
    workspace.read("generated/stable/example.com_routes.yaml");
    workspace.read("generated/stable/example.com_gateways.yaml");
    // cargo reports an unknown feature.
    workspace.edit("channels/bundle.toml", "demo/schemas", "demo/schema");
    let ran = workspace.run(&["gen-crds"]).with_code(2);
    assert!(ran.stderr.contains("schema"), "{}", ran.stderr);
}

/// A type for another project's objects is not published as one of ours.
#[test]
fn kinds_of_other_projects_are_left_out() {
    let types = kind("example.com", "v1", "Route")
        + &kind("infra.example.com", "v1", "Node")
        + &kind("example.org", "v1", "Cluster");
    let asking = |calls: &str| {
        unconfigured(&format!(
            "//- src/lib.rs\n{types}//- src/main.rs\nfn main() {{\n    {calls}\n}}\n"
        ))
    };
    let workspace = asking("demo::Route::crd();");
    let ran = workspace.run(&["init"]).with_code(0);
    let left_out = "\nleft out\n  demo::Clusterv1Spec: probably a kind of another project: ";
    assert!(ran.stdout.contains(left_out), "{}", ran.stdout);
    assert_eq!(ran.stderr, "help: run `crd-channels gen-crds`\n");
    workspace.generate();
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\nannotation-prefix = \"example.com\"\n"),
        "{bundle}"
    );
    // Through a macro or a generic function.
    for calls in [
        "write!(demo::Route);\n}\nmacro_rules! write { ($t:ty) => { write!($t, 1) }; ($t:ty, $n:literal) => { <$t>::crd() };",
        "print::<demo::Route>();\n}\nfn print<K: kube::CustomResourceExt>() { K::crd();",
    ] {
        let ran = asking(calls).run(&["init"]).with_code(0);
        assert!(ran.stdout.contains(left_out), "{calls} {}", ran.stdout);
    }
    // It is unclear whose CRDs are requested, or all of them are.
    for calls in [
        "",
        "demo::Route::crd(); T::crd();",
        "demo::Route::crd(); demo::Cluster::crd();",
    ] {
        let ran = asking(calls).run(&["init"]).with_code(0);
        assert!(!ran.stdout.contains("left out"), "{calls} {}", ran.stdout);
        let note = "note: there are kinds of `example.com`, `example.org`: if another project owns the CRD, name the type in `exclude`\n";
        assert!(ran.stderr.starts_with(note), "{calls} {}", ran.stderr);
    }
}

/// As in rustc if no flag sets them.
#[test]
fn cfgs_that_nothing_decides_are_off() {
    let lib = kind("example.com", "v1", "Route")
        + "#[cfg(verifying)]\nmod proofs;\n#[cfg(not(backend = \"fast\"))]\n"
        + &kind("example.com", "v1", "Gateway");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\ncfgs = [\"!backend\", \"!verifying\"]\n"),
        "{bundle}"
    );
    workspace.generate();
    workspace.read("generated/stable/example.com_gateways.yaml");
}

/// All kinds of a package may be left out.
#[test]
fn packages_whose_kinds_are_all_left_out_are_read() {
    let route = kind("example.com", "v1", "Route");
    let gateway = kind("Example.com", "v1", "Gateway");
    let workspace = unconfigured(&format!(
        "//- src/lib.rs\n{route}//- other/Cargo.toml\n[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
         [dependencies]\nkube = {{ path = \"../stubs/kube\" }}\n//- other/src/lib.rs\n{gateway}"
    ));
    let manifest = workspace.read("Cargo.toml");
    let members = "[workspace]\nmembers = [\"other\"]";
    workspace.write("Cargo.toml", manifest.replacen("[workspace]", members, 1));
    workspace.run(&["init"]).with_code(0);
    workspace.generate();
    workspace.read("generated/stable/example.com_routes.yaml");
}

/// The settings of kinds apply to those that stay.
#[test]
fn stored_versions_are_chosen_beside_kinds_that_are_left_out() {
    let lib = kind("example.com", "v1beta1", "Gateway")
        + &kind("example.com", "v1", "Gateway")
        + &kind("Example.org", "v1beta1", "Route")
        + &kind("Example.org", "v1", "Route");
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(!bundle.contains("routes.Example.org\"]"), "{bundle}");
    workspace.generate();
    workspace.read("generated/stable/example.com_gateways.yaml");
}

/// As if a coverage tool sets it: the functions exist, one after the other.
#[test]
fn functions_behind_undecided_cfgs_are_not_there() {
    let lib = kind("example.com", "v1", "Route").replace(
        "    pub host",
        "    #[serde(default = \"Routev1Spec::at\")]\n    pub at: u64,\n    pub host",
    ) + "#[cfg(not(tarpaulin_include))]\nimpl Routev1Spec { fn at() -> u64 { AT } }\n\
         #[cfg(not(coverage))]\nconst AT: u64 = 7;\n";
    let workspace = unconfigured(&format!("//- src/lib.rs\n{lib}"));
    workspace.run(&["init"]).with_code(0);
    let bundle = workspace.read("channels/bundle.toml");
    assert!(
        bundle.contains("\ncfgs = [\"!coverage\", \"!tarpaulin_include\"]\n"),
        "{bundle}"
    );
    workspace.generate();
    let crd = workspace.read("generated/stable/example.com_routes.yaml");
    assert!(crd.contains("default: 7"), "{crd}");
}
