//! A controller during an upgrade: it installs its CRDs, receives a warning about a deprecated version, sets conditions, and
//! its earlier release does not overwrite the newer CRDs. It runs against the cluster of `KUBECONFIG` and prints its steps;
//! `cargo xtask e2e` runs it.

use api_types::conditions::{GatewayAccepted, GatewayCondition};
use api_types::{EdgeGateway, EdgeGatewaySpec, EdgeGatewayV1Beta1, ExternalCertificate};
use crd_channels_runtime::bundle::{BundleInfo, Support};
use crd_channels_runtime::conditions::severity::{
    Outcome, READY, SeverityCondition, SeverityWriter,
};
use crd_channels_runtime::conditions::{Status, StatusWriter};
use crd_channels_runtime::install::{Embedded, InstallError, Options, install};
use crd_channels_runtime::warnings::layer::WarningLayer;
use kube::api::{Patch, PatchParams, PostParams};
use kube::client::ClientBuilder;
use kube::{Api, Client, Config};
use semver::Version;
use serde_json::{Value, json};
use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The field manager.
const MANAGER: &str = "edge-controller";

/// The CRDs embedded in this release of the controller.
const CRDS: [&str; 4] = [
    include_str!("../../../generated/stable/edge.crd-channels.dev_edgegatewayclasses.yaml"),
    include_str!("../../../generated/stable/edge.crd-channels.dev_edgegateways.yaml"),
    include_str!("../../../generated/stable/edge.crd-channels.dev_edgeroutes.yaml"),
    include_str!("../../../generated/stable/edge.crd-channels.dev_externalcertificates.yaml"),
];

/// The CRDs of an earlier release, which still serves `v1beta1` of `EdgeGateway`.
const EARLIER_CRDS: [&str; 4] = [
    include_str!(
        "../../../channels/v0.3.0/stable/crds/edge.crd-channels.dev_edgegatewayclasses.yaml"
    ),
    include_str!("../../../channels/v0.3.0/stable/crds/edge.crd-channels.dev_edgegateways.yaml"),
    include_str!("../../../channels/v0.3.0/stable/crds/edge.crd-channels.dev_edgeroutes.yaml"),
    include_str!(
        "../../../channels/v0.3.0/stable/crds/edge.crd-channels.dev_externalcertificates.yaml"
    ),
];

#[tokio::main]
async fn main() -> Result<()> {
    let log = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN);
    log.without_time()
        .with_ansi(false)
        .with_target(false)
        .init();
    let config = Config::infer().await?;
    let client = ClientBuilder::try_from(config)?
        .with_layer(&WarningLayer::new())
        .build();

    let earlier = Embedded::parse(&EARLIER_CRDS)?;
    start(&client, &earlier).await?;
    order(&client).await?;

    let embedded = Embedded::parse(&CRDS)?;
    start(&client, &embedded).await?;
    let gateways: Api<EdgeGateway> = Api::default_namespaced(client.clone());
    reconcile(&gateways, "edge").await?;
    reconcile(&gateways, "edge").await?;
    order_certificate(&client).await?;

    match install(&client, &earlier, &Options::new(MANAGER)).await {
        Err(InstallError::Refused(against)) => println!("refused: {}", against[0]),
        done => println!("installed over a newer bundle: {done:?}"),
    }
    Ok(())
}

/// Installs CRDs from two replicas at once, and prints whether the controller supports the installed bundle.
async fn start(client: &Client, embedded: &Embedded) -> Result<()> {
    let options = Options::new(MANAGER);
    let (one, other) = tokio::join!(
        install(client, embedded, &options),
        install(client, embedded, &options)
    );
    println!(
        "installed: {} and {} CRDs",
        one?.applied.len(),
        other?.applied.len()
    );
    let version = &embedded.bundle().version;
    let versions = Version::new(0, 3, 0)..Version::new(version.major, version.minor + 1, 0);
    let support = Support::new(versions, &["stable"]);
    let decision = support.decide(embedded.crds().iter().map(BundleInfo::of));
    println!(
        "SupportedVersion is {}: {}",
        decision.status, decision.message
    );
    Ok(())
}

/// Acts as a user who still writes the deprecated version. The client logs the server's warning.
async fn order(client: &Client) -> Result<()> {
    let spec: EdgeGatewaySpec = serde_json::from_value(json!({
        "gatewayClassName": "public",
        "listeners": [{"name": "http", "port": 80, "protocol": "HTTP"}],
    }))?;
    let gateway = EdgeGatewayV1Beta1::new("edge", api_types::EdgeGatewayV1Beta1Spec(spec));
    let api: Api<EdgeGatewayV1Beta1> = Api::default_namespaced(client.clone());
    api.create(&PostParams::default(), &gateway).await?;
    Ok(())
}

/// Sets the conditions of a gateway.
async fn reconcile(api: &Api<EdgeGateway>, name: &str) -> Result<()> {
    let gateway = api.get(name).await?;
    let writer = StatusWriter::new(api.clone(), MANAGER);
    let written = writer.apply::<GatewayCondition>(&gateway, &(), |conditions| {
        let accepted = GatewayCondition::Accepted(GatewayAccepted::Accepted);
        conditions.set(accepted, "All listeners are valid.");
    });
    let (outcome, gateway) = match written.await? {
        Some(written) => ("written", written),
        None => ("nothing to write", gateway),
    };
    let status = gateway.status.unwrap_or_default();
    let shown = status.conditions.iter();
    let shown = shown.map(|one| format!("{} is {}", one.type_, Status::of(one)));
    let shown: Vec<String> = shown.collect();
    println!("{outcome}: {}", shown.join(", "));
    Ok(())
}

/// Creates a certificate and reports why it is not ready, by server-side apply: only this controller's condition in the status
/// is changed.
async fn order_certificate(client: &Client) -> Result<()> {
    let api: Api<ExternalCertificate> = Api::default_namespaced(client.clone());
    let order = json!({
        "apiVersion": "edge.crd-channels.dev/v1", "kind": "ExternalCertificate", "metadata": {"name": "www"},
        "spec": {
            "issuer": {"directoryUrl": "https://acme.example.com/directory", "accountKeyRef": {"name": "account"}},
            "dnsNames": ["www.example.com"], "secretName": "www",
        },
    });
    let params = PatchParams::apply(MANAGER).force();
    let certificate = api.patch("www", &params, &Patch::Apply(&order)).await?;
    let found = Outcome::worst([
        Outcome::reconciling("The order is being prepared."),
        Outcome::waiting_for_owner("There is no Secret `account`."),
    ]);
    let status = json!(certificate.status);
    let written = status.get("conditions").unwrap_or(&Value::Null).clone();
    let written: Option<Vec<SeverityCondition>> = serde_json::from_value(written)?;
    let mut conditions = written.unwrap_or_default();
    SeverityWriter::for_list(&mut conditions, certificate.metadata.generation).set(READY, &found);
    conditions.retain(|one| one.condition.type_ == READY.name());
    let writer = StatusWriter::new(api, MANAGER);
    let fields = json!({ "conditions": conditions });
    let written = writer.apply_fields(&certificate, &fields).await?;
    println!(
        "written: {}",
        json!(written.unwrap_or(certificate).status)["conditions"][0]["severity"]
    );
    println!("try again: {:?}", found.retry());
    Ok(())
}
