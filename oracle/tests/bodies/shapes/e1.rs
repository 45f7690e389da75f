//# e1_ranges_changed
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

//# e1_ranges_read
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
