//! Writes the `caBundle` of CRDs.

use k8s_openapi::ByteString;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, Patch, PatchParams};
use kube::{Client, Error};
use serde_json::json;

/// Makes API servers trust these certificates when they call the conversion webhooks of some CRDs. Writes by server-side apply,
/// and owns nothing but the `caBundle`: give it a field manager of its own, which nothing else uses. A CRD that is missing or
/// has no conversion webhook is left alone.
///
/// The client's account needs the verbs `get` and `patch` of these `customresourcedefinitions`.
///
/// # Errors
/// A request failed.
pub async fn write_ca_bundle(
    client: &Client,
    crds: &[String],
    trusted: &str,
    field_manager: &str,
) -> Result<(), Error> {
    write_each(client, crds, field_manager, |_| {
        ByteString(trusted.as_bytes().to_vec())
    })
    .await
}

/// The same, with a bundle that depends on the one that a CRD has.
pub(super) async fn write_each(
    client: &Client,
    crds: &[String],
    field_manager: &str,
    bundle: impl Fn(Option<&ByteString>) -> ByteString,
) -> Result<(), Error> {
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    for name in crds {
        while let Err(error) = write_one(&api, name, field_manager, &bundle).await {
            match error {
                // Somebody else wrote, perhaps another certificate, since the CRD was read.
                Error::Api(answer) if answer.is_conflict() => {}
                error => return Err(error),
            }
        }
    }
    Ok(())
}

async fn write_one(
    api: &Api<CustomResourceDefinition>,
    name: &str,
    field_manager: &str,
    bundle: &impl Fn(Option<&ByteString>) -> ByteString,
) -> Result<(), Error> {
    let Some(crd) = api.get_opt(name).await? else {
        tracing::debug!(crd = name, "is not installed");
        return Ok(());
    };
    let webhook = crd
        .spec
        .conversion
        .and_then(|conversion| conversion.webhook);
    let Some(webhook) = webhook else {
        tracing::debug!(crd = name, "has no conversion webhook");
        return Ok(());
    };
    let written = webhook.client_config.and_then(|config| config.ca_bundle);
    let bundle = bundle(written.as_ref());
    if written.as_ref() == Some(&bundle) {
        return Ok(());
    }
    let patch = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "resourceVersion": crd.metadata.resource_version },
        "spec": { "conversion": { "webhook": { "clientConfig": { "caBundle": bundle } } } },
    });
    let params = PatchParams::apply(field_manager).force();
    api.patch(name, &params, &Patch::Apply(patch)).await?;
    tracing::info!(crd = name, "the caBundle is written");
    Ok(())
}
