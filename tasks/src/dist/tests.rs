//! Packing the same programs makes the same bytes.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Built, PROGRAM, pack};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

const TRIPLE: &str = "x86_64-unknown-linux-musl";

/// The archive of programs with these permissions, of which the second was written at that time.
fn packed(folder: &Path, mode: u32, written: SystemTime) -> Vec<u8> {
    let built = Built::below(folder, TRIPLE);
    fs::write(&built.program, "program").unwrap();
    fs::write(&built.subcommand, "subcommand").unwrap();
    fs::set_permissions(&built.program, Permissions::from_mode(mode)).unwrap();
    let subcommand = fs::File::options().append(true).open(&built.subcommand);
    subcommand.unwrap().set_modified(written).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dist/fixture.sh");
    let path = pack(&own, &built, "licences\n", &folder.join("packed")).unwrap();
    fs::read(path).unwrap()
}

/// Another folder, other permissions, another time, and what a run that was ended left behind change nothing.
#[test]
fn the_same_programs_are_packed_to_the_same_bytes() {
    let folder = std::env::temp_dir().join(format!("{PROGRAM}-packed-{}", std::process::id()));
    let (one, other) = (folder.join("one"), folder.join("some/where/other"));
    fs::create_dir_all(&one).unwrap();
    fs::create_dir_all(other.join("packed/man")).unwrap();
    fs::write(other.join("packed/man/left-behind.1"), "").unwrap();
    let bytes = packed(&one, 0o755, SystemTime::now());
    assert!(bytes == packed(&other, 0o600, SystemTime::UNIX_EPOCH));
    assert!(other.join("packed/man/left-behind.1").is_file());

    let archive = folder.join("archive.tar.gz");
    fs::write(&archive, bytes).unwrap();
    let mut tar = Command::new("tar");
    tar.args(["--utc", "--numeric-owner", "-tvzf"])
        .arg(&archive);
    let listed = tar.output().unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let listed: Vec<String> = listed.lines().map(words).collect();
    let file = "-rw-r--r-- 0/0 1970-01-01";
    let program = "-rwxr-xr-x 0/0 1970-01-01";
    assert_eq!(
        listed,
        [
            format!("{file} LICENSE"),
            format!("{file} THIRD-PARTY-LICENSES"),
            format!("{program} cargo-crd-channels"),
            format!("{file} completions/_crd-channels"),
            format!("{file} completions/crd-channels.bash"),
            format!("{file} completions/crd-channels.fish"),
            format!("{program} crd-channels"),
            format!("{file} man/crd-channels-check.1"),
            format!("{file} man/crd-channels.1"),
        ]
    );
}

/// Permissions, owner, day and name of a line.
fn words(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [mode, owner, _size, day, _time, name] = words[..] else {
        return line.to_owned();
    };
    format!("{mode} {owner} {day} {name}")
}
