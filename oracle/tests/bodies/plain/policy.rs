//# rules_of_rbac
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    #[serde(default)]
    pub api_groups: Vec<String>,
    pub resources: Vec<String>,
    pub verbs: Vec<String>,
}
fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|s| s.to_string()).collect()
}
fn rules() -> Vec<Rule> {
    vec![
        Rule { api_groups: strings(&[""]), resources: strings(&["pods", "services"]), verbs: strings(&["get", "list", "watch"]) },
        Rule { resources: strings(&["events"]), verbs: strings(&["create"]), ..Rule::default() },
    ]
}
fn verbs() -> Vec<String> {
    let mut verbs: Vec<String> = rules().into_iter().flat_map(|rule| rule.verbs).collect();
    verbs.sort();
    verbs.dedup();
    verbs
}
fn resources() -> usize {
    rules().iter().map(|rule| rule.resources.len()).sum()
}
SPEC a: Vec<Rule> = rules, b: Vec<String> = verbs, c: usize = resources

//# levels
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Trace,
    Debug,
    #[default]
    Info,
    Warn,
}
impl Level {
    pub const fn as_str(&self) -> &'static str {
        match self {
            Level::Trace => "trace",
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
        }
    }
}
fn filter() -> String {
    format!("{},hyper={}", Level::default().as_str(), Level::Warn.as_str())
}
fn level() -> Level {
    Level::Warn
}
fn all() -> Vec<Level> {
    use Level::*;
    vec![Trace, Debug, Info, Warn]
}
fn verbose() -> bool {
    Level::default() < Level::Info
}
SPEC a: String = filter, b: Level = level, c: Vec<Level> = all, d: bool = verbose

//# mode_with_display
#[derive(Clone, Copy, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    Enforce,
    DryRun,
}
impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mode::Enforce => write!(f, "enforce"),
            Mode::DryRun => write!(f, "dry-run"),
        }
    }
}
fn mode() -> String {
    Mode::DryRun.to_string()
}
fn label() -> String {
    format!("policy/{}", Mode::Enforce)
}
fn both() -> Vec<String> {
    [Mode::Enforce, Mode::DryRun].iter().map(ToString::to_string).collect()
}
SPEC a: String = mode, b: String = label, c: Vec<String> = both

//# from_str
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub enum Action {
    Allow,
    Deny,
}
impl std::str::FromStr for Action {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, Self::Err> {
        match s {
            "allow" => Ok(Action::Allow),
            "deny" => Ok(Action::Deny),
            other => Err(format!("no such action: {other}")),
        }
    }
}
fn action() -> Action {
    "deny".parse().unwrap()
}
fn or_allow() -> Action {
    "block".parse().unwrap_or(Action::Allow)
}
SPEC a: Action = action, b: Action = or_allow

//# namespaces
const SYSTEM: [&str; 3] = ["kube-system", "kube-public", "kube-node-lease"];
fn excluded() -> Vec<String> {
    SYSTEM.iter().map(|ns| (*ns).to_owned()).collect()
}
fn more() -> Vec<String> {
    let mut all = excluded();
    all.push("cert-manager".to_string());
    all
}
fn as_set() -> BTreeSet<String> {
    SYSTEM.into_iter().map(String::from).collect()
}
fn regex() -> String {
    format!("^({})$", SYSTEM.join("|"))
}
fn count() -> usize {
    SYSTEM.len()
}
SPEC a: Vec<String> = excluded, b: Vec<String> = more, c: BTreeSet<String> = as_set, d: String = regex, e: usize = count

//# newtype
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Name(String);
impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Name(name.to_lowercase())
    }
}
impl Name {
    pub fn new(name: impl AsRef<str>) -> Self {
        Self(name.as_ref().to_string())
    }
}
fn name() -> Name {
    "Default".into()
}
fn named() -> Name {
    Name::new("system")
}
fn names() -> Vec<Name> {
    vec![Name::from("A"), Name("b".to_string())]
}
SPEC a: Name = name, b: Name = named, c: Vec<Name> = names

//# generic_wrapper
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Setting<T> {
    pub value: T,
    pub locked: bool,
}
impl<T> Setting<T> {
    fn open(value: T) -> Self {
        Setting { value, locked: false }
    }
    fn lock(self) -> Self {
        Setting { locked: true, ..self }
    }
}
impl<T: Default> Default for Setting<T> {
    fn default() -> Self {
        Self::open(T::default())
    }
}
fn number() -> Setting<u32> {
    Setting::open(5)
}
fn text() -> Setting<String> {
    Setting::open("x".to_string()).lock()
}
SPEC a: Setting<u32> = number, b: Setting<String> = text, c: Setting<bool> = Setting::<bool>::default

//# conditions
fn environment() -> &'static str {
    if cfg!(feature = "never") { "dev" } else { "prod" }
}
fn replicas() -> i32 {
    match environment() {
        "prod" => 3,
        _ => 1,
    }
}
fn tier() -> String {
    let replicas = replicas();
    if replicas > 2 {
        "gold".to_string()
    } else if replicas > 1 {
        "silver".to_string()
    } else {
        "bronze".to_string()
    }
}
fn suffix() -> String {
    let env = environment();
    let Some(first) = env.chars().next() else {
        return String::new();
    };
    first.to_uppercase().to_string()
}
SPEC a: i32 = replicas, b: String = tier, c: String = suffix

//# selector
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Selector {
    pub match_labels: BTreeMap<String, String>,
    pub match_names: Vec<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub invert: bool,
}
fn is_false(b: &bool) -> bool {
    !*b
}
impl Selector {
    pub fn label(key: &str, value: &str) -> Self {
        let mut selector = Self::default();
        selector.match_labels.insert(key.to_string(), value.to_string());
        selector
    }
}
fn everything() -> Selector {
    Selector { match_names: vec!["*".to_string()], ..Default::default() }
}
fn team() -> Selector {
    Selector::label("team", "core")
}
SPEC a: Selector = everything, b: Selector = team

//# json_value
fn values() -> serde_json::Value {
    serde_json::json!({ "replicas": 2, "image": { "tag": "latest" }, "hosts": ["a", "b"], "enabled": true })
}
fn tag() -> String {
    values()["image"]["tag"].as_str().unwrap_or_default().to_string()
}
fn replicas() -> u64 {
    values().get("replicas").and_then(|r| r.as_u64()).unwrap_or(1)
}
fn raw() -> String {
    serde_json::json!({ "a": 1 }).to_string()
}
SPEC b: String = tag, c: u64 = replicas, d: String = raw

//# std_net
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
fn bind() -> IpAddr {
    IpAddr::V4(Ipv4Addr::UNSPECIFIED)
}
fn loopback() -> Ipv4Addr {
    Ipv4Addr::LOCALHOST
}
fn listen() -> SocketAddr {
    SocketAddr::new(bind(), 8080)
}
fn parsed() -> IpAddr {
    "10.96.0.10".parse().expect("an address")
}
fn from_pair() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 9090))
}
fn as_text() -> String {
    format!("{}:{}", loopback(), 53)
}
SPEC a: IpAddr = bind, b: Ipv4Addr = loopback, d: IpAddr = parsed, f: String = as_text
