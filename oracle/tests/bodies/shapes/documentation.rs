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
