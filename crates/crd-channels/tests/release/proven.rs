//! A recorded proof lets a conversion be released; it has to be of the types that are released.

use super::{Project, ROUTE};
use crd_channels_released::documents;
use crd_channels_validation::proof::{Claim, Proof, Run, of_versions};

const RECORD: &str = "channels/proofs/routes.example.com.json";

/// The kind with a second version, which a webhook converts.
fn project() -> Project {
    let project = Project(super::support::Workspace::new(ROUTE));
    project.0.edit("Cargo.toml", "0.1.0", "0.1.0-dev");
    let (_, text) = ROUTE.split_once("//- src/lib.rs\n").unwrap();
    let at = text.find("/// Where requests go.").unwrap();
    let webhook = "namespaced)]\n#[crd(conversion = \"webhook\")]";
    let first = text.replace("namespaced)]", webhook);
    let second = text[at..]
        .replace("version = \"v1\"", "version = \"v1beta1\", storage = false")
        .replace("namespaced)]", webhook)
        .replace("RouteSpec", "OldRouteSpec")
        .replace("pub host: String", "pub hostname: String");
    project.0.write("src/lib.rs", format!("{first}{second}"));
    let stanza = "[conversion.webhook]\nservice = { namespace = \"a\", name = \"b\", path = \"/convert\" }\n";
    project.0.write("channels/bundle.toml", stanza);
    project.git(&["init", "--quiet"]);
    project.commit_generated();
    project
}

/// What the test of the conversion writes. `crates/runtime/tests/conversion/recorded.rs` has the test that it does.
fn record(project: &Project, channel: &str) {
    let text = project
        .0
        .read(&format!("generated/{channel}/example.com_routes.yaml"));
    let crd = documents::parse(&text).unwrap().remove(0);
    let claim = Claim {
        crd: "routes.example.com".to_owned(),
        hub: "v1".to_owned(),
        versions: of_versions(&crd),
        conversion: "sha256:".to_owned(),
        annotations: 2,
    };
    assert_eq!(claim.versions.len(), 2);
    let run = Run {
        objects: 1000,
        edits: 500,
        command: "cargo test --package my-operator routes".to_owned(),
    };
    project.0.write(RECORD, Proof::new(claim, run).to_text());
    project.commit_generated();
}

#[test]
fn a_conversion_is_released_with_a_proof_of_its_types() {
    let project = project();
    record(&project, "stable");
    project.publish("minor", "v0.1.0");
    assert_eq!(
        project.manifest("v0.1.0")["proofs"][0]["crd"],
        "routes.example.com"
    );
    assert_eq!(project.manifest("v0.1.0")["format"], 4);

    // A type gains a field: the proof is of other types.
    let field = "    /// How many.\n    #[experimental(feature = \"Timeouts\")]\n    pub weight: Option<i32>,\n";
    project.edit(
        "    /// The host.\n",
        &format!("{field}    /// The host.\n"),
    );
    project.commit_generated();
    // Experimental fields may be lost.
    project.publish("minor", "v0.2.0");
    project.edit(
        field,
        &field.replace("    #[experimental(feature = \"Timeouts\")]\n", ""),
    );
    project.commit_generated();
    let refused = project.release("minor").with_code(1).stderr;
    let line = "`channels/proofs/routes.example.com.json` is stale: the types of `v1` changed; run `RECORD_PROOFS=1 cargo test --package my-operator routes`";
    assert!(refused.contains(line), "{refused}");
    assert!(refused.contains("commit the record"), "{refused}");
    let difference = project.0.run(&["diff", "v0.2.0", "."]).with_code(0).stdout;
    assert!(difference.contains(line), "{difference}");

    record(&project, "experimental");
    let other = project.release("minor").with_code(1).stderr;
    assert!(other.contains("is of the experimental channel"), "{other}");
    record(&project, "stable");
    project.0.edit(RECORD, "1000", "9000");
    project.commit();
    let edited = project.release("minor").with_code(1).stderr;
    assert!(edited.contains("its digest differs"), "{edited}");

    record(&project, "stable");
    project.publish("minor", "v0.3.0");
    assert!(
        project.manifest("v0.3.0")["changes"]
            .as_array()
            .unwrap()
            .iter()
            .all(|change| change["code"] != "conversion-unproven")
    );
    // The bundle has its proof with it: the tree's may be of later types.
    std::fs::remove_file(project.0.path(RECORD)).unwrap();
    let quiet = project.0.run(&["diff", "v0.2.0", "v0.3.0"]).stdout;
    assert!(!quiet.contains("conversion-unproven"), "{quiet}");
    project.commit();
    project.0.run(&["verify-release"]).with_code(0);
    // Without a change there is nothing to prove.
    project.release("patch").with_code(0);
}
