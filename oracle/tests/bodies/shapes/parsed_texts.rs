// Values that are parsed from texts, lengths of texts, conversions of numbers, and patterns in statics.

//# addresses_of_texts
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
fn a() -> IpAddr {
    "0.0.0.0".parse().unwrap()
}
fn b() -> Ipv4Addr {
    "10.96.0.10".parse().expect("an address")
}
fn c() -> Ipv6Addr {
    "2001:DB8:0:0::1".parse().unwrap()
}
fn d() -> SocketAddr {
    "[::]:8080".parse().unwrap()
}
fn e() -> IpAddr {
    "::ffff:10.0.0.1".parse().unwrap()
}
fn f() -> Option<SocketAddr> {
    Some("127.0.0.1:9090".parse().unwrap())
}
SPEC a: IpAddr = a, b: Ipv4Addr = b, c: Ipv6Addr = c, d: SocketAddr = d, e: IpAddr = e, f: Option<SocketAddr> = f

//# numbers_of_texts
fn a() -> u16 {
    "80".parse().unwrap()
}
SPEC a: u16 = a

//# own_type_of_a_text
struct Port(u16);
impl std::str::FromStr for Port {
    type Err = ();
    fn from_str(_: &str) -> Result<Self, ()> {
        Ok(Port(7))
    }
}
fn a() -> u16 {
    "80".parse::<Port>().unwrap().0
}
fn b() -> u16 {
    "x".parse::<Port>().unwrap().0
}
SPEC a: u16 = a, b: u16 = b

//# own_parse
trait Own {
    fn parse(&self) -> Option<std::net::Ipv4Addr>;
}
impl Own for String {
    fn parse(&self) -> Option<std::net::Ipv4Addr> {
        Some(std::net::Ipv4Addr::LOCALHOST)
    }
}
const TEXT: String = String::new();
fn a() -> std::net::Ipv4Addr {
    TEXT.parse().unwrap()
}
SPEC a: std::net::Ipv4Addr = a

//# own_url
mod url {
    pub struct Url;
    impl Url {
        pub fn parse(_: &str) -> Option<String> {
            Some("own".to_string())
        }
    }
}
fn a() -> String {
    url::Url::parse("https://example.org/").unwrap()
}
SPEC a: String = a

//# nil
use uuid::Uuid;
KIND
pub struct Spec {
    #[serde(default)]
    #[schemars(with = "String")]
    pub a: Uuid,
    #[serde(default = "Uuid::default")]
    #[schemars(with = "String")]
    pub b: Uuid,
}

//# lengths
const PREFIX: &str = "tunnel-";
fn a() -> usize {
    "tunnel-".len()
}
fn b() -> usize {
    63 - PREFIX.len()
}
fn c() -> u32 {
    63 - "é".len() as u32
}
fn d() -> Option<usize> {
    Some(concat!("a", 1).len() * 2 + String::from("x").len())
}
fn e() -> u8 {
    (PREFIX.len() + 1) as u8
}
SPEC a: usize = a, b: usize = b, c: u32 = c, d: Option<usize> = d, e: u8 = e

//# lengths_of_others
fn a() -> usize {
    [1, 2, 3].len()
}
fn b() -> usize {
    vec!["a"; 4].len()
}
SPEC a: usize = a, b: usize = b

//# own_len
trait Own {
    fn len(self) -> usize;
}
impl Own for String {
    fn len(self) -> usize {
        99
    }
}
fn a() -> usize {
    String::from("x").len()
}
SPEC a: usize = a

//# lengths_of_schemas
use schemars::{Schema, SchemaGenerator, json_schema};
const PREFIX: &str = "env-";
fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "minLength": 1, "maxLength": (63 - "tunnel-".len()), "pattern": "^[a-z]+$" })
}
fn other(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "maxLength": 63 - PREFIX.len(), "minLength": PREFIX.len() })
}
KIND
pub struct Spec {
    #[schemars(schema_with = "name")]
    pub a: String,
    #[schemars(schema_with = "other")]
    pub b: String,
}

//# conversions
const PORT: u8 = 200;
fn a() -> u32 {
    u32::from(u8::MAX)
}
fn b() -> u64 {
    u64::from(PORT) * 1000
}
fn c() -> i64 {
    i64::from(-5)
}
fn d() -> u16 {
    u16::from(PORT + 1) + 100
}
fn e() -> i32 {
    i32::from(u16::MAX - 1)
}
fn f() -> u64 {
    let many = 300_u16;
    u64::from(many)
}
fn g() -> u128 {
    u128::from(u64::MAX)
}
SPEC a: u32 = a, b: u64 = b, c: i64 = c, d: u16 = d, e: i32 = e, f: u64 = f, g: u128 = g

//# other_conversions
fn a() -> u32 {
    u32::from('a')
}
SPEC a: u32 = a

//# conversions_of_booleans
fn a() -> u8 {
    u8::from(true)
}
SPEC a: u8 = a

//# own_conversions
struct Size(u32);
impl From<Size> for u32 {
    fn from(size: Size) -> u32 {
        size.0 * 7
    }
}
fn a() -> u32 {
    u32::from(Size(3))
}
SPEC a: u32 = a

//# calls_in_sums
const fn base() -> u16 {
    8000
}
fn shift(by: u16) -> u16 {
    by + 80
}
struct Ports;
impl Ports {
    const FIRST: u16 = 10;
    fn next(n: u16) -> u16 {
        n + Self::FIRST
    }
}
fn a() -> u16 {
    base() + 80
}
fn b() -> u32 {
    base() as u32 * 10 + u32::from(shift(1))
}
fn c() -> u16 {
    Ports::next(base()) - shift(2) * 2
}
const FAR: u16 = base() + 443;
fn d() -> u16 {
    FAR
}
fn e() -> [u8; 2] {
    [4; (3 - 1)]
}
SPEC a: u16 = a, b: u32 = b, c: u16 = c, d: u16 = d, e: [u8; 2] = e

//# generic_calls_in_sums
fn one<T: From<u8>>() -> T {
    T::from(1)
}
fn a() -> u16 {
    one::<u16>() + 1
}
SPEC a: u16 = a

//# limits_that_are_not_zero
use std::num::{NonZeroI8, NonZeroU16, NonZeroU32};
fn a() -> NonZeroU16 {
    NonZeroU16::MIN
}
fn b() -> Option<NonZeroU32> {
    Some(NonZeroU32::MAX)
}
fn c() -> NonZeroI8 {
    NonZeroI8::MIN
}
fn d() -> NonZeroU16 {
    std::num::NonZero::<u16>::MIN
}
SPEC a: NonZeroU16 = a, b: Option<NonZeroU32> = b, c: NonZeroI8 = c

//# patterns_in_statics
use regex::Regex;
use std::sync::LazyLock;
const NAME_TEXT: &str = "^[a-z]([-a-z0-9]*[a-z0-9])?$";
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(NAME_TEXT).unwrap());
static ZONE: once_cell::sync::Lazy<Regex> = once_cell::sync::Lazy::new(|| Regex::new(r"^[a-z]+\.[a-z]+$").expect("a pattern"));
KIND
pub struct Spec {
    #[schemars(regex(pattern = *NAME))]
    pub a: String,
    #[schemars(regex(pattern = *ZONE))]
    pub b: String,
}

//# patterns_that_are_made
use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;
static NAME: LazyLock<Regex> = LazyLock::new(|| RegexBuilder::new("^A$").case_insensitive(true).build().unwrap());
KIND
pub struct Spec {
    #[schemars(regex(pattern = *NAME))]
    pub a: String,
}

//# own_patterns
use std::sync::LazyLock;
pub struct Regex(&'static str);
impl Regex {
    fn new(_: &str) -> Option<Self> {
        Some(Regex("own"))
    }
}
impl std::fmt::Display for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new("^a$").unwrap());
KIND
pub struct Spec {
    #[schemars(regex(pattern = *NAME))]
    pub a: String,
}
