// `<T as Trait>::f`.

//# functions
pub struct Aa;
pub trait Named {
    fn name() -> String;
}
pub trait Labeled {
    fn name() -> String;
}
impl Named for Aa {
    fn name() -> String {
        "named".to_owned()
    }
}
impl Labeled for Aa {
    fn name() -> String {
        "labeled".to_owned()
    }
}
fn c() -> String {
    <Aa as Labeled>::name()
}
KIND
pub struct Spec {
    #[serde(default = "<Aa as Labeled>::name")]
    pub a: String,
    #[serde(default = "<Aa as Named>::name")]
    pub b: String,
    #[serde(default = "c")]
    pub c: String,
}

//# constants
pub struct Aa;
pub trait V1 {
    const PORT: u16;
}
pub trait V2 {
    const PORT: u16 = 2;
}
impl V1 for Aa {
    const PORT: u16 = 1;
}
impl V2 for Aa {}
fn a() -> u16 {
    <Aa as V1>::PORT
}
fn b() -> u16 {
    <Aa as V2>::PORT
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u16,
    #[serde(default = "b")]
    #[schemars(range(min = <Aa as V2>::PORT))]
    pub b: u16,
}

//# own_default
pub mod own {
    pub trait Dflt {
        fn default() -> Self;
    }
}
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct St {
    pub x: i32,
}
impl own::Dflt for St {
    fn default() -> Self {
        St { x: 9 }
    }
}
fn a() -> St {
    <St as own::Dflt>::default()
}
fn b() -> St {
    <St as Default>::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: St,
    #[serde(default = "b")]
    pub b: St,
    #[serde(default = "<St as own::Dflt>::default")]
    pub c: St,
    #[serde(default)]
    pub d: St,
}

//# inherent_default
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct St {
    pub x: i32,
}
impl St {
    pub fn default() -> Self {
        St { x: 44 }
    }
}
fn a() -> St {
    St::default()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: St,
    #[serde(default = "St::default")]
    pub b: St,
    #[serde(default)]
    pub c: St,
}

//# two_traits_of_one_name
pub mod my {
    pub trait Default {
        fn default() -> Self;
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct S2 {
    pub x: i32,
}
impl my::Default for S2 {
    fn default() -> Self {
        S2 { x: 1 }
    }
}
impl std::default::Default for S2 {
    fn default() -> Self {
        S2 { x: 2 }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub a: S2,
}

//# two_froms
pub mod conv {
    pub trait From<T> {
        fn from(value: T) -> Self;
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Img(String);
impl conv::From<&str> for Img {
    fn from(value: &str) -> Self {
        Img(format!("conv {value}"))
    }
}
impl From<&str> for Img {
    fn from(value: &str) -> Self {
        Img(format!("std {value}"))
    }
}
fn a() -> Img {
    "x".into()
}
fn b() -> Img {
    <Img as From<&str>>::from("x")
}
fn c() -> Img {
    <Img as conv::From<&str>>::from("x")
}
SPEC a: Img = a, b: Img = b, c: Img = c

//# two_displays
pub mod own {
    pub trait Display {
        fn fmt(&self) -> String;
        fn to_string(&self) -> String {
            self.fmt() + "!"
        }
    }
}
pub struct P(u8);
impl own::Display for P {
    fn fmt(&self) -> String {
        "own".to_owned()
    }
}
impl std::fmt::Display for P {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "std {}", self.0)
    }
}
fn a() -> String {
    format!("{}", P(1))
}
fn b() -> String {
    own::Display::to_string(&P(2))
}
fn c() -> String {
    P(3).to_string()
}
fn d() -> String {
    <P as own::Display>::fmt(&P(4))
}
SPEC a: String = a, b: String = b, c: String = c, d: String = d

//# generic_functions
pub struct A;
pub struct B;
pub trait Port {
    const PORT: u16 = 80;
    fn port() -> u16 {
        Self::PORT + 1
    }
}
pub trait Other {
    fn port() -> u16 {
        9
    }
}
impl Port for A {}
impl Port for B {
    const PORT: u16 = 443;
}
impl Other for A {}
impl Other for B {}
fn of<T: Port + Other>() -> u16 {
    <T as Port>::port() * 10 + <T as Other>::port()
}
fn a() -> u16 {
    of::<A>()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u16,
    #[serde(default = "of::<B>")]
    pub b: u16,
    #[serde(default = "<B as Port>::port")]
    pub c: u16,
}

//# trait_functions_methods
pub struct A;
pub trait V1 {
    fn v(&self) -> u8;
}
pub trait V2 {
    fn v(&self) -> u8;
}
impl V1 for A {
    fn v(&self) -> u8 {
        1
    }
}
impl V2 for A {
    fn v(&self) -> u8 {
        2
    }
}
fn a() -> u8 {
    V1::v(&A)
}
fn b() -> u8 {
    V2::v(&A)
}
fn c() -> u8 {
    <A as V2>::v(&A)
}
SPEC a: u8 = a, b: u8 = b, c: u8 = c
