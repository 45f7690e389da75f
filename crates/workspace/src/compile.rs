//! Compiles the packages with kinds as the project itself would, with its lock file, features, patches and toolchain, in a
//! target folder of its own. Only the texts of some files are replaced.

use super::model::Workspace;
use super::program::{self, SHOWN_IN, Shown};
use super::wrapper::{PLAN, PROBED, Plan, Root, link};
use super::{metadata, overlay};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_files::{Disk, Read, digest, keep};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// k8s-openapi's build script reads it if no feature selects a version of Kubernetes.
pub(super) const KUBERNETES: &str = "K8S_OPENAPI_ENABLED_VERSION";

/// The variables that a program needs to start. It gets no others, so that what it computes does not depend on the machine.
const KEPT_VARIABLES: [&str; 4] = ["DYLD_LIBRARY_PATH", "LD_LIBRARY_PATH", "PATH", "SYSTEMROOT"];

/// The targets to compile, and how.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The replaced texts, by the canonical paths of their files.
    pub texts: &'a BTreeMap<PathBuf, String>,
    /// The targets.
    pub targets: &'a [CompileTarget],
    /// Features to enable besides the default ones, as `package/feature`.
    pub features: &'a [Text],
    /// The version of Kubernetes for k8s-openapi if no feature selects one.
    pub kubernetes: Option<&'a str>,
    /// Further arguments for cargo.
    pub arguments: &'a [String],
}

/// A target to compile.
#[derive(Clone, Debug)]
pub struct CompileTarget {
    /// Its package ID specification.
    pub package: String,
    /// The name of a binary; `None` for the library.
    pub bin: Option<String>,
    /// The canonical path of its root file.
    pub root: PathBuf,
    /// The folder of its package.
    pub folder: PathBuf,
}

/// The files of a prepared compilation.
struct State {
    folder: PathBuf,
    plan: Plan,
    wrapper: PathBuf,
}

/// Compiles the targets and runs them.
///
/// # Errors
/// `compile-failed` if cargo or a program fails; its output is on stderr. `write-failed` if the texts cannot be written.
pub fn compile(order: Order<'_>) -> Result<Shown, Box<Diagnostic>> {
    let folder = order
        .workspace
        .target_dir
        .join("crd-channels")
        .join("prove");
    let unwritten = |error: io::Error| {
        let message = format!("`{}` cannot be written: {error}", folder.display());
        Box::new(
            Diagnostic::new(Code::WriteFailed, None, message)
                .with_help("make the target folder writable, with support for links"),
        )
    };
    let state = prepare(&folder, order).map_err(unwritten)?;
    // The set of built packages determines which features are enabled.
    let built = order.workspace.built.iter();
    let built = built.filter_map(|id| order.workspace.package(*id));
    let packages: BTreeSet<String> = order
        .targets
        .iter()
        .map(|wanted| wanted.package.clone())
        .chain(built.map(|package| format!("{}@{}", package.name, package.version)))
        .collect();
    let failed = |message: String| {
        let names: String = packages.iter().map(|name| format!(" -p {name}")).collect();
        Box::new(
            Diagnostic::new(Code::CompileFailed, None, message)
                .with_help(format!("make sure that `cargo build{names}` succeeds")),
        )
    };
    let bins = build(&state, &packages, order).map_err(failed)?;
    let mut shown = Shown::new();
    for wanted in order.targets {
        let root = state.plan.roots.get(&wanted.root);
        let program = root.and_then(|root| root.program.as_ref());
        match program.map(|program| link(program)) {
            None | Some(Some(Ok(true))) => {}
            Some(Some(Ok(false)) | None) => {
                let name = wanted.root.display();
                let message =
                    format!("the program that prints the CRDs of `{name}` cannot be linked");
                return Err(failed(message));
            }
            Some(Some(Err(error))) => {
                return Err(failed(format!("rustc cannot be started: {error}")));
            }
        }
        let Some(program) = program.or_else(|| bins.get(&wanted.root)) else {
            continue;
        };
        let out = state.folder.join("shown");
        let kept = KEPT_VARIABLES.into_iter();
        let kept = kept.filter_map(|name| Some((name, std::env::var_os(name)?)));
        let ended = Command::new(program)
            .env_clear()
            .envs(kept)
            .env(SHOWN_IN, &out)
            .current_dir(&wanted.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        let name = wanted.root.display();
        match ended {
            Ok(ended) if ended.success() => {}
            Ok(ended) => {
                let message =
                    format!("the program that prints the CRDs of `{name}` ended with {ended}");
                return Err(failed(message));
            }
            Err(error) => {
                let message = format!(
                    "the program that prints the CRDs of `{name}` cannot be started: {error}"
                );
                return Err(failed(message));
            }
        }
        let text = fs::read_to_string(&out).map_err(unwritten)?;
        program::parse_output(&text, &mut shown);
    }
    Ok(shown)
}

/// Runs cargo; returns the binaries by their root files.
fn build(
    state: &State,
    packages: &BTreeSet<String>,
    order: Order<'_>,
) -> Result<BTreeMap<PathBuf, PathBuf>, String> {
    let Order {
        workspace,
        texts: _,
        targets,
        features,
        kubernetes,
        arguments,
    } = order;
    let mut cargo = Command::new(metadata::cargo());
    cargo.args(["build", "--message-format=json-render-diagnostics"]);
    cargo.arg("--target-dir").arg(state.folder.join("build"));
    for name in packages {
        cargo.args(["-p", name]);
    }
    if targets.iter().any(|wanted| wanted.bin.is_none()) {
        cargo.arg("--lib");
    }
    for name in targets.iter().filter_map(|wanted| wanted.bin.as_ref()) {
        // A target's name may have `-` or `_` where its crate's name has `_`.
        cargo.args(["--bin", &name.replace('_', "?")]);
    }
    for name in features {
        cargo.arg(format!("--features={name}"));
    }
    cargo.args(arguments);
    for (name, _) in std::env::vars_os() {
        // Variables that cargo set for this program are not meant for the next one.
        if name.to_str().is_some_and(is_of_this_run) {
            cargo.env_remove(name);
        }
    }
    if let Some(version) = kubernetes {
        cargo.env(KUBERNETES, version);
    }
    let output = cargo
        .env("RUSTC_WORKSPACE_WRAPPER", &state.wrapper)
        // A compiler cache in place of rustc would not recognise this program.
        .env("RUSTC_WRAPPER", "")
        .env(PLAN, state.folder.join("plan.json"))
        // These programs are never debugged, and they link faster without debug information.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        // A kind that panics must not abort the others.
        .env("CARGO_PROFILE_DEV_PANIC", "unwind")
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        let message = "the packages with kinds do not compile; see cargo's output above";
        return Err(message.to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let bins = messages.filter_map(|message: Value| {
        let root = Path::new(message["target"]["src_path"].as_str()?);
        let program = PathBuf::from(message["executable"].as_str()?);
        Some((Disk.canonical(root).ok()?, program))
    });
    Ok(bins.collect())
}

/// Whether cargo set a variable of the environment for this program.
pub(super) fn is_of_this_run(name: &str) -> bool {
    let one = [
        "CARGO_CRATE_NAME",
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "CARGO_PRIMARY_PACKAGE",
        "OUT_DIR",
    ];
    name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_BIN_") || one.contains(&name)
}

/// Writes the overlay, the program and the plan.
fn prepare(folder: &Path, order: Order<'_>) -> io::Result<State> {
    fs::create_dir_all(folder)?;
    let folder = Disk.canonical(folder)?;
    let places = overlay::lay(order.texts, &order.workspace.root, &folder.join("overlay"))?;
    let program = folder.join("program.rs");
    let text = program::program(PROBED);
    write(&program, &text)?;
    let mut roots = BTreeMap::new();
    for wanted in order.targets {
        let Some(place) = places.get(&wanted.root) else {
            continue;
        };
        let name = digest(wanted.root.as_os_str().as_encoded_bytes());
        let name = format!("{name:016x}{}", std::env::consts::EXE_SUFFIX);
        let root = Root {
            text: place.clone(),
            program: wanted
                .bin
                .is_none()
                .then(|| folder.join("programs").join(name)),
        };
        roots.insert(wanted.root.clone(), root);
    }
    fs::create_dir_all(folder.join("programs"))?;
    let plan = Plan { roots, program };
    keep(&folder.join("plan.json"), &plan);
    // cargo recompiles what another wrapper compiled, so the wrapper's name changes when other targets have kinds.
    let names: Vec<_> = plan.roots.keys().collect();
    let key = digest(format!("{names:?} {text}").as_bytes());
    let wrapper = folder.join(format!(
        "wrapper-{key:016x}{}",
        std::env::consts::EXE_SUFFIX
    ));
    let exe = std::env::current_exe()?;
    overlay::stand_for(&exe, &wrapper)?;
    Ok(State {
        folder,
        plan,
        wrapper,
    })
}

/// Writes a text unless the file already has it.
fn write(path: &Path, text: &str) -> io::Result<()> {
    match fs::read(path) {
        Ok(known) if known == text.as_bytes() => Ok(()),
        _ => fs::write(path, text),
    }
}
