//! The certificate of the webhook, which is renewed all the time: no request fails, whichever replica serves, and even if the
//! Secret is deleted.

use super::conversion::Written;
use super::stage::{Replica, SYSTEM};
use super::traffic::during;
use super::{ROUTES, Story, place};
use crd_channels_envtest::Failure;
use serde_json::{Value, json};

/// What a replica logs when it serves another certificate than before.
const RENEWED: &str = "another certificate is served";

/// Runs all checks.
pub fn check(
    story: &mut Story<'_>,
    replicas: [&Replica; 2],
    written: &[Written<'_>],
) -> Result<(), Failure> {
    let api = story.api;
    let secret = format!("/api/v1/namespaces/{SYSTEM}/secrets/edge-webhook-certificate");
    let [first, _] = replicas;
    let (_, traffic) = during(written, || {
        api.delete(&secret)?;
        first.keeper.wait_for(|| {
            let again = api.get(&secret).map(|answer| answer.json());
            again.is_ok_and(|secret| secret["data"]["tls.crt"].is_string())
        })?;
        let before = replicas.map(|replica| replica.times(RENEWED));
        for (replica, before) in replicas.into_iter().zip(before) {
            replica.has_said_again(RENEWED, before)?;
        }
        Ok(())
    })?;
    story.not_disturbed(
        "the Secret is deleted, and both releases renew the certificate",
        &traffic,
    );

    let crd = api.get(&place(ROUTES))?.json();
    let owned = json!({ "f:spec": { "f:conversion": { "f:webhook": { "f:clientConfig": { "f:caBundle": {} } } } } });
    let mut fields = crd["metadata"]["managedFields"]
        .as_array()
        .into_iter()
        .flatten();
    let own = fields.find(|entry| entry["manager"] == "edge-operator-ca");
    story.report.check(
        "operator: who renews the certificate owns nothing of the CRD but the caBundle",
        owned,
        own.map_or(&Value::Null, |entry| &entry["fieldsV1"]),
    );
    Ok(())
}
