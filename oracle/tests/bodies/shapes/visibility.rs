// Which code sees an item.

//# pub_super_behind_globs
mod one {
    pub mod deep {
        pub(super) const LIMIT: u32 = 1;
    }
}
mod two {
    pub const LIMIT: u32 = 2;
}
use one::deep::*;
use two::*;
fn limit() -> u32 {
    LIMIT
}
KIND
pub struct Spec {
    #[serde(default = "limit")]
    pub a: u32,
}

//# pub_in_behind_globs
mod one {
    pub mod deep {
        pub mod deeper {
            pub(in super::super) fn limit() -> u32 {
                1
            }
        }
    }
}
mod two {
    pub fn limit() -> u32 {
        2
    }
}
use one::deep::deeper::*;
use two::*;
fn d() -> u32 {
    limit()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u32,
}

//# pub_super_use_behind_globs
mod base {
    pub const LIMIT: u32 = 1;
}
mod one {
    pub mod deep {
        pub(super) use super::super::base::LIMIT;
    }
}
mod two {
    pub const LIMIT: u32 = 2;
}
use one::deep::*;
use two::*;
fn limit() -> u32 {
    LIMIT
}
KIND
pub struct Spec {
    #[serde(default = "limit")]
    pub a: u32,
}

//# pub_super_type_over_prelude
mod api {
    pub mod inner {
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub(super) struct String {
            pub x: bool,
        }
    }
}
use api::inner::*;
KIND
pub struct Spec {
    pub text: String,
}

//# pub_super_default_fn
mod home {
    pub mod types {
        #[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct Size {
            pub n: u8,
        }
        impl Size {
            pub(super) fn default() -> Size {
                Size { n: 7 }
            }
        }
    }
}
fn d() -> home::types::Size {
    home::types::Size::default()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: home::types::Size,
}

//# pub_in_default_fn
mod home {
    pub mod types {
        #[derive(Clone, Debug, Default, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct Size {
            pub n: u8,
        }
    }
    mod helper {
        impl super::types::Size {
            pub(in super::super::home) fn default() -> Self {
                Self { n: 7 }
            }
        }
    }
    pub fn inside() -> types::Size {
        types::Size::default()
    }
}
fn d() -> home::types::Size {
    home::types::Size::default()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: home::types::Size,
    #[serde(default = "home::inside")]
    pub b: home::types::Size,
}

//# private_constructor_behind_globs
mod one {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Size(u8);
    impl Size {
        pub fn of(n: u8) -> Size {
            Size(n)
        }
    }
}
mod two {
    pub fn Size(n: u8) -> super::one::Size {
        super::one::Size::of(7)
    }
}
use one::*;
use two::*;
fn d() -> one::Size {
    Size(1)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: one::Size,
}

//# array_lengths_restricted
mod one {
    pub mod deep {
        pub(super) const N: usize = 3;
    }
}
mod two {
    pub const N: usize = 4;
}
use one::deep::*;
use two::*;
KIND
pub struct Spec {
    pub a: [u8; N],
}

//# macro_private_shadow
mod two {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 2;
        };
    }
    pub(crate) use m;
}
mod one {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 1;
        };
    }
    pub(crate) use super::two::*;
    use m;
}
mod three {
    macro_rules! m {
        ($n:ident) => {
            const $n: u8 = 3;
        };
    }
    pub(crate) use m;
}
use one::*;
use three::*;
m!(A);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# own_rule_constants
use kube::KubeSchema;
mod rules {
    pub const A: &str = "self.a > 0";
    pub(super) const B: &str = "self.a < 5";
    pub mod deep {
        pub(super) const C: &str = "self.a != 3";
    }
}
mod other {
    pub const C: &str = "self.a != 4";
}
use other::*;
use rules::deep::*;
use rules::*;
#[derive(Clone, Debug, Deserialize, Serialize, KubeSchema)]
#[x_kube(validation = A, validation = (B, "b"), validation = C)]
pub struct P {
    pub a: u8,
}
KIND
pub struct Spec {
    pub p: P,
}

//# schema_macro_vis
mod a {
    pub mod b {
        pub(super) fn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
            schemars::json_schema!({"type":"string","format":"one"})
        }
    }
}
mod c {
    pub fn s(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type":"string","format":"two"})
    }
}
use a::b::*;
use c::*;
KIND
pub struct Spec {
    #[schemars(schema_with = "s")]
    pub a: String,
}

//# predicate_vis
mod a {
    pub mod b {
        pub(super) fn p(_: &u8) -> bool {
            true
        }
    }
}
mod c {
    pub fn p(_: &u8) -> bool {
        false
    }
}
use a::b::*;
use c::*;
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "p")]
    pub a: u8,
}
