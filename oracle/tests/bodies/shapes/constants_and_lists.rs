// Functions with constants as parameters, lists that are made of lists, and numbers that are not zero.

//# constants_as_parameters
fn number<const N: u16>() -> u16 {
    N
}
const fn sum<const A: i64, const B: i64>(more: i64) -> i64 {
    A + B * 2 + more
}
fn flag<const V: bool>() -> Option<bool> {
    Some(V)
}
fn letters<const C: char>() -> Vec<char> {
    vec![C; 2]
}
fn through<const N: u16>() -> u16 {
    number::<5>() + N
}
fn a() -> u16 {
    number::<{ 80 * 2 }>()
}
fn b() -> i64 {
    sum::<-3, 4>(10)
}
SPEC a: u16 = a, b: i64 = b, c: u16 = number::<8080>, d: Option<bool> = flag::<true>, e: Vec<char> = letters::<'x'>, f: u16 = through::<7>

//# a_constant_parameter_hides_a_constant
const N: u8 = 1;
fn a<const N: u8>() -> u8 {
    N
}
fn b<const M: u8>() -> u8 {
    N + M
}
fn c<const M: u8>() -> u8 {
    const M: u8 = 9;
    M
}
fn d<const M: u8>() -> u8 {
    let M_ = M;
    M_
}
SPEC a: u8 = a::<2>, b: u8 = b::<3>, c: u8 = c::<4>, d: u8 = d::<5>

//# constants_of_types_and_functions
struct Limits<const N: u32>;
impl<const N: u32> Limits<N> {
    fn plus<const M: u32>() -> u32 {
        M
    }
    fn own() -> u32 {
        5
    }
}
const FIVE: u32 = 5;
fn times<const N: u32, T: Default>() -> T {
    T::default()
}
fn given<const N: u32>(n: u32) -> u32 {
    n - N
}
fn a() -> u32 {
    Limits::<3>::plus::<4>()
}
fn b() -> u32 {
    given::<FIVE>(7)
}
fn c() -> u32 {
    given::<{ FIVE }>(7)
}
fn d() -> u32 {
    times::<5, u32>()
}
fn e() -> u32 {
    <Limits<3>>::plus::<6>()
}
SPEC a: u32 = a, b: u32 = b, c: u32 = c, d: u32 = d, e: u32 = e, f: u32 = Limits::<1>::own

//# lists_of_texts
const NAMES: [&str; 3] = ["b", "a", "b"];
static WORDS: &[&str] = &["x", "y"];
struct Name(String);
fn a() -> Vec<String> {
    NAMES.iter().map(|name| name.to_string()).collect()
}
fn b() -> Vec<String> {
    WORDS.iter().map(ToString::to_string).collect::<Vec<_>>()
}
fn c() -> Vec<String> {
    ["a", concat!("b", 1)].into_iter().map(String::from).collect()
}
fn d() -> std::collections::VecDeque<String> {
    vec!["a", "a"].into_iter().map(Into::into).collect()
}
fn e() -> Vec<String> {
    let zone = "example";
    NAMES.iter().map(|name| format!("{name}.{zone}")).collect()
}
fn f() -> Vec<Option<u8>> {
    ["a", "b"].iter().map(|_name| Some(4)).collect()
}
fn g() -> Vec<String> {
    NAMES.map(str::to_owned).into_iter().collect()
}
fn h() -> std::collections::BTreeSet<String> {
    NAMES.iter().map(|name| name.to_string()).collect()
}
fn i() -> Vec<String> {
    "b a".split(' ').map(str::to_string).collect()
}
fn j() -> Vec<Vec<String>> {
    NAMES.iter().map(|a| WORDS.iter().map(|b| format!("{a}{b}")).collect()).collect()
}
SPEC a: Vec<String> = a, b: Vec<String> = b, c: Vec<String> = c, d: std::collections::VecDeque<String> = d, e: Vec<String> = e, f: Vec<Option<u8>> = f, g: Vec<String> = g, h: std::collections::BTreeSet<String> = h, i: Vec<String> = i, j: Vec<Vec<String>> = j

//# own_methods_of_lists
trait Own: Sized {
    fn map(&self, _: fn(&&str) -> String) -> std::vec::IntoIter<String> {
        vec!["own".to_string()].into_iter()
    }
}
impl<'a> Own for &std::slice::Iter<'a, &'static str> {}
impl<'a> Own for std::slice::Iter<'a, &'static str> {}
fn a() -> Vec<String> {
    (&["a"].iter()).map(|name| name.to_string()).collect()
}
SPEC a: Vec<String> = a

//# own_collect
trait Own: Iterator<Item = String> + Sized {
    fn collect(&mut self) -> Vec<String> {
        vec!["own".to_string()]
    }
}
impl<I: Iterator<Item = String>> Own for &mut I {}
fn a() -> Vec<String> {
    (&mut ["a"].iter().map(|name| name.to_string())).collect()
}
SPEC a: Vec<String> = a

//# own_string
mod own {
    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    pub struct Text(std::string::String);
    impl Text {
        pub fn from(text: &str) -> std::string::String {
            format!("own {text}")
        }
    }
}
use own::Text as String;
fn a() -> Vec<std::string::String> {
    ["a"].into_iter().map(String::from).collect()
}
SPEC a: Vec<std::string::String> = a

//# not_zero
use std::num::{NonZeroI64 as Id, NonZeroU8, NonZeroU16};
mod own {
    pub struct NonZeroU32;
    impl NonZeroU32 {
        pub fn new(n: u32) -> Option<u32> {
            Some(n + 1)
        }
    }
}
fn a() -> NonZeroU16 {
    NonZeroU16::new(8080).unwrap()
}
fn b() -> Option<NonZeroU8> {
    Some(NonZeroU8::new(2 + 1).expect("it is not zero"))
}
fn c() -> u32 {
    own::NonZeroU32::new(7).unwrap()
}
fn d() -> Id {
    Id::new(-9).unwrap()
}
fn e() -> std::num::NonZero<u8> {
    std::num::NonZero::new(7).unwrap()
}
fn f() -> NonZeroU8 {
    const N: u8 = 40;
    std::num::NonZeroU8::new(N).expect("it is not zero")
}
SPEC a: NonZeroU16 = a, b: Option<NonZeroU8> = b, c: u32 = c, d: Id = d, e: std::num::NonZero<u8> = e, f: NonZeroU8 = f

//# maps_and_sets_of_lists
use std::collections::LinkedList;
const PAIRS: &[(&str, &str)] = &[("b", "1"), ("a", "2"), ("b", "3")];
const PORTS: [(&str, u16); 2] = [("http", 80), ("https", 443)];
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    name: String,
    port: u16,
}
fn a() -> BTreeMap<String, String> {
    PAIRS.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}
fn b() -> BTreeSet<String> {
    ["b", "a", "b"].iter().map(|text| (*text).to_owned()).collect()
}
fn c() -> BTreeSet<String> {
    ["b".to_string(), "B".to_string(), "a".to_string()].into()
}
fn d() -> Vec<Port> {
    PORTS.iter().map(|(name, port)| Port { name: name.to_string(), port: *port }).collect()
}
fn e() -> HashMap<String, u16> {
    PORTS.into_iter().map(|(name, port)| (format!("{name}-port"), port)).collect()
}
fn f() -> BTreeMap<String, u8> {
    [("b".to_string(), 1), ("a".to_string(), 2), ("b".to_string(), 3)].into()
}
fn g() -> LinkedList<String> {
    ["a".to_owned(), "b".into()].into_iter().collect()
}
fn h() -> BTreeMap<u8, String> {
    [(1, "a")].into_iter().map(|(key, value)| (key, value.to_string())).collect()
}
fn i() -> BTreeSet<u8> {
    [3, 1, 3].into()
}
fn j() -> Vec<u16> {
    PORTS.iter().map(|(_, port)| *port).collect()
}
fn k() -> Vec<String> {
    [["a", "b"]].iter().map(|names| names.concat()).collect()
}
SPEC a: BTreeMap<String,String> = a, b: BTreeSet<String> = b, c: BTreeSet<String> = c, d: Vec<Port> = d, e: HashMap<String,u16> = e, f: BTreeMap<String,u8> = f, g: LinkedList<String> = g, h: BTreeMap<u8,String> = h, i: BTreeSet<u8> = i, j: Vec<u16> = j, k: Vec<String> = k

//# texts_and_addresses
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
const PORT: u16 = 8080;
#[derive(Clone, Copy)]
struct Meters(u8);
impl std::fmt::Display for Meters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} m", self.0)
    }
}
const FAR: Meters = Meters(5);
fn name() -> String {
    "a".into()
}
fn a() -> String {
    PORT.to_string() + "/tcp"
}
fn b() -> String {
    name() + "-" + concat!("b", 1)
}
fn c() -> String {
    FAR.to_string()
}
fn d() -> String {
    let n = 30u8;
    n.to_string() + "s"
}
fn e() -> String {
    name() + &name()
}
fn f() -> String {
    '*'.to_string()
}
fn g() -> String {
    1.50.to_string()
}
fn h() -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(10, 96, 0, 10))
}
fn i() -> Ipv4Addr {
    Ipv4Addr::new(10, 0, 0, u8::MAX)
}
fn j() -> IpAddr {
    IpAddr::V6(Ipv6Addr::LOCALHOST)
}
fn k() -> String {
    Some(5).unwrap().to_string()
}
SPEC a: String = a, b: String = b, c: String = c, d: String = d, e: String = e, f: String = f, g: String = g, h: IpAddr = h, i: Ipv4Addr = i, j: IpAddr = j, k: String = k
