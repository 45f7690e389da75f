//! The lints whose level an attribute can set, and the parser of `allow(code, reason = "..")`.

use crate::check::Check;
use crate::error::{Error, ErrorKind, Extent};
use crate::grammar::Key;
use crate::item::syntax;
use crate::suggest::nearest;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, Ident, Lit, LitStr, MetaList, Token};

macro_rules! lints {
    ($($lint:ident $code:literal)*) => {
        /// A lint, whose level attributes and configuration can set.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        pub enum Lint {
            $(#[doc = concat!("`", $code, "`")] $lint,)*
        }

        impl Lint {
            /// Every lint, in the order in which they are explained.
            pub const ALL: &[Lint] = &[$(Lint::$lint,)*];

            /// The lint's code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Lint::$lint => $code,)*
                }
            }
        }
    };
}

lints! {
    UnknownField "unknown-field"
    DroppedField "dropped-field"
    NewerKubernetes "newer-kubernetes"
    Large "large"
    UnorderedVersion "unordered-version"
    UnseenDeprecation "unseen-deprecation"
    StatusWithoutSubresource "status-without-subresource"
    EmptyColumn "empty-column"
    ColumnType "column-type"
    PartialColumn "partial-column"
    ScaleField "scale-field"
    ScaleReplicas "scale-replicas"
    UnknownFormat "unknown-format"
    ImpossibleBound "impossible-bound"
    EnumValueType "enum-value-type"
    NullableEnum "nullable-enum"
    DuplicateDefault "duplicate-default"
    RejectedDefault "rejected-default"
    UnevaluatedDefault "unevaluated-default"
    UntypedList "untyped-list"
    SetItems "set-items"
    ConditionsList "conditions-list"
    ConditionFields "condition-fields"
    UnobservedCondition "unobserved-condition"
    Phase "phase"
    Float "float"
    UnguardedRead "unguarded-read"
    NameClash "name-clash"
    BuiltinName "builtin-name"
    KeptAnnotations "kept-annotations"
}

/// The effect of a finding.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Level {
    /// Nothing is reported.
    Allow,
    /// It is reported, and the run continues.
    Warn,
    /// It is reported, nothing is written, and the run fails.
    Deny,
}

impl Level {
    /// Every level.
    pub const ALL: [Level; 3] = [Level::Allow, Level::Warn, Level::Deny];

    /// The level's name in attributes, configuration and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// A lint whose level an attribute sets.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct LintLevel<S = Extent> {
    /// The lint's code.
    pub code: &'static str,
    /// The level of its findings.
    pub level: Level,
    /// The span of its code.
    pub span: S,
}

/// Reads the parentheses of `allow(..)`: codes as messages print them, and a reason. Returns no codes if anything is invalid.
pub(crate) fn read_allowed(
    list: &MetaList,
    key: &Key,
    errors: &mut Vec<Error>,
) -> Vec<(&'static str, Extent)> {
    let mut found = Vec::new();
    let mut reason = None;
    let mut wrong = Vec::new();
    let parsed = list.parse_args_with(|input: ParseStream<'_>| {
        while !input.is_empty() {
            if input.peek(Lit) {
                wrong.push(quoted(&input.parse()?));
            } else {
                let (code, extent) = code(input)?;
                if input.peek(Token![=]) {
                    input.parse::<Token![=]>()?;
                    let value: Expr = input.parse()?;
                    match code.as_str() {
                        "reason" => reason = Some(value),
                        _ => wrong.push(unknown_key(key, &code, extent)),
                    }
                } else {
                    match codes().find(|known| *known == code) {
                        Some(known) => found.push((known, extent)),
                        None => wrong.push(unknown(&code, extent)),
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    });
    if let Err(error) = parsed {
        wrong.push(syntax(&error));
    }
    if wrong.is_empty() {
        wrong.extend(of_reason(reason.as_ref(), key, list));
        if found.is_empty() {
            let message = format!("`{}(..)` has no lint", key.name);
            wrong.push(
                Error::new(ErrorKind::Invalid, Extent::of(list), message).with_help(format!(
                    "write `{}(untyped-list, reason = \"..\")`",
                    key.name
                )),
            );
        }
    }
    if !wrong.is_empty() {
        // Using a partly invalid list would only cause further errors.
        found.clear();
    }
    errors.append(&mut wrong);
    found
}

fn codes() -> impl Iterator<Item = &'static str> {
    Lint::ALL.iter().map(|lint| lint.code())
}

/// A name whose words may be joined by `-`.
fn code(input: ParseStream<'_>) -> syn::Result<(String, Extent)> {
    let first = input.call(Ident::parse_any)?;
    let mut last = first.span();
    let mut code = first.unraw().to_string();
    while input.peek(Token![-]) {
        input.parse::<Token![-]>()?;
        let word = input.call(Ident::parse_any)?;
        last = word.span();
        code.push('-');
        code.push_str(&word.unraw().to_string());
    }
    let extent = Extent {
        start: first.span(),
        end: last,
    };
    Ok((code, extent))
}

fn of_reason(reason: Option<&Expr>, key: &Key, list: &MetaList) -> Option<Error> {
    let Some(value) = reason else {
        let message = format!("`{}(..)` lacks `reason`", key.name);
        let error = Error::new(ErrorKind::Invalid, Extent::of(list), message);
        return Some(error.with_help("add `reason = \"..\"`"));
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    }) = value
    else {
        let error = Error::new(
            ErrorKind::Invalid,
            Extent::of(value),
            "`reason` takes a string",
        );
        return Some(error.with_help("write `reason = \"..\"`"));
    };
    let (message, help) = Check::NonEmpty.check("reason", &text.value()).err()?;
    Some(Error::new(ErrorKind::Invalid, Extent::of(text), message).with_help(help))
}

fn quoted(literal: &Lit) -> Error {
    let help = match literal {
        Lit::Str(text) => format!("write `{}`", LitStr::value(text)),
        _ => "write a code as messages print it".to_owned(),
    };
    let message = "a lint is named without quotes";
    Error::new(ErrorKind::Invalid, Extent::of(literal), message).with_help(help)
}

fn unknown(code: &str, extent: Extent) -> Error {
    let help = match nearest(code, codes()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "the command `explain` lists all codes".to_owned(),
    };
    Error::new(ErrorKind::Unknown, extent, format!("unknown lint `{code}`")).with_help(help)
}

fn unknown_key(key: &Key, name: &str, extent: Extent) -> Error {
    let message = format!("`{}(..)` has no key `{name}`", key.name);
    let error = Error::new(ErrorKind::Unknown, extent, message);
    error.with_help("did you mean `reason`?")
}
