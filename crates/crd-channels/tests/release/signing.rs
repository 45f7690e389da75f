//! Signatures prove who released a bundle, not only that it is complete.

use super::Project;
use super::support::skipped::skipped;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;

/// Creates a pair of keys in the project's folder, `NAME.key` and `NAME.pub`, the secret one with a password if given.
fn keys(project: &Project, name: &str, password: Option<&str>) {
    let pair = match password {
        Some(password) => KeyPair::generate_encrypted_keypair(Some(password.to_owned())).unwrap(),
        None => KeyPair::generate_unencrypted_keypair().unwrap(),
    };
    let secret = pair.sk.to_box(None).unwrap().into_string();
    let public = pair.pk.to_box().unwrap().into_string();
    project.0.write(&format!("keys/{name}.key"), secret);
    project.0.write(&format!("keys/{name}.pub"), public);
}

/// A project that does not commit its keys.
fn project() -> Project {
    let project = Project::new();
    project.0.write(".gitignore", "/target\n/keys\n");
    project.commit_generated();
    project
}

#[test]
fn a_bundle_says_who_released_it() {
    let project = project();
    keys(&project, "ours", None);
    keys(&project, "theirs", None);
    let ran = project
        .0
        .run(&["release", "minor", "--sign", "keys/ours.key"]);
    ran.with_code(0);
    project.commit_generated();
    let comment = "trusted comment: bundle v0.1.0 of example.com";
    let signature = project.0.read("channels/v0.1.0/manifest.json.minisig");
    assert!(signature.contains(comment), "{signature}");
    // Pages name the key, as minisign does.
    let id = project.0.read("keys/ours.pub");
    let id = id.lines().next().unwrap().split(' ').next_back().unwrap();
    for (format, page) in [("site", "changes.html"), ("markdown", "changes.md")] {
        let arguments = ["reference", "--out", "target/pages", "--format", format];
        project.0.run(&arguments).with_code(0);
        let page = project.0.read(&format!("target/pages/{page}"));
        assert!(page.contains(id), "{id}: {page}");
    }
    let verify = |key: &str| project.0.run(&["verify-release", "v0.1.0", "--key", key]);
    let ran = verify("keys/ours.pub").with_code(0);
    assert!(ran.stdout.contains("signed with the key"), "{}", ran.stdout);
    // The key itself can be given instead of its file.
    let public = project.0.read("keys/ours.pub");
    verify(public.lines().nth(1).unwrap()).with_code(0);
    let ran = verify("keys/theirs.pub").with_code(1);
    let expected = "error[bundle-unsigned]: bundle v0.1.0 is not signed with this key";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    let ran = verify("keys/nobodys.pub").with_code(2);
    assert!(ran.stderr.contains("error[key-invalid]"), "{}", ran.stderr);
    // An attacker who writes a new manifest with its own digest has no key.
    let forged = "channels/v0.1.0/manifest.json.minisig";
    project
        .0
        .write(forged, signature.replace("v0.1.0", "v0.9.0"));
    let ran = verify("keys/ours.pub").with_code(1);
    assert!(ran.stderr.contains("Comment signature"), "{}", ran.stderr);
    std::fs::remove_file(project.0.path(forged)).unwrap();
    let ran = verify("keys/ours.pub").with_code(1);
    assert!(
        ran.stderr.contains("bundle v0.1.0 is not signed"),
        "{}",
        ran.stderr
    );
}

/// `minisign -G -W` leaves the checksum of a key empty.
#[test]
fn a_key_of_the_program_signs() {
    let project = project();
    keys(&project, "ours", None);
    let text = project.0.read("keys/ours.key");
    let (comment, key) = text.split_once('\n').unwrap();
    let mut bytes = STANDARD.decode(key.trim()).unwrap();
    let checksum = bytes.len() - 32;
    bytes[checksum..].fill(0);
    let key = STANDARD.encode(bytes);
    project
        .0
        .write("keys/ours.key", format!("{comment}\n{key}\n"));
    let ran = project
        .0
        .run(&["release", "minor", "--sign", "keys/ours.key"]);
    ran.with_code(0);
    let ran = project.0.run(&["verify-release", "--key", "keys/ours.pub"]);
    ran.with_code(0);
}

#[test]
fn a_bundle_can_be_signed_later() {
    let project = project();
    keys(&project, "ours", Some("secret"));
    project.release("minor").with_code(0);
    project.commit_generated();
    let sign = |password: &str| {
        let arguments = ["sign", "v0.1.0", "--key", "keys/ours.key"];
        let mut command = project.0.command(&arguments);
        super::support::run(command.env("CRD_CHANNELS_KEY_PASSWORD", password))
    };
    let ran = sign("guess").with_code(2);
    assert!(ran.stderr.contains("Wrong password"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("CRD_CHANNELS_KEY_PASSWORD"),
        "{}",
        ran.stderr
    );
    sign("secret").with_code(0);
    let ran = project.0.run(&["verify-release", "--key", "keys/ours.pub"]);
    ran.with_code(0);
    let ran = project.0.run(&["sign", "v0.2.0", "--key", "keys/ours.key"]);
    assert!(ran.with_code(2).stderr.contains("v0.2.0"));
    // A signature is not replaced by that of another key.
    keys(&project, "theirs", None);
    let theirs = ["sign", "v0.1.0", "--key", "keys/theirs.key"];
    let signature = "channels/v0.1.0/manifest.json.minisig";
    let before = project.0.read(signature);
    let stderr = project.0.run(&theirs).with_code(2).stderr;
    assert!(
        stderr.contains("bundle v0.1.0 is already signed with another key"),
        "{stderr}"
    );
    assert!(stderr.contains(&format!("`rm {signature}`")), "{stderr}");
    assert_eq!(project.0.read(signature), before);
    std::fs::remove_file(project.0.path(signature)).unwrap();
    project.0.run(&theirs).with_code(0);
    project.0.write(signature, before);
    // With an unreadable key, nothing is written.
    project.edit("    /// So long.\n", "    /// So very long.\n");
    project.commit_generated();
    let ran = project
        .0
        .run(&["release", "minor", "--sign", "keys/none.key"]);
    assert!(ran.with_code(2).stderr.contains("error[key-invalid]"));
    assert!(!project.0.path("channels/v0.2.0").exists());
}

/// Generated keys sign and verify. Nothing is replaced, and only the owner can read the secret one.
#[test]
fn generated_keys_sign() {
    let project = project();
    std::fs::create_dir_all(project.0.path("keys")).unwrap();
    let generate = |secret: &str, public: &str, more: &[&str]| {
        let arguments = ["keygen", "--secret", secret, "--public", public];
        let arguments = [&arguments[..], more].concat();
        let mut command = project.0.command(&arguments);
        super::support::run(command.env("CRD_CHANNELS_KEY_PASSWORD", "secret"))
    };
    for (name, more) in [("plain", &["--no-password"][..]), ("encrypted", &[])] {
        let (secret, public) = (format!("keys/{name}.key"), format!("{name}.pub"));
        let ran = generate(&secret, &public, more).with_code(0);
        let key = project.0.read(&public);
        let key = key.lines().nth(1).unwrap();
        assert!(ran.stdout.contains(key), "{}", ran.stdout);
        #[cfg(unix)]
        {
            let about = std::fs::metadata(project.0.path(&secret)).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions());
            assert_eq!(mode & 0o777, 0o600);
        }
        let before = project.0.files("");
        for (secret, public) in [(&*secret, "other.pub"), ("keys/other.key", &*public)] {
            let ran = generate(secret, public, &["--no-password"]).with_code(2);
            assert!(ran.stderr.contains("exists already"), "{}", ran.stderr);
        }
        let ran = generate("committed.key", "other.pub", &["--no-password"]).with_code(2);
        let expected =
            "git does not ignore `committed.key`, so `git add --all` would publish the secret key";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        let ran = generate("nowhere/a.key", "other.pub", &["--no-password"]).with_code(2);
        assert!(ran.stderr.contains("error[key-invalid]"), "{}", ran.stderr);
        let ran = generate("keys/other.key", "nowhere/a.pub", &["--no-password"]).with_code(2);
        assert!(
            ran.stderr.contains("`nowhere/a.pub` cannot be written"),
            "{}",
            ran.stderr
        );
        assert_eq!(project.0.files(""), before);
    }
    project.commit_generated();
    project
        .0
        .run(&["release", "minor", "--sign", "keys/plain.key"])
        .with_code(0);
    project.commit_generated();
    let ran = project
        .0
        .run(&["verify-release", "v0.1.0", "--key", "plain.pub"]);
    ran.with_code(0);
    let signature = project.0.path("channels/v0.1.0/manifest.json.minisig");
    std::fs::remove_file(signature).unwrap();
    let arguments = ["sign", "v0.1.0", "--key", "keys/encrypted.key"];
    let mut command = project.0.command(&arguments);
    super::support::run(command.env("CRD_CHANNELS_KEY_PASSWORD", "secret")).with_code(0);
    let ran = project
        .0
        .run(&["verify-release", "v0.1.0", "--key", "encrypted.pub"]);
    ran.with_code(0);
    // The program reads them as well, if it is there.
    let manifest = "channels/v0.1.0/manifest.json";
    let mut minisign = std::process::Command::new("minisign");
    minisign.args(["-V", "-p", "encrypted.pub", "-m", manifest]);
    match minisign.current_dir(project.0.folder()).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => skipped(&format!("the program minisign is not here: {error}")),
    }
}
