//! `dist`: builds the program as it is published, and packs it for each platform.

pub mod krew;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels::commands::Outcome;
use crd_channels::release::archive::packed;
use crd_channels_envtest::Failure;
use crd_channels_released::digest::Digest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, process};

/// The profile of what is published.
const PROFILE: &str = "dist";

/// The name of the program, and of every archive's beginning.
const PROGRAM: &str = "crd-channels";

/// The end of every archive's name.
const PACKED: &str = ".tar.gz";

/// The command `dist`.
#[must_use]
pub fn command() -> Command {
    Command::new("dist")
        .about("Builds the program as it is published, and packs it for each platform")
        .arg(
            Arg::new("target")
                .long("target")
                .value_name("TRIPLE")
                .action(ArgAction::Append)
                .help("a platform that can be built for here; may be repeated; by default this machine's"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .default_value("target/packed")
                .help("the folder of the archives; the digests and the manifest are of all archives in it"),
        )
}

/// Builds and packs the program of the repository in the current folder.
pub fn run(given: &ArgMatches) -> Outcome {
    let targets = given.get_many::<String>("target").into_iter().flatten();
    let output = given.get_one::<PathBuf>("output");
    let output = output.cloned().unwrap_or_default();
    match publish(targets.cloned().collect(), &output) {
        Ok(()) => Outcome::Clean,
        Err(failure) => {
            eprintln!("error: {failure}");
            Outcome::CouldNotRun
        }
    }
}

fn publish(mut targets: Vec<String>, output: &Path) -> Result<(), Failure> {
    let host = host()?;
    if targets.is_empty() {
        targets.push(host.clone());
    }
    // Its own completions and man pages are those of every platform.
    let own = built(&host)?;
    for target in &targets {
        let program = match *target == host {
            true => own.clone(),
            false => built(target)?,
        };
        let path = pack(&own, &program, target, output)?;
        println!("{}", path.display());
    }
    describe(&version(&own)?, output)
}

/// Writes an archive with the program of a platform. `own` is the same program for this machine.
///
/// # Errors
/// A file cannot be read or written, or the program does not run.
pub fn pack(own: &Path, program: &Path, target: &str, output: &Path) -> Result<PathBuf, Failure> {
    let mut content = BTreeMap::new();
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    content.insert(name.into_owned(), read(program)?);
    let license = Path::new(env!("CARGO_MANIFEST_DIR")).join("../LICENSE");
    content.insert("LICENSE".to_owned(), read(&license)?);
    for (shell, file) in [
        ("bash", format!("{PROGRAM}.bash")),
        ("fish", format!("{PROGRAM}.fish")),
        ("zsh", format!("_{PROGRAM}")),
    ] {
        let text = printed(own, &["completions", shell])?;
        content.insert(format!("completions/{file}"), text);
    }
    fs::create_dir_all(output).map_err(|error| failed(output, &error))?;
    let pages = output.join("man");
    printed(own, &["man", "--output", &pages.display().to_string()])?;
    for entry in fs::read_dir(&pages).map_err(|error| failed(&pages, &error))? {
        let path = entry.map_err(|error| failed(&pages, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        content.insert(format!("man/{name}"), read(&path)?);
    }
    fs::remove_dir_all(&pages).map_err(|error| failed(&pages, &error))?;
    let content = content.iter().map(|(path, bytes)| (path.clone(), bytes));
    let version = version(own)?;
    let path = output.join(format!("{PROGRAM}-v{version}-{target}{PACKED}"));
    let is_program = |path: &str| path.starts_with(PROGRAM);
    let bytes = packed(&content.collect(), is_program).map_err(|error| failed(&path, &error))?;
    fs::write(&path, bytes).map_err(|error| failed(&path, &error))?;
    Ok(path)
}

/// Writes the digests of all archives of a version in a folder, and the manifest for krew.
///
/// # Errors
/// A file cannot be read or written.
pub fn describe(version: &str, output: &Path) -> Result<(), Failure> {
    let start = format!("{PROGRAM}-v{version}-");
    let mut digests = BTreeMap::new();
    for entry in fs::read_dir(output).map_err(|error| failed(output, &error))? {
        let path = entry.map_err(|error| failed(output, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(&start) && name.ends_with(PACKED) {
            digests.insert(name.into_owned(), Digest::of(&read(&path)?));
        }
    }
    let sums = digests.iter();
    let sums: String = sums
        .map(|(name, digest)| format!("{}  {name}\n", digest.hex()))
        .collect();
    let manifest = krew::manifest(version, &digests);
    for (name, text) in [
        ("SHA256SUMS", sums),
        (krew::FILE, format!("{manifest:#}\n")),
    ] {
        let path = output.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

/// The platform that this machine is.
///
/// # Errors
/// rustc cannot be started, or fails.
pub fn host() -> Result<String, Failure> {
    let text = printed(Path::new("rustc"), &["--version", "--verbose"])?;
    let text = String::from_utf8_lossy(&text);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| Failure::new("`rustc --version --verbose` names no host"))?;
    Ok(host.to_owned())
}

/// The version that a program says it has.
///
/// # Errors
/// The program does not run.
pub fn version(program: &Path) -> Result<String, Failure> {
    let text = printed(program, &["--version"])?;
    let text = String::from_utf8_lossy(&text);
    Ok(text
        .trim()
        .rsplit(' ')
        .next()
        .unwrap_or_default()
        .to_owned())
}

/// Builds the program for a platform.
fn built(target: &str) -> Result<PathBuf, Failure> {
    let cargo = [
        "build",
        "--locked",
        "--package",
        PROGRAM,
        "--bin",
        PROGRAM,
        "--features",
        "oci",
        "--profile",
        PROFILE,
        "--target",
        target,
    ];
    printed(Path::new("cargo"), &cargo)?;
    let folder = Path::new("target").join(target).join(PROFILE);
    let suffix = if target.contains("windows") {
        ".exe"
    } else {
        ""
    };
    Ok(folder.join(format!("{PROGRAM}{suffix}")))
}

/// What a program prints to standard output, if it succeeds.
fn printed(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, Failure> {
    let shown = format!("{} {}", program.display(), arguments.join(" "));
    let output = process::Command::new(program)
        .args(arguments)
        .stderr(process::Stdio::inherit())
        .output();
    let output = output.map_err(|error| Failure::new(format!("`{shown}`: {error}")))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(Failure::new(format!("`{shown}` failed"))),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| failed(path, &error))
}

fn failed(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::new(format!("`{}`: {error}", path.display()))
}
