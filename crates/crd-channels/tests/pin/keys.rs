//! Bundles that must be signed.

use super::support::Workspace;
use super::{empty, git, locked, pin, release};
use minisign::KeyPair;
use std::io::Cursor;

/// Signs a bundle of the folder `api/channels`.
fn sign(workspace: &Workspace, keys: &KeyPair, version: &str) {
    let folder = format!("api/channels/{version}");
    let manifest = workspace.read(&format!("{folder}/manifest.json"));
    let signed = minisign::sign(None, &keys.sk, Cursor::new(manifest), None, None).unwrap();
    let text = signed.into_string();
    workspace.write(&format!("{folder}/manifest.json.minisig"), text);
}

#[test]
fn only_what_is_signed_is_pinned() {
    let workspace = empty();
    let ours = KeyPair::generate_unencrypted_keypair().unwrap();
    let theirs = KeyPair::generate_unencrypted_keypair().unwrap();
    let public = ours.pk.to_base64();
    workspace.write("ours.pub", ours.pk.to_box().unwrap().into_string());
    let api = workspace.path("api");
    release(&workspace, "api/channels", "v0.1.0", 10);
    git(&api, &["init", "--quiet"]);
    let publish = |message: &str| {
        git(&api, &["add", "--all"]);
        git(&api, &["commit", "--quiet", "--message", message]);
    };
    publish("unsigned");
    let url = format!("file://{}", api.display());
    for source in ["api", "git:api", &*url] {
        let ran = pin(&workspace, &["--from", source, "--key", "ours.pub"]).with_code(1);
        let expected = "error[bundle-unsigned]: bundle v0.1.0 is not signed";
        assert!(ran.stderr.contains(expected), "{source}: {}", ran.stderr);
        assert!(!workspace.path("bundle.lock").exists());
    }
    sign(&workspace, &ours, "v0.1.0");
    publish("signed");
    for source in ["api", "git:api", &*url] {
        pin(&workspace, &["--from", source, "--key", "ours.pub"]).with_code(0);
        assert_eq!(
            locked(&workspace)["key"].as_str(),
            Some(&*public),
            "{source}"
        );
    }
    workspace.run(&["vendor"]).with_code(0);
    // The lock records the key, so that updates require it.
    release(&workspace, "api/channels", "v0.2.0", 20);
    publish("unsigned");
    let lock = workspace.read("bundle.lock");
    let ran = pin(&workspace, &["--update"]).with_code(1);
    assert!(
        ran.stderr.contains("bundle v0.2.0 is not signed"),
        "{}",
        ran.stderr
    );
    sign(&workspace, &theirs, "v0.2.0");
    publish("signed by somebody else");
    let ran = pin(&workspace, &["--from", &*url]).with_code(1);
    assert!(
        ran.stderr.contains("not signed with this key"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.read("bundle.lock"), lock);
    sign(&workspace, &ours, "v0.2.0");
    publish("signed");
    pin(&workspace, &["--update"]).with_code(0);
    let lock = locked(&workspace);
    assert_eq!(lock["version"].as_str(), Some("v0.2.0"));
    assert_eq!(lock["key"].as_str(), Some(&*public));
    for (key, expected) in [
        ("nobody.pub", "`nobody.pub` cannot be read: "),
        ("keys/nobody.pub", "`keys/nobody.pub` cannot be read: "),
        ("RW/nobody.pub", "`RW/nobody.pub` cannot be read: "),
        ("keys/nobody", "`keys/nobody` cannot be read: "),
        ("nobody", "`nobody` cannot be read: "),
        // A key with a typo.
        ("RWQ/x", "this is not a public key of minisign: "),
    ] {
        let ran = pin(&workspace, &["--from", "api", "--key", key]).with_code(2);
        let expected = format!("error[key-invalid]: {expected}");
        assert!(ran.stderr.contains(&expected), "{key}: {}", ran.stderr);
    }
}

/// A tag never moves, so a signature that was made later is only on the branch.
#[test]
fn a_signature_may_be_younger_than_the_tag() {
    let workspace = empty();
    let keys = KeyPair::generate_unencrypted_keypair().unwrap();
    let others = KeyPair::generate_unencrypted_keypair().unwrap();
    workspace.write("ours.pub", keys.pk.to_box().unwrap().into_string());
    release(&workspace, "api/channels", "v0.1.0", 10);
    let api = workspace.path("api");
    git(&api, &["init", "--quiet"]);
    let publish = |message: &str| {
        git(&api, &["add", "--all"]);
        git(&api, &["commit", "--quiet", "--message", message]);
    };
    publish("v0.1.0");
    git(&api, &["tag", "v0.1.0"]);
    let url = format!("file://{}", api.display());
    let sources = ["api#v0.1.0", &format!("{url}#v0.1.0")];
    for source in sources {
        let ran = pin(&workspace, &["--from", source, "--key", "ours.pub"]).with_code(1);
        assert!(
            ran.stderr.contains("bundle v0.1.0 is not signed"),
            "{}",
            ran.stderr
        );
    }
    sign(&workspace, &keys, "v0.1.0");
    publish("signed");
    let signed = git(&api, &["rev-parse", "v0.1.0"]);
    for source in sources {
        pin(&workspace, &["--from", source, "--key", "ours.pub"]).with_code(0);
        let lock = locked(&workspace);
        assert_eq!(
            lock["source"]["commit"].as_str(),
            Some(&*signed),
            "{source}"
        );
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
    }
    // What the branch has is checked as well.
    sign(&workspace, &others, "v0.1.0");
    publish("signed by others");
    for source in sources {
        let ran = pin(&workspace, &["--from", source, "--key", "ours.pub"]).with_code(1);
        assert!(
            ran.stderr.contains("not signed with this key"),
            "{}",
            ran.stderr
        );
    }
}
