//! An update over several bundles: a project releases six of them, on which the stored version of its kind moves, and its user
//! follows what `pin` prints, line by line.

use super::install;
use crate::published::NAMESPACE;
use crate::report::Report;
use crd_channels_envtest::server::Server;
use crd_channels_envtest::{Failure, io};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const CRD: &str = "lanes.way.example.com";

/// The types of each bundle: the attributes of `v1beta1`, and of `v1`. A version is stored one bundle after it is added, and
/// removed after it was deprecated and then unserved.
const BUNDLES: [(Option<&str>, Option<&str>); 6] = [
    (Some("storage = true"), None),
    (Some("storage = true"), Some("storage = false")),
    (Some("storage = false"), Some("storage = true")),
    (Some("storage = false, deprecated"), Some("storage = true")),
    (
        Some("storage = false, deprecated, served = false"),
        Some("storage = true"),
    ),
    (None, Some("storage = true")),
];

const KIND: &str = r#"pub mod VERSION {
    /// A lane.
    #[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
    #[kube(group = "way.example.com", version = "VERSION", kind = "Lane", namespaced, ATTRIBUTES)]
    pub struct LaneSpec {
        /// The host.
        pub host: String,
    }
}
"#;

/// A kind that servers accept in every bundle.
const OTHER: &str = r#"/// A bay.
#[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
#[kube(group = "way.example.com", version = "v1", kind = "Bay")]
pub struct BaySpec {}

"#;

const TOMBSTONE: &str = r#"[[versions]]
group = "way.example.com"
kind = "Lane"
version = "v1beta1"
removed = "v0.6.0"
reason = "v1 replaced it"
"#;

/// The crates whose types are built in; a workspace only has to have packages of that name.
const STUBS: [&str; 5] = [
    "crd-channels-derive",
    "kube",
    "schemars",
    "serde",
    "serde_json",
];

/// The objects, with what `kubectl apply` is told.
const OBJECTS: [(&str, &str); 2] = [("plain", ""), ("sent", "--server-side ")];

const APPLY: &str = "kubectl apply --server-side -k crds";

/// Releases the bundles. One user installs the first and updates to the last one as `pin` prints; another one applies the last one
/// too early, and goes back as the page says.
///
/// # Errors
/// The server did not respond, or a program could not be started.
pub fn check(server: &Server, report: &mut Report) -> Result<(), Failure> {
    let source = released(server, "way-project", report)?;
    let source = source.path.display().to_string();
    let user = User {
        folder: Folder::new(server, "way-user")?,
        server,
    };
    user.install_first(&source, report)?;
    let refusal = user.paste("cargo xtask pin --update --version '*'", false, report)?;
    user.follow(&steps(&refusal), report)?;
    user.has_arrived(report)?;

    let early = User {
        folder: Folder::new(server, "way-early-user")?,
        server,
    };
    early.install_first(&source, report)?;
    let refusal = early.paste("cargo xtask pin --update --version '*'", false, report)?;
    let forced = "cargo xtask pin --update --version '*' --allow-data-loss";
    early.paste(forced, true, report)?;
    early.paste("cargo xtask vendor", true, report)?;
    early.paste(APPLY, false, report)?;
    let back = |step: String| step.replace("pin --update", "pin --allow-downgrade --update");
    let steps: Vec<String> = steps(&refusal).into_iter().map(back).collect();
    let (between, rest) = steps.split_at(steps.len().min(2));
    for step in between {
        early.paste(step, true, report)?;
    }
    // The other CRD is of the last bundle now.
    let refusal = early.paste(APPLY, false, report)?;
    let delete = refusal.find("kubectl delete validatingadmissionpolicy ");
    let delete = delete.and_then(|at| refusal.get(at..)?.lines().next());
    early.paste(delete.unwrap_or("false"), true, report)?;
    early.wait_until_deleted()?;
    early.follow(rest, report)?;
    early.has_arrived(report)
}

/// Makes a project, and releases all bundles.
pub(super) fn released(
    server: &Server,
    name: &str,
    report: &mut Report,
) -> Result<Folder, Failure> {
    let project = Folder::new(server, name)?;
    begin(&project)?;
    for (number, bundle) in (1..).zip(BUNDLES) {
        let is_released = release(&project, number, bundle)?;
        report.check(
            format!("{name}: v0.{number}.0 is released"),
            true,
            is_released,
        );
    }
    Ok(project)
}

/// Makes a project without types.
pub(super) fn begin(project: &Folder) -> Result<(), Failure> {
    for name in STUBS {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\n");
        project.write(&format!("stubs/{name}/Cargo.toml"), &manifest)?;
        project.write(&format!("stubs/{name}/src/lib.rs"), "")?;
    }
    let stubs = STUBS.map(|name| format!("{name} = {{ path = \"stubs/{name}\" }}\n"));
    let manifest = format!(
        "[workspace]\nexclude = [\"stubs\"]\n\n[package]\nname = \"way\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{}",
        stubs.concat()
    );
    project.write("Cargo.toml", &manifest)?;
    project.write("channels/stable.toml", "features = \"none\"\n")?;
    project.write(".gitignore", "/target\n")?;
    project
        .run("git init --quiet --initial-branch main")
        .map(drop)
}

/// Makes the types of a bundle, and releases it.
fn release(
    project: &Folder,
    number: usize,
    (beta, stable): (Option<&str>, Option<&str>),
) -> Result<bool, Failure> {
    let kinds = [("v1beta1", beta), ("v1", stable)].map(|(version, attributes)| {
        attributes.map_or_else(String::new, |attributes| {
            KIND.replace("VERSION", version)
                .replace("ATTRIBUTES", attributes)
        })
    });
    let tombstones = if beta.is_none() { TOMBSTONE } else { "" };
    release_types(
        project,
        number,
        &format!("{OTHER}{}", kinds.concat()),
        tombstones,
    )
}

/// Releases a bundle with these types and tombstones.
pub(super) fn release_types(
    project: &Folder,
    number: usize,
    types: &str,
    tombstones: &str,
) -> Result<bool, Failure> {
    project.write("src/lib.rs", types)?;
    project.write("channels/tombstones.toml", tombstones)?;
    let commit = "git add --all && git -c user.name=way -c user.email=way@example.com commit --quiet --message way";
    let script = format!(
        "cargo xtask gen-crds --quiet && {commit} && cargo xtask release minor --quiet && {commit} && git tag v0.{number}.0 && cargo xtask start-next --quiet && cargo xtask gen-crds --quiet && {commit}"
    );
    let output = project.run(&script)?;
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.status.success())
}

/// Somebody who installs the bundles.
struct User<'a> {
    folder: Folder,
    server: &'a Server,
}

impl User<'_> {
    /// Runs a line of a shell, which works or not, and returns its messages.
    fn paste(&self, line: &str, works: bool, report: &mut Report) -> Result<String, Failure> {
        let output = self.folder.run(line)?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let title = line.split(['\'', '>']).next().unwrap_or(line);
        let found = match output.status.success() {
            true => "works".to_owned(),
            false if works => format!("fails: {said}"),
            false => "fails".to_owned(),
        };
        let expected = if works { "works" } else { "fails" };
        report.check(format!("way: `{title}`"), expected, found);
        Ok(said)
    }

    /// Applies the manifests of all objects, in a version.
    fn apply(&self, version: &str, report: &mut Report) -> Result<(), Failure> {
        for (name, option) in OBJECTS {
            let file = format!("{name}.json");
            let object = json!({
                "apiVersion": format!("way.example.com/{version}"),
                "kind": "Lane",
                "metadata": {"name": name, "namespace": NAMESPACE},
                "spec": {"host": name},
            });
            self.folder.write(&file, &object.to_string())?;
            self.paste(&format!("kubectl apply {option}-f {file}"), true, report)?;
        }
        Ok(())
    }

    fn install_first(&self, source: &str, report: &mut Report) -> Result<(), Failure> {
        let pin = format!(
            "cargo xtask pin --from git:{source} --version v0.1.0 --with kustomization,policies"
        );
        for line in [&*pin, "cargo xtask vendor"] {
            self.paste(line, true, report)?;
        }
        self.wait_until_deleted()?;
        self.paste(APPLY, true, report)?;
        install::wait_until_established(self.server.api, CRD)?;
        self.apply("v1beta1", report)
    }

    /// Waits until the server no longer applies a policy that was deleted, which takes it a few seconds.
    fn wait_until_deleted(&self) -> Result<(), Failure> {
        let tried = format!("{APPLY} --dry-run=server");
        install::poll(|| Ok(self.folder.run(&tried)?.status.success().then_some(())))
    }

    /// Runs the printed steps, and installs what is pinned last.
    fn follow(&self, steps: &[String], report: &mut Report) -> Result<(), Failure> {
        let mut tasks = 0;
        for step in steps {
            if step.starts_with('#') {
                tasks += 1;
                self.apply("v1", report)?;
            } else {
                self.paste(step, true, report)?;
            }
        }
        report.check("way: manifests are changed once", 1, tasks);
        for line in ["cargo xtask vendor", APPLY] {
            self.paste(line, true, report)?;
        }
        self.apply("v1", report)
    }

    /// The last bundle is installed, and the objects are as they were. Removes all of it.
    fn has_arrived(&self, report: &mut Report) -> Result<(), Failure> {
        let api = self.server.api;
        let crd = api.get(&install::place(CRD))?.json();
        let bundle = &crd["metadata"]["annotations"]["way.example.com/bundle-version"];
        report.check(
            "way: the last bundle is installed",
            "v0.6.0",
            bundle.as_str().unwrap_or_default(),
        );
        let list = format!("/apis/way.example.com/v1/namespaces/{NAMESPACE}/lanes");
        let list = api.get(&list)?.json();
        let hosts = list["items"].as_array().into_iter().flatten();
        let hosts: Vec<&str> = hosts
            .filter_map(|item| item["spec"]["host"].as_str())
            .collect();
        report.check(
            "way: the objects are as they were",
            "plain, sent",
            hosts.join(", "),
        );
        self.paste("kubectl delete -k crds", true, report)?;
        Ok(())
    }
}

/// The lines in the help of a refused update.
fn steps(message: &str) -> Vec<String> {
    let lines = message
        .lines()
        .map(|line| line.trim_start_matches([' ', '|']));
    let lines = lines.filter(|line| {
        ["cargo xtask ", "kubectl ", "# "]
            .iter()
            .any(|start| line.starts_with(start))
    });
    lines.map(str::to_owned).collect()
}

/// A folder, in which a shell knows this program and the server.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    kubeconfig: PathBuf,
    cache: PathBuf,
}

impl Folder {
    pub(super) fn new(server: &Server, name: &str) -> Result<Self, Failure> {
        Ok(Self {
            path: server.scratch(name)?,
            kubeconfig: server.kubeconfig.clone(),
            cache: server.scratch("way-cache")?,
        })
    }

    pub(super) fn write(&self, file: &str, text: &str) -> Result<(), Failure> {
        let path = self.path.join(file);
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder).map_err(|error| io("written", folder, &error))?;
        fs::write(&path, text).map_err(|error| io("written", &path, &error))
    }

    /// Runs a line in a shell, where `cargo xtask` is this program.
    pub(super) fn run(&self, line: &str) -> Result<Output, Failure> {
        self.command(line)?
            .output()
            .map_err(|error| Failure::new(format!("a shell could not be started: {error}")))
    }

    /// The command that runs the line. With `exec` in front of the line, it becomes the program.
    pub(super) fn command(&self, line: &str) -> Result<Command, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::new(format!("the program has no path: {error}")))?;
        let line = line.replace(
            "cargo xtask",
            &crd_channels_diagnostics::shell::word(&program.display().to_string()),
        );
        let mut command = Command::new("sh");
        command
            .args(["-c", &line])
            .current_dir(&self.path)
            .env("KUBECONFIG", &self.kubeconfig)
            .env("XDG_CACHE_HOME", &self.cache)
            .env("CARGO_NET_OFFLINE", "true")
            .stdin(Stdio::null());
        Ok(command)
    }
}
