//! Conversion of types that are the same in every version, and of containers.

use super::{Convert, Unconvertible, same};
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
    fn convert(self) -> Result<Option<B>, Unconvertible> {
        self.map(A::convert).transpose()
    }
}

impl<A: Convert<B>, B> Convert<Box<B>> for Box<A> {
    fn convert(self) -> Result<Box<B>, Unconvertible> {
        (*self).convert().map(Box::new)
    }
}

impl<A: Convert<B>, B> Convert<Vec<B>> for Vec<A> {
    fn convert(self) -> Result<Vec<B>, Unconvertible> {
        let items = self.into_iter().enumerate();
        items
            .map(|(index, item)| {
                item.convert()
                    .map_err(|error| error.at(format!("[{index}]")))
            })
            .collect()
    }
}

impl<A: Convert<B>, B> Convert<BTreeMap<String, B>> for BTreeMap<String, A> {
    fn convert(self) -> Result<BTreeMap<String, B>, Unconvertible> {
        self.into_iter().map(entry).collect()
    }
}

impl<A: Convert<B>, B, S: std::hash::BuildHasher + Default> Convert<HashMap<String, B, S>>
    for HashMap<String, A, S>
{
    fn convert(self) -> Result<HashMap<String, B, S>, Unconvertible> {
        self.into_iter().map(entry).collect()
    }
}

fn entry<A: Convert<B>, B>((key, value): (String, A)) -> Result<(String, B), Unconvertible> {
    match value.convert() {
        Ok(value) => Ok((key, value)),
        Err(error) => Err(error.at(key)),
    }
}
