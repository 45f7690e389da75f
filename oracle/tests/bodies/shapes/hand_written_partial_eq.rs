// A hand-written `PartialEq`.

//# is_default
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
pub struct Opts {
    pub a: u8,
}
impl PartialEq for Opts {
    fn eq(&self, _: &Self) -> bool {
        false
    }
}
fn is_default<T: Default + PartialEq>(t: &T) -> bool {
    *t == T::default()
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "is_default")]
    pub opts: Opts,
    #[serde(default, skip_serializing_if = "is_default")]
    pub n: u8,
}

//# eq_method
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Opts {
    pub a: u8,
    pub note: String,
}
impl Default for Opts {
    fn default() -> Self {
        Opts { a: 1, note: "x".to_owned() }
    }
}
impl PartialEq for Opts {
    fn eq(&self, other: &Self) -> bool {
        self.a == other.a
    }
}
fn same(opts: &Opts) -> bool {
    opts.eq(&Opts { a: 1, note: String::new() })
}
fn differs(opts: &Opts) -> bool {
    *opts != Opts { a: 1, note: String::new() }
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "same")]
    pub a: Opts,
    #[serde(default, skip_serializing_if = "differs")]
    pub b: Opts,
}

//# contains
#[derive(Clone, Debug)]
pub struct Id(u8);
impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.0 % 10 == other.0 % 10
    }
}
fn a() -> bool {
    vec![Id(11)].contains(&Id(21))
}
fn b() -> Option<usize> {
    [Id(1), Id(12)].iter().position(|id| *id == Id(2))
}
fn c() -> usize {
    let mut ids = vec![Id(1), Id(11), Id(2)];
    ids.dedup();
    ids.len()
}
fn d() -> bool {
    Some(Id(3)) == Some(Id(13))
}
fn e() -> bool {
    (Id(3), 1) == (Id(4), 1)
}
SPEC a: bool = a, b: Option<usize> = b, c: usize = c, d: bool = d, e: bool = e

//# ne
#[derive(Clone, Debug)]
pub struct Id(u8);
impl PartialEq for Id {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
    fn ne(&self, _: &Self) -> bool {
        true
    }
}
fn a() -> bool {
    Id(1) != Id(1)
}
fn b() -> bool {
    Id(1) == Id(1)
}
SPEC a: bool = a, b: bool = b

//# with_str
#[derive(Clone, Debug)]
pub struct Name(&'static str);
impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        self.0.eq_ignore_ascii_case(other)
    }
}
impl PartialEq<Name> for &str {
    fn eq(&self, other: &Name) -> bool {
        self.len() == other.0.len()
    }
}
fn a() -> bool {
    Name("Ab") == *"aB"
}
fn b() -> bool {
    "xy" == Name("Ab")
}
SPEC a: bool = a, b: bool = b

//# ord_of_hand_written_partial_eq
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Prio(u8);
impl PartialOrd for Prio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Prio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.cmp(&self.0)
    }
}
fn a() -> BTreeSet<Prio> {
    BTreeSet::from([Prio(1), Prio(3), Prio(2)])
}
fn b() -> bool {
    Prio(1) > Prio(2)
}
fn c() -> Prio {
    Prio(1).max(Prio(2))
}
fn d() -> Vec<Prio> {
    let mut list = vec![Prio(1), Prio(3)];
    list.sort();
    list
}
fn e() -> Option<Prio> {
    [Prio(4), Prio(9)].into_iter().min()
}
SPEC a: BTreeSet<Prio> = a, b: bool = b, c: Prio = c, d: Vec<Prio> = d, e: Option<Prio> = e

//# default_in_a_block_of_a_cfg
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize, JsonSchema)]
pub struct Opts {
    pub a: u8,
}
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    #[cfg(any())]
    {
        let _ = value;
        false
    }
    #[cfg(not(any()))]
    {
        value == &T::default()
    }
}
fn two() -> Vec<u8> {
    vec![1, 2]
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "is_default")]
    pub a: Vec<Opts>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub b: Opts,
    #[serde(default, skip_serializing_if = "is_default")]
    pub c: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub d: Option<bool>,
}

//# default_of_a_list_with_items
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    value == &T::default()
}
fn two() -> Vec<u8> {
    vec![0, 0]
}
fn pair() -> [u8; 2] {
    [0, 0]
}
KIND
pub struct Spec {
    #[serde(default = "two", skip_serializing_if = "is_default")]
    pub a: Vec<u8>,
    #[serde(default = "pair", skip_serializing_if = "is_default")]
    pub b: [u8; 2],
}

//# not_in_a_block
fn on(value: &bool) -> bool {
    {
        { !*value }
    }
}
KIND
pub struct Spec {
    #[serde(default, skip_serializing_if = "on")]
    pub a: bool,
}
