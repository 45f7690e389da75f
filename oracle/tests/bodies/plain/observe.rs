//# prometheus_scrape
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scrape {
    #[serde(default = "Scrape::default_interval")]
    pub interval: String,
    #[serde(default = "Scrape::default_path")]
    pub path: String,
    #[serde(default)]
    pub tls_config: Option<String>,
}
impl Scrape {
    fn default_interval() -> String {
        "30s".into()
    }
    fn default_path() -> String {
        "/metrics".into()
    }
}
impl Default for Scrape {
    fn default() -> Self {
        Self { interval: Self::default_interval(), path: Self::default_path(), tls_config: None }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub scrape: Scrape,
    #[serde(default = "scrapes")]
    pub scrapes: Vec<Scrape>,
}
fn scrapes() -> Vec<Scrape> {
    vec![Scrape::default(), Scrape { path: "/probe".to_string(), ..Scrape::default() }]
}

//# buckets
fn buckets() -> Vec<f64> {
    vec![0.005, 0.01, 0.1, 1.0, 10.0]
}
fn linear() -> Vec<f64> {
    (1..=4).map(|n| f64::from(n) * 0.5).collect()
}
fn exponential() -> Vec<f64> {
    std::iter::successors(Some(1.0), |n| Some(n * 2.0)).take(4).collect()
}
fn quantiles() -> BTreeMap<String, f64> {
    [0.5, 0.9, 0.99].iter().map(|q| (format!("p{}", q * 100.0), *q)).collect()
}
SPEC a: Vec<f64> = buckets, b: Vec<f64> = linear, c: Vec<f64> = exponential, d: BTreeMap<String,f64> = quantiles

//# alert
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Alert {
    pub name: String,
    pub expr: String,
    #[serde(rename = "for")]
    pub lasts: String,
    pub labels: BTreeMap<String, String>,
    pub severity: Severity,
}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[repr(u8)]
pub enum Severity {
    #[default]
    Info = 1,
    Warning = 5,
    Critical = 10,
}
fn alerts() -> Vec<Alert> {
    let labels = BTreeMap::from([("team".to_string(), "sre".to_string())]);
    [("Down", "up == 0", Severity::Critical), ("Slow", "latency > 1", Severity::Warning)]
        .into_iter()
        .map(|(name, expr, severity)| Alert { name: name.to_string(), expr: expr.to_string(), lasts: "5m".into(), labels: labels.clone(), severity })
        .collect()
}
fn worst() -> Severity {
    alerts().into_iter().map(|alert| alert.severity).max().unwrap_or_default()
}
fn code() -> u8 {
    Severity::Warning as u8
}
SPEC a: Vec<Alert> = alerts, b: Severity = worst, c: u8 = code

//# exporter_config
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Endpoint {
    Url(String),
    Parts { host: String, port: u16 },
}
fn endpoint() -> Endpoint {
    Endpoint::Url("http://collector:4317".to_string())
}
fn parts() -> Endpoint {
    Endpoint::Parts { host: "collector".to_string(), port: 4317 }
}
impl Endpoint {
    fn port(&self) -> u16 {
        match self {
            Self::Url(url) => url.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or(80),
            Self::Parts { port, .. } => *port,
        }
    }
}
fn port() -> u16 {
    endpoint().port() + parts().port()
}
SPEC c: u16 = port

//# sampling
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
pub struct Ratio(f64);
impl Default for Ratio {
    fn default() -> Self {
        Ratio(0.1)
    }
}
impl std::ops::Mul<f64> for Ratio {
    type Output = Ratio;
    fn mul(self, by: f64) -> Ratio {
        Ratio(self.0 * by)
    }
}
fn ratio() -> Ratio {
    Ratio::default()
}
fn half() -> Ratio {
    Ratio::default() * 0.5
}
fn percent() -> String {
    format!("{:.1}%", Ratio::default().0 * 100.0)
}
SPEC a: Ratio = ratio, b: Ratio = half, c: String = percent

//# dashboards
type Labels = BTreeMap<String, String>;
fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect()
}
fn dashboard() -> Labels {
    labels(&[("grafana_dashboard", "1"), ("app", "web")])
}
fn merged() -> Labels {
    let mut all = dashboard();
    for (key, value) in labels(&[("app", "api"), ("zone", "a")]) {
        all.insert(key, value);
    }
    all
}
fn rendered() -> String {
    dashboard().iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(",")
}
fn count() -> usize {
    merged().len()
}
SPEC a: Labels = dashboard, b: Labels = merged, c: String = rendered, d: usize = count

//# retention_tuple
fn window() -> (u8, u8) {
    (2, 4)
}
fn first() -> u8 {
    let (start, _) = window();
    start
}
fn swapped() -> (u8, u8) {
    let (mut a, mut b) = window();
    std::mem::swap(&mut a, &mut b);
    (a, b)
}
fn span() -> u8 {
    let w = window();
    w.1 - w.0
}
SPEC b: u8 = first, d: u8 = span

//# probes
use k8s_openapi::api::core::v1::{HTTPGetAction, Probe};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
fn probe() -> Probe {
    Probe {
        http_get: Some(HTTPGetAction { path: Some("/healthz".to_string()), port: IntOrString::Int(8080), ..Default::default() }),
        initial_delay_seconds: Some(10),
        period_seconds: Some(5),
        ..Default::default()
    }
}
fn max_unavailable() -> IntOrString {
    IntOrString::String("25%".to_string())
}
KIND
pub struct Spec {
    #[serde(default = "probe")]
    pub probe: Probe,
}

//# errors_in_defaults
fn checked() -> u16 {
    parse("8080").unwrap_or(80)
}
fn parse(text: &str) -> Result<u16, String> {
    let n: u32 = text.parse().map_err(|_| format!("no number: {text}"))?;
    u16::try_from(n).map_err(|e| e.to_string())
}
fn too_big() -> u16 {
    match parse("70000") {
        Ok(n) => n,
        Err(_) => 1,
    }
}
fn why() -> String {
    parse("x").err().unwrap_or_default()
}
fn maybe() -> Option<u16> {
    let first = [8081u16, 8082].first().copied()?;
    first.checked_add(10)
}
SPEC a: u16 = checked, b: u16 = too_big, c: String = why, d: Option<u16> = maybe

//# recursive
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Panel {
    pub title: String,
    pub width: u8,
}
fn panels(n: u8) -> Vec<Panel> {
    if n == 0 {
        return Vec::new();
    }
    let mut rest = panels(n - 1);
    rest.push(Panel { title: format!("panel {n}"), width: 12 / n });
    rest
}
fn three() -> Vec<Panel> {
    panels(3)
}
SPEC a: Vec<Panel> = three
