// Documentation.

//# spaces
macro_rules! documented {
    ($name:ident, $literal:literal, $expr:expr, $tt:tt) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct $name {
            /// First.
            #[doc = $literal]
            pub literal: u8,
            /// First.
            #[doc = $expr]
            pub expr: u8,
            /// First.
            #[doc = $tt]
            pub tt: u8,
        }
    };
}
documented!(Inner, "  two spaces", "  two spaces", "  two spaces");
KIND
pub struct Spec {
    /// First.
    #[doc = concat!(" one", " space")]
    #[doc = "  two spaces"]
    ///   three spaces
    pub a: u8,
    pub inner: Inner,
}

//# stringify_with_spaces
KIND
pub struct Spec {
    #[doc = stringify!(limit: u8)]
    pub v: u8,
}

//# stringify_of_paths
KIND
pub struct Spec {
    #[doc = stringify!(a :: b)]
    pub v: u8,
    #[doc = stringify!(a::b)]
    pub w: u8,
}

//# own_stringify
macro_rules! stringify {
    ($($token:tt)*) => {
        "mine"
    };
}
KIND
pub struct Spec {
    #[doc = stringify!(yours)]
    pub v: u8,
}

//# own_concat
mod inner {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    macro_rules! concat {
        ($($token:tt)*) => {
            "mine"
        };
    }
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct P {
        #[doc = concat!("yours", 1)]
        pub a: u8,
    }
}
KIND
pub struct Spec {
    pub v: inner::P,
}
