//! krew installs the packed program by its manifest, and kubectl calls it.

use crate::dist;
use crate::report::Report;
use crd_channels_envtest::{Failure, binaries, go, io};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of krew's module.
const SOURCE: &str = "tasks/src/e2e/krew/go";

/// Installs a program as krew does. Says so if that is not possible here.
///
/// # Errors
/// Go failed, or a file cannot be read or written.
pub fn check(root: &Path, program: &Path, report: &mut Report) -> Result<(), Failure> {
    let Some(bin) = build(root)? else {
        println!("not tried: krew; it needs Go with a folder for what it builds");
        return Ok(());
    };
    let folder = std::env::temp_dir().join(format!("crd-channels-krew-{}", std::process::id()));
    let tried = install(&folder, &bin.join("krew"), program, report);
    fs::remove_dir_all(&folder).map_err(|error| io("removed", &folder, &error))?;
    tried
}

/// Builds krew into a folder, where it is possible.
///
/// # Errors
/// Go failed.
pub fn build(root: &Path) -> Result<Option<PathBuf>, Failure> {
    let source = root.join(SOURCE);
    let (true, Ok(cache)) = (source.is_dir() && go::is_there(), binaries::cache()) else {
        return Ok(None);
    };
    let bin = cache.join("krew");
    go::build_all("krew", &source, &bin)?;
    Ok(Some(bin))
}

fn install(folder: &Path, krew: &Path, program: &Path, report: &mut Report) -> Result<(), Failure> {
    let triple = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let built = dist::Built::below(program.parent().unwrap_or(program), &triple);
    let archive = dist::pack(program, &built, "", folder)?;
    dist::describe(folder)?;
    let home = folder.join("krew");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", home.join("bin").display());
    let run = |program: &Path, arguments: &[String]| {
        let mut command = Command::new(program);
        let command = command.args(arguments).env("KREW_ROOT", &home);
        let output = command.env("PATH", &path).env("HOME", folder).output();
        let output = output.map_err(|error| io("started", program, &error))?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok::<_, Failure>((output.status.success(), said))
    };
    let manifest = folder.join(dist::channels::KREW);
    let install = [
        "install".to_owned(),
        format!("--manifest={}", manifest.display()),
        format!("--archive={}", archive.display()),
    ];
    let bytes = fs::read(&archive).map_err(|error| io("read", &archive, &error))?;
    let write =
        |bytes: &[u8]| fs::write(&archive, bytes).map_err(|error| io("written", &archive, &error));
    write(bytes.get(1..).unwrap_or_default())?;
    let (is_ok, said) = run(krew, &install)?;
    report.check(
        "krew: another archive is refused",
        "false true",
        format!("{is_ok} {}", said.contains("checksum")),
    );
    write(&bytes)?;
    let (is_ok, said) = run(krew, &install)?;
    report.check(
        "krew: the archive is installed",
        "",
        if is_ok { "" } else { &said },
    );
    let version = ["crd-channels", "--version"].map(str::to_owned);
    let (_, said) = run(Path::new("kubectl"), &version)?;
    let expected = format!("kubectl crd-channels {}", dist::version(program)?);
    report.check("krew: kubectl calls it", expected, said.trim());
    Ok(())
}
