//# storage_sizes
fn size() -> String {
    "10Gi".to_string()
}
fn bytes() -> u64 {
    10 * 1024 * 1024 * 1024
}
fn shifted() -> i64 {
    64 << 20
}
fn power() -> u32 {
    2u32.pow(16)
}
SPEC a: String = size, b: u64 = bytes, c: i64 = shifted, d: u32 = power

//# storage_modes
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
pub enum AccessMode {
    ReadWriteOnce,
    ReadOnlyMany,
    ReadWriteMany,
}
fn modes() -> Vec<AccessMode> {
    vec![AccessMode::ReadWriteOnce]
}
fn sorted() -> BTreeSet<AccessMode> {
    [AccessMode::ReadWriteMany, AccessMode::ReadWriteOnce].into()
}
impl Default for AccessMode {
    fn default() -> Self {
        AccessMode::ReadWriteOnce
    }
}
SPEC a: Vec<AccessMode> = modes, b: BTreeSet<AccessMode> = sorted, c: AccessMode = AccessMode::default

//# storage_class
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    FastSsd { tier: u8 },
    SlowHdd { replicas: u8 },
    Custom(String),
}
impl Class {
    const DEFAULT: Class = Class::FastSsd { tier: 1 };
}
fn class() -> Class {
    Class::DEFAULT
}
fn slow() -> Class {
    Class::SlowHdd { replicas: 3 }
}
fn custom() -> Class {
    Class::Custom("ceph-rbd".into())
}
SPEC a: Class = class, b: Class = slow, c: Class = custom

//# backup_schedule
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Backup {
    #[serde(default = "schedule")]
    pub schedule: String,
    #[serde(default = "keep")]
    pub keep_last: u32,
    #[serde(default)]
    pub suspended: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<String>,
}
fn schedule() -> String {
    "0 3 * * *".to_string()
}
fn keep() -> u32 {
    7
}
impl Default for Backup {
    fn default() -> Self {
        Backup { schedule: schedule(), keep_last: keep(), suspended: false, hooks: Vec::new() }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub backup: Backup,
    #[serde(default = "Backup::default")]
    pub again: Backup,
}

//# database_url
const HOST: &str = "localhost";
const PORT: u16 = 5432;
fn url() -> String {
    let user = "postgres";
    let db = "app";
    format!("postgres://{user}@{HOST}:{PORT}/{db}")
}
fn with_options() -> String {
    [url(), "sslmode=require".to_string()].join("?")
}
fn appended() -> String {
    let mut url = url();
    url.push_str("?pool=10");
    url
}
fn concatenated() -> String {
    String::from("redis://") + HOST + ":" + &6379.to_string()
}
SPEC a: String = url, b: String = with_options, c: String = appended, d: String = concatenated

//# database_params
fn params() -> BTreeMap<String, String> {
    let defaults = [("max_connections", 100.to_string()), ("shared_buffers", "128MB".into()), ("work_mem", format!("{}MB", 4))];
    defaults.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
fn merged() -> BTreeMap<String, String> {
    let mut all = params();
    all.extend([("work_mem".to_string(), "8MB".to_string())]);
    all
}
fn without() -> BTreeMap<String, String> {
    let mut all = params();
    all.remove("work_mem");
    all.entry("fsync".to_string()).or_insert_with(|| "on".to_string());
    all
}
SPEC a: BTreeMap<String,String> = params, b: BTreeMap<String,String> = merged, c: BTreeMap<String,String> = without

//# durations
use std::time::Duration;
const INTERVAL: Duration = Duration::from_secs(30);
fn interval() -> Duration {
    INTERVAL
}
fn grace() -> Duration {
    Duration::from_secs(60 * 5)
}
fn poll() -> Duration {
    Duration::from_millis(250)
}
fn seconds() -> u64 {
    INTERVAL.as_secs()
}
SPEC a: Duration = interval, b: Duration = grace, c: Duration = poll, d: u64 = seconds

//# duration_newtype
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(std::time::Duration);
impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}s", self.0.as_secs())
    }
}
impl Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let secs = text.trim_end_matches('s').parse().map_err(serde::de::Error::custom)?;
        Ok(Span(std::time::Duration::from_secs(secs)))
    }
}
impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9]+s$" })
    }
}
fn span() -> Span {
    Span(std::time::Duration::from_secs(90))
}
SPEC a: Span = span

//# nested_options
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Retention {
    pub days: Option<u32>,
    pub policy: Option<Policy>,
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Policy {
    pub name: String,
    pub max: Option<u64>,
}
fn retention() -> Option<Retention> {
    Some(Retention { days: Some(30), policy: Some(Policy { name: "gfs".to_owned(), max: None }) })
}
fn days() -> u32 {
    retention().and_then(|r| r.days).unwrap_or(7)
}
fn policy() -> String {
    retention().and_then(|r| r.policy).map(|p| p.name).unwrap_or_else(|| "none".to_string())
}
fn max() -> u64 {
    match retention() {
        Some(Retention { policy: Some(Policy { max: Some(max), .. }), .. }) => max,
        Some(_) => 10,
        None => 0,
    }
}
SPEC a: Option<Retention> = retention, b: u32 = days, c: String = policy, d: u64 = max

//# snapshots
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Target {
    Local { path: String },
    Bucket { name: String, region: Option<String> },
}
impl Default for Target {
    fn default() -> Self {
        Self::Local { path: "/var/backups".to_string() }
    }
}
fn bucket() -> Target {
    Target::Bucket { name: "snapshots".into(), region: Some("eu-west-1".into()) }
}
fn targets() -> Vec<Target> {
    vec![Target::default(), bucket()]
}
fn first_path() -> String {
    targets()
        .iter()
        .find_map(|target| match target {
            Target::Local { path } => Some(path.clone()),
            Target::Bucket { .. } => None,
        })
        .unwrap_or_default()
}
SPEC d: String = first_path

//# quotas
use std::num::NonZeroU16;
fn limit() -> NonZeroU16 {
    NonZeroU16::new(10).expect("ten is not zero")
}
fn burst() -> u32 {
    const QPS: u32 = 50;
    QPS * 2
}
fn ratio() -> f64 {
    f64::from(burst()) / 3.0
}
fn percent() -> u8 {
    (0.8 * 100.0) as u8
}
fn clamped() -> i32 {
    (burst() as i32).clamp(1, 64)
}
SPEC a: NonZeroU16 = limit, b: u32 = burst, c: f64 = ratio, d: u8 = percent, e: i32 = clamped
