//! Registries of OCI artifacts: what is pushed comes back, and nothing else. `cargo xtask e2e oci` does the same with real ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod mirrors;
mod registry;
#[path = "../support/mod.rs"]
mod support;

use crd_channels_released::digest::Digest;
use registry::{Blob, Manner, Registry};
use serde_json::Value;
use std::path::{Path, PathBuf};
use support::{Ran, Workspace, run};

/// This repository, whose bundles are pushed.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder of a user without credentials.
fn user() -> Workspace {
    Workspace::new("")
}

fn run_in(folder: &Path, user: &Workspace, arguments: &[&str]) -> Ran {
    let mut command = user.command(arguments);
    command.current_dir(folder);
    // The helpers of credentials.
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", user.path("bin").display());
    for name in ["REGISTRY_AUTH_FILE", "XDG_RUNTIME_DIR"] {
        command.env_remove(name);
    }
    command.env("CONTAINERS_REGISTRIES_CONF", user.path("registries.conf"));
    command.env("DOCKER_CONFIG", user.path("docker"));
    run(command.env("NO_PROXY", "*").env("PATH", path))
}

fn push(registry: &Registry, user: &Workspace, version: &str) -> Ran {
    let place = registry.repository();
    run_in(&root(), user, &["archive", version, "--push", &place])
}

fn tool(user: &Workspace, arguments: &[&str]) -> Ran {
    run_in(user.folder(), user, arguments)
}

fn lock(user: &Workspace) -> toml::Table {
    let lock: toml::Table = user.read("bundle.lock").parse().unwrap();
    lock["bundle"][0].as_table().unwrap().clone()
}

fn log_in(user: &Workspace, registry: &Registry) {
    let auths = serde_json::json!({"auths": {registry.host(): {"auth": "dXNlcjpzZWNyZXQ="}}});
    user.write("docker/config.json", auths.to_string());
}

/// The bundles that are pushed; one is signed.
const SIGNED: &str = "v0.4.1";
const OLDER: &str = "v0.3.0";

fn manners() -> [Manner; 4] {
    let plain = Manner::default();
    [
        plain.clone(),
        Manner {
            knows_referrers: true,
            is_draft: true,
            is_terse: true,
            ..plain.clone()
        },
        Manner {
            knows_referrers: true,
            redirects: true,
            ..plain.clone()
        },
        Manner {
            token: Some("good"),
            page: Some(1),
            redirects: true,
            ..plain
        },
    ]
}

#[test]
fn a_bundle_comes_back_from_any_registry() {
    for manner in manners() {
        let (registry, user) = (Registry::start(manner.clone()), user());
        if manner.token.is_some() {
            let ran = push(&registry, &user, SIGNED).with_code(2);
            assert!(
                ran.stderr.contains("error[registry-failed]"),
                "{}",
                ran.stderr
            );
            let help = format!("`docker login {}`", registry.host());
            assert!(ran.stderr.contains(&help), "{}", ran.stderr);
            log_in(&user, &registry);
        }
        for version in [OLDER, SIGNED] {
            push(&registry, &user, version).with_code(0);
        }
        let from = registry.repository();
        let ran = tool(
            &user,
            &["pin", "--list", "--from", &from, "--format", "json"],
        );
        let listed: Value = serde_json::from_str(&ran.with_code(0).stdout).unwrap();
        let listed = listed["sources"][0]["bundles"].as_array().unwrap();
        let listed: Vec<_> = listed
            .iter()
            .map(|it| (&it["version"], &it["signed"]))
            .collect();
        assert_eq!(
            format!("{listed:?}"),
            "[(String(\"v0.4.1\"), Bool(true)), (String(\"v0.3.0\"), Bool(false))]"
        );

        tool(&user, &["pin", "--from", &from, "--version", "0.3"]).with_code(0);
        let source = lock(&user)["source"].clone();
        assert_eq!(source["oci"].as_str(), Some(&*from));
        assert_eq!(source["tag"].as_str(), Some(OLDER));
        let digest = Digest::of(&registry.state().manifests[OLDER]).to_string();
        assert_eq!(source["digest"].as_str(), Some(&*digest));
        let ran = tool(&user, &["pin", "--outdated"]).with_code(0);
        assert!(ran.stdout.contains("newest: v0.4.1"), "{}", ran.stdout);
        let key = root().join("channels/release.pub").display().to_string();
        let update = [
            "pin",
            "--update",
            "--version",
            "*",
            "--allow-data-loss",
            "--key",
            &key,
        ];
        tool(&user, &update).with_code(0);
        tool(&user, &["vendor"]).with_code(0);
        for (path, bytes) in user.files("crds") {
            let own = root().join(format!("channels/{SIGNED}/stable/crds/{path}"));
            assert!(bytes == std::fs::read(own).unwrap(), "{path}");
        }
        // A token is for the registry alone.
        let state = registry.state();
        let elsewhere = state
            .requests
            .iter()
            .filter(|(request, _)| request.contains("/storage/"));
        let elsewhere: Vec<_> = elsewhere.collect();
        assert_eq!(elsewhere.is_empty(), !manner.redirects);
        assert!(
            elsewhere.iter().all(|(_, token)| token.is_empty()),
            "{elsewhere:?}"
        );
    }
}

#[test]
fn one_artifact_is_named_by_its_tag_or_digest() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    push(&registry, &user, OLDER).with_code(0);
    push(&registry, &user, SIGNED).with_code(0);
    let digest = Digest::of(&registry.state().manifests[OLDER]).to_string();
    let from = registry.repository();
    for name in [format!("{from}:{OLDER}"), format!("{from}@{digest}")] {
        let again = Workspace::new("");
        tool(&again, &["pin", "--from", &name]).with_code(0);
        assert_eq!(lock(&again)["version"].as_str(), Some(OLDER));
        assert_eq!(lock(&again)["source"]["digest"].as_str(), Some(&*digest));
        // It is followed: neither has a newer bundle.
        let ran = tool(&again, &["pin", "--outdated"]).with_code(0);
        assert!(ran.stdout.contains("is the newest"), "{}", ran.stdout);
    }
    for (name, expected) in [
        (format!("{from}:{OLDER}@{digest}"), "a tag and a digest"),
        (format!("{from}#{OLDER}"), "names no repository"),
        (format!("{from}:latest"), "has no artifact `latest`"),
        (
            format!("{from}@{}", Digest::of(b"")),
            "has no artifact `sha256:e3b0",
        ),
        (
            format!("oci://{}/edge/other", registry.host()),
            "has no bundles",
        ),
    ] {
        let ran = tool(&user, &["pin", "--from", &name]).with_code(2);
        assert!(ran.stderr.contains(expected), "{name}:\n{}", ran.stderr);
    }
}

#[test]
fn what_was_pinned_needs_no_registry() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    push(&registry, &user, OLDER).with_code(0);
    let from = registry.repository();
    let ran = tool(&user, &["pin", "--from", &from, "--offline"]).with_code(2);
    assert!(
        ran.stderr.contains("is not fetched with `--offline`"),
        "{}",
        ran.stderr
    );
    tool(&user, &["pin", "--from", &from]).with_code(0);
    drop(registry);
    tool(&user, &["vendor", "--offline"]).with_code(0);
    std::fs::remove_dir_all(user.cache()).unwrap();
    std::fs::remove_dir_all(user.path("crds")).unwrap();
    let ran = tool(&user, &["vendor", "--offline"]).with_code(2);
    assert!(
        ran.stderr.contains("is not fetched with `--offline`"),
        "{}",
        ran.stderr
    );
    let ran = tool(&user, &["vendor"]).with_code(2);
    assert!(ran.stderr.contains("Connection refused"), "{}", ran.stderr);
}

/// Bytes that differ from what a digest names are never taken, whoever sent them.
#[test]
fn other_bytes_are_refused() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    push(&registry, &user, OLDER).with_code(0);
    push(&registry, &user, SIGNED).with_code(0);
    let from = registry.repository();
    let digest = Digest::of(&registry.state().manifests[OLDER]).to_string();
    let exact = format!("{from}@{digest}");
    for (blob, code, expected) in [
        (Blob::Other, 1, "error[bundle-tampered]"),
        (Blob::Short, 1, "error[bundle-tampered]"),
        (Blob::Half, 2, "error[registry-failed]"),
        (Blob::Endless, 2, "a blob is larger than it should be"),
        (Blob::Absent, 2, "error[registry-failed]"),
    ] {
        registry.state().manner.blob = blob;
        let ran = tool(&user, &["pin", "--from", &exact]).with_code(code);
        assert!(ran.stderr.contains(expected), "{blob:?}:\n{}", ran.stderr);
    }
    let other = registry.state().manifests[SIGNED].clone();
    registry.state().manner = Manner {
        manifest: Some(other),
        ..Manner::default()
    };
    let ran = tool(&user, &["pin", "--from", &exact]).with_code(1);
    assert!(
        ran.stderr.contains("error[bundle-tampered]"),
        "{}",
        ran.stderr
    );
    for bytes in [
        "",
        "{}",
        "[]",
        "{\"schemaVersion\": 2, \"config\": {}, \"layers\": []}",
    ] {
        registry
            .state()
            .manifests
            .insert("odd".to_owned(), bytes.into());
        let ran = tool(&user, &["pin", "--from", &format!("{from}:odd")]).with_code(1);
        assert!(
            ran.stderr.contains("error[bundle-invalid]"),
            "{}",
            ran.stderr
        );
    }
    assert!(!user.path("bundle.lock").exists());
}

/// A tag that was moved changes nothing for those who pinned, and is reported to those who update.
#[test]
fn a_moved_tag_is_noticed() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    push(&registry, &user, OLDER).with_code(0);
    let from = registry.repository();
    tool(&user, &["pin", "--from", &from]).with_code(0);
    let before = user.read("bundle.lock");
    // The same version with other bytes, as somebody with the password could push it.
    let other = other_bundle(&user);
    push_from(&registry, &user, &other).with_code(1);
    let taken = push_from(&registry, &user, &other).stderr;
    assert!(taken.contains("error[bundle-tampered]"), "{taken}");
    assert!(taken.contains("has another bundle v0.3.0"), "{taken}");
    registry.state().manifests.remove(OLDER);
    push_from(&registry, &user, &other).with_code(0);
    let ran = tool(&user, &["pin", "--update"]).with_code(1);
    assert!(
        ran.stderr.contains("error[bundle-tampered]"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("the tag `v0.3.0`"), "{}", ran.stderr);
    assert_eq!(user.read("bundle.lock"), before);
    let forget = || {
        for folder in [user.cache(), user.path("crds")] {
            let _ = std::fs::remove_dir_all(folder);
        }
    };
    forget();
    tool(&user, &["vendor"]).with_code(0);
    // Without the artifact, the same bundle elsewhere in the repository would do, and this one does not.
    let digest = lock(&user)["source"]["digest"].as_str().unwrap().to_owned();
    registry.state().manifests.remove(&digest);
    forget();
    let ran = tool(&user, &["vendor"]).with_code(1);
    assert!(
        ran.stderr.contains("error[bundle-tampered]"),
        "{}",
        ran.stderr
    );
    registry.state().manifests.remove(OLDER);
    let ran = tool(&user, &["vendor"]).with_code(2);
    assert!(ran.stderr.contains("the artifact "), "{}", ran.stderr);
    assert!(ran.stderr.contains("no longer exists"), "{}", ran.stderr);
}

/// Copies a bundle into another workspace, with another manifest.
fn other_bundle(user: &Workspace) -> PathBuf {
    let bundle = root().join("channels").join(OLDER);
    let folder = format!("other/channels/{OLDER}");
    for file in walkdir::WalkDir::new(&bundle) {
        let file = file.unwrap();
        if file.file_type().is_file() {
            let path = file
                .path()
                .strip_prefix(&bundle)
                .unwrap()
                .display()
                .to_string();
            user.write(
                &format!("{folder}/{path}"),
                std::fs::read(file.path()).unwrap(),
            );
        }
    }
    user.write("other/Cargo.toml", "[workspace]\n");
    let path = format!("{folder}/manifest.json");
    let text = std::fs::read(user.path(&path)).unwrap();
    let mut manifest = crd_channels_released::manifest::Manifest::parse(&text).unwrap();
    manifest.tool.push_str("-other");
    user.write(&path, manifest.to_text().0);
    user.path("other")
}

fn push_from(registry: &Registry, user: &Workspace, folder: &Path) -> Ran {
    let place = registry.repository();
    run_in(folder, user, &["archive", OLDER, "--push", &place])
}

/// The tag in git says when and from which commit the bundle is.
#[test]
fn an_artifact_names_the_commit_of_its_tag() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    let folder = other_bundle(&user);
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.com"]);
        git.env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05+02:00");
        let ran = run(git.args(arguments).current_dir(&folder)).with_code(0);
        ran.stdout.trim().to_owned()
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "x"]);
    git(&["tag", OLDER]);
    push_from(&registry, &user, &folder).with_code(0);
    let manifest: Value = serde_json::from_slice(&registry.state().manifests[OLDER]).unwrap();
    let annotation = |name: &str| {
        let key = format!("org.opencontainers.image.{name}");
        manifest["annotations"][key].as_str().unwrap().to_owned()
    };
    assert_eq!(annotation("version"), OLDER);
    assert_eq!(annotation("created"), "2026-01-02T01:04:05Z");
    assert_eq!(annotation("revision"), git(&["rev-parse", "HEAD"]));
}

/// The same bytes from anywhere; a signature may come later.
#[test]
fn pushing_again_adds_only_what_is_missing() {
    for manner in manners().into_iter().take(3) {
        let (registry, user) = (Registry::start(manner), user());
        push(&registry, &user, SIGNED).with_code(0);
        let before = registry.state().manifests.clone();
        registry.state().requests.clear();
        let ran = push(&registry, &user, SIGNED).with_code(0);
        assert!(ran.stdout.contains("there already"), "{}", ran.stdout);
        assert_eq!(registry.state().manifests, before);
        let writes = |(request, _): &&(String, String)| !request.starts_with("GET");
        assert_eq!(registry.state().requests.iter().find(writes), None);
        // As if it had been signed afterwards.
        let signature = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("minisign");
        let kinds = |state: &registry::State| {
            let all = state
                .manifests
                .iter()
                .filter(|(name, _)| name.contains(':'));
            all.filter(|(_, bytes)| !signature(bytes)).count()
        };
        let unsigned = kinds(&registry.state());
        registry
            .state()
            .manifests
            .retain(|_, bytes| !signature(bytes));
        assert_eq!(kinds(&registry.state()), unsigned);
        push(&registry, &user, SIGNED).with_code(0);
        let key = root().join("channels/release.pub").display().to_string();
        let pin = ["pin", "--from", &registry.repository(), "--key", &key];
        tool(&user, &pin).with_code(0);
    }
}

/// Others may refer to the artifact as well. What is not their index is not replaced by one.
#[test]
fn the_index_of_referrers_keeps_what_it_has() {
    let (registry, user) = (Registry::start(Manner::default()), user());
    push(&registry, &user, OLDER).with_code(0);
    let tag = Digest::of(&registry.state().manifests[OLDER]).to_string();
    let tag = tag.replace(':', "-");
    let bytes = registry.state().manifests[&tag].clone();
    let mut index: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(index["manifests"].as_array().unwrap().len(), 2);
    let kept = serde_json::json!({"digest": "sha512:00", "size": 1, "more": true});
    index["manifests"] = serde_json::json!([kept]);
    let place = |bytes: Vec<u8>| registry.state().manifests.insert(tag.clone(), bytes);
    place(index.to_string().into());
    // The client refuses to read an entry that is none, and then nothing is written.
    let ran = push(&registry, &user, OLDER);
    let after: Value = serde_json::from_slice(&registry.state().manifests[&tag]).unwrap();
    assert_eq!(after["manifests"][0], kept, "{}", ran.stderr);
    for bytes in ["[]", "1", "{}", "\"\"", "{\"manifests\": 1}"] {
        place(bytes.into());
        push(&registry, &user, OLDER).with_code(2);
        assert_eq!(registry.state().manifests[&tag], bytes.as_bytes());
    }
}

#[test]
fn credentials_are_those_of_docker_and_podman() {
    let registry = Registry::start(Manner {
        token: Some("good"),
        ..Manner::default()
    });
    let user = user();
    let host = registry.host();
    let list = || tool(&user, &["pin", "--list", "--from", &registry.repository()]);
    let refused = |expected: &str| {
        let ran = list().with_code(2);
        assert!(
            ran.stderr.contains("error[registry-failed]"),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.stderr);
    };
    let configure = |text: &str| user.write("docker/config.json", text.replace("HOST", &host));
    let helper = |script: &str| {
        user.write(
            "bin/docker-credential-tests",
            format!("#!/bin/sh\nread server\n{script}\n"),
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let all = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(user.path("bin/docker-credential-tests"), all).unwrap();
        }
    };
    refused("`docker login");
    for text in [
        r#"{"auths": {"HOST": {"auth": "dXNlcjpzZWNyZXQ="}}}"#,
        r#"{"auths": {"HOST": {"username": "user", "password": "secret"}}}"#,
    ] {
        configure(text);
        list().with_code(0);
    }
    configure(r#"{"auths": {"HOST": {"auth": "dXNlcjpvdGhlcg=="}}}"#);
    refused("`docker login");
    for text in [
        "{",
        r#"{"auths": {"HOST": {"auth": "?"}}}"#,
        r#"{"auths": {"HOST": {"identitytoken": "x"}}}"#,
    ] {
        configure(text);
        refused("config.json` cannot be used");
    }
    if cfg!(unix) {
        let answer = format!(
            "[ \"$server\" = {host} ] && echo '{{\"Username\": \"user\", \"Secret\": \"secret\"}}'"
        );
        for text in [
            r#"{"credsStore": "tests"}"#,
            r#"{"credHelpers": {"HOST": "tests"}}"#,
        ] {
            configure(text);
            helper(&answer);
            list().with_code(0);
            helper("echo broken; exit 1");
            refused("docker-credential-tests");
            // Then it is tried without.
            helper("echo credentials not found in native keychain; exit 1");
            refused("who are you?");
        }
        configure(r#"{"credsStore": "absent"}"#);
        refused("credential helper");
    }
    let mut command = user.command(&["pin", "--list", "--from", &registry.repository()]);
    user.write(
        "auth.json",
        r#"{"auths": {"HOST": {"auth": "dXNlcjpzZWNyZXQ="}}}"#.replace("HOST", &host),
    );
    command.env("REGISTRY_AUTH_FILE", user.path("auth.json"));
    run(command.env("NO_PROXY", "*")).with_code(0);
    // A token that no header can have.
    registry.state().manner.token = Some("a\nb");
    configure(r#"{"auths": {"HOST": {"auth": "dXNlcjpzZWNyZXQ="}}}"#);
    refused("its token is no token");
}
