//! The conditions and the readiness of Kubernetes' own kinds, which many objects have as children.

use super::{AnyCondition, ConditionType, HasConditions, Reason, State, Status};
use k8s_openapi::api::apps::v1::{
    DaemonSet, DaemonSetCondition, DaemonSetSpec, Deployment, DeploymentCondition, DeploymentSpec,
    StatefulSet, StatefulSetCondition, StatefulSetSpec,
};
use k8s_openapi::api::batch::v1::{Job, JobCondition};
use k8s_openapi::api::core::v1::{Node, NodeCondition, Pod, PodCondition};

/// A text that may be optional: which are, differs between the versions of Kubernetes.
trait Text {
    fn text(&self) -> &str;
}

impl Text for String {
    fn text(&self) -> &str {
        self
    }
}

impl Text for Option<String> {
    fn text(&self) -> &str {
        self.as_deref().unwrap_or_default()
    }
}

/// A value that may be optional, for the same reason.
trait Given<T> {
    fn given(&self) -> Option<&T>;
}

impl<T> Given<T> for T {
    fn given(&self) -> Option<&T> {
        Some(self)
    }
}

impl<T> Given<T> for Option<T> {
    fn given(&self) -> Option<&T> {
        self.as_ref()
    }
}

/// Implements both traits for a kind and its condition. Only some kinds have the generation that they have observed, in the
/// status, and only some conditions one of their own.
macro_rules! kind {
    ($kind:ident $(, $observed:ident)?; $condition:ident $(, $own:ident)?) => {
        impl AnyCondition for $condition {
            fn type_(&self) -> &str {
                self.type_.text()
            }

            fn status(&self) -> Status {
                Status::read(self.status.text())
            }

            fn reason(&self) -> &str {
                self.reason.text()
            }

            fn message(&self) -> &str {
                self.message.text()
            }

            $(fn observed_generation(&self) -> Option<i64> {
                self.$own
            })?
        }

        impl HasConditions for $kind {
            type Condition = $condition;

            fn conditions(&self) -> &[$condition] {
                let status = self.status.as_ref();
                let conditions = status.and_then(|status| status.conditions.as_deref());
                conditions.unwrap_or_default()
            }

            fn generation(&self) -> Option<i64> {
                self.metadata.generation
            }

            $(fn observed_generation(&self) -> Option<i64> {
                self.status.as_ref()?.$observed
            })?
        }
    };
}

kind!(DaemonSet, observed_generation; DaemonSetCondition);
kind!(Deployment, observed_generation; DeploymentCondition);
kind!(Job; JobCondition);
kind!(Node; NodeCondition);
kind!(Pod, observed_generation; PodCondition, observed_generation);
kind!(StatefulSet, observed_generation; StatefulSetCondition);

/// Whether a child does its work, by the rules of `kubectl rollout status` and, for a Job, whether it is complete. StatefulSets
/// and DaemonSets have no conditions for it, only numbers.
pub trait Readiness {
    /// The state, for a condition of the parent or for [`summary_of_children`](super::summary_of_children).
    fn readiness(&self) -> State;
}

const PROGRESSING: ConditionType = ConditionType::positive("Progressing");
const COMPLETE: ConditionType = ConditionType::positive("Complete");
const FAILED: ConditionType = ConditionType::negative("Failed");
const READY: ConditionType = ConditionType::positive("Ready");

impl Readiness for Deployment {
    fn readiness(&self) -> State {
        let Some(status) = seen(self.generation(), self.status.as_ref(), |status| {
            status.observed_generation
        }) else {
            return unseen();
        };
        if PROGRESSING.is_false(self) {
            return super::mirror(self, PROGRESSING);
        }
        let spec: Option<&DeploymentSpec> = self.spec.given();
        let spec = spec.and_then(|spec| spec.replicas);
        let wanted = spec.unwrap_or(1);
        let updated = status.updated_replicas.unwrap_or_default();
        let available = status.available_replicas.unwrap_or_default();
        let all = status.replicas.unwrap_or_default();
        match (updated >= wanted && all <= updated, available >= updated) {
            (false, _) => progress("updated", updated, wanted),
            (true, false) => progress("available", available, wanted),
            (true, true) => ready("available", available),
        }
    }
}

impl Readiness for StatefulSet {
    fn readiness(&self) -> State {
        let Some(status) = seen(self.generation(), self.status.as_ref(), |status| {
            status.observed_generation
        }) else {
            return unseen();
        };
        let spec: Option<&StatefulSetSpec> = self.spec.given();
        let wanted = spec.and_then(|spec| spec.replicas).unwrap_or(1);
        let strategy = spec.and_then(|spec| spec.update_strategy.as_ref());
        let rolling = strategy.and_then(|strategy| strategy.rolling_update.as_ref());
        let partition = rolling.and_then(|rolling| rolling.partition).unwrap_or(0);
        let is_updated_by_hand =
            strategy.and_then(|strategy| strategy.type_.as_deref()) == Some("OnDelete");
        let updates = match is_updated_by_hand || status.update_revision == status.current_revision
        {
            true => 0,
            false => wanted.saturating_sub(partition),
        };
        let updated = status.updated_replicas.unwrap_or_default();
        let available = status.ready_replicas.unwrap_or_default();
        match (updated >= updates, available >= wanted) {
            (false, _) => progress("updated", updated, updates),
            (true, false) => progress("ready", available, wanted),
            (true, true) => ready("ready", available),
        }
    }
}

impl Readiness for DaemonSet {
    fn readiness(&self) -> State {
        let Some(status) = seen(self.generation(), self.status.as_ref(), |status| {
            status.observed_generation
        }) else {
            return unseen();
        };
        let spec: Option<&DaemonSetSpec> = self.spec.given();
        let strategy = spec.and_then(|spec| spec.update_strategy.as_ref());
        let is_updated_by_hand =
            strategy.and_then(|strategy| strategy.type_.as_deref()) == Some("OnDelete");
        let wanted = status.desired_number_scheduled;
        let updated = status.updated_number_scheduled.unwrap_or_default();
        let available = status.number_available.unwrap_or_default();
        match (is_updated_by_hand || updated >= wanted, available >= wanted) {
            (false, _) => progress("updated", updated, wanted),
            (true, false) => progress("available", available, wanted),
            (true, true) => ready("available", available),
        }
    }
}

impl Readiness for Job {
    fn readiness(&self) -> State {
        if COMPLETE.is_true(self) {
            return super::mirror(self, COMPLETE);
        }
        match FAILED.find(self) {
            Some(failed) if failed.status() == Status::True => State {
                status: Status::False,
                ..State::of(failed)
            },
            _ => State::pending("the job is not complete"),
        }
    }
}

impl Readiness for Pod {
    fn readiness(&self) -> State {
        super::mirror(self, READY)
    }
}

/// The status, if the kind's controller has seen the generation of the object.
fn seen<S>(
    generation: Option<i64>,
    status: Option<&S>,
    observed: impl Fn(&S) -> Option<i64>,
) -> Option<&S> {
    status.filter(|status| observed(status).unwrap_or_default() >= generation.unwrap_or_default())
}

fn unseen() -> State {
    State::pending("the generation has not been observed")
}

fn progress(what: &str, there: i32, wanted: i32) -> State {
    const PROGRESSING: Reason = Reason::from_static("Progressing");
    let message = format!("{there} of {wanted} are {what}");
    State::new(Status::False, PROGRESSING, message)
}

fn ready(what: &str, there: i32) -> State {
    const READY: Reason = Reason::from_static("Ready");
    State::new(Status::True, READY, format!("{there} are {what}"))
}
