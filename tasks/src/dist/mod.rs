//! `dist`: builds the program as it is published, and packs it for each platform.

mod build;
pub mod channels;
mod licenses;
mod platforms;
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub use build::Built;
use build::{built, described_by, host};
use channels::{Archives, archive_name, tag};
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels::commands::Outcome;
use crd_channels::release::archive::packed;
use crd_channels_diagnostics::program::VERSION;
use crd_channels_envtest::Failure;
use crd_channels_released::digest::Digest;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, process};

/// The name of the program, and of every archive's beginning.
const PROGRAM: &str = "crd-channels";

/// The second program, which cargo calls.
const SUBCOMMAND: &str = "cargo-crd-channels";

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
            Arg::new("built")
                .long("built")
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with("target")
                .help("packs the programs of this folder, such as `target/debug`, instead of building any"),
        )
        .arg(
            Arg::new("describe")
                .long("describe")
                .action(ArgAction::SetTrue)
                .conflicts_with_all(["built", "target"])
                .help("packs nothing, and writes the files by which people install the archives that are there"),
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
    let done = match given.get_one::<PathBuf>("built") {
        Some(folder) => pack_built(folder, &output),
        None if given.get_flag("describe") => describe(&output),
        None => publish(targets.cloned().collect(), &output),
    };
    match done {
        Ok(()) => Outcome::Clean,
        Err(failure) => {
            eprintln!("error: {failure}");
            Outcome::CouldNotRun
        }
    }
}

/// Packs programs for this machine that are already there. On Linux the archive is named as the one that people download, which
/// is linked statically.
fn pack_built(folder: &Path, output: &Path) -> Result<(), Failure> {
    let host = host()?;
    let triple = match host.strip_suffix("-gnu") {
        Some(start) if start.ends_with("linux") => format!("{start}-musl"),
        _ => host,
    };
    let built = Built::below(folder, &triple);
    let licenses = licenses::of_dependencies(&triple)?;
    let path = pack(&built.program, &built, &licenses, output)?;
    println!("{}", path.display());
    describe(output)
}

fn publish(mut targets: Vec<String>, output: &Path) -> Result<(), Failure> {
    let host = host()?;
    if targets.is_empty() {
        targets.push(host.clone());
    }
    let own = described_by()?;
    for target in &targets {
        let built = built(target, &host)?;
        let licenses = licenses::of_dependencies(target)?;
        let path = pack(&own, &built, &licenses, output)?;
        println!("{}", path.display());
    }
    describe(output)
}

/// Writes an archive with the programs of a platform. `own` runs on this machine and prints the completions and man pages.
///
/// # Errors
/// A file cannot be read or written, or the program does not run.
pub fn pack(own: &Path, built: &Built, licenses: &str, output: &Path) -> Result<PathBuf, Failure> {
    let mut content = BTreeMap::new();
    for program in [&built.program, &built.subcommand] {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        content.insert(name.into_owned(), read(program)?);
    }
    let programs: Vec<String> = content.keys().cloned().collect();
    let license = Path::new(env!("CARGO_MANIFEST_DIR")).join("../LICENSE");
    content.insert("LICENSE".to_owned(), read(&license)?);
    content.insert(licenses::FILE.to_owned(), licenses.as_bytes().to_vec());
    for (shell, file) in [
        ("bash", format!("{PROGRAM}.bash")),
        ("fish", format!("{PROGRAM}.fish")),
        ("zsh", format!("_{PROGRAM}")),
    ] {
        let text = printed(own, &["completions", shell])?;
        content.insert(format!("completions/{file}"), text);
    }
    fs::create_dir_all(output).map_err(|error| failed(output, &error))?;
    // Its own, so that it is empty, and nothing else is removed below.
    let pages = output.join(format!(".man-{}", process::id()));
    printed(own, &["man", "--output", &pages.display().to_string()])?;
    for path in files_in(&pages)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        content.insert(format!("man/{name}"), read(&path)?);
    }
    fs::remove_dir_all(&pages).map_err(|error| failed(&pages, &error))?;
    let content = content.iter().map(|(path, bytes)| (path.clone(), bytes));
    let is_program = |path: &str| programs.iter().any(|program| program == path);
    let path = output.join(archive_name(&version(own)?, &built.triple));
    let bytes = packed(&content.collect(), is_program).map_err(|error| failed(&path, &error))?;
    fs::write(&path, bytes).map_err(|error| failed(&path, &error))?;
    Ok(path)
}

/// Writes the digests of all archives of this version in a folder, and the files by which people install them.
///
/// # Errors
/// A file cannot be read or written.
pub fn describe(output: &Path) -> Result<(), Failure> {
    let start = format!("{}-", tag(VERSION));
    let mut archives = Archives::new();
    for path in files_in(output)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(&start) && name.ends_with(".tar.gz") {
            archives.insert(name.into_owned(), Digest::of(&read(&path)?));
        }
    }
    for (name, text) in channels::files(VERSION, &archives) {
        let path = output.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
    }
    Ok(())
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let paths: Result<_, _> = paths.collect();
    paths.map_err(|error| failed(folder, &error))
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
