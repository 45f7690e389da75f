//! Conversion of types that are the same in every version, and of containers.

use super::{Convert, Plan, same};
use k8s_openapi::api::core::v1::{
    LocalObjectReference, ObjectReference, SecretKeySelector, SecretReference,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    Condition, LabelSelector, MicroTime, ObjectMeta, Time,
};
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap};

same!(
    (),
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    i8,
    i16,
    i32,
    i64,
    f32,
    f64,
    usize,
    isize,
    String
);
same!(Value, Map<String, Value>, BTreeSet<String>);
same!(Condition, IntOrString, LabelSelector, MicroTime);
same!(ObjectMeta, Quantity, RawExtension, Time);
same!(
    LocalObjectReference,
    ObjectReference,
    SecretKeySelector,
    SecretReference
);

impl<A: Convert<B>, B> Convert<Option<B>> for Option<A> {
    fn plan() -> Plan {
        A::plan()
    }
}

impl<A: Convert<B>, B> Convert<Box<B>> for Box<A> {
    fn plan() -> Plan {
        A::plan()
    }
}

impl<A: Convert<B>, B> Convert<Vec<B>> for Vec<A> {
    fn plan() -> Plan {
        Plan::list_of(A::plan())
    }
}

impl<A: Convert<B>, B> Convert<BTreeMap<String, B>> for BTreeMap<String, A> {
    fn plan() -> Plan {
        Plan::map_of(A::plan())
    }
}

impl<A: Convert<B>, B, S> Convert<HashMap<String, B, S>> for HashMap<String, A, S> {
    fn plan() -> Plan {
        Plan::map_of(A::plan())
    }
}
