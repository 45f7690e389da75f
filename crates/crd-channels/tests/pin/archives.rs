//! Archives of bundles as sources: files and URLs.

use super::server::{Manner, Server};
use super::support::{Ran, Workspace, run};
use super::{assert_cannot_run, bundles, crd, empty, ends, locked, pin, release};
use flate2::{Compression, GzBuilder};
use minisign::KeyPair;
use std::io::Cursor;

fn tool(workspace: &Workspace, arguments: &[&str]) -> Ran {
    let mut command = workspace.command(arguments);
    run(command.env("no_proxy", "*").env("NO_PROXY", "*"))
}

/// Packs a bundle as `archive` does, into `served/VERSION/edge-crds-VERSION.tar.gz`.
fn pack(workspace: &Workspace, version: &str) -> String {
    let packer = GzBuilder::new().write(Vec::new(), Compression::fast());
    let mut archive = tar::Builder::new(packer);
    for (path, bytes) in workspace.files(&format!("api/{version}")) {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive
            .append_data(&mut header, format!("{version}/{path}"), bytes.as_slice())
            .unwrap();
    }
    let bytes = archive.into_inner().unwrap().finish().unwrap();
    let path = format!("served/{version}/edge-crds-{version}.tar.gz");
    workspace.write(&path, bytes);
    path
}

fn packed() -> Workspace {
    let workspace = empty();
    for (version, longest) in [("v0.3.0", 30), ("v0.4.0", 40)] {
        release(&workspace, "api", version, longest);
        pack(&workspace, version);
    }
    std::fs::remove_dir_all(workspace.path("api")).unwrap();
    workspace
}

const PLACE: &str = "crds/example.com_routes.yaml";

#[test]
fn an_archive_is_pinned_and_vendored() {
    let workspace = packed();
    let server = Server::start(&workspace.path("served"), Manner::Files);
    let path = |version: &str| format!("{version}/edge-crds-{version}.tar.gz");
    let file = |version: &str| format!("served/{}", path(version));
    let url = |version: &str| server.url(&path(version));
    let local = |version: &str| format!("file://{}", workspace.path(&file(version)).display());
    let sources: [&dyn Fn(&str) -> String; 3] = [&file, &url, &local];
    for source in sources {
        let first = source("v0.3.0");
        tool(
            &workspace,
            &["pin", "--from", &first, "--channel", "experimental"],
        )
        .with_code(0);
        let lock = locked(&workspace);
        assert_eq!(lock["version"].as_str(), Some("v0.3.0"));
        assert_eq!(lock["source"]["archive"].as_str(), Some(&*first));
        tool(&workspace, &["vendor"]).with_code(0);
        assert_eq!(
            workspace.read(PLACE),
            crd("v0.3.0", "experimental", 30, super::TIMEOUT)
        );
        tool(&workspace, &["vendor", "--check"]).with_code(0);
        // There is no other bundle in it: the help has the command, with the version to write.
        let ran = tool(&workspace, &["pin", "--update"]).with_code(2);
        let message =
            format!("`example.com` comes from the archive `{first}`, which has only v0.3.0");
        assert!(ran.stderr.contains(&message), "{}", ran.stderr);
        let help = ran
            .stderr
            .split("another bundle: `crd-channels ")
            .nth(1)
            .unwrap();
        let help = help.split('`').next().unwrap().replace("vX.Y.Z", "v0.4.0");
        let words: Vec<&str> = help.split(' ').collect();
        let ran = tool(&workspace, &words).with_code(0);
        assert!(
            ran.stdout.contains("maxLength was 30 and is 40"),
            "{}",
            ran.stdout
        );
        let lock = locked(&workspace);
        assert_eq!(lock["version"].as_str(), Some("v0.4.0"));
        assert_eq!(lock["channel"].as_str(), Some("experimental"));
        // Another channel of the same archive needs no other one.
        let ran = tool(
            &workspace,
            &[
                "pin",
                "--update",
                "--channel",
                "stable",
                "--allow-data-loss",
            ],
        );
        ran.with_code(0);
        tool(&workspace, &["vendor"]).with_code(0);
        assert_eq!(workspace.read(PLACE), crd("v0.4.0", "stable", 40, ""));
        std::fs::remove_file(workspace.path("bundle.lock")).unwrap();
        std::fs::remove_dir_all(workspace.path("crds")).unwrap();
    }
    // What was downloaded once is in the cache; everything else is refused offline.
    tool(&workspace, &["pin", "--from", &url("v0.3.0")]).with_code(0);
    let next = url("v0.4.0");
    let ran = tool(&workspace, &["pin", "--from", &next, "--offline"]).with_code(2);
    assert!(
        ran.stderr.contains("is not fetched with `--offline`"),
        "{}",
        ran.stderr
    );
    drop(server);
    tool(&workspace, &["vendor", "--offline"]).with_code(0);
    assert_eq!(workspace.read(PLACE), crd("v0.3.0", "stable", 30, ""));
}

/// An update of all bundles leaves those of archives as they are.
#[test]
fn other_bundles_are_updated() {
    let workspace = packed();
    let archive = "served/v0.3.0/edge-crds-v0.3.0.tar.gz";
    pin(&workspace, &["--from", archive]).with_code(0);
    let other = crd("v0.1.0", "stable", 5, "").replace("example.com", "example.org");
    let files = vec![("crds/example.org_routes.yaml".to_owned(), other)];
    let channels: [(&str, &[&str], _); 1] = [("stable", &[], files)];
    super::bundle::release_as(
        "example.org",
        &workspace.path("gates"),
        "v0.1.0",
        &[],
        &channels,
    );
    pin(&workspace, &["--from", "gates"]).with_code(0);
    let before = bundles(&workspace);
    let ran = pin(&workspace, &["--update"]).with_code(0);
    assert!(
        ran.stderr
            .contains("note: `example.com` comes from the archive"),
        "{}",
        ran.stderr
    );
    assert_eq!(bundles(&workspace), before);
    assert_cannot_run(
        &workspace,
        &["pin", "--update", "example.com"],
        &["which has only v0.3.0"],
    );
}

#[test]
fn what_is_wrong_with_an_archive_is_said() {
    let workspace = packed();
    let server = Server::start(&workspace.path("served"), Manner::Files);
    let gone = server.url("v9.9.9/edge-crds-v9.9.9.tar.gz");
    let ran = tool(&workspace, &["pin", "--from", &gone]).with_code(2);
    assert!(
        ran.stderr
            .contains(&format!("`{gone}` cannot be downloaded: ")),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("404"), "{}", ran.stderr);
    assert_cannot_run(
        &workspace,
        &["pin", "--from", "nowhere.tar.gz"],
        &["`nowhere.tar.gz` cannot be read"],
    );
    let archive = "served/v0.3.0/edge-crds-v0.3.0.tar.gz";
    assert_cannot_run(
        &workspace,
        &["pin", "--from", archive, "--version", "^0.4"],
        &["has no bundle `^0.4`", "available: v0.3.0"],
    );
    let bytes = std::fs::read(workspace.path(archive)).unwrap();
    workspace.write("half.tar.gz", &bytes[..bytes.len() / 2]);
    workspace.write("page.tgz", "<!DOCTYPE html>");
    for name in ["half.tar.gz", "page.tgz"] {
        let words = format!("error[bundle-invalid]: `{name}` cannot be unpacked: ");
        ends(1, &workspace, &["pin", "--from", name], &[&words]);
    }
    // A changed file in it.
    release(&workspace, "api", "v0.5.0", 50);
    workspace.edit("api/v0.5.0/stable/kustomization.yaml", "routes", "gates");
    let changed = pack(&workspace, "v0.5.0");
    ends(
        1,
        &workspace,
        &["pin", "--from", &changed],
        &["error[bundle-tampered]"],
    );
    // Somebody else's archive.
    let ours = KeyPair::generate_unencrypted_keypair().unwrap();
    workspace.write("ours.pub", ours.pk.to_box().unwrap().into_string());
    let arguments = ["pin", "--from", archive, "--key", "ours.pub"];
    ends(1, &workspace, &arguments, &["error[bundle-unsigned]"]);
    release(&workspace, "api", "v0.6.0", 60);
    let manifest = workspace.read("api/v0.6.0/manifest.json");
    let signed = minisign::sign(None, &ours.sk, Cursor::new(manifest), None, None).unwrap();
    workspace.write("api/v0.6.0/manifest.json.minisig", signed.into_string());
    let signed = pack(&workspace, "v0.6.0");
    pin(&workspace, &["--from", &signed, "--key", "ours.pub"]).with_code(0);
}
