//! A project for every command: with a bundle on its main branch and on a release branch, deployed CRDs, a key and a lock.

use super::{Workspace, run};
use std::process::Command as Process;

/// A feature, and a kind with a rule and a field that needs the feature.
pub const ROUTE: &str = "//- channels/features.toml
[Timeouts]
summary = \"How long a request may take.\"
//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    #[x_kube(validation = kube::Rule::new(\"self.size() > 1\"))]
    pub host: Option<String>,
    /// How long a request may take.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}
";

/// The same kind in two versions, with objects of it.
fn files() -> String {
    let version = |name: &str, is_stored: bool| {
        let written = format!("version = \"{name}\", storage = {is_stored}");
        ROUTE.replace("version = \"v1\"", &written)
    };
    let old = version("v1beta1", false);
    let (_, old) = old.split_once("//- src/lib.rs\n").unwrap();
    let object = |host: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Route\nmetadata: {{name: a}}\nspec: {{host: {host}}}\n"
        )
    };
    format!(
        "{}mod old;\n//- src/old.rs\n{old}//- .gitignore\n/target\nrelease.key\n//- route.yaml\n{}//- before.yaml\n{}",
        version("v1", true),
        object("example.com"),
        object("example.org"),
    )
}

pub fn git(workspace: &Workspace, arguments: &[&str]) {
    let mut git = Process::new("git");
    git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
    git.args(["-c", "init.defaultBranch=main"]).args(arguments);
    run(git.current_dir(workspace.folder())).with_code(0);
}

pub fn commit(workspace: &Workspace) {
    git(workspace, &["add", "--all"]);
    git(
        workspace,
        &["commit", "--quiet", "--allow-empty", "--message", "x"],
    );
}

/// Returns the project, committed.
pub fn project() -> Workspace {
    let project = Workspace::new(&files());
    project.generate();
    git(&project, &["init", "--quiet"]);
    commit(&project);
    project.run(&["release", "minor"]).with_code(0);
    commit(&project);
    git(&project, &["tag", "v0.1.0"]);
    git(&project, &["branch", "release-0.1"]);
    project
        .run(&["pin", "--from", ".", "--version", "^0.1"])
        .with_code(0);
    project.run(&["vendor"]).with_code(0);
    let keys = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    project.write("release.key", keys.sk.to_box(None).unwrap().into_string());
    let crd = project.read("generated/stable/example.com_routes.yaml");
    project.write("deploy/crds/routes.yaml", crd);
    project.run(&["start-next"]).with_code(0);
    project.generate();
    commit(&project);
    project
}

/// Returns a copy of a project, to modify.
pub fn copy(template: &Workspace) -> Workspace {
    let project = Workspace::new("");
    std::fs::remove_dir_all(project.folder()).unwrap();
    let mut copy = Process::new("cp");
    copy.arg("-r").arg(template.folder()).arg(project.folder());
    run(&mut copy).with_code(0);
    project
}
