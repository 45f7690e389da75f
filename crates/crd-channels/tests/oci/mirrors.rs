//! Mirrors of a registry, as `registries.conf` names them.

use super::registry::{Blob, Manner, Registry};
use super::support::Workspace;
use super::{OLDER, SIGNED, lock, push, root, tool, user};

/// Writes the mirrors of a registry, with a line more for each.
fn configure(user: &Workspace, registry: &Registry, mirrors: &[(&Registry, &str)]) {
    let mut text = format!("[[registry]]\nprefix = \"{}\"\n", registry.host());
    for (mirror, more) in mirrors {
        let host = mirror.host();
        text.push_str(&format!(
            "[[registry.mirror]]\nlocation = \"{host}\"\n{more}\n"
        ));
    }
    user.write("registries.conf", text);
}

/// A registry with both bundles.
fn filled(user: &Workspace) -> Registry {
    let registry = Registry::start(Manner::default());
    for version in [OLDER, SIGNED] {
        push(&registry, user, version).with_code(0);
    }
    registry
}

#[test]
fn a_bundle_comes_from_a_mirror_and_is_locked_with_its_own_address() {
    let user = user();
    let (registry, mirror) = (filled(&user), filled(&user));
    configure(&user, &registry, &[(&mirror, "")]);
    registry.state().manifests.clear();
    registry.state().requests.clear();
    let key = root().join("channels/release.pub").display().to_string();
    let from = registry.repository();
    let ran = tool(&user, &["pin", "--from", &from, "--key", &key]).with_code(0);
    let said = format!(
        "note: `{from}` is read from its mirror `{}`",
        mirror.repository()
    );
    assert_eq!(ran.stderr.matches(&said).count(), 1, "{}", ran.stderr);
    assert_eq!(lock(&user)["source"]["oci"].as_str(), Some(&*from));
    assert_eq!(registry.state().requests, []);
    tool(&user, &["pin", "--outdated"]).with_code(0);
    // Nothing is pushed to a mirror.
    let before = mirror.state().manifests.clone();
    push(&registry, &user, OLDER).with_code(0);
    assert_eq!(mirror.state().manifests, before);
    assert!(registry.state().manifests.contains_key(OLDER));
}

#[test]
fn what_a_mirror_lacks_is_asked_for_in_the_next_place() {
    let user = user();
    let registry = filled(&user);
    let pin = |code: i32| {
        let _ = std::fs::remove_file(user.path("bundle.lock"));
        tool(&user, &["pin", "--from", &registry.repository()]).with_code(code)
    };
    // One is empty, one has no blobs, one is gone.
    let (empty, half) = (Registry::start(Manner::default()), filled(&user));
    half.state().blobs.clear();
    configure(&user, &registry, &[(&empty, ""), (&half, "")]);
    pin(0);
    configure(
        &user,
        &registry,
        &[(&half, "pull-from-mirror = \"digest-only\"")],
    );
    half.state().requests.clear();
    pin(0);
    let requests = half.state().requests.clone();
    assert!(
        requests
            .iter()
            .all(|(request, _)| !request.contains("tags/list")),
        "{requests:?}"
    );
    let gone = Registry::start(Manner::default());
    configure(&user, &registry, &[(&gone, "")]);
    drop(gone);
    let ran = pin(0);
    assert!(ran.stderr.contains("is passed over"), "{}", ran.stderr);
    // Other bytes are no reason to look elsewhere.
    let wrong = filled(&user);
    wrong.state().manner.blob = Blob::Other;
    configure(&user, &registry, &[(&wrong, "")]);
    let ran = pin(1);
    assert!(
        ran.stderr.contains("error[bundle-tampered]"),
        "{}",
        ran.stderr
    );
    let text = format!(
        "[[registry]]\nlocation = \"{}\"\nblocked = true\n",
        registry.host()
    );
    user.write("registries.conf", text);
    let ran = pin(2);
    assert!(
        ran.stderr.contains("`registries.conf` blocks"),
        "{}",
        ran.stderr
    );
    user.write("registries.conf", "registry = 1\n");
    pin(2);
}
