//! Installs the CRDs that are embedded in a controller, when it starts.
//!
//! ```no_run
//! use crd_channels_runtime::install::{Embedded, Options, install};
//!
//! # async fn start(client: kube::Client) -> Result<(), Box<dyn std::error::Error>> {
//! # const ROUTES: &str = "";
//! # const GATEWAYS: &str = "";
//! // const ROUTES: &str = include_str!("../crds/stable/edge.example.com_routes.yaml");
//! let embedded = Embedded::parse(&[ROUTES, GATEWAYS])?;
//! let done = install(&client, &embedded, &Options::new("edge-operator")).await?;
//! for name in done.left_over {
//!     tracing::warn!("the CRD {name} is of the same API, and this controller does not know it");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Everything is decided before the first write: [`InstallPlan::decide`] compares the bundle in the controller with the one in the
//! cluster, and the server tries each CRD (`dryRun`). Each write only applies to the state that the decision was based on: if
//! another client was faster, the server refuses it (`resourceVersion`), and everything is read and decided again. So any
//! number of replicas may start at once, even of different versions: the newest bundle stays.
//!
//! The controller's account needs the verbs `list`, `get`, `create` and `patch` of `customresourcedefinitions`, and discovery,
//! which every account has unless it was taken away.

mod cluster;
mod embedded;
mod plan;

pub use cluster::{InstallError, InstallReport, Options, install};
pub use embedded::{Embedded, NotEmbedded};
pub use plan::{Allowed, CrdWrite, InstallPlan, Refusal};
