//! A project that uses every command: with a bundle on its main branch and on a release branch, CRDs that it deploys, a key and
//! a lock.

use super::{Workspace, run};
use std::process::Command as Process;

const PROJECT: &str = "//- channels/features.toml
[Timeouts]
summary = \"How long a request may take.\"
//- .gitignore
/target
release.key
//- src/lib.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
#[kube(group = \"example.com\", version = \"v1\", kind = \"Route\", namespaced, storage = true)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    #[x_kube(validation = kube::Rule::new(\"self.size() > 1\"))]
    pub host: Option<String>,
    /// How long a request may take.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}
mod old;
//- src/old.rs
/// Where requests go.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
#[kube(group = \"example.com\", version = \"v1beta1\", kind = \"Route\", namespaced, storage = false)]
pub struct RouteSpec {
    /// The host.
    #[schemars(length(max = 20))]
    #[x_kube(validation = kube::Rule::new(\"self.size() > 1\"))]
    pub host: Option<String>,
    /// How long a request may take.
    #[experimental(feature = \"Timeouts\")]
    pub timeout: Option<String>,
}
//- route.yaml
apiVersion: example.com/v1
kind: Route
metadata: {name: a}
spec: {host: example.com}
//- before.yaml
apiVersion: example.com/v1
kind: Route
metadata: {name: a}
spec: {host: example.org}
";

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

/// The project, committed.
pub fn project() -> Workspace {
    let project = Workspace::new(PROJECT);
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

/// A copy of a project, to be changed.
pub fn copy(template: &Workspace) -> Workspace {
    let project = Workspace::new("");
    std::fs::remove_dir_all(project.folder()).unwrap();
    let mut copy = Process::new("cp");
    copy.arg("-r").arg(template.folder()).arg(project.folder());
    run(&mut copy).with_code(0);
    project
}
