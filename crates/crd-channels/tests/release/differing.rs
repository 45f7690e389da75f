//! Versions of a kind that differ: in the first bundle, and once there are bundles.

use super::Project;

#[test]
fn versions_of_the_first_bundle_agree_or_a_person_answers_for_it() {
    let project = Project::new();
    let second = "
#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = \"example.com\", version = \"v1beta1\", kind = \"Route\", namespaced, storage = false)]
pub struct OldRouteSpec {
    #[schemars(length(max = 20))]
    pub host: String,
    pub port: Option<u32>,
}
";
    let text = project.0.read("src/lib.rs");
    project.0.write("src/lib.rs", format!("{text}{second}"));
    let differs = "`Route` `v1` `spec.port` (stable): `v1beta1` has it, `v1` prunes it, and there is no conversion";
    // A run from memory repeats all findings.
    for _ in 0..2 {
        let stderr = project.0.run(&["gen-crds"]).with_code(0).stderr;
        assert!(stderr.contains("warning[versions-differ]"), "{stderr}");
        assert!(stderr.contains(differs), "{stderr}");
    }
    project.commit_generated();
    let refused = project.release("minor").with_code(1).stderr;
    for words in [
        differs,
        "not allowed in any bundle",
        "pub port: Option<u32>",
        "`#[crd(conversion = \"webhook\")]`",
    ] {
        assert!(refused.contains(words), "{words}:\n{refused}");
    }
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.port\"\nbundle = \"v0.1.0\"\nreason = \"as it has always been\"\n",
    );
    let quiet = project.0.run(&["gen-crds"]).with_code(0).stderr;
    assert!(!quiet.contains("versions-differ"), "{quiet}");
    project.commit_generated();
    project.release("minor").with_code(0);
    assert_eq!(
        project.manifest("v0.1.0")["changes"][0]["waived"],
        "as it has always been"
    );
    project.commit_generated();
    let quiet = project.0.run(&["gen-crds"]).with_code(0).stderr;
    assert!(!quiet.contains("versions-differ"), "{quiet}");
    project.release("patch").with_code(0);
}

/// Once there are bundles, what the last one has is known, and what is new is reported before the release.
#[test]
fn versions_that_begin_to_differ_are_reported_at_once() {
    let project = Project::new();
    super::lives::two(&project, Some(""));
    project.release("minor").with_code(0);
    project.commit_generated();
    let text = project.0.read("src/lib.rs");
    let at = text.rfind("/// Where requests go.").unwrap();
    for (from, to, expected) in [
        (
            "host: String",
            "host: bool",
            "(versions-differ-in-properties)",
        ),
        (
            "length(max = 20)",
            "length(max = 20), extend(\"default\" = \"a\")",
            "(versions-differ-in-defaults)",
        ),
        (
            "pub host: String,",
            "pub host: String,\n    /// Which.\n    pub port: Option<i32>,",
            "`v1beta1` has it, `v1` prunes it",
        ),
    ] {
        let old = text[at..].replace(from, to).replace(
            "    #[schemars(length(max = 20))]\n    pub host: bool",
            "    pub host: bool",
        );
        project
            .0
            .write("src/lib.rs", format!("{}{old}", &text[..at]));
        // A run from memory repeats all findings.
        for _ in 0..2 {
            let ran = project.0.run(&["gen-crds"]).with_code(0);
            let stderr = &ran.stderr;
            assert!(
                stderr.contains("warning[versions-differ]") && stderr.contains(expected),
                "{from}:\n{stderr}"
            );
            assert!(
                ran.stdout.contains("block a release: `versions-differ`")
                    || ran.stdout.contains("blocks a release: `versions-differ`"),
                "{}",
                ran.stdout
            );
        }
    }
    // A waiver for any of the next bundles answers for it.
    project.0.write(
        "channels/waivers.toml",
        "[[waiver]]\nkind = \"Route\"\npath = \"spec.port\"\nbundle = \"v0.2.0\"\nreason = \"tried\"\n",
    );
    let quiet = project.0.run(&["gen-crds"]).with_code(0);
    assert!(
        !quiet.stderr.contains("versions-differ"),
        "{}",
        quiet.stderr
    );
}
