//# ranges_changed
fn a() -> Vec<i32> {
    let mut list = [5, 3, 1];
    list[1..].sort();
    list[..2].reverse();
    list.to_vec()
}
fn b() -> Vec<i32> {
    let mut list = vec![5, 3, 1];
    for item in &mut list[1..] {
        *item += 1;
    }
    list
}
fn c() -> Vec<i32> {
    let mut list = vec![5, 3, 1];
    let part = &mut list[..2];
    part[0] = 9;
    list
}
fn d() -> Vec<i32> {
    let mut list = vec![5, 3, 1];
    list[..].swap(0, 2);
    if let [first, ..] = &mut list[1..] {
        *first = 7;
    }
    list
}
SPEC a: Vec<i32> = a, b: Vec<i32> = b, c: Vec<i32> = c, d: Vec<i32> = d

//# ranges_read
fn a() -> Vec<i32> {
    let list = [5, 3, 1];
    let mut part = list[1..].to_vec();
    part.sort();
    part
}
fn b() -> usize {
    "across"[2..].len() + [1, 2, 3][..2].iter().filter(|n| **n > 1).count()
}
fn c() -> String {
    let text = String::from("letters");
    let part = &text[3..];
    part.to_uppercase()
}
fn d() -> i32 {
    let mut calls = 0;
    let list = vec![1, 2, 3, 4];
    let part = &list[{ calls += 1; 1 }..];
    part[0] + calls * 10
}
SPEC a: Vec<i32> = a, b: usize = b, c: String = c, d: i32 = d

//# lists_into
type Names = BTreeMap<String, String>;
fn a() -> Names {
    [("a".into(), "b".into()), ("c".to_owned(), "d".into())].into()
}
fn b() -> Vec<Box<str>> {
    ["x".into(), "y".into()].into()
}
fn c() -> String {
    let inner = serde_json::Value::String("text".into());
    serde_json::Value::Array(vec![inner, 1.into()]).to_string()
}
fn d() -> BTreeSet<u64> {
    [3u8.into(), 1u32.into(), 3u64].into()
}
SPEC a: Names = a, b: Vec<Box<str>> = b, c: String = c, d: BTreeSet<u64> = d

//# orders
fn a() -> Vec<i32> {
    let mut list = vec![7, 1, 5];
    list.sort_by(|_, _| std::cmp::Ordering::Less);
    list
}
fn b() -> usize {
    let mut calls = 0;
    let mut list = vec![7, 1, 5, 2];
    list.sort_by(|a, b| {
        calls += 1;
        a.cmp(b)
    });
    calls
}
fn c() -> Vec<i32> {
    let mut list = vec![7, -1, 5, -5];
    list.sort_by_key(|n: &i32| n.abs());
    list.sort_by(|a, b| b.abs().cmp(&a.abs()).then(a.cmp(b)));
    list
}
#[derive(Clone, Eq, PartialEq)]
struct Odd(u8);
impl PartialOrd for Odd {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Odd {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        if (self.0 + 1) % 3 == other.0 % 3 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    }
}
fn d() -> Vec<u8> {
    let mut list = vec![Odd(0), Odd(2), Odd(1)];
    list.sort();
    list.into_iter().map(|odd| odd.0).collect()
}
SPEC a: Vec<i32> = a, b: usize = b, c: Vec<i32> = c, d: Vec<u8> = d
