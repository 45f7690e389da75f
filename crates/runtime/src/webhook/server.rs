//! A server of conversion over TLS.

use super::certificate::{Certificate, provider};
use super::service::{ConversionService, text};
use crate::conversion::Converter;
use http::header::{CONNECTION, HeaderValue};
use http::{Method, Request, Response, StatusCode, Version};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower_service::Service;

/// API servers wait for a conversion this long.
const REQUEST: Duration = Duration::from_secs(30);
/// How long a client may take for a handshake, or for the headers of a request.
const OPENING: Duration = Duration::from_secs(10);
/// How long the webhook is called after it was taken from the endpoints of its service.
const DRAIN: Duration = Duration::from_secs(5);
/// How often files of certificates are read.
const RELOAD: Duration = Duration::from_secs(10);
/// The pause after an error that all connections have, such as too many open files.
const REST: Duration = Duration::from_millis(100);
/// The most connections at a time; each API server has a few.
const CONNECTIONS: usize = 256;
/// The most requests of a connection at a time.
const STREAMS: u32 = 64;

/// Answers `ConversionReview`s under every path, over HTTP/2 or HTTP/1.1 with TLS, and the probes of a kubelet under `/readyz`
/// and `/livez`.
#[derive(Clone, Debug)]
pub struct Server {
    service: ConversionService,
    certificate: Certificate,
    request_timeout: Duration,
    drain: Duration,
}

/// What all connections share.
struct Shared {
    server: Server,
    tls: TlsAcceptor,
    is_stopping: AtomicBool,
}

impl Server {
    /// A server of the conversion of these kinds.
    #[must_use]
    pub fn new(converter: Converter, certificate: Certificate) -> Self {
        Self {
            service: ConversionService::new(converter),
            certificate,
            request_timeout: REQUEST,
            drain: DRAIN,
        }
    }

    /// The maximum size of a body, in bytes: [`ConversionService::body_limit`].
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.service = self.service.body_limit(bytes);
        self
    }

    /// How long a request may take. The default is what API servers wait for, 30 seconds.
    #[must_use]
    pub fn request_timeout(mut self, limit: Duration) -> Self {
        self.request_timeout = limit;
        self
    }

    /// How long requests are still accepted after the server was told to stop, because others learn of it later. `/readyz` says
    /// at once that it stops. The default is 5 seconds.
    #[must_use]
    pub fn drain(mut self, time: Duration) -> Self {
        self.drain = time;
        self
    }

    /// Serves until `stop` is ready, and then finishes the requests that it has.
    pub async fn serve(self, listener: TcpListener, stop: impl Future<Output = ()>) {
        let (request_timeout, drain) = (self.request_timeout, self.drain);
        let Some(tls) = tls(&self.certificate) else {
            tracing::error!("the cryptography of this program has no version of TLS");
            return;
        };
        let shared = Arc::new(Shared {
            server: self,
            tls,
            is_stopping: AtomicBool::new(false),
        });
        let graceful = GracefulShutdown::new();
        let accept = accept(&listener, &shared, &graceful);
        let stopped = async {
            stop.await;
            shared.is_stopping.store(true, Ordering::Relaxed);
            sleep(drain).await;
        };
        tokio::select! {
            () = accept => {}
            () = reload(&shared.server.certificate) => {}
            () = stopped => {}
        }
        drop(listener);
        if timeout(request_timeout, graceful.shutdown()).await.is_err() {
            tracing::warn!("the webhook ends with requests that took too long");
        }
    }
}

fn tls(certificate: &Certificate) -> Option<TlsAcceptor> {
    let config = ServerConfig::builder_with_provider(provider());
    let config = config.with_safe_default_protocol_versions().ok()?;
    let mut config = config
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(certificate.clone()));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Some(TlsAcceptor::from(Arc::new(config)))
}

/// Reads files again, for ever.
async fn reload(certificate: &Certificate) {
    let mut ticks = interval(RELOAD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        match certificate.reload() {
            Ok(true) => tracing::info!("another certificate is served"),
            Ok(false) => {}
            Err(error) => tracing::warn!("{error}; the former certificate is served"),
        }
    }
}

/// Accepts connections, for ever.
async fn accept(listener: &TcpListener, shared: &Arc<Shared>, graceful: &GracefulShutdown) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(place) = Arc::clone(&places).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (shared, watcher) = (Arc::clone(shared), graceful.watcher());
                tokio::spawn(connection(shared, stream, watcher, place));
            }
            Err(error) => {
                tracing::warn!("cannot accept a connection: {error}");
                sleep(REST).await;
            }
        }
    }
}

async fn connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    watcher: Watcher,
    place: OwnedSemaphorePermit,
) {
    let stream = match timeout(OPENING, shared.tls.accept(stream)).await {
        Ok(Ok(stream)) => stream,
        // An API server that does not trust the certificate ends the handshake, and logs the reason itself.
        Ok(Err(error)) => return tracing::debug!("a handshake failed: {error}"),
        Err(_) => return tracing::debug!("a handshake took too long"),
    };
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(OPENING);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .keep_alive_interval(Some(REQUEST))
        .keep_alive_timeout(OPENING);
    let service = service_fn(|request| answer(Arc::clone(&shared), request));
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!("a connection failed: {error}");
    }
    drop(place);
}

/// Responds, and lets a client of HTTP/1.1 go once the server stops. It would otherwise send its next request at the moment at
/// which the connection is closed, and not try again. HTTP/2 says it by itself.
async fn answer(
    shared: Arc<Shared>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let version = request.version();
    let mut response = respond(&shared, request).await?;
    if version < Version::HTTP_2 && shared.is_stopping.load(Ordering::Relaxed) {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(CONNECTION, close);
    }
    Ok(response)
}

async fn respond(
    shared: &Shared,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let is_stopping = shared.is_stopping.load(Ordering::Relaxed);
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/livez") => return Ok(text(StatusCode::OK, "ok")),
        (&Method::GET, "/readyz") if is_stopping => {
            return Ok(text(StatusCode::SERVICE_UNAVAILABLE, "stopping"));
        }
        (&Method::GET, "/readyz") => return Ok(text(StatusCode::OK, "ok")),
        _ => {}
    }
    let mut service = shared.server.service.clone();
    match timeout(shared.server.request_timeout, service.call(request)).await {
        Ok(response) => response,
        Err(_) => {
            let why = "the request took too long";
            tracing::warn!("{why}");
            Ok(text(StatusCode::REQUEST_TIMEOUT, why))
        }
    }
}
