//! The order in which everything starts: the webhook, the CRDs, the controllers.

use crate::{api, controllers};
use crd_channels_runtime::install::{Embedded, Options, install};
use crd_channels_runtime::warnings::layer::WarningLayer;
use crd_channels_runtime::webhook::{SelfSigned, Server};
use kube::Config;
use kube::client::ClientBuilder;
use std::env;
use std::error::Error;
use std::time::Duration;
use tokio::net::TcpListener;

pub type Failure = Box<dyn Error + Send + Sync>;

/// The name under which the server records what the operator writes.
pub const MANAGER: &str = "edge-operator";

/// The name under which it records who writes the `caBundle` of the CRDs.
const CA_MANAGER: &str = "edge-operator-ca";

/// What Kubernetes sends to stop a pod.
#[cfg(unix)]
fn terminated() -> std::io::Result<tokio::signal::unix::Signal> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::terminate())
}

/// Windows has no such signal, so someone who tries the operator there presses Ctrl-C.
#[cfg(windows)]
fn terminated() -> std::io::Result<tokio::signal::windows::CtrlC> {
    tokio::signal::windows::ctrl_c()
}

/// Runs until Kubernetes stops the pod.
pub async fn run() -> Result<(), Failure> {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.with_ansi(false).init();
    let config = Config::infer().await?;
    let client = ClientBuilder::try_from(config)?
        .with_layer(&WarningLayer::new())
        .build();
    let embedded = Embedded::parse(&api::CRDS)?;
    let converter = api::converter(embedded.crds())?;

    let mut own = SelfSigned::for_service("edge-system", "edge-webhook");
    if let Ok(seconds) = env::var("CERTIFICATE_SECONDS") {
        own = own.lifetime(Duration::from_secs(seconds.parse()?));
    }
    let names = embedded
        .crds()
        .iter()
        .filter_map(|crd| crd.metadata.name.clone());
    let names: Vec<String> = names.collect();
    let certificate = own.certificate(&client, &names, CA_MANAGER).await?;
    let address = env::var("LISTEN").unwrap_or_else(|_| "0.0.0.0:8443".to_owned());
    let listener = TcpListener::bind(address).await?;
    tracing::info!("conversion is served on {}", listener.local_addr()?);
    let mut terminated = terminated()?;
    let stopped = async { terminated.recv().await.unwrap_or_default() };
    let serve = Server::new(converter, certificate.clone()).serve(listener, stopped);

    let prepare = async {
        let mut options = Options::new(MANAGER);
        options.ca_bundle = certificate.trusted();
        options.allowed.older_bundle = env::var_os("OLDER_BUNDLE").is_some();
        match install(&client, &embedded, &options).await {
            Err(error) if error.is_newer_installed() => tracing::warn!("{error}"),
            installed => drop(installed?),
        }
        let renew = own.renew(&client, &certificate, &names, CA_MANAGER);
        tokio::join!(controllers::run(&client), renew);
        Ok::<(), Failure>(())
    };
    // Both run at the same time: the webhook answers before the CRDs name it, and while the certificate is renewed.
    tokio::select! {
        () = serve => Ok(()),
        failed = prepare => failed,
    }
}
