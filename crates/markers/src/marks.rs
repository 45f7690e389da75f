//! The keys of `#[crd(..)]`, and the values of their entries.

use crate::check::Check;
use crate::crd::{Count, Crd, Marks, Union};
use crate::entries::{Entry, Value};
use crate::error::{Error, ErrorKind, Extent};
use crate::grammar::{Form, Key, Keys, Others, Target};
use crate::lints::{Level, LintLevel};
use syn::LitStr;

/// The targets that describe a schema node: a field, for that field, or a type, wherever it is used.
const NODES: &[Target] = &[
    Target::Struct,
    Target::Tuple,
    Target::Enum,
    Target::Field,
    Target::VariantField,
];

/// Fields, and types that wrap a single field: `struct Names(Vec<String>)`.
const VALUES: &[Target] = &[Target::Tuple, Target::Field, Target::VariantField];

const LIST_TYPES: Form = Form::Text(Check::OneOf(&["atomic", "set", "map"]));
const MAP_TYPES: Form = Form::Text(Check::OneOf(&["granular", "atomic"]));

pub(crate) static CRD: Keys = Keys {
    keys: &[
        Key::new(
            "conversion",
            Form::Text(Check::OneOf(&["none", "webhook"])),
            Target::TYPES,
            "How objects are converted between the versions of the kind.",
        )
        .root(),
        Key::new(
            "deprecated_in",
            Form::Text(Check::Minor("versions")),
            Target::TYPES,
            "The bundle that deprecates this version.",
        )
        .root(),
        Key::new(
            "removed_in",
            Form::Text(Check::Minor("versions")),
            Target::TYPES,
            "The bundle that will remove this deprecated version.",
        )
        .root(),
        Key::new(
            "replaced_by",
            Form::Text(Check::NonEmpty),
            Target::TYPES,
            "The version or the kind that replaces this deprecated version.",
        )
        .root(),
        Key::new(
            "list_kind",
            Form::Text(Check::Kind),
            Target::TYPES,
            "The kind of lists, if it is not the kind followed by `List`.",
        )
        .root(),
        Key::new(
            "default",
            Form::List(&ROOT_DEFAULT),
            Target::TYPES,
            "The default for an object without `spec` or `status`.",
        )
        .root(),
        Key::new(
            "no_status_subresource",
            Form::Word,
            Target::TYPES,
            "The status is a field like others: there is no `/status`.",
        )
        .root(),
        Key::new(
            "root",
            Form::Expr,
            Target::TYPES,
            "Keywords of the root's schema, and the schemas of `apiVersion`, `kind` and `metadata`.",
        )
        .root(),
        Key::new(
            "annotation",
            Form::Pair,
            Target::TYPES,
            "An annotation of the CRD, and of no object of the kind.",
        )
        .many()
        .root(),
        Key::new(
            "label",
            Form::Pair,
            Target::TYPES,
            "A label of the CRD, and of no object of the kind.",
        )
        .many()
        .root(),
        Key::new(
            "nullable",
            Form::Word,
            Target::NAMED_FIELDS,
            "The field accepts `null` and stores it.",
        ),
        Key::new(
            "immutable",
            Form::Word,
            &[Target::Field],
            "Once it is set, the field cannot be changed or removed.",
        ),
        Key::new(
            "deprecated",
            Form::Text(Check::NonEmpty),
            Target::NAMED_FIELDS,
            "The field is deprecated; the text says what to use instead.",
        )
        .otherwise("`#[kube(deprecated)]` deprecates a version of a kind"),
        Key::new(
            "embedded_resource",
            Form::Word,
            Target::NAMED_FIELDS,
            "The field holds a whole Kubernetes object.",
        ),
        Key::new(
            "embedded_metadata",
            Form::Word,
            Target::NAMED_FIELDS,
            "The metadata of objects in the field is kept: labels, annotations, finalizers, name, namespace.",
        ),
        Key::new(
            "conditions",
            Form::Path,
            &[Target::Field],
            "The list holds the conditions that this enum declares.",
        ),
        TITLE.at(NODES),
        EXAMPLE.at(NODES),
        EXTERNAL_DOCS.at(NODES),
        LIST_TYPE.at(VALUES),
        LIST_MAP_KEYS.at(VALUES),
        MAP_TYPE.at(VALUES),
        STRUCT_TYPE.at(&[Target::Struct, Target::Field, Target::VariantField]),
        Key::new(
            "inner",
            Form::List(&INNER),
            Target::NAMED_FIELDS,
            "The same for the items of a list or the values of a map.",
        ),
        ALLOW,
        WARN,
        DENY,
        Key::new(
            "exactly_one_of",
            Form::Texts,
            &[Target::Struct],
            "One of these fields is set.",
        )
        .many(),
        Key::new(
            "at_most_one_of",
            Form::Texts,
            &[Target::Struct],
            "None or one of these fields is set.",
        )
        .many(),
        Key::new(
            "at_least_one_of",
            Form::Texts,
            &[Target::Struct],
            "One or several of these fields are set.",
        )
        .many(),
    ],
    refused: &[],
    others: Others::Refuse,
};

const ALLOW: Key = Key::new(
    "allow",
    Form::Lints,
    NODES,
    "These lints are allowed for it and everything in it.",
)
.many();
const WARN: Key = Key::new(
    "warn",
    Form::Lints,
    NODES,
    "These lints are warnings for it.",
)
.many();
const DENY: Key = Key::new("deny", Form::Lints, NODES, "These lints are errors for it.").many();

const TITLE: Key = Key::new("title", Form::Text(Check::NonEmpty), NODES, "The title.");
const EXAMPLE: Key = Key::new("example", Form::Expr, NODES, "An example of a value.");
const EXTERNAL_DOCS: Key = Key::new(
    "external_docs",
    Form::List(&DOCS),
    NODES,
    "External documentation.",
);
const LIST_TYPE: Key = Key::new(
    "list_type",
    LIST_TYPES,
    VALUES,
    "How server-side apply owns a list: `atomic` as a whole, `set` each value, `map` each object by its keys.",
);
const LIST_MAP_KEYS: Key = Key::new(
    "list_map_keys",
    Form::Texts,
    VALUES,
    "The fields that identify the objects of a `map` list.",
);
const MAP_TYPE: Key = Key::new(
    "map_type",
    MAP_TYPES,
    VALUES,
    "How server-side apply owns a map: `granular` each entry, `atomic` as a whole.",
);
const STRUCT_TYPE: Key = Key::new(
    "struct_type",
    MAP_TYPES,
    VALUES,
    "How server-side apply owns an object: `granular` each field, `atomic` as a whole.",
);

static ROOT_DEFAULT: Keys = Keys {
    keys: &[
        Key::new("spec", Form::Expr, Target::TYPES, "The default of `spec`."),
        Key::new(
            "status",
            Form::Expr,
            Target::TYPES,
            "The default of `status`.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

static DOCS: Keys = Keys {
    keys: &[
        Key::new("url", Form::Text(Check::Url), Target::ALL, "Where.").required(),
        Key::new(
            "description",
            Form::Text(Check::NonEmpty),
            Target::ALL,
            "What.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

static INNER: Keys = Keys {
    keys: &[
        TITLE,
        EXAMPLE,
        EXTERNAL_DOCS,
        LIST_TYPE,
        LIST_MAP_KEYS,
        MAP_TYPE,
        STRUCT_TYPE,
        Key::new(
            "inner",
            Form::List(&INNER),
            VALUES,
            "The same for nested items or values.",
        ),
    ],
    refused: &[],
    others: Others::Refuse,
};

/// Collects the entries of `#[crd(..)]`. Keys that contradict each other are reported.
pub(crate) fn crd(entries: Vec<Entry>, errors: &mut Vec<Error>) -> Crd {
    let mut crd = Crd {
        marks: marks(&entries, errors),
        ..Crd::default()
    };
    for entry in entries {
        match (entry.key.name, entry.value) {
            ("conversion", Value::Text(text)) => crd.conversion = Some(text),
            ("deprecated_in", Value::Text(text)) => crd.deprecated_in = Some(text),
            ("removed_in", Value::Text(text)) => crd.removed_in = Some(text),
            ("replaced_by", Value::Text(text)) => crd.replaced_by = Some(text),
            ("list_kind", Value::Text(text)) => crd.list_kind = Some(text),
            ("annotation", Value::Pair(key, value)) => crd.annotations.push((key, value)),
            ("label", Value::Pair(key, value)) => crd.labels.push((key, value)),
            ("nullable", _) => crd.nullable = true,
            ("no_status_subresource", _) => crd.no_status_subresource = true,
            ("root", Value::Expr(value)) => crd.root = Some(value),
            ("default", Value::List(entries)) => {
                for entry in entries {
                    match (entry.key.name, entry.value) {
                        ("spec", Value::Expr(value)) => crd.spec_default = Some(value),
                        ("status", Value::Expr(value)) => crd.status_default = Some(value),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    crd
}

fn marks(entries: &[Entry], errors: &mut Vec<Error>) -> Marks {
    let mut marks = Marks::default();
    for entry in entries {
        let extent = || Some(entry.extent());
        match (entry.key.name, &entry.value) {
            ("title", Value::Text(text)) => marks.title = Some(text.clone()),
            ("example", Value::Expr(value)) => marks.example = Some(value.clone()),
            ("external_docs", Value::List(entries)) => {
                for entry in entries {
                    match (entry.key.name, &entry.value) {
                        ("url", Value::Text(text)) => marks.docs_url = Some(text.clone()),
                        (_, Value::Text(text)) => marks.docs_description = Some(text.clone()),
                        _ => {}
                    }
                }
            }
            ("list_type", Value::Text(text)) => marks.list_type = Some(text.clone()),
            ("list_map_keys", Value::Texts(keys)) => marks.list_map_keys.clone_from(keys),
            ("map_type", Value::Text(text)) => marks.map_type = Some(text.clone()),
            ("struct_type", Value::Text(text)) => marks.struct_type = Some(text.clone()),
            ("immutable", _) => marks.immutable = extent(),
            ("deprecated", Value::Text(text)) => marks.deprecated = Some(text.clone()),
            ("embedded_resource", _) => marks.embedded_resource = extent(),
            ("embedded_metadata", _) => marks.embedded_metadata = extent(),
            ("conditions", Value::Path(path)) => marks.conditions = Some(path.clone()),
            (name, Value::Lints(codes)) => set_levels(name, codes, &mut marks.levels, errors),
            ("inner", Value::List(entries)) => {
                marks.inner = Some(Box::new(self::marks(entries, errors)));
            }
            (name, Value::Texts(fields)) => {
                let count = match name {
                    "exactly_one_of" => Count::ExactlyOne,
                    "at_most_one_of" => Count::AtMostOne,
                    _ => Count::AtLeastOne,
                };
                marks.unions.push(Union {
                    count,
                    members: fields.clone(),
                    span: entry.extent(),
                });
            }
            _ => {}
        }
    }
    check(&marks, errors);
    marks
}

/// Adds the levels of an entry; a lint can have only one level on a node.
fn set_levels(
    name: &str,
    codes: &[(&'static str, Extent)],
    levels: &mut Vec<LintLevel>,
    errors: &mut Vec<Error>,
) {
    let level = Level::ALL.into_iter().find(|level| level.name() == name);
    for &(code, extent) in codes {
        if levels.iter().any(|known| known.code == code) {
            let message = format!("the level of `{code}` is set twice");
            errors.push(Error::new(ErrorKind::Invalid, extent, message).with_help("keep one"));
            continue;
        }
        levels.extend(level.map(|level| LintLevel {
            code,
            level,
            span: extent,
        }));
    }
}

/// Checks keys that require or exclude each other.
fn check(marks: &Marks, errors: &mut Vec<Error>) {
    let mut wrong = |extent: Extent, message: String, help: &str| {
        errors.push(Error::new(ErrorKind::Invalid, extent, message).with_help(help));
    };
    let is_map = |text: &&LitStr| text.value() == "map";
    match (&marks.list_type, marks.list_map_keys.first()) {
        (Some(text), None) if is_map(&text) => wrong(
            Extent::of(text),
            "a `map` list needs the keys that identify its objects".to_owned(),
            "add `list_map_keys(\"..\")`",
        ),
        (list_type, Some(first)) if list_type.as_ref().filter(is_map).is_none() => wrong(
            Extent::of(first),
            "only a `map` list has keys".to_owned(),
            "write `list_type = \"map\"` beside `list_map_keys(..)`",
        ),
        _ => {}
    }
    if let (Some(_), Some(second)) = (&marks.map_type, &marks.struct_type) {
        wrong(
            Extent::of(second),
            "`map_type` and `struct_type` are both set".to_owned(),
            "keep `map_type` for a map, `struct_type` for an object",
        );
    }
    if let (Some(_), Some(second)) = (marks.embedded_resource, marks.embedded_metadata) {
        wrong(
            second,
            "the metadata of an embedded resource is always kept".to_owned(),
            "remove `embedded_metadata`",
        );
    }
    for union in &marks.unions {
        if union.members.len() < 2 {
            wrong(
                union.span,
                "one field alone is not a choice".to_owned(),
                "name at least two fields",
            );
        }
    }
}
