// Variants that are never deserialized, which schemars looks at before it leaves them out.

//# skipped_with_data_beside_names
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On,
    Off,
    #[serde(skip)]
    Unknown(String),
}
KIND
pub struct Spec {
    pub mode: Mode,
    pub optional: Option<Mode>,
    pub list: Vec<Option<Mode>>,
}

//# skipped_with_documentation_beside_names
/// Modes.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On,
    /// Only inside.
    #[serde(skip_deserializing)]
    Unknown,
    Off,
}
/// Holds one.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Held {
    #[schemars(title = "held")]
    mode: Option<Mode>,
}
KIND
pub struct Spec {
    /// The mode.
    pub mode: Mode,
    /// Maybe a mode.
    pub optional: Option<Mode>,
    pub held: Held,
}

//# skipped_plain_beside_names
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    On,
    Off,
    #[schemars(skip)]
    Unknown,
}
KIND
pub struct Spec {
    pub mode: Mode,
    pub optional: Option<Mode>,
}

//# skipped_plain_beside_documented
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Mode {
    #[serde(skip)]
    Unknown,
    /// On.
    On,
    /// Off.
    Off,
}
KIND
pub struct Spec {
    pub mode: Mode,
    pub optional: Option<Mode>,
}

//# skipped_untagged
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    A { x: u8 },
    #[serde(skip)]
    #[serde(untagged)]
    E { a: u8 },
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum External {
    A { x: u8 },
    #[serde(skip)]
    #[serde(untagged)]
    E { a: u8 },
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "t")]
pub enum Internal {
    A { x: u8 },
    #[serde(skip)]
    #[serde(untagged)]
    E { a: u8 },
}
KIND
pub struct Spec {
    pub adjacent: Adjacent,
    pub external: External,
    pub internal: Internal,
}

//# skipped_beside_data
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub enum Source {
    Path { path: String },
    Url(String),
    #[serde(skip)]
    Inline { text: String },
}
KIND
pub struct Spec {
    pub source: Source,
    pub optional: Option<Source>,
}
