//! Types that fields may have: how they are written, what they can do, and values of them.

use super::dice::Dice;

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Ty {
    Scalar(&'static str),
    /// A type of k8s-openapi or of std that is not a scalar.
    Foreign(&'static str),
    Box(Box<Ty>),
    Option(Box<Ty>),
    List(&'static str, Box<Ty>),
    Array(Box<Ty>, usize),
    Set(&'static str, Box<Ty>),
    Map(&'static str, Box<Ty>, Box<Ty>),
    Tuple(Vec<Ty>),
    /// The parameter of the generic type that it stands in.
    Param(usize),
    /// A type of the module, by its number there, with arguments.
    Helper(usize, Vec<Ty>),
}

/// A type that the module defines.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    pub params: usize,
    pub default: bool,
    pub ord: bool,
    /// It is an object whose fields no other type has, so that it can be flattened.
    pub flat: bool,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Fields(Vec<(String, Ty)>),
    Newtype(Ty),
    Variants(Vec<(String, Content)>),
    Alias(Ty),
    Opaque,
}

#[derive(Clone, Debug)]
pub enum Content {
    Unit,
    Newtype(Ty),
    Fields(Vec<(String, Ty)>),
}

pub const PARAMS: [&str; 2] = ["A", "B"];

impl Ty {
    pub fn write(&self, helpers: &[Helper]) -> String {
        let all = |types: &[Self]| {
            let types: Vec<String> = types.iter().map(|ty| ty.write(helpers)).collect();
            types.join(", ")
        };
        match self {
            Self::Scalar(name) | Self::Foreign(name) => (*name).to_owned(),
            Self::Box(inner) => format!("Box<{}>", inner.write(helpers)),
            Self::Option(inner) => format!("Option<{}>", inner.write(helpers)),
            Self::List(name, inner) | Self::Set(name, inner) => {
                format!("{name}<{}>", inner.write(helpers))
            }
            Self::Array(inner, length) => format!("[{}; {length}]", inner.write(helpers)),
            Self::Map(name, key, value) => {
                format!("{name}<{}, {}>", key.write(helpers), value.write(helpers))
            }
            Self::Tuple(types) => format!("({})", all(types)),
            Self::Param(index) => PARAMS[*index].to_owned(),
            Self::Helper(index, arguments) if arguments.is_empty() => helpers[*index].name.clone(),
            Self::Helper(index, arguments) => {
                format!("{}<{}>", helpers[*index].name, all(arguments))
            }
        }
    }

    /// The type without the options and boxes around it.
    pub fn bare(&self) -> &Self {
        match self {
            Self::Option(inner) | Self::Box(inner) => inner.bare(),
            _ => self,
        }
    }

    pub fn is_string(&self) -> bool {
        *self.bare() == Self::Scalar("String")
    }

    pub fn has_default(&self, helpers: &[Helper]) -> bool {
        match self {
            Self::Scalar(name) => {
                !name.starts_with("NonZero") && !name.contains("Addr") && *name != "SystemTime"
            }
            Self::Foreign(name) => !name.ends_with("Time") && *name != "Condition",
            Self::Box(inner) | Self::Array(inner, _) => inner.has_default(helpers),
            Self::Option(_) | Self::List(..) | Self::Set(..) | Self::Map(..) => true,
            Self::Tuple(types) => types.iter().all(|ty| ty.has_default(helpers)),
            Self::Param(_) => false,
            Self::Helper(index, arguments) => {
                let helper = &helpers[*index];
                match &helper.shape {
                    Shape::Alias(ty) => ty.has_default(helpers),
                    _ => helper.default && arguments.iter().all(|ty| ty.has_default(helpers)),
                }
            }
        }
    }

    /// With arguments in the place of parameters.
    fn filled(&self, arguments: &[Self]) -> Self {
        let inside = |inner: &Self| Box::new(inner.filled(arguments));
        match self {
            Self::Scalar(_) | Self::Foreign(_) => self.clone(),
            Self::Box(inner) => Self::Box(inside(inner)),
            Self::Option(inner) => Self::Option(inside(inner)),
            Self::List(name, inner) => Self::List(name, inside(inner)),
            Self::Set(name, inner) => Self::Set(name, inside(inner)),
            Self::Array(inner, length) => Self::Array(inside(inner), *length),
            Self::Map(name, key, value) => Self::Map(name, inside(key), inside(value)),
            Self::Tuple(types) => {
                Self::Tuple(types.iter().map(|ty| ty.filled(arguments)).collect())
            }
            Self::Param(index) => arguments.get(*index).unwrap_or(self).clone(),
            Self::Helper(index, inner) => Self::Helper(
                *index,
                inner.iter().map(|ty| ty.filled(arguments)).collect(),
            ),
        }
    }

    /// An expression of this type in the language of values; `None` if there is none.
    pub fn value(&self, helpers: &[Helper], dice: &mut Dice) -> Option<String> {
        Some(match self {
            Self::Scalar(name) => scalar(name, dice)?,
            Self::Foreign(_) | Self::Param(_) => return None,
            Self::Box(inner) => format!("Box::new({})", inner.value(helpers, dice)?),
            Self::Option(inner) => match inner.value(helpers, dice) {
                Some(value) if !dice.one_in(3) => format!("Some({value})"),
                _ => "None".to_owned(),
            },
            Self::List("Vec", inner) => match (dice.roll(3), inner.value(helpers, dice)) {
                (0, Some(value)) => format!("vec![{value}]"),
                (1, Some(value)) => {
                    let second = inner.value(helpers, dice)?;
                    format!("vec![{value}, {second}]")
                }
                _ => "Vec::new()".to_owned(),
            },
            Self::Array(inner, length) => {
                let values: Option<Vec<String>> =
                    (0..*length).map(|_| inner.value(helpers, dice)).collect();
                format!("[{}]", values?.join(", "))
            }
            Self::Map("BTreeMap", key, value) if **key == Self::Scalar("String") => {
                match value.value(helpers, dice) {
                    Some(value) => format!("BTreeMap::from([(\"key\".to_owned(), {value})])"),
                    None => "BTreeMap::new()".to_owned(),
                }
            }
            Self::List(..) | Self::Set(..) | Self::Map(..) => "Default::default()".to_owned(),
            Self::Tuple(types) => {
                let values: Option<Vec<String>> =
                    types.iter().map(|ty| ty.value(helpers, dice)).collect();
                format!("({})", values?.join(", "))
            }
            Self::Helper(index, arguments) => {
                let helper = &helpers[*index];
                let fields = |fields: &[(String, Self)], dice: &mut Dice| {
                    let written: Option<Vec<String>> = fields
                        .iter()
                        .map(|(name, ty)| {
                            let value = ty.filled(arguments).value(helpers, dice)?;
                            Some(format!("{name}: {value}"))
                        })
                        .collect();
                    Some(written?.join(", "))
                };
                if self.has_default(helpers) && dice.one_in(3) {
                    return Some("Default::default()".to_owned());
                }
                match &helper.shape {
                    Shape::Fields(of) => format!("{} {{ {} }}", helper.name, fields(of, dice)?),
                    Shape::Newtype(ty) => {
                        let value = ty.filled(arguments).value(helpers, dice)?;
                        format!("{}({value})", helper.name)
                    }
                    Shape::Alias(ty) => ty.filled(arguments).value(helpers, dice)?,
                    Shape::Opaque => return None,
                    Shape::Variants(variants) => {
                        let (name, content) = &variants[dice.roll(variants.len())];
                        let path = format!("{}::{name}", helper.name);
                        match content {
                            Content::Unit => path,
                            Content::Newtype(ty) => {
                                format!("{path}({})", ty.value(helpers, dice)?)
                            }
                            Content::Fields(of) => {
                                format!("{path} {{ {} }}", fields(of, dice)?)
                            }
                        }
                    }
                }
            }
        })
    }
}

fn scalar(name: &str, dice: &mut Dice) -> Option<String> {
    let written = match name {
        "String" => dice.pick(&[
            "\"plain\".to_owned()",
            "String::from(\"from\")",
            "\"into\".into()",
            "\"text\".to_string()",
            "String::new()",
            "format!(\"n{}\", 3)",
            "env!(\"CARGO_PKG_NAME\").to_owned()",
            "TEXT.to_owned()",
        ]),
        "bool" => dice.pick(&["true", "false"]),
        "char" => dice.pick(&["'c'", "'\\n'"]),
        "f32" => dice.pick(&["0.1", "2.0", "0.25f32"]),
        "f64" => dice.pick(&["0.1", "1e-7", "3.0"]),
        "i8" | "u8" | "i16" | "u16" => dice.pick(&["3", "1 << 2", "17 % 5", "100"]),
        "i32" => dice.pick(&["-7", "60 * 60", "i32::MAX", "0x1f", "1_000"]),
        "i64" => dice.pick(&["-7", "60 * 60", "i64::MAX", "25_i64"]),
        "u32" | "u64" | "usize" | "isize" => dice.pick(&["7", "60 * 60", "1 << 10", "0b101"]),
        "Duration" => dice.pick(&["Duration::from_secs(5)", "Duration::from_millis(1500)"]),
        _ => return None,
    };
    Some(written.to_owned())
}
