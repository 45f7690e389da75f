//! Macros whose names, locals and spans matter: compiled, and read from text.

macro_rules! with_tmp {
    ($e:expr) => {{
        let tmp = 1;
        tmp + $e
    }};
}

pub fn own_local() -> i32 {
    let tmp = 5;
    with_tmp!(tmp)
}

pub fn own_local_twice() -> i32 {
    let tmp = 5;
    with_tmp!(with_tmp!(tmp))
}

macro_rules! given_name {
    ($name:ident, $e:expr) => {{
        let $name = 10;
        $e
    }};
}

pub fn name_of_the_caller() -> i32 {
    let tmp = 5;
    given_name!(tmp, tmp + 1)
}

macro_rules! mapped {
    ($list:expr, $e:expr) => {
        $list
            .into_iter()
            .map(|item: i32| item + $e)
            .collect::<Vec<i32>>()
    };
}

pub fn own_parameter() -> Vec<i32> {
    let item = 100;
    mapped!(vec![1, 2], item)
}

macro_rules! or_else {
    ($option:expr, $other:expr) => {
        match $option {
            Some(value) => value,
            None => $other,
        }
    };
}

pub fn own_arm() -> i32 {
    let value = 7;
    or_else!(None, value) + or_else!(Some(value + 1), value)
}

pub struct Pair {
    pub left: i32,
    pub right: i32,
}

macro_rules! pair {
    ($left:expr, $right:expr) => {{
        let left = $left;
        let right = $right;
        Pair { left, right: right }
    }};
}

pub fn own_fields() -> Vec<i32> {
    let (left, right) = (1, 2);
    let made = pair!(right, left);
    let Pair { left: a, right: b } = made;
    vec![a, b]
}

macro_rules! value {
    () => {
        1
    };
}

pub fn first_definition() -> i32 {
    value!()
}

macro_rules! value {
    () => {
        2
    };
}

pub fn second_definition() -> i32 {
    value!()
}

mod before {
    pub fn seen() -> i32 {
        value!()
    }
    #[macro_use]
    pub mod deep {
        macro_rules! value {
            () => {
                3
            };
        }
    }
    pub fn hidden() -> i32 {
        value!()
    }
}

pub fn of_the_module() -> Vec<i32> {
    vec![before::seen(), before::hidden(), value!()]
}

macro_rules! defines {
    ($name:ident, $value:expr) => {
        macro_rules! $name {
            () => {
                $value
            };
        }
    };
}

defines!(made_by_macro, 41);

pub fn made() -> i32 {
    made_by_macro!() + 1
}

mod shadowed {
    macro_rules! vec_of {
        ($e:expr) => {
            vec![$e]
        };
    }
    pub(super) use vec_of as list_of;
}

pub fn by_use() -> Vec<i32> {
    shadowed::list_of!(3)
}

pub fn in_the_body() -> i32 {
    macro_rules! value {
        () => {
            8
        };
    }
    value!()
}

macro_rules! function {
    ($name:ident) => {
        pub fn $name() -> i32 {
            2
        }
    };
}

mod globbed {
    pub fn both() -> i32 {
        1
    }
}

use globbed::*;
function!(both);

pub fn made_before_globs() -> i32 {
    both()
}

pub struct Aa {
    pub x: i32,
}

const _: () = {
    impl Default for Aa {
        fn default() -> Self {
            Aa { x: 44 }
        }
    }
};

pub fn default_in_a_constant() -> i32 {
    Aa::default().x
}

pub struct Bb {
    pub x: i32,
}

pub async fn unreadable(_a: &str) {
    impl Default for Bb {
        fn default() -> Self {
            Bb { x: 45 }
        }
    }
}

pub fn default_in_a_body() -> i32 {
    Bb::default().x
}

macro_rules! opt {
    ($t:ty) => {
        Option<$t>
    };
}

pub fn typed() -> opt!(i32) {
    Some(3)
}
