//! The operator of `examples/operator` in two releases: nothing is lost and no condition is late, whatever becomes of its
//! replicas.

mod balancer;
mod certificates;
mod stage;
mod traffic;

use super::conversion::{self, Written, all_whole, apply, guarded, write_all, write_in_others};
use super::install::{self, place, poll};
use super::kinds::Kind;
use super::policies;
use crate::examples::Operator;
use crate::published::{self, Published};
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use serde_json::{Value, json};
use stage::{Release, Replica, Stage};
use traffic::{Traffic, during};

/// The prefix of the names of objects that the former release can show.
const OLD: &str = "old";

const ROUTES: &str = "routes.edge.example.com";

/// The number of objects to write in each version of a kind.
const WANTED: usize = 8;

/// What a replica logs that keeps off the CRDs of a newer release.
const REFUSED: &str = "is installed in version 0.2.0, which is newer than 0.1.0";

/// What the policy says of the field that the former release does not know.
const FIELD: &str = "conversion-kept.v1beta1.spec.retries may not be added or changed";

/// What a client is told if the webhook does not answer, and the object is stored in the other version.
const BROKEN: &str = "conversion webhook for edge.example.com/";

/// Runs all checks.
///
/// # Errors
/// The server did not respond, or a replica did not start.
pub fn check(server: &Server, operator: &Operator, report: &mut Report) -> Result<(), Failure> {
    let api = server.api;
    let former = published::read_published(&operator.folder.join("former/crds/stable"))?;
    let newer = published::read_published(&operator.folder.join("crds/stable"))?;
    // It refuses nothing of what follows.
    let policy = guarded::policy(&newer.iter().collect::<Vec<_>>())?;
    policies::install(api, &policy, report)?;
    let stage = Stage::set(server, operator)?;
    let story = Story { api, stage, report };
    story.run(&former, &newer)
}

struct Story<'s> {
    api: Api,
    stage: Stage<'s>,
    report: &'s mut Report,
}

impl Story<'_> {
    fn run(mut self, former: &[Published], newer: &[Published]) -> Result<(), Failure> {
        // Two replicas at once, of which one makes the certificate.
        let old = self.start("former", Release::Former, &[])?;
        let old_too = self.start("former-too", Release::Former, &[])?;
        for replica in [&old, &old_too] {
            replica.has_said_again("installed crd=", 1)?;
        }
        self.stage.balancer.send_to(&[old.port, old_too.port]);
        self.installed("v0.1.0")?;
        let mut written = self.write(OLD, former)?;
        self.all_well("two replicas of the former release serve", &written)?;

        // A rollout: the newer replica comes while the former ones serve, and one of them is started again.
        let stage = &self.stage;
        let (new, traffic) = during(&written, || {
            let new = stage.start("newer", Release::Newer, &[])?;
            new.has_said_again("installed crd=", 1)?;
            stage.balancer.add_to(&[old.port, new.port]);
            old_too.end("-TERM")?;
            Ok(new)
        })?;
        self.not_disturbed(
            "a newer replica installs its bundle and takes over from a former one",
            &traffic,
        );
        self.installed("v0.2.0")?;
        let old_too = self.start("former-too", Release::Former, &[])?;
        old_too.has_said(REFUSED)?;
        self.report.check(
            "operator: a former replica that starts again keeps off the newer bundle",
            "v0.2.0",
            self.version()?,
        );
        self.stage.balancer.send_to(&[new.port]);
        written.extend(self.write("new", newer)?);
        self.all_well("both releases run, and the newer one serves", &written)?;
        self.stage.balancer.send_to(&[old_too.port]);
        let mut refused = write_in_others(&written)?;
        // The API server may remember an object as the newer release converted it, without the annotation that keeps the field.
        refused.retain(|why| !why.contains(FIELD));
        self.report.check(
            "operator: the former release writes every object in every version",
            "",
            refused.join(", "),
        );
        self.stage.balancer.send_to(&[new.port]);
        self.all_well(
            "the former release wrote every object in every version",
            &written,
        )?;
        self.stage
            .balancer
            .send_to(&[old.port, old_too.port, new.port]);

        certificates::check(&mut self, [&new, &old], &written)?;
        drop(old_too);
        let new = self.killed(new, &old, &written)?;
        let new = self.broken([new, old], &written)?;
        guarded::check(self.api, &written)?;
        let new = self.there_and_back(new, written)?;
        for published in newer {
            conversion::check(self.api, published, self.report)?;
        }
        let routes = newer
            .iter()
            .find(|published| published.crd.name() == ROUTES);
        if let Some(routes) = routes {
            apply::check(self.api, &routes.crd, self.report)?;
        }
        guarded::remove(self.api)?;
        // Objects are converted even to delete them.
        install::remove(self.api, &newer.iter().collect::<Vec<_>>())?;
        drop(new);
        Ok(())
    }

    /// A replica is killed in the middle of requests, and another one takes its place.
    fn killed(
        &mut self,
        new: Replica,
        old: &Replica,
        written: &[Written<'_>],
    ) -> Result<Replica, Failure> {
        let stage = &self.stage;
        stage.balancer.send_to(&[old.port, new.port]);
        let (new, traffic) = during(written, || {
            new.end("-KILL")?;
            let new = stage.start("newer", Release::Newer, &[])?;
            stage.balancer.add_to(&[old.port, new.port]);
            Ok(new)
        })?;
        let strange = traffic.failed.iter().filter(|why| !why.contains(BROKEN));
        let strange: Vec<&str> = strange.map(|why| &**why).collect();
        self.report.check(
            "operator: while a replica is killed, requests fail only because its connections break",
            "",
            strange.join(", "),
        );
        // One for each connection that was open.
        let few = traffic.failed.len() <= 4 * traffic::CLIENTS;
        self.report
            .check("operator: then they work again", true, few);
        stage.balancer.send_to(&[new.port]);
        write_once(written)?;
        self.all_well(
            "a replica was killed, both releases converted, and the newer one wrote them",
            written,
        )?;
        Ok(new)
    }

    /// No replica is left.
    fn broken(
        &mut self,
        replicas: [Replica; 2],
        written: &[Written<'_>],
    ) -> Result<Replica, Failure> {
        for replica in replicas {
            replica.end("-TERM")?;
        }
        for (kind, stored) in [("Domain", "v1"), ("Route", "v1beta1")] {
            let of_kind = |one: &&Written<'_>| {
                *one.kind.crd.names.kind == *kind && *one.kind.version.name == *stored
            };
            let Some(object) = written.iter().find(of_kind) else {
                return Err(Failure::new(format!("there is no {kind}")));
            };
            for version in object.versions() {
                let place = format!("{}/{}", version.path(), object.name);
                let label = json!({ "metadata": { "labels": { "webhook": "stopped" } } });
                for (what, answer) in [
                    ("read", self.api.get(&place)?),
                    ("listed", self.api.get(&version.path())?),
                    ("changed", self.api.patch(&place, &label)?),
                ] {
                    let name = &version.version.name;
                    let said = install::described(&answer);
                    let found = match said.contains(BROKEN) {
                        true => format!("{} {BROKEN}", answer.status),
                        false => said,
                    };
                    let expected = match **name == *stored {
                        true => "200".to_owned(),
                        false => format!("500 {BROKEN}"),
                    };
                    self.report.check(
                        format!("operator: without a webhook, a {kind} that is stored in {stored} is {what} in {name}"),
                        expected,
                        found,
                    );
                }
            }
        }
        let new = self.start("newer", Release::Newer, &[])?;
        self.stage.balancer.send_to(&[new.port]);
        self.all_well("the webhook answers again", written)?;
        Ok(new)
    }

    /// The former release replaces the newer one, and the newer one comes again.
    fn there_and_back(
        &mut self,
        new: Replica,
        written: Vec<Written<'_>>,
    ) -> Result<Replica, Failure> {
        new.end("-TERM")?;
        let old = self.start("former", Release::Former, &["OLDER_BUNDLE=yes"])?;
        self.stage.balancer.send_to(&[old.port]);
        old.has_said_again("installed crd=", 1)?;
        self.installed("v0.1.0")?;
        let (former, newer): (Vec<_>, Vec<_>) = written
            .into_iter()
            .partition(|one| one.name.starts_with(OLD));
        self.all_well("the former release is back", &former)?;
        old.end("-TERM")?;
        let new = self.start("newer", Release::Newer, &[])?;
        self.stage.balancer.send_to(&[new.port]);
        new.has_said_again("installed crd=", 1)?;
        self.installed("v0.2.0")?;
        self.all_well("the newer release is back", &former)?;
        self.all_well("the newer release is back, and they are its own", &newer)?;
        Ok(new)
    }

    fn start(
        &self,
        name: &'static str,
        release: Release,
        settings: &[&str],
    ) -> Result<Replica, Failure> {
        self.stage.start(name, release, settings)
    }

    /// Writes objects in every version of a bundle.
    fn write<'c>(
        &mut self,
        prefix: &str,
        bundle: &'c [Published],
    ) -> Result<Vec<Written<'c>>, Failure> {
        let mut written = Vec::new();
        for published in bundle {
            written.extend(write_all(
                self.api,
                &published.crd,
                (prefix, WANTED),
                self.report,
            )?);
        }
        Ok(written)
    }

    /// The bundle that is installed.
    fn version(&self) -> Result<String, Failure> {
        let crd = self.api.get(&place(ROUTES))?.json();
        let annotation = crd.pointer("/metadata/annotations/edge.example.com~1bundle-version");
        Ok(annotation
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned())
    }

    fn installed(&mut self, version: &str) -> Result<(), Failure> {
        let found = self.version()?;
        self.report.check(
            format!("operator: the bundle {version} is installed"),
            version,
            found,
        );
        Ok(())
    }

    /// Checks that every object is as it was written, and that its conditions are about its generation.
    fn all_well(&mut self, when: &str, written: &[Written<'_>]) -> Result<(), Failure> {
        all_whole(
            &format!("objects are as they were written: {when}"),
            written,
            self.report,
        )?;
        let mut late = Vec::new();
        poll(|| {
            late = late_ones(written)?;
            Ok(late.is_empty().then_some(()))
        })?;
        self.report.check(
            format!("operator: no condition is late: {when}"),
            "",
            late.join(", "),
        );
        Ok(())
    }

    fn not_disturbed(&mut self, when: &str, traffic: &Traffic) {
        self.report.check(
            format!("operator: no request fails while {when}"),
            "",
            traffic.failed.join(", "),
        );
        self.report.check(
            format!("operator: there are requests while {when}"),
            true,
            traffic.answered > 0,
        );
    }
}

/// Writes each object in the hub, which does not change it. The former release, which does not know a field, may have left it to
/// the annotations.
fn write_once(written: &[Written<'_>]) -> Result<(), Failure> {
    for one in written {
        for hub in one.versions().filter(|kind| *kind.version.name == *"v1") {
            one.kind
                .api
                .patch(&format!("{}/{}", hub.path(), one.name), &json!({}))?;
        }
    }
    Ok(())
}

/// The objects with a condition that is missing or about an earlier generation.
fn late_ones(written: &[Written<'_>]) -> Result<Vec<String>, Failure> {
    let mut late = Vec::new();
    for one in written {
        // The first version has no status.
        let Some(version) = one.versions().find(Kind::has_status) else {
            continue;
        };
        let object = one.read_as(&version)?;
        let generation = &object["metadata"]["generation"];
        let conditions = object["status"]["conditions"].as_array();
        let conditions = conditions.map(Vec::as_slice).unwrap_or_default();
        let is_current = conditions
            .iter()
            .all(|one| one["observedGeneration"] == *generation);
        if conditions.is_empty() || !is_current {
            late.push(one.name.clone());
        }
    }
    Ok(late)
}
