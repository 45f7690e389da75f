//! Values that are compiled and also read from this text.

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

pub const BASE: u32 = 1 + 2 * 3;
pub const MASK: u32 = (1 << 4) | 3;
pub static NAME: &str = concat!("a", "-", 1, '-', true);
const PORTS: [u16; 2] = [80, 443];

mod deep {
    pub const LIMIT: i64 = -(super::BASE as i64) * 2;
    pub fn limit() -> i64 {
        LIMIT
    }
}
use deep::limit as renamed;

pub fn sum() -> u32 {
    BASE + MASK
}
pub fn aliased() -> i64 {
    renamed()
}
pub fn largest() -> u64 {
    u64::MAX
}
pub fn smallest() -> i64 {
    i64::MIN
}
pub fn shorter() -> u16 {
    u16::MAX / 2 - 7 % 4
}
pub fn half() -> f32 {
    0.1
}
pub fn third() -> f64 {
    1.0 / 3.0
}
pub fn whole() -> f64 {
    4 as f64
}
pub fn name() -> String {
    NAME.to_string()
}
pub fn joined() -> String {
    ["a", "B"].join("-").to_lowercase() + &"xy ".trim().repeat(2).replace('x', "z")
}
pub fn power() -> i64 {
    5_i64.pow(2).max(7).min(1_000)
}
pub fn by_cfg() -> bool {
    cfg!(all(unix, not(windows), target_pointer_width = "64"))
}
pub fn map_of_defaults() -> BTreeMap<String, Vec<u8>> {
    BTreeMap::from([("key".to_owned(), Default::default())])
}
pub fn left_early() -> std::collections::VecDeque<u8> {
    return Default::default();
}
pub fn letter() -> char {
    'x'
}
pub fn both() -> bool {
    !false && BASE > 3 && NAME != "b"
}
pub fn ports() -> Vec<u16> {
    PORTS.to_vec()
}
pub fn repeated() -> [u8; 3] {
    [7; 3]
}
pub fn words() -> Vec<String> {
    vec![
        "a".into(),
        String::from("b"),
        "c".to_owned(),
        'd'.to_string(),
    ]
}
pub fn mapped() -> Vec<String> {
    ["x", "y"].iter().map(|word| word.to_string()).collect()
}
pub fn mapped_by_name() -> Vec<String> {
    ["x", "y"].into_iter().map(String::from).collect()
}
pub fn sorted() -> BTreeSet<String> {
    ["b", "a", "b"].map(String::from).into_iter().collect()
}
pub fn table() -> BTreeMap<String, i32> {
    BTreeMap::from([("b".to_string(), 2), ("a".to_string(), -1)])
}
pub fn grown() -> HashMap<String, bool> {
    let mut map = HashMap::new();
    map.insert("on".to_string(), true);
    map.insert("off".into(), false);
    map
}
pub fn pushed() -> Vec<u8> {
    let mut list = Vec::new();
    list.push(1);
    list.push(2);
    list
}
pub fn some() -> Option<u8> {
    Some(3)
}
pub fn none() -> Option<String> {
    None
}
pub fn wrapped() -> Option<String> {
    Some("x".into())
}
pub fn boxed() -> Box<Option<Box<str>>> {
    Box::new(Some("x".into()))
}
pub fn borrowed() -> Cow<'static, str> {
    Cow::Borrowed("x")
}
pub fn converted() -> Cow<'static, str> {
    "x".into()
}
pub fn pair() -> (u8, String) {
    (1, "x".into())
}
pub fn nothing() {}
pub fn path() -> PathBuf {
    PathBuf::from("/tmp")
}
pub fn address() -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1))
}
pub fn local() -> Ipv6Addr {
    Ipv6Addr::LOCALHOST
}
pub fn port() -> NonZeroU16 {
    NonZeroU16::new(8080).unwrap()
}
pub fn timeout() -> Duration {
    Duration::from_millis(1_500)
}
pub fn anything() -> Value {
    json!({ "a": [1, null, BASE], "b": { NAME: -0.5 }, "c": words() })
}
pub fn defaulted() -> (u8, String, Option<u8>, Vec<u8>, bool) {
    Default::default()
}
pub fn quantity() -> Quantity {
    Quantity("100Mi".into())
}
pub fn port_number() -> IntOrString {
    IntOrString::Int(80)
}
pub fn port_name() -> Option<IntOrString> {
    Some(IntOrString::String("http".to_string()))
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Point {
    pub x: i32,
    pub y: i32,
    pub label: Option<String>,
}

impl Point {
    pub const ORIGIN: Self = Self {
        x: 0,
        y: 0,
        label: None,
    };

    pub fn at(x: i32, y: i32) -> Self {
        let label = Some("at".to_string());
        Self { x, y, label }
    }

    pub fn moved() -> Point {
        Point {
            x: Self::ORIGIN.x + 1,
            ..Point::at(5, 6)
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Name(pub String);

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.to_string())
    }
}

impl Default for Name {
    fn default() -> Self {
        Self("anonymous".to_string())
    }
}

#[derive(Clone, Copy)]
enum Unit {
    Minutes,
    Seconds,
}

impl Unit {
    const fn millis(self, times: u64) -> u64 {
        match self {
            Self::Minutes => 60 * Self::Seconds.millis(times),
            Self::Seconds => 1000 * times,
        }
    }

    const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Seconds, _) => other,
            _ => self,
        }
    }
}

pub fn in_units() -> u64 {
    Unit::Seconds.or(Unit::Minutes).millis(BASE as u64 + 1)
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Generic<T> {
    pub value: T,
    pub all: Vec<T>,
}

pub fn origin() -> Point {
    Point::ORIGIN
}
pub fn at() -> Point {
    Point::at(-1, 2)
}
pub fn moved() -> Point {
    Point::moved()
}
pub fn point() -> Point {
    Point::default()
}
pub fn named() -> Name {
    "x".into()
}
pub fn anonymous() -> Name {
    Name::default()
}
pub fn generic() -> Generic<Name> {
    Generic {
        value: "v".into(),
        all: vec!["a".into(), Default::default()],
    }
}
pub fn generic_default() -> Generic<Point> {
    Generic::default()
}
pub fn names() -> Vec<Name> {
    vec![Name::from("a"), Default::default()]
}
