//! Bundles in real registries: CNCF's distribution, which has no API for referrers, and that of go-containerregistry, which has.
//! They are pushed, listed, pinned, updated and tampered with by the program, and pulled by the libraries of Flux and Argo CD.

mod registry;

use super::programs::Programs;
use crate::report::Report;
use crd_channels_envtest::{Failure, io};
use crd_channels_projection::channel::config::FOLDER;
use registry::Registry;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The bundles of this repository that are pushed. The last one is signed.
const BUNDLES: [&str; 3] = ["v0.2.1", "v0.3.0", "v0.4.1"];
const OLD: &str = BUNDLES[0];
const NEW: &str = BUNDLES[2];

const KEY: &str = "channels/release.pub";

/// A folder that is removed when it is dropped.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Somebody with the program.
struct User<'a> {
    program: &'a Path,
    programs: &'a Programs,
    root: &'a Path,
    /// The folder of the user, with one below it for each other one.
    home: PathBuf,
    /// The certificate of the registry's authority, if it has one.
    certificate: Option<PathBuf>,
    host: String,
}

/// The output of a program and whether it succeeded.
struct Ran {
    is_ok: bool,
    text: String,
}

impl User<'_> {
    fn repository(&self) -> String {
        format!("oci://{}/edge/crds", self.host)
    }

    fn run<A: AsRef<OsStr>>(
        &self,
        program: &Path,
        folder: &Path,
        arguments: &[A],
    ) -> Result<Ran, Failure> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(folder)
            .env("HOME", &self.home)
            .env("XDG_CACHE_HOME", self.home.join("cache"))
            .env("NO_PROXY", "*")
            .env_remove("DOCKER_CONFIG")
            .env_remove("REGISTRY_AUTH_FILE")
            .env_remove("XDG_RUNTIME_DIR");
        if let Some(certificate) = &self.certificate {
            command.env("SSL_CERT_FILE", certificate);
        }
        let output = command.output().map_err(|error| {
            Failure::new(format!(
                "`{}` could not be started: {error}",
                program.display()
            ))
        })?;
        let printed = [output.stdout, output.stderr].concat();
        Ok(Ran {
            is_ok: output.status.success(),
            text: String::from_utf8_lossy(&printed).into_owned(),
        })
    }

    fn tool(&self, arguments: &[&str]) -> Result<Ran, Failure> {
        self.run(self.program, &self.home, arguments)
    }

    fn push(&self, version: &str) -> Result<Ran, Failure> {
        let place = self.repository();
        self.run(
            self.program,
            self.root,
            &["archive", version, "--push", &place],
        )
    }

    fn bundle(&self, version: &str) -> PathBuf {
        self.root.join(FOLDER).join(version)
    }
}

/// Tries each registry, and one with TLS and a password.
///
/// # Errors
/// A program could not be started, or a file cannot be read.
pub fn check(
    root: &Path,
    program: &Path,
    programs: &Programs,
    report: &mut Report,
) -> Result<(), Failure> {
    let name = format!("crd-channels-oci-{}", std::process::id());
    let scratch = Scratch(std::env::temp_dir().join(name));
    // cargo puts every build of the program into the same place, with and without registries.
    let own = scratch.0.join("crd-channels");
    let copied = fs::create_dir_all(&scratch.0).and_then(|()| fs::copy(program, &own));
    copied.map_err(|error| io("written", &own, &error))?;
    let program = &*own;
    for (kind, is_locked) in [
        ("distribution", false),
        ("go-containerregistry", false),
        ("distribution", true),
    ] {
        let title = match is_locked {
            true => format!("{kind} with TLS and a password"),
            false => kind.to_owned(),
        };
        let own = scratch.0.join(title.replace(' ', "-"));
        let (home, folder) = (own.join("home"), own.join("registry"));
        fs::create_dir_all(&home).map_err(|error| io("written", &home, &error))?;
        let locked = is_locked.then_some(home.as_path());
        let registry = Registry::start(programs, kind, &folder, locked)?;
        let user = User {
            program,
            programs,
            root,
            certificate: is_locked.then(|| folder.join("ca.pem")),
            host: registry.host.clone(),
            home,
        };
        if is_locked {
            stranger(&user, &title, report)?;
        }
        story(&user, &title, report)?;
        others(&user, &title, is_locked, report)?;
        if !is_locked {
            tampered(&user, &title, report)?;
        }
    }
    Ok(())
}

/// Somebody without the password or without the certificate gets nothing.
fn stranger(user: &User, title: &str, report: &mut Report) -> Result<(), Failure> {
    let from = user.repository();
    let list = ["pin", "--list", "--from", &*from];
    let strange = |home: PathBuf, certificate| User {
        home,
        certificate,
        host: user.host.clone(),
        ..*user
    };
    let without = strange(user.home.with_file_name("other"), user.certificate.clone());
    fs::create_dir_all(&without.home).map_err(|error| io("written", &without.home, &error))?;
    let ran = without.tool(&list)?;
    let said = ran.text.contains("docker login");
    report.check(
        format!("{title}: nobody lists without the password"),
        true,
        !ran.is_ok && said,
    );
    let ran = strange(user.home.clone(), None).tool(&list)?;
    report.check(
        format!("{title}: nobody lists without the certificate"),
        false,
        ran.is_ok,
    );
    Ok(())
}

/// Pushes, lists, pins, updates and vendors.
fn story(user: &User, title: &str, report: &mut Report) -> Result<(), Failure> {
    for version in BUNDLES {
        let ran = user.push(version)?;
        report.check(format!("{title}: {version} is pushed"), "", failure(&ran));
    }
    let again = user.push(NEW)?;
    let said = again.text.contains("there already");
    report.check(
        format!("{title}: pushed again, it is there"),
        true,
        again.is_ok && said,
    );
    let from = user.repository();
    let listed = user.tool(&["pin", "--list", "--from", &from])?;
    let versions = listed.text.lines().filter_map(|line| {
        let version = line.trim().split(' ').next()?;
        BUNDLES.contains(&version).then_some(version)
    });
    let versions: Vec<&str> = versions.collect();
    report.check(
        format!("{title}: the tags are the bundles"),
        format!("{:?}", BUNDLES.iter().rev().collect::<Vec<_>>()),
        format!("{versions:?}"),
    );
    let old = format!("={}", OLD.trim_start_matches('v'));
    let ran = user.tool(&["pin", "--from", &from, "--version", &old])?;
    report.check(format!("{title}: {OLD} is pinned"), "", failure(&ran));
    let key = user.root.join(KEY).display().to_string();
    let ran = user.tool(&["pin", "--update", "--key", &key])?;
    let is_refused = !ran.is_ok && ran.text.contains("bundle-unsigned");
    report.check(format!("{title}: {OLD} has no signature"), true, is_refused);
    let ran = user.tool(&["pin", "--outdated"])?;
    let said = ran.text.contains(&format!("newest: {NEW}"));
    report.check(
        format!("{title}: there is a newer one"),
        true,
        ran.is_ok && said,
    );
    let update = [
        "pin",
        "--update",
        "--version",
        "*",
        "--allow-data-loss",
        "--key",
        &key,
    ];
    let ran = user.tool(&update)?;
    report.check(
        format!("{title}: {NEW} is pinned, with its signature"),
        "",
        failure(&ran),
    );
    let ran = user.tool(&["vendor"])?;
    report.check(format!("{title}: it is vendored"), "", failure(&ran));
    report.check(
        format!("{title}: what is vendored was released"),
        "",
        difference(
            &files(&user.bundle(NEW).join("stable/crds"))?,
            &files(&user.home.join("crds"))?,
        ),
    );
    let ran = user.tool(&["vendor", "--check", "--offline"])?;
    report.check(
        format!("{title}: offline, it is in the cache"),
        "",
        failure(&ran),
    );
    Ok(())
}

/// Pulls with the libraries of other tools.
fn others(user: &User, title: &str, is_locked: bool, report: &mut Report) -> Result<(), Failure> {
    let mut released = files(&user.bundle(NEW))?;
    // It refers to the artifact instead.
    released.remove("manifest.json.minisig");
    // `kubectl apply -f` of one file: not part of the bundle, but of what is packed.
    let is_packed = |path: &String| path.ends_with("/install.yaml");
    let place = user.repository().replace("oci://", "");
    let argo = (!is_locked).then(|| {
        let range = format!("<={}", NEW.trim_start_matches('v'));
        ("argocd-oci", vec![user.repository(), range])
    });
    let flux = (
        "flux-oci",
        vec!["pull".to_owned(), format!("{place}:{NEW}")],
    );
    for (name, mut arguments) in std::iter::once(flux).chain(argo) {
        let folder = user.home.join(name);
        arguments.push(folder.display().to_string());
        let ran = user.run(&user.programs.path(name), &user.home, &arguments)?;
        report.check(format!("{title}: {name} pulls {NEW}"), "", failure(&ran));
        let mut pulled = files(&folder)?;
        pulled.retain(|path, _| released.contains_key(path) || !is_packed(path));
        report.check(
            format!("{title}: {name} has what was released"),
            "",
            difference(&released, &pulled),
        );
    }
    let listed = user.run(
        &user.programs.path("flux-oci"),
        &user.home,
        &["list", &place, ">=0.3.0"],
    )?;
    report.check(
        format!("{title}: flux lists the newer ones"),
        BUNDLES.len() - 1,
        listed
            .text
            .lines()
            .filter(|line| line.contains(&place))
            .count(),
    );
    Ok(())
}

/// Moves the tag of an old bundle to a new one, as somebody with write access can.
fn tampered(user: &User, title: &str, report: &mut Report) -> Result<(), Failure> {
    const TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
    let from = user.repository();
    let folder = user.home.join("tampered");
    fs::create_dir_all(&folder).map_err(|error| io("written", &folder, &error))?;
    let tool = |arguments: &[&str]| user.run(user.program, &folder, arguments);
    let pin = ["pin", "--from", &from, "--version", "<=0.2.1"];
    report.check(
        format!("{title}: {OLD} is pinned again"),
        "",
        failure(&tool(&pin)?),
    );
    let url = |tag: &str| format!("http://{}/v2/edge/crds/manifests/{tag}", user.host);
    let script = format!(
        "curl -sSf -H 'Accept: {TYPE}' {} | curl -sSf -X PUT -H 'Content-Type: {TYPE}' --data-binary @- {}",
        url(NEW),
        url(OLD)
    );
    let moved = user.run(Path::new("sh"), &folder, &["-c", &script])?;
    report.check(format!("{title}: its tag is moved"), "", failure(&moved));
    let cache = user.home.join("cache");
    // It was not there if nothing was pinned.
    let _ = fs::remove_dir_all(&cache);
    let ran = tool(&["vendor"])?;
    report.check(
        format!("{title}: what was pinned is as it was"),
        "",
        failure(&ran),
    );
    report.check(
        format!("{title}: it is {OLD}"),
        "",
        difference(
            &files(&user.bundle(OLD).join("stable/crds"))?,
            &files(&folder.join("crds"))?,
        ),
    );
    let ran = tool(&["pin", "--update"])?;
    report.check(
        format!("{title}: the tag has no {OLD} to pin"),
        false,
        ran.is_ok,
    );
    let ran = user.push(OLD)?;
    let is_refused = !ran.is_ok && ran.text.contains("bundle-tampered");
    report.check(
        format!("{title}: the tag is not moved back in silence"),
        true,
        is_refused,
    );
    Ok(())
}

/// What a program that failed said.
fn failure(ran: &Ran) -> &str {
    match ran.is_ok {
        true => "",
        false => &ran.text,
    }
}

/// Returns the files below a folder, by path; none if there is no such folder.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(place) = open.pop() {
        if place.is_dir() {
            let listed = fs::read_dir(&place).map_err(|error| io("read", &place, &error))?;
            for entry in listed {
                open.push(entry.map_err(|error| io("read", &place, &error))?.path());
            }
        } else if place.is_file() {
            let bytes = fs::read(&place).map_err(|error| io("read", &place, &error))?;
            let path = place.strip_prefix(folder).unwrap_or(&place);
            found.insert(path.display().to_string(), bytes);
        }
    }
    Ok(found)
}

/// Returns the paths of the files that are not the same.
fn difference(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>) -> String {
    let paths = expected.keys().chain(found.keys());
    let mut paths: Vec<&str> = paths
        .filter(|path| expected.get(*path) != found.get(*path))
        .map(String::as_str)
        .collect();
    paths.dedup();
    paths.join(", ")
}
