//! Objects that have conditions, and the conditions of other types than `metav1.Condition`.

use super::{Severity, Status};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// A condition of any kind of object: `metav1.Condition`, or one of the older types of Kubernetes' own kinds.
pub trait AnyCondition {
    /// Its type.
    fn type_(&self) -> &str;

    /// Its status.
    fn status(&self) -> Status;

    /// Its reason; empty if there is none.
    fn reason(&self) -> &str;

    /// Its message; empty if there is none.
    fn message(&self) -> &str;

    /// The generation that it was observed at.
    fn observed_generation(&self) -> Option<i64> {
        None
    }

    /// How serious a failure is, in models that have severities.
    fn severity(&self) -> Option<Severity> {
        None
    }
}

impl Status {
    /// The status of a condition.
    #[must_use]
    pub fn of(condition: &impl AnyCondition) -> Self {
        condition.status()
    }
}

impl AnyCondition for Condition {
    fn type_(&self) -> &str {
        &self.type_
    }

    fn status(&self) -> Status {
        Status::read(&self.status)
    }

    fn reason(&self) -> &str {
        &self.reason
    }

    fn message(&self) -> &str {
        &self.message
    }

    fn observed_generation(&self) -> Option<i64> {
        self.observed_generation
    }
}

/// An object with conditions, or a list of them. [`has_conditions!`](crate::has_conditions) implements it for a kind.
pub trait HasConditions {
    /// The type of the conditions.
    type Condition: AnyCondition;

    /// The conditions.
    fn conditions(&self) -> &[Self::Condition];

    /// `metadata.generation`; `None` for a list.
    fn generation(&self) -> Option<i64> {
        None
    }

    /// The generation of the conditions that have none of their own: `status.observedGeneration`, if the kind has it.
    fn observed_generation(&self) -> Option<i64> {
        None
    }
}

/// An object whose conditions can be set.
pub trait HasConditionsMut: HasConditions {
    /// The conditions. A status that is absent is added.
    fn conditions_mut(&mut self) -> &mut Vec<Self::Condition>;
}

impl<C: AnyCondition> HasConditions for [C] {
    type Condition = C;

    fn conditions(&self) -> &[C] {
        self
    }
}

impl<C: AnyCondition> HasConditions for Vec<C> {
    type Condition = C;

    fn conditions(&self) -> &[C] {
        self
    }
}

/// Implements [`HasConditions`](crate::conditions::HasConditions) and
/// [`HasConditionsMut`](crate::conditions::HasConditionsMut) for a kind as kube's `CustomResource` makes it, with
/// `metadata`, an optional `status` that has a default, and `status.conditions`. A condition of another type than
/// `metav1.Condition` comes after the kind: `has_conditions!(Certificate, SeverityCondition)`.
///
/// ```
/// use crd_channels_runtime::conditions::{Condition, ConditionType};
/// use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
///
/// #[derive(Default)]
/// struct Route {
///     metadata: ObjectMeta,
///     status: Option<RouteStatus>,
/// }
/// #[derive(Default)]
/// struct RouteStatus {
///     conditions: Vec<Condition>,
/// }
/// crd_channels_runtime::has_conditions!(Route);
///
/// assert!(!ConditionType::positive("Accepted").is_true(&Route::default()));
/// ```
#[macro_export]
macro_rules! has_conditions {
    ($kind:ty) => {
        $crate::has_conditions!($kind, $crate::conditions::Condition);
    };
    ($kind:ty, $condition:ty) => {
        impl $crate::conditions::HasConditions for $kind {
            type Condition = $condition;

            fn conditions(&self) -> &[$condition] {
                match &self.status {
                    Some(status) => &status.conditions,
                    None => &[],
                }
            }

            fn generation(&self) -> Option<i64> {
                self.metadata.generation
            }
        }

        impl $crate::conditions::HasConditionsMut for $kind {
            fn conditions_mut(&mut self) -> &mut Vec<$condition> {
                &mut self.status.get_or_insert_with(Default::default).conditions
            }
        }
    };
}
