// Own methods that are named like std's.

//# as_str_match
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub enum Level {
    #[default]
    Info,
    Debug,
}
impl Level {
    pub fn as_str(&self) -> &'static str {
        match self {
            Level::Info => "INFO",
            Level::Debug => "DEBUG",
        }
    }
}
fn e() -> i32 {
    match Level::Info.as_str() {
        "INFO" => 1,
        _ => 2,
    }
}
fn f() -> bool {
    Level::Info.as_str() == "INFO"
}
fn g() -> String {
    Level::Debug.as_str().to_owned()
}
SPEC e: i32 = e, f: bool = f, g: String = g

//# as_str_skip
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize, JsonSchema)]
pub enum Level {
    #[default]
    Info,
    Debug,
}
impl Level {
    pub fn as_str(&self) -> &'static str {
        if *self == Level::Info { "INFO" } else { "DEBUG" }
    }
}
fn is_info(level: &Level) -> bool {
    level.as_str() == "INFO"
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "is_info")]
    pub level: Level,
}

//# as_str_beside_display
#[derive(Clone, Copy, Debug)]
pub enum Phase {
    ReadyNow,
}
impl Phase {
    pub fn as_str(&self) -> &'static str {
        "ready-now"
    }
}
impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ready!")
    }
}
fn a() -> String {
    Phase::ReadyNow.as_str().to_string()
}
fn b() -> String {
    Phase::ReadyNow.to_string()
}
fn c() -> String {
    format!("{}/{}", Phase::ReadyNow.as_str(), Phase::ReadyNow)
}
SPEC a: String = a, b: String = b, c: String = c

//# display_by_as_str
#[derive(Clone, Copy, Debug, Default)]
pub enum Fmt {
    #[default]
    Json,
    Yaml,
}
impl Fmt {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}
impl std::fmt::Display for Fmt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
fn a() -> String {
    format!("application/{}", Fmt::Json.as_str())
}
fn b() -> String {
    format!("application/{}", Fmt::Yaml)
}
fn c() -> String {
    Fmt::default().to_string()
}
SPEC a: String = a, b: String = b, c: String = c

//# serialize_by_as_str
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub enum Fmt {
    #[default]
    Json,
    Yaml,
}
impl Fmt {
    fn as_str(&self) -> &str {
        match self {
            Fmt::Json => "application/json",
            Fmt::Yaml => "application/yaml",
        }
    }
}
impl Serialize for Fmt {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}
fn yaml() -> Fmt {
    Fmt::Yaml
}
KIND
pub struct Spec {
    #[serde(default)]
    #[schemars(with = "String")]
    pub a: Fmt,
    #[serde(default = "yaml")]
    #[schemars(with = "String")]
    pub b: Fmt,
}

//# own_clone
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub struct Version {
    pub n: u32,
}
impl Clone for Version {
    fn clone(&self) -> Self {
        Version { n: self.n + 1 }
    }
}
fn a() -> Version {
    Version { n: 1 }.clone()
}
fn b() -> Vec<Version> {
    [Version { n: 1 }].to_vec()
}
fn c() -> Option<Version> {
    Some(&Version { n: 5 }).cloned()
}
fn d() -> Vec<Version> {
    vec![Version { n: 1 }; 2]
}
fn e() -> Vec<Version> {
    [Version { n: 3 }].iter().cloned().collect()
}
SPEC a: Version = a, b: Vec<Version> = b, c: Option<Version> = c, d: Vec<Version> = d, e: Vec<Version> = e

//# own_as_ref
pub struct Name(&'static str);
impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.0.split('/').next_back().unwrap_or("none")
    }
}
fn a() -> String {
    Name("group/kind").as_ref().to_owned()
}
fn upper(name: impl AsRef<str>) -> String {
    name.as_ref().to_uppercase()
}
fn b() -> String {
    upper(Name("group/kind"))
}
fn c() -> usize {
    Name("group/kind").as_ref().len()
}
SPEC a: String = a, b: String = b, c: usize = c

//# own_borrow_iter_to_vec
pub struct Ports(u16);
impl Ports {
    fn borrow(&self) -> u16 {
        self.0 + 1
    }
    fn iter(&self) -> impl Iterator<Item = u16> {
        [self.0, self.0 * 2].into_iter()
    }
    fn to_vec(&self) -> Vec<u16> {
        vec![9, self.0]
    }
    fn len(&self) -> usize {
        77
    }
    fn is_empty(&self) -> bool {
        true
    }
}
fn a() -> u16 {
    Ports(1).borrow()
}
fn b() -> Vec<u16> {
    Ports(2).iter().collect()
}
fn c() -> Vec<u16> {
    Ports(3).to_vec()
}
fn d() -> usize {
    Ports(3).len()
}
fn e() -> bool {
    Ports(3).is_empty()
}
SPEC a: u16 = a, b: Vec<u16> = b, c: Vec<u16> = c, d: usize = d, e: bool = e

//# own_to_owned_into
#[derive(Clone, Copy, Debug)]
pub struct Text(&'static str);
impl Text {
    fn to_owned(&self) -> String {
        format!("owned {}", self.0)
    }
    fn into(self) -> String {
        format!("into {}", self.0)
    }
    fn to_string(&self) -> String {
        format!("string {}", self.0)
    }
    fn as_deref(&self) -> Option<&str> {
        Some("deref")
    }
    fn unwrap_or_default(self) -> String {
        "own".to_string()
    }
}
fn a() -> String {
    Text("x").to_owned()
}
fn b() -> String {
    Text("x").into()
}
fn c() -> String {
    Text("x").to_string()
}
fn d() -> String {
    Text("x").as_deref().unwrap_or("none").to_owned()
}
fn e() -> String {
    Text("x").unwrap_or_default()
}
SPEC a: String = a, b: String = b, c: String = c, d: String = d, e: String = e

//# trait_as_str
pub trait Named {
    fn as_str(&self) -> &'static str;
    fn name(&self) -> String {
        self.as_str().to_lowercase()
    }
}
pub enum Kind {
    Pod,
}
impl Named for Kind {
    fn as_str(&self) -> &'static str {
        "POD"
    }
}
impl Named for bool {
    fn as_str(&self) -> &'static str {
        if *self { "yes" } else { "no" }
    }
}
fn a() -> String {
    Kind::Pod.as_str().into()
}
fn b() -> String {
    Kind::Pod.name()
}
fn c() -> String {
    true.as_str().to_owned() + &false.name()
}
SPEC a: String = a, b: String = b, c: String = c

//# deref_of_own_methods
#[derive(Clone, Debug)]
pub struct Wrapped {
    inner: String,
}
impl std::ops::Deref for Wrapped {
    type Target = str;
    fn deref(&self) -> &str {
        &self.inner[1..]
    }
}
fn a() -> String {
    Wrapped { inner: "abc".to_owned() }.to_uppercase()
}
fn b() -> usize {
    Wrapped { inner: "abc".to_owned() }.len()
}
fn c() -> String {
    Wrapped { inner: "abc".to_owned() }.to_owned().inner
}
SPEC a: String = a, b: usize = b, c: String = c
