//! What the crates that tests write depend on, compiled once for all of them.

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The manifest of a crate that has them; `{name}` stands for the name of the crate.
pub const MANIFEST: &str = r#"[package]
name = "{name}"
version = "0.1.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
k8s-openapi = { version = "0.29.0", default-features = false, features = ["v1_36", "schemars"] }
kube = { version = "5.0.0", default-features = false, features = ["derive"] }
schemars = { version = "1.2.3", default-features = false, features = ["derive", "std"] }
serde = { version = "1.0.229", features = ["derive"] }
serde_json = "1.0"

[profile.dev]
debug = false
incremental = false
"#;

/// Makes a folder for what cargo compiles, unless there is one. The lock file has the versions.
///
/// Two tests at the same time need two folders, since cargo lets one build at a time into a folder. The dependencies take a minute
/// each time, so a new folder begins with links to what is compiled in `dependencies`.
pub fn target_folder(target: &Path, dependencies: &Path, lock: &Path) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if !target.exists() {
        compile(dependencies, lock);
        // Only a whole folder has the name that is looked for.
        let begun = target.with_extension("new");
        let _ = std::fs::remove_dir_all(&begun);
        link_all(&dependencies.join("target"), &begun);
        std::fs::rename(&begun, target).unwrap();
    }
}

/// Compiles them in a folder of their own.
fn compile(dependencies: &Path, lock: &Path) {
    std::fs::create_dir_all(dependencies.join("src")).unwrap();
    let manifest = MANIFEST.replace("{name}", "dependencies");
    std::fs::write(dependencies.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(lock, dependencies.join("Cargo.lock")).unwrap();
    std::fs::write(dependencies.join("src/main.rs"), "fn main() {}\n").unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline"]);
    cargo.current_dir(dependencies);
    cargo.env("CARGO_TARGET_DIR", dependencies.join("target"));
    assert!(cargo.status().unwrap().success());
}

/// Makes a folder with links to the files of another, except for those that cargo locks.
fn link_all(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            link_all(&path, &to.join(&name));
        } else if !name.to_string_lossy().starts_with(".cargo-") {
            std::fs::hard_link(&path, to.join(&name)).unwrap();
        }
    }
}
