//! Conversion between the versions of a kind: objects are read, written and stored in each version without loss.

pub mod apply;
pub mod guarded;

use super::install;
use super::kinds::Kind;
use crate::objects::dice::Dice;
use crate::objects::valid;
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_schema::Crd;
use serde_json::{Value, json};

/// The number of objects to write in each version.
const WANTED: usize = 20;

/// An object and the version in which it was written.
pub struct Written<'c> {
    /// The version.
    pub kind: Kind<'c>,
    /// The name.
    pub name: String,
    object: Value,
}

/// Runs all checks of a kind that is installed, while its webhook is served.
///
/// # Errors
/// The server did not respond.
pub fn check(api: Api, published: &Published, report: &mut Report) -> Result<(), Failure> {
    let written = write_all(api, &published.crd, ("converted", WANTED), report)?;
    read_in_others(&written, report)?;
    report.check(
        "conversion: objects are written in every other version",
        "",
        write_in_others(&written)?.join(", "),
    );
    all_whole(
        "objects lose nothing when they are written in other versions",
        &written,
        report,
    )?;
    for version in &published.crd.versions {
        store_in(api, published, &version.name, &written, report)?;
    }
    stored_versions(api, published, report)
}

/// Creates so many objects through every version that is served, with a prefix of their names.
pub fn write_all<'c>(
    api: Api,
    crd: &'c Crd,
    (prefix, wanted): (&str, usize),
    report: &mut Report,
) -> Result<Vec<Written<'c>>, Failure> {
    let mut written = Vec::new();
    for kind in served(api, crd) {
        let version = kind.version;
        let mut dice = Dice::new(&kind.title());
        let mut accepted = 0;
        for index in 0..wanted {
            let Some(content) = valid::value(kind.schema, &mut dice) else {
                continue;
            };
            let name = format!("{prefix}-{}-{index}", version.name);
            let mut object = kind.object(&content, &name);
            if kind.has_status() {
                leave_out_status(&mut object);
            }
            object["metadata"]["labels"] = json!({ "written-as": &*version.name });
            object["metadata"]["annotations"] = json!({ "written-as": &*version.name });
            accepted += usize::from(kind.create(&object, false)?.status == 201);
            written.push(Written { kind, name, object });
        }
        report.check(
            format!("{}: objects are written", kind.title()),
            wanted,
            accepted,
        );
    }
    Ok(written)
}

/// The versions of a kind that are served.
fn served<'c>(api: Api, crd: &'c Crd) -> impl Iterator<Item = Kind<'c>> {
    let served = crd.versions.iter().filter(|version| version.served);
    served.filter_map(move |version| Kind::of_version(api, "conversion", crd, version))
}

/// The status is the controller's.
fn leave_out_status(object: &mut Value) {
    object
        .as_object_mut()
        .and_then(|fields| fields.remove("status"));
}

impl<'c> Written<'c> {
    /// Reads the object in a version.
    pub fn read_as(&self, version: &Kind<'_>) -> Result<Value, Failure> {
        Ok(version
            .api
            .get(&format!("{}/{}", version.path(), self.name))?
            .json())
    }

    /// Whether the object is unchanged, including its label and annotation, and has no other annotation.
    pub fn is_whole(&self) -> Result<bool, Failure> {
        let mut now = self.read_as(&self.kind)?;
        let metadata = now["metadata"].take();
        let written = &self.object["metadata"];
        let is_marked = metadata["labels"]["written-as"] == written["labels"]["written-as"]
            && metadata["annotations"] == written["annotations"];
        now["metadata"] = written.clone();
        if self.kind.has_status() {
            leave_out_status(&mut now);
        }
        Ok(now == self.object && is_marked)
    }

    /// The versions of its kind that are served.
    pub fn versions(&self) -> impl Iterator<Item = Kind<'c>> {
        served(self.kind.api, self.kind.crd)
    }

    /// The same without the one in which it was written.
    fn others(&self) -> impl Iterator<Item = Kind<'c>> {
        let own = &self.kind.version.name;
        self.versions()
            .filter(move |kind| kind.version.name != *own)
    }
}

/// Checks that all objects are unchanged.
pub fn all_whole(name: &str, written: &[Written<'_>], report: &mut Report) -> Result<(), Failure> {
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

/// Writes every object through every other version, with another label. Returns what is refused.
pub fn write_in_others(written: &[Written<'_>]) -> Result<Vec<String>, Failure> {
    let mut refused = Vec::new();
    for object in written {
        for other in object.others() {
            let place = format!("{}/{}?fieldValidation=Strict", other.path(), object.name);
            let mut answer = Answer::default();
            // A controller may write the status in between, and a connection to a replica that no longer gets any may break.
            install::poll(|| {
                let mut shown = object.read_as(&other)?;
                if shown["kind"] == "Status" {
                    return Ok(None);
                }
                shown["metadata"]["labels"]["written-in"] = json!(&*other.version.name);
                answer = other.api.put(&place, &shown)?;
                Ok((!matches!(answer.status, 409 | 500)).then_some(()))
            })?;
            if answer.status != 200 {
                refused.push(install::described(&answer));
            }
        }
    }
    Ok(refused)
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
