// Macros: textual order and hygiene.

//# one_macro_twice
macro_rules! fld {
    ($n:ident) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct $n {
            pub one: i32,
        }
    };
}
fld!(First);
macro_rules! fld {
    ($n:ident) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct $n {
            pub two: i32,
        }
    };
}
fld!(Second);
KIND
pub struct Spec {
    pub a: First,
    pub b: Second,
}

//# hygiene
macro_rules! with_tmp {
    ($e:expr) => {{
        let tmp = 1;
        tmp + $e
    }};
}
macro_rules! twice {
    ($e:expr) => {{
        let x = $e;
        let y = x;
        x * 10 + y
    }};
}
fn a() -> i32 {
    let tmp = 5;
    with_tmp!(tmp)
}
fn b() -> i32 {
    let x = 3;
    let y = 4;
    twice!(x + y)
}
fn c() -> i32 {
    let tmp = 2;
    with_tmp!(with_tmp!(tmp)) + tmp
}
SPEC a: i32 = a, b: i32 = b, c: i32 = c

//# local_after_use
macro_rules! n {
    () => {
        1
    };
}
fn a() -> i32 {
    let first = n!();
    macro_rules! n {
        () => {
            20
        };
    }
    first + n!()
}
fn b() -> i32 {
    n!()
}
macro_rules! n {
    () => {
        300
    };
}
fn c() -> i32 {
    n!()
}
SPEC a: i32 = a, b: i32 = b, c: i32 = c

//# in_modules
#[macro_use]
mod first {
    macro_rules! port {
        () => {
            80
        };
    }
    pub fn own() -> u16 {
        port!()
    }
}
fn a() -> u16 {
    port!()
}
mod second {
    macro_rules! port {
        () => {
            443
        };
    }
    pub fn own() -> u16 {
        port!()
    }
}
fn b() -> u16 {
    port!() + second::own()
}
SPEC a: u16 = a, b: u16 = b, c: u16 = first::own

//# by_path
mod inner {
    macro_rules! make {
        () => {
            "inner"
        };
    }
    pub(crate) use make;
}
macro_rules! make {
    () => {
        "outer"
    };
}
fn a() -> String {
    make!().to_owned()
}
fn b() -> String {
    inner::make!().to_owned()
}
fn c() -> String {
    use inner::make as other;
    other!().to_owned()
}
SPEC a: String = a, b: String = b, c: String = c

//# names_of_items
fn limit() -> u8 {
    1
}
macro_rules! limit {
    () => {
        limit()
    };
}
fn a() -> u8 {
    fn limit() -> u8 {
        2
    }
    limit!() + limit()
}
mod deep {
    fn limit() -> u8 {
        7
    }
    pub fn b() -> u8 {
        limit!()
    }
    pub fn unused() -> u8 {
        limit()
    }
}
SPEC a: u8 = a, b: u8 = deep::b

//# labels_and_idents
macro_rules! set {
    ($v:ident, $e:expr) => {
        let $v = $e;
    };
}
macro_rules! hidden {
    ($e:expr) => {
        let hidden = $e;
        let _ = hidden;
    };
}
fn a() -> i32 {
    let x = 1;
    set!(x, x + 1);
    x
}
fn b() -> i32 {
    let hidden = 1;
    hidden!(50);
    hidden
}
SPEC a: i32 = a, b: i32 = b

//# kinds_of_fields
macro_rules! fields {
    ($name:ident { $($field:ident : $ty:ty = $default:expr),* $(,)? }) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        #[serde(default)]
        pub struct $name {
            $(pub $field: $ty),*
        }
        impl Default for $name {
            fn default() -> Self {
                $(let $field = $default;)*
                Self { $($field),* }
            }
        }
    };
}
fields!(Probe { period: u32 = 10, timeout: u32 = period * 2, path: String = format!("/p{timeout}") });
KIND
pub struct Spec {
    #[serde(default)]
    pub probe: Probe,
}

//# order_of_arms
macro_rules! pick {
    (a) => {
        1
    };
    ($x:ident) => {
        2
    };
    ($x:literal) => {
        3
    };
    ($($x:tt)*) => {
        4
    };
}
fn a() -> Vec<u8> {
    vec![pick!(a), pick!(b), pick!("c"), pick!(d e), pick!()]
}
SPEC a: Vec<u8> = a
