// Where an `impl Serialize` may be that is not seen, so that what schemars shows as a default is not known.

//# serialize_for_type_macro
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    macro_rules! ty {
        () => {
            Foo
        };
    }
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    impl Serialize for ty!() {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_for_projection
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    pub trait Tr {
        type A;
    }
    impl Tr for () {
        type A = Foo;
    }
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    impl Serialize for <() as Tr>::A {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_for_generic_alias
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    pub type Id<T> = T;
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    impl Serialize for Id<Foo> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_type_named_like_parameter
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    pub mod m {
        #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
        pub struct T<U> {
            a: Option<U>,
        }
    }
    impl<T> Serialize for m::T<T> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: m::T<u8>,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_in_inner_block
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    fn f() {
        {
            impl Serialize for Foo {
                fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.serialize_u8(5)
                }
            }
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_in_static
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    static X: () = {
        impl Serialize for Foo {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_u8(5)
            }
        }
    };
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_in_closure_of_trait_method
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    pub trait Q {
        fn m(&self) {
            let c = || {
                impl Serialize for Foo {
                    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                        s.serialize_u8(5)
                    }
                }
            };
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_in_discriminant
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    pub enum E {
        A = {
            impl Serialize for Foo {
                fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.serialize_u8(5)
                }
            }
            3
        },
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_in_associated_const
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    pub struct Q;
    impl Q {
        const A: () = {
            impl Serialize for Foo {
                fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.serialize_u8(5)
                }
            }
        };
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_by_macro_statement_in_body
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    macro_rules! mk {
        ($t:ty) => {
            impl Serialize for $t {
                fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.serialize_u8(5)
                }
            }
        };
    }
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    fn f() {
        mk!(Foo);
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_for_box
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    impl Serialize for Box<Foo> {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Box<Foo>,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# hasher_arguments
mod m {
    use std::collections::HashMap;
    use std::hash::{BuildHasher, DefaultHasher};
    #[derive(Clone, Debug, Default)]
    pub struct Bh;
    impl BuildHasher for Bh {
        type Hasher = DefaultHasher;
        fn build_hasher(&self) -> DefaultHasher {
            DefaultHasher::new()
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: HashMap<String, u8, Bh>,
        #[serde(default)]
        g: HashMap<String, u8, std::hash::BuildHasherDefault<DefaultHasher>>,
        #[serde(default)]
        h: std::collections::HashSet<String, Bh>,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# hasher_parameter
mod m {
    use std::collections::HashMap;
    use std::hash::BuildHasher;
    #[derive(schemars::JsonSchema)]
    #[schemars(bound = "")]
    pub struct Shape<H: BuildHasher + Default> {
        #[serde(default)]
        a: HashMap<String, u8, H>,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[schemars(with = "Shape<std::hash::RandomState>")]
        w: u8,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# derived_serialize_of_argument
mod m {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    #[derive(Clone, Debug, Default, schemars::JsonSchema, Deserialize)]
    pub struct No {
        a: u8,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct W<T> {
        list: Vec<T>,
    }
    impl<T> Default for W<T> {
        fn default() -> Self {
            Self { list: Vec::new() }
        }
    }
    #[derive(Deserialize, schemars::JsonSchema)]
    pub struct Shape {
        #[serde(default)]
        w: W<No>,
        #[serde(default)]
        x: Option<W<No>>,
        #[serde(default)]
        y: W<u8>,
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[schemars(with = "Shape")]
        f: u8,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# array_over_32
mod m {
    use schemars::JsonSchema;
    fn f() -> [u8; 40] {
        [0; 40]
    }
    #[derive(JsonSchema)]
    pub struct Shape {
        #[serde(default = "f")]
        #[schemars(with = "Vec<u8>")]
        a: [u8; 40],
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[schemars(with = "Shape")]
        w: u8,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# foreign_type_without_serialize
mod m {
    use serde::{Serialize, Serializer};
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema)]
    pub struct Status {
        #[serde(default, deserialize_with = "de")]
        #[schemars(with = "Vec<String>")]
        seen: Vec<std::time::Instant>,
        a: u8,
    }
    fn de<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Vec<std::time::Instant>, D::Error> {
        Ok(Vec::new())
    }
    impl Serialize for Status {
        fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
            s.serialize_u8(self.a)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        w: Status,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# serialize_through_two_globs
mod m {
    use serde::ser::*;
    use std::collections::*;
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    impl Serialize for Foo {
        fn serialize<S: Serializer>(&self, s: S) -> std::result::Result<S::Ok, S::Error> {
            s.serialize_u8(5)
        }
    }
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# unread_macro_serialize
mod m {
    use serde::{Serialize, Serializer};
    macro_rules! ser { ($t:ty, $e:expr) => { impl Serialize for $t { fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> { s.serialize_str($e) } } } }
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    ser!(Foo, {
        let s = "abc";
        s
    });
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}

//# local_inner_macros_serialize
mod m {
    use serde::{Serialize, Serializer};
    #[macro_export(local_inner_macros)]
    macro_rules! ser7 {
        ($t:ty) => {
            impl Serialize for $t {
                fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                    s.serialize_u8(5)
                }
            }
        };
    }
    #[derive(Clone, Debug, serde::Deserialize, schemars::JsonSchema, Default)]
    pub struct Foo {
        a: u8,
    }
    ser7!(Foo);
    #[derive(Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
    pub struct S {
        #[serde(default)]
        f: Foo,
    }
}
KIND
pub struct Spec {
    pub a: m::S,
}
