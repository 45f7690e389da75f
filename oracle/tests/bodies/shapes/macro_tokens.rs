// What the rules of macros match, and whose names are in what they write.

//# forwarded_literal_expr
macro_rules! inner {
    (0) => {
        const A: u8 = 1;
    };
    ($e:expr) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($e:expr) => {
        inner!($e);
    };
}
outer!(0);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_literal_literal
macro_rules! inner {
    ("x") => {
        const A: u8 = 1;
    };
    ($e:literal) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($e:literal) => {
        inner!($e);
    };
}
outer!("x");
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type
macro_rules! inner {
    (bool) => {
        const A: u8 = 1;
    };
    ($t:ty) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:ty) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type_to_ident
macro_rules! inner {
    ($t:ident) => {
        const A: u8 = 1;
    };
    ($t:ty) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:ty) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_type_fields
macro_rules! field_default {
    (bool) => {
        true
    };
    ($t:ty) => {
        false
    };
}
macro_rules! kinds {
    ($name:ident, String) => {
        pub type $name = u8;
    };
    ($name:ident, $t:ty) => {
        pub type $name = $t;
    };
}
macro_rules! outer {
    ($name:ident: $t:ty) => {
        kinds!($name, $t);
    };
}
outer!(A: String);
outer!(B: bool);
KIND
pub struct Spec {
    pub a: A,
    pub b: B,
}

//# forwarded_path
macro_rules! inner {
    (bool) => {
        const A: u8 = 1;
    };
    ($t:path) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($t:path) => {
        inner!($t);
    };
}
outer!(bool);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# forwarded_vis
macro_rules! inner { (pub $n:ident) => { const $n: u8 = 1; }; ($v:vis $n:ident) => { $v const $n: u8 = 2; }; }
macro_rules! outer { ($v:vis $n:ident) => { inner!($v $n); }; }
outer!(pub A);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# joint_puncts_as_tt
macro_rules! m {
    ($n:ident $op:tt $v:tt) => {
        const $n: i8 = 1;
    };
    ($n:ident = $($v:tt)*) => {
        const $n: i8 = 2;
    };
}
m!(A = -5);
fn d() -> i8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: i8,
}

//# joint_reference_as_tt
macro_rules! m {
    ($n:ident $op:tt $v:tt) => {
        const $n: u8 = 1;
    };
    ($n:ident $a:tt $b:tt $c:tt) => {
        const $n: u8 = 2;
    };
}
m!(A = &B);
fn d() -> u8 {
    A
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# joint_in_repetition
macro_rules! count {
    () => {
        const N: u8 = 0;
    };
    ($a:tt) => {
        const N: u8 = 1;
    };
    ($a:tt $b:tt) => {
        const N: u8 = 2;
    };
    ($a:tt $b:tt $c:tt) => {
        const N: u8 = 3;
    };
}
count!(!-x);
fn d() -> u8 {
    N
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# option_helper_macro
macro_rules! ty_of {
    ($n:ident, Option<$t:ty>) => {
        pub type $n = Vec<$t>;
    };
    ($n:ident, $t:ty) => {
        pub type $n = $t;
    };
}
macro_rules! field {
    ($n:ident : $t:ty) => {
        ty_of!($n, $t);
    };
}
field!(A: Option<u8>);
field!(B: u16);
KIND
pub struct Spec {
    pub a: A,
    pub b: B,
}

//# default_helper_macro
macro_rules! dflt {
    ($n:ident, true) => {
        fn $n() -> u8 {
            1
        }
    };
    ($n:ident, $e:expr) => {
        fn $n() -> u8 {
            2
        }
    };
}
macro_rules! settings { ($($n:ident = $e:expr),*) => { $(dflt!($n, $e);)* }; }
settings!(a = true, b = 5 + 5, c = false);
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: u8,
}

//# literal_tokens_differ
macro_rules! m {
    ($n:ident 0x10) => {
        const $n: u8 = 1;
    };
    ($n:ident $e:literal) => {
        const $n: u8 = 2;
    };
}
m!(A 16);
m!(B 0x10);
macro_rules! t {
    ($n:ident "a") => {
        const $n: u8 = 1;
    };
    ($n:ident $e:literal) => {
        const $n: u8 = 2;
    };
}
t!(C r"a");
t!(D "\x61");
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
fn c() -> u8 {
    C
}
fn d() -> u8 {
    D
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
    #[serde(default = "c")]
    pub c: u8,
    #[serde(default = "d")]
    pub d: u8,
}

//# raw_ident_tokens
macro_rules! fields {
    (@ $n:ident [$($acc:tt)*]) => { #[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)] pub struct $n { $($acc)* } };
    (@ $n:ident [$($acc:tt)*] type $f:ident; $($rest:tt)*) => { fields!(@ $n [$($acc)* pub $f: String,] $($rest)*); };
    (@ $n:ident [$($acc:tt)*] $f:ident $g:ident; $($rest:tt)*) => { fields!(@ $n [$($acc)* pub $f: $g,] $($rest)*); };
}
fields!(@ Inner [] type a; r#type u8; b u16;);
KIND
pub struct Spec {
    pub a: Inner,
}

//# raw_ident_rule
macro_rules! m {
    ($n:ident type) => {
        const $n: u8 = 1;
    };
    ($n:ident $e:ident) => {
        const $n: u8 = 2;
    };
}
m!(A r#type);
m!(B type);
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
}

//# spaced_puncts
macro_rules! m {
    ($n:ident =>) => {
        const $n: u8 = 1;
    };
    ($n:ident $($e:tt)*) => {
        const $n: u8 = 2;
    };
}
m!(A = >);
m!(B =>);
fn a() -> u8 {
    A
}
fn b() -> u8 {
    B
}
KIND
pub struct Spec {
    #[serde(default = "a")]
    pub a: u8,
    #[serde(default = "b")]
    pub b: u8,
}

//# params_of_two_sites
macro_rules! f {
    ($n:ident, $p:ident) => {
        fn $n($p: u8, x: u8) -> u8 {
            $p + x
        }
    };
}
f!(g, x);
fn d() -> u8 {
    g(1, 10)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# params_of_two_sites_first
macro_rules! f {
    ($n:ident, $p:ident) => {
        fn $n(x: u8, $p: u8) -> u8 {
            x - $p
        }
    };
}
f!(g, x);
fn d() -> u8 {
    g(10, 1)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}

//# nested_macro_idents
macro_rules! inner {
    ($n:ident, $p:ident) => {
        fn $n($p: u8, x: u8) -> u8 {
            $p * 2 + x
        }
    };
}
macro_rules! outer {
    ($n:ident) => {
        inner!($n, x);
    };
}
outer!(g);
fn d() -> u8 {
    g(1, 10)
}
KIND
pub struct Spec {
    #[serde(default = "d")]
    pub a: u8,
}


//# forwarded_to_a_macro_of_the_caller
macro_rules! inner {
    (0) => {
        const A: u8 = 1;
    };
    ($e:expr) => {
        const A: u8 = 2;
    };
}
macro_rules! outer {
    ($to:ident $e:expr) => {
        $to!($e);
    };
}
outer!(inner 0);
fn d() -> u8 {
    A
}
SPEC a: u8 = d
