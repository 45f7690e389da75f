// Items from `include!`.

//# kind_of_included_items
include!("kind_of_included_items__one.rs");
//+ one
KIND
pub struct Spec {
    pub a: u8,
}

//# glob_and_included
mod other {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Cfg {
        pub from_glob: u8,
    }
}
use other::*;
include!("glob_and_included__one.rs");
KIND
pub struct Spec {
    pub cfg: Cfg,
}
//+ one
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Cfg {
    pub from_file: u8,
}

//# types_of_included_items
include!("types_of_included_items__one.rs");
KIND
pub struct Spec {
    pub cfg: Included,
    #[serde(default = "port")]
    pub port: u16,
}
//+ one
/// Stands in a file of its own.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Included {
    pub a: String,
}
fn port() -> u16 {
    8443
}

//# std_path
std::include!("std_path__one.rs");
KIND
pub struct Spec {
    pub cfg: Included,
}
//+ one
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Included {
    pub b: Vec<u8>,
}

//# manifest_dir
include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/manifest_dir__one.rs"));
KIND
pub struct Spec {
    pub cfg: Included,
}
//+ one
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Included {
    pub c: bool,
}

//# in_a_module
pub mod types {
    use super::*;
    include!("in_a_module__one.rs");
}
KIND
pub struct Spec {
    #[serde(default)]
    pub cfg: types::Included,
}
//+ one
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Included {
    pub d: i64,
}

//# included_impl
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Cfg {
    pub n: u8,
}
include!("included_impl__one.rs");
KIND
pub struct Spec {
    #[serde(default)]
    pub cfg: Cfg,
}
//+ one
impl Default for Cfg {
    fn default() -> Self {
        Cfg { n: 42 }
    }
}

//# expression
fn d() -> u16 {
    include!("expression__one.rs")
}
fn words() -> String {
    include_str!("expression__one.rs").trim().to_owned()
}
SPEC a: u16 = d, b: String = words
//+ one
4000 + 43

//# own_include
macro_rules! include {
    ($path:literal) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct Included {
            pub made: u8,
        }
    };
}
include!("nothing.rs");
KIND
pub struct Spec {
    pub cfg: Included,
}
