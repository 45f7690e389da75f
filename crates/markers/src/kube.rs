//! The keys of `#[kube]` and `#[x_kube]` that may be conditional.

use crate::check::Check;
use crate::grammar::{Form, Key, Keys, Others, Refused, Target};
use crate::validation::shape;

pub(crate) static GATED_X_KUBE: Keys = Keys {
    keys: &[Key::new(
        "validation",
        Form::Expr,
        &[Target::Struct, Target::Field],
        "A CEL rule.",
    )
    .many()],
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

/// The keys of `kube(..)` inside a conditional attribute.
pub static GATED_KUBE: Keys = Keys {
    keys: &[
        Key::new(
            "printcolumn",
            Form::JsonOrList(&PRINTCOLUMN),
            Target::TYPES,
            "A column of `kubectl get`.",
        )
        .many()
        .root(),
        Key::new(
            "selectable",
            Form::Text(Check::Any),
            Target::TYPES,
            "A field that objects can be selected by.",
        )
        .many()
        .root(),
        Key::new(
            "shortname",
            Form::Text(Check::Any),
            Target::TYPES,
            "A short name for `kubectl`.",
        )
        .many()
        .root(),
        Key::new(
            "category",
            Form::Text(Check::Any),
            Target::TYPES,
            "A category for `kubectl`.",
        )
        .many()
        .root(),
        Key::new(
            "deprecated",
            Form::WordOrText,
            Target::TYPES,
            "The version is deprecated; the text is the warning.",
        )
        .root(),
        Key::new(
            "scale",
            Form::JsonOrList(&SCALE),
            Target::TYPES,
            "The scale subresource.",
        )
        .root(),
        Key::new(
            "status",
            Form::Elsewhere("takes no value here: `#[kube(status = \"..\")]` names the type, which all channels share"),
            Target::TYPES,
            "The status and its subresource.",
        )
        .root(),
        Key::new(
            "validation",
            Form::Expr,
            Target::TYPES,
            "A CEL rule on the root.",
        )
        .many()
        .root(),
        Key::new(
            "doc",
            Form::Text(Check::Any),
            Target::TYPES,
            "The root's description.",
        )
        .root(),
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
