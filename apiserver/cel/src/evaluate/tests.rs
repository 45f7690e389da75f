//! The values of expressions, and where evaluation stops.

#![allow(clippy::unwrap_used, reason = "tests")]

use super::{Stop, Val, evaluate};
use crate::parse;

fn evaluate_text(text: &str) -> Result<Val, Stop> {
    let pair = |name: &str, value| (Val::text(name), value);
    let itself = Val::map([
        pair("n", Val::Int(3)),
        pair("s", Val::text("abc")),
        pair("l", Val::list([Val::Int(1), Val::Int(2)])),
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
        assert_eq!(evaluate_text(text), Ok(Val::Bool(true)), "{text}");
    }
}

#[test]
fn errors_and_what_is_not_known_are_told_apart() {
    for text in [
        "self.x == 1",
        "1 / 0 == 1",
        "self.l[5] == 1",
        "oldSelf.value() == 1",
        "dyn('a').exists(x, true)",
    ] {
        assert_eq!(evaluate_text(text), Err(Stop::Error), "{text}");
    }
    for text in [
        "self.t == 1",
        "self.n.foo()",
        "unknown",
        "size({duration('1s'): 1})",
    ] {
        assert_eq!(evaluate_text(text), Err(Stop::Unknown), "{text}");
    }
    let hostile = "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, true))))))";
    // Servers stop it, since it exceeds the limit.
    assert_eq!(evaluate_text(hostile), Err(Stop::Error));
}

#[test]
fn libraries_answer_where_they_are_certain() {
    let truths = [
        "isIP('1.2.3.4') && isIP('::1') && isIP('::1.2.3.4')",
        "!isIP('1.2.3') && !isIP('01.2.3.4') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('')",
        "isCIDR('1.2.3.4/24') && isCIDR('::/0')",
        "!isCIDR('1.2.3.4') && !isCIDR('1.2.3.4/33') && !isCIDR('1.2.3.4/08') && !isCIDR('1.2.3.4/+8') && !isCIDR('/8')",
        "['1', '1.5Gi', '1e3', '1E', '-1', '.5', '5.', '1Ki', '0', '.', 'k'].all(q, isQuantity(q))",
        "!['a', '', '1 ', '1Gb', '1mm', '1e', '1ee3', '--1', '1.2.3', '10.0.0.0/8', '1Ki2', '0x1', '::1'].exists(q, isQuantity(q))",
        "isSemver('1.2.3-a.1+b') && !isSemver('v1.2.3') && !isSemver('1.2') && !isSemver('1.2.3-01') && !isSemver('')",
        "isURL('/a') && isURL('https://a/b') && !isURL('a') && !isURL('') && !isURL('http://a b')",
        "sets.contains(['a', 'b'], ['b']) && !sets.contains(['a'], ['b']) && sets.contains(['a'], [])",
        "sets.intersects(['a', 'b'], ['b', 'c']) && !sets.intersects(['a'], ['b'])",
        "sets.equivalent(['a', 'a'], ['a']) && !sets.equivalent(['a', 'b'], ['a'])",
        "timestamp('2024-02-29T23:59:59.5Z') > timestamp('2024-02-29T23:59:59Z')",
        "timestamp('2020-01-01T01:00:00+01:00') == timestamp('2020-01-01T00:00:00Z')",
        "timestamp('2021-01-01T00:00:00Z') > timestamp('2020-12-31T23:59:59Z')",
        "duration('1h30m') == duration('90m') && duration('-1.5s') < duration('0') && duration('1ms') < duration('1s')",
        "type(self.n) == int && type(self.s) != int && type('') == string && type([]) == list",
        "' a '.trim() == 'a' && 'a,b'.split(',') == ['a', 'b'] && 'ab'.split('') == ['a', 'b']",
        "'abc'.indexOf('c') == 2 && 'abc'.indexOf('x') == -1 && 'aba'.lastIndexOf('a') == 2",
        "'abc'.substring(1) == 'bc' && 'abc'.substring(1, 2) == 'b' && 'abc'.charAt(1) == 'b' && 'a'.charAt(1) == ''",
        "'abc'.replace('b', 'x') == 'axc' && ['a', 'b'].join('-') == 'a-b'",
        "[1, 2].isSorted() && ![2, 1].isSorted() && [1, 2].max() == 2 && [1, 2].min() == 1",
        "quantity('1Gi').compareTo(quantity('1024Mi')) == 0 && quantity('1.5').isLessThan(quantity('2'))",
        "quantity('1k').asInteger() == 1000 && !quantity('0.5').isInteger() && quantity('1').add(2) == quantity('3')",
        "ip('10.0.0.1').family() == 4 && ip('::1').isLoopback() && !ip.isCanonical('::01')",
        "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')",
        "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && string(cidr('10.1.2.3/8').ip()) == '10.1.2.3'",
        "url('https://h:80/a%20b?x=1&x=2').getQuery() == {'x': ['1', '2']} && url('https://[::1]:80').getHostname() == '::1'",
        "semver('1.2.3-a').isLessThan(semver('1.2.3')) && semver('v1', true).major() == 1",
        "!format.dns1123Label().validate('a-b').hasValue() && format.uuid().validate('x').hasValue()",
        "timestamp('2024-02-29T23:00:00-02:00').getDate() == 1 && timestamp('2024-02-29T23:00:00Z').getMonth('+02:00') == 2",
        "timestamp('2024-03-01T00:00:00Z') - duration('24h') == timestamp('2024-02-29T00:00:00Z')",
        "[3, 1, 2].sort() == [1, 2, 3] && ['bb', 'a'].sortBy(s, s.size()) == ['a', 'bb'] && [1, 1].distinct() == [1]",
        "[[1], [2]].flatten() == [1, 2] && lists.range(3).reverse() == [2, 1, 0] && [1, 2, 3].slice(1, 2) == [2]",
        "[1.5, 2.0].sum() == 3.5 && self.l.filter(i, i > 5).map(i, 1.5).sum() + 1.5 == 1.5",
        "['a'].transformMapEntry(i, s, {s: i}) == {'a': 0} && [?optional.none(), ?optional.of(1)] == [1]",
        "string(1000000.0) == '1e+06' && double('0x1.8p1') == 3.0 && b'ab' + b'c' == bytes('abc')",
        "optional.of(1).or(optional.of(1 / 0)).orValue(1 / 0) == 1 && [1].first().value() == 1",
    ];
    for text in truths {
        assert_eq!(evaluate_text(text), Ok(Val::Bool(true)), "{text}");
    }
    for text in [
        "timestamp('') == timestamp('')",
        "timestamp('2020-01-01') == timestamp('')",
        "timestamp('2023-02-29T00:00:00Z') != null",
        "duration('a') > duration('1s')",
        "duration('') > duration('1s')",
        "'abc'.substring(2, 1) == ''",
        "'abc'.charAt(4) == ''",
    ] {
        assert_eq!(evaluate_text(text), Err(Stop::Error), "{text}");
    }
    for text in ["isQuantity('1e400')", "sets.foo([], [])"] {
        assert_eq!(evaluate_text(text), Err(Stop::Unknown), "{text}");
    }
}

#[test]
fn values_that_grow_or_are_shared_come_to_an_end() {
    let repeated = |before: &str, part: &str, behind: &str| {
        let times = 60;
        format!(
            "{}{before}{}{behind}",
            "[".repeat(times),
            part.repeat(times)
        )
    };
    let texts = [
        repeated("'ab'", "].map(x, x + x)[0]", " == ''"),
        repeated("b'ab'", "].map(x, x + x)[0]", " == b''"),
        repeated("[1]", "].map(x, x + x)[0]", " == []"),
        repeated("[1]", "].map(x, [x, x])[0]", ".flatten(60) == []"),
        repeated("[1]", "].map(x, [x, x])[0]", ".map(x, x == x) == []"),
        repeated("[1]", "].map(x, {'a': x, 'b': x})[0]", ".all(k, v, v == v)"),
        format!("optional.of([1]){}.hasValue()", ".optMap(x, [x, x])".repeat(60)),
        "lists.range(100000).map(x, lists.range(100000)).size() == 1".to_owned(),
        "lists.range(100000).distinct().size() == 1".to_owned(),
        "lists.range(100000).map(x, -x).sort().size() == 1".to_owned(),
        "sets.contains(lists.range(100000), lists.range(100000).reverse())".to_owned(),
        "lists.range(100000).transformMap(i, x, i).size() == 1".to_owned(),
        "[lists.range(100000)].all(l, l.all(x, l.exists(y, y == x)))".to_owned(),
        "[lists.range(100000).map(x, 'a').join()].all(s, s.replace('', s) == s)".to_owned(),
        "[lists.range(100000).map(x, 'a').join()].all(s, lists.range(100000).all(x, !s.contains('b') && s <= s))".to_owned(),
        "lists.range(100000).all(x, 'a'.matches('a{1000}' + string(x)) || true)".to_owned(),
    ];
    std::thread::scope(|scope| {
        for text in &texts {
            scope.spawn(move || {
                let start = std::time::Instant::now();
                assert!(evaluate_text(text).is_err(), "{text}");
                println!("{:?}: {}", start.elapsed(), text.get(..80).unwrap_or(text));
            });
        }
    });
}

#[test]
fn what_people_write_stays_below_the_end() {
    let objects = "lists.range(64).map(i, {'name': 'listener-' + string(i), 'port': i})";
    for text in [
        format!(
            "[{objects}].all(l, l.all(a, l.exists_one(b, a.name == b.name && a.port == b.port)))"
        ),
        format!("[{objects}].all(l, l == l && l.map(o, o.name).distinct().size() == l.size())"),
        "lists.range(1000).all(i, string(i).matches('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$'))"
            .to_owned(),
        "[lists.range(1000)].all(l, l.all(i, i in l))".to_owned(),
    ] {
        assert_eq!(evaluate_text(&text), Ok(Val::Bool(true)), "{text}");
    }
}

#[test]
fn a_value_is_shown_as_far_as_one_can_read_it() {
    let shown = |text: &str| evaluate_text(text).map(|value| value.to_string());
    assert_eq!(shown("[1, 2, 3, 4, 5]").as_deref(), Ok("[1, 2, 3, 4, ..]"));
    assert_eq!(shown("[[{'a': [1]}]]").as_deref(), Ok("[[{\"a\": [..]}]]"));
}
