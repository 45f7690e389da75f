//! Compiling the packages with kinds as the project itself would: its lock file, features, patches and toolchain, in a target
//! folder of its own. Only the texts of some files are others.

use super::{Workspace, metadata, overlay};
use crate::Text;
use crate::diag::{Code, Diagnostic};
use crate::files::{keep, recall};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names the file that tells the wrapper what to compile.
pub(super) const PLAN: &str = "CRD_CHANNELS_PROVE";

/// Names the folder that a compiled program writes what its kinds say into.
pub const SHOWN_IN: &str = "CRD_CHANNELS_PROVE_OUT";

/// What is to be compiled.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// Texts, by the true names of the files that they stand for.
    pub texts: &'a BTreeMap<PathBuf, String>,
    /// The targets: their packages, as `name@version`, their names in code where they are binaries, their roots.
    pub targets: &'a [Wanted],
    /// Features that are on besides the default ones, as `package/feature`.
    pub features: &'a [Text],
    /// More arguments for cargo.
    pub arguments: &'a [String],
    /// Whether cargo is to be silent.
    pub quiet: bool,
}

/// A target to compile.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its package, as cargo names it.
    pub package: String,
    /// The name of a binary; none for the library.
    pub bin: Option<String>,
    /// Its root file under its true name.
    pub root: PathBuf,
}

/// What the compiled programs showed.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// For each number a CRD as JSON, or the words of a panic.
    pub shown: BTreeMap<usize, Result<String, String>>,
}

/// What the wrapper has to know.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Plan {
    /// The texts of roots, by the true names of the files that they stand for.
    pub(super) roots: BTreeMap<PathBuf, PathBuf>,
    /// The root of a program that does nothing.
    pub(super) nothing: PathBuf,
}

/// Compiles the targets and runs them.
///
/// # Errors
/// `compile-failed` where cargo does not succeed; what it said stands on stderr. `write-failed` where the texts cannot be laid
/// out.
pub fn compile(order: Order<'_>) -> Result<Compiled, Box<Diagnostic>> {
    let Order {
        workspace,
        texts,
        targets,
        features,
        arguments,
        quiet,
    } = order;
    let state = workspace.target_dir.join("crd-channels").join("prove");
    let unwritten = |error: io::Error| {
        let message = format!("`{}` cannot be written: {error}", state.display());
        Box::new(
            Diagnostic::new(Code::WriteFailed, None, message)
                .with_help("make the target folder one that can be written, with links in it"),
        )
    };
    let out = state.join("out");
    let plan = prepare(&state, &out, texts, targets).map_err(unwritten)?;
    let program = std::env::current_exe().map_err(unwritten)?;
    let packages: BTreeSet<&str> = targets.iter().map(|wanted| &*wanted.package).collect();
    let bins = targets.iter().filter_map(|wanted| wanted.bin.as_ref());
    let mut cargo = Command::new(metadata::cargo());
    cargo.args(["test", "--no-fail-fast"]);
    cargo.arg("--target-dir").arg(state.join("build"));
    for name in &packages {
        cargo.args(["-p", name]);
    }
    if targets.iter().any(|wanted| wanted.bin.is_none()) {
        cargo.arg("--lib");
    }
    // `-` and `_` in the name of a target are one in the name of its crate.
    for name in bins {
        cargo.args(["--bin", &name.replace('_', "?")]);
    }
    for name in features {
        cargo.arg(format!("--features={name}"));
    }
    if quiet {
        cargo.arg("--quiet");
    }
    cargo.args(arguments);
    for (name, _) in std::env::vars_os() {
        // What cargo has set for this program is not for the next one.
        if name.to_str().is_some_and(is_of_this_run) {
            cargo.env_remove(name);
        }
    }
    let ended = cargo
        .env("RUSTC_WORKSPACE_WRAPPER", program)
        .env(PLAN, plan)
        .env(SHOWN_IN, &out)
        // Nobody looks at these programs with a debugger, and without its tables they are linked faster.
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .current_dir(&workspace.root)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    let failed = |message: String| {
        Box::new(
            Diagnostic::new(Code::CompileFailed, None, message)
                .with_help(format!("see that `{}` succeeds", tried(&packages))),
        )
    };
    match ended {
        Ok(ended) if ended.success() => {}
        Ok(_) => {
            let message = "the packages with kinds do not compile; what cargo said stands above";
            return Err(failed(message.to_owned()));
        }
        Err(error) => return Err(failed(format!("cargo cannot be started: {error}"))),
    }
    read(&out).map_err(|error| failed(format!("what the kinds show cannot be read: {error}")))
}

fn tried(packages: &BTreeSet<&str>) -> String {
    let names = packages.iter().map(|name| format!(" -p {name}"));
    format!("cargo test --no-run{}", names.collect::<String>())
}

fn is_of_this_run(name: &str) -> bool {
    name.starts_with("CARGO_PKG_")
        || name.starts_with("CARGO_BIN_")
        || [
            "CARGO_MANIFEST_DIR",
            "CARGO_MANIFEST_PATH",
            "CARGO_CRATE_NAME",
            "CARGO_PRIMARY_PACKAGE",
            "OUT_DIR",
        ]
        .contains(&name)
}

/// Lays everything out; gives the plan's file.
fn prepare(
    state: &Path,
    out: &Path,
    texts: &BTreeMap<PathBuf, String>,
    targets: &[Wanted],
) -> io::Result<PathBuf> {
    fs::create_dir_all(state)?;
    let state = state.canonicalize()?;
    let places = overlay::lay(texts, &state.join("overlay"))?;
    if out.exists() {
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out)?;
    let roots = targets.iter().filter_map(|wanted| {
        let place = places.get(&wanted.root)?;
        Some((wanted.root.clone(), place.clone()))
    });
    let plan = Plan {
        roots: roots.collect(),
        nothing: state.join("nothing.rs"),
    };
    let file = state.join("plan.json");
    // What was compiled to nothing, and has kinds now, depends on that file: cargo sees that it is new.
    if recall::<Plan>(&file).is_none_or(|before| before.roots != plan.roots) {
        fs::write(&plan.nothing, "fn main() {}\n")?;
    }
    keep(&file, &plan);
    Ok(file)
}

/// What the programs have written.
fn read(out: &Path) -> io::Result<Compiled> {
    let mut compiled = Compiled::default();
    for entry in fs::read_dir(out)? {
        let text = fs::read_to_string(entry?.path())?;
        for line in text.lines() {
            let mut words = line.splitn(3, ' ');
            let (Some(number), Some(how), said) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let Ok(number) = number.parse() else {
                continue;
            };
            let said = said.unwrap_or_default().to_owned();
            let said = if how == "crd" { Ok(said) } else { Err(said) };
            compiled.shown.insert(number, said);
        }
    }
    Ok(compiled)
}
