// Remote types and `with`, with a default.

//# remote
#[derive(Clone, Debug)]
pub struct Ext {
    pub secs: i64,
}
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Ext")]
pub struct ExtDef {
    pub secs: i64,
}
fn dd() -> Ext {
    Ext { secs: 3 }
}
KIND
pub struct Spec {
    #[serde(default = "dd", with = "ExtDef")]
    pub e: Ext,
}

//# remote_unit
#[derive(Clone, Debug)]
pub enum Mode {
    On,
    Off,
}
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Mode", rename_all = "lowercase")]
pub enum ModeDef {
    On,
    Off,
}
impl Default for Mode {
    fn default() -> Self {
        Mode::Off
    }
}
KIND
pub struct Spec {
    #[serde(default, with = "ModeDef")]
    pub mode: Mode,
}

//# container_default
#[derive(Clone, Debug, Default)]
pub struct Ext {
    pub secs: i64,
}
mod ext {
    pub fn serialize<S: serde::Serializer>(e: &super::Ext, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_i64(e.secs + 1)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<super::Ext, D::Error> {
        let secs = <i64 as serde::Deserialize>::deserialize(d)?;
        Ok(super::Ext { secs })
    }
}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default)]
pub struct Inner {
    #[serde(with = "ext")]
    #[schemars(with = "i64")]
    pub e: Ext,
    pub n: u8,
}
KIND
pub struct Spec {
    #[serde(default)]
    pub inner: Inner,
}

//# serialize_with
#[derive(Clone, Debug)]
pub struct Ext(u8);
fn write<S: serde::Serializer>(e: &Ext, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(&format!("ext-{}", e.0))
}
fn read<'de, D: serde::Deserializer<'de>>(_: D) -> Result<Ext, D::Error> {
    Ok(Ext(0))
}
fn d() -> Ext {
    Ext(4)
}
KIND
pub struct Spec {
    #[serde(default = "d", serialize_with = "write", deserialize_with = "read")]
    #[schemars(with = "String")]
    pub e: Ext,
}

//# getter
mod foreign {
    #[derive(Clone, Debug)]
    pub struct Ext {
        secs: i64,
    }
    impl Ext {
        pub fn new(secs: i64) -> Self {
            Ext { secs }
        }
        pub fn secs(&self) -> i64 {
            self.secs * 2
        }
    }
}
use foreign::Ext;
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(remote = "Ext")]
pub struct ExtDef {
    #[serde(getter = "Ext::secs")]
    secs: i64,
}
impl From<ExtDef> for Ext {
    fn from(def: ExtDef) -> Ext {
        Ext::new(def.secs)
    }
}
fn d() -> Ext {
    Ext::new(21)
}
KIND
pub struct Spec {
    #[serde(default = "d", with = "ExtDef")]
    pub e: Ext,
}

//# no_serialize
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Secret(String);
KIND
pub struct Spec {
    #[serde(default, skip_serializing)]
    #[schemars(with = "String")]
    pub secret: Secret,
    pub n: u8,
}

//# into_of_remote_types
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(into = "String", try_from = "String")]
pub struct Level(u8);
impl From<Level> for String {
    fn from(level: Level) -> String {
        format!("level-{}", level.0)
    }
}
impl TryFrom<String> for Level {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse().map(Level).map_err(|_| text)
    }
}
fn d() -> Level {
    Level(3)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    #[schemars(with = "String")]
    pub level: Level,
}
