// What rustc decides elsewhere: items of generic code before their arguments, types of floats by other parts, changes of
// constants, names that closures of macros bind.

//# items_for_certain_arguments
trait Tr {
    const K: i32;
    fn mk() -> i32 {
        20
    }
}
struct Gen<T>(std::marker::PhantomData<T>);
impl<T> Tr for Gen<T> {
    const K: i32 = 2;
}
impl Gen<u8> {
    pub const K: i32 = 1;
    pub fn mk() -> i32 {
        10
    }
}
impl<T> Gen<T> {
    pub const G: i32 = Self::K;
    pub fn a() -> i32 {
        Self::K
    }
    pub fn b() -> i32 {
        Gen::<T>::mk()
    }
}
fn c() -> i32 {
    Gen::<u8>::G
}
SPEC a: i32 = Gen::<u8>::a, b: i32 = Gen::<u8>::b, c: i32 = c

//# defaults_for_certain_arguments
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Gen<T> {
    n: i32,
    v: Option<T>,
}
impl<T> Default for Gen<T> {
    fn default() -> Self {
        Gen { n: 1, v: None }
    }
}
impl Gen<u8> {
    fn default() -> Self {
        Gen { n: 79, v: None }
    }
}
impl<T> Gen<T> {
    fn made() -> Self {
        Self::default()
    }
}
SPEC a: Gen<u8> = Gen::<u8>::made

//# items_for_all_arguments
struct Gen<T>(std::marker::PhantomData<T>);
impl<T> Gen<T> {
    const K: i32 = 7;
    fn a() -> i32 {
        Self::K
    }
}
fn b() -> i32 {
    Gen::<String>::K
}
SPEC a: i32 = Gen::<u8>::a, b: i32 = b

//# floats_of_another_part
const F: f32 = 0.1;
type List = Vec<f32>;
fn a() -> serde_json::Value {
    serde_json::json!(vec![0.1, F])
}
fn b() -> serde_json::Value {
    serde_json::json!(&[F, 0.1])
}
fn c() -> serde_json::Value {
    serde_json::json!(Vec::<f32>::from([0.1]))
}
fn d() -> serde_json::Value {
    serde_json::json!(List::from([0.1]))
}
fn e() -> serde_json::Value {
    serde_json::json!(Some::<f32>(0.1))
}
fn f() -> serde_json::Value {
    serde_json::json!(Box::<f32>::new(0.1))
}
fn g() -> serde_json::Value {
    serde_json::json!(std::collections::BTreeMap::from([("a", 0.1), ("b", F)]))
}
fn h() -> serde_json::Value {
    serde_json::json!((0.1, F))
}
SPEC a: serde_json::Value = a, b: serde_json::Value = b, c: serde_json::Value = c, d: serde_json::Value = d, e: serde_json::Value = e, f: serde_json::Value = f, g: serde_json::Value = g, h: serde_json::Value = h

//# floats_of_their_own
const F: f32 = 0.5;
fn a() -> Vec<f32> {
    vec![0.1, F]
}
SPEC a: Vec<f32> = a

//# changes_of_constants
type Map = std::collections::BTreeMap<String, i32>;
fn a() -> Vec<i32> {
    const LIST: Vec<i32> = Vec::new();
    LIST.push(1);
    LIST
}
fn b() -> Map {
    const MAP: Map = Map::new();
    MAP.insert("a".to_string(), 1);
    MAP
}
fn c() -> Vec<i32> {
    const ONE: i32 = 1;
    let mut list = Vec::new();
    list.push(ONE);
    list
}
SPEC a: Vec<i32> = a, b: Map = b, c: Vec<i32> = c

//# closures_of_macros
type Map = std::collections::BTreeMap<String, i32>;
macro_rules! list {
    ($name:ident, $v:ident) => {
        fn $name() -> Vec<i32> {
            let $v = 40;
            [1, 2].iter().map(|x| x + $v).collect()
        }
    };
}
macro_rules! pairs {
    ($name:ident, $v:ident) => {
        fn $name() -> Map {
            let $v = 40;
            [("a", 1)].into_iter().map(|(k, x)| (k.to_string(), $v)).collect()
        }
    };
}
list!(a, x);
pairs!(b, x);
SPEC a: Vec<i32> = a, b: Map = b

//# transparent_with_another_type
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Flag(#[schemars(with = "Option<bool>")] pub u8);
KIND
pub struct Spec {
    pub a: Flag,
    #[schemars(required)]
    pub b: Flag,
}

//# schemas_with_a_second_name
KIND
pub struct Spec {
    #[schemars(transform = |s: &mut schemars::Schema| { let t = { s }; t.insert("minLength".into(), 2.into()); })]
    pub a: String,
    #[schemars(transform = |s: &mut schemars::Schema| { let t: &mut schemars::Schema = s.into(); t.insert("minLength".into(), 2.into()); })]
    pub b: String,
}

//# schemas_in_a_box
KIND
pub struct Spec {
    #[schemars(transform = |s: &mut schemars::Schema| { let mut t = Box::new(s); t.insert("minLength".into(), 2.into()); })]
    pub a: String,
}

//# schemas_of_floats
const F: f32 = 0.1;
fn text(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    serde_json::from_str(r#"{ "type": "number", "minimum": -93.31137037688033 }"#).unwrap()
}
fn list(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "number", "enum": vec![0.1, F] })
}
KIND
pub struct Spec {
    #[schemars(schema_with = "text")]
    pub a: f64,
    #[schemars(schema_with = "list")]
    pub b: f64,
}
