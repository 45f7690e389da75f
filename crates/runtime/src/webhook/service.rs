//! Conversion as a `tower` service.

use crate::conversion::Converter;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Bytes;
use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// A list of ten thousand objects of 10 kB each fits: API servers have whole lists converted.
const BODY_LIMIT: usize = 128 << 20;

/// Answers every `POST` with a `ConversionReview` as its body, under any path, in any server of `tower` services. In axum, that is
/// `Router::new().route_service("/convert", ConversionService::new(converter))`.
///
/// Conversion runs on a thread for blocking work of tokio, so that other requests are answered meanwhile.
#[derive(Clone, Debug)]
pub struct ConversionService {
    converter: Arc<Converter>,
    body_limit: usize,
}

impl ConversionService {
    /// A service that converts the kinds of a converter, in bodies of at most 128 MiB.
    #[must_use]
    pub fn new(converter: Converter) -> Self {
        Self {
            converter: Arc::new(converter),
            body_limit: BODY_LIMIT,
        }
    }

    /// The maximum size of a body, in bytes. What is larger is answered with the HTTP status 413. A list of objects that exceeds
    /// it cannot be read in another version.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    async fn respond<B>(self, request: Request<B>) -> Response<Full<Bytes>>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        if request.method() != Method::POST {
            let mut response = text(
                StatusCode::METHOD_NOT_ALLOWED,
                "a ConversionReview is posted",
            );
            response
                .headers_mut()
                .insert(ALLOW, HeaderValue::from_static("POST"));
            return response;
        }
        let body = match Limited::new(request.into_body(), self.body_limit)
            .collect()
            .await
        {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<LengthLimitError>() => {
                let limit = self.body_limit;
                let why = format!("the body exceeds {limit} bytes, the limit of this webhook");
                tracing::warn!("{why}");
                return text(StatusCode::PAYLOAD_TOO_LARGE, why);
            }
            Err(error) => {
                return text(StatusCode::BAD_REQUEST, format!("the body is cut: {error}"));
            }
        };
        let converter = self.converter;
        let answer = tokio::task::spawn_blocking(move || converter.answer(&body)).await;
        match answer {
            Ok(Ok(answer)) => {
                let mut response = Response::new(Full::from(answer));
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(CONTENT_TYPE, json);
                response
            }
            Ok(Err(malformed)) => text(StatusCode::BAD_REQUEST, malformed.to_string()),
            Err(error) => {
                tracing::error!("a conversion panicked: {error}");
                text(StatusCode::INTERNAL_SERVER_ERROR, "a conversion panicked")
            }
        }
    }
}

impl<B> Service<Request<B>> for ConversionService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.respond(request).await) })
    }
}

/// A response with a text and a line break.
pub(super) fn text(status: StatusCode, text: impl Into<String>) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text.into() + "\n"));
    *response.status_mut() = status;
    response
}
