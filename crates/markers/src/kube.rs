//! The keys of `#[kube]` and `#[x_kube]` that may be conditional.

use crate::check::Check;
use crate::grammar::{Form, Key, Keys, Others, Refused, Target};
use crate::validation::shape;

/// `validation = ..` of `#[x_kube(..)]`
pub const X_KUBE_VALIDATION: Key = Key::new(
    "validation",
    Form::Expr,
    &[Target::Struct, Target::Field],
    "A CEL rule.",
)
.many();

pub(crate) static GATED_X_KUBE: Keys = Keys {
    keys: &[X_KUBE_VALIDATION],
    refused: &[
        Refused {
            name: "merge_strategy",
            why: "objects written under one channel would be merged differently under the other",
            help: "gate the whole field",
        },
        shape("cel"),
        shape("crates"),
    ],
    others: Others::Refuse,
};

/// `printcolumn(..)` of `#[kube(..)]`
pub const KUBE_PRINTCOLUMN: Key = kube(
    "printcolumn",
    Form::JsonOrList(&PRINTCOLUMN),
    "A column of `kubectl get`.",
)
.many();
/// `selectable = ".."`
pub const KUBE_SELECTABLE: Key = kube(
    "selectable",
    Form::Text(Check::Any),
    "A field that objects can be selected by.",
)
.many();
/// `shortname = ".."`
pub const KUBE_SHORTNAME: Key = kube("shortname", Form::Text(Check::Any), "A short name.").many();
/// `category = ".."`
pub const KUBE_CATEGORY: Key = kube("category", Form::Text(Check::Any), "A category.").many();
/// `deprecated`, `deprecated = ".."`
pub const KUBE_DEPRECATED: Key = kube(
    "deprecated",
    Form::WordOrText,
    "The version is deprecated; the text is the warning.",
);
/// `scale(..)`
pub const KUBE_SCALE: Key = kube("scale", Form::JsonOrList(&SCALE), "The scale subresource.");
/// `validation = ..`
pub const KUBE_VALIDATION: Key = kube("validation", Form::Expr, "A CEL rule on the root.").many();
/// `doc = ".."`
pub const KUBE_DOC: Key = kube("doc", Form::Text(Check::Any), "The root's description.");

/// A key of `#[kube(..)]`. Those that may be conditional are constants here, so that both forms are the same.
#[must_use]
pub const fn kube(name: &'static str, form: Form, says: &'static str) -> Key {
    Key::new(name, form, Target::TYPES, says)
}

/// The keys of `kube(..)` inside a conditional attribute.
pub static GATED_KUBE: Keys = Keys {
    keys: &[
        KUBE_PRINTCOLUMN.root(),
        KUBE_SELECTABLE.root(),
        KUBE_SHORTNAME.root(),
        KUBE_CATEGORY.root(),
        KUBE_DEPRECATED.root(),
        KUBE_SCALE.root(),
        kube(
            "status",
            Form::Elsewhere("takes no value here: `#[kube(status = \"..\")]` names the type, which all channels share"),
            "The status and its subresource.",
        )
        .root(),
        KUBE_VALIDATION.root(),
        KUBE_DOC.root(),
    ],
    refused: &[
        kind("group"),
        kind("version"),
        kind("kind"),
        kind("singular"),
        kind("plural"),
        kind("namespaced"),
        kind("root"),
        kind("annotation"),
        kind("label"),
        kind("cel"),
        kind("schema"),
        kind("derive"),
        kind("attr"),
        kind("crates"),
        kind("no_spec"),
        Refused {
            name: "storage",
            why: "the storage version applies to all channels",
            help: "gate the whole version",
        },
        Refused {
            name: "served",
            why: "a channel's configuration sets the versions that it serves",
            help: "gate the whole version, or set it in `channels/<channel>.toml`",
        },
    ],
    others: Others::Refuse,
};

/// The keys of `printcolumn(..)`.
pub static PRINTCOLUMN: Keys = Keys {
    keys: &[
        Key::new(
            "name",
            Form::Text(Check::Any),
            Target::TYPES,
            "The heading.",
        )
        .required(),
        Key::new(
            "type_",
            Form::Text(Check::Any),
            Target::TYPES,
            "The type of the values: `string`, `integer`, `number`, `boolean` or `date`.",
        )
        .required(),
        Key::new(
            "json_path",
            Form::Text(Check::Any),
            Target::TYPES,
            "The path of the value.",
        )
        .required(),
        Key::new(
            "description",
            Form::Text(Check::Any),
            Target::TYPES,
            "A description.",
        ),
        Key::new(
            "format",
            Form::Text(Check::Any),
            Target::TYPES,
            "The format of the values.",
        ),
        Key::new(
            "priority",
            Form::Int,
            Target::TYPES,
            "If above 0, only wide output shows the column.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

/// The keys of `scale(..)`.
pub static SCALE: Keys = Keys {
    keys: &[
        Key::new(
            "spec_replicas_path",
            Form::Text(Check::Any),
            Target::TYPES,
            "The path of the desired replicas.",
        )
        .required(),
        Key::new(
            "status_replicas_path",
            Form::Text(Check::Any),
            Target::TYPES,
            "The path of the observed replicas.",
        )
        .required(),
        Key::new(
            "label_selector_path",
            Form::Text(Check::Any),
            Target::TYPES,
            "The path of the label selector.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

const fn kind(name: &'static str) -> Refused {
    Refused {
        name,
        why: "it belongs to the kind or its Rust type, which all channels share",
        help: "gate the whole version",
    }
}
