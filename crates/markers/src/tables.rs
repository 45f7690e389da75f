//! The keys of our own attributes.

use crate::check::Check;
use crate::grammar::{Attribute, Form, Key, Keys, Others, Refused, Target};
use crate::kube::{GATED_KUBE, GATED_X_KUBE};
use crate::marks::CRD;
use crate::validation::{GATED_GARDE, GATED_SCHEMARS, GATED_VALIDATE};

/// All of our attributes.
pub const ATTRIBUTES: &[Attribute] = &[
    Attribute {
        name: "experimental",
        bare: GATED,
        keys: &GATE,
        repeats: true,
        says: "The version (on the type of a kind), type, field or variant, or only the keywords in parentheses, is in a channel only if the feature is on.",
    },
    Attribute {
        name: "not_experimental",
        bare: GATED,
        keys: &GATE,
        repeats: true,
        says: "The opposite: in a channel only if the feature is off.",
    },
    Attribute {
        name: "tombstone",
        bare: &[],
        keys: &TOMBSTONE,
        repeats: true,
        says: "A serialized name that was used once and is reserved.",
    },
    Attribute {
        name: "crd",
        bare: &[],
        keys: &CRD,
        repeats: false,
        says: "Settings that `#[kube(..)]` and `#[schemars(..)]` do not have.",
    },
];

/// The targets that a gate can turn on or off as a whole. A field without a name cannot be left out.
const GATED: &[Target] = &[
    Target::Struct,
    Target::Tuple,
    Target::Enum,
    Target::Field,
    Target::VariantField,
    Target::Variant,
];

static GATE: Keys = Keys {
    keys: &[
        Key::new(
            "feature",
            Form::Text(Check::Feature),
            Target::ALL,
            "The feature; `unnamed` by default.",
        ),
        Key::new(
            "doc",
            Form::Text(Check::Any),
            Target::ALL,
            "Lines of documentation.",
        )
        .many(),
        Key::new(
            "schemars",
            Form::List(&GATED_SCHEMARS),
            Target::ALL,
            "Validation in schemars' syntax.",
        )
        .many(),
        Key::new(
            "validate",
            Form::List(&GATED_VALIDATE),
            Target::FIELDS,
            "Validation in validator's syntax.",
        )
        .many(),
        Key::new(
            "garde",
            Form::List(&GATED_GARDE),
            Target::FIELDS,
            "Validation in garde's syntax.",
        )
        .many(),
        Key::new(
            "x_kube",
            Form::List(&GATED_X_KUBE),
            &[Target::Struct, Target::Field],
            "CEL rules.",
        )
        .many(),
        Key::new(
            "kube",
            Form::List(&GATED_KUBE),
            Target::TYPES,
            "Columns, names and rules of the kind.",
        )
        .many()
        .root(),
    ],
    refused: &[
        Refused {
            name: "serde",
            why: "the wire format is the Rust type's, and all channels share one type",
            help: "gate the whole field or variant",
        },
        Refused {
            name: "derive",
            why: "all channels share one type",
            help: "write it as an attribute of its own",
        },
        Refused {
            name: "crd",
            why: "it sets what all channels share",
            help: "write it as an attribute of its own",
        },
        Refused {
            name: "tombstone",
            why: "a name is reserved in all channels",
            help: "write it as an attribute of its own",
        },
        Refused {
            name: "deprecated",
            why: "all channels share the Rust type and its deprecation",
            help: "on the type of a kind write `kube(deprecated)`",
        },
        Refused {
            name: "experimental",
            why: "one node belongs to one feature",
            help: "write an attribute of its own for each feature",
        },
        Refused {
            name: "not_experimental",
            why: "one node belongs to one feature",
            help: "write an attribute of its own for each feature",
        },
    ],
    others: Others::Refuse,
};

static TOMBSTONE: Keys = Keys {
    keys: &[
        Key::new(
            "name",
            Form::Text(Check::NonEmpty),
            &[Target::Struct, Target::Enum],
            "The serialized name of the field or variant.",
        )
        .required(),
        Key::new(
            "removed",
            Form::Text(Check::Release),
            &[Target::Struct, Target::Enum],
            "The bundle that removed it.",
        )
        .required(),
        Key::new(
            "reason",
            Form::Text(Check::NonEmpty),
            &[Target::Struct, Target::Enum],
            "Why it was removed.",
        )
        .required(),
    ],
    refused: &[],
    others: Others::Refuse,
};

#[cfg(test)]
#[allow(clippy::panic, reason = "tests")]
mod tests {
    use super::ATTRIBUTES;
    use crate::declarations::DECLARATIONS;
    use crate::grammar::{Attribute, Form, Keys};

    fn attributes() -> impl Iterator<Item = &'static Attribute> {
        ATTRIBUTES.iter().chain(DECLARATIONS)
    }

    #[test]
    fn the_page_names_every_attribute_and_key() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/attributes.md");
        let page = std::fs::read_to_string(path).unwrap_or_default();
        // The page quotes a key as it is written: `key`, `key = ..`, `key(..)`, or `key = ".."` among others.
        let names = |name: &str| {
            let forms = ["`", " = ", "("].map(|end| format!("`{name}{end}"));
            forms.iter().any(|form| page.contains(form))
                || page.contains(&format!(", {name} = \"..\""))
                || page.contains(&format!("({name} = .."))
                || page.contains(&format!("({name} = \"..\""))
        };
        let mut open: Vec<&'static Keys> = Vec::new();
        for attribute in attributes() {
            assert!(
                page.contains(&format!("\n## `#[{}]`\n", attribute.name)),
                "docs/attributes.md has no section `#[{}]`",
                attribute.name
            );
            open.push(attribute.keys);
        }
        let mut seen: Vec<*const Keys> = Vec::new();
        while let Some(keys) = open.pop() {
            if seen.contains(&std::ptr::from_ref(keys)) {
                continue;
            }
            seen.push(keys);
            for refused in keys.refused {
                assert!(
                    names(refused.name),
                    "docs/attributes.md does not name `{}`",
                    refused.name
                );
            }
            for key in keys.keys {
                assert!(names(key.name), "docs/attributes.md does not name `{key}`");
                match key.form {
                    Form::List(keys) | Form::JsonOrList(keys) | Form::ArgOrList(keys) => {
                        open.push(keys);
                    }
                    Form::Pairs(keywords) => {
                        for keyword in keywords {
                            assert!(
                                names(keyword),
                                "docs/attributes.md does not name `{keyword}`"
                            );
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn keys_are_unique_and_explained() {
        let mut seen: Vec<*const Keys> = Vec::new();
        let mut open: Vec<&'static Keys> = attributes().map(|attribute| attribute.keys).collect();
        while let Some(keys) = open.pop() {
            if seen.contains(&std::ptr::from_ref(keys)) {
                continue;
            }
            seen.push(keys);
            let mut names: Vec<&str> = keys.refused.iter().map(|refused| refused.name).collect();
            for key in keys.keys {
                names.push(key.name);
                assert!(!key.at.is_empty(), "`{key}` stands nowhere");
                assert!(key.says.ends_with('.'), "`{key}` is not explained");
                if let Form::List(keys) | Form::JsonOrList(keys) | Form::ArgOrList(keys) = key.form
                {
                    open.push(keys);
                }
            }
            for (index, name) in names.iter().enumerate() {
                assert!(!names[..index].contains(name), "`{name}` stands twice");
            }
        }
        assert!(seen.len() > 10);
    }
}
