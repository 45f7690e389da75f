//! Languages of regular expressions: membership of a text, and whether some text is in all of several languages and in none of
//! others.
//!
//! API servers match with Go's syntax (RE2), unanchored. The language is unknown if Go rejects the pattern or its automaton is
//! too large.

use super::size::Count;
use crate::findings::verdict::Answer;
use crd_channels_cel::{Text, go_regexp};
use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};

/// The maximum size of an automaton.
const AUTOMATON_BYTES: usize = 4 << 20;
/// The maximum size of all automata that are kept.
const MOST_BYTES: usize = 64 << 20;
/// The maximum number of states of all automata together.
const MOST_STATES: usize = 200_000;

type Dfa = dense::DFA<Vec<u32>>;

/// Whether a pattern matches somewhere in a text.
pub(crate) fn matches(pattern: &str, text: &str) -> Answer {
    let Some(dfa) = automaton(pattern) else {
        return Answer::Unknown;
    };
    let Some(mut state) = begin(&dfa) else {
        return Answer::Unknown;
    };
    for byte in text.bytes() {
        state = step(&dfa, state, byte);
    }
    ends(&dfa, state).into()
}

/// A query for a text: patterns that match it, patterns that do not, its length.
type Question = (Vec<Text>, Vec<Text>, (u64, Option<u64>));

/// A text, or that there is none; `Err` if it cannot be determined.
type Found = Result<Option<Text>, Undetermined>;

/// A pattern is not known, or the automata are too large.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undetermined;

/// Whether there is a text of an allowed length that all of `must` match and none of `must_not` does.
pub(super) fn some_text(must: &[Text], must_not: &[Text], length: Count) -> Answer {
    match example(must, must_not, length) {
        Ok(Some(_)) => Answer::Yes,
        Ok(None) => Answer::No,
        Err(Undetermined) => Answer::Unknown,
    }
}

/// The shortest text of an allowed length that all of `must` match and none of `must_not` does. Answers are cached, since
/// versions and channels ask the same.
pub(super) fn example(must: &[Text], must_not: &[Text], length: Count) -> Found {
    static ANSWERED: RwLock<BTreeMap<Question, Found>> = RwLock::new(BTreeMap::new());
    let question = (must.to_vec(), must_not.to_vec(), (length.min, length.max));
    let read = ANSWERED.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = read.get(&question) {
        return known.clone();
    }
    drop(read);
    let answer = find_text(must, must_not, length);
    let mut write = ANSWERED.write().unwrap_or_else(PoisonError::into_inner);
    write.insert(question, answer.clone());
    answer
}

fn find_text(must: &[Text], must_not: &[Text], length: Count) -> Found {
    if length.is_empty() {
        return Ok(None);
    }
    let Some(automata) = must
        .iter()
        .map(|pattern| (pattern, true))
        .chain(must_not.iter().map(|pattern| (pattern, false)))
        .map(|(pattern, wanted)| Some((automaton(pattern)?, wanted)))
        .collect::<Option<Vec<_>>>()
    else {
        return Err(Undetermined);
    };
    match search(&automata, Count::ANY)? {
        Some(text) if !length.has(text.chars().count() as u64) => search(&automata, length),
        found => Ok(found),
    }
}

/// The pattern that matches exactly these texts.
pub(super) fn exactly<'a>(texts: impl Iterator<Item = &'a str>) -> Text {
    let mut pattern = String::from(r"\A(?:");
    for (index, text) in texts.enumerate() {
        if index > 0 {
            pattern.push('|');
        }
        for char in text.chars() {
            if char.is_ascii_punctuation() {
                pattern.push('\\');
            }
            pattern.push(char);
        }
    }
    pattern.push_str(r")\z");
    pattern.into()
}

/// The automaton of a pattern. Cached, since building takes much longer than running and patterns recur.
fn automaton(pattern: &str) -> Option<Arc<Dfa>> {
    static BUILT: RwLock<Built> = RwLock::new(Built::new());
    let read = BUILT.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = read.automata.get(pattern) {
        return known.clone();
    }
    drop(read);
    let built = build(pattern).map(Arc::new);
    let mut write = BUILT.write().unwrap_or_else(PoisonError::into_inner);
    write.keep(pattern, built.clone());
    built
}

/// The latest automata by their pattern; `None` for patterns without one.
struct Built {
    automata: BTreeMap<String, Option<Arc<Dfa>>>,
    /// The patterns with an automaton, in the order in which they were built.
    order: VecDeque<String>,
    /// The size of all automata.
    bytes: usize,
}

impl Built {
    const fn new() -> Self {
        Self {
            automata: BTreeMap::new(),
            order: VecDeque::new(),
            bytes: 0,
        }
    }

    /// Keeps an automaton, and drops the oldest ones for it.
    fn keep(&mut self, pattern: &str, built: Option<Arc<Dfa>>) {
        if let Some(dfa) = &built {
            self.bytes += dfa.memory_usage();
            self.order.push_back(pattern.to_owned());
        }
        if let Some(Some(other)) = self.automata.insert(pattern.to_owned(), built) {
            // Another thread built it as well.
            self.bytes -= other.memory_usage();
            self.order.pop_back();
        }
        while self.bytes > MOST_BYTES
            && let Some(oldest) = self.order.pop_front()
        {
            let dropped = self.automata.remove(&oldest).flatten();
            self.bytes -= dropped.map_or(0, |dfa| dfa.memory_usage());
        }
    }
}

fn build(pattern: &str) -> Option<Dfa> {
    dense::Builder::new()
        .configure(
            dense::Config::new()
                .start_kind(StartKind::Unanchored)
                .dfa_size_limit(Some(AUTOMATON_BYTES))
                .determinize_size_limit(Some(AUTOMATON_BYTES)),
        )
        .syntax(syntax::Config::new().utf8(false))
        .build(&go_regexp::translate(pattern).ok()?)
        .ok()
}

/// A state, or `None` when the pattern has matched.
type State = Option<StateID>;

fn begin(dfa: &Dfa) -> Option<State> {
    let state = dfa.start_state(&start::Config::new().anchored(Anchored::No));
    let state = state.ok()?;
    Some((!dfa.is_match_state(state)).then_some(state))
}

fn step(dfa: &Dfa, state: State, byte: u8) -> State {
    let next = dfa.next_state(state?, byte);
    (!dfa.is_match_state(next)).then_some(next)
}

fn ends(dfa: &Dfa, state: State) -> bool {
    state.is_none_or(|state| dfa.is_match_state(dfa.next_eoi_state(state)))
}

#[derive(Clone, Eq, Hash, PartialEq)]
struct Position {
    states: Vec<State>,
    utf8: Utf8,
    length: u64,
}

/// Walks all automata together, over valid UTF-8 only, to the shortest text.
fn search(automata: &[(Arc<Dfa>, bool)], length: Count) -> Found {
    let Some(states) = automata
        .iter()
        .map(|(dfa, _)| begin(dfa))
        .collect::<Option<Vec<_>>>()
    else {
        return Err(Undetermined);
    };
    let alphabet = alphabet(automata);
    // Beyond the minimum, characters are not counted if there is no maximum.
    let counted = length.max.unwrap_or(length.min);
    let first = Position {
        states,
        utf8: Utf8::Boundary,
        length: 0,
    };
    let mut seen = HashSet::from([first.clone()]);
    // Every position that was reached, with the place of the one before it and the byte between.
    let mut reached = vec![(first, 0, 0)];
    let mut at = 0;
    while let Some((position, _, _)) = reached.get(at).cloned() {
        if position.utf8 == Utf8::Boundary
            && position.length >= length.min
            && automata
                .iter()
                .zip(&position.states)
                .all(|((dfa, wanted), state)| ends(dfa, *state) == *wanted)
        {
            return Ok(Some(text_to(&reached, at)));
        }
        for byte in &alphabet {
            let Some(utf8) = position.utf8.step(*byte) else {
                continue;
            };
            let begun = u64::from(position.utf8 == Utf8::Boundary);
            if length.max.is_some_and(|max| position.length + begun > max) {
                continue;
            }
            let states: Vec<State> = automata
                .iter()
                .zip(&position.states)
                .map(|((dfa, _), state)| step(dfa, *state, *byte))
                .collect();
            let hopeless = automata
                .iter()
                .zip(&states)
                .any(|((dfa, wanted), state)| match state {
                    Some(state) => *wanted && dfa.is_dead_state(*state),
                    None => !wanted,
                });
            if hopeless {
                continue;
            }
            let next = Position {
                states,
                utf8,
                length: (position.length + begun).min(counted),
            };
            if seen.len() >= MOST_STATES {
                return Err(Undetermined);
            }
            if seen.insert(next.clone()) {
                reached.push((next, at, *byte));
            }
        }
        at += 1;
    }
    Ok(None)
}

/// The text that leads to a position.
fn text_to(reached: &[(Position, usize, u8)], mut at: usize) -> Text {
    let mut bytes = Vec::new();
    while let Some((_, before, byte)) = reached.get(at).filter(|_| at > 0) {
        bytes.push(*byte);
        at = *before;
    }
    bytes.reverse();
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A representative of each class of bytes that no automaton distinguishes: a letter if there is one.
fn alphabet(automata: &[(Arc<Dfa>, bool)]) -> Vec<u8> {
    let mut seen = HashSet::new();
    let letters = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
    let bytes = letters.chain(b'!'..=b'~').chain(0..=u8::MAX);
    bytes
        .filter(|byte| {
            let mut class: Vec<u8> = automata
                .iter()
                .map(|(dfa, _)| dfa.byte_classes().get(*byte))
                .collect();
            class.push(Utf8::class(*byte));
            seen.insert(class)
        })
        .collect()
}

/// The position inside a character.
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
enum Utf8 {
    Boundary,
    One,
    Two,
    Three,
    /// The second byte is bounded, so that no character has two encodings and none is a surrogate.
    Bounded(u8),
}

impl Utf8 {
    fn class(byte: u8) -> u8 {
        match byte {
            0x00..=0x7f => 0,
            0x80..=0x8f => 1,
            0x90..=0x9f => 2,
            0xa0..=0xbf => 3,
            0xc2..=0xdf => 4,
            0xe1..=0xec | 0xee..=0xef => 5,
            0xf1..=0xf3 => 6,
            0xe0 | 0xed | 0xf0 | 0xf4 => byte,
            0xc0..=0xc1 | 0xf5..=0xff => 7,
        }
    }

    fn step(self, byte: u8) -> Option<Self> {
        let continues = (0x80..=0xbf).contains(&byte);
        match self {
            Self::Boundary => match byte {
                0x00..=0x7f => Some(Self::Boundary),
                0xc2..=0xdf => Some(Self::One),
                0xe0 | 0xed | 0xf0 | 0xf4 => Some(Self::Bounded(byte)),
                0xe1..=0xef => Some(Self::Two),
                0xf1..=0xf3 => Some(Self::Three),
                _ => None,
            },
            Self::One => continues.then_some(Self::Boundary),
            Self::Two => continues.then_some(Self::One),
            Self::Three => continues.then_some(Self::Two),
            Self::Bounded(first) => {
                let (range, next) = match first {
                    0xe0 => (0xa0..=0xbf, Self::One),
                    0xed => (0x80..=0x9f, Self::One),
                    0xf0 => (0x90..=0xbf, Self::Two),
                    _ => (0x80..=0x8f, Self::Two),
                };
                range.contains(&byte).then_some(next)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Built, Count, MOST_BYTES, build, exactly, matches, some_text};
    use crd_channels_cel::Text;
    use std::sync::Arc;

    #[test]
    fn automata_are_kept_within_a_budget() {
        let dfa = build("(a|b)*a(a|b){12}$").map(Arc::new);
        let size = dfa.as_ref().map_or(0, |dfa| dfa.memory_usage());
        let most = MOST_BYTES / size;
        let mut built = Built::new();
        for nth in 0..2 * most {
            built.keep(&nth.to_string(), dfa.clone());
            built.keep(&nth.to_string(), dfa.clone());
        }
        built.keep("(", None);
        assert_eq!((built.bytes, built.order.len()), (most * size, most));
        assert_eq!(built.automata.len(), most + 1);
        let known =
            [most - 1, most, 2 * most - 1].map(|nth| built.automata.contains_key(&nth.to_string()));
        assert_eq!(known, [false, true, true]);
    }

    fn within(old: &str, new: &str, length: Count) -> Answer {
        some_text(&[old.into()], &[new.into()], length).not()
    }

    #[test]
    fn languages_are_compared_not_spellings() {
        let check = |old: &str, new: &str, expected: (Answer, Answer)| {
            let found = (within(old, new, Count::ANY), within(new, old, Count::ANY));
            assert_eq!(found, expected, "{old} and {new}");
        };
        let (yes, no) = (Answer::Yes, Answer::No);
        check("^[-a-zSA-Z0-9]*$", "^[-a-zA-Z0-9]*$", (yes, yes));
        check("^a$", "^[ab]$", (yes, no));
        check("^a", "a", (yes, no));
        check("^(a|b)*$", "^[ab]*$", (yes, yes));
        check(r"^\d+$", "^[0-9]+$", (yes, yes));
        check("^[^a]$", r"^(?s:.)$", (yes, no));
        check("^é?$", "^[\u{e9}]*$", (yes, no));
        check(r"^[[a]$", r"^[a\[]$", (yes, yes));
        check(r"^[\w.]$", r"^[\w]$", (no, yes));
        check(r"\Aa\z", "^a$", (yes, yes));
        check(r"\Qa\E", "a", (yes, yes));
        check(r"^\101{,2}$", r"^A\{,2}$", (yes, yes));
        check(r"^(?P<a>\pN)$", r"^[\p{N}]$", (yes, yes));
        check(r"^[[:alpha:]\D]$", r"^[^0-9]$", (yes, yes));
        check("^(?=a)$", "a", (Answer::Unknown, Answer::Unknown));
    }

    #[test]
    fn lengths_bound_what_is_compared() {
        let short = Count {
            min: 0,
            max: Some(2),
        };
        assert_eq!(within("^a*$", "^a{0,3}$", short), Answer::Yes);
        assert_eq!(within("^a*$", "^a{0,1}$", short), Answer::No);
        let long = Count { min: 4, max: None };
        assert_eq!(within("^é{3,4}$", "^é{4}$", long), Answer::Yes);
    }

    #[test]
    fn texts_are_matched_anywhere_and_literally() {
        assert_eq!(matches("b", "abc"), Answer::Yes);
        assert_eq!(matches("^b", "abc"), Answer::No);
        let one: Text = exactly(["a.b", "c-"].into_iter());
        assert_eq!(matches(&one, "a.b"), Answer::Yes);
        assert_eq!(matches(&one, "axb"), Answer::No);
    }
}
