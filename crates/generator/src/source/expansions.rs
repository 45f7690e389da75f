//! What macros make in a module: looked for when a name is found nowhere else, and before kinds are listed.

use super::cfg::Scope;
use super::crates::{self, Extern};
use super::expand::{expand, written};
use super::graph::{Graph, ModuleId};
use super::modules::{self, Content, Module};
use super::parse::{self, Parsed};
use super::tree::{Arm, Expr, Item, JsonNode, MacroDef, Path, Token};
use crate::Text;
use crate::diag::{FileId, Sink, Span};
use std::sync::Arc;

/// How many calls one module may make, those that expansions make included: macros that call each other end here.
const MAX_CALLS: usize = 512;

impl Graph<'_> {
    /// What stands in a module, and what its macros make.
    pub(super) fn contents<'m>(
        &self,
        id: ModuleId,
        module: &'m Module,
    ) -> impl Iterator<Item = &'m Content> + use<'m> {
        let content = self.content(id, module);
        std::iter::once(content).chain(self.expansion(id, module))
    }

    /// What the macros make that a module calls; none where it calls none that can be expanded. Of other modules only
    /// what is written is looked at, so that two modules never wait for each other.
    pub(super) fn expansion<'m>(&self, id: ModuleId, module: &'m Module) -> Option<&'m Content> {
        let content = self.content(id, module);
        if content.calls.is_empty() {
            return None;
        }
        let made = module.expansion.get_or_init(|| {
            let items = self.expanded_items(id, module, content);
            if items.is_empty() {
                return None;
            }
            let (_, place) = self.locate(module).ok()?;
            let parsed = Parsed {
                items,
                ..Parsed::default()
            };
            Some(modules::index(
                parsed,
                id,
                &place,
                &mut |parent, def, origin| self.register(parent, def, origin),
            ))
        });
        made.as_ref()
    }

    fn expanded_items(&self, id: ModuleId, module: &Module, content: &Content) -> Vec<Item> {
        let mut made = Vec::new();
        let mut open: Vec<Arc<MacroDef>> = content.calls.clone();
        let mut calls = 0;
        while let Some(call) = open.pop() {
            calls += 1;
            if calls > MAX_CALLS {
                break;
            }
            let items = self.expanded_call(id, module, &call).unwrap_or_default();
            for item in items {
                match item {
                    Item::Macro(inner) if !inner.defines => open.push(inner),
                    item => made.push(item),
                }
            }
        }
        made
    }

    /// The items of one call; none where its macro is not known or needs more than substitution.
    fn expanded_call(&self, id: ModuleId, module: &Module, call: &MacroDef) -> Option<Vec<Item>> {
        let (text, file) = self.expanded_text(id, module, (&call.path, &call.tokens))?;
        let package = self.package(module)?;
        let mut sink = Sink::default();
        let scope = Scope::new(self.cfgs(), package, false);
        let Parsed { items, failed, .. } = parse::parse(&text, file, &scope, None, &mut sink);
        if failed.is_some() {
            return None;
        }
        self.report(sink);
        Some(items)
    }

    /// The expression that a call in a value stands for; none where its macro is not known or needs more than
    /// substitution.
    #[must_use]
    pub fn expanded_value(&self, id: ModuleId, path: &Path, tokens: &[Token]) -> Option<Expr> {
        let module = self.module(id)?;
        let (text, file) = self.expanded_text(id, &module, (path, tokens))?;
        parse::expression(&text, file)
    }

    /// The same of a call among statements: a block of those that it stands for.
    #[must_use]
    pub fn expanded_statements(&self, id: ModuleId, path: &Path, tokens: &[Token]) -> Option<Expr> {
        let module = self.module(id)?;
        let (text, file) = self.expanded_text(id, &module, (path, tokens))?;
        parse::expression(&format!("{{ {text} }}"), file)
    }

    /// A macro's input as expressions with commas between them.
    #[must_use]
    pub fn macro_expressions(&self, tokens: &[Token]) -> Option<Vec<Expr>> {
        if tokens.is_empty() {
            return Some(Vec::new());
        }
        let (text, file) = self.macro_input(tokens)?;
        parse::expressions(&text, file)
    }

    /// The same of `[value; length]`, as `vec!` takes it.
    #[must_use]
    pub fn macro_repeat(&self, tokens: &[Token]) -> Option<(Expr, Expr)> {
        let semicolon = |token: &Token| matches!(token, Token::Punct(';', ..));
        let at = tokens.iter().position(semicolon)?;
        let (value, length) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let (text, file) = self.macro_input(value)?;
        let value = parse::expression(&text, file)?;
        let (text, file) = self.macro_input(length)?;
        Some((value, parse::expression(&text, file)?))
    }

    /// A macro's input as `json!` takes it.
    #[must_use]
    pub fn macro_json(&self, tokens: &[Token]) -> Option<JsonNode> {
        let (text, file) = self.macro_input(tokens)?;
        parse::json(&text, file)
    }

    /// A macro's input as `matches!` takes it.
    #[must_use]
    pub fn macro_matches(&self, tokens: &[Token]) -> Option<(Expr, Arm)> {
        let (text, file) = self.macro_input(tokens)?;
        parse::matches(&text, file)
    }

    /// The text of a macro's input, blanks before it so that the places inside it are those of the file.
    fn macro_input(&self, tokens: &[Token]) -> Option<(String, FileId)> {
        let (first, last) = (tokens.first()?.span(), tokens.last()?.span());
        let place = Span {
            end: last.end,
            ..first
        };
        let blank = " ".repeat(place.start as usize);
        Some((blank + &self.written(place)?, place.file))
    }

    /// Whether the predicate of a `cfg!` holds in a module; none where it is none, or nothing decides it.
    #[must_use]
    pub fn cfg_holds(&self, id: ModuleId, tokens: &[Token]) -> Option<bool> {
        let module = self.module(id)?;
        let text = written(tokens, &|span| self.written(span));
        Scope::new(self.cfgs(), self.package(&module)?, false).holds(&text)
    }

    /// What cargo tells a module's code of its package, as far as the manifest alone says it: `CARGO_PKG_VERSION`.
    #[must_use]
    pub fn package_variable(&self, id: ModuleId, name: &str) -> Option<String> {
        let module = self.module(id)?;
        let package = self.package(&module)?;
        let version = || semver::Version::parse(&package.version).ok();
        Some(match name {
            "CARGO_PKG_NAME" => package.name.clone(),
            "CARGO_PKG_VERSION" => package.version.clone(),
            "CARGO_PKG_VERSION_MAJOR" => version()?.major.to_string(),
            "CARGO_PKG_VERSION_MINOR" => version()?.minor.to_string(),
            "CARGO_PKG_VERSION_PATCH" => version()?.patch.to_string(),
            "CARGO_PKG_VERSION_PRE" => version()?.pre.to_string(),
            "CARGO_CRATE_NAME" => self.crate_of(id)?.name.to_string(),
            _ => return None,
        })
    }

    fn written(&self, span: Span) -> Option<String> {
        let file = self.sources().get(span.file)?;
        let text = file.text.get(span.start as usize..span.end as usize)?;
        Some(text.to_owned())
    }

    /// What a call expands to, as a file of its own.
    fn expanded_text(
        &self,
        id: ModuleId,
        module: &Module,
        (path, tokens): (&Path, &[Token]),
    ) -> Option<(Text, FileId)> {
        let (home, definition) = self.macro_named(id, path)?;
        let home = self.module(home)?.crate_id;
        let home = if home == module.crate_id {
            Some(Text::from("crate"))
        } else {
            let name = self.name_of_crate(module, home);
            name.map(|name| Text::from(format!("::{name}")))
        };
        let source = |span: Span| self.written(span);
        let text = expand(&definition, tokens, home.as_deref(), &source)?;
        let text = Text::from(text);
        let called = self.sources().get(path.span.file);
        let foreign = called.as_ref().is_some_and(|file| file.foreign);
        let shown = match called {
            Some(file) => {
                let line = file.line(path.span.start)?;
                format!("{}:{line} (expansion of `{path}!`)", file.shown)
            }
            None => format!("(expansion of `{path}!`)"),
        };
        let file = self.sources().add_of(foreign, shown, Arc::clone(&text));
        Some((text, file))
    }

    /// Whether a path leads to a macro that is defined in source.
    pub(super) fn is_source_macro(&self, from: ModuleId, path: &Path) -> bool {
        self.macro_named(from, path).is_some()
    }

    /// The definition that a macro's path leads to, and the module that it stands in.
    fn macro_named(&self, from: ModuleId, path: &Path) -> Option<(ModuleId, Arc<MacroDef>)> {
        let mut looked_into = Vec::new();
        let found = self.find_macro(from, path, &mut looked_into);
        if let Some(asking) = self.module(from) {
            asking.note(looked_into);
        }
        found
    }

    fn find_macro(
        &self,
        from: ModuleId,
        path: &Path,
        looked_into: &mut Vec<ModuleId>,
    ) -> Option<(ModuleId, Arc<MacroDef>)> {
        let last = path.segments.last()?;
        if path.segments.len() > 1 || path.leading {
            return self.macro_at(from, path, looked_into);
        }
        // What is defined around the call, before all that is brought in.
        let mut next = Some(from);
        while let Some(id) = next
            && let Some(module) = self.module(id)
        {
            let content = self.content(id, &module);
            looked_into.push(id);
            looked_into.extend(&content.macro_uses);
            let own = content.macros.get(&last.name);
            if let Some(found) = own {
                return Some((id, Arc::clone(found)));
            }
            for child in &content.macro_uses {
                let inner = self.module(*child)?;
                if let Some(found) = self.content(*child, &inner).macros.get(&last.name) {
                    return Some((*child, Arc::clone(found)));
                }
            }
            next = module.parent;
        }
        // The body of a function sees what its module brings in.
        let uses = [from, self.proper(from)].into_iter().find_map(|id| {
            let module = self.module(id)?;
            let uses = self.content(id, &module).uses.get(&last.name)?;
            let paths = uses.iter().map(|used| used.path.clone());
            Some(paths.collect::<Vec<_>>())
        });
        uses?
            .iter()
            .find_map(|path| self.macro_at(from, path, looked_into))
    }

    /// A macro that a path names: exported ones stand at their crate's root, wherever they are written.
    fn macro_at(
        &self,
        from: ModuleId,
        path: &Path,
        looked_into: &mut Vec<ModuleId>,
    ) -> Option<(ModuleId, Arc<MacroDef>)> {
        let (first, last) = (path.segments.first()?, path.segments.last()?);
        let module = self.module(from)?;
        let info = self.crates.get(module.crate_id.0 as usize)?;
        let root = match &*first.name {
            "crate" | "self" | "super" => module.crate_id,
            name => match crates::named(self.workspace, &self.crates, info, name) {
                Some(Extern::Crate(id)) => id,
                Some(Extern::Known(_)) => return None,
                // A module of this crate.
                None => module.crate_id,
            },
        };
        let of = self.crates.get(root.0 as usize)?;
        let local = self.workspace.package(of.package)?.local;
        let root = ModuleId(root.0);
        // A dependency is not read as a whole for a macro: those that make types stand at its root or right below.
        let places = if local || self.is_git(of.package) {
            self.below(root)
        } else {
            let module = self.module(root)?;
            let children = self.content(root, &module).children.iter();
            let children = children.filter_map(|child| Some((*child, self.module(*child)?)));
            std::iter::once((root, Arc::clone(&module)))
                .chain(children)
                .collect()
        };
        places.into_iter().find_map(|(id, module)| {
            looked_into.push(id);
            let found = self.content(id, &module).macros.get(&last.name)?;
            Some((id, Arc::clone(found)))
        })
    }

    /// Whether a package is a checkout that cargo made: of people who split their project, mostly.
    fn is_git(&self, package: crate::workspace::PackageId) -> bool {
        let package = self.workspace.package(package);
        package.is_some_and(|package| {
            let mut parts = package.root.components();
            parts.any(|part| part.as_os_str() == "checkouts")
        })
    }

    /// The name that a module's crate has for another.
    fn name_of_crate(&self, module: &Module, wanted: super::graph::CrateId) -> Option<Text> {
        let package = self.package(module)?;
        let wanted = self.crates.get(wanted.0 as usize)?;
        let mut names = package.dependencies.iter();
        let found = names.find(|(_, id)| **id == wanted.package);
        found.map(|(name, _)| Text::from(name.as_str()))
    }
}
