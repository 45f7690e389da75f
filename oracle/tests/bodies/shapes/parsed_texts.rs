// Values that are parsed from texts, lengths of texts, conversions of numbers, and patterns in statics.

//# urls
use url::Url;
fn u0() -> Url {
    Url::parse("https://acme-v02.api.example.org/directory").unwrap()
}
fn u1() -> Url {
    Url::parse("https://example.org").unwrap()
}
fn u2() -> Url {
    Url::parse("http://localhost:8080").unwrap()
}
fn u3() -> Url {
    Url::parse("http://localhost:8080/").unwrap()
}
fn u4() -> Url {
    Url::parse("https://a.b-c.example.org:6443/x/y_z/~u/v1.2?a=b&c=d-e").unwrap()
}
fn u5() -> Url {
    Url::parse("http://10.0.0.1:9000/minio").unwrap()
}
fn u6() -> Url {
    Url::parse("https://example.org//double//").unwrap()
}
fn u7() -> Url {
    Url::parse("https://example.org?x=1").unwrap()
}
fn u8() -> Url {
    Url::parse("https://example.org/?").unwrap()
}
fn u9() -> Url {
    Url::parse("https://example.org/a/.b/..c/d.").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
    #[serde(default = "u1")]
    #[schemars(with = "String")]
    pub f1: Url,
    #[serde(default = "u2")]
    #[schemars(with = "String")]
    pub f2: Url,
    #[serde(default = "u3")]
    #[schemars(with = "String")]
    pub f3: Url,
    #[serde(default = "u4")]
    #[schemars(with = "String")]
    pub f4: Url,
    #[serde(default = "u5")]
    #[schemars(with = "String")]
    pub f5: Url,
    #[serde(default = "u6")]
    #[schemars(with = "String")]
    pub f6: Url,
    #[serde(default = "u7")]
    #[schemars(with = "String")]
    pub f7: Url,
    #[serde(default = "u8")]
    #[schemars(with = "String")]
    pub f8: Url,
    #[serde(default = "u9")]
    #[schemars(with = "String")]
    pub f9: Url,
}

//# odd_url_0
use url::Url;
fn u0() -> Url {
    Url::parse("HTTPS://EXAMPLE.org/A").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_1
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org:443/a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_2
use url::Url;
fn u0() -> Url {
    Url::parse("http://example.org:80").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_3
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a/../b").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_4
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/./a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_5
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a b").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_6
use url::Url;
fn u0() -> Url {
    Url::parse("https://bücher.example/ä").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_7
use url::Url;
fn u0() -> Url {
    Url::parse("http://127.1/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_8
use url::Url;
fn u0() -> Url {
    Url::parse("http://0x7f.1/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_9
use url::Url;
fn u0() -> Url {
    Url::parse("https://user:pw@example.org/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_10
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a#b").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_11
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org:08080/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_12
use url::Url;
fn u0() -> Url {
    Url::parse("https://xn--bcher-kva.example/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_13
use url::Url;
fn u0() -> Url {
    Url::parse("postgres://u@h:5432/db").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_14
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/%7Ea/%2e%2e/b").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_15
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a'b?c'd").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_16
use url::Url;
fn u0() -> Url {
    Url::parse("mailto:a@example.org").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_17
use url::Url;
fn u0() -> Url {
    Url::parse("https://[::1]:80/a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_18
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/\\a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_19
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a|b").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_20
use url::Url;
fn u0() -> Url {
    Url::parse("https://-a.example.org/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_21
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org./a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_22
use url::Url;
fn u0() -> Url {
    Url::parse("https://a_b.example.org/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_23
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org:/a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_24
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a;b,c@d:e").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_25
use url::Url;
fn u0() -> Url {
    Url::parse("https://1.example.org2/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_26
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.3x/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_27
use url::Url;
fn u0() -> Url {
    Url::parse("https://example.org/a^b?c^d").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_28
use url::Url;
fn u0() -> Url {
    Url::parse("  https://example.org/a").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# odd_url_29
use url::Url;
fn u0() -> Url {
    Url::parse("https://a--b.example.org/").unwrap()
}
KIND
pub struct Spec {
    #[serde(default = "u0")]
    #[schemars(with = "String")]
    pub f0: Url,
}

//# urls_of_places
use url::Url;
const SERVER: &str = "https://example.org/api";
fn a() -> Url {
    SERVER.parse().expect("a URL")
}
fn b() -> Option<Url> {
    Some("http://minio.minio.svc:9000".parse::<Url>().unwrap())
}
fn c() -> Vec<Url> {
    vec![Url::parse(SERVER).unwrap(), SERVER.parse().unwrap()]
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    #[schemars(with = "String")]
    pub a: Url,
    #[serde(default = "b")]
    #[schemars(with = "Option<String>")]
    pub b: Option<Url>,
    #[serde(default = "c")]
    #[schemars(with = "Vec<String>")]
    pub c: Vec<Url>,
}

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
