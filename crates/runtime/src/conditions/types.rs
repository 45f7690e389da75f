//! Types of conditions, and what an object says of one.

use super::{AnyCondition, HasConditions, Status};

/// The status that a healthy object has.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Polarity {
    /// `True`, as for `Accepted`. If the condition is absent, the object must not be considered healthy.
    Positive,
    /// `False`, as for `Conflicted`. The condition is only there while it is true.
    Negative,
}

/// A type of condition.
///
/// ```
/// use crd_channels_runtime::conditions::{ConditionType, ConditionWriter, NoConditions, Reason, State, Status};
///
/// const ACCEPTED: ConditionType = ConditionType::positive("Accepted");
///
/// let mut conditions = Vec::new();
/// let mut writer = ConditionWriter::for_list::<NoConditions>(&mut conditions, 1);
/// writer.set_state(ACCEPTED, &State::new(Status::False, Reason::from_static("NoResources"), "No address is left."));
/// assert!(ACCEPTED.is_false(&conditions) && !ACCEPTED.is_healthy(&conditions));
/// assert_eq!(ACCEPTED.reason(&conditions), Some("NoResources"));
/// assert_eq!(ACCEPTED.message(&conditions), Some("No address is left."));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ConditionType {
    name: &'static str,
    polarity: Polarity,
}

impl ConditionType {
    /// A type whose condition is always there: `Accepted`, `Programmed`. If no API defines it, a domain precedes it, as in
    /// `example.com/Issued`: names without one are reserved for the API (GEP-1364, summary).
    ///
    /// # Panics
    /// A server does not accept the name. In a `const`, that is an error of the compiler.
    #[must_use]
    pub const fn positive(name: &'static str) -> Self {
        Self::new(name, Polarity::Positive)
    }

    /// A type whose condition is only there while it is true: `Conflicted`, `example.com/Throttled`.
    ///
    /// # Panics
    /// A server does not accept the name. In a `const`, that is an error of the compiler.
    #[must_use]
    pub const fn negative(name: &'static str) -> Self {
        Self::new(name, Polarity::Negative)
    }

    const fn new(name: &'static str, polarity: Polarity) -> Self {
        assert!(
            is_type(name),
            "not a condition type: `Word` or `domain/Word`"
        );
        Self { name, polarity }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The status that a healthy object has.
    #[must_use]
    pub const fn polarity(self) -> Polarity {
        self.polarity
    }

    /// The status of a healthy or an unhealthy object.
    pub(crate) const fn status_if(self, is_healthy: bool) -> Status {
        match (self.polarity, is_healthy) {
            (Polarity::Positive, true) | (Polarity::Negative, false) => Status::True,
            _ => Status::False,
        }
    }

    /// The condition of this type, of an object or in a list.
    pub fn find<L: HasConditions + ?Sized>(self, of: &L) -> Option<&L::Condition> {
        let mut all = of.conditions().iter();
        all.find(|condition| condition.type_() == self.name)
    }

    /// Whether the condition is there and `True`, as `IsStatusConditionTrue` in Go.
    pub fn is_true(self, of: &(impl HasConditions + ?Sized)) -> bool {
        self.find(of).map(Status::of) == Some(Status::True)
    }

    /// Whether the condition is there and `False`. A negative condition that is absent is not: see
    /// [`ConditionType::is_healthy`].
    pub fn is_false(self, of: &(impl HasConditions + ?Sized)) -> bool {
        self.find(of).map(Status::of) == Some(Status::False)
    }

    /// Whether the condition has the status of a healthy object, for the generation that the object has. A negative condition
    /// that is absent has it; a positive one that is absent does not (GEP-1364, background 4).
    pub fn is_healthy(self, of: &(impl HasConditions + ?Sized)) -> bool {
        match self.find(of) {
            Some(found) => Status::of(found) == self.status_if(true) && !self.is_stale(of),
            None => self.polarity == Polarity::Negative,
        }
    }

    /// The reason of the condition.
    pub fn reason(self, of: &(impl HasConditions + ?Sized)) -> Option<&str> {
        self.find(of).map(AnyCondition::reason)
    }

    /// The message of the condition.
    pub fn message(self, of: &(impl HasConditions + ?Sized)) -> Option<&str> {
        self.find(of).map(AnyCondition::message)
    }

    /// Whether the condition is about an earlier generation of the object: its `observedGeneration`, or else that of the status,
    /// is less than `metadata.generation`. Without either, and in a list without an object, it is not stale.
    pub fn is_stale(self, of: &(impl HasConditions + ?Sized)) -> bool {
        let found = self.find(of);
        let observed = found.and_then(|found| {
            let own = found.observed_generation();
            own.or_else(|| of.observed_generation())
        });
        matches!((observed, of.generation()), (Some(observed), Some(now)) if observed < now)
    }

    /// The condition as kube's `await_condition` takes it: the object is there, and the condition has the status for the
    /// generation that the object has. `kubectl wait` waits for the same.
    ///
    /// ```
    /// # use crd_channels_runtime::conditions::{ConditionType, Status};
    /// # use k8s_openapi::api::apps::v1::Deployment;
    /// const AVAILABLE: ConditionType = ConditionType::positive("Available");
    ///
    /// // kube::runtime::wait::await_condition(api, "web", is_available).await?;
    /// let is_available = AVAILABLE.wait_for::<Deployment>(Status::True);
    /// assert!(!is_available(None) && !is_available(Some(&Deployment::default())));
    /// ```
    pub fn wait_for<K: HasConditions>(
        self,
        status: Status,
    ) -> impl Fn(Option<&K>) -> bool + Copy + Send + Sync + 'static {
        move |object| {
            let found = object.and_then(|object| Some((object, self.find(object)?)));
            found.is_some_and(|(object, found)| {
                Status::of(found) == status && !self.is_stale(object)
            })
        }
    }
}

/// The maximum length of a type.
const LONGEST: usize = 316;

/// Whether a server accepts the type: a word, with a domain before it or without.
const fn is_type(name: &str) -> bool {
    let bytes = name.as_bytes();
    let mut word = bytes;
    let mut rest = bytes;
    while let Some((first, behind)) = rest.split_first() {
        if *first == b'/' {
            let (domain, _) = bytes.split_at(bytes.len() - behind.len() - 1);
            if !is_word(domain, true) {
                return false;
            }
            word = behind;
            break;
        }
        rest = behind;
    }
    name.len() <= LONGEST && is_word(word, false)
}

/// Whether a text has letters or digits at its ends, and `-`, `.` or `_` between them; of a domain, in each label, and only
/// lowercase letters and `-`.
const fn is_word(mut text: &[u8], is_domain: bool) -> bool {
    let mut before = b'.';
    let mut is_first = true;
    while let Some((byte, rest)) = text.split_first() {
        let fits = match *byte {
            b'.' => !is_first && (!is_domain || before.is_ascii_alphanumeric()),
            b'-' => !is_first && (!is_domain || before != b'.'),
            b'_' => !is_first && !is_domain,
            _ => byte.is_ascii_alphanumeric() && !(is_domain && byte.is_ascii_uppercase()),
        };
        if !fits {
            return false;
        }
        before = *byte;
        is_first = false;
        text = rest;
    }
    before.is_ascii_alphanumeric()
}
