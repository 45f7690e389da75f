//! The keys of `#[conditions]`, `#[condition]`, `#[reasons]` and `#[reason]`.

use crate::check::Check;
use crate::grammar::{Attribute as Grammar, Form, Key, Keys, Others, Target};

const ENUM: &[Target] = &[Target::Enum];
const VARIANT: &[Target] = &[Target::Variant];

/// The attributes of conditions and their reasons.
pub const DECLARATIONS: &[Grammar] = &[
    Grammar {
        name: "conditions",
        bare: &[],
        keys: &CONDITIONS,
        repeats: false,
        says: "Settings for all condition types of an enum.",
    },
    Grammar {
        name: "condition",
        bare: &[],
        keys: &CONDITION,
        repeats: false,
        says: "A condition type.",
    },
    Grammar {
        name: "reasons",
        bare: &[],
        keys: &REASONS,
        repeats: false,
        says: "Settings for all reasons of an enum.",
    },
    Grammar {
        name: "reason",
        bare: &[],
        keys: &REASON,
        repeats: false,
        says: "A reason, and its status.",
    },
];

static CONDITIONS: Keys = Keys {
    keys: &[
        Key::new(
            "domain",
            Form::Text(Check::Domain),
            ENUM,
            "The domain of the controller that owns these types; omitted if the API defines them.",
        ),
        CRATE,
    ],
    refused: &[],
    others: Others::Refuse,
};

/// `crate = path`
const CRATE: Key = Key::new(
    "crate",
    Form::Path,
    ENUM,
    "The path of the runtime, if it is not `crd_channels_runtime`.",
);

static CONDITION: Keys = Keys {
    keys: &[
        Key::new(
            "positive",
            Form::Word,
            VARIANT,
            "It is `True` on a healthy object, and always present.",
        ),
        Key::new(
            "negative",
            Form::Word,
            VARIANT,
            "It describes an error, and is present only while it is `True`.",
        ),
        Key::new(
            "optional",
            Form::Word,
            VARIANT,
            "A positive condition that is present only if the controller uses it.",
        ),
        NAME,
        Key::new(
            "replaced_by",
            Form::Text(Check::NonEmpty),
            VARIANT,
            "The variant that replaces this deprecated type; both are published.",
        ),
        Key::new(
            "until",
            Form::Text(Check::Minor("conditions")),
            VARIANT,
            "The bundle that will remove this deprecated type.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

/// `name = ".."`
const NAME: Key = Key::new(
    "name",
    Form::Text(Check::NonEmpty),
    VARIANT,
    "The serialized name, if it is not the variant's name.",
);

static REASONS: Keys = Keys {
    keys: &[CRATE],
    refused: &[],
    others: Others::Refuse,
};

static REASON: Keys = Keys {
    keys: &[
        Key::new(
            "True",
            Form::Word,
            VARIANT,
            "The condition is `True` for this reason.",
        ),
        Key::new(
            "False",
            Form::Word,
            VARIANT,
            "The condition is `False` for this reason.",
        ),
        Key::new(
            "Unknown",
            Form::Word,
            VARIANT,
            "The condition is `Unknown` for this reason.",
        ),
        Key::new(
            "code",
            Form::Word,
            VARIANT,
            "The variant holds another system's error code, from which the reason is built.",
        ),
        NAME,
    ],
    refused: &[],
    others: Others::Refuse,
};
