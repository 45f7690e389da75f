//# cidrs
fn pod_cidr() -> String {
    "10.244.0.0/16".to_owned()
}
fn cidrs() -> Vec<String> {
    (0..3).map(|n| format!("10.{n}.0.0/16")).collect()
}
fn dns() -> String {
    let base = "10.96.0.";
    base.to_string() + "10"
}
fn mask() -> u32 {
    !0u32 << 8
}
fn prefix() -> u8 {
    pod_cidr().split('/').nth(1).and_then(|bits| bits.parse().ok()).unwrap_or(24)
}
SPEC a: String = pod_cidr, b: Vec<String> = cidrs, c: String = dns, d: u32 = mask, e: u8 = prefix

//# service_ports
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Port {
    pub name: String,
    pub port: u16,
    #[serde(default)]
    pub protocol: Protocol,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Protocol {
    #[default]
    Tcp,
    Udp,
}
impl Port {
    fn tcp(name: &str, port: u16) -> Port {
        Port { name: name.to_string(), port, protocol: Protocol::Tcp }
    }
}
const WELL_KNOWN: &[(&str, u16)] = &[("http", 80), ("https", 443)];
fn ports() -> Vec<Port> {
    vec![Port::tcp("http", 80), Port { name: "dns".into(), port: 53, protocol: Protocol::Udp }]
}
fn known() -> Vec<Port> {
    WELL_KNOWN.iter().map(|(name, port)| Port::tcp(name, *port)).collect()
}
fn by_name() -> BTreeMap<String, u16> {
    WELL_KNOWN.iter().map(|&(name, port)| (name.to_string(), port)).collect()
}
fn udp_only() -> Vec<Port> {
    ports().into_iter().filter(|port| port.protocol == Protocol::Udp).collect()
}
SPEC a: Vec<Port> = ports, b: Vec<Port> = known, c: BTreeMap<String,u16> = by_name, d: Vec<Port> = udp_only

//# load_balancing
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Balancing {
    RoundRobin { sticky: bool },
    #[serde(rename_all = "camelCase")]
    ConsistentHash { header_name: String, table_size: u32 },
}
fn hashed() -> Balancing {
    Balancing::ConsistentHash { header_name: "x-user".to_owned(), table_size: 65_537 }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Weights([u8; 3]);
fn weights() -> Weights {
    Weights([50, 30, 20])
}
fn total() -> u32 {
    weights().0.iter().map(|w| u32::from(*w)).sum()
}
SPEC a: Balancing = hashed, b: Weights = weights, c: u32 = total

//# mesh_trait
trait Component {
    const NAME: &'static str;
    const PORT: u16 = 15_000;
    fn image() -> String {
        format!("mesh/{}:1.0", Self::NAME)
    }
}
struct Proxy;
struct Pilot;
impl Component for Proxy {
    const NAME: &'static str = "proxy";
}
impl Component for Pilot {
    const NAME: &'static str = "pilot";
    const PORT: u16 = 15_010;
}
fn proxy_image() -> String {
    Proxy::image()
}
fn pilot_image() -> String {
    <Pilot as Component>::image()
}
fn ports() -> Vec<u16> {
    vec![Proxy::PORT, Pilot::PORT]
}
SPEC a: String = proxy_image, b: String = pilot_image, c: Vec<u16> = ports

//# macro_defaults
macro_rules! default_fn {
    ($name:ident, $ty:ty, $value:expr) => {
        fn $name() -> $ty {
            $value
        }
    };
}
default_fn!(connect_timeout, u32, 5);
default_fn!(user_agent, String, concat!("mesh/", "1.0").to_string());
default_fn!(tags, Vec<String>, vec!["a".to_string(), "b".to_string()]);
macro_rules! map {
    ($($key:expr => $value:expr),* $(,)?) => {{
        let mut map = BTreeMap::new();
        $(map.insert($key.to_string(), $value.to_string());)*
        map
    }};
}
fn headers() -> BTreeMap<String, String> {
    map! { "x-a" => 1, "x-b" => true }
}
SPEC a: u32 = connect_timeout, b: String = user_agent, c: Vec<String> = tags, d: BTreeMap<String,String> = headers

//# lazy
use std::sync::LazyLock;
static DEFAULTS: LazyLock<BTreeMap<&'static str, u16>> = LazyLock::new(|| BTreeMap::from([("admin", 9901), ("health", 8081)]));
static HOSTS: LazyLock<Vec<String>> = LazyLock::new(|| vec!["a.example.com".to_string(), "b.example.com".to_string()]);
fn admin() -> u16 {
    DEFAULTS["admin"]
}
fn health() -> u16 {
    *DEFAULTS.get("health").unwrap()
}
fn hosts() -> Vec<String> {
    HOSTS.clone()
}
SPEC a: u16 = admin, b: u16 = health, c: Vec<String> = hosts

//# strings
fn upper() -> String {
    "eu-west".to_uppercase()
}
fn snake() -> String {
    "max-open-files".replace('-', "_")
}
fn trimmed() -> String {
    "  spaced ".trim().to_string()
}
fn pieces() -> Vec<String> {
    "a,b,c".split(',').map(str::to_string).collect()
}
fn banner() -> String {
    "=".repeat(3) + " ok " + &"=".repeat(3)
}
fn dotted() -> String {
    let mut s = String::new();
    for part in ["svc", "cluster", "local"] {
        if !s.is_empty() {
            s.push('.');
        }
        s.push_str(part);
    }
    s
}
fn padded() -> String {
    format!("{:04}-{:>5}", 42, "ab")
}
SPEC a: String = upper, b: String = snake, c: String = trimmed, d: Vec<String> = pieces, e: String = banner, f: String = dotted, g: String = padded

//# loops
fn squares() -> Vec<u32> {
    let mut list = Vec::with_capacity(4);
    for n in 1..=4 {
        list.push(n * n);
    }
    list
}
fn backoffs() -> Vec<u64> {
    let mut delay = 100;
    let mut all = vec![];
    while delay < 2_000 {
        all.push(delay);
        delay *= 2;
    }
    all
}
fn indexed() -> Vec<String> {
    ["a", "b"].iter().enumerate().map(|(i, s)| format!("{s}-{i}")).collect()
}
fn stepped() -> Vec<u8> {
    (0..10).step_by(3).collect()
}
fn grouped() -> BTreeMap<bool, Vec<u8>> {
    let mut map: BTreeMap<bool, Vec<u8>> = BTreeMap::new();
    for n in 1..=4 {
        map.entry(n % 2 == 0).or_default().push(n);
    }
    map
}
SPEC a: Vec<u32> = squares, b: Vec<u64> = backoffs, c: Vec<String> = indexed, d: Vec<u8> = stepped

//# deep
pub mod v1 {
    pub mod defaults {
        use super::super::*;
        pub const NAME: &str = "mesh";
        pub fn name() -> String {
            NAME.to_string()
        }
        pub fn qualified() -> String {
            format!("{}.{}", name(), super::SUFFIX)
        }
    }
    pub const SUFFIX: &str = "v1";
    pub use self::defaults::qualified;
}
use v1::defaults as d;
fn through() -> String {
    d::name() + "!"
}
SPEC a: String = v1::defaults::name, b: String = v1::qualified, c: String = through

//# env_independent
fn version() -> String {
    env!("CARGO_PKG_VERSION").to_string()
}
fn joined() -> String {
    concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION")).to_owned()
}
fn from_env() -> String {
    std::env::var("MESH_REGION_THAT_NOBODY_SETS").unwrap_or_else(|_| "eu".to_string())
}
fn option_env() -> String {
    option_env!("MESH_BUILD_THAT_NOBODY_SETS").unwrap_or("dev").into()
}
SPEC a: String = version, b: String = joined, c: String = from_env, d: String = option_env
