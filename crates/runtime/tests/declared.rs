//! Conditions that are declared by derives: what is set for a reason, what deprecated types say, and lists of entries.

#![allow(clippy::unwrap_used, reason = "tests")]
#![allow(dead_code, reason = "some types are declared and never set")]

use crd_channels_runtime::conditions::{
    Condition, ConditionType, ConditionWriter, Conditions, OwnedEntries, Reason, Reasons, Status,
    StatusEntry,
};
use k8s_openapi::jiff::Timestamp;

/// The conditions of a listener, those of GEP-1364 among them.
#[derive(Clone, Debug, Conditions)]
enum ListenerCondition {
    /// The listener is valid enough to produce some configuration.
    #[condition(positive)]
    Accepted(AcceptedReason),
    /// Traffic flows when the status is read.
    #[condition(positive, optional)]
    Ready(ReadyReason),
    /// Another listener has the same host.
    #[condition(negative)]
    Conflicted(ConflictedReason),
    /// What `Accepted` was called.
    #[condition(positive, replaced_by = "Accepted", until = "v0.7.0")]
    #[deprecated = "replaced by `Accepted`, removed in v0.7.0"]
    Scheduled(AcceptedReason),
    /// The opposite of `Accepted`.
    #[condition(negative, replaced_by = "Accepted", until = "v0.7.0")]
    #[deprecated = "replaced by `Accepted`, removed in v0.7.0"]
    Detached(AcceptedReason),
}

/// The conditions that a controller adds.
#[derive(Clone, Debug, Conditions)]
#[conditions(domain = "example.com")]
enum OwnCondition {
    /// Too many requests.
    #[condition(negative)]
    Throttled(ConflictedReason),
    /// A word that Rust does not take.
    #[condition(positive, name = "TlsReady")]
    #[allow(clippy::upper_case_acronyms, reason = "no constant can have its name")]
    TLS(ReadyReason),
}

/// A platform that hands the runtime on: its users have no dependency of that name.
mod platform {
    pub use crd_channels_runtime as runtime;

    pub mod without {
        use super::runtime::conditions::{Conditions, Reasons};

        /// The conditions of a volume.
        #[derive(Clone, Debug, Conditions)]
        #[conditions(domain = "example.com", crate = super::runtime)]
        pub enum VolumeCondition {
            /// The volume is mounted.
            #[condition(positive)]
            Mounted(MountedReason),
        }

        /// Why a volume is mounted.
        #[derive(Clone, Debug, Reasons)]
        #[reasons(crate = super::runtime)]
        pub enum MountedReason {
            /// It is.
            #[reason(True)]
            Mounted,
        }
    }
}

#[test]
fn the_runtime_may_have_another_path() {
    use platform::without::{MountedReason, VolumeCondition};
    let condition = VolumeCondition::Mounted(MountedReason::Mounted);
    assert_eq!(condition.condition_type().name(), "example.com/Mounted");
    assert_eq!(condition.status_reason().status, Status::True);
}

/// Why a listener is accepted.
#[derive(Clone, Debug, Reasons)]
enum AcceptedReason {
    /// The listener is accepted.
    #[reason(True)]
    Accepted,
    /// The infrastructure is full.
    #[reason(False)]
    NoResources,
    /// The controller has not looked yet.
    #[reason(Unknown, name = "NotReconciled")]
    Pending,
    /// The code of the cloud.
    #[reason(False, code)]
    Code(String),
}

/// Why traffic flows.
#[derive(Clone, Debug, Reasons)]
enum ReadyReason {
    /// It flows.
    #[reason(True)]
    Ready,
}

/// Why a listener conflicts.
#[derive(Clone, Debug, Reasons)]
enum ConflictedReason {
    /// It has the host of another.
    #[reason(True)]
    HostnameConflict,
    /// It has none.
    #[reason(False)]
    NoConflicts,
}

const NOW: Timestamp = Timestamp::constant(1, 0);

/// The type, the status and the reason of each condition.
fn shown(conditions: &[Condition]) -> Vec<(&str, &str, &str)> {
    conditions
        .iter()
        .map(|of| (&*of.type_, &*of.status, &*of.reason))
        .collect()
}

#[test]
fn what_is_declared_is_what_is_on_the_wire() {
    let declared = |all: &[crd_channels_runtime::conditions::Declared]| -> Vec<&str> {
        all.iter().map(|declared| declared.of.name()).collect()
    };
    assert_eq!(
        declared(ListenerCondition::DECLARED),
        ["Accepted", "Ready", "Conflicted", "Scheduled", "Detached"]
    );
    assert_eq!(
        declared(OwnCondition::DECLARED),
        ["example.com/Throttled", "example.com/TlsReady"]
    );
    let accepted = ListenerCondition::DECLARED.first().unwrap();
    assert_eq!(accepted.of, ListenerCondition::ACCEPTED);
    assert_eq!(
        accepted.docs,
        "The listener is valid enough to produce some configuration."
    );
    let reasons = accepted.reasons.iter();
    let reasons: Vec<_> = reasons.map(|of| (of.name, of.status)).collect();
    assert_eq!(
        reasons,
        [
            (Some("Accepted"), Status::True),
            (Some("NoResources"), Status::False),
            (Some("NotReconciled"), Status::Unknown),
            (None, Status::False),
        ]
    );
    assert_eq!(
        ListenerCondition::CONFLICTED,
        ConditionType::negative("Conflicted")
    );
    assert_eq!(AcceptedReason::NO_RESOURCES.name, Some("NoResources"));
}

#[test]
fn positive_conditions_are_there_from_the_first_visit() {
    let unknown = "Unknown";
    let mut conditions = Vec::new();
    let writer = ConditionWriter::for_list::<ListenerCondition>(&mut conditions, 1);
    assert!(writer.finish());
    assert_eq!(
        shown(&conditions),
        [
            ("Accepted", unknown, "NotReconciled"),
            ("Scheduled", unknown, "NotReconciled"),
        ],
        "nobody uses the optional one"
    );
    let mut writer = ConditionWriter::for_list::<ListenerCondition>(&mut conditions, 1);
    writer.uses(ListenerCondition::READY);
    writer.uses(ListenerCondition::CONFLICTED);
    assert!(writer.finish());
    assert_eq!(
        shown(&conditions),
        [
            ("Accepted", unknown, "NotReconciled"),
            ("Scheduled", unknown, "NotReconciled"),
            ("Ready", unknown, "Pending"),
        ]
    );
}

/// Nobody knows anything at generation 2 but that the listener is accepted.
#[test]
fn what_a_controller_does_not_say_is_unknown() {
    let mut conditions = Vec::new();
    let mut writer = ConditionWriter::for_list::<OwnCondition>(&mut conditions, 1);
    writer.set(OwnCondition::TLS(ReadyReason::Ready), "It flows.");
    let throttled = OwnCondition::Throttled(ConflictedReason::HostnameConflict);
    writer.set(throttled.clone(), "");
    assert!(writer.finish());
    let both = [
        ("example.com/TlsReady", "True", "Ready"),
        ("example.com/Throttled", "True", "HostnameConflict"),
    ];
    assert_eq!(shown(&conditions), both);

    let mut kept = conditions.clone();
    let mut writer = ConditionWriter::for_list::<OwnCondition>(&mut kept, 2);
    let tls = ConditionType::positive("example.com/TlsReady");
    writer.keep(tls).keep(OwnCondition::THROTTLED);
    assert!(!writer.finish(), "both are what they were");
    assert_eq!(kept, conditions);

    let writer = ConditionWriter::for_list::<OwnCondition>(&mut conditions, 2);
    assert!(writer.finish());
    assert_eq!(
        shown(&conditions),
        [("example.com/TlsReady", "Unknown", "Pending")]
    );
    let there = conditions.first().unwrap();
    assert_eq!((there.observed_generation, &*there.message), (Some(2), ""));

    let mut optional = Vec::new();
    let mut writer = ConditionWriter::for_list::<ListenerCondition>(&mut optional, 1);
    writer.set(ListenerCondition::Ready(ReadyReason::Ready), "");
    assert!(writer.finish());
    let writer = ConditionWriter::for_list::<ListenerCondition>(&mut optional, 2);
    assert!(writer.finish());
    assert!(
        shown(&optional).contains(&("Ready", "Unknown", "Pending")),
        "an optional one that was used does not stay true"
    );
}

#[test]
fn a_deprecated_condition_says_what_replaces_it_says() {
    use ListenerCondition as Is;
    let mut conditions = Vec::new();
    let mut set = |reason: AcceptedReason| {
        let mut writer = ConditionWriter::for_list::<Is>(&mut conditions, 1);
        writer.set(Is::Accepted(reason), "");
        let _ = writer.finish();
        let shown = shown(&conditions);
        let shown = shown.into_iter();
        let shown = shown.map(|(of, status, reason)| format!("{of} {status} {reason}"));
        shown.collect::<Vec<_>>()
    };
    let neither = [
        "Accepted Unknown NotReconciled",
        "Scheduled Unknown NotReconciled",
    ];
    assert_eq!(set(AcceptedReason::Pending), neither);
    let accepted = ["Accepted True Accepted", "Scheduled True Accepted"];
    assert_eq!(set(AcceptedReason::Accepted), accepted, "not detached");
    let refused = [
        "Accepted False NoResources",
        "Scheduled False NoResources",
        "Detached True NoResources",
    ];
    assert_eq!(set(AcceptedReason::NoResources), refused);
    let unknown = [
        "Accepted Unknown NotReconciled",
        "Scheduled Unknown NotReconciled",
        "Detached Unknown NotReconciled",
    ];
    assert_eq!(set(AcceptedReason::Pending), unknown, "nobody can tell");
    assert_eq!(set(AcceptedReason::Accepted), accepted, "the error is over");
}

#[allow(deprecated, reason = "it is about a deprecated type")]
#[test]
fn a_deprecated_condition_that_is_set_leaves_its_replacement() {
    let mut conditions = Vec::new();
    let mut writer = ConditionWriter::for_list::<ListenerCondition>(&mut conditions, 1);
    writer.set(ListenerCondition::Scheduled(AcceptedReason::Accepted), "");
    assert_eq!(
        shown(&conditions),
        [
            ("Accepted", "Unknown", "NotReconciled"),
            ("Scheduled", "True", "Accepted"),
        ]
    );
}

#[test]
fn a_code_is_in_the_message_as_it_is() {
    let quota = "quota: exceeded (cpu)";
    let long = "x".repeat(40_000);
    let cut = format!("quota: exceeded (cpu): {long}")[..32_768].to_owned();
    for (code, message, written) in [
        (quota, "", quota),
        (quota, "try later", "quota: exceeded (cpu): try later"),
        (quota, &long, &cut),
        ("5", "50 certificates", "5: 50 certificates"),
        ("InternalServerError", "try later", "try later"),
    ] {
        let mut conditions = Vec::new();
        let mut writer = ConditionWriter::for_list::<ListenerCondition>(&mut conditions, 1);
        writer.set(
            ListenerCondition::Accepted(AcceptedReason::Code(code.to_owned())),
            message,
        );
        let accepted = conditions.first().unwrap();
        assert_eq!(accepted.message, written);
        assert_eq!(accepted.reason, Reason::of_code(code).as_str());
        assert_eq!(Status::of(accepted), Status::False);
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Parent {
    name: String,
    controller_name: String,
    conditions: Vec<Condition>,
}

impl StatusEntry for Parent {
    type Key = str;

    fn new(name: &str, controller_name: &str) -> Self {
        Self {
            name: name.to_owned(),
            controller_name: controller_name.to_owned(),
            conditions: Vec::new(),
        }
    }

    fn key(&self) -> &str {
        &self.name
    }

    fn controller_name(&self) -> Option<&str> {
        Some(&self.controller_name)
    }

    fn conditions(&mut self) -> &mut Vec<Condition> {
        &mut self.conditions
    }
}

#[test]
fn each_controller_writes_its_own_entries() {
    const OWN: &str = "example.com/edge";
    let mut parents = vec![Parent::new("web", "example.org/mesh")];
    let other = parents.clone();
    let reconcile = |parents: &mut Vec<Parent>, generation, named: &[&str]| {
        let mut entries = OwnedEntries::new(parents, OWN, Some(4));
        entries.at(NOW).observed_generation(generation);
        entries.retain(|name| named.contains(&name));
        for name in named {
            entries.write::<ListenerCondition>(name, |writer| {
                writer.uses(ListenerCondition::READY);
                writer.set(ListenerCondition::Accepted(AcceptedReason::Accepted), "");
            });
        }
        entries.has_changed()
    };
    let names = |parents: &[Parent]| -> Vec<String> {
        let own = parents
            .iter()
            .filter(|parent| parent.controller_name == OWN);
        own.map(|parent| parent.name.clone()).collect()
    };
    assert!(reconcile(&mut parents, 1, &["web", "api"]));
    assert_eq!(names(&parents), ["web", "api"]);
    let ready = ("Ready", "Unknown", "Pending");
    assert!(
        shown(&parents[1].conditions).contains(&ready),
        "an entry may have an optional condition"
    );
    assert!(!reconcile(&mut parents, 1, &["web", "api"]), "twice");
    assert!(reconcile(&mut parents, 2, &["web", "api"]), "a generation");
    assert!(reconcile(&mut parents, 2, &["api"]), "a parent is gone");
    assert_eq!(names(&parents), ["api"]);
    reconcile(&mut parents, 1, &[]);
    assert_eq!(names(&parents), ["api"], "that was seen before");
    assert!(reconcile(&mut parents, 3, &[]));
    assert_eq!(parents, other, "what another controller wrote stays");
}
