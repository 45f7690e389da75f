//! The warnings of every response of a client, kube's or any other made of `tower` services.
//!
//! ```
//! use crd_channels_runtime::warnings::layer::WarningLayer;
//! use kube::{Client, Config, client::ClientBuilder};
//!
//! fn client(config: Config) -> Result<Client, kube::Error> {
//!     Ok(ClientBuilder::try_from(config)?.with_layer(&WarningLayer::new()).build())
//! }
//! ```

use super::{Handler, deliver};
use http::header::WARNING;
use http::{Request, Response};
use pin_project_lite::pin_project;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tower_layer::Layer;
use tower_service::Service;

/// Reads the `Warning` headers of every response, even of failed requests, and passes the warnings to the client's handler, or
/// else to that of the process, as [`deliver`] does. Otherwise the response is unchanged: no request fails because of a
/// warning, or waits longer than for the handler.
///
/// All warnings of a response, including those with other codes, are in its extensions, as a `Vec<Warning>`; a response without
/// warnings has no such extension. kube's `Client::send` returns the response; its `Api` only reads bodies.
///
/// Source: KEP-1693, client-side.
#[derive(Clone, Default)]
pub struct WarningLayer {
    handler: Option<Arc<dyn Handler>>,
}

impl WarningLayer {
    /// A layer that passes warnings to the handler of the process.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A layer that passes warnings only to this handler. To share a handler, or to query it later, pass an `Arc` of it.
    pub fn with_handler(handler: impl Handler + 'static) -> Self {
        Self {
            handler: Some(Arc::new(handler)),
        }
    }
}

impl fmt::Debug for WarningLayer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("WarningLayer");
        out.field("has_handler", &self.handler.is_some()).finish()
    }
}

impl<S> Layer<S> for WarningLayer {
    type Service = WarningService<S>;

    fn layer(&self, service: S) -> Self::Service {
        WarningService {
            service,
            layer: self.clone(),
        }
    }
}

/// The service that wraps another by a [`WarningLayer`].
#[derive(Clone, Debug)]
pub struct WarningService<S> {
    service: S,
    layer: WarningLayer,
}

impl<S, B, R> Service<Request<B>> for WarningService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = WarningFuture<S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.service.poll_ready(context)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        WarningFuture {
            response: self.service.call(request),
            layer: self.layer.clone(),
        }
    }
}

pin_project! {
    /// The response of a [`WarningService`].
    #[derive(Debug)]
    pub struct WarningFuture<F> {
        #[pin]
        response: F,
        layer: WarningLayer,
    }
}

impl<F, R, E> Future for WarningFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<R>, E>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = ready!(this.response.poll(context))?;
        let values = response.headers().get_all(WARNING).iter();
        let values = values.map(|value| value.as_bytes());
        let found = deliver(values, this.layer.handler.as_deref());
        if !found.is_empty() {
            response.extensions_mut().insert(found);
        }
        Poll::Ready(Ok(response))
    }
}
