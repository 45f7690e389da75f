//! Resolves the macros on items: the paths of attributes and derives, when the item is needed.

use crate::graph::{Block, Graph};
use crate::ids::{Def, ModuleId, TypeRef};
use crate::names::Macro;
use crate::names::resolve::Query;
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_markers::near_miss;
use crd_channels_syntax::known::derives::{self, STEERING};
use crd_channels_syntax::known::macros;
pub use crd_channels_syntax::known::macros::Effect;
use crd_channels_syntax::tree::{Expr, ExprKind, FnDef, ImplDef, MacroUse, Path};
use std::sync::Arc;

/// A known derive, by the trait and its usual crate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Derive {
    /// `std::default::Default`
    Default,
    /// `std::cmp::PartialEq`
    PartialEq,
    /// `serde::Deserialize`
    Deserialize,
    /// `serde::Serialize`
    Serialize,
    /// `serde_repr::Serialize_repr`
    SerializeRepr,
    /// `schemars::JsonSchema`
    JsonSchema,
    /// `schemars::JsonSchema_repr`
    JsonSchemaRepr,
    /// `kube::KubeSchema`, or `CELSchema` before kube 1.
    KubeSchema,
    /// `kube::CustomResource`
    CustomResource,
    /// `crd_channels_runtime::conditions::Conditions`
    Conditions,
    /// `crd_channels_runtime::conditions::Reasons`
    Reasons,
}

impl Derive {
    /// The derive with these canonical crate and name.
    fn from_canonical(name: (&str, &str)) -> Option<Self> {
        Some(match name {
            ("std", "Default") => Self::Default,
            ("std", "PartialEq") => Self::PartialEq,
            ("serde", "Deserialize") => Self::Deserialize,
            ("serde", "Serialize") => Self::Serialize,
            ("serde_repr", "Serialize_repr") => Self::SerializeRepr,
            ("schemars", "JsonSchema") => Self::JsonSchema,
            ("schemars", "JsonSchema_repr") => Self::JsonSchemaRepr,
            ("kube", "KubeSchema" | "CELSchema") => Self::KubeSchema,
            ("kube", "CustomResource") => Self::CustomResource,
            ("crd_channels_derive", "Conditions") => Self::Conditions,
            ("crd_channels_derive", "Reasons") => Self::Reasons,
            _ => return None,
        })
    }

    /// The trait that it implements, by its last segment.
    fn makes(self) -> &'static str {
        match self {
            Self::Default => "Default",
            Self::PartialEq => "PartialEq",
            Self::Deserialize => "Deserialize",
            Self::Serialize | Self::SerializeRepr => "Serialize",
            Self::JsonSchema | Self::JsonSchemaRepr | Self::KubeSchema => "JsonSchema",
            Self::CustomResource => "CustomResource",
            Self::Conditions => "Conditions",
            Self::Reasons => "Reasons",
        }
    }
}

/// Whether a type has a derive.
#[derive(Clone, Debug)]
pub enum Derived {
    /// It does.
    Yes,
    /// No derive or other macro implements the trait.
    No,
    /// No derive implements the trait, but this macro may.
    Unknown(Path),
}

impl Graph<'_> {
    /// Whether a type has a derive, according to the resolved paths of its derives.
    #[must_use]
    pub fn derive_of(&self, ty: &TypeRef, wanted: Derive) -> Derived {
        let mut doubt = None;
        for path in &ty.def.derives {
            match self.macro_name(ty.module, path) {
                Some(name) => match derives::name_of(&name) {
                    Some(known) if Derive::from_canonical(known) == Some(wanted) => {
                        return Derived::Yes;
                    }
                    Some(_) => {
                        let makes = derives::makes(&name).unwrap_or_default();
                        if makes.contains(&wanted.makes()) {
                            doubt.get_or_insert(path);
                        }
                    }
                    None => {
                        doubt.get_or_insert(path);
                    }
                },
                None => {
                    doubt.get_or_insert(path);
                }
            }
        }
        let derives = |used: &&MacroUse| self.effect_of(ty.module, used) == Some(Effect::Derives);
        let doubt = doubt.or_else(|| Some(&ty.def.macros.iter().find(derives)?.path));
        doubt.map_or(Derived::No, |path| Derived::Unknown(path.clone()))
    }

    /// Whether a derive implements a trait that is known only by its name. A derive that is not known implements a trait of the
    /// source that has its name.
    #[must_use]
    pub fn derives_trait(&self, ty: &TypeRef, name: &str, of_source: bool) -> Derived {
        let mut doubt = None;
        for path in &ty.def.derives {
            let found = self.macro_name(ty.module, path);
            let makes = found.and_then(|found| derives::makes(&found));
            let implements = match makes {
                Some(makes) if of_source || !makes.contains(&name) => continue,
                Some(makes) => makes.len() == 1,
                None if path.segments.last().is_some_and(|last| *last.name == *name) => of_source,
                None => continue,
            };
            if implements {
                return Derived::Yes;
            }
            doubt.get_or_insert(path);
        }
        doubt.map_or(Derived::No, |path| Derived::Unknown(path.clone()))
    }

    /// The first derive of a type that is among these.
    #[must_use]
    pub fn first_derive(&self, ty: &TypeRef, wanted: &[Derive]) -> Option<Derive> {
        let found = |path| {
            let name = self.macro_name(ty.module, path)?;
            Derive::from_canonical(derives::name_of(&name)?).filter(|found| wanted.contains(found))
        };
        ty.def.derives.iter().find_map(found)
    }

    /// The diagnostic if a type's derives were misread: one that determines how it is read has another name here, or belongs to
    /// another crate.
    #[must_use]
    pub fn misread(&self, ty: &TypeRef) -> Option<Box<Diagnostic>> {
        let wrong = |path: &&Path| {
            let called = path.segments.last().map_or("", |last| &*last.name);
            let name = self.macro_name(ty.module, path);
            let known = name.as_ref().and_then(|name| derives::name_of(name));
            let meant = known
                .map(|(_, name)| name)
                .filter(|name| STEERING.contains(name));
            match meant {
                Some(meant) => meant != called && !ty.def.reads_serde,
                None => STEERING.contains(&called) && called == "CustomResource",
            }
        };
        let path = ty.def.derives.iter().find(wrong)?;
        let found = Diagnostic::new(
            Code::UnknownMacro,
            path.span,
            format!("the derive `{path}` cannot be resolved from the source"),
        );
        Some(Box::new(found.with_help(
            "import the derive by its own name: `use kube::CustomResource;`, `use schemars::JsonSchema;`",
        )))
    }

    /// The diagnostic about an item that a path refers to, if a macro on it may rewrite it, or an unknown `cfg` decides what is
    /// in it.
    pub(crate) fn rewritten(&self, def: &Def) -> Option<Box<Diagnostic>> {
        let (module, macros, name) = match def {
            Def::Type(ty) | Def::Variant(ty, _) | Def::Associated(ty, _) => {
                (ty.module, &ty.def.macros, &ty.def.name)
            }
            Def::Alias(module, def) => (*module, &def.macros, &def.name),
            Def::Const(module, def) => (*module, &def.macros, &def.name),
            Def::Fn(module, def) => (*module, &def.macros, &def.name),
            Def::Trait(module, def) => (*module, &def.macros, &def.name),
        };
        let undecided = match def {
            Def::Type(ty) | Def::Variant(ty, _) | Def::Associated(ty, _) => {
                let mut findings = ty.def.findings.iter();
                findings.find(|finding| finding.code == Code::UnknownCfg)
            }
            _ => None,
        };
        let is_plain = macros.is_empty() && undecided.is_none();
        if is_plain || self.stated_path(module, name).is_some() {
            return None;
        }
        if let Some(undecided) = undecided {
            return Some(Box::new(undecided.clone()));
        }
        let (used, why) = self.unknown_macro(module, macros)?;
        let full = format!("{}::{name}", self.module_path(module));
        let mut finding = unknown_macro(used, &why, Some(name));
        let table = match def {
            Def::Const(..) | Def::Fn(..) => {
                // The compiled types tell a value; those of a type do not tell its gates.
                finding.code = Code::NotConstant;
                "values"
            }
            _ => "schemas",
        };
        Some(Box::new(finding.with_help(
            match self.misspelt(module, used) {
                Some(ours) => format!("did you mean `{ours}`?"),
                None => format!("state it: `[{table}.\"{full}\"]` in `channels/bundle.toml`"),
            },
        )))
    }

    /// The diagnostic about a kind, if a macro on it may rewrite it.
    #[must_use]
    pub fn rewritten_kind(&self, ty: &TypeRef) -> Option<Box<Diagnostic>> {
        self.rewritten(&Def::Type(ty.clone()))
    }

    /// A block in readable form: if a macro may rewrite it, using any of its members reports that.
    pub(crate) fn read_block(&self, (module, block): Block) -> Block {
        if let Some((used, why)) = self.unknown_macro(module, &block.macros) {
            let words = Text::from(unknown_macro(used, &why, None).message);
            return (module, Arc::new(poisoned(&block, &words)));
        }
        let unread = |function: &FnDef| self.unknown_macro(module, &function.macros).is_some();
        if !block.fns.iter().any(unread) {
            return (module, block);
        }
        let mut block = ImplDef::clone(&block);
        for function in &mut block.fns {
            if let Some((used, why)) = self.unknown_macro(module, &function.macros) {
                let words = Text::from(unknown_macro(used, &why, Some(&function.name)).message);
                function.body.kind = ExprKind::Other(words);
            }
        }
        (module, Arc::new(block))
    }

    /// The first macro because of which an item is not readable, with the reason.
    fn unknown_macro<'m>(
        &self,
        module: ModuleId,
        macros: &'m [MacroUse],
    ) -> Option<(&'m MacroUse, String)> {
        macros
            .iter()
            .find_map(|used| Some((used, self.why_unknown(module, used)?)))
    }

    fn why_unknown(&self, module: ModuleId, used: &MacroUse) -> Option<String> {
        let Some(name) = self.macro_of(module, used) else {
            return (!used.helps || !used.read_as.is_empty())
                .then(|| format!("`{}` does not resolve to a known macro", used.path));
        };
        if !used.read_as.is_empty() {
            return match used.unread {
                _ if !used.read_as.contains(&&*name) => {
                    Some(format!("`{}` is `{name}`, which is unknown", used.path))
                }
                unread => unread.map(str::to_owned),
            };
        }
        match macros::effect(&name) {
            Some(Effect::Leaves | Effect::Derives) => None,
            Some(Effect::Applied) => {
                Some(format!("`{}` is `{name}` under another name", used.path))
            }
            None => Some(format!("the effect of `{name}` is not known")),
        }
    }

    /// Our attribute that an unresolved attribute resembles.
    fn misspelt(&self, module: ModuleId, used: &MacroUse) -> Option<&'static str> {
        match &used.path.segments[..] {
            [only] if self.macro_of(module, used).is_none() => near_miss(&only.name),
            _ => None,
        }
    }

    /// The effect of a macro on an item in a module; `None` if it is unknown.
    pub(crate) fn effect_of(&self, module: ModuleId, used: &MacroUse) -> Option<Effect> {
        macros::effect(&self.macro_of(module, used)?)
    }

    /// The full name of a macro on an item in a module.
    fn macro_of(&self, module: ModuleId, used: &MacroUse) -> Option<Text> {
        let mut home = module;
        for _ in 0..used.above {
            home = self.module(home)?.parent?;
        }
        if used.called {
            return self.called_macro(home, &used.path);
        }
        self.macro_name(home, &used.path)
    }

    /// The full name of an attribute or a derive; `None` if it cannot be resolved.
    pub(crate) fn macro_name(&self, module: ModuleId, path: &Path) -> Option<Text> {
        let asking = self.module(module)?;
        let written = match &path.segments[..] {
            [only] if !path.leading => only.name.clone(),
            _ => path.to_string().into(),
        };
        asking.attributes.get_or_find(written, || {
            match Query::new(self).resolve_macro(module, path, false)? {
                Macro::Named(name) => Some(name),
                Macro::Rules(..) => None,
            }
        })
    }

    /// The name of a module's crate, if it is not a member of the workspace.
    pub(crate) fn foreign_crate(&self, module: ModuleId) -> Option<Text> {
        let crate_id = self.module(module)?.crate_id;
        let info = self.crates.get(crate_id.0 as usize)?;
        let member = self.workspace.members.contains(&info.package);
        (!member).then(|| Text::from(info.target.name.as_str()))
    }
}

fn unknown_macro(used: &MacroUse, why: &str, item: Option<&str>) -> Diagnostic {
    let item = item.map_or_else(|| "this `impl`".to_owned(), |name| format!("`{name}`"));
    let path = &used.path;
    let message = match used.called {
        true => {
            format!("the documentation of {item} calls a `{path}!` that may not be that of std")
        }
        false => format!("the macro `{path}` may rewrite {item}: {why}"),
    };
    Diagnostic::new(Code::UnknownMacro, path.span, message)
}

/// A block whose members are all unreadable, described in words.
fn poisoned(block: &ImplDef, words: &Text) -> ImplDef {
    let mut block = block.clone();
    for function in &mut block.fns {
        function.body.kind = ExprKind::Other(words.clone());
    }
    for constant in &mut block.consts {
        constant.value = Expr {
            kind: ExprKind::Other(words.clone()),
            span: constant.value.span,
        };
    }
    block
}
