//! The validation keys of `#[schemars]`, `#[validate]` and `#[garde]`, and which of them may be conditional.

use crate::grammar::{Form, Key, Keys, Others, Refused, Target};

/// `length(..)`
pub const LENGTH: Key = Key::new(
    "length",
    Form::List(&BOUNDS),
    Target::FIELDS,
    "The length of a string or a list.",
);
/// `range(..)`
pub const RANGE: Key = Key::new(
    "range",
    Form::List(&BOUNDS),
    Target::FIELDS,
    "The range of a number.",
);
/// `pattern(..)`
pub const PATTERN: Key = Key::new(
    "pattern",
    Form::Arg,
    Target::FIELDS,
    "A regular expression that a string matches.",
);
/// `contains(..)`
pub const CONTAINS: Key = Key::new(
    "contains",
    Form::ArgOrList(&NAMED_PATTERN),
    Target::FIELDS,
    "A text that a string contains.",
);
/// `regex(pattern = ..)`
pub const REGEX: Key = Key::new(
    "regex",
    Form::List(&NAMED_PATTERN),
    Target::FIELDS,
    "A regular expression that a string matches.",
);
/// `inner(..)` with the keys in its parentheses. It is a function because they contain `inner` again.
#[must_use]
pub const fn inner(keys: &'static Keys) -> Key {
    Key::new(
        "inner",
        Form::List(keys),
        Target::FIELDS,
        "The same for the items of a list.",
    )
    .many()
}
/// `email`
pub const EMAIL: Key = format("email", "An email address.");
/// `url`
pub const URL: Key = format("url", "A URI.");
/// `ip`
pub const IP: Key = format("ip", "An IP address.");
/// `ipv4`
pub const IPV4: Key = format("ipv4", "An IPv4 address.");
/// `ipv6`
pub const IPV6: Key = format("ipv6", "An IPv6 address.");

const fn format(name: &'static str, says: &'static str) -> Key {
    Key::new(name, Form::Word, Target::FIELDS, says)
}

pub(crate) static GATED_SCHEMARS: Keys = Keys {
    keys: &[
        LENGTH,
        RANGE,
        REGEX,
        PATTERN,
        CONTAINS,
        EMAIL,
        URL,
        IP,
        IPV4,
        IPV6,
        inner(&GATED_ITEMS),
        Key::new(
            "description",
            Form::Expr,
            Target::ALL,
            "The whole description, instead of the doc comment.",
        ),
        Key::new(
            "extend",
            Form::Pairs(VALIDATION_KEYWORDS),
            Target::ALL,
            "Validation keywords of the schema itself.",
        )
        .many(),
    ],
    refused: &REFUSED_SCHEMARS,
    others: Others::Refuse,
};

/// The keys of `#[schemars(..)]` that override those of `#[serde(..)]`.
pub const SERDE: &[&str] = &[
    "rename",
    "rename_all",
    "rename_all_fields",
    "deny_unknown_fields",
    "tag",
    "content",
    "untagged",
    "default",
    "skip",
    "skip_serializing",
    "skip_serializing_if",
    "skip_deserializing",
    "flatten",
    "remote",
    "transparent",
    "into",
    "from",
    "try_from",
    "bound",
];

/// Keys of `#[schemars(..)]` alone that change the Rust type or are documentation.
const OWN_REFUSED: &[Refused] = &[
    prose("title"),
    prose("example"),
    required(),
    shape("with"),
    shape("schema_with"),
    shape("transform"),
    shape("inline"),
    shape("crate"),
];

static REFUSED_SCHEMARS: [Refused; OWN_REFUSED.len() + SERDE.len()] = {
    let mut all = [shape(""); OWN_REFUSED.len() + SERDE.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at < OWN_REFUSED.len() {
            true => OWN_REFUSED[at],
            false => shape(SERDE[at - OWN_REFUSED.len()]),
        };
        at += 1;
    }
    all
};

/// Schema keywords that only restrict which values are valid.
const VALIDATION_KEYWORDS: &[&str] = &[
    "x-kubernetes-validations",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "enum",
    "not",
    "allOf",
    "anyOf",
    "oneOf",
];

static GATED_ITEMS: Keys = Keys {
    keys: &[
        LENGTH,
        RANGE,
        REGEX,
        PATTERN,
        CONTAINS,
        EMAIL,
        URL,
        IP,
        IPV4,
        IPV6,
        inner(&GATED_ITEMS),
    ],
    refused: &[required()],
    others: Others::Refuse,
};

pub(crate) static GATED_VALIDATE: Keys = Keys {
    keys: &[
        LENGTH.with(Form::List(&BOUNDS_WITH_MESSAGE)),
        RANGE.with(Form::List(&BOUNDS_WITH_MESSAGE)),
        REGEX.with(Form::List(&REGEX_BY_PATH)),
        CONTAINS.with(Form::List(&NAMED_PATTERN_WITH_MESSAGE)),
        EMAIL.with(Form::Any),
        URL.with(Form::Any),
        IP.with(Form::Any),
        IPV4.with(Form::Any),
        IPV6.with(Form::Any),
    ],
    refused: &[required()],
    others: Others::Refuse,
};

pub(crate) static GATED_GARDE: Keys = Keys {
    keys: &[
        LENGTH.with(Form::List(&BOUNDS_WITH_MESSAGE)),
        RANGE.with(Form::List(&BOUNDS_WITH_MESSAGE)),
        PATTERN,
        CONTAINS.with(Form::Arg),
        EMAIL,
        URL,
        IP,
        IPV4,
        IPV6,
        inner(&GATED_ITEMS),
    ],
    refused: &[required()],
    others: Others::Refuse,
};

/// The keys of `length(..)` and `range(..)`.
pub static BOUNDS: Keys = Keys {
    keys: &[MIN, MAX, EQUAL],
    refused: &[],
    others: Others::Refuse,
};

/// Like [`BOUNDS`], with further keys such as messages.
pub static BOUNDS_WITH_MESSAGE: Keys = Keys {
    keys: &[MIN, MAX, EQUAL],
    refused: &[],
    others: Others::Ignore,
};

const MIN: Key = Key::new("min", Form::Expr, Target::FIELDS, "The minimum.");
const MAX: Key = Key::new("max", Form::Expr, Target::FIELDS, "The maximum.");
const EQUAL: Key = Key::new("equal", Form::Expr, Target::FIELDS, "The exact value.");

const PATTERN_VALUE: Key =
    Key::new("pattern", Form::Expr, Target::FIELDS, "The pattern.").required();

/// `pattern = ..` in parentheses.
pub static NAMED_PATTERN: Keys = Keys {
    keys: &[PATTERN_VALUE],
    refused: &[],
    others: Others::Refuse,
};

/// Like [`NAMED_PATTERN`], with further keys such as messages.
pub static NAMED_PATTERN_WITH_MESSAGE: Keys = Keys {
    keys: &[PATTERN_VALUE],
    refused: &[],
    others: Others::Ignore,
};

/// `path = ..` or `pattern = ..` in parentheses, as in schemars 0.8.
pub static PATH_OR_PATTERN: Keys = Keys {
    keys: &[
        Key::new(
            "path",
            Form::Expr,
            Target::FIELDS,
            "The regular expression's name.",
        ),
        Key::new("pattern", Form::Expr, Target::FIELDS, "The pattern."),
    ],
    refused: &[],
    others: Others::Ignore,
};

/// `path = ..` in parentheses, with further keys such as messages.
pub static REGEX_BY_PATH: Keys = Keys {
    keys: &[Key::new(
        "path",
        Form::Expr,
        Target::FIELDS,
        "The regular expression's name.",
    )
    .required()],
    refused: &[],
    others: Others::Ignore,
};

pub(crate) const fn shape(name: &'static str) -> Refused {
    Refused {
        name,
        why: "it shapes the Rust type, and all channels share one type",
        help: "gate the whole field or variant",
    }
}

const fn prose(name: &'static str) -> Refused {
    Refused {
        name,
        why: "texts may differ between channels only in documentation",
        help: "write `doc = \"..\"`",
    }
}

const fn required() -> Refused {
    Refused {
        name: "required",
        why: "an object that is valid in one channel would be invalid in the other",
        help: "write an `x_kube(validation = ..)` instead",
    }
}
