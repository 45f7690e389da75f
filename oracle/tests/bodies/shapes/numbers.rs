// Numbers of their width.

//# f32_to_f64
const W: f32 = 0.8;
fn a() -> f64 {
    W.into()
}
fn b() -> f64 {
    f64::from(W)
}
fn c() -> f64 {
    W as f64
}
fn d() -> f32 {
    W
}
fn e() -> f64 {
    let w: f32 = 0.1;
    w as f64 + 0.2
}
SPEC a: f64 = a, b: f64 = b, c: f64 = c, d: f32 = d, e: f64 = e

//# f32_bounds
const W: f32 = 0.8;
KIND
pub struct Spec {
    #[schemars(range(min = 0.0, max = 0.1f32))]
    pub a: f32,
    #[schemars(range(min = W))]
    pub b: f32,
    #[schemars(extend("maximum" = 0.1f32))]
    pub c: f64,
}

//# f32_arithmetic
const W: f32 = 0.8;
fn a() -> f32 {
    W * 1.1
}
fn b() -> f32 {
    0.3 * 3.0
}
fn c() -> f32 {
    (1.0 / 3.0) as f32
}
fn d() -> f32 {
    16_777_216.0 + 1.0
}
fn e() -> f32 {
    [0.1f32, 0.2, 0.3].iter().sum()
}
fn f() -> bool {
    0.1f32 + 0.2 == 0.3
}
fn g() -> bool {
    0.1f64 + 0.2 == 0.3
}
SPEC a: f32 = a, b: f32 = b, c: f32 = c, d: f32 = d, e: f32 = e, f: bool = f, g: bool = g

//# f32_in_structs
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Weights {
    pub x: f32,
    pub y: f64,
}
impl Default for Weights {
    fn default() -> Self {
        let x = 0.7f32;
        Weights { x: x * x, y: f64::from(x) * 2.0 }
    }
}
KIND
pub struct Spec {
    #[serde(default)]
    pub w: Weights,
}

//# shifts
fn a() -> u8 {
    (255u8 << 4) >> 4
}
fn b() -> i8 {
    (-128i8) >> 3
}
fn c() -> u32 {
    (1u32 << 31) >> 30
}
fn d() -> i32 {
    !0u8 as i32
}
fn e() -> u16 {
    !5
}
fn f() -> i8 {
    0x40i8 << 1
}
SPEC a: u8 = a, b: i8 = b, c: u32 = c, d: i32 = d, e: u16 = e, f: i8 = f

//# casts
fn a() -> u8 {
    300i32 as u8
}
fn b() -> i8 {
    200u8 as i8
}
fn c() -> u8 {
    -1.5f64 as u8
}
fn d() -> i32 {
    3e9 as i32
}
fn e() -> u64 {
    -1i32 as u64
}
fn f() -> u32 {
    'é' as u32
}
fn g() -> f32 {
    16_777_217i32 as f32
}
fn h() -> i64 {
    f64::NAN as i64
}
SPEC a: u8 = a, b: i8 = b, c: u8 = c, d: i32 = d, e: u64 = e, f: u32 = f, g: f32 = g, h: i64 = h

//# wrapping
fn a() -> u8 {
    250u8.wrapping_add(10)
}
fn b() -> u8 {
    250u8.saturating_add(10)
}
fn c() -> Option<u8> {
    250u8.checked_add(10)
}
fn d() -> bool {
    250u8.overflowing_add(10).1
}
fn e() -> i32 {
    i32::MAX.wrapping_mul(2)
}
fn f() -> u32 {
    0u32.leading_zeros() + u8::MAX.count_ones()
}
fn g() -> i32 {
    (-7) / 2 * 10 + (-7) % 3
}
fn h() -> i32 {
    (-7i32).rem_euclid(3)
}
SPEC a: u8 = a, b: u8 = b, c: Option<u8> = c, d: bool = d, e: i32 = e, f: u32 = f, g: i32 = g, h: i32 = h

//# inferred_width
fn takes(n: u8) -> u32 {
    (n << 4) as u32
}
fn a() -> u32 {
    let n = 31;
    takes(n)
}
fn b() -> u64 {
    let x = 1 << 20;
    let y: u64 = x;
    y * 4096
}
fn c() -> i32 {
    let list = [200, 100];
    let first: u8 = list[0];
    (first as i8) as i32
}
SPEC a: u32 = a, b: u64 = b, c: i32 = c
