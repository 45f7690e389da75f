//! The two shapes of schemas, and what they decide beyond the steps in which each is rendered.

use crd_channels_check::Rule;

/// The shape of a schema where Rust and Kubernetes disagree.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Convention {
    /// The shape that API reviewers expect: optional is not nullable, bounds are integers, formats are the server's.
    #[default]
    Kubernetes,
    /// The shape that kube-derive 5 writes.
    Kube,
}

/// What a convention decides.
#[derive(Debug)]
pub struct Choices {
    /// Its name in `channels/bundle.toml`.
    pub name: &'static str,
    /// What it writes, as `init` says in that file.
    pub writes: &'static str,
    /// Whether a version without a status loses its scale subresource, which servers accept.
    pub drops_scale_without_status: bool,
    /// Whether a hand-written schema may have keywords that the CRD's own type does not have, which are dropped.
    pub drops_unknown_keywords: bool,
    /// Whether lists in Kubernetes' own types say how servers merge them.
    pub merges_known_lists: bool,
    /// Whether `ObjectMeta` is an object without fields, so that a server prunes everything in it.
    pub prunes_metadata: bool,
    /// The lints that are off unless they are turned on, since types cannot avoid what they find.
    pub unavoidable_lints: &'static [Rule],
}

const KUBERNETES: Choices = Choices {
    name: "kubernetes",
    writes: "what API reviewers expect: optional fields are optional, not nullable",
    drops_scale_without_status: false,
    drops_unknown_keywords: false,
    merges_known_lists: true,
    prunes_metadata: true,
    unavoidable_lints: &[],
};

const KUBE: Choices = Choices {
    name: "kube",
    writes: "what `CustomResourceExt::crd()` returns",
    drops_scale_without_status: true,
    drops_unknown_keywords: true,
    merges_known_lists: false,
    prunes_metadata: false,
    // kube writes formats such as `uint32` that no server knows, and makes every `Option` nullable, even of an enum.
    unavoidable_lints: &[Rule::UnknownFormat, Rule::NullableEnum],
};

impl Convention {
    /// Every convention, the better ones for new kinds first.
    pub const ALL: [Self; 2] = [Self::Kubernetes, Self::Kube];

    /// The convention of the CRDs that compiled types return, which existing kinds keep.
    pub const OF_COMPILED: Self = Self::Kube;

    /// Returns what it decides.
    #[must_use]
    pub fn choices(self) -> &'static Choices {
        match self {
            Self::Kubernetes => &KUBERNETES,
            Self::Kube => &KUBE,
        }
    }
}
