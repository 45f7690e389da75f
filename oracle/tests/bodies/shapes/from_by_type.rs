// `From` by type.

//# str_and_string
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
impl From<&str> for Img {
    fn from(text: &str) -> Self {
        Img(format!("str {text}"))
    }
}
impl From<String> for Img {
    fn from(text: String) -> Self {
        Img(format!("string {text}"))
    }
}
fn a() -> Img {
    Img::from(format!("nginx:{}", 1))
}
fn b() -> Img {
    Img::from("ABC".to_string())
}
fn c() -> Img {
    String::from("q").into()
}
fn d() -> Img {
    "q".into()
}
fn e() -> Img {
    let text = String::from("x");
    text.as_str().into()
}
fn f() -> Img {
    let text = "x".to_owned() + "y";
    Img::from(text.trim())
}
SPEC a: Img = a, b: Img = b, c: Img = c, d: Img = d, e: Img = e, f: Img = f

//# numbers
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
impl From<u8> for Img {
    fn from(n: u8) -> Self {
        Img(format!("u8 {n}"))
    }
}
impl From<i32> for Img {
    fn from(n: i32) -> Self {
        Img(format!("i32 {n}"))
    }
}
impl From<u64> for Img {
    fn from(n: u64) -> Self {
        Img(format!("u64 {n}"))
    }
}
impl From<i64> for Img {
    fn from(n: i64) -> Self {
        Img(format!("i64 {n}"))
    }
}
const T: u64 = 30;
fn a() -> Img {
    Img::from(T)
}
fn b() -> Img {
    8080i64.into()
}
fn c() -> Img {
    5.into()
}
fn d() -> Img {
    let n: u8 = 3;
    n.into()
}
fn e() -> Img {
    Img::from("abc".len() as u64)
}
fn f() -> Img {
    Img::from(b'a')
}
SPEC a: Img = a, b: Img = b, c: Img = c, d: Img = d, e: Img = e, f: Img = f

//# options_and_tuples
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
impl From<Option<u8>> for Img {
    fn from(n: Option<u8>) -> Self {
        Img(format!("option {n:?}"))
    }
}
impl From<(u8, u8)> for Img {
    fn from((a, b): (u8, u8)) -> Self {
        Img(format!("pair {a} {b}"))
    }
}
impl From<[u8; 2]> for Img {
    fn from(list: [u8; 2]) -> Self {
        Img(format!("array {}", list.len()))
    }
}
impl From<Vec<u8>> for Img {
    fn from(list: Vec<u8>) -> Self {
        Img(format!("list {}", list.len()))
    }
}
impl From<char> for Img {
    fn from(c: char) -> Self {
        Img(format!("char {c}"))
    }
}
impl From<bool> for Img {
    fn from(b: bool) -> Self {
        Img(format!("bool {b}"))
    }
}
fn a() -> Img {
    Some(1).into()
}
fn b() -> Img {
    (1, 2).into()
}
fn c() -> Img {
    [1, 2].into()
}
fn d() -> Img {
    vec![1, 2].into()
}
fn e() -> Img {
    'x'.into()
}
fn f() -> Img {
    Img::from(true)
}
SPEC a: Img = a, b: Img = b, c: Img = c, d: Img = d, e: Img = e, f: Img = f

//# own_types
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
pub struct Tag(u8);
pub struct Digest(u8);
impl From<Tag> for Img {
    fn from(tag: Tag) -> Self {
        Img(format!(":{}", tag.0))
    }
}
impl From<Digest> for Img {
    fn from(digest: Digest) -> Self {
        Img(format!("@{}", digest.0))
    }
}
impl From<&Tag> for Img {
    fn from(tag: &Tag) -> Self {
        Img(format!("&:{}", tag.0))
    }
}
fn a() -> Img {
    Digest(1).into()
}
fn b() -> Img {
    Tag(1).into()
}
fn c() -> Img {
    (&Tag(1)).into()
}
fn d() -> Img {
    let tag = Tag(2);
    Img::from(&tag)
}
SPEC a: Img = a, b: Img = b, c: Img = c, d: Img = d

//# generic_argument
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
impl From<&str> for Img {
    fn from(text: &str) -> Self {
        Img(format!("str {text}"))
    }
}
impl From<String> for Img {
    fn from(text: String) -> Self {
        Img(format!("string {text}"))
    }
}
fn make(from: impl Into<Img>) -> Img {
    from.into()
}
fn each<T>(all: Vec<T>) -> Vec<Img>
where
    Img: From<T>,
{
    all.into_iter().map(Img::from).collect()
}
fn a() -> Img {
    make("x")
}
fn b() -> Img {
    make("x".to_owned())
}
fn c() -> Vec<Img> {
    each(vec!["x".to_owned()])
}
fn d() -> Vec<Img> {
    ["p", "q"].map(Into::into).to_vec()
}
fn e() -> Option<Img> {
    Some("x".to_string()).map(Img::from)
}
SPEC a: Img = a, b: Img = b, c: Vec<Img> = c, d: Vec<Img> = d, e: Option<Img> = e

//# try_from_of_from_by_type
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Port(u16);
impl TryFrom<i64> for Port {
    type Error = String;
    fn try_from(n: i64) -> Result<Self, String> {
        u16::try_from(n).map(Port).map_err(|e| e.to_string())
    }
}
impl TryFrom<&str> for Port {
    type Error = String;
    fn try_from(t: &str) -> Result<Self, String> {
        match t {
            "http" => Ok(Port(80)),
            other => Err(format!("no {other}")),
        }
    }
}
fn a() -> Port {
    Port::try_from("http").unwrap()
}
fn b() -> Port {
    Port::try_from(70_000i64).unwrap_or(Port(1))
}
fn c() -> Port {
    443i64.try_into().unwrap()
}
fn d() -> String {
    Port::try_from("x").unwrap_err()
}
SPEC a: Port = a, b: Port = b, c: Port = c, d: String = d
