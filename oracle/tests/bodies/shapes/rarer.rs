// Rarer ones.

//# named_argument
const X: u8 = 5;
fn a() -> String {
    let x = 5;
    let _ = x;
    format!("{x}", x = 1)
}
fn b() -> String {
    format!("{X} {y}", X = 2, y = 3)
}
fn c() -> String {
    let x = 7;
    format!("{x}{0}{x:?}{n}", x, n = x + 1)
}
fn d() -> String {
    format!("{a}", a = "given")
}
SPEC a: String = a, b: String = b, c: String = c, d: String = d

//# own_vec
mod inner {
    macro_rules! vec {
        ($($x:expr),*) => {
            [$($x + 1),*].to_vec()
        };
    }
    pub fn a() -> Vec<u8> {
        vec![1, 2]
    }
}
fn b() -> Vec<u8> {
    macro_rules! vec {
        ($($x:expr),*) => {
            Vec::from([$($x * 2),*])
        };
    }
    vec![1, 2]
}
SPEC a: Vec<u8> = inner::a, b: Vec<u8> = b

//# own_format
macro_rules! format {
    ($t:literal $(, $x:expr)*) => {
        concat!("own ", $t).to_owned()
    };
}
fn a() -> String {
    format!("{}", 1)
}
SPEC a: String = a

//# own_concat
macro_rules! concat {
    ($a:literal, $b:literal) => {
        $b
    };
}
fn a() -> String {
    concat!("a", "b").to_owned()
}
fn b() -> String {
    std::concat!("a", "b").to_owned()
}
SPEC a: String = a, b: String = b

//# own_json
macro_rules! json {
    ($($t:tt)*) => {
        serde_json::json!({ "own": true })
    };
}
fn a() -> bool {
    json!({ "a": 1 }) == serde_json::json!({ "a": 1 })
}
fn b() -> String {
    json!({ "a": 1 })["own"].to_string()
}
SPEC a: bool = a, b: String = b

//# own_matches
macro_rules! matches {
    ($e:expr, $p:pat) => {
        !std::matches!($e, $p)
    };
}
fn a() -> bool {
    matches!(Some(1), Some(_))
}
fn skip(n: &u8) -> bool {
    matches!(n, 0)
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: bool,
    #[serde(default, skip_serializing_if = "skip")]
    pub b: u8,
}

//# imported_macro
mod mine {
    macro_rules! assert_or {
        ($x:expr) => {
            $x * 3
        };
    }
    pub(crate) use assert_or as format;
}
use mine::format;
fn a() -> i32 {
    format!(4)
}
SPEC a: i32 = a

//# is_zero
pub trait Zero {
    fn is_zero(&self) -> bool;
    fn is_empty(&self) -> bool {
        true
    }
}
impl Zero for i32 {
    fn is_zero(&self) -> bool {
        true
    }
}
fn a() -> bool {
    5i32.is_zero()
}
fn b() -> bool {
    5i32.is_empty()
}
fn zero(n: &i32) -> bool {
    n.is_zero()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: bool,
    #[serde(default = "b")]
    pub b: bool,
    #[serde(default = "five", skip_serializing_if = "zero")]
    pub c: i32,
    #[serde(default = "five", skip_serializing_if = "Zero::is_zero")]
    pub d: i32,
}
fn five() -> i32 {
    5
}

//# own_trait_on_options
pub trait Ext {
    fn is_none_or_zero(&self) -> bool;
    fn or_seven(self) -> u8;
}
impl Ext for Option<u8> {
    fn is_none_or_zero(&self) -> bool {
        !matches!(self, Some(1..))
    }
    fn or_seven(self) -> u8 {
        self.unwrap_or(7)
    }
}
fn a() -> bool {
    Some(0).is_none_or_zero()
}
fn b() -> u8 {
    None.or_seven()
}
SPEC a: bool = a, b: u8 = b

//# duration_of_rarer
use std::time::Duration;
fn a() -> Duration {
    Duration::new(1, 2_000_000_000)
}
fn b() -> Duration {
    Duration::from_millis(1500) + Duration::from_secs(2)
}
fn c() -> Duration {
    Duration::from_secs(90) * 2 / 4
}
fn d() -> u64 {
    Duration::from_millis(2999).as_secs()
}
fn e() -> Duration {
    Duration::from_secs_f32(0.1)
}
SPEC a: Duration = a, b: Duration = b, c: Duration = c, d: u64 = d, e: Duration = e

//# glob_and_macro
mod other {
    pub fn size() -> u8 {
        1
    }
}
use other::*;
macro_rules! make {
    () => {
        fn size() -> u8 {
            2
        }
    };
}
make!();
fn a() -> u8 {
    size()
}
SPEC a: u8 = a, b: u8 = size

//# glob_and_item
mod other {
    pub const SIZE: u8 = 1;
    pub fn size() -> u8 {
        1
    }
    pub struct Duration(pub u8);
}
use other::*;
const SIZE: u8 = 3;
fn a() -> u8 {
    fn size() -> u8 {
        2
    }
    size() * 10 + SIZE
}
fn b() -> u8 {
    use std::time::Duration;
    Duration::from_secs(8).as_secs() as u8
}
fn c() -> u8 {
    Duration(4).0
}
SPEC a: u8 = a, b: u8 = b, c: u8 = c

//# type_from_macro
mod other {
    use super::*;
    #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
    pub struct Cfg {
        pub glob: u8,
    }
}
use other::*;
macro_rules! make {
    ($n:ident) => {
        #[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
        pub struct $n {
            pub made: u8,
        }
    };
}
make!(Cfg);
KIND
pub struct Spec {
    pub cfg: Cfg,
}

//# t3a_titled
mod titled {
    pub fn new(text: &str) -> String {
        format!("T-{text}")
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Hand(String);
impl JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hand".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "title": titled::new("x") })
    }
}
KIND
pub struct Spec {
    pub a: Hand,
}

//# t3a_own_from_in_a_schema
struct Min(u8);
impl Min {
    fn from(n: u8) -> u8 {
        n * 2
    }
    fn len(&self) -> u8 {
        self.0 + 40
    }
}
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Hand(String);
impl JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hand".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = schemars::json_schema!({ "type": "string", "minLength": Min::from(3) });
        schema.insert("maxLength".to_owned(), Min(2).len().into());
        schema
    }
}
KIND
pub struct Spec {
    pub a: Hand,
}

//# t3a_loops
fn a() -> Vec<u32> {
    let mut list = Vec::new();
    let mut n = 1;
    while n < 20 {
        list.push(n);
        n *= 3;
    }
    list
}
fn b() -> u32 {
    let mut n = 0;
    loop {
        n += 7;
        if n % 5 == 0 {
            break n;
        }
    }
}
fn c() -> Option<(u8, u8)> {
    'outer: for a in 1..5 {
        for b in 1..5 {
            if a * b == 6 {
                return Some((a, b));
            }
            if b > a {
                continue 'outer;
            }
        }
    }
    None
}
SPEC a: Vec<u32> = a, b: u32 = b, c: Option<(u8,u8)> = c
