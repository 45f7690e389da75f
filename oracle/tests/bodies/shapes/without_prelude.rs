// Modules without a prelude.

//# default_of_a_number
#[no_implicit_prelude]
mod bare {
    pub trait Make {
        fn default() -> Self;
    }
    impl Make for u32 {
        fn default() -> u32 {
            7
        }
    }
    pub fn seven() -> u32 {
        u32::default()
    }
}
fn d() -> u32 {
    bare::seven()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub v: u32,
}

//# from_of_a_string
#[no_implicit_prelude]
mod bare {
    use ::std::string::String;
    pub trait Mk {
        fn from(text: &str) -> Self;
    }
    impl Mk for String {
        fn from(_: &str) -> String {
            String::new()
        }
    }
    pub fn text() -> String {
        String::from("seen")
    }
}
fn d() -> String {
    bare::text()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub v: String,
}

//# from_of_a_list
#[no_implicit_prelude]
mod bare {
    use ::std::vec::Vec;
    pub trait Mk {
        fn from(items: [u8; 2]) -> Self;
    }
    impl Mk for Vec<u8> {
        fn from(_: [u8; 2]) -> Vec<u8> {
            Vec::new()
        }
    }
    pub fn list() -> Vec<u8> {
        Vec::from([1, 2])
    }
}
fn d() -> Vec<u8> {
    bare::list()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub v: Vec<u8>,
}

//# module_inside
#[no_implicit_prelude]
mod bare {
    pub mod inner {
        trait Make {
            fn default() -> Self;
        }
        impl Make for u64 {
            fn default() -> u64 {
                9
            }
        }
        pub fn nine() -> u64 {
            u64::default()
        }
    }
}
fn d() -> u64 {
    bare::inner::nine()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub v: u64,
}

//# from_of_a_map
#[no_implicit_prelude]
mod bare {
    use ::std::collections::BTreeMap;
    use ::std::string::String;
    pub trait Mk {
        fn from(items: [(String, u8); 1]) -> Self;
    }
    impl Mk for BTreeMap<String, u8> {
        fn from(_: [(String, u8); 1]) -> BTreeMap<String, u8> {
            BTreeMap::new()
        }
    }
    pub fn map() -> BTreeMap<String, u8> {
        BTreeMap::from([(String::new(), 1)])
    }
}
fn d() -> std::collections::BTreeMap<String, u8> {
    bare::map()
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub v: std::collections::BTreeMap<String, u8>,
}
