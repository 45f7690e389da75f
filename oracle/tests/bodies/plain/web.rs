//# ports_of_a_gateway
fn default_port() -> u16 {
    8080
}
fn default_tls_port() -> i32 {
    8443
}
const METRICS_PORT: u16 = 9090;
fn metrics_port() -> u16 {
    METRICS_PORT
}
fn all_ports() -> Vec<u16> {
    vec![default_port(), METRICS_PORT]
}
SPEC a: u16 = default_port, b: i32 = default_tls_port, c: u16 = metrics_port, d: Vec<u16> = all_ports

//# image_by_format
const REGISTRY: &str = "quay.io";
const REPO: &str = "acme/web";
const TAG: &str = "v1.4.2";
fn image() -> String {
    format!("{}/{}:{}", REGISTRY, REPO, TAG)
}
fn sidecar() -> String {
    format!("{REGISTRY}/envoy:{TAG}")
}
fn debug() -> String {
    let tag = TAG.trim_start_matches('v');
    format!("{REGISTRY}/{REPO}-debug:{tag}")
}
SPEC a: String = image, b: String = sidecar, c: String = debug

//# image_struct
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub repository: String,
    pub tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_policy: Option<PullPolicy>,
}
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub enum PullPolicy {
    Always,
    #[default]
    IfNotPresent,
    Never,
}
impl Default for Image {
    fn default() -> Self {
        Self {
            repository: "docker.io/library/nginx".to_string(),
            tag: String::from("1.27"),
            pull_policy: None,
        }
    }
}
impl Image {
    fn pinned() -> Self {
        Image {
            tag: "1.27.3-alpine".into(),
            pull_policy: Some(PullPolicy::Always),
            ..Default::default()
        }
    }
}
SPEC a: Image = Image::default, b: Image = Image::pinned, c: PullPolicy = PullPolicy::default

//# replicas_and_flags
fn one() -> i32 {
    1
}
fn yes() -> bool {
    true
}
fn some_three() -> Option<i32> {
    Some(3)
}
fn no() -> Option<bool> {
    None
}
SPEC a: i32 = one, b: bool = yes, c: Option<i32> = some_three, d: Option<bool> = no

//# resources_map
fn requests() -> BTreeMap<String, String> {
    let mut requests = BTreeMap::new();
    requests.insert("cpu".to_string(), "100m".to_string());
    requests.insert("memory".to_string(), "128Mi".to_string());
    requests
}
fn limits() -> BTreeMap<String, String> {
    BTreeMap::from([
        ("memory".to_owned(), "256Mi".to_owned()),
        ("cpu".to_owned(), "500m".to_owned()),
    ])
}
fn by_iter() -> BTreeMap<String, String> {
    [("cpu", "1"), ("memory", "1Gi")]
        .into_iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect()
}
SPEC a: BTreeMap<String,String> = requests, b: BTreeMap<String,String> = limits, c: BTreeMap<String,String> = by_iter

//# resources_of_k8s
use k8s_openapi::api::core::v1::ResourceRequirements;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
fn resources() -> ResourceRequirements {
    ResourceRequirements {
        requests: Some(BTreeMap::from([("cpu".to_string(), Quantity("50m".to_string()))])),
        ..ResourceRequirements::default()
    }
}
fn storage() -> Quantity {
    Quantity("10Gi".into())
}
SPEC a: ResourceRequirements = resources, b: Quantity = storage

//# labels
const APP: &str = "app.kubernetes.io/name";
const MANAGED_BY: &str = "app.kubernetes.io/managed-by";
fn labels() -> BTreeMap<String, String> {
    let mut labels: BTreeMap<String, String> = BTreeMap::default();
    labels.insert(APP.into(), "web".into());
    labels.insert(MANAGED_BY.into(), env!("CARGO_PKG_NAME").into());
    labels
}
fn selector() -> BTreeMap<String, String> {
    labels()
        .into_iter()
        .filter(|(key, _)| key == APP)
        .collect()
}
fn annotations() -> HashMap<String, String> {
    HashMap::from([(format!("{}/scrape", "prometheus.io"), true.to_string())])
}
SPEC a: BTreeMap<String,String> = labels, b: BTreeMap<String,String> = selector, c: HashMap<String,String> = annotations

//# hosts_and_paths
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Route {
    pub host: String,
    #[serde(default = "root")]
    pub path: String,
    pub weight: u8,
}
fn root() -> String {
    "/".into()
}
fn routes() -> Vec<Route> {
    vec![
        Route { host: "example.com".into(), path: root(), weight: 90 },
        Route { host: format!("canary.{}", "example.com"), path: "/beta".to_owned(), weight: 10 },
    ]
}
fn hosts() -> Vec<String> {
    routes().into_iter().map(|route| route.host).collect()
}
fn heaviest() -> String {
    routes().iter().max_by_key(|route| route.weight).map(|route| route.host.clone()).unwrap_or_default()
}
SPEC a: Vec<Route> = routes, b: Vec<String> = hosts, c: String = heaviest, d: String = root

//# tls
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Tls {
    pub enabled: bool,
    pub secret_name: Option<String>,
    pub min_version: TlsVersion,
}
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub enum TlsVersion {
    #[serde(rename = "TLSv1.2")]
    V12,
    #[default]
    #[serde(rename = "TLSv1.3")]
    V13,
}
fn tls() -> Tls {
    Tls { enabled: true, secret_name: Some("web-tls".to_string()), ..Tls::default() }
}
fn ciphers() -> Vec<String> {
    ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"].map(str::to_owned).into()
}
SPEC a: Tls = tls, b: Tls = Tls::default, c: Vec<String> = ciphers

//# timeouts_as_numbers
const SECOND: u64 = 1_000;
const MINUTE: u64 = 60 * SECOND;
fn read_timeout() -> u64 {
    30 * SECOND
}
fn idle_timeout() -> u64 {
    5 * MINUTE
}
fn retries() -> u8 {
    u8::try_from(3).unwrap()
}
fn backoff() -> f64 {
    1.5
}
fn jitter() -> f32 {
    0.25
}
SPEC a: u64 = read_timeout, b: u64 = idle_timeout, c: u8 = retries, d: f64 = backoff, e: f32 = jitter

//# builder
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Server {
    name: String,
    port: u16,
    routes: Vec<String>,
    tls: bool,
}
impl Server {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), port: 80, ..Self::default() }
    }
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }
    pub fn route(mut self, route: impl Into<String>) -> Self {
        self.routes.push(route.into());
        self
    }
    pub fn tls(self) -> Self {
        Self { tls: true, port: 443, ..self }
    }
}
fn server() -> Server {
    Server::new("front").port(8080).route("/").route("/healthz".to_string())
}
fn secure() -> Server {
    Server::new("front").tls()
}
SPEC a: Server = server, b: Server = secure
