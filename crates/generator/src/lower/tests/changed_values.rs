//! Functions that change values in place: compiled, and read from text.

pub fn handed_on_to_change() -> Vec<u8> {
    fn more(v: &mut Vec<u8>) -> usize {
        v.push(2);
        v.len()
    }
    let mut v = vec![1];
    let r = &mut v;
    let n = more(r);
    r.push(n as u8);
    v
}
pub fn changed_in_place() -> Vec<u8> {
    let mut v = vec![1, 2];
    let x = &mut v[0];
    *x += 4;
    v
}
pub fn changed_inside() -> u8 {
    let mut v = Some(1);
    if let Some(x) = &mut v {
        *x = 2;
    }
    v.unwrap_or(0)
}
pub fn changed_one_by_one() -> Vec<u8> {
    let mut v = vec![1, 2];
    for x in v.iter_mut() {
        *x *= 2;
    }
    v
}
pub fn named_to_change() -> u8 {
    let mut v = 1;
    {
        let ref mut x = v;
        *x = 2;
    }
    v
}
pub fn taken_from_behind() -> u8 {
    let (.., b) = (1, 2, 3);
    b
}
pub fn shifted_out() -> u8 {
    0xff << 4
}
pub fn nested_results() -> u8 {
    fn inner() -> Result<Option<u8>, ()> {
        Ok(None)
    }
    inner().unwrap().unwrap_or(1)
}
pub fn sent_on() -> u8 {
    Ok::<u8, ()>(1).map(|x| Some(x)).unwrap().unwrap_or(2)
}
pub fn changed_in_an_inner_block() -> (Vec<u8>, u8) {
    let mut v: Vec<u8> = vec![1];
    let n: u8 = {
        v.push(2);
        3
    };
    (v, n)
}
pub fn counted_results() -> usize {
    let all: Vec<_> = [Some(1), None].into_iter().collect();
    all.len()
}
