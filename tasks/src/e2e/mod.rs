//! All checks on a server.

pub mod command;
pub(super) mod install;
pub mod examples;
mod kinds;
pub(super) mod opinion;
mod tried;
mod rules;
mod reading;
mod pruning;
mod seeds;
mod subresources;
mod policies;
pub mod chart;
pub mod controller;
pub mod conversion;
pub mod gitops;
pub mod migration;
pub mod operator;
pub mod way;
pub mod cluster;
pub mod oci;
pub mod programs;
pub mod krew;
pub mod story;

use super::published::{NAMESPACE, Published};
use super::report::Report;
use crd_channels::commands::examples::ServerExample;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::Api;
use crd_channels_envtest::server::Server;
use opinion::SecondOpinion;
use serde_json::json;

/// The CRDs of one channel.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// Its CRDs.
    pub crds: Vec<Published>,
}

/// Tries the CRDs of every channel, and the examples of their objects.
///
/// # Errors
/// The server did not respond. Wrong responses are in the report.
pub fn run(
    server: &Server,
    channels: &[Channel],
    examples: &[ServerExample],
    report: &mut Report,
) -> Result<(), Failure> {
    let api = server.api;
    namespace(api)?;
    for channel in channels {
        let crds: Vec<&Published> = channel.crds.iter().collect();
        report.check(
            format!("{}: there are CRDs", channel.name),
            true,
            !crds.is_empty(),
        );
        install::install(api, &channel.name, &crds, report)?;
        for published in &channel.crds {
            let others = channels.iter().filter(|other| other.name != channel.name);
            let others: Vec<&Published> = others
                .flat_map(|other| &other.crds)
                .filter(|other| other.crd.name() == published.crd.name())
                .collect();
            try_crd(api, &channel.name, published, &others, report)?;
        }
        examples::check(api, &channel.name, &crds, examples, report)?;
        install::remove(api, &crds)?;
    }
    policies::check(api, report)?;
    seeds::subresources::check(api, report)?;
    seeds::deprecation::check(server, report)?;
    seeds::refused::check(api, report)
}

/// Creates the namespace for objects.
///
/// # Errors
/// The server did not respond.
pub fn namespace(api: Api) -> Result<(), Failure> {
    let namespace =
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}});
    api.post("/api/v1/namespaces", &namespace).map(drop)
}

/// Tries one installed CRD; `others` are the same CRD in other channels.
fn try_crd(
    api: Api,
    channel: &str,
    published: &Published,
    others: &[&Published],
    report: &mut Report,
) -> Result<(), Failure> {
    let crd = &published.crd;
    if crd.versions.iter().any(|version| version.deprecated) {
        seeds::deprecation::texts(api, crd, report)?;
    }
    for version in crd.versions.iter().filter(|version| version.served) {
        let Some(kind) = kinds::Kind::of_version(api, channel, crd, version) else {
            continue;
        };
        let title = kind.title();
        let opinion = SecondOpinion::of_version(&published.document, &version.name);
        let mut opinion = match opinion {
            Ok(opinion) => opinion,
            Err(why) => {
                report.check(format!("{title}: the validator takes the CRD"), "", why);
                continue;
            }
        };
        let tried = tried::try_objects(&kind, &mut opinion, report)?;
        subresources::check(&kind, &tried, &mut opinion, report)?;
        reading::columns(&kind, &tried, report)?;
        reading::selectors(&kind, &tried, report)?;
        for other in others {
            let version = other
                .crd
                .versions
                .iter()
                .find(|other| other.name == version.name);
            if let Some(schema) = version.and_then(|version| version.schema.as_deref()) {
                pruning::foreign_fields(&kind, schema, &tried, &mut opinion, report)?;
            }
        }
        opinion.report(&title, report);
    }
    Ok(())
}
