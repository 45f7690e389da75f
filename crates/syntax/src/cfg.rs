//! Evaluates `cfg` and `cfg_attr`: which items, fields and attributes exist.

use super::lower_syn::span;
use crd_channels_diagnostics::{self as diag, Code, Diagnostic, FileId, Sink, Span, Text};
use crd_channels_workspace::target::{self, Target};
use crd_channels_workspace::{self as workspace, Package};
use proc_macro2::{TokenStream, TokenTree, token_stream};
use std::collections::BTreeSet;
use std::iter::Peekable;
use syn::{Attribute, Meta};

/// The cfg by which k8s-openapi selects its modules.
const KUBERNETES: &str = "k8s_openapi_enabled_version";

/// The settings that `cfg` predicates depend on, besides a package's features.
#[derive(Clone, Debug, Default)]
pub struct Cfgs {
    /// The target triple, which never defaults to the host's.
    pub target: Text,
    /// Custom cfgs: `name` or `name="value"`. `!name` declares a name that is off.
    pub custom: BTreeSet<(Text, Option<Text>)>,
}

impl Cfgs {
    /// The Kubernetes version for k8s-openapi if no feature selects one.
    pub fn kubernetes(&self) -> Option<&Text> {
        let mut custom = self.custom.iter();
        custom.find_map(|(name, value)| value.as_ref().filter(|_| &**name == KUBERNETES))
    }

    /// Validates the target triple; an empty one stands for the default.
    ///
    /// # Errors
    /// A message about the unknown triple.
    pub fn check_target(&self) -> Result<(), String> {
        if self.target.is_empty() || Target::find(&self.target).is_some() {
            return Ok(());
        }
        let mut message = format!("the target `{}` is not known", self.target);
        if let Some(near) = diag::nearest(&self.target, target::triples()) {
            message.push_str(&format!("; did you mean `{near}`?"));
        }
        Err(message)
    }

    /// Whether a custom cfg holds; `None` if it is not declared. A declared name is off for all undeclared values; `!name`
    /// declares a name that is off.
    fn custom(&self, name: &str, value: Option<&str>) -> Option<bool> {
        let mut declared = false;
        for (custom, known) in &self.custom {
            match custom.strip_prefix('!') {
                Some(off) if off == name => declared = true,
                None if &**custom == name => {
                    if known.as_deref() == value {
                        return Some(true);
                    }
                    declared = true;
                }
                _ => {}
            }
        }
        declared.then_some(false)
    }
}

/// The settings that the predicates of one package depend on.
pub struct Scope<'a> {
    cfgs: &'a Cfgs,
    target: Option<Target>,
    features: &'a BTreeSet<String>,
    /// The value of `k8s_openapi_enabled_version`, if the package is k8s-openapi and the workspace determines it.
    kubernetes: Option<String>,
    /// Whether an unknown predicate is an error where it stands; otherwise only if what it decides is needed.
    pub(super) strict: bool,
}

/// An item that an unknown predicate removed. Its name resolves to nothing else.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// The item's name; `*` for a glob.
    pub name: Text,
    /// The unknown cfg: `name` or `name = "value"`.
    pub cfg: Text,
    /// The span of the cfg.
    pub span: Span,
}

/// Whether a predicate holds.
#[derive(Clone, Debug)]
enum Truth {
    Known(bool),
    Unknown { cfg: Text, span: Span },
}

/// When an unknown predicate is reported.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Report {
    /// If it is that of a `cfg_attr`, and the scope is strict. That of a `cfg` is in the [`Presence`].
    Attributes,
    /// If the scope is strict.
    IfStrict,
    /// Always: the caller keeps what is reported with the item, so that it matters only if the item is needed.
    Always,
}

/// The result of an item's `cfg`s.
pub(super) enum Presence {
    Present,
    Absent,
    /// Absent because this cfg is unknown.
    Undecided {
        cfg: Text,
        span: Span,
    },
}

impl<'a> Scope<'a> {
    /// Creates the scope of a package.
    pub fn new(cfgs: &'a Cfgs, package: &'a Package, strict: bool) -> Self {
        let triple = if cfgs.target.is_empty() {
            target::DEFAULT
        } else {
            &cfgs.target
        };
        Self {
            cfgs,
            target: Target::find(triple),
            features: &package.features,
            kubernetes: kubernetes_version(cfgs, package),
            strict,
        }
    }

    /// Expands `cfg_attr`s in place and evaluates the `cfg`s. An unknown predicate before a `path` decides where the item is, so
    /// it is that of a `cfg`.
    pub(super) fn resolve(
        &self,
        attrs: &mut Vec<Attribute>,
        file: FileId,
        report: Report,
        sink: &mut Sink,
    ) -> Presence {
        let conditional =
            |attr: &Attribute| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr");
        if !attrs.iter().any(conditional) {
            return Presence::Present;
        }
        let mut presence = Presence::Present;
        let mut kept = Vec::with_capacity(attrs.len());
        // A stack, so that attributes keep their order when one expands to several.
        let mut rest: Vec<Attribute> = attrs.drain(..).rev().collect();
        while let Some(attr) = rest.pop() {
            let Meta::List(list) = &attr.meta else {
                kept.push(attr);
                continue;
            };
            let expands = attr.path().is_ident("cfg_attr");
            if !expands && !attr.path().is_ident("cfg") {
                kept.push(attr);
                continue;
            }
            let mut tokens = list.tokens.clone().into_iter().peekable();
            match self.predicate(file, &mut tokens) {
                Err(Malformed) => sink.push(malformed(file, &attr)),
                Ok(Truth::Known(true)) if expands => match attributes(tokens, &attr) {
                    Ok(more) => rest.extend(more.into_iter().rev()),
                    Err(_) => sink.push(malformed(file, &attr)),
                },
                Ok(Truth::Known(true)) => {}
                Ok(Truth::Known(false)) if expands => {}
                // Definitely absent, whatever the unknown predicates are.
                Ok(Truth::Known(false)) => presence = Presence::Absent,
                Ok(Truth::Unknown { cfg, span }) if expands && (self.strict || !moves(&tokens)) => {
                    if self.strict || report == Report::Always {
                        sink.push(unknown(&cfg, span));
                    }
                }
                Ok(Truth::Unknown { cfg, span }) => {
                    if matches!(presence, Presence::Present) {
                        presence = Presence::Undecided { cfg, span };
                    }
                }
            }
        }
        *attrs = kept;
        if let Presence::Undecided { cfg, span } = &presence
            && match report {
                Report::Attributes => false,
                Report::IfStrict => self.strict,
                Report::Always => true,
            }
        {
            sink.push(unknown(cfg, *span));
        }
        presence
    }

    /// Whether a single predicate holds; `None` if it is malformed or unknown.
    pub fn holds(&self, predicate: &str) -> Option<bool> {
        let tokens: TokenStream = predicate.parse().ok()?;
        match self.predicate(FileId(u32::MAX), &mut tokens.into_iter().peekable()) {
            Ok(Truth::Known(holds)) => Some(holds),
            Ok(Truth::Unknown { .. }) | Err(Malformed) => None,
        }
    }

    /// Reads one predicate, up to the next comma or the end.
    fn predicate(&self, file: FileId, tokens: &mut Tokens) -> Result<Truth, Malformed> {
        let Some(TokenTree::Ident(ident)) = tokens.next() else {
            return Err(Malformed);
        };
        let name = ident.to_string();
        let place = span(file, ident.span());
        match tokens.peek() {
            Some(TokenTree::Group(group)) => {
                let inner = group.stream();
                tokens.next();
                self.combined(file, &name, place, inner)
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '=' => {
                tokens.next();
                let Some(TokenTree::Literal(literal)) = tokens.next() else {
                    return Err(Malformed);
                };
                let end = span(file, literal.span()).end;
                let syn::Lit::Str(value) = syn::Lit::new(literal) else {
                    return Err(Malformed);
                };
                Ok(self.option(&name, Some(&value.value()), Span { end, ..place }))
            }
            _ => Ok(self.option(&name, None, place)),
        }
    }

    /// `all(..)`, `any(..)`, `not(..)`, in three-valued logic.
    fn combined(
        &self,
        file: FileId,
        name: &str,
        place: Span,
        inner: TokenStream,
    ) -> Result<Truth, Malformed> {
        let mut tokens = inner.into_iter().peekable();
        let mut parts = Vec::new();
        while tokens.peek().is_some() {
            if !matches!(name, "all" | "any" | "not") {
                // `version(..)`, `accessible(..)`, ..
                let cfg = Text::from(format!("{name}(..)"));
                return Ok(Truth::Unknown { cfg, span: place });
            }
            parts.push(self.predicate(file, &mut tokens)?);
            match tokens.next() {
                None => break,
                Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => {}
                Some(_) => return Err(Malformed),
            }
        }
        let deciding = match name {
            "all" => false,
            "any" => true,
            "not" => {
                let mut parts = parts.into_iter();
                return match (parts.next(), parts.next()) {
                    (Some(Truth::Known(holds)), None) => Ok(Truth::Known(!holds)),
                    (Some(unknown), None) => Ok(unknown),
                    _ => Err(Malformed),
                };
            }
            _ => return Err(Malformed),
        };
        let mut result = Truth::Known(!deciding);
        for part in parts {
            match part {
                Truth::Known(holds) if holds == deciding => return Ok(Truth::Known(deciding)),
                Truth::Known(_) => {}
                unknown => {
                    if matches!(result, Truth::Known(_)) {
                        result = unknown;
                    }
                }
            }
        }
        Ok(result)
    }

    /// `name` or `name = "value"`
    fn option(&self, name: &str, value: Option<&str>, span: Span) -> Truth {
        if let (None, "true" | "false") = (value, name) {
            return Truth::Known(name == "true");
        }
        if let ("feature", Some(feature)) = (name, value) {
            return Truth::Known(self.features.contains(feature));
        }
        if let (KUBERNETES, Some(value), Some(version)) = (name, value, &self.kubernetes) {
            return Truth::Known(version == value);
        }
        let known = self.cfgs.custom(name, value).or_else(|| {
            let of_target = self.target.and_then(|target| target.holds(name, value));
            of_target.or_else(|| of_compiler(name, value))
        });
        match known {
            Some(holds) => Truth::Known(holds),
            None => Truth::Unknown {
                cfg: Text::from(match value {
                    Some(value) => format!("{name} = \"{value}\""),
                    None => name.to_owned(),
                }),
                span,
            },
        }
    }
}

/// The cfgs that rustc and cargo set themselves in an ordinary build. Those that depend on the profile (`debug_assertions`,
/// `overflow_checks`, `panic`) are left out: an API that differs by profile is a mistake.
fn of_compiler(name: &str, value: Option<&str>) -> Option<bool> {
    match (name, value) {
        (
            "test" | "doc" | "doctest" | "docsrs" | "miri" | "rustfmt" | "clippy" | "proc_macro",
            _,
        )
        | ("rust_analyzer" | "sanitize", _) => Some(false),
        _ => None,
    }
}

/// The version that k8s-openapi's build script derives from its features; `latest` and `earliest` enable one of the others.
/// Without a feature, the configuration takes precedence over the version that others of the workspace select.
fn kubernetes_version(cfgs: &Cfgs, package: &Package) -> Option<String> {
    if package.name != "k8s-openapi" {
        return None;
    }
    let mut versions = workspace::kubernetes_versions(&package.features);
    match (versions.next(), versions.next()) {
        (None, _) if cfgs.kubernetes().is_none() => package.kubernetes.clone(),
        (Some(version), None) => Some(version),
        _ => None,
    }
}

type Tokens = Peekable<token_stream::IntoIter>;

/// A malformed predicate.
struct Malformed;

/// Whether the attributes after the predicate of a `cfg_attr` begin with a `path`.
fn moves(tokens: &Tokens) -> bool {
    let mut tokens = tokens.clone();
    tokens.next();
    matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "path")
}

/// The attributes after the predicate of a `cfg_attr`, each with the span of the whole.
fn attributes(tokens: Tokens, whole: &Attribute) -> syn::Result<Vec<Attribute>> {
    let mut tokens = tokens;
    // The comma after the predicate.
    tokens.next();
    let mut found = Vec::new();
    let mut one = TokenStream::new();
    loop {
        let next = tokens.next();
        match next {
            Some(TokenTree::Punct(punct)) if punct.as_char() == ',' => {}
            Some(token) => {
                one.extend([token]);
                continue;
            }
            None if one.is_empty() => return Ok(found),
            None => {}
        }
        if !one.is_empty() {
            found.push(Attribute {
                meta: syn::parse2(std::mem::take(&mut one))?,
                ..whole.clone()
            });
        }
    }
}

fn malformed(file: FileId, attr: &Attribute) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidAttribute,
        span(file, attr.bracket_token.span.join()),
        "this is not a `cfg` predicate",
    )
    .with_help("write `name`, `name = \"value\"`, `all(..)`, `any(..)` or `not(..)`")
}

/// The diagnostic about an unknown cfg on which a needed item depends.
pub fn unknown(cfg: &str, span: Span) -> Diagnostic {
    let found = Diagnostic::new(
        Code::UnknownCfg,
        span,
        format!("`cfg({cfg})` cannot be evaluated"),
    );
    found.with_help(declaration(cfg))
}

/// Help that says how to declare a cfg.
pub fn declaration(cfg: &str) -> String {
    let entry = cfg.replace(" = ", "=");
    let name = cfg.split(" = ").next().unwrap_or(cfg);
    if name == KUBERNETES {
        return format!(
            "add `cfgs = ['{entry}']` to `channels/bundle.toml`, with the intended Kubernetes version: no feature of k8s-openapi chooses one"
        );
    }
    format!(
        "add `cfgs = ['{entry}']` to `channels/bundle.toml`, or `cfgs = ['!{name}']` if it is off"
    )
}
