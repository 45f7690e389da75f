//! The certificate of the webhook, which is renewed all the time: no request fails, whichever replica serves, and even if the
//! Secret is deleted.

use super::{Written, all_whole};
use crate::e2e::install;
use crate::published::Published;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::keeper::Keeper;
use crd_channels_envtest::server::Server;
use serde_json::{Value, json};
use std::path::Path;

/// How many seconds a certificate is valid. The next one is served after two thirds of that.
const LIFETIME: &str = "75";

const SECRET: &str = "/api/v1/namespaces/default/secrets/route-webhook";

/// What a replica logs when it serves another certificate than before.
const RENEWED: &str = "another certificate is served";

/// Starts a replica of the webhook, and returns the CRD that it prints.
pub fn start(
    server: &Server,
    name: &'static str,
    webhook: &Path,
) -> Result<(Keeper, String), Failure> {
    let keeper = server.start_beside(name, webhook, &[LIFETIME])?;
    let mut crd = None;
    keeper.wait_for(|| {
        let log = keeper.log().unwrap_or_default();
        let whole = log
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        crd = whole
            .map(str::trim)
            .find(|line| line.starts_with('{'))
            .map(str::to_owned);
        crd.is_some()
    })?;
    Ok((keeper, crd.unwrap_or_default()))
}

/// Runs all checks, and returns the replica that serves at their end. `first` is the one that the CRD names.
pub fn check(
    server: &Server,
    webhook: &Path,
    first: Keeper,
    published: &Published,
    written: &[Written<'_>],
    report: &mut Report,
) -> Result<Keeper, Failure> {
    let api = server.api;
    renewed_once_more(&first)?;
    all_whole(
        "objects are read after the certificate was renewed",
        written,
        report,
    )?;

    let name = published.crd.name();
    let crd = api.get(&install::place(&name))?.json();
    let owned = json!({ "f:spec": { "f:conversion": { "f:webhook": { "f:clientConfig": { "f:caBundle": {} } } } } });
    let fields = crd["metadata"]["managedFields"].as_array();
    let own = fields
        .into_iter()
        .flatten()
        .find(|entry| entry["manager"] == "route-webhook-ca");
    report.check(
        "conversion: the webhook owns nothing of the CRD but the caBundle",
        owned,
        own.map(|entry| entry["fieldsV1"].clone())
            .unwrap_or_default(),
    );

    let (second, crd) = start(server, "second-webhook", webhook)?;
    let crd: Value = serde_json::from_str(&crd).unwrap_or_default();
    let url = &crd["spec"]["conversion"]["webhook"]["clientConfig"]["url"];
    let patch =
        json!({ "spec": { "conversion": { "webhook": { "clientConfig": { "url": url } } } } });
    let patch = patch.to_string();
    let patched = server.kubectl(&["patch", "crd", &name, "--type=merge", "--patch", &patch])?;
    report.check(
        "conversion: another replica is called",
        true,
        patched.status.success(),
    );
    drop(first);
    all_whole(
        "objects are read while another replica serves",
        written,
        report,
    )?;

    let before = api.get(SECRET)?.json()["data"]["tls.crt"].take();
    api.delete(SECRET)?;
    let mut now = Value::Null;
    second.wait_for(|| {
        let secret = api.get(SECRET).map(|answer| answer.json());
        now = secret
            .map(|mut secret| secret["data"]["tls.crt"].take())
            .unwrap_or_default();
        now.is_string()
    })?;
    report.check(
        "conversion: a deleted Secret is written again",
        before.is_string(),
        now.is_string(),
    );
    all_whole(
        "objects are read after the Secret was deleted",
        written,
        report,
    )?;

    renewed_once_more(&second)?;
    all_whole(
        "objects are read after the other replica renewed the certificate",
        written,
        report,
    )?;
    Ok(second)
}

/// Waits until a replica serves another certificate than now.
fn renewed_once_more(replica: &Keeper) -> Result<(), Failure> {
    let count = || replica.log().unwrap_or_default().matches(RENEWED).count();
    let before = count();
    replica.wait_for(|| count() > before)
}
