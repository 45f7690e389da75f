//! Malicious input, disks that fail, and runs that are killed.

use super::{ROUTE, many, names, places};
use crate::support::skipped::skipped;
use crate::support::{Ran, Workspace};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn hostile_sources_are_findings() {
    let deep = |open: &str, close: &str, times: usize| {
        format!(
            "const DEEP: u8 = {}1{};\n",
            open.repeat(times),
            close.repeat(times)
        )
    };
    for (text, code) in [
        (deep("(", ")", 100_000), "nesting-too-deep"),
        (deep("[", "]", 20_000), "nesting-too-deep"),
        (deep("{", "", 20_000), ""),
        (deep("&", "", 200_000), ""),
        (deep("!", "", 200_000), ""),
        (
            format!(
                "type Deep = {}u8{};\n",
                "Vec<".repeat(50_000),
                ">".repeat(50_000)
            ),
            "",
        ),
        (
            format!("#[doc = \"{}\"]\nmod x {{}}\n", "x".repeat(1_000_000)),
            "-",
        ),
        ("\u{feff}mod x {}\n".to_owned(), "-"),
        ("\0".to_owned(), "syntax-error"),
        ("macro_rules! m { () => { m!{} } }\nm!{}\n".to_owned(), "-"),
        ("mod lib;\n".to_owned(), "module-cycle"),
        (
            "#[path = \"/dev/null/x.rs\"]\nmod x;\n".to_owned(),
            "module-not-found",
        ),
    ] {
        let workspace = Workspace::new(ROUTE);
        workspace.write("src/lib.rs", format!("{text}mod route;\n"));
        let ran = workspace.run(&["gen-crds", "--format", "json"]);
        let shown = &text[..text.len().min(60)];
        match code {
            "-" => drop(ran.with_code(0)),
            code => {
                let found = ran.with_code(1).findings();
                assert!(
                    code.is_empty() || found[0].code == code,
                    "{shown}: {found:#?}"
                );
            }
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.edit(
        "src/route.rs",
        "How long a client waits.",
        "How long it takes.",
    );
    let folder = workspace.path("generated/experimental");
    let allow = |folder: &Path, writing: bool| {
        let mut permissions = fs::metadata(folder).unwrap().permissions();
        #[cfg(unix)]
        std::os::unix::fs::PermissionsExt::set_mode(
            &mut permissions,
            if writing { 0o755 } else { 0o555 },
        );
        #[cfg(not(unix))]
        permissions.set_readonly(!writing);
        fs::set_permissions(folder, permissions).unwrap();
    };
    allow(&folder, false);
    if fs::write(folder.join("probe"), "").is_ok() {
        skipped(
            "this user writes into read-only folders; `files/tests/faults.rs` injects the fault",
        );
        allow(&folder, true);
        return;
    }
    let before = workspace.generated();
    let ran = workspace.run(&["gen-crds", "--format", "json"]);
    allow(&folder, true);
    assert_eq!(places(&ran.with_code(2).findings()), ["write-failed"]);
    assert_eq!(workspace.generated(), before);
    workspace.generate();
}

/// Checks that files are old or new as a whole, and that nothing is left beside them.
fn assert_recovered(workspace: &Workspace, expected: &BTreeMap<String, Vec<u8>>) {
    let ran: Ran = workspace.run(&["gen-crds"]).with_code(0);
    let found = workspace.generated();
    assert_eq!(
        names(&found),
        names(expected),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
    assert_eq!(&found, expected);
    let state = workspace.files("target/crd-channels");
    // Files that are kept between runs may be incomplete; the next run overwrites them.
    let kept = [
        "examples.json",
        "examples.tmp",
        "memory.json",
        "memory.tmp",
        "workspace.json",
        "workspace.tmp",
    ];
    let left: Vec<_> = state
        .keys()
        .filter(|name| !kept.contains(&name.as_str()))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    assert!(!workspace.path(".crd-channels").exists());
}

#[test]
fn a_kill_at_any_moment_leaves_whole_files() {
    let workspace = Workspace::new(&many());
    workspace.generate();
    let old = workspace.generated();
    let edit = |from: &str, to: &str| {
        for index in 0..12 {
            workspace.edit(&format!("src/m{index}.rs"), from, to);
        }
    };
    edit("/// Kind", "/// The kind");
    workspace.generate();
    let new = workspace.generated();
    let states = [
        (&old, "/// The kind", "/// Kind"),
        (&new, "/// Kind", "/// The kind"),
    ];
    for round in 0..24u64 {
        let (expected, from, to) = states[usize::try_from(round % 2).unwrap()];
        edit(from, to);
        let mut child = workspace
            .command(&["gen-crds"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2 + round * 2));
        child.kill().unwrap();
        child.wait().unwrap();
        for (name, bytes) in workspace.generated() {
            let hidden = name.contains(".crd-channels-");
            let whole = old.get(&name) == Some(&bytes) || new.get(&name) == Some(&bytes);
            assert!(hidden || whole, "{name} is neither old nor new");
        }
        assert_recovered(&workspace, expected);
    }
}

#[test]
fn two_runs_at_once_agree() {
    let workspace = Workspace::new(&many());
    let mut children: Vec<_> = (0..4)
        .map(|_| {
            workspace
                .command(&["gen-crds"])
                .stdout(std::process::Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    workspace.run(&["gen-crds", "--check"]).with_code(0);
}
