//! Compares rules with the verdicts and prices of the code of kube-apiserver 1.37.0.
//!
//! `server/rules.txt` has a rule per line, preceded by its maximum cost, or by `refused` if it does not compile, `unrunnable`
//! if it has types but no program, or `crash` if the server's request fails. All rules are on a node with `server/schema.json`.
//! A third of them was written by hand, the others are generated from a grammar with every function.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod described;

use crd_channels_cel::cost::{Part, RULE_LIMIT, advise, estimate, parts};
use crd_channels_cel::functions::Overload;
use crd_channels_cel::types::{Declarations, NodeId, Type};
use crd_channels_cel::version::{NEWEST, newest_need, oldest_minor};
use crd_channels_cel::{Checked, Environment, Outcome, check, parse};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The minor whose verdicts are recorded.
const RECORDED: u32 = NEWEST;

/// The schema of a rule.
struct RuleSchema {
    declarations: Declarations,
    itself: NodeId,
}

impl RuleSchema {
    fn new(schema: &Value) -> Self {
        let mut declarations = Declarations::default();
        let itself = declarations.declare(&described::schema(schema)).unwrap();
        Self {
            declarations,
            itself,
        }
    }

    fn of_the_server() -> Self {
        Self::new(&serde_json::from_str(include_str!("server/schema.json")).unwrap())
    }

    fn environment(&self) -> Environment<'_> {
        Environment {
            declarations: &self.declarations,
            itself: self.itself,
            optional_old: false,
            minor: RECORDED,
        }
    }

    fn check(&self, rule: &str) -> Outcome {
        check(&parse(rule).unwrap(), self.environment())
    }

    fn sound(&self, rule: &str) -> Checked {
        match self.check(rule) {
            Outcome::Sound(checked) => checked,
            other => panic!("{rule}: {other:?}"),
        }
    }

    fn cost(&self, rule: &str) -> u64 {
        self.cost_in(rule, RECORDED)
    }

    fn cost_in(&self, rule: &str, minor: u32) -> u64 {
        let checked = self.sound(rule);
        estimate(&checked, &self.declarations, self.itself, minor)
            .cost
            .max
    }

    fn faults(&self, rule: &str) -> Vec<String> {
        match self.check(rule) {
            Outcome::Faulty(faults) => faults
                .into_iter()
                .map(|fault| format!("{}: {}", fault.at, fault.message))
                .collect(),
            Outcome::Unrunnable(_, fault) => vec![format!("{}: {}", fault.at, fault.message)],
            Outcome::Sound(_) => Vec::new(),
        }
    }

    fn verdict(&self, rule: &str) -> String {
        if parse(rule).is_err() {
            return "refused".to_owned();
        }
        match self.check(rule) {
            Outcome::Sound(checked) if *checked.result() == Type::Bool => {
                let estimate = estimate(&checked, &self.declarations, self.itself, RECORDED);
                estimate.cost.max.to_string()
            }
            Outcome::Unrunnable(checked, _) if *checked.result() == Type::Bool => {
                "unrunnable".to_owned()
            }
            Outcome::Sound(_) | Outcome::Unrunnable(..) | Outcome::Faulty(_) => {
                "refused".to_owned()
            }
        }
    }
}

#[test]
fn rules_are_compiled_and_priced_as_the_server_does() {
    let schema = RuleSchema::of_the_server();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in include_str!("server/rules.txt").lines() {
        let (theirs, rule) = line.split_once('\t').unwrap();
        let ours = schema.verdict(rule);
        count += 1;
        let same = ours == theirs || (theirs == "crash" && ours.parse::<u64>().is_err());
        if !same {
            wrong.push(format!("{rule}\n  ours {ours}, the server's {theirs}"));
        }
    }
    assert!(count > 1_000, "{count}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_parts_of_a_rule_cost_what_the_server_says_of_them_alone() {
    fn visit(rule: &str, part: &Part, alone: &HashMap<&str, u64>, met: &mut usize) {
        let text = &rule[part.range.clone()];
        if let Some(cost) = alone.get(text) {
            assert_eq!(part.cost, *cost, "`{text}` of `{rule}`");
            *met += 1;
        }
        for below in &part.below {
            assert!(below.range.len() < part.range.len(), "{rule}: {below:?}");
            visit(rule, below, alone, met);
        }
    }
    let schema = RuleSchema::of_the_server();
    let lines = include_str!("server/rules.txt").lines();
    let told = lines.map(|line| line.split_once('\t').unwrap());
    let alone: HashMap<&str, u64> = told
        .filter_map(|(verdict, rule)| Some((rule, verdict.parse().ok()?)))
        .collect();
    let mut met = 0;
    for rule in alone.keys() {
        let whole = parts(&schema.sound(rule), &schema.declarations, schema.itself);
        assert_eq!(whole.range, 0..rule.len(), "{rule}");
        visit(rule, &whole, &alone, &mut met);
    }
    assert!(met > alone.len(), "no part is a rule of its own: {met}");
}

#[test]
fn parts_have_their_types_rounds_and_sizes() {
    let schema = RuleSchema::new(&json!({"type": "object", "properties": {"list": {
        "type": "array", "maxItems": 16, "items": {"type": "string", "maxLength": 64},
    }}}));
    let rule = "self.list.all(x, x.matches('^[a-z0-9]+$'))";
    let whole = parts(&schema.sound(rule), &schema.declarations, schema.itself);
    let [list, body] = whole.below.as_slice() else {
        panic!("{whole:?}");
    };
    let [text, pattern] = body.below.as_slice() else {
        panic!("{body:?}");
    };
    let told = |part: &Part| {
        let size = part.size.unwrap();
        let place = size.declared.map(|node| {
            let place = schema.declarations.place(schema.itself, node);
            place.unwrap()
        });
        let text = &rule[part.range.clone()];
        (text, part.ty.to_string(), part.times, size.most, place)
    };
    let all = [list, body, text, pattern].map(|part| part.times);
    assert_eq!(all, [1, 16, 16, 16]);
    let place = |place: &str| Some(place.to_owned());
    assert_eq!(
        told(list),
        (
            "self.list",
            "list(string)".to_owned(),
            1,
            Some(16),
            place("self.list")
        )
    );
    assert_eq!(
        told(text),
        (
            "x",
            "string".to_owned(),
            16,
            Some(256),
            place("self.list[]")
        )
    );
    assert_eq!(
        told(pattern),
        ("'^[a-z0-9]+$'", "string".to_owned(), 16, Some(11), None)
    );
    assert_eq!(whole.ty, Type::Bool);
    // Unbounded values have no size to report.
    let rule = "self.?o.?a == optional.of('x')";
    let schema = RuleSchema::of_the_server();
    let whole = parts(&schema.sound(rule), &schema.declarations, schema.itself);
    let unknown = whole.below.iter().map(|part| part.size.unwrap().most);
    assert!(unknown.into_iter().any(|most| most.is_none()), "{whole:?}");
}

#[test]
fn every_overload_is_met_by_a_rule_of_the_server() {
    let schema = RuleSchema::of_the_server();
    let mut met = Vec::new();
    for line in include_str!("server/rules.txt").lines() {
        let (verdict, rule) = line.split_once('\t').unwrap();
        if verdict.parse::<u64>().is_err() {
            continue;
        }
        let checked = schema.sound(rule);
        for (id, _) in checked.tree().nodes() {
            // If several match, none is known to be right.
            if let [overload] = checked.overloads(id) {
                met.push(form(overload));
            }
        }
    }
    let known = crd_channels_cel::functions::all().filter(|row| row.until.is_none());
    let missed: Vec<_> = known.map(form).filter(|form| !met.contains(form)).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

fn form(overload: &Overload) -> String {
    format!("{} {:?}", overload.name, overload.takes)
}

#[test]
fn faults_say_where_they_are_and_what_would_do() {
    let schema = RuleSchema::of_the_server();
    for (rule, fault) in [
        (
            "self.s + 1 == 'a'",
            "7: `string + int` does not exist; these do: `string + string`, `bytes + bytes`, `list(A) + list(A)`, `double + double`, ..",
        ),
        ("self.ss == 'a'", "4: unknown field `ss`"),
        ("slef.s == 'a'", "0: unknown variable `slef`"),
        ("self.s.contians('a')", "15: unknown function `contians`"),
        (
            "self.s.foo == 'a'",
            "6: `.foo` is read from a value of type `string`, which has no fields",
        ),
        (
            "self.i.all(x, x > 0)",
            "4: a value of type `int` has no elements to iterate over",
        ),
        (
            "self.ls.all(x, x)",
            "15: this is of type `string` where `bool` is expected",
        ),
        (
            "[1, 'a'].size() == 2",
            "4: this element is of type `string` where `int` like the first is expected",
        ),
        (
            "self.s.matches('[')",
            "15: `[` is not a pattern: `[` has no `]`",
        ),
        (
            "self.du > duration('1x')",
            "19: `1x` is not a duration such as `1h30m`",
        ),
        (
            "'%d'.format([self.s]) == ''",
            "17: `%d` does not take a value of type `string`",
        ),
        ("int('x') == 1", "3: `int(..)` cannot convert this constant"),
        (
            "has(self)",
            "4: `has(..)` takes a field selection, such as `has(self.field)`",
        ),
    ] {
        let found = schema.faults(rule);
        assert!(
            found.iter().any(|found| found == fault),
            "{rule}: {found:?}"
        );
    }
}

#[test]
fn the_bound_that_would_do_is_told_and_does() {
    let schema = |items: Option<i64>| {
        let mut list = json!({"type": "array", "items": {"type": "string", "maxLength": 64}});
        if let Some(items) = items {
            list["maxItems"] = json!(items);
        }
        json!({"type": "object", "properties": {"list": list}})
    };
    let rule = "self.list.all(x, x.matches('^[a-z0-9]+$'))";
    let unbounded = RuleSchema::new(&schema(None));
    assert!(unbounded.cost(rule) > RULE_LIMIT);
    let checked = unbounded.sound(rule);
    let advice = advise(
        &checked,
        &unbounded.declarations,
        unbounded.itself,
        RULE_LIMIT,
        RECORDED,
    )
    .unwrap();
    assert_eq!(advice.bound.keyword(), "maxItems");
    assert_eq!(advice.place, "self.list");
    assert_eq!(advice.most, 121_951);
    assert!(!advice.is_bounded);
    assert!(RuleSchema::new(&schema(Some(121_951))).cost(rule) <= RULE_LIMIT);
    assert!(RuleSchema::new(&schema(Some(121_952))).cost(rule) > RULE_LIMIT);
}

#[test]
fn minors_price_and_know_different_things() {
    let schema = RuleSchema::of_the_server();
    let (function, method) = ("matches(self.s, '^a+$')", "self.s.matches('^a+$')");
    assert_eq!(schema.cost_in(method, 36), schema.cost_in(method, 37));
    assert_eq!(schema.cost_in(function, 37), schema.cost_in(method, 37));
    assert!(schema.cost_in(function, 36) < schema.cost_in(function, 37));
    let name = "self.emb.metadata.name.contains('a')";
    assert!(schema.cost_in(name, 36) > 100 * schema.cost_in(name, 37));
    // Rules can use what a minor adds only from the next one on.
    for (rule, minor) in [
        ("self.ls.includes('a')", 38),
        ("self.m.`a.b/c` == 'x'", 37),
        ("!has(self.m.`a-b`)", 37),
    ] {
        let (written, checked) = (parse(rule).unwrap(), schema.sound(rule));
        assert_eq!(oldest_minor(&written, &checked), minor, "{rule}");
    }
    let gone = "duration(self.i) == self.du";
    let older = Environment {
        minor: 36,
        ..schema.environment()
    };
    let Outcome::Sound(older) = check(&parse(gone).unwrap(), older) else {
        panic!("{gone}");
    };
    assert_eq!(
        older.later()[0].message,
        "`duration(int)` does not exist; these do: `duration(duration)`, `duration(string)`"
    );
}

#[test]
fn the_oldest_kubernetes_is_the_one_whose_rules_may_use_all_of_it() {
    let schema = RuleSchema::of_the_server();
    for (rule, minor, what) in [
        ("self.s == 'a'", 25, ""),
        ("self.?s.orValue('') == ''", 29, ".?"),
        ("self.n > 1", 29, "double > int"),
        ("sets.contains(self.ls, ['a'])", 30, "sets.contains"),
        ("isIP(self.s)", 31, "isIP"),
        ("isQuantity(self.s)", 29, "isQuantity"),
        (
            "quantity(self.s) == quantity('1')",
            32,
            "kubernetes.Quantity == kubernetes.Quantity",
        ),
        (
            "format.uuid().validate(self.s) == optional.none()",
            32,
            "format.uuid",
        ),
        ("self.ls.all(i, x, i < 3)", 33, "all(a, b, ..)"),
        ("isSemver(self.s) && isIP(self.s)", 34, "isSemver"),
        ("isIP(self.s) && self.ls.first().hasValue()", 34, "first"),
        ("self.ls.sort() == self.ls", 35, "sort"),
        ("self.ls.sortBy(x, x.size()) == self.ls", 35, "sortBy"),
    ] {
        let (written, checked) = (parse(rule).unwrap(), schema.sound(rule));
        assert_eq!(oldest_minor(&written, &checked), minor, "{rule}");
        let need = newest_need(&written, &checked);
        assert_eq!(need.map_or(String::new(), |need| need.what), what, "{rule}");
    }
}

#[test]
fn what_grows_as_a_power_of_its_length_comes_to_an_end() {
    let schema = RuleSchema::of_the_server();
    let copied = format!("self.?s{}.hasValue()", ".optMap(x, x)".repeat(60));
    assert!(matches!(schema.check(&copied), Outcome::Faulty(_)));
    let nested = format!("[0]{} == []", ".map(x, {x: x})".repeat(60));
    assert!(matches!(schema.check(&nested), Outcome::Faulty(_)));
    let large = format!(
        "optional.of([0]{}){}.hasValue()",
        ".map(x, {x: x})".repeat(9),
        ".optMap(x, x)".repeat(10)
    );
    assert!(matches!(schema.check(&large), Outcome::Sound(_)));
    let deep = format!("{}self.i{} == 1", "[".repeat(200), "][0]".repeat(200));
    schema.check(&deep);
    let sums = format!("self.i{} == 1", " + 1".repeat(240));
    schema.check(&sums);
    let lists = format!("self.ls{} == []", ".map(x, [x])".repeat(240));
    schema.check(&lists);
}
