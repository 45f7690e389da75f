// Items of a block hold in all of it, wherever they stand; a hand-written schema is evaluated as any other function is.

//# const_below
const LIMIT: u32 = 40;
fn f() -> u32 {
    let found = LIMIT + 1;
    const LIMIT: u32 = 7;
    found
}
fn g() -> u32 {
    const FIRST: u32 = SECOND * 2;
    const SECOND: u32 = 4;
    FIRST
}
const SECOND: u32 = 100;
fn h() -> u32 {
    let mut all = 0;
    if all == 0 {
        all += LIMIT;
        const LIMIT: u32 = 3;
    }
    all + LIMIT
}
SPEC a: u32 = f, b: u32 = g, c: u32 = h

//# use_below
mod one {
    pub const WORD: &str = "one";
}
mod two {
    pub const WORD: &str = "two";
}
use one::WORD;
fn f() -> String {
    let found = WORD.to_owned();
    use two::WORD;
    found + WORD
}
SPEC a: String = f

//# schema_const
const LIMIT: u64 = 40;
fn made(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    const LIMIT: u64 = 7;
    schemars::json_schema!({ "type": "string", "maxLength": LIMIT + 1, "minLength": ({ const LIMIT: u64 = 2; LIMIT }) })
}
KIND
pub struct Spec {
    #[schemars(schema_with = "made")]
    pub a: String,
}

//# schema_own_json
macro_rules! json {
    ($($any:tt)*) => {
        serde_json::Value::from(3)
    };
}
macro_rules! json_schema {
    ($($any:tt)*) => {
        schemars::json_schema!({ "type": "integer" })
    };
}
fn made(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut schema = json_schema!({ "type": "string" });
    schema.insert("minimum".to_owned(), json!(9));
    schema
}
KIND
pub struct Spec {
    #[schemars(schema_with = "made")]
    pub a: u8,
}

//# schema_own_rule
pub struct Rule;
impl Rule {
    pub fn new(_: &str) -> &'static str {
        "self.size() > 9"
    }
}
#[derive(Clone, Debug, Deserialize, Serialize, kube::KubeSchema)]
pub struct Inner {
    #[x_kube(validation = Rule::new("self != ''"))]
    pub text: String,
}
KIND
pub struct Spec {
    pub a: Inner,
}

//# schema_loop
fn made(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let mut properties = serde_json::Map::new();
    for (index, name) in ["first", "second"].iter().enumerate() {
        let mut schema = generator.subschema_for::<u8>();
        schema.insert("minimum".to_owned(), index.into());
        properties.insert((*name).to_owned(), schema.to_value());
    }
    let required: Vec<serde_json::Value> = properties.keys().take(0).cloned().map(Into::into).collect();
    schemars::json_schema!({ "type": "object", "properties": properties, "required": required })
}
KIND
pub struct Spec {
    #[schemars(schema_with = "made")]
    pub a: serde_json::Value,
}

//# schema_replaced
fn replaced(schema: &mut schemars::Schema) {
    *schema = schemars::json_schema!({ "type": "integer" });
}
KIND
pub struct Spec {
    #[schemars(transform = replaced)]
    pub a: String,
}

//# schema_other_in_place
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Own(String);
impl JsonSchema for Own {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Own".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = generator.subschema_for::<u16>();
        schema.insert("maximum".into(), 9.into());
        let taken = std::mem::replace(&mut schema, generator.subschema_for::<String>());
        if STRICT { taken } else { schema }
    }
}
const STRICT: bool = false;
KIND
pub struct Spec {
    pub a: Own,
}

//# schema_helper_trait
trait Described {
    fn described(self, text: &str) -> Self;
}
impl Described for schemars::Schema {
    fn described(mut self, text: &str) -> Self {
        self.insert("description".to_owned(), text.into());
        self
    }
}
fn made(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<String>().described("From a trait.")
}
KIND
pub struct Spec {
    #[schemars(schema_with = "made")]
    pub a: String,
}
