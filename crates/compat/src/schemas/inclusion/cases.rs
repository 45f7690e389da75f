//! What is known of a value in each of several cases, one of which always applies.

use super::Work;
use super::known::Known;
use crd_channels_schema::path::Segment;
use crd_channels_schema::{JsonType, Schema};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::sync::Arc;

/// The number of cases that are distinguished.
const MOST_CASES: usize = 256;
/// The number of fields whose presence is distinguished.
const MOST_FIELDS: usize = 4;
/// The number of ways to tell cases apart that are combined.
const MOST_WAYS: usize = 8;

impl<'a> Known<'a> {
    /// Whether something is true of every value: of all at once, or in each of several cases.
    pub(super) fn in_all_cases(
        &self,
        names: &[&str],
        branches: &[Schema],
        work: &Work,
        is_true: &dyn Fn(&Known<'a>) -> bool,
    ) -> bool {
        if is_true(self) {
            return true;
        }
        let ways = self.ways(names, branches);
        let in_all = |cases: &[Known<'a>]| {
            let mut cases = cases.iter();
            cases.all(|case| is_true(case) || case.is_impossible(work))
        };
        if ways.iter().any(|way| in_all(&self.cases(way))) {
            return true;
        }
        ways.iter().enumerate().any(|(index, one)| {
            ways.iter().skip(index + 1).any(|other| {
                one.len() * other.len() <= MOST_CASES && {
                    let mut cases = self.cases(one).into_iter();
                    cases.all(|case| in_all(&case.cases(other)))
                }
            })
        })
    }

    /// What is known of the value in each case.
    fn cases(&self, way: &[Case<'a>]) -> Vec<Known<'a>> {
        let cases = way.iter().map(|Case { holds, fails }| {
            let mut known = self.clone();
            for part in holds {
                known.add(part.clone());
            }
            known.nots.extend(fails.iter().cloned());
            known
        });
        cases.collect()
    }

    /// The ways to tell cases apart.
    fn ways(&self, names: &[&str], branches: &[Schema]) -> Vec<Vec<Case<'a>>> {
        let mut ways: Vec<Vec<Case<'a>>> = Vec::new();
        for (branches, is_one) in self.lists() {
            if branches.len() <= MOST_CASES {
                ways.push(by_branches(&branches, is_one));
            }
        }
        ways.extend(self.by_members());
        ways.extend(names.iter().filter_map(|name| self.by_value(name)));
        ways.extend(self.by_presence(names));
        // Whether a branch of the constraint itself holds.
        if self.is_settled {
            let branches = branches.iter().take(MOST_FIELDS);
            ways.extend(branches.map(|branch| {
                let branch: Cow<'_, Schema> = Cow::Owned(branch.clone());
                vec![Case::with(branch.clone()), Case::without(branch)]
            }));
        }
        ways.truncate(MOST_WAYS);
        ways
    }

    /// By the member of the enum that the value is.
    fn by_members(&self) -> Option<Vec<Case<'a>>> {
        let listed = self
            .parts
            .iter()
            .find(|part| !part.enum_values.is_empty())?;
        let is_few = listed.enum_values.len() <= MOST_CASES;
        let members = listed.enum_values.iter();
        is_few.then(|| {
            members
                .map(|member| Case::with(Cow::Owned(exactly(member))))
                .collect()
        })
    }

    /// By the value of a field with an enum or two truth values, or its absence.
    fn by_value(&self, name: &str) -> Option<Vec<Case<'a>>> {
        let child = self.child(Segment::Property(name));
        let listed = child.parts.iter().find(|part| !part.enum_values.is_empty());
        let is_boolean = child
            .parts
            .iter()
            .any(|part| part.ty == Some(JsonType::Boolean));
        let truths = [json!(true), json!(false)];
        let members: &[Value] = match listed {
            Some(listed) => &listed.enum_values,
            None if is_boolean => &truths,
            None => return None,
        };
        // A null would be a case of its own.
        if members.len() > MOST_CASES || child.kinds().meets(crate::values::Kinds::NULL) {
            return None;
        }
        let with = members.iter().map(|member| {
            let field = Schema {
                properties: [(name.into(), Arc::new(exactly(member)))].into(),
                ..required(name)
            };
            Case::with(Cow::Owned(field))
        });
        let absent = (!self.had(name)).then(|| Case::without(Cow::Owned(required(name))));
        Some(with.chain(absent).collect())
    }

    /// By the fields that are there.
    fn by_presence(&self, names: &[&str]) -> Option<Vec<Case<'a>>> {
        let is_open = |name: &&&str| !self.had(name) && !self.lacked(name);
        let open: Vec<&&str> = names.iter().filter(is_open).collect();
        if open.is_empty() || open.len() > MOST_FIELDS {
            return None;
        }
        let cases = (0..1_usize << open.len()).map(|mask| {
            let mut case = Case::default();
            for (bit, name) in open.iter().enumerate() {
                let field = Cow::Owned(required(name));
                match mask & (1 << bit) {
                    0 => case.fails.push(field),
                    _ => case.holds.push(field),
                }
            }
            case
        });
        Some(cases.collect())
    }
}

/// What else is known in one case.
#[derive(Clone, Default)]
struct Case<'a> {
    holds: Vec<Cow<'a, Schema>>,
    fails: Vec<Cow<'a, Schema>>,
}

impl<'a> Case<'a> {
    fn with(part: Cow<'a, Schema>) -> Self {
        Self {
            holds: vec![part],
            fails: Vec::new(),
        }
    }

    fn without(not: Cow<'a, Schema>) -> Self {
        Self {
            holds: Vec::new(),
            fails: vec![not],
        }
    }
}

/// One case per branch that holds; with `is_one`, the others fail.
fn by_branches<'a>(branches: &[Cow<'a, Schema>], is_one: bool) -> Vec<Case<'a>> {
    let cases = branches.iter().enumerate().map(|(index, branch)| {
        let others = branches.iter().enumerate();
        let others = others.filter(|(other, _)| is_one && *other != index);
        Case {
            holds: vec![branch.clone()],
            fails: others.map(|(_, other)| other.clone()).collect(),
        }
    });
    cases.collect()
}

fn exactly(member: &Value) -> Schema {
    Schema {
        enum_values: vec![member.clone()],
        ..Schema::default()
    }
}

fn required(name: &str) -> Schema {
    Schema {
        required: vec![name.into()],
        ..Schema::default()
    }
}
