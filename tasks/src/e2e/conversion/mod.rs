//! Conversion between the versions of a kind, by the example webhook of the runtime crate: objects are read, written and stored
//! in each version without loss, while the webhook's certificate is renewed.

mod apply;
mod certificates;
mod guarded;

use super::install;
use super::kinds::Kind;
use crate::objects::dice::Dice;
use crate::objects::valid;
use crate::published::{self, Published};
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use crd_channels_schema::Crd;
use serde_json::{Value, json};
use std::path::Path;

/// The number of objects to write in each version.
const WANTED: usize = 20;

/// An object and the version in which it was written.
struct Written<'c> {
    kind: Kind<'c>,
    name: String,
    object: Value,
}

/// Runs all checks. `webhook` is the program of the example.
///
/// # Errors
/// The server did not respond, or the webhook did not start.
pub fn check(server: &Server, webhook: &Path, report: &mut Report) -> Result<(), Failure> {
    let api = server.api;
    let (keeper, crd) = certificates::start(server, "webhook", webhook)?;
    let crds = published::parse(&crd).map_err(Failure::new)?;
    let published = crds
        .first()
        .ok_or_else(|| keeper.failure("printed no CRD"))?;
    install::install(api, "conversion", &[published], report)?;
    // It refuses nothing of what follows.
    let policy = guarded::policy(&[published])?;
    super::policies::install(api, &policy, report)?;
    let written = write_all(api, &published.crd, report)?;
    guarded::check(api, &written)?;
    read_in_others(&written, report)?;
    write_in_others(&written, report)?;
    for version in &published.crd.versions {
        store_in(api, published, &version.name, &written, report)?;
    }
    stored_versions(api, published, report)?;
    apply::check(api, &published.crd, report)?;
    let serving = certificates::check(server, webhook, keeper, published, &written, report)?;
    guarded::remove(api)?;
    install::remove(api, &[published])?;
    drop(serving);
    Ok(())
}

/// Creates objects through every version.
fn write_all<'c>(api: Api, crd: &'c Crd, report: &mut Report) -> Result<Vec<Written<'c>>, Failure> {
    let mut written = Vec::new();
    for version in &crd.versions {
        let Some(kind) = Kind::of(api, "conversion", crd, version) else {
            continue;
        };
        let mut dice = Dice::new(&kind.title());
        let mut accepted = 0;
        for index in 0..WANTED {
            let Some(content) = valid::value(kind.schema, &mut dice) else {
                continue;
            };
            let name = format!("{}-{index}", version.name);
            let mut object = kind.object(&content, &name);
            object["metadata"]["labels"] = json!({ "written-as": &*version.name });
            object["metadata"]["annotations"] = json!({ "written-as": &*version.name });
            accepted += usize::from(kind.create(&object, false)?.status == 201);
            written.push(Written { kind, name, object });
        }
        report.check(
            format!("{}: objects are written", kind.title()),
            WANTED,
            accepted,
        );
    }
    Ok(written)
}

impl Written<'_> {
    /// Reads the object in a version.
    fn read_as(&self, version: &Kind<'_>) -> Result<Value, Failure> {
        Ok(version
            .api
            .get(&format!("{}/{}", version.path(), self.name))?
            .json())
    }

    /// Whether the object is unchanged, including its label and annotation, and has no other annotation.
    fn is_whole(&self) -> Result<bool, Failure> {
        let mut now = self.read_as(&self.kind)?;
        let metadata = now["metadata"].take();
        let written = &self.object["metadata"];
        let is_marked = metadata["labels"]["written-as"] == written["labels"]["written-as"]
            && metadata["annotations"] == written["annotations"];
        now["metadata"] = written.clone();
        Ok(now == self.object && is_marked)
    }

    /// Returns the other versions of its kind.
    fn others(&self) -> impl Iterator<Item = Kind<'_>> {
        let Kind {
            api, channel, crd, ..
        } = self.kind;
        let own = self.kind.version;
        let others = crd
            .versions
            .iter()
            .filter(|version| version.name != own.name);
        others.filter_map(move |version| Kind::of(api, channel, crd, version))
    }
}

/// Checks that all objects are unchanged.
fn all_whole(name: &str, written: &[Written<'_>], report: &mut Report) -> Result<(), Failure> {
    let mut whole = 0;
    for object in written {
        whole += usize::from(object.is_whole()?);
    }
    report.check(format!("conversion: {name}"), written.len(), whole);
    Ok(())
}

fn read_in_others(written: &[Written<'_>], report: &mut Report) -> Result<(), Failure> {
    let (mut asked, mut shown) = (0, 0);
    for object in written {
        for other in object.others() {
            let version = format!("{}/{}", other.crd.group, other.version.name);
            asked += 1;
            shown += usize::from(object.read_as(&other)?["apiVersion"] == *version);
        }
    }
    report.check(
        "conversion: objects are read in every other version",
        asked,
        shown,
    );
    all_whole(
        "objects are read in their own version as they were written",
        written,
        report,
    )
}

/// Writes every object through every other version, with another label.
fn write_in_others(written: &[Written<'_>], report: &mut Report) -> Result<(), Failure> {
    let (mut asked, mut taken) = (0, 0);
    for object in written {
        for other in object.others() {
            let mut shown = object.read_as(&other)?;
            shown["metadata"]["labels"]["written-in"] = json!(&*other.version.name);
            let place = format!("{}/{}?fieldValidation=Strict", other.path(), object.name);
            asked += 1;
            taken += usize::from(other.api.put(&place, &shown)?.status == 200);
        }
    }
    report.check(
        "conversion: objects are written in every other version",
        asked,
        taken,
    );
    all_whole(
        "objects lose nothing when they are written in other versions",
        written,
        report,
    )
}

/// Makes a version the storage version, and writes every object again.
fn store_in(
    api: Api,
    published: &Published,
    version: &str,
    written: &[Written<'_>],
    report: &mut Report,
) -> Result<(), Failure> {
    let place = install::place(&published.crd.name());
    let mut crd = api.get(&place)?.json();
    for listed in crd["spec"]["versions"].as_array_mut().into_iter().flatten() {
        listed["storage"] = json!(listed["name"] == *version);
    }
    let answer = api.put(&place, &crd)?;
    report.check(
        format!("conversion: `{version}` is stored"),
        200,
        answer.status,
    );
    all_whole(
        &format!("objects are as they were written before they are stored in `{version}`"),
        written,
        report,
    )?;
    let mut stored = 0;
    for object in written {
        let mut shown = object.read_as(&object.kind)?;
        shown["metadata"]["labels"]["stored-in"] = json!(version);
        let place = format!("{}/{}", object.kind.path(), object.name);
        stored += usize::from(api.put(&place, &shown)?.status == 200);
    }
    let check = format!("conversion: objects are stored in `{version}`");
    report.check(check, written.len(), stored);
    all_whole(
        &format!("objects are as they were written after they are stored in `{version}`"),
        written,
        report,
    )
}

fn stored_versions(api: Api, published: &Published, report: &mut Report) -> Result<(), Failure> {
    let crd = api.get(&install::place(&published.crd.name()))?.json();
    let mut stored: Vec<&str> = crd["status"]["storedVersions"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    stored.sort_unstable();
    let mut all: Vec<&str> = published
        .crd
        .versions
        .iter()
        .map(|version| &*version.name)
        .collect();
    all.sort_unstable();
    report.check(
        "conversion: every version was stored",
        all.join(", "),
        stored.join(", "),
    );
    Ok(())
}
