//! Patterns that are large for the `regex` crate, by repetitions of classes of Unicode: matched character by character, as Go
//! does, in memory for each repetition instead of each byte of a class.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};
use std::collections::HashMap;

/// Go rejects expressions that are a little larger.
const MOST_STEPS: usize = 1 << 21;

/// A step of the automaton. Each is followed by the next one unless it says otherwise.
#[derive(Clone, Copy, Debug)]
enum Step {
    Character(char),
    /// A character of a class.
    Class(u32),
    Look(Look),
    /// Two steps to go on with.
    Fork(u32, u32),
    Matched,
}

/// A compiled pattern.
#[derive(Clone, Debug, Default)]
pub(super) struct Automaton {
    steps: Vec<Step>,
    classes: Vec<Vec<(char, char)>>,
    /// The classes by the address of their node, since repetitions compile a node more than once.
    known: HashMap<usize, u32>,
}

impl Automaton {
    /// Compiles a pattern in the syntax of the `regex` crate. `None` if it is too large.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let mut parser = ParserBuilder::new().nest_limit(super::MOST_NESTED).build();
        let parsed = parser.parse(pattern).ok()?;
        let mut automaton = Self::default();
        automaton.add(&parsed)?;
        automaton.push(Step::Matched)?;
        automaton.known = HashMap::new();
        Some(automaton)
    }

    /// Adds a step and returns its index.
    fn push(&mut self, step: Step) -> Option<usize> {
        self.steps.push(step);
        (self.steps.len() <= MOST_STEPS).then(|| self.steps.len() - 1)
    }

    fn next(&self) -> Option<u32> {
        u32::try_from(self.steps.len()).ok()
    }

    fn set(&mut self, at: usize, step: Step) {
        if let Some(found) = self.steps.get_mut(at) {
            *found = step;
        }
    }

    fn add(&mut self, node: &Hir) -> Option<()> {
        match node.kind() {
            HirKind::Empty => {}
            HirKind::Literal(literal) => {
                for c in std::str::from_utf8(&literal.0).ok()?.chars() {
                    self.push(Step::Character(c))?;
                }
            }
            HirKind::Class(class) => {
                let class = self.class(std::ptr::from_ref(node) as usize, class)?;
                self.push(Step::Class(class))?;
            }
            HirKind::Look(look) => {
                self.push(Step::Look(*look))?;
            }
            HirKind::Repetition(repetition) => self.repeat(repetition)?,
            HirKind::Capture(group) => self.add(&group.sub)?,
            HirKind::Concat(nodes) => nodes.iter().try_for_each(|node| self.add(node))?,
            HirKind::Alternation(branches) => self.any(branches)?,
        }
        Some(())
    }

    fn class(&mut self, node: usize, class: &Class) -> Option<u32> {
        if let Some(known) = self.known.get(&node) {
            return Some(*known);
        }
        let ranges = match class {
            Class::Unicode(class) => class
                .iter()
                .map(|range| (range.start(), range.end()))
                .collect(),
            Class::Bytes(class) => {
                let ranges = class.iter();
                ranges
                    .map(|range| (range.start().into(), range.end().into()))
                    .collect()
            }
        };
        let index = u32::try_from(self.classes.len()).ok()?;
        self.classes.push(ranges);
        self.known.insert(node, index);
        Some(index)
    }

    fn repeat(&mut self, repetition: &Repetition) -> Option<()> {
        let Repetition { min, max, sub, .. } = repetition;
        for _ in 0..*min {
            self.add(sub)?;
        }
        let Some(max) = max else {
            let fork = self.push(Step::Matched)?;
            self.add(sub)?;
            let again = u32::try_from(fork).ok()?;
            self.push(Step::Fork(again, again))?;
            let end = self.next()?;
            self.set(fork, Step::Fork(again + 1, end));
            return Some(());
        };
        let mut forks = Vec::new();
        for _ in *min..*max {
            forks.push(self.push(Step::Matched)?);
            self.add(sub)?;
        }
        let end = self.next()?;
        for fork in forks {
            self.set(fork, Step::Fork(u32::try_from(fork).ok()? + 1, end));
        }
        Some(())
    }

    fn any(&mut self, branches: &[Hir]) -> Option<()> {
        let mut ends = Vec::new();
        for branch in branches {
            let fork = self.push(Step::Matched)?;
            self.add(branch)?;
            ends.push(self.push(Step::Matched)?);
            let other = self.next()?;
            self.set(fork, Step::Fork(u32::try_from(fork).ok()? + 1, other));
        }
        // Behind the last branch there is nothing: a class without characters.
        let none = u32::try_from(self.classes.len()).ok()?;
        self.classes.push(Vec::new());
        self.push(Step::Class(none))?;
        let end = self.next()?;
        for at in ends {
            self.set(at, Step::Fork(end, end));
        }
        Some(())
    }

    /// Whether a part of the text matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let mut active = Active {
            seen: vec![0; self.steps.len()],
            ..Active::default()
        };
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let after = rest.clone().next();
            let place = (before, after);
            active.round += 1;
            let reached = std::mem::take(&mut active.reached);
            let mut steps = reached.iter().copied().chain([0]);
            if steps.any(|step| self.follow(step, place, &mut active)) {
                return true;
            }
            let Some(c) = rest.next() else {
                return false;
            };
            for step in std::mem::take(&mut active.waiting) {
                if self.takes(step, c) {
                    active.reached.push(step + 1);
                }
            }
            before = Some(c);
        }
    }

    /// Follows a step to those that take a character. Returns whether the pattern has matched.
    fn follow(&self, from: u32, place: Place, active: &mut Active) -> bool {
        active.open.push(from);
        while let Some(at) = active.open.pop() {
            let Some(seen) = active.seen.get_mut(at as usize) else {
                continue;
            };
            if std::mem::replace(seen, active.round) == active.round {
                continue;
            }
            match self.steps.get(at as usize) {
                Some(Step::Fork(one, other)) => active.open.extend([*other, *one]),
                Some(Step::Look(look)) if holds(*look, place) => active.open.push(at + 1),
                Some(Step::Look(_)) | None => {}
                Some(Step::Matched) => return true,
                Some(Step::Character(_) | Step::Class(_)) => active.waiting.push(at),
            }
        }
        false
    }

    fn takes(&self, step: u32, c: char) -> bool {
        match self.steps.get(step as usize) {
            Some(Step::Character(wanted)) => *wanted == c,
            Some(Step::Class(class)) => self.classes.get(*class as usize).is_some_and(|ranges| {
                let next = ranges.partition_point(|(start, _)| *start <= c);
                let range = next.checked_sub(1).and_then(|last| ranges.get(last));
                range.is_some_and(|(_, end)| c <= *end)
            }),
            _ => false,
        }
    }
}

/// The characters before and after a position.
type Place = (Option<char>, Option<char>);

/// The steps that a text has led to.
#[derive(Default)]
struct Active {
    /// The round in which each step was last followed.
    seen: Vec<u32>,
    round: u32,
    open: Vec<u32>,
    /// The steps that take a character.
    waiting: Vec<u32>,
    reached: Vec<u32>,
}

fn holds(look: Look, (before, after): Place) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF => before.is_none_or(|c| c == '\n'),
        Look::EndLF => after.is_none_or(|c| c == '\n'),
        Look::WordAscii => is_word(before) != is_word(after),
        Look::WordAsciiNegate => is_word(before) == is_word(after),
        // The translation of Go's syntax has no others.
        _ => false,
    }
}
