//! Whether a constraint follows from what is known of a value, or contradicts it.

use super::Work;
use super::known::Known;
use crate::findings::verdict::Answer;
use crate::schemas::normalize::without_notes;
use crate::values::{
    Kinds, Limit, Local, bounds_texts, enforced, fits, key, keys, kinds, refuses_numbers,
};
use crd_channels_check::schema as served;
use crd_channels_schema::path::Segment;
use crd_channels_schema::{Bounds, Junctors, Schema};
use serde_json::Value;
use std::borrow::Cow;

/// Whether a branch accepts null: servers compare it with the type and the enum only.
fn takes_null(schema: &Schema) -> bool {
    fits_value(schema, &Value::Null)
}

fn fits_value(schema: &Schema, value: &Value) -> bool {
    fits(&served(schema), value)
}

fn none(local: Option<Local<'_>>) -> bool {
    local.is_some_and(|local| local.some() == Answer::No)
}

impl<'a> Known<'a> {
    /// Whether every such value satisfies a constraint, which the new node reads.
    pub(super) fn holds(&self, goal: &Schema, work: &Work) -> bool {
        if !work.step() {
            return false;
        }
        if self.is_settled && self.parts.iter().any(|part| **part == *goal) {
            return true;
        }
        let kinds = self.kinds();
        if kinds.meets(Kinds::NULL) && !takes_null(goal) {
            return false;
        }
        self.keywords_hold(goal, work) && self.junctors_hold(goal, work)
    }

    /// The same for all keywords but junctors.
    fn keywords_hold(&self, goal: &Schema, work: &Work) -> bool {
        // Branches have none of these; what they would mean is not analyzed.
        if !goal.rules.is_empty() || goal.embedded_resource || goal.merge.is_some() {
            return false;
        }
        let rest = kinds(goal).or(Kinds::NULL);
        if !self.kinds().minus(rest).is_empty() && !none(self.local().map(|it| it.without(rest))) {
            return false;
        }
        if !goal.enum_values.is_empty() && !self.is_listed(goal) {
            return false;
        }
        let formatted = enforced(goal).filter(|format| bounds_texts(format));
        if formatted.is_some()
            && self.kinds().meets(Kinds::STRING)
            && !self.parts.iter().any(|part| enforced(part) == formatted)
        {
            return false;
        }
        if enforced(goal).is_some() && formatted.is_none() && self.kinds().meets(Kinds::WHOLE) {
            return self
                .parts
                .iter()
                .any(|part| enforced(part) == enforced(goal));
        }
        if let Some(bounds) = goal.bounds.as_deref() {
            let numbers = Kinds::WHOLE.or(Kinds::FRACTION);
            let refused = refuses_numbers(goal, bounds) && self.kinds().meets(numbers);
            if refused || !self.is_within(bounds) {
                return false;
            }
        }
        let is_object = self.kinds().meets(Kinds::OBJECT);
        (!is_object || self.members_hold(goal, work)) && self.items_hold(goal, work)
    }

    fn is_listed(&self, goal: &Schema) -> bool {
        none(
            self.local()
                .map(|it| it.without(Kinds::NULL).none_of(&goal.enum_values)),
        )
    }

    fn is_within(&self, bounds: &Bounds) -> bool {
        let limits = Limit::ALL.into_iter().all(|limit| {
            if limit.shown(bounds).is_none() {
                return true;
            }
            let (least, most) = self.count();
            let counted = match limit {
                Limit::MinProperties => bounds.min_properties.is_some_and(|min| least >= min),
                Limit::MaxProperties => bounds
                    .max_properties
                    .is_some_and(|max| most.is_some_and(|most| most <= max)),
                _ => return none(self.local().and_then(|it| it.outside(limit, bounds))),
            };
            !self.kinds().meets(Kinds::OBJECT) || (self.is_settled && counted)
        });
        let pattern = bounds.pattern.as_ref();
        limits
            && pattern.is_none_or(|pattern| none(self.local().map(|it| it.not_matching(pattern))))
    }

    fn members_hold(&self, goal: &Schema, work: &Work) -> bool {
        let required = goal.required.iter().all(|name| self.has(name));
        let mut properties = goal.properties.iter().map(|(name, child)| {
            let is_added = |default: &Value| fits_value(child, default);
            self.lacks(name)
                || (self.added_default(name).is_none_or(is_added)
                    && self.child(Segment::Property(name)).holds(child, work))
        });
        let values = match &goal.additional_properties {
            None => true,
            some => {
                self.is_settled
                    && self
                        .parts
                        .iter()
                        .any(|part| part.additional_properties == *some)
            }
        };
        required && properties.all(|holds| holds) && values
    }

    fn items_hold(&self, goal: &Schema, work: &Work) -> bool {
        match &goal.items {
            Some(item) if self.kinds().meets(Kinds::ARRAY) => {
                self.child(Segment::Items).holds(item, work)
            }
            _ => true,
        }
    }

    fn junctors_hold(&self, goal: &Schema, work: &Work) -> bool {
        let Some(junctors) = goal.junctors.as_deref() else {
            return true;
        };
        let Junctors {
            all_of,
            any_of,
            one_of,
            not,
        } = junctors;
        // Servers ask no junctor about null.
        let mut known = self.clone();
        known.restrict(Kinds::ALL.minus(Kinds::NULL));
        let names = mentioned_fields(goal);
        all_of.iter().all(|branch| {
            known.in_all_cases(&names, one_of, work, &|known| known.holds(branch, work))
        }) && not.as_deref().is_none_or(|not| {
            known.in_all_cases(&names, &[], work, &|known| known.fails(not, work))
        }) && (any_of.is_empty()
            || known.in_all_cases(&names, &[], work, &|known| known.some_holds(any_of, work)))
            && (one_of.is_empty()
                || known.in_all_cases(&names, one_of, work, &|known| known.one_holds(one_of, work)))
    }

    /// Whether every such value satisfies an `anyOf`.
    fn some_holds(&self, branches: &[Schema], work: &Work) -> bool {
        if branches.iter().any(|branch| self.holds(branch, work)) {
            return true;
        }
        // Together they may leave no other value.
        if !self.is_settled {
            return false;
        }
        let rest = || branches.iter().filter(|branch| !self.fails(branch, work));
        let left = rest().fold(self.clone(), |known, branch| {
            known.with_not(Cow::Owned(branch.clone()))
        });
        left.is_impossible(work)
    }

    /// Whether every such value satisfies a `oneOf`: the same branch always holds, and the others never do.
    fn one_holds(&self, branches: &[Schema], work: &Work) -> bool {
        let mut held = 0;
        for branch in branches {
            if self.fails(branch, work) {
                continue;
            }
            if held > 0 || !self.holds(branch, work) {
                return false;
            }
            held += 1;
        }
        held == 1
    }

    /// Whether no such value satisfies a constraint, which the new node reads.
    pub(super) fn fails(&self, goal: &Schema, work: &Work) -> bool {
        if !work.step() {
            return false;
        }
        if self.is_settled {
            if self.parts.iter().any(|part| **part == *goal) {
                return false;
            }
            return self.nots.iter().any(|not| **not == *goal)
                || self.with(Cow::Owned(goal.clone())).is_impossible(work);
        }
        let kinds = self.kinds();
        let lacks = goal.required.iter().any(|name| self.lacks(name));
        let mut properties = goal.properties.iter();
        let refused = properties.any(|(name, child)| {
            self.has(name)
                && self.added_default(name).is_none()
                && self.child(Segment::Property(name)).fails(child, work)
        });
        // What is no object or list is read as it is.
        let scalar = !kinds.meets(Kinds::OBJECT.or(Kinds::ARRAY))
            && self
                .with(Cow::Owned(without_notes(goal)))
                .is_impossible(work);
        scalar || (kinds == Kinds::OBJECT && (lacks || refused))
    }

    /// Whether there is no such value.
    pub(super) fn is_impossible(&self, work: &Work) -> bool {
        if !work.step() {
            return false;
        }
        let kinds = self.kinds();
        if kinds.is_empty() {
            return true;
        }
        // The parts accept null.
        if kinds.meets(Kinds::NULL) {
            return false;
        }
        if none(self.local()) || self.is_listed_nowhere() {
            return true;
        }
        let before = self.before();
        let is_no_object = kinds == Kinds::OBJECT && self.no_object(work);
        is_no_object
            || self.nots.iter().any(|not| before.holds(not, work))
            || before.lists().iter().any(|(branches, _)| {
                branches.len() <= 4
                    && branches
                        .iter()
                        .all(|branch| branch.junctors.is_none() && before.clashes(branch))
            })
    }

    /// Whether several enums have no member in common. Servers compare fractions with the whole part of a member.
    fn is_listed_nowhere(&self) -> bool {
        let listed = || {
            let enums = self.parts.iter().map(|part| &part.enum_values);
            enums.filter(|members| !members.is_empty())
        };
        let is_plain = |member: &Value| member.as_number().is_none_or(|number| !number.is_f64());
        let Some(first) = listed().min_by_key(|members| members.len()) else {
            return false;
        };
        let known: Vec<_> = listed().map(|members| keys(members, key)).collect();
        let is_everywhere = |member: &Value| {
            let key = key(member);
            known.iter().all(|members| members.contains(&key))
        };
        listed().flatten().all(is_plain) && !first.iter().any(is_everywhere)
    }

    /// Whether a branch cannot be satisfied for a reason that is quick to see.
    fn clashes(&self, branch: &Schema) -> bool {
        branch.required.iter().any(|name| self.lacked(name))
            || self.kinds().and(kinds(branch)).is_empty()
    }

    /// Whether no object can be such a value: it would need more fields than it may have, or an impossible one.
    fn no_object(&self, work: &Work) -> bool {
        let (least, most) = self.count();
        let required = self.parts.iter().flat_map(|part| &part.required);
        let mut required = required.filter(|name| {
            // Nothing can be said of a field that nothing describes.
            self.lacked(name)
                || self
                    .parts
                    .iter()
                    .any(|part| part.properties.contains_key(*name))
        });
        most.is_some_and(|most| most < least)
            || required.any(|name| {
                self.lacked(name) || self.child(Segment::Property(name)).is_impossible(work)
            })
    }
}

/// The fields that the branches of a constraint mention, with those inside of branches.
fn mentioned_fields(goal: &Schema) -> Vec<&str> {
    let mut names = Vec::new();
    let mut open: Vec<&Schema> = goal.branches().collect();
    while let Some(branch) = open.pop() {
        let properties = branch.properties.keys();
        names.extend(properties.chain(&branch.required).map(|name| &**name));
        open.extend(branch.branches());
    }
    names.sort_unstable();
    names.dedup();
    names
}
