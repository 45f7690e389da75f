//! The versions in which objects are stored, read from etcd, which no client of the server sees.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The stored objects of a CRD at one moment.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// What the CRD says of the versions.
    pub(super) named: BTreeSet<String>,
    /// How many objects each version has.
    pub(super) objects: BTreeMap<String, usize>,
}

impl Stored {
    /// Reads those of a CRD; `None` if etcd does not answer, or does not have the CRD.
    pub(super) fn read(etcd: Api, plural: &str, group: &str) -> Option<Self> {
        let crds =
            format!("/registry/apiextensions.k8s.io/customresourcedefinitions/{plural}.{group}");
        let (revision, crds) = range(etcd, &crds, None).ok()?;
        let crd = crds.first()?;
        let named = crd["status"]["storedVersions"].as_array().into_iter();
        let named = named.flatten().filter_map(Value::as_str);
        let mut stored = Self {
            named: named.map(str::to_owned).collect(),
            objects: BTreeMap::new(),
        };
        // At the same moment.
        let (_, objects) = range(
            etcd,
            &format!("/registry/{group}/{plural}/"),
            Some(revision),
        )
        .ok()?;
        for object in &objects {
            let version = object["apiVersion"].as_str().unwrap_or_default();
            let version = version.rsplit('/').next().unwrap_or(version);
            *stored.objects.entry(version.to_owned()).or_default() += 1;
        }
        Some(stored)
    }

    /// The versions of objects that the CRD does not name; a server may drop such a version, and could not read them then.
    pub(super) fn unnamed(&self) -> Vec<&String> {
        let versions = self.objects.keys();
        versions.filter(|it| !self.named.contains(*it)).collect()
    }
}

/// Returns the values of all keys that begin so, and the revision at which they were read.
fn range(etcd: Api, prefix: &str, revision: Option<i64>) -> Result<(i64, Vec<Value>), Failure> {
    let mut end = prefix.as_bytes().to_vec();
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    let mut request = json!({
        "key": STANDARD.encode(prefix),
        "range_end": STANDARD.encode(end),
    });
    if let Some(revision) = revision {
        request["revision"] = revision.to_string().into();
    }
    let answer = etcd.post("/v3/kv/range", &request)?.json();
    let revision = answer["header"]["revision"].as_str();
    let revision = revision.and_then(|it| it.parse().ok());
    let revision = revision.ok_or_else(|| Failure::new("etcd has no revision"))?;
    let values = answer["kvs"].as_array().into_iter().flatten();
    let values = values.filter_map(|it| {
        let bytes = STANDARD.decode(it["value"].as_str()?).ok()?;
        serde_json::from_slice(&bytes).ok()
    });
    Ok((revision, values.collect()))
}
