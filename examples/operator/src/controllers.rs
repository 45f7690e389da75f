//! What becomes of the objects.

use crate::api::{Domain, Route};
use crate::operator::MANAGER;
use crate::status::{Accepted, DomainCondition, Programmed, Published, RouteCondition};
use crd_channels_runtime::conditions::StatusWriter;
use futures_util::StreamExt;
use k8s_openapi::NamespaceResourceScope;
use kube::runtime::controller::{Action, Controller};
use kube::runtime::watcher;
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::json;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// The pause after a failure.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs the controllers, for ever.
pub async fn run(client: &Client) {
    let all = watcher::Config::default;
    let routes = Controller::new(Api::<Route>::all(client.clone()), all());
    let routes = routes.run(reconcile_route, retry, Arc::new(client.clone()));
    let domains = Controller::new(Api::<Domain>::all(client.clone()), all());
    let domains = domains.run(reconcile_domain, retry, Arc::new(client.clone()));
    tokio::join!(routes.for_each(said), domains.for_each(said));
}

/// Says what failed; it is tried again.
async fn said<T, E: Error>(done: Result<T, E>) {
    if let Err(error) = done {
        tracing::warn!("{error}");
    }
}

async fn reconcile_route(route: Arc<Route>, client: Arc<Client>) -> Result<Action, kube::Error> {
    let fields = json!({ "rules": route.spec.rules.len() });
    let writer = StatusWriter::new(api(&client, &*route), MANAGER);
    let written = writer.apply::<RouteCondition>(&route, &fields, |conditions| {
        if route.spec.rules.is_empty() {
            conditions.set(
                RouteCondition::Accepted(Accepted::NoRules),
                "The route has no rules.",
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
    written.await?;
    Ok(Action::await_change())
}

async fn reconcile_domain(domain: Arc<Domain>, client: Arc<Client>) -> Result<Action, kube::Error> {
    let writer = StatusWriter::new(api(&client, &*domain), MANAGER);
    let written = writer.apply::<DomainCondition>(&domain, &(), |conditions| {
        conditions.set(DomainCondition::Published(Published::Published), "");
    });
    written.await?;
    Ok(Action::await_change())
}

/// The objects beside one.
fn api<K>(client: &Client, of: &K) -> Api<K>
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
{
    Api::namespaced(client.clone(), &of.namespace().unwrap_or_default())
}

/// What is done after a failure.
fn retry<K>(_: Arc<K>, _: &kube::Error, _: Arc<Client>) -> Action {
    Action::requeue(PAUSE)
}
