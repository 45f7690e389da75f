//! What becomes of the objects.

use crate::api::{Domain, Route};
use crate::operator::MANAGER;
use crate::status::{Accepted, DomainCondition, Programmed, Published, RouteCondition};
use crd_channels_runtime::conditions::StatusWriter;
use futures_util::TryStreamExt;
use k8s_openapi::NamespaceResourceScope;
use kube::api::{WatchEvent, WatchParams};
use kube::{Api, Client, Error, Resource, ResourceExt};
use serde::de::DeserializeOwned;
use serde_json::json;
use std::fmt::Debug;
use std::pin::pin;
use std::time::Duration;
use tokio::time::sleep;

/// The pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs the controllers, for ever.
pub async fn run(client: &Client) {
    let (routes, domains) = (Api::all(client.clone()), Api::all(client.clone()));
    let route = async |one: Route| reconcile_route(client, one).await;
    let domain = async |one: Domain| reconcile_domain(client, one).await;
    tokio::join!(for_each(routes, route), for_each(domains, domain));
}

async fn reconcile_route(client: &Client, route: Route) -> Result<(), Error> {
    let fields = json!({ "rules": route.spec.rules.len() });
    let writer = StatusWriter::new(api(client, &route), MANAGER);
    let written = writer.apply::<RouteCondition>(&route, &fields, |conditions| {
        if route.spec.rules.is_empty() {
            conditions.set(
                RouteCondition::Accepted(Accepted::NoRules),
                "There is no rule.",
            );
            return;
        }
        conditions.set(
            RouteCondition::Accepted(Accepted::Accepted),
            "All rules are valid.",
        );
        // Here the data plane would get its configuration.
        conditions.set(RouteCondition::Programmed(Programmed::Programmed), "");
    });
    written.await.map(drop)
}

async fn reconcile_domain(client: &Client, domain: Domain) -> Result<(), Error> {
    let writer = StatusWriter::new(api(client, &domain), MANAGER);
    let written = writer.apply::<DomainCondition>(&domain, &(), |conditions| {
        conditions.set(DomainCondition::Published(Published::Published), "");
    });
    written.await.map(drop)
}

/// The objects beside one.
fn api<K>(client: &Client, of: &K) -> Api<K>
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
{
    Api::namespaced(client.clone(), &of.namespace().unwrap_or_default())
}

/// Reconciles each object that is there, and each that changes. kube's `Controller` does it with several at a time, and tries
/// one that failed again later and later.
async fn for_each<K>(all: Api<K>, reconcile: impl AsyncFn(K) -> Result<(), Error>)
where
    K: Clone + Debug + DeserializeOwned,
{
    loop {
        let ended = async {
            let mut events = pin!(all.watch(&WatchParams::default(), "0").await?);
            while let Some(event) = events.try_next().await? {
                match event {
                    WatchEvent::Added(one) | WatchEvent::Modified(one) => reconcile(one).await?,
                    WatchEvent::Error(error) => return Err(Error::Api(error)),
                    WatchEvent::Deleted(_) | WatchEvent::Bookmark(_) => {}
                }
            }
            Ok::<(), Error>(())
        };
        if let Err(error) = ended.await {
            tracing::warn!("the objects are read again: {error}");
        }
        // From the start: what could not be reconciled comes again.
        sleep(PAUSE).await;
    }
}
