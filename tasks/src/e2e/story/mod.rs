//! The whole story of a consumer: installs the first of six bundles, and goes to the last one by the commands that the tool prints,
//! while clients write, and while the tool, the API server and etcd are killed. `STORY_SEED` repeats a story.

mod crashes;
mod project;
mod model;
mod writers;
mod stored;
mod user;
mod refusals;

use super::install;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::binaries::Binaries;
use crd_channels_envtest::server::Server;
use model::Known;
use project::{GROUP, KINDS};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;
use stored::Stored;
use user::User;
use writers::{MANAGERS, Orders, Writer, lock};

const WRITERS: usize = 3;

/// The objects of each writer in each version of each kind: a thousand together.
const OBJECTS: usize = 67;

/// How often etcd is read.
const AUDIT: Duration = Duration::from_millis(400);

/// Tells the story on a server of its own.
///
/// # Errors
/// The server did not start, or a program could not be started.
pub fn check(binaries: &Binaries, report: &mut Report) -> Result<(), Failure> {
    let seed = std::env::var("STORY_SEED")
        .unwrap_or_else(|_| format!("{:x}", RandomState::new().hash_one(0)));
    report.check(format!("story: STORY_SEED={seed}"), "", "");
    let server = &crashes::start(binaries)?;
    super::namespace(server.api)?;
    let source = project::released(server, report)?;
    let mut user = User::new(server, "story-user", &source.path, &seed)?;
    user.install_first(report)?;
    for kind in &KINDS {
        for version in kind.versions.iter().take(2) {
            install::wait_until_served(server.api, &kind.path(version, ""), true)?;
        }
    }
    let orders = &Orders::default();
    let (told, writers, audit) = thread::scope(|scope| {
        let seed = &seed;
        let writers: Vec<_> = (0..WRITERS)
            .map(|number| Writer::new(server.api, number, OBJECTS, seed))
            .map(|writer| scope.spawn(|| writer.work(orders)))
            .collect();
        let audit = scope.spawn(|| audit(server, orders));
        let told = tell(&mut user, orders, report);
        orders.is_over.store(true, Ordering::Relaxed);
        let writers: Vec<_> = writers
            .into_iter()
            .filter_map(|it| it.join().ok())
            .collect();
        (told, writers, audit.join().unwrap_or_default())
    });
    told?;
    report.check("story: all writers came to the end", WRITERS, writers.len());
    report.check(
        "story: no object is stored in a version that its CRD does not name",
        "",
        audit.wrong,
    );
    report.check("story: etcd was read", true, audit.moments > 20);
    let count = |of: fn(&Writer) -> usize| writers.iter().map(of).sum::<usize>();
    report.check(
        format!(
            "story: {} writes were confirmed, {} were not answered",
            count(|it| it.confirmed),
            count(|it| it.unconfirmed)
        ),
        true,
        count(|it| it.confirmed) > 0,
    );
    let complaints = writers.iter().flat_map(|it| it.complaints.clone());
    report.check(
        "story: writers never saw what nobody wrote",
        "",
        complaints.collect::<Vec<_>>().join("\n"),
    );
    ended(server, writers, report)?;
    user.run("cluster-verify", 0, report).map(drop)
}

/// What the user does.
fn tell(user: &mut User<'_>, orders: &Orders, report: &mut Report) -> Result<(), Failure> {
    install::poll(|| Ok((*lock(&orders.begun) == WRITERS).then_some(())))?;
    refusals::at_the_first_bundle(user, report)?;
    let steps = user.plan(report)?;
    report.check(
        "story: the plan goes over two bundles",
        3,
        steps.iter().filter(|it| it.contains(" pin ")).count(),
    );
    let mut stops = 0;
    for step in &steps {
        if let Some(manifests) = step.strip_prefix("# apply manifests of ") {
            let words: Vec<&str> = manifests.split(' ').collect();
            if let [kind, "in", version, ..] = words.as_slice() {
                apply_manifests(orders, kind, version, report)?;
            }
        } else if step.starts_with("kubectl apply ") {
            user.insist("cluster-upgrade", report)?;
            user.run("cluster-verify", 0, report)?;
            stops += 1;
            if stops == 1 {
                refusals::on_the_way(user, report)?;
            }
        } else if let Some(migrate) = step.strip_prefix("cargo xtask cluster-migrate") {
            user.insist(&format!("cluster-migrate{migrate} --settle 1"), report)?;
        } else {
            user.paste(step, 0, report)?;
        }
    }
    refusals::at_the_last_bundle(user, report)
}

/// Lets the writers apply all manifests of a kind in a version.
fn apply_manifests(
    orders: &Orders,
    kind: &str,
    version: &str,
    report: &mut Report,
) -> Result<(), Failure> {
    let key = (kind.to_owned(), version.to_owned());
    lock(&orders.versions).insert(kind.to_owned(), version.to_owned());
    let applied = || lock(&orders.applied).get(&key).copied().unwrap_or_default();
    install::poll(|| Ok((applied() == WRITERS).then_some(())))?;
    report.check(
        format!("story: manifests of {kind} are applied in {version}"),
        WRITERS,
        applied(),
    );
    Ok(())
}

#[derive(Default)]
struct Audit {
    moments: usize,
    wrong: String,
}

/// Reads etcd until it is over.
fn audit(server: &Server, orders: &Orders) -> Audit {
    let mut audit = Audit::default();
    let Ok(etcd) = crashes::etcd(server) else {
        return audit;
    };
    while !orders.is_over.load(Ordering::Relaxed) {
        for kind in &KINDS {
            let Some(stored) = Stored::read(etcd, kind.plural, GROUP) else {
                continue;
            };
            audit.moments += 1;
            if !stored.unnamed().is_empty() && audit.wrong.is_empty() {
                audit.wrong = format!("{}: {stored:?}", kind.plural);
            }
        }
        thread::sleep(AUDIT);
    }
    audit
}

/// Compares the objects with what was confirmed.
fn ended(server: &Server, writers: Vec<Writer>, report: &mut Report) -> Result<(), Failure> {
    let etcd = crashes::etcd(server)?;
    let mut known: BTreeMap<(&str, String), Known> = BTreeMap::new();
    for object in writers.into_iter().flat_map(|it| it.objects) {
        known.insert((object.kind.plural, object.name), object.known);
    }
    for kind in &KINDS {
        let list = server.api.get(&kind.path("v1", ""))?.json();
        let mut wrong = Vec::new();
        let mut managers = BTreeSet::new();
        let mut found = 0;
        for item in list["items"].as_array().into_iter().flatten() {
            found += 1;
            let name = item["metadata"]["name"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let fields = item["metadata"]["managedFields"].as_array();
            managers.extend(
                fields
                    .into_iter()
                    .flatten()
                    .filter_map(|it| it["manager"].as_str()),
            );
            match known.remove(&(kind.plural, name.clone())) {
                None => wrong.push(format!("{name}: nobody wrote it")),
                Some(mut known) => {
                    if !known.see(&Some(item["spec"].clone())) {
                        wrong.push(format!("{name}: {}, not {known:?}", item["spec"]));
                    }
                }
            }
        }
        let missing = known
            .iter_mut()
            .filter(|((plural, _), _)| *plural == kind.plural);
        let missing = missing.filter_map(|((_, name), known)| {
            (!known.see(&None)).then(|| format!("{name}: gone, not {known:?}"))
        });
        wrong.extend(missing);
        wrong.truncate(5);
        report.check(
            format!("story: {found} {} are as written", kind.plural),
            "",
            wrong.join("\n"),
        );
        managers.retain(|it| !MANAGERS.contains(it));
        report.check(
            format!("story: nobody else manages fields of {}", kind.plural),
            "{}",
            format!("{managers:?}"),
        );
        let stored = Stored::read(etcd, kind.plural, GROUP).unwrap_or_default();
        let versions: Vec<&String> = stored.named.iter().collect();
        report.check(
            format!("story: {} are stored in one version", kind.plural),
            "[\"v1\"]",
            format!("{versions:?}"),
        );
        report.check(
            format!("story: all {} are stored in that version", kind.plural),
            found,
            stored.objects.get("v1").copied().unwrap_or_default(),
        );
    }
    Ok(())
}
