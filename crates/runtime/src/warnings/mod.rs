//! The warnings of an API server: the `Warning` headers of its responses.
//!
//! A server warns if a request uses a deprecated version, or if an admission webhook returns a warning
//! ([KEP-1693](https://github.com/kubernetes/enhancements/tree/master/keps/sig-api-machinery/1693-warnings)). A warning is for
//! people: RFC 7234 forbids a program to act on one.
//!
//! ```
//! use crd_channels_runtime::warnings;
//!
//! let header: &[u8] = br#"299 - "example.com/v1beta1 Gateway is deprecated; use example.com/v1 Gateway""#;
//! let found = warnings::parse([header]);
//! assert_eq!(found[0].code, 299);
//! assert_eq!(found[0].text, "example.com/v1beta1 Gateway is deprecated; use example.com/v1 Gateway");
//! ```
//!
//! [`deliver`] also shows them: through the client's [`Handler`], or else through that of the process, which logs them until
//! [`set_process_handler`] sets another. With the feature `warning-layer`, `layer::WarningLayer` does so for every response of a
//! client.

pub mod admission;
mod encoded_word;
mod handlers;
mod header;
#[cfg(feature = "warning-layer")]
pub mod layer;

pub use handlers::{
    Collect, Handler, Ignore, Lines, Log, Once, Warned, deliver, process_handler,
    set_process_handler,
};
pub use header::{Malformed, Warning, parse, parse_value};
