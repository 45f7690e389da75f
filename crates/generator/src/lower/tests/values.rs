//! Values that are compiled, and read from the same text.

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
pub fn of_variables() -> u16 {
    let base = 300;
    let more = base + 7;
    more * 2
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
        "d".to_string(),
    ]
}
pub fn mapped() -> Vec<String> {
    ["x", "y"].iter().map(|word| word.to_string()).collect()
}
pub fn mapped_by_name() -> Vec<String> {
    ["x", "y"].into_iter().map(String::from).collect()
}
pub fn mapped_to_names() -> Vec<Name> {
    NAMES
        .iter()
        .map(|name| Name(format!("{name}.example")))
        .collect()
}
const NAMES: &[&str] = &["b", "a"];
const fn number<const N: i64, const UP: bool>(by: i64) -> i64 {
    N + by
}
fn chosen<const C: char>() -> Option<char> {
    Some(C)
}
pub fn by_constants() -> (i64, Option<char>) {
    (number::<-3, true>(BASE as i64), chosen::<'x'>())
}
pub fn not_zero() -> (NonZeroU16, Option<NonZeroU16>) {
    let one = Some(NonZeroU16::new(1).expect("it is not zero"));
    (NonZeroU16::new(8080).unwrap(), one)
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
pub fn noted() -> HashMap<String, u8> {
    let mut map = HashMap::new();
    let _ = map.insert("on".to_string(), 1);
    let _ = (&map, "on");
    let _ = map.insert("on".to_string(), 2);
    map
}
pub fn by_feature() -> u16 {
    #[cfg(target_os = "none")]
    const PORT: u16 = 8443;
    #[cfg(not(target_os = "none"))]
    const PORT: u16 = 8080;
    PORT
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
pub fn unset() -> Option<String> {
    std::env::var("CRD_CHANNELS_IS_NOT_SET").ok()
}
pub fn unset_or() -> String {
    std::env::var("CRD_CHANNELS_IS_NOT_SET").unwrap_or("here".to_owned())
}
pub fn unset_or_else() -> String {
    std::env::var("CRD_CHANNELS_IS_NOT_SET").unwrap_or_else(|_| format!("{}-{}", "a", 1))
}
pub fn unset_or_default() -> String {
    std::env::var("CRD_CHANNELS_IS_NOT_SET").unwrap_or_default()
}
pub fn unset_number() -> u16 {
    std::env::var("CRD_CHANNELS_IS_NOT_SET")
        .ok()
        .and_then(|port| port.parse().ok())
        .unwrap_or(8080)
}
pub fn unset_chosen() -> String {
    match std::env::var("CRD_CHANNELS_IS_NOT_SET") {
        Ok(value) if !value.is_empty() => value,
        Ok(_) | Err(std::env::VarError::NotUnicode(_)) => "empty".into(),
        Err(_) => "none".into(),
    }
}
pub fn unset_let() -> String {
    if let Ok(value) = std::env::var("CRD_CHANNELS_IS_NOT_SET") {
        return value;
    }
    option_env!("CRD_CHANNELS_IS_NOT_SET")
        .unwrap_or("built without")
        .to_string()
}
pub fn unset_tried() -> Option<String> {
    let home = std::env::var_os("CRD_CHANNELS_IS_NOT_SET")?;
    Some(home.to_string_lossy().to_string())
}
pub fn unset_is() -> bool {
    std::env::var("CRD_CHANNELS_IS_NOT_SET").is_ok()
        || std::env::var("CRD_CHANNELS_IS_NOT_SET")
            .map(|v| v == "1")
            .unwrap_or(false)
}
pub fn unset_mapped() -> String {
    std::env::var("CRD_CHANNELS_IS_NOT_SET")
        .map_err(|_| "lost")
        .or_else(|words| Ok::<_, ()>(words.to_string()))
        .map(|words| words + "!")
        .unwrap()
}
pub fn of_options() -> Vec<u32> {
    let none: Option<u32> = None;
    let some = Some(3_u32);
    vec![
        none.unwrap_or(1),
        none.or(some).unwrap_or_default(),
        some.map(|x| x * 2).unwrap_or_else(|| 9),
        some.filter(|x| *x > 3).map_or(7, |x| x + 1),
        some.and_then(|x| Some(x + 4)).unwrap_or(5),
        none.ok_or("gone").unwrap_or(8),
        none.unwrap_or_default(),
        true.then(|| 4).unwrap_or(0),
        false.then_some(4_u8).map_or_else(|| 6, u32::from),
    ]
}
pub fn parsed() -> (u16, bool, IpAddr, f64, Option<i8>) {
    (
        "8080".parse().unwrap(),
        "true".parse::<bool>().expect("it is one"),
        "::1".parse().unwrap(),
        "1.5".parse().unwrap_or(0.0),
        "300".parse().ok(),
    )
}
pub fn turned() -> Vec<String> {
    ["a", "b"].iter().map(ToString::to_string).collect()
}
pub fn paired() -> Vec<String> {
    [("a", 1), ("b", 2)]
        .iter()
        .map(|(name, n)| format!("{name}{n}"))
        .collect()
}
pub fn mapped_to_variants() -> Vec<Option<u8>> {
    [1, 2].into_iter().map(Some).collect()
}
pub fn epoch() -> std::time::SystemTime {
    std::time::SystemTime::UNIX_EPOCH
}
pub fn version_free() -> bool {
    option_env!("CARGO_PKG_NAME").is_some()
}
pub fn bound() -> String {
    let (a, mut b) = ("a".to_string(), 2);
    let Some(c) = Some(3) else {
        return "none".to_owned();
    };
    let Ok(d) = std::env::var("CRD_CHANNELS_IS_NOT_SET") else {
        b = b + 1;
        return format!("{a}{b}{c}");
    };
    d
}
pub fn changed() -> Vec<u8> {
    let mut list = vec![1, 2];
    list.extend([3, 4]);
    list.insert(0, 9);
    list.remove(1);
    list.append(&mut vec![7]);
    debug_assert!(list.len() == 5);
    list.pop();
    list.reverse();
    list
}
pub fn by_parts() -> Point {
    Point {
        x: 1,
        #[cfg(target_pointer_width = "64")]
        y: 2,
        #[cfg(not(target_pointer_width = "64"))]
        y: 3,
        ..Point::at(5, 6)
    }
}
pub fn by_arms() -> Vec<u8> {
    let x = match 1 {
        #[cfg(target_os = "none")]
        1 => 5,
        1 => 6,
        _ => 7,
    };
    vec![x, 8]
}
pub fn started() -> Vec<String> {
    IntoIterator::into_iter(["a", "b"])
        .map(ToOwned::to_owned)
        .collect()
}
pub fn borrowed_parts() -> Point {
    let mut point = Point::at(1, 2);
    let x = &mut point.x;
    *x = 5;
    let whole = &mut point;
    whole.y = 6;
    whole.label = Some("set".to_owned());
    point
}
pub fn looped() -> Vec<String> {
    let mut names = Vec::new();
    for (index, name) in ["a", "b", "c"].iter().enumerate() {
        if index != 1 {
            names.push(format!("{name}{index}"));
        }
    }
    for n in 0..2 {
        names.push(n.to_string());
    }
    let mut more = vec!["x".to_owned()];
    names.append(&mut more);
    names.extend(more);
    names
}
pub fn gone_through() -> Vec<u32> {
    let all = [1_u32, 2, 3, 4];
    let mut made: Vec<u32> = all.iter().filter(|x| *x % 2 == 0).copied().collect();
    made.push(all.iter().sum());
    made.push((1..=3).map(|x| x * x).sum());
    made.extend(all.iter().rev().take(2).chain([9].iter()).copied());
    made.push(all.iter().zip([5, 6]).map(|(a, b)| a * b).sum());
    made.push(all.iter().find(|x| **x > 2).copied().unwrap_or(0));
    made.push(all.iter().position(|x| *x == 4).map_or(0, |at| at as u32));
    made.push(u32::from(
        all.iter().any(|x| *x > 3) && !all.iter().all(|x| *x > 3),
    ));
    made.extend(
        ["1", "x", "3"]
            .iter()
            .filter_map(|text| text.parse::<u32>().ok()),
    );
    made.extend([Some(7), None].into_iter().flatten());
    made
}
pub fn gathered() -> (String, Option<Vec<u8>>, Vec<u8>, Vec<u8>, usize) {
    let words = ["a", "b"].iter().map(|w| w.to_string());
    let text = words.collect::<String>();
    let none: Option<Vec<u8>> = [Some(1), None].into_iter().collect();
    let read: Result<Vec<u8>, ()> = [1_u8, 2].into_iter().map(Ok).collect();
    let all = ["1", "2"]
        .iter()
        .map(|n| n.parse::<u8>())
        .collect::<Result<Vec<_>, _>>();
    let some = [Some(1_u8), Some(2)].into_iter().collect::<Vec<_>>();
    (text, none, read.unwrap(), all.unwrap(), some.len())
}
pub fn seen_elsewhere() -> Vec<u8> {
    let a = 1;
    let first = if let (Some(a), true) = (Some(2), false) {
        a
    } else {
        a
    };
    let second = if let Some(a) = Some(3)
        && a > 5
    {
        a
    } else {
        a
    };
    let (Some(a), None) = (Some(4), Some(5)) else {
        return vec![first, second, a];
    };
    vec![a]
}
pub fn fitting() -> Vec<Tag> {
    vec![
        Tag::from(1_u32),
        Tag::from("x"),
        Tag::from(true),
        Tag::from(Point::at(7, 8)),
    ]
}
pub fn through_a_borrow() -> (usize, i32, i32) {
    let mut list = vec![1, 2];
    let mut point = Point::at(3, 4);
    let r = &mut list;
    let length = r.len();
    r.push(3);
    let p = &mut point;
    let x = p.x;
    p.y = 6;
    (length + list.len(), x, point.y)
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

#[derive(Clone, Debug, Serialize)]
pub struct Tag(String);

impl From<bool> for Tag {
    fn from(value: bool) -> Self {
        Tag(format!("bool {value}"))
    }
}

impl From<Point> for Tag {
    fn from(point: Point) -> Self {
        Tag(format!("point {}", point.x))
    }
}

impl From<u32> for Tag {
    fn from(value: u32) -> Self {
        Tag(format!("number {value}"))
    }
}

impl From<&str> for Tag {
    fn from(value: &str) -> Self {
        Tag(format!("text {value}"))
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

pub fn looped_until() -> u32 {
    let mut n = 1;
    loop {
        n *= 3;
        if n > 50 {
            break n;
        }
    }
}
pub fn shown_in_columns() -> String {
    format!("{:>4}|{:<3}|{:^5}|{:03}|{:.2}", 1, 'a', "b", 7, 1.005)
}
