// Where an own `from`, a trait, a kind or a type may be that is not seen, or has the identity of a type elsewhere.

//# rename_of_a_derive_elsewhere_in_the_file
mod m {
    pub mod other {
        pub use std::fmt::Debug as JsonSchema;
    }
    pub mod k {
        use schemars::JsonSchema;
        #[derive(JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct W {
            my_field: u8,
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[schemars(with = "k::W")]
        w: u8,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# rename_to_kubeschema_elsewhere_in_the_file
mod m {
    pub mod a {
        pub use kube::KubeSchema as JsonSchema;
    }
    pub mod b {
        use schemars::JsonSchema;
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, JsonSchema)]
        pub struct G {
            #[garde(length(min = 1))]
            a: String,
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        w: b::G,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# inherent_from_in_inner_block
mod m {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Name(String);
    impl From<&str> for Name {
        fn from(s: &str) -> Name {
            Name("trait".to_string())
        }
    }
    fn f() {
        {
            impl Name {
                pub fn from(s: &str) -> Name {
                    Name("inherent".to_string())
                }
            }
        }
    }
    fn d() -> Name {
        Name::from("a")
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: Name,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# inherent_from_for_generic_alias
mod m {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Name(String);
    type Id<T> = T;
    impl From<&str> for Name {
        fn from(s: &str) -> Name {
            Name("trait".to_string())
        }
    }
    impl Id<Name> {
        pub fn from(s: &str) -> Name {
            Name("inherent".to_string())
        }
    }
    fn d() -> Name {
        Name::from("a")
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: Name,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# inherent_from_for_type_macro
mod m {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Name(String);
    impl From<&str> for Name {
        fn from(s: &str) -> Name {
            Name("trait".to_string())
        }
    }
    macro_rules! n {
        () => {
            Name
        };
    }
    impl n!() {
        pub fn from(s: &str) -> Name {
            Name("inherent".to_string())
        }
    }
    fn d() -> Name {
        Name::from("a")
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: Name,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# unread_macro_inherent_from
mod m {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Name(String);
    impl From<&str> for Name {
        fn from(s: &str) -> Name {
            Name("trait".to_string())
        }
    }
    macro_rules! mk {
        ($t:ident, $e:expr) => {
            impl $t {
                pub fn from(s: &str) -> $t {
                    let s = $e;
                    $t("inherent".to_string())
                }
            }
        };
    }
    mk!(Name, {
        let s = 3;
        s
    });
    fn d() -> Name {
        Name::from("a")
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: Name,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# unread_macro_hides_prelude
mod m {
    macro_rules! mk { ($e:expr) => { #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)] pub struct String { z: u8 } fn q() -> u8 { let s = $e; s } } }
    mk!({
        let s = 3;
        s
    });
    pub mod k {
        use super::*;
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct In {
            f: String,
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        f: k::In,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct In2 {
        f: String,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct T {
        f: In2,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
    pub b: m::T,
}

//# unread_macro_trait_method
mod m {
    macro_rules! mk {
        ($e:expr) => {
            pub trait Tos {
                fn to_string(self) -> String;
            }
            impl Tos for u8 {
                fn to_string(self) -> String {
                    let s = $e;
                    String::from("mine")
                }
            }
        };
    }
    mk!({
        let s = 3;
        s
    });
    const N: u8 = 5;
    fn d() -> String {
        N.to_string()
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: String,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# trait_under_unknown_cfg
mod m {
    #[cfg(debug_assertions)]
    pub trait Tos {
        fn to_string(self) -> String;
    }
    impl Tos for u8 {
        fn to_string(self) -> String {
            String::from("mine")
        }
    }
    const N: u8 = 5;
    fn d() -> String {
        N.to_string()
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default = "d")]
        f: String,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# type_in_body_has_outer_id
mod m {
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    fn sw(g: &mut SchemaGenerator) -> Schema {
        #[derive(JsonSchema)]
        struct Port {
            number: u16,
        }
        g.subschema_for::<Port>()
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Port {
        #[schemars(schema_with = "sw")]
        target: u16,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        w: Port,
    }
    fn sw2(g: &mut SchemaGenerator) -> Schema {
        #[derive(JsonSchema)]
        struct RSeven {
            number: u16,
        }
        g.subschema_for::<RSeven>()
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, JsonSchema)]
    pub struct Q {
        #[schemars(schema_with = "sw2")]
        a: u8,
    }
    pub mod b {
        use schemars::{JsonSchema, Schema, SchemaGenerator};
        fn sw2(g: &mut SchemaGenerator) -> Schema {
            #[derive(JsonSchema)]
            struct RSevenB {
                number: u16,
            }
            g.subschema_for::<RSevenB>()
        }
        #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
        pub struct S {
            #[schemars(schema_with = "sw2")]
            w: u8,
        }
    }
}
KIND
pub struct Spec {
}

//# type_in_const_block_has_outer_id
mod m {
    use schemars::{JsonSchema, Schema, SchemaGenerator};
    use std::borrow::Cow;
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
    pub struct Foo(u8);
    const _: () = {
        #[derive(JsonSchema)]
        struct Inner {
            y: u8,
        }
        impl JsonSchema for Foo {
            fn schema_name() -> Cow<'static, str> {
                "Foo".into()
            }
            fn json_schema(g: &mut SchemaGenerator) -> Schema {
                g.subschema_for::<Inner>()
            }
        }
    };
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct Inner {
        x: Foo,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        w: Inner,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# rename_to_id_of_generic
mod m {
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct W<T> {
        x: T,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    #[schemars(rename = "W<uint8>")]
    pub struct X {
        w: W<u8>,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        w: X,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}
