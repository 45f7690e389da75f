//! Types known by name: a table of what schemars makes of each.

use super::shapes::element;
use super::types::{Task, plain_type};
use crate::types::{Concrete, is_wrapper};
use crd_channels_diagnostics::{Code, Diagnostic, Span};
use crd_channels_schema::draft::{IntKind, Literal, Scalar, Shape, Type};
use serde_json::{Value, json};

/// The form of a built-in type.
enum Builtin {
    /// The same shape for all arguments.
    Shape(Shape),
    /// The same as its first argument.
    Inner,
    /// `Option`
    Option,
    /// A list or set of its first argument.
    List { unique: bool },
    /// A map from its first argument to its second.
    Map,
    /// Seconds and nanoseconds, with these names.
    Time([&'static str; 2]),
    /// A type whose schema a CRD cannot contain, with what to use instead.
    Refused(&'static str),
}

const AS_STRING: &str = "use `String`, or write `#[schemars(with = \"String\")]`";

/// semver's suggested regular expression, as schemars writes it.
const SEMVER: &str = r"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$";

/// The row of a type.
fn builtin_of(path: &str) -> Option<Builtin> {
    let (crate_name, name) = match (path.split_once("::"), path.rsplit_once("::")) {
        (Some((first, _)), Some((_, last))) => (first, last),
        _ => ("", path),
    };
    if is_wrapper(path) {
        return Some(Builtin::Inner);
    }
    let scalar = |scalar| Builtin::Shape(Shape::Scalar(scalar));
    let formatted = |format| Builtin::Shape(Shape::Scalar(Scalar::Formatted(format)));
    let value = |value: Value| Builtin::Shape(Shape::Literal(Literal::Value(value)));
    Some(match (crate_name, name) {
        ("" | "std", "bool" | "AtomicBool") => scalar(Scalar::Bool),
        ("" | "std", "char") => scalar(Scalar::Char),
        ("" | "std", "f32") => scalar(Scalar::Float),
        ("" | "std", "f64") => scalar(Scalar::Double),
        ("" | "std", "str" | "String") => scalar(Scalar::String),
        ("std", "Path" | "PathBuf" | "SocketAddr" | "SocketAddrV4" | "SocketAddrV6") => {
            scalar(Scalar::String)
        }
        ("std", "IpAddr") => formatted("ip"),
        ("std", "Ipv4Addr") => formatted("ipv4"),
        ("std", "Ipv6Addr") => formatted("ipv6"),
        ("std", "PhantomData") => Builtin::Shape(Shape::Unit),
        ("std", "Option") => Builtin::Option,
        ("std", "Vec" | "VecDeque" | "LinkedList" | "BinaryHeap") => {
            Builtin::List { unique: false }
        }
        ("std", "HashSet" | "BTreeSet") | ("indexmap", "IndexSet") => {
            Builtin::List { unique: true }
        }
        ("std", "HashMap" | "BTreeMap") | ("indexmap", "IndexMap") | ("serde_json", "Map") => {
            Builtin::Map
        }
        ("std", "Duration") => Builtin::Time(["secs", "nanos"]),
        ("std", "SystemTime") => Builtin::Time(["secs_since_epoch", "nanos_since_epoch"]),
        ("std", "OsString" | "OsStr" | "CString" | "CStr") => Builtin::Refused(AS_STRING),
        ("std", "Saturating" | "LazyLock" | "OnceLock" | "OnceCell" | "RangeFrom" | "RangeTo") => {
            Builtin::Refused("schemars has no schema for it; use the type that it holds")
        }
        ("serde_json", "Value" | "RawValue") => Builtin::Shape(Shape::Any),
        ("serde_json", "Number") => value(json!({ "type": "number" })),
        ("chrono", "DateTime") => formatted("date-time"),
        ("chrono", "NaiveDate") | ("jiff", "Date") => formatted("date"),
        ("chrono", "NaiveDateTime") | ("jiff", "DateTime") => formatted("partial-date-time"),
        ("chrono", "NaiveTime") | ("jiff", "Time") => formatted("partial-time"),
        ("chrono", "Weekday") => value(json!({
            "type": "string",
            "enum": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        })),
        ("chrono", "TimeDelta" | "Duration") => Builtin::Refused(AS_STRING),
        ("jiff", "SignedDuration" | "Span") => formatted("duration"),
        ("jiff", "Timestamp") => formatted("date-time"),
        ("jiff", "Zoned") => formatted("zoned-date-time"),
        ("kube" | "kube_core", "Duration") => scalar(Scalar::String),
        ("url", "Url") => formatted("uri"),
        ("uuid", "Uuid") => formatted("uuid"),
        ("semver", "Version") => scalar(Scalar::Patterned(SEMVER)),
        ("semver", "VersionReq") => Builtin::Refused(AS_STRING),
        ("smol_str", "SmolStr") | ("arrayvec", "ArrayString") => scalar(Scalar::String),
        ("arrayvec", "ArrayVec") => {
            Builtin::Refused("use `Vec` with `#[schemars(length(max = ..))]`")
        }
        ("smallvec", "SmallVec") => Builtin::Refused("write `#[schemars(with = \"Vec<..>\")]`"),
        ("bytes", "Bytes" | "BytesMut") | ("rust_decimal" | "bigdecimal", _) => {
            Builtin::Refused(AS_STRING)
        }
        ("" | "std", name) => Builtin::Shape(Shape::Scalar(Scalar::Int(int(name)?))),
        _ => return None,
    })
}

/// Parses the name of an integer type, including `NonZero` and atomic ones.
fn int(name: &str) -> Option<IntKind> {
    let (name, non_zero) = match name.strip_prefix("NonZero") {
        Some(rest) => (rest, true),
        None => (name.strip_prefix("Atomic").unwrap_or(name), false),
    };
    let signed = match name.chars().next()? {
        'i' | 'I' => true,
        'u' | 'U' => false,
        _ => return None,
    };
    let bits = match name.get(1..)? {
        "8" => 8,
        "16" => 16,
        "32" => 32,
        "64" => 64,
        "128" => 128,
        "size" => 0,
        _ => return None,
    };
    Some(IntKind {
        bits,
        signed,
        non_zero,
    })
}

/// The type that gives a field of `#[serde_as]` its schema.
pub(super) const ADAPTED: &str = "serde_with::Schema";

impl Task<'_> {
    /// Lowers a type known by name. Boxes and cells are the type that they contain.
    pub(super) fn builtin(
        &mut self,
        path: &str,
        args: &[Concrete],
        ty: &Concrete,
        at: Span,
    ) -> Option<Type> {
        let known = match (path, args) {
            ("std::num::NonZero", [Concrete::External(int, _)]) => {
                builtin_of(&format!("std::num::NonZero{int}"))
            }
            _ => builtin_of(path),
        };
        let Some(known) = known else {
            if path == ADAPTED {
                let message =
                    "the schema that an adapter of serde_with gives to a field is not read";
                let finding = Diagnostic::new(Code::UnreadableSchema, at, message);
                self.report(finding.with_help(
                    "name an equivalent type with `#[schemars(with = \"..\")]`, or record the schema",
                ));
                return None;
            }
            let help = "use a type that derives `JsonSchema`, or name an equivalent type with `#[schemars(with = \"..\")]`";
            self.refuse(at, &format!("`{path}`"), help);
            return None;
        };
        let mut argument = |index: usize| match args.get(index) {
            Some(arg) => self.lower(arg, at),
            None => {
                let what = format!("`{ty}` without its type arguments");
                self.refuse(at, &what, "write all type arguments");
                None
            }
        };
        let shape = match known {
            Builtin::Shape(shape) => shape,
            Builtin::Inner => return argument(0).map(|inner| Type::clone(&inner)),
            Builtin::Option => Shape::Option(argument(0)?),
            Builtin::List { unique } => Shape::List {
                items: argument(0)?,
                unique,
                length: None,
            },
            Builtin::Map => Shape::Map {
                key: argument(0)?,
                value: argument(1)?,
            },
            Builtin::Time(names) => {
                let mut properties = Vec::with_capacity(2);
                for (name, int) in names.into_iter().zip(["u64", "u32"]) {
                    let int = self.lower(&Concrete::external(int), at)?;
                    properties.push((name.into(), Literal::Schema(int, Vec::new())));
                }
                Shape::Literal(Literal::Object(vec![
                    ("type".into(), Literal::Value(json!("object"))),
                    ("properties".into(), Literal::Object(properties)),
                    ("required".into(), Literal::Value(json!(names))),
                ]))
            }
            Builtin::Refused(help) => {
                self.refuse(at, &format!("`{ty}`"), help);
                return None;
            }
        };
        Some(plain_type(ty, shape))
    }

    /// Lowers a tuple.
    pub(super) fn tuple(&mut self, ty: &Concrete, items: &[Concrete], at: Span) -> Option<Type> {
        let fields: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(index, item)| Some(element(index, self.lower(item, at)?, at)))
            .collect();
        let fields = fields.into_iter().collect::<Option<_>>()?;
        Some(plain_type(ty, Shape::Tuple(fields)))
    }
}
