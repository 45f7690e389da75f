//! A conversion webhook with TLS, on loopback.
//!
//! Prints the CRD of its kind as one line of JSON, with the webhook's address and certificate in it, and serves until it is
//! stopped:
//!
//! ```sh
//! cargo run -p crd-channels-runtime --example webhook | while read -r crd; do echo "$crd" | kubectl apply -f -; done
//! ```
//!
//! Inside a cluster the webhook would be reached by a service, and cert-manager would write the certificate, also into the
//! CRD.

mod versions;

use crd_channels_runtime::conversion::Converter;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::json;
use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// The path that reviews are posted to.
const PATH: &str = "/convert";

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let url = format!("https://{}{PATH}", listener.local_addr()?);
    let own = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;

    let crd = versions::crd()?;
    let converter = Arc::new(versions::converter(&crd)?);
    let mut crd = json!(crd);
    crd["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {
            "conversionReviewVersions": ["v1"],
            "clientConfig": { "url": url, "caBundle": k8s_openapi::ByteString(own.cert.pem().into()) },
        },
    });
    println!("{crd}");

    let key = PrivatePkcs8KeyDer::from(own.signing_key.serialize_der());
    let tls = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![own.cert.der().clone()], key.into())?;
    let acceptor = TlsAcceptor::from(Arc::new(tls));
    loop {
        let (stream, _) = listener.accept().await?;
        let (acceptor, converter) = (acceptor.clone(), Arc::clone(&converter));
        tokio::spawn(async move {
            // A client that closes the connection must not affect others.
            let Ok(stream) = acceptor.accept(stream).await else {
                return;
            };
            let service = service_fn(|request| respond(request, &converter));
            if let Err(error) = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await
            {
                eprintln!("{error}");
            }
        });
    }
}

async fn respond(
    request: Request<Incoming>,
    converter: &Converter,
) -> Result<Response<Full<Bytes>>, Failure> {
    if (request.method(), request.uri().path()) != (&Method::POST, PATH) {
        return Ok(Response::builder()
            .status(StatusCode::NOT_FOUND)
            .body(Full::default())?);
    }
    let body = request.into_body().collect().await?.to_bytes();
    let response = match converter.answer(&body) {
        Ok(answer) => Response::builder()
            .header("content-type", "application/json")
            .body(Full::from(answer))?,
        Err(malformed) => Response::builder()
            .status(StatusCode::BAD_REQUEST)
            .body(Full::from(malformed.to_string()))?,
    };
    Ok(response)
}
