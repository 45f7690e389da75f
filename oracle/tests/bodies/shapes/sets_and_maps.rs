// Sets and sorted maps that are used as anything but a field.

//# set_to_list
fn zones() -> BTreeSet<String> {
    ["b", "a", "c", "a"].into_iter().map(str::to_owned).collect()
}
fn a() -> Vec<String> {
    zones().into_iter().collect()
}
fn b() -> Vec<String> {
    zones().iter().rev().cloned().collect()
}
fn c() -> String {
    zones().into_iter().collect::<Vec<_>>().join(",")
}
fn d() -> Vec<&'static str> {
    BTreeSet::from(["b", "a", "b"]).into_iter().collect::<Vec<_>>()
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: Vec<String>,
    #[serde(default = "b")]
    pub b: Vec<String>,
    #[serde(default = "c")]
    pub c: String,
    #[serde(default = "d", skip_deserializing)]
    #[schemars(with = "Vec<String>")]
    pub d: Vec<&'static str>,
}

//# set_length
fn a() -> usize {
    BTreeSet::from([1, 1, 2]).len()
}
fn b() -> usize {
    HashSet::from(["x", "x"]).len()
}
fn c() -> usize {
    [3, 3, 3].iter().collect::<BTreeSet<_>>().len()
}
fn d() -> usize {
    let mut set = HashSet::new();
    set.insert("a");
    set.insert("a");
    set.len()
}
fn e() -> usize {
    BTreeMap::from([("k", 1), ("k", 2)]).len()
}
SPEC a: usize = a, b: usize = b, c: usize = c, d: usize = d, e: usize = e

//# set_equality
fn a() -> bool {
    BTreeSet::from([1, 2]) == BTreeSet::from([2, 1])
}
fn b() -> bool {
    HashSet::from([1, 2, 2]) == HashSet::from([2, 1])
}
fn c() -> bool {
    BTreeMap::from([(1, 'a'), (2, 'b')]) == BTreeMap::from([(2, 'b'), (1, 'a')])
}
fn d() -> bool {
    vec![1, 2] == vec![2, 1]
}
SPEC a: bool = a, b: bool = b, c: bool = c, d: bool = d

//# set_remove
fn a() -> BTreeSet<u8> {
    let mut set = BTreeSet::from([1, 2, 3, 4]);
    set.remove(&3);
    set
}
fn b() -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    set.insert("z".to_string());
    set.insert("a".to_string());
    set.insert("z".to_string());
    set
}
fn c() -> bool {
    BTreeSet::from([1, 2]).insert(2)
}
fn d() -> Option<u8> {
    BTreeSet::from([5, 2, 9]).pop_first()
}
SPEC a: BTreeSet<u8> = a, b: BTreeSet<String> = b, c: bool = c, d: Option<u8> = d

//# set_extends_list
fn a() -> Vec<String> {
    let mut list = vec!["m".to_owned()];
    list.extend(BTreeSet::from(["z".to_owned(), "a".to_owned(), "z".to_owned()]));
    list
}
fn b() -> Vec<u8> {
    let mut list = Vec::new();
    for n in BTreeSet::from([3, 1, 2, 1]) {
        list.push(n);
    }
    list
}
SPEC a: Vec<String> = a, b: Vec<u8> = b

//# map_order
fn a() -> Vec<u8> {
    let mut v = Vec::new();
    for (_, x) in BTreeMap::from([("b", 1), ("a", 2)]) {
        v.push(x);
    }
    v
}
fn b() -> Vec<String> {
    BTreeMap::from([("b", 1), ("a", 2)]).keys().map(|k| k.to_string()).collect()
}
fn c() -> Vec<u8> {
    BTreeMap::from([(2, 20), (1, 10)]).into_values().collect()
}
fn d() -> Option<u8> {
    BTreeMap::from([("b", 1), ("a", 2)]).into_iter().next().map(|(_, n)| n)
}
fn e() -> String {
    let map = BTreeMap::from([("z", "1"), ("y", "2")]);
    map.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(",")
}
SPEC a: Vec<u8> = a, b: Vec<String> = b, c: Vec<u8> = c, d: Option<u8> = d, e: String = e

//# heap
use std::collections::BinaryHeap;
fn a() -> Vec<u8> {
    BinaryHeap::from([1, 5, 3]).into_sorted_vec()
}
fn b() -> Option<u8> {
    BinaryHeap::from([1, 5, 3]).pop()
}
fn c() -> Vec<u8> {
    let mut heap = BinaryHeap::new();
    for n in [2, 9, 4] {
        heap.push(n);
    }
    std::iter::from_fn(|| heap.pop()).collect()
}
SPEC a: Vec<u8> = a, b: Option<u8> = b, c: Vec<u8> = c

//# index_set_of_sets_and_maps
use indexmap::{IndexMap, IndexSet};
fn a() -> Vec<String> {
    IndexSet::<&str>::from_iter(["b", "a", "b"]).into_iter().map(str::to_owned).collect()
}
fn b() -> usize {
    IndexMap::<&str, u8>::from_iter([("a", 1), ("a", 2)]).len()
}
SPEC a: Vec<String> = a, b: usize = b

//# hash_order
fn a() -> Vec<u8> {
    let mut list: Vec<u8> = HashSet::from([3, 1, 2]).into_iter().collect();
    list.sort();
    list
}
fn b() -> BTreeSet<u8> {
    HashSet::from([3, 1, 2]).into_iter().collect()
}
fn c() -> u8 {
    HashMap::from([("a", 1), ("b", 2)]).values().sum()
}
fn d() -> HashMap<String, u8> {
    HashMap::from([("b".to_owned(), 1), ("a".to_owned(), 2)])
}
SPEC a: Vec<u8> = a, b: BTreeSet<u8> = b, c: u8 = c, d: HashMap<String,u8> = d

//# operations
fn a() -> Vec<u8> {
    let (a, b) = (BTreeSet::from([1, 2, 3]), BTreeSet::from([3, 4, 2]));
    a.intersection(&b).copied().collect()
}
fn b() -> Vec<u8> {
    let (a, b) = (BTreeSet::from([1, 9, 3]), BTreeSet::from([3, 4]));
    a.union(&b).copied().collect()
}
fn c() -> bool {
    BTreeSet::from(["b", "a"]).contains("a")
}
fn d() -> Option<String> {
    BTreeSet::from(["b", "a"]).first().map(|s| s.to_string())
}
SPEC a: Vec<u8> = a, b: Vec<u8> = b, c: bool = c, d: Option<String> = d

//# ordered_enums
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
pub enum Zone {
    West,
    East,
}
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
pub struct Pair {
    pub b: u8,
    pub a: u8,
}
fn a() -> BTreeSet<Zone> {
    BTreeSet::from([Zone::East, Zone::West, Zone::East])
}
fn b() -> BTreeSet<Pair> {
    BTreeSet::from([Pair { b: 2, a: 0 }, Pair { b: 1, a: 9 }, Pair { b: 1, a: 3 }])
}
fn c() -> Vec<Zone> {
    let mut zones = vec![Zone::East, Zone::West];
    zones.sort();
    zones
}
SPEC a: BTreeSet<Zone> = a, b: BTreeSet<Pair> = b, c: Vec<Zone> = c

//# order_without_equality
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Keyed {
    pub key: u8,
    pub note: u8,
}
impl PartialOrd for Keyed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Keyed {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
fn all() -> [Keyed; 3] {
    [Keyed { key: 2, note: 0 }, Keyed { key: 1, note: 1 }, Keyed { key: 1, note: 2 }]
}
fn a() -> Vec<Keyed> {
    BTreeSet::from(all()).into_iter().collect()
}
fn b() -> Vec<Keyed> {
    all().into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}
fn c() -> Vec<Keyed> {
    let mut set = BTreeSet::new();
    set.extend(all());
    set.into_iter().collect()
}
fn d() -> Vec<Keyed> {
    let mut set = BTreeSet::new();
    for one in all() {
        set.insert(one);
    }
    set.into_iter().collect()
}
fn e() -> Vec<u8> {
    all().into_iter().map(|one| (one, 1)).collect::<BTreeMap<_, _>>().into_keys().map(|one| one.note).collect()
}
SPEC a: Vec<Keyed> = a, b: Vec<Keyed> = b, c: Vec<Keyed> = c, d: Vec<Keyed> = d, e: Vec<u8> = e

//# equality_without_notes
#[derive(Clone, Debug, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Keyed {
    pub key: u8,
    pub note: u8,
}
impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl PartialOrd for Keyed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Keyed {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}
fn all() -> [Keyed; 3] {
    [Keyed { key: 2, note: 0 }, Keyed { key: 1, note: 1 }, Keyed { key: 1, note: 2 }]
}
fn a() -> Vec<Keyed> {
    BTreeSet::from(all()).into_iter().collect()
}
fn b() -> Vec<u8> {
    let mut map = BTreeMap::new();
    for (at, one) in all().into_iter().enumerate() {
        map.insert(one, at);
    }
    map.into_iter().map(|(one, at)| one.note + 10 * at as u8).collect()
}
fn c() -> Vec<u8> {
    let pairs = all().into_iter().enumerate().map(|(at, one)| (one, at));
    pairs.collect::<BTreeMap<_, _>>().into_iter().map(|(one, at)| one.note + 10 * at as u8).collect()
}
SPEC a: Vec<Keyed> = a, b: Vec<u8> = b, c: Vec<u8> = c
