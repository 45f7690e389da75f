// Conversions that one block or one method decides: of texts into types of the source, of integers, of lists.

//# from_of_a_text
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.to_owned())
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Flag {
    on: bool,
}
impl From<bool> for Flag {
    fn from(on: bool) -> Self {
        Self { on }
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Text(String);
impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text)
    }
}
fn a() -> Name {
    Name::from("admins")
}
fn b() -> Name {
    "users".into()
}
fn c() -> Flag {
    true.into()
}
fn d() -> Text {
    Text::from("a".to_owned())
}
fn e() -> Text {
    String::from("b").into()
}
SPEC a: Name = a, b: Name = b, c: Flag = c, d: Text = d, e: Text = e

//# from_of_several
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(format!("str {text}"))
    }
}
impl From<String> for Name {
    fn from(text: String) -> Self {
        Name(format!("String {text}"))
    }
}
impl From<u8> for Name {
    fn from(_: u8) -> Self {
        Name("u8".to_owned())
    }
}
fn a() -> Name {
    Name::from("a")
}
fn b() -> Name {
    "b".to_string().into()
}
fn c() -> Name {
    5.into()
}
SPEC a: Name = a, b: Name = b, c: Name = c

//# from_of_a_macro
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.to_owned())
    }
}
macro_rules! more {
    ($($of:ty)*) => { $(impl From<$of> for Name {
        fn from(_: $of) -> Self {
            Name(stringify!($of).to_owned())
        }
    })* };
}
more!(String u8 i32);
fn a() -> Name {
    Name::from("a")
}
fn b() -> Name {
    Name::from(String::from("a"))
}
fn c() -> Name {
    7.into()
}
SPEC a: Name = a, b: Name = b, c: Name = c

//# from_of_the_type_itself
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
impl Name {
    fn from(text: &str) -> Self {
        Name(format!("own {text}"))
    }
}
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.to_owned())
    }
}
fn a() -> Name {
    Name::from("a")
}
fn b() -> Name {
    "a".into()
}
SPEC a: Name = a, b: Name = b

//# from_of_everything
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
impl<T: std::fmt::Debug> From<Vec<T>> for Name {
    fn from(of: Vec<T>) -> Self {
        Name(format!("{of:?}"))
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Of<T>(T);
impl From<&str> for Of<String> {
    fn from(text: &str) -> Self {
        Of(text.to_owned())
    }
}
fn a() -> Name {
    vec![1].into()
}
fn b() -> Of<String> {
    "a".into()
}
fn c() -> Of<String> {
    Of::from("b")
}
SPEC a: Name = a, b: Of<String> = b, c: Of<String> = c

//# own_trait_from
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
struct Name(String);
trait From<T> {
    fn from(of: T) -> Self;
}
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(format!("own {text}"))
    }
}
impl std::convert::From<&str> for Name {
    fn from(text: &str) -> Self {
        Name(text.to_owned())
    }
}
fn a() -> Name {
    <Name as From<&str>>::from("a")
}
fn b() -> Name {
    "b".into()
}
SPEC a: Name = a, b: Name = b

//# integers_into
const SMALL: u8 = 5;
type Wide = u64;
fn a() -> u64 {
    3600u64.into()
}
fn b() -> i64 {
    SMALL.into()
}
fn c() -> Wide {
    SMALL.into()
}
fn d() -> u16 {
    u8::MAX.into()
}
fn e() -> i64 {
    (-5).into()
}
fn f() -> u32 {
    'a'.into()
}
fn g() -> u8 {
    true.into()
}
fn h() -> f64 {
    SMALL.into()
}
fn i() -> Option<u8> {
    SMALL.into()
}
SPEC a: u64 = a, b: i64 = b, c: Wide = c, d: u16 = d, e: i64 = e, f: u32 = f, g: u8 = g, h: f64 = h, i: Option<u8> = i

//# powers
const K: u64 = 1024;
struct S;
impl S {
    const TWO: i32 = -2;
}
fn a() -> u64 {
    5 * 1024u64.pow(3)
}
fn b() -> u64 {
    K.pow(2) - 1
}
fn c() -> i32 {
    S::TWO.pow(3)
}
fn d() -> u8 {
    2u8.pow(7)
}
fn e() -> u8 {
    3_u8.pow(0)
}
trait Own {
    fn pow(&self, by: u32) -> u64;
}
impl Own for str {
    fn pow(&self, by: u32) -> u64 {
        by.into()
    }
}
fn f() -> u64 {
    "a".pow(3)
}
SPEC a: u64 = a, b: u64 = b, c: i32 = c, d: u8 = d, e: u8 = e, f: u64 = f

//# powers_without_traits
const K: u64 = 1024;
fn a() -> u64 {
    5 * 1024u64.pow(3)
}
fn b() -> u64 {
    K.pow(2) - 1
}
fn c() -> u8 {
    2u8.pow(7)
}
SPEC a: u64 = a, b: u64 = b, c: u8 = c

//# lists_of_arrays
const PORTS: [u16; 2] = [80, 443];
const NAMES: [&str; 2] = ["b", "a"];
const MORE: &[i32] = &[3, 1];
fn a() -> Vec<u16> {
    PORTS.to_vec()
}
fn b() -> Vec<u16> {
    PORTS.into()
}
fn c() -> Vec<String> {
    NAMES.map(String::from).to_vec()
}
fn d() -> Vec<String> {
    NAMES.map(Into::into).into()
}
fn e() -> Vec<i32> {
    MORE.iter().copied().collect()
}
fn f() -> Vec<i32> {
    MORE.iter().cloned().map(|n| n * 2).collect()
}
fn g() -> std::collections::BTreeSet<i32> {
    MORE.iter().copied().collect()
}
fn h() -> Vec<String> {
    NAMES.iter().map(|name| format!("{name}.")).collect()
}
SPEC a: Vec<u16> = a, b: Vec<u16> = b, c: Vec<String> = c, d: Vec<String> = d, e: Vec<i32> = e, f: Vec<i32> = f, g: std::collections::BTreeSet<i32> = g, h: Vec<String> = h

//# lists_by_own_methods
trait Own {
    fn to_vec(&self) -> Vec<u16>;
}
impl Own for [u16; 2] {
    fn to_vec(&self) -> Vec<u16> {
        vec![1]
    }
}
const PORTS: [u16; 2] = [80, 443];
fn a() -> Vec<u16> {
    PORTS.to_vec()
}
fn b() -> Vec<u16> {
    PORTS.into()
}
SPEC a: Vec<u16> = a, b: Vec<u16> = b

//# texts_of_texts
fn a() -> String {
    "us-east-1".parse().unwrap()
}
SPEC a: String = a
