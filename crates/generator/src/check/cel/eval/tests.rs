//! What expressions give, and where they stop.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Stop, Val, evaluate};
use crate::check::cel::parse;

fn given(text: &str) -> Result<Val, Stop> {
    let pair = |name: &str, value| (Val::String(name.to_owned()), value);
    let itself = Val::Map(vec![
        pair("n", Val::Int(3)),
        pair("s", Val::String("abc".to_owned())),
        pair("l", Val::List(vec![Val::Int(1), Val::Int(2)])),
        pair("t", Val::Opaque),
    ]);
    evaluate(&parse(text).unwrap(), itself, Some(Val::Optional(None)))
}

#[test]
fn what_is_known_is_evaluated() {
    for text in [
        "self.n == 3 && self.s != 'b'",
        "self.n > 2.5 && self.n <= 3",
        "has(self.n) && !has(self.x)",
        "self.l.all(i, i > 0) && self.l.exists(i, i == 2) && self.l.exists_one(i, i == 1)",
        "self.l.map(i, i * 2) == [2, 4] && self.l.filter(i, i > 1).size() == 1",
        "size(self.s) == 3 && self.s.matches('^a.c$') && self.s.startsWith('a')",
        "1 in self.l && 'n' in self && !(5 in self.l)",
        "self.?x.orValue(7) == 7 && self.?n.hasValue()",
        "!oldSelf.hasValue()",
        "self.n > 5 ? false : self['s'] + 'd' == 'abcd'",
        "{'a': 1}['a'] == 1 && [1] + [2] == [1, 2]",
        "true || self.x == 1",
        "self.x == 1 || true",
        "self.t == self.t || true",
        "-self.n == -3 && 7 % 4 == 3 && int('4') == 4",
    ] {
        assert_eq!(given(text), Ok(Val::Bool(true)), "{text}");
    }
}

#[test]
fn errors_and_what_is_not_known_are_told_apart() {
    for text in [
        "self.x == 1",
        "1 / 0 == 1",
        "self.l[5] == 1",
        "oldSelf.value() == 1",
    ] {
        assert_eq!(given(text), Err(Stop::Error), "{text}");
    }
    for text in [
        "self.t == 1",
        "quantity('1').sign() == 1",
        "self.n.foo()",
        "unknown",
    ] {
        assert_eq!(given(text), Err(Stop::Unknown), "{text}");
    }
    let hostile = "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, true))))))";
    assert_eq!(given(hostile), Err(Stop::Unknown));
}
