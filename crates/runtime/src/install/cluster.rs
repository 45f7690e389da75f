//! Executes the plan on a cluster: reads, tries, writes, waits.

use super::embedded::{Embedded, name_of};
use super::plan::{Allowed, CrdWrite, InstallPlan, Refusal};
use crate::pem::with_others;
use k8s_openapi::ByteString;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{ListParams, Patch, PatchParams};
use kube::{Api, Client};
use serde_json::{Value, json};
use std::fmt;
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// The interval between checks whether a CRD is established, and before a new decision.
const MOMENT: Duration = Duration::from_millis(100);

/// A resource version for a missing object. Servers count from a higher one, so an apply with it can only create: if the object
/// exists, the server responds with a conflict.
const ABSENT: &str = "1";

/// The options of an installation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The name under which the server records what the controller applies (`fieldManager`). Never change it.
    pub field_manager: String,
    /// The exceptions to allow.
    pub allowed: Allowed,
    /// The time limit for everything, including waiting.
    pub patience: Duration,
    /// The certificates, in PEM, that API servers have to trust when they call the conversion webhook of a CRD. They are
    /// written together with it, so that no request fails between the first installation and another write. What the CRD trusts
    /// already stays, since other replicas may serve it. None by default: then what is installed stays as it is.
    pub ca_bundle: Option<String>,
}

impl Options {
    /// The field manager, no exceptions, a minute, and no `caBundle`.
    pub fn new(field_manager: impl Into<String>) -> Self {
        Self {
            field_manager: field_manager.into(),
            allowed: Allowed::default(),
            patience: Duration::from_secs(60),
            ca_bundle: None,
        }
    }
}

/// The result of an installation.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct InstallReport {
    /// The CRDs in the program, all of which the server now serves.
    pub applied: Vec<String>,
    /// CRDs in the cluster that belong to the same API but are not in the program. They stay.
    pub left_over: Vec<String>,
}

/// Why CRDs were not installed.
#[derive(Debug)]
#[non_exhaustive]
pub enum InstallError {
    /// It is not safe. Nothing was written, unless another bundle was installed at the same time.
    Refused(Vec<Refusal>),
    /// A request failed. If the server refuses a CRD, it does so before the first write.
    Client(kube::Error),
    /// The CRDs were not served in time; contains what the last one was waiting for.
    TooLate(String),
}

impl InstallError {
    /// Whether nothing but a newer bundle is in the way, as during a rollout, once a replica of the next release has installed its
    /// own. A replica then keeps working, and serves conversion, with the CRDs that are there.
    #[must_use]
    pub fn is_newer_installed(&self) -> bool {
        match self {
            Self::Refused(against) => against
                .iter()
                .all(|refusal| matches!(refusal, Refusal::Newer { .. })),
            Self::Client(_) | Self::TooLate(_) => false,
        }
    }
}

impl fmt::Display for InstallError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(against) => {
                let against: Vec<String> = against.iter().map(Refusal::to_string).collect();
                write!(out, "the CRDs are not installed: {}", against.join("; "))
            }
            Self::Client(error) => write!(out, "the CRDs cannot be installed: {error}"),
            Self::TooLate(waits_for) => {
                write!(out, "the CRDs are not installed in time: {waits_for}")
            }
        }
    }
}

impl std::error::Error for InstallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::Refused(_) | Self::TooLate(_) => None,
        }
    }
}

impl From<kube::Error> for InstallError {
    fn from(error: kube::Error) -> Self {
        Self::Client(error)
    }
}

/// Installs the CRDs by server-side apply, and waits until each is established, its names are accepted, and discovery shows its
/// served versions. Takes ownership of the applied fields, even from another manager. A second call changes nothing.
///
/// # Errors
/// It is not safe, a request fails, or it takes too long.
pub async fn install(
    client: &Client,
    embedded: &Embedded,
    options: &Options,
) -> Result<InstallReport, InstallError> {
    let api: Api<CustomResourceDefinition> = Api::all(client.clone());
    let mut waits_for = "no request was answered".to_owned();
    let work = async {
        loop {
            let installed = installed(&api, embedded).await?;
            let plan = InstallPlan::decide(embedded, &installed, options.allowed)
                .map_err(InstallError::Refused)?;
            match carry_out(client, embedded, options, &installed, plan, &mut waits_for).await {
                Err(InstallError::Client(kube::Error::Api(answer))) if answer.is_conflict() => {
                    waits_for = answer.message.clone();
                    sleep(MOMENT).await;
                }
                done => return done,
            }
        }
    };
    match timeout(options.patience, work).await {
        Ok(done) => done,
        Err(_) => Err(InstallError::TooLate(waits_for)),
    }
}

/// Returns the CRDs in the cluster that have the same names or the annotations of the same bundle.
async fn installed(
    api: &Api<CustomResourceDefinition>,
    embedded: &Embedded,
) -> Result<Vec<CustomResourceDefinition>, kube::Error> {
    let version = format!("{}/bundle-version", embedded.bundle().prefix);
    let all = api.list_metadata(&ListParams::default()).await?;
    let mut found = Vec::new();
    for one in all {
        let name = one.metadata.name.unwrap_or_default();
        let is_ours = embedded.crds().iter().any(|crd| name_of(crd) == name);
        let annotations = one.metadata.annotations.unwrap_or_default();
        if is_ours || annotations.contains_key(&version) {
            found.extend(api.get_opt(&name).await?);
        }
    }
    Ok(found)
}

async fn carry_out(
    client: &Client,
    embedded: &Embedded,
    options: &Options,
    installed: &[CustomResourceDefinition],
    plan: InstallPlan,
    waits_for: &mut String,
) -> Result<InstallReport, InstallError> {
    let api: &Api<CustomResourceDefinition> = &Api::all(client.clone());
    let params = PatchParams::apply(&options.field_manager).force();
    let tried = PatchParams {
        dry_run: true,
        ..params.clone()
    };
    let written = plan.steps.iter().filter_map(|step| {
        let crd = embedded.written(&step.name).cloned()?;
        let former = installed.iter().find(|crd| name_of(crd) == step.name);
        Some((step, complete(crd, step, options, former)))
    });
    let written: Vec<(&CrdWrite, Value)> = written.collect();
    for (step, crd) in &written {
        api.patch(&step.name, &tried, &Patch::Apply(crd)).await?;
    }
    for (step, crd) in &written {
        api.patch(&step.name, &params, &Patch::Apply(crd)).await?;
        while let Some(missing) = missing(client, &api.get(&step.name).await?).await? {
            *waits_for = missing;
            sleep(MOMENT).await;
        }
        tracing::info!(crd = step.name, version = %embedded.bundle().version, "installed");
    }
    Ok(InstallReport {
        applied: plan.steps.into_iter().map(|step| step.name).collect(),
        left_over: plan.left_over,
    })
}

/// Adds what only the cluster knows to a CRD of the program.
fn complete(
    mut crd: Value,
    step: &CrdWrite,
    options: &Options,
    installed: Option<&CustomResourceDefinition>,
) -> Value {
    if let Some(metadata) = crd.get_mut("metadata").and_then(Value::as_object_mut) {
        let version = step.resource_version.as_deref().unwrap_or(ABSENT);
        metadata.insert("resourceVersion".to_owned(), version.into());
    }
    let webhook = crd.pointer_mut("/spec/conversion/webhook/clientConfig");
    if let (Some(Value::Object(client)), Some(pem)) = (webhook, &options.ca_bundle) {
        let bundle = json!(ByteString(ca_bundle(pem, installed).into_bytes()));
        client.insert("caBundle".to_owned(), bundle);
    }
    crd
}

/// Returns certificates, and those that the installed CRD trusts besides.
fn ca_bundle(pem: &str, installed: Option<&CustomResourceDefinition>) -> String {
    let webhook = installed.and_then(|crd| crd.spec.conversion.as_ref()?.webhook.as_ref());
    let former = webhook.and_then(|webhook| webhook.client_config.as_ref()?.ca_bundle.as_ref());
    let former = former.map_or(&[][..], |former| &former.0);
    with_others(pem, &String::from_utf8_lossy(former), |_| true)
}

/// Returns what a CRD is waiting for, if it is not served yet.
async fn missing(
    client: &Client,
    crd: &CustomResourceDefinition,
) -> Result<Option<String>, kube::Error> {
    let name = name_of(crd);
    let conditions = crd.status.iter().flat_map(|status| &status.conditions);
    let conditions: Vec<_> = conditions.flatten().collect();
    for type_ in ["NamesAccepted", "Established"] {
        match conditions.iter().find(|condition| condition.type_ == type_) {
            Some(condition) if condition.status == "True" => {}
            Some(condition) => {
                let message = condition.message.as_deref().unwrap_or("no message");
                return Ok(Some(format!("`{name}` is not `{type_}`: {message}")));
            }
            None => return Ok(Some(format!("`{name}` has no condition `{type_}` yet"))),
        }
    }
    for version in crd.spec.versions.iter().filter(|version| version.served) {
        let version = format!("{}/{}", crd.spec.group, version.name);
        let shown = match client.list_api_group_resources(&version).await {
            Ok(shown) => shown.resources,
            Err(kube::Error::Api(answer)) if answer.is_not_found() => Vec::new(),
            Err(error) => return Err(error),
        };
        if !shown.iter().any(|one| one.name == crd.spec.names.plural) {
            return Ok(Some(format!("`{name}` is not served in `{version}` yet")));
        }
    }
    Ok(None)
}
