//! The attributes of other crates, key by key, described in our own grammar.

use crd_channels_markers::keys::{
    BOUNDS_WITH_MESSAGE, CONTAINS, EMAIL, IP, IPV4, IPV6, KUBE_CATEGORY, KUBE_DEPRECATED, KUBE_DOC,
    KUBE_PRINTCOLUMN, KUBE_SCALE, KUBE_SELECTABLE, KUBE_SHORTNAME, KUBE_VALIDATION, LENGTH,
    NAMED_PATTERN_WITH_MESSAGE, PATH_OR_PATTERN, PATTERN, RANGE, REGEX, SERDE, URL,
    X_KUBE_VALIDATION, inner, kube,
};
use crd_channels_markers::{Check, Form, Key, Keys, Others, Target};

/// `#[kube(..)]`
pub(super) static KUBE: Keys = Keys {
    keys: &[
        kube("group", Form::Text(Check::NonEmpty), "The API group."),
        kube("version", Form::Text(Check::NonEmpty), "The API version."),
        kube("kind", Form::Text(Check::NonEmpty), "The kind."),
        kube("singular", Form::Text(Check::Any), "The singular name."),
        kube("plural", Form::Text(Check::Any), "The plural name."),
        kube("namespaced", Form::Flag, "Objects live in namespaces."),
        kube("root", Form::Text(Check::Any), "The root type's name."),
        kube("struct", Form::Text(Check::Any), "`root` before kube 0.88."),
        KUBE_DOC,
        kube("status", Form::Path, "The status' type."),
        KUBE_SCALE,
        KUBE_PRINTCOLUMN,
        KUBE_SELECTABLE,
        KUBE_CATEGORY,
        KUBE_SHORTNAME,
        kube("annotation", Form::Pair, "An annotation of the CRD.").many(),
        kube("label", Form::Pair, "A label of the CRD.").many(),
        KUBE_VALIDATION,
        kube("rule", Form::Expr, "`validation` before kube 1.").many(),
        kube(
            "apiextensions",
            Form::Text(Check::Any),
            "No longer has an effect.",
        ),
        kube("cel", Form::Flag, "Methods that run the rules in Rust."),
        kube("storage", Form::Flag, "Whether this version is stored."),
        kube("served", Form::Flag, "Whether this version is served."),
        KUBE_DEPRECATED,
        kube(
            "schema",
            Form::Text(Check::OneOf(&["derived", "manual", "disabled"])),
            "The source of the root's schema.",
        ),
        kube(
            "derive",
            Form::Text(Check::Any),
            "A derive of the root type.",
        )
        .many(),
        kube(
            "attr",
            Form::Text(Check::Any),
            "An attribute of the root type.",
        )
        .many(),
        kube("crates", Form::Any, "The paths of kube and related crates."),
        kube("no_spec", Form::Flag, "The fields are at the root."),
    ],
    refused: &[],
    others: Others::Refuse,
};

/// `#[x_kube(..)]`
pub(super) static X_KUBE: Keys = Keys {
    keys: &[
        X_KUBE_VALIDATION,
        Key::new(
            "merge_strategy",
            Form::Expr,
            &[Target::Field],
            "How server-side apply merges a list or a map.",
        ),
        Key::new(
            "cel",
            Form::Flag,
            &[Target::Struct],
            "Methods that run the rules in Rust.",
        ),
        CRATES,
    ],
    refused: &[],
    others: Others::Refuse,
};

/// `#[cel_validate(..)]`: `#[x_kube(..)]` before kube 1.
pub(super) static CEL_VALIDATE: Keys = Keys {
    keys: &[
        Key::new(
            "rule",
            Form::Expr,
            &[Target::Struct, Target::Field],
            "A CEL rule.",
        )
        .many(),
        CRATES,
    ],
    refused: &[],
    others: Others::Refuse,
};

const CRATES: Key = Key::new(
    "crates",
    Form::Any,
    &[Target::Struct],
    "The paths of kube and related crates.",
);

/// `#[schemars(..)]`
pub(super) static SCHEMARS: Keys = Keys {
    keys: &SCHEMARS_KEYS,
    refused: &[],
    others: Others::Refuse,
};

/// The keys that serde does not have.
const OWN_SCHEMARS: &[Key] = &[
    schemars("title", Form::Expr, "The title."),
    schemars("description", Form::Expr, "The description."),
    schemars("example", Form::Expr, "An example.").many(),
    schemars("extend", Form::Pairs(&[]), "Keys of the schema itself.").many(),
    schemars(
        "transform",
        Form::Expr,
        "Rust code that changes the schema.",
    )
    .many(),
    schemars(
        "with",
        Form::Text(Check::NonEmpty),
        "Another type's schema.",
    ),
    schemars(
        "schema_with",
        Form::Text(Check::NonEmpty),
        "A function that returns the schema.",
    ),
    Key::new("inline", Form::Word, Target::TYPES, "No reference."),
    Key::new(
        "crate",
        Form::Text(Check::NonEmpty),
        Target::TYPES,
        "The path of schemars.",
    ),
    Key::new(
        "_unstable_ref_variants",
        Form::Word,
        &[Target::Enum],
        "References to variants.",
    ),
    Key::new(
        "required",
        Form::Word,
        Target::FIELDS,
        "An `Option` that is required.",
    ),
    LENGTH,
    RANGE,
    REGEX.with(Form::ExprOrList(&PATH_OR_PATTERN)),
    PATTERN,
    CONTAINS,
    EMAIL,
    URL,
    IP,
    IPV4,
    IPV6,
    PHONE,
    inner(&SCHEMARS_ITEMS),
];

static SCHEMARS_KEYS: [Key; OWN_SCHEMARS.len() + SERDE.len()] = {
    let mut all = [serde(""); OWN_SCHEMARS.len() + SERDE.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = match at < OWN_SCHEMARS.len() {
            true => OWN_SCHEMARS[at],
            false => serde(SERDE[at - OWN_SCHEMARS.len()]),
        };
        at += 1;
    }
    all
};

static SCHEMARS_ITEMS: Keys = Keys {
    keys: &[
        LENGTH,
        RANGE,
        REGEX.with(Form::ExprOrList(&PATH_OR_PATTERN)),
        PATTERN,
        CONTAINS,
        EMAIL,
        URL,
        IP,
        IPV4,
        IPV6,
        REQUIRED_ITEM,
        inner(&SCHEMARS_ITEMS),
    ],
    refused: &[],
    others: Others::Refuse,
};

/// Only schemars 0.8 has it.
const PHONE: Key = Key::new("phone", Form::Word, Target::FIELDS, "A telephone number.");

const REQUIRED_ITEM: Key = Key::new("required", Form::Any, Target::FIELDS, "Nothing.");

const fn schemars(name: &'static str, form: Form, says: &'static str) -> Key {
    Key::new(name, form, Target::ALL, says)
}

/// serde reads it, and reports repeated keys.
const fn serde(name: &'static str) -> Key {
    Key::new(name, Form::Any, Target::ALL, "As in `#[serde(..)]`.").many()
}

/// `#[validate(..)]`, as far as schemars reads it. The first of repeated keys counts.
pub(super) static VALIDATE: Keys = Keys {
    keys: &[
        LENGTH.with(Form::List(&BOUNDS_WITH_MESSAGE)).many(),
        RANGE.with(Form::List(&BOUNDS_WITH_MESSAGE)).many(),
        REGEX.with(Form::ExprOrList(&PATH_OR_PATTERN)).many(),
        CONTAINS
            .with(Form::ExprOrList(&NAMED_PATTERN_WITH_MESSAGE))
            .many(),
        EMAIL.with(Form::Any).many(),
        URL.with(Form::Any).many(),
        IP.with(Form::Any).many(),
        IPV4.with(Form::Any).many(),
        IPV6.with(Form::Any).many(),
        PHONE.with(Form::Any).many(),
        Key::new("required", Form::Word, Target::FIELDS, "As in schemars.").many(),
        Key::new(
            "required_nested",
            Form::Word,
            Target::FIELDS,
            "As `required`.",
        )
        .many(),
    ],
    refused: &[],
    others: Others::Ignore,
};

/// `#[garde(..)]`, as far as schemars reads it. The first of repeated keys counts.
pub(super) static GARDE: Keys = Keys {
    keys: &[
        LENGTH.with(Form::List(&BOUNDS_WITH_MESSAGE)).many(),
        RANGE.with(Form::List(&BOUNDS_WITH_MESSAGE)).many(),
        PATTERN.many(),
        CONTAINS.with(Form::Arg).many(),
        EMAIL.many(),
        URL.many(),
        IP.many(),
        IPV4.many(),
        IPV6.many(),
        Key::new("required", Form::Word, Target::FIELDS, "As in schemars.").many(),
        inner(&GARDE),
    ],
    refused: &[],
    others: Others::Ignore,
};

#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod tests {
    use super::{GARDE, KUBE, Key, Keys, SCHEMARS, VALIDATE, X_KUBE};
    use crd_channels_markers::Form;
    use crd_channels_markers::keys::GATED_KUBE;

    #[test]
    fn the_page_names_every_key() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/attributes.md");
        let page = std::fs::read_to_string(path).unwrap_or_default();
        let section = page
            .split("\n## Attributes of others\n")
            .nth(1)
            .unwrap_or("");
        for (name, keys) in [
            ("kube", &KUBE),
            ("x_kube", &X_KUBE),
            ("schemars", &SCHEMARS),
            ("validate", &VALIDATE),
            ("garde", &GARDE),
        ] {
            let row = |line: &&str| line.starts_with(&format!("| `#[{name}(..)]`"));
            let Some(row) = section.lines().find(row) else {
                panic!("docs/attributes.md has no row for `#[{name}(..)]`");
            };
            // serde's keys are in serde's row.
            let row = match name {
                "schemars" => section,
                _ => row,
            };
            check(name, keys, row);
        }
    }

    #[test]
    fn every_key_of_kube_may_be_conditional_or_is_refused() {
        // Old names, and one without an effect, are unknown there.
        let unknown = ["struct", "rule", "apiextensions"];
        let allowed = GATED_KUBE.keys.iter().map(|key| key.name);
        let refused = GATED_KUBE.refused.iter().map(|refused| refused.name);
        let decided: Vec<&str> = allowed.chain(refused).collect();
        for Key { name, .. } in KUBE.keys {
            assert_ne!(decided.contains(name), unknown.contains(name), "`{name}`");
        }
    }

    fn check(name: &str, keys: &'static Keys, row: &str) {
        for key in keys.keys {
            let quoted = ["`", "("].map(|end| format!("`{}{end}", key.name));
            let inside = format!("({} = ..)", key.name);
            assert!(
                quoted.iter().any(|quoted| row.contains(quoted)) || row.contains(&inside),
                "docs/attributes.md does not name `{key}` of `#[{name}(..)]`"
            );
            // `inner(..)` takes the same keys again; bounds are documented once, in schemars' row.
            if let ("kube" | "schemars", "scale" | "printcolumn" | "length" | "regex") =
                (name, key.name)
                && let Form::List(keys) | Form::JsonOrList(keys) = key.form
            {
                check(name, keys, row);
            }
        }
    }
}
