//! The same input gives the same bytes.

use super::many;
use crate::support::{Workspace, run};
use std::collections::BTreeMap;
use std::fs;

/// Returns the output of a run in a different environment.
fn generated_with(
    workspace: &Workspace,
    surroundings: &[(&str, &str)],
) -> BTreeMap<String, Vec<u8>> {
    let mut command = workspace.command(&["gen-crds"]);
    command.envs(surroundings.iter().copied());
    run(&mut command).with_code(0);
    workspace.generated()
}

#[test]
fn the_same_input_gives_the_same_bytes_anywhere() {
    let text = many();
    let here = Workspace::new(&text);
    let expected = generated_with(&here, &[]);
    assert_eq!(expected.len(), 26);
    let long =
        std::env::temp_dir().join(format!("crd-channels-{}-ä long name", std::process::id()));
    let there = Workspace::at(long, &text);
    let homeless = here.path("no-such-home");
    let surroundings = [
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LANG", "de_DE"),
        ("TZ", "Asia/Kathmandu"),
        ("RAYON_NUM_THREADS", "1"),
        ("NO_COLOR", "1"),
    ];
    assert_eq!(generated_with(&there, &surroundings), expected);
    fs::remove_dir_all(there.path("generated")).unwrap();
    assert_eq!(
        generated_with(&there, &[("RAYON_NUM_THREADS", "4"), ("TZ", "UTC")]),
        expected
    );
    // cargo's own needs in a home folder have separate variables.
    if let Ok(home) = std::env::var("HOME") {
        let kept = |name: &str, folder: &str| {
            std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"))
        };
        let (cargo, rustup) = (kept("CARGO_HOME", ".cargo"), kept("RUSTUP_HOME", ".rustup"));
        fs::remove_dir_all(there.path("generated")).unwrap();
        let moved = [
            ("HOME", homeless.to_str().unwrap()),
            ("CARGO_HOME", &cargo),
            ("RUSTUP_HOME", &rustup),
        ];
        assert_eq!(generated_with(&there, &moved), expected);
    }
    for bytes in expected.values() {
        let text = std::str::from_utf8(bytes).unwrap();
        let tmp = std::env::temp_dir();
        assert!(!text.contains(tmp.to_str().unwrap()), "{text}");
    }
}

#[test]
fn the_order_in_which_files_were_made_does_not_matter() {
    let text = many();
    let forwards = Workspace::new(&text);
    let backwards = Workspace::new(&text);
    let sources = backwards.files("src");
    fs::remove_dir_all(backwards.path("src")).unwrap();
    for (name, bytes) in sources.iter().rev() {
        backwards.write(&format!("src/{name}"), bytes);
    }
    assert_eq!(
        generated_with(&forwards, &[]),
        generated_with(&backwards, &[])
    );
}
