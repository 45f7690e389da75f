//! Builds a program from its Go module. `go install` refuses modules with `replace` directives for folders.

mod manifest;

use super::keeper::Keeper;
use super::program::Program;
use super::{Failure, io};
use manifest::manifest;
use serde::Deserialize;
use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The interval between progress messages on stderr.
const PULSE: Duration = Duration::from_secs(15);

/// Without inlining and debugging information Go compiles in two thirds of the time. Packages that several programs use are
/// compiled once, if all are built with the same arguments.
const COMPILED: [&str; 3] = ["-v", "-trimpath", "-gcflags=all=-l -dwarf=false"];

/// The file that names the modules of a module.
pub const MODULES: &str = "go.mod";

/// The number of Go's last lines to show if a build fails.
const LAST_WORDS: usize = 12;

/// Builds a program into `bin` below the cache folder, with progress on stderr. Returns its path.
///
/// # Errors
/// Fails if Go is missing or the build fails; the help says how else to get the program.
pub fn build(program: &Program, cache: &Path) -> Result<PathBuf, Failure> {
    let Program {
        name,
        version,
        takes,
        ..
    } = program;
    if !is_there() {
        return Err(missing(program));
    }
    let bin = cache.join("bin");
    std::fs::create_dir_all(&bin).map_err(|error| io("written", &bin, &error))?;
    let file = bin.join(name);
    let _lock = locked(&cache.join(format!("{name}.lock")), || {
        eprintln!("note: waiting for another process that builds {name} {version}");
    })?;
    // That process may have built it.
    if file.is_file() {
        return Ok(file);
    }
    eprintln!(
        "note: building {name} {version} from its Go module into `{}`; {takes} on 2 cores the first time",
        bin.display()
    );
    // A separate folder, from which the program appears by a rename.
    let folder = cache.join(format!("build-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| io("written", &folder, &error))?;
    // The keeper removes the folder when this process drops it or ends, even if killed.
    let _kept = Keeper::start("true", &folder, Path::new("true"), [""; 0])?;
    let built = build_in(&folder, program)?;
    std::fs::rename(built, &file).map_err(|error| io("written", &file, &error))?;
    Ok(file)
}

/// Locks a file until the returned handle is dropped or the process ends. If another process has locked it, calls `wait` and
/// waits. The file stays, since one that another process waits for must not be replaced.
fn locked(path: &Path, wait: impl FnOnce()) -> Result<File, Failure> {
    let failed = |error| io("locked", path, &error);
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        // Some network disks do not support locks: then a program may be built twice.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(failed(error)),
        Err(TryLockError::WouldBlock) => {
            wait();
            file.lock().map_err(failed)?;
        }
    }
    Ok(file)
}

/// Builds all programs of one of our modules into a folder. Go only rebuilds what changed.
///
/// # Errors
/// Fails if Go fails.
pub fn build_all(name: &str, source: &Path, bin: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(bin).map_err(|error| io("written", bin, &error))?;
    let mut go = of_ours(source, MODULES);
    go.args(["-ldflags", "-s -w", "-o"]).arg(bin).arg("./...");
    finish(go, name)
}

/// Builds the program in the folder of one of our modules, with the modules of its `go.mod` or of another file there.
///
/// # Errors
/// Fails if Go fails.
pub fn build_one(name: &str, source: &Path, modules: &str, program: &Path) -> Result<(), Failure> {
    let mut go = of_ours(source, modules);
    go.arg("-o").arg(program).arg(".");
    finish(go, name)
}

/// Compiles one of our modules for the functions above, into Go's cache.
///
/// # Errors
/// Fails if Go fails.
pub fn compile(name: &str, source: &Path, modules: &str) -> Result<(), Failure> {
    let mut go = of_ours(source, modules);
    go.args(["-o", "/dev/null", "./..."]);
    finish(go, name)
}

/// `go build` for the source of one of our modules.
fn of_ours(source: &Path, modules: &str) -> Command {
    let mut go = go(source);
    go.env("GOFLAGS", "-mod=readonly -buildvcs=false")
        .arg("build")
        .args(COMPILED)
        .arg(format!("-modfile={modules}"));
    go
}

fn finish(mut go: Command, name: &str) -> Result<(), Failure> {
    let child = go.stderr(Stdio::piped()).spawn();
    follow(child.map_err(|error| could_not_start(&error))?, name)
}

/// Whether Go is installed.
pub fn is_there() -> bool {
    Command::new("go").arg("version").output().is_ok()
}

fn could_not_start(error: &std::io::Error) -> Failure {
    Failure::new(format!("`go build` could not be started: {error}"))
}

fn missing(program: &Program) -> Failure {
    let message = format!("there is no `{}`, and no Go to build it", program.name);
    let help = format!("install Go 1.26 or newer, or {}", otherwise(program));
    Failure::new(message).with_help(help)
}

/// Describes how to get a program without building it.
pub fn otherwise(program: &Program) -> String {
    format!(
        "put `{}` on `PATH` or into a folder that `KUBEBUILDER_ASSETS` names; \
         `setup-envtest use -p path` downloads such a folder",
        program.name
    )
}

fn build_in(folder: &Path, program: &Program) -> Result<PathBuf, Failure> {
    let text = manifest(program, &published_manifest(folder, program)?);
    let path = folder.join("go.mod");
    std::fs::write(&path, text).map_err(|error| io("written", &path, &error))?;
    let output = folder.join(program.name);
    let linked = format!(
        "-s -w -X k8s.io/component-base/version.gitVersion={}",
        program.version
    );
    let mut go = go(folder);
    go.arg("build")
        .args(COMPILED)
        .args(["-ldflags", &linked, "-o"])
        .arg(&output)
        .arg(program.package);
    finish(go, program.name)?;
    Ok(output)
}

/// `go` in a folder, independent of the user's own module settings.
fn go(folder: &Path) -> Command {
    let mut go = Command::new("go");
    go.current_dir(folder)
        .env("CGO_ENABLED", "0")
        .env("GOFLAGS", "-mod=mod -buildvcs=false")
        .env("GOWORK", "off")
        .stdin(Stdio::null());
    go
}

/// Returns the published `go.mod` of the program's module.
fn published_manifest(folder: &Path, program: &Program) -> Result<String, Failure> {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(rename = "GoMod", default)]
        go_mod: PathBuf,
        #[serde(rename = "Error", default)]
        error: String,
    }
    let module = format!("{}@{}", program.module, program.version);
    let failed = |why: &str| {
        Failure::new(format!(
            "the Go module `{module}` cannot be downloaded: {why}"
        ))
        .with_help(otherwise(program))
    };
    let output = go(folder)
        .args(["mod", "download", "-json", &module])
        .output()
        .map_err(|error| failed(&error.to_string()))?;
    let answer: Answer = serde_json::from_slice(&output.stdout)
        .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).trim()))?;
    if !answer.error.is_empty() {
        return Err(failed(&answer.error));
    }
    std::fs::read_to_string(&answer.go_mod).map_err(|error| io("read", &answer.go_mod, &error))
}

/// Waits for a build and reports its progress.
fn follow(mut child: Child, name: &str) -> Result<(), Failure> {
    let (sender, lines) = channel();
    if let Some(stderr) = child.stderr.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    let said = listen(&lines, name);
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(Failure::new(format!(
            "`{name}` could not be built:\n{}",
            said.join("\n")
        ))),
    }
}

/// Reads Go's output until the end. Returns its last lines.
fn listen(lines: &Receiver<String>, name: &str) -> Vec<String> {
    let start = Instant::now();
    let mut pulse = start;
    let (mut downloads, mut packages) = (0, 0);
    let mut said = Vec::new();
    loop {
        match lines.recv_timeout(PULSE) {
            Ok(line) if line.starts_with("go: downloading ") => downloads += 1,
            Ok(line) => {
                packages += 1;
                said.push(line);
                said.drain(..said.len().saturating_sub(LAST_WORDS));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return said,
        }
        if pulse.elapsed() >= PULSE {
            pulse = Instant::now();
            eprintln!(
                "note: {name}: {} s, {downloads} modules downloaded, {packages} packages compiled",
                start.elapsed().as_secs()
            );
        }
    }
}
