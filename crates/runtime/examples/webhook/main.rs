//! A conversion webhook with TLS, on loopback, for the cluster of `KUBECONFIG`. Its argument is how many seconds a certificate
//! is valid; without it 90 days.
//!
//! Prints the CRD of its kind as one line of JSON, with the webhook's address and certificate in it, and serves until it is
//! interrupted. The certificate is in the Secret `route-webhook` of the namespace `default`, and is renewed there and in the CRD:
//!
//! ```sh
//! cargo run -p crd-channels-runtime --example webhook | while read -r crd; do echo "$crd" | kubectl apply -f -; done
//! ```
//!
//! Inside a cluster the webhook would be reached by a service: `SelfSigned::for_service`. `cargo xtask e2e` runs it.

mod versions;

use crd_channels_runtime::webhook::{SelfSigned, Server};
use k8s_openapi::ByteString;
use kube::Client;
use serde_json::json;
use std::error::Error;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::net::TcpListener;

/// The field manager of the `caBundle`.
const MANAGER: &str = "route-webhook-ca";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    log.with_ansi(false).init();
    let client = Client::try_default().await?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("https://{}/convert", listener.local_addr()?);

    let mut own = SelfSigned::for_names("default", "route-webhook", ["127.0.0.1".to_owned()]);
    if let Some(seconds) = std::env::args().nth(1) {
        own = own.lifetime(Duration::from_secs(seconds.parse()?));
    }
    let certificate = own.certificate(&client).await?;

    let crd = versions::crd()?;
    let server = Server::new(versions::converter(&crd)?, certificate.clone());
    let names = [crd.metadata.name.clone().unwrap_or_default()];
    let mut crd = json!(crd);
    crd["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {
            "conversionReviewVersions": ["v1"],
            "clientConfig": { "url": url, "caBundle": certificate.trusted().map(|pem| ByteString(pem.into())) },
        },
    });
    println!("{crd}");

    let interrupted = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!("cannot be interrupted: {error}");
        }
    };
    tokio::select! {
        () = server.serve(listener, interrupted) => {}
        () = own.renew(&client, &certificate, &names, MANAGER) => {}
    }
    Ok(())
}
