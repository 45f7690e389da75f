//! What macros make in a module, and which macro a call means.

use super::cfg::Scope;
use super::expand::{Call, Locals, expand, source_text};
use super::graph::{Graph, Placement};
use super::ids::{CrateId, ModuleId};
use super::known_macros::{self, is_include};
use super::modules::{self, Content, Module, Origin, Unread};
use super::names::{Macro, Making};
use super::parse::{self, Parsed};
use super::resolve::Query;
use super::tree::{Item, MacroDef, Path, Token};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Span, Text};
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

    /// What the macros make that a module calls; none where it calls none. Of other modules only what is written is looked
    /// at, and of those around it what their macros make, so that two modules never wait for each other.
    pub(super) fn expansion<'m>(&self, id: ModuleId, module: &'m Module) -> Option<&'m Content> {
        let content = self.content(id, module);
        if content.calls.is_empty() {
            return None;
        }
        let made = module.expansion.get_or_init(|| {
            let (items, unread) = self.expanded_items(id, module, content);
            let (_, place) = self.locate(module).ok()?;
            let parsed = Parsed {
                items,
                ..Parsed::default()
            };
            let mut made = modules::index(parsed, id, &place, &mut |parent, def, origin| {
                self.register(parent, def, origin)
            });
            made.unread = unread;
            Some(made)
        });
        made.as_ref()
    }

    fn expanded_items(
        &self,
        id: ModuleId,
        module: &Module,
        content: &Content,
    ) -> (Vec<Item>, Vec<Unread>) {
        let (mut made, mut unread) = (Vec::new(), Vec::new());
        let mut defined: Vec<Arc<MacroDef>> = Vec::new();
        let mut open: Vec<Arc<MacroDef>> = content.calls.iter().rev().cloned().collect();
        let mut calls = 0;
        while let Some(call) = open.pop() {
            calls += 1;
            let items = if calls > MAX_CALLS {
                None
            } else {
                self.expanded_call(id, module, &call, &defined)
            };
            let Some(items) = items else {
                if self.includes_only_macros(id, &call) {
                    continue;
                }
                let named = match self.macro_of_call(id, &call.path, &defined, Making::In(id)) {
                    Some(Macro::Named(name)) => known_macros::names_its_input(&name),
                    Some(Macro::Rules(..)) | None => false,
                };
                self.say_of_kinds(id, &call);
                unread.push(Unread {
                    call,
                    names_its_input: named,
                });
                continue;
            };
            let mut inner = Vec::new();
            for item in items {
                match item {
                    Item::Macro(of) if !of.defines => inner.push(of),
                    Item::Macro(of) => {
                        defined.push(Arc::clone(&of));
                        made.push(Item::Macro(of));
                    }
                    item => made.push(item),
                }
            }
            open.extend(inner.into_iter().rev());
        }
        (made, unread)
    }

    /// Says of a call that its items are not read, where its input says that a kind is among them.
    fn say_of_kinds(&self, id: ModuleId, call: &MacroDef) {
        fn names_kind(tokens: &[Token]) -> bool {
            tokens.iter().any(|token| match token {
                Token::Group(_, inner, _) => names_kind(inner),
                Token::Ident(name, _) => &**name == "CustomResource",
                Token::Punct(..) | Token::Lit(..) => false,
            })
        }
        if self.walked_crate(id).is_none() || !names_kind(&call.tokens) {
            return;
        }
        let message = format!(
            "the expansion of `{}!` is not read, and `CustomResource` is in its input",
            call.name
        );
        let mut sink = Sink::default();
        sink.push(
            Diagnostic::new(Code::UnreadItems, call.path.span, message)
                .with_help("write the kind without the macro, or with a simple `macro_rules!`"),
        );
        self.report(sink);
    }

    /// Whether an `include!` of a dependency is one of those that bring in no items.
    fn includes_only_macros(&self, id: ModuleId, call: &MacroDef) -> bool {
        let crate_id = self.module(id).map(|module| module.crate_id.0 as usize);
        let home = crate_id.and_then(|crate_id| self.crates.get(crate_id));
        is_include(&call.path)
            && home.is_some_and(|home| known_macros::includes_only_macros(&home.target.name))
    }

    /// The items of one call; none where its macro is not known or needs more than substitution.
    fn expanded_call(
        &self,
        id: ModuleId,
        module: &Module,
        call: &MacroDef,
        defined: &[Arc<MacroDef>],
    ) -> Option<Vec<Item>> {
        let found = self.macro_of_call(id, &call.path, defined, Making::In(id));
        let (text, file) = self.expanded_text(found, module, (&call.path, &call.tokens), false)?;
        let package = self.package(module)?;
        let mut sink = Sink::default();
        let scope = Scope::new(self.cfgs(), package, false);
        let called = self.sources().get(call.path.span.file);
        let foreign = called.is_some_and(|file| file.foreign);
        let around = self.file_of_call(module, call.path.span);
        let includes = self.includes_of(module, around.as_deref(), foreign)?;
        let parsed = parse::parse(&text, file, &scope, Some(&includes), &mut sink);
        if parsed.failed.is_some() {
            return None;
        }
        self.remember_included(module, includes);
        self.report(sink);
        Some(parsed.items)
    }

    /// Whether the predicate of a `cfg!` holds in a module; none if it is not a predicate, or nothing decides it.
    #[must_use]
    pub fn cfg_holds(&self, id: ModuleId, tokens: &[Token]) -> Option<bool> {
        let module = self.module(id)?;
        let text = source_text(tokens, &|span| self.source_text(span));
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

    pub(super) fn source_text(&self, span: Span) -> Option<String> {
        let file = self.sources().get(span.file)?;
        let text = file.text.get(span.start as usize..span.end as usize)?;
        Some(text.to_owned())
    }

    /// What a call expands to, as a file of its own. In values the locals of the macro are not those of the caller.
    pub(super) fn expanded_text(
        &self,
        found: Option<Macro>,
        module: &Module,
        (path, tokens): (&Path, &[Token]),
        in_value: bool,
    ) -> Option<(Text, FileId)> {
        let Macro::Rules(home, definition) = found? else {
            return None;
        };
        let defined_in = self.module(home)?;
        let home = if defined_in.crate_id == module.crate_id {
            Some(Text::from("crate"))
        } else {
            let name = self.name_of_crate(module, defined_in.crate_id);
            name.map(|name| Text::from(format!("::{name}")))
        };
        let order = self.order(path.span);
        let mark: Vec<String> = order.iter().map(u32::to_string).collect();
        let call = Call {
            tokens,
            home: home.as_deref(),
            locals: in_value.then(|| Locals {
                mark: mark.join("_"),
                in_function: defined_in.is_body(),
            }),
        };
        let source = |span: Span| self.source_text(span);
        let text = expand(&definition, &call, &source)?;
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
        let included = self.is_included(path.span);
        self.place_file(file, Placement { order, included });
        Some((text, file))
    }

    /// What the path of a call leads to. `defined` is what the module's own calls have made so far, where `making` is the
    /// module whose calls are being expanded.
    pub(super) fn macro_of_call(
        &self,
        from: ModuleId,
        path: &Path,
        defined: &[Arc<MacroDef>],
        making: Making,
    ) -> Option<Macro> {
        if let ([only], false) = (&path.segments[..], path.leading) {
            let (found, looked_into) = self.macro_above(from, path, &only.name, defined, making);
            if let Some(asking) = self.module(from) {
                asking.note(looked_into);
            }
            if let Some((home, definition)) = found {
                return Some(Macro::Rules(home, definition));
            }
        }
        Query::new(self).resolve_macro(from, path, true)
    }

    /// The `macro_rules!` of a name that is in force where a path stands: the last one before it, in its module or in those
    /// around it. With the modules that were looked into.
    pub(super) fn macro_above(
        &self,
        from: ModuleId,
        path: &Path,
        name: &Text,
        defined: &[Arc<MacroDef>],
        making: Making,
    ) -> (Option<(ModuleId, Arc<MacroDef>)>, Vec<ModuleId>) {
        let mut looked_into = Vec::new();
        let mut at = self.order(path.span);
        let mut next = Some(from);
        while let Some(id) = next
            && let Some(module) = self.module(id)
        {
            let content = self.content(id, &module);
            looked_into.push(id);
            // What is being made is not asked for what it has made.
            let made = match making {
                Making::Anything => None,
                Making::In(making) if making == id => None,
                Making::In(_) | Making::Nothing => self.expansion(id, &module),
            };
            let mut last: Option<(Vec<u32>, ModuleId, Arc<MacroDef>)> = None;
            let mut offer = |order: Vec<u32>, home: ModuleId, def: &Arc<MacroDef>| {
                let later = last.as_ref().is_none_or(|(before, ..)| *before < order);
                if order < at && later {
                    last = Some((order, home, Arc::clone(def)));
                }
            };
            let own = content.macros.get(name).into_iter().flatten();
            let made_here = made
                .and_then(|made| made.macros.get(name))
                .into_iter()
                .flatten();
            let being_made = defined
                .iter()
                .filter(|def| making == Making::In(id) && def.name == *name);
            for def in own.chain(made_here).chain(being_made) {
                offer(self.order(def.span), id, def);
            }
            let children = content.macro_uses.iter();
            let children = children.chain(made.iter().flat_map(|made| &made.macro_uses));
            for (child, place) in children {
                if let Some((home, def)) = self.last_macro(*child, name, &mut looked_into) {
                    offer(self.order(*place), home, &def);
                }
            }
            if let Some((_, home, def)) = last {
                return (Some((home, def)), looked_into);
            }
            if let Origin::File(def, _) = &module.origin {
                at = self.order(def.span);
            }
            next = module.parent;
        }
        (None, looked_into)
    }

    /// The last definition of a name in a module whose macros are known behind it. What macros make in it is not looked at.
    fn last_macro(
        &self,
        id: ModuleId,
        name: &Text,
        looked_into: &mut Vec<ModuleId>,
    ) -> Option<(ModuleId, Arc<MacroDef>)> {
        let module = self.module(id)?;
        let content = self.content(id, &module);
        looked_into.push(id);
        let own = content.macros.get(name).and_then(|all| all.last());
        let mut last = own.map(|def| (self.order(def.span), id, Arc::clone(def)));
        for (child, place) in &content.macro_uses {
            if let Some((home, def)) = self.last_macro(*child, name, looked_into) {
                let order = self.order(*place);
                if last.as_ref().is_none_or(|(before, ..)| *before < order) {
                    last = Some((order, home, def));
                }
            }
        }
        last.map(|(_, home, def)| (home, def))
    }

    /// A macro that stands at a crate's root since it is exported, wherever it is written; with the modules that were looked
    /// into. A dependency is not read as a whole for it: those that make types stand at its root or right below.
    pub(super) fn exported_macro(
        &self,
        root: ModuleId,
        name: &Text,
    ) -> (Option<(ModuleId, Arc<MacroDef>)>, Vec<ModuleId>) {
        let mut looked_into = Vec::new();
        let found = self.find_exported(root, name, &mut looked_into);
        (found, looked_into)
    }

    fn find_exported(
        &self,
        root: ModuleId,
        name: &Text,
        looked_into: &mut Vec<ModuleId>,
    ) -> Option<(ModuleId, Arc<MacroDef>)> {
        let of = self.crates.get(root.0 as usize)?;
        let local = self.workspace.package(of.package)?.local;
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
            if !self.may_define(&module, name) {
                return None;
            }
            looked_into.push(id);
            let all = self.content(id, &module).macros.get(name)?;
            let found = all.iter().find(|def| def.exported)?;
            Some((id, Arc::clone(found)))
        })
    }

    /// Whether a module may define a macro of a name: most files say so nowhere, and need not be parsed to see it.
    fn may_define(&self, module: &Module, name: &str) -> bool {
        if module.content.get().is_some() {
            return true;
        }
        let Ok((file, _)) = self.locate(module) else {
            return true;
        };
        let Ok(bytes) = self.files.read(&file) else {
            return true;
        };
        let may = std::str::from_utf8(&bytes).map_or(true, |text| {
            text.contains("include") || text.contains("macro_rules") && text.contains(name)
        });
        let above = module.parent.and_then(|above| self.module(above));
        if let (false, Some(above), Some(file)) = (may, above, module.canonical.get()) {
            // The answer came from the file as it is now.
            self.remember_read(&above, vec![(file.clone(), bytes)]);
        }
        may
    }

    /// Whether a package is a checkout that cargo made: of people who split their project, mostly.
    fn is_git(&self, package: crd_channels_workspace::PackageId) -> bool {
        let package = self.workspace.package(package);
        package.is_some_and(|package| {
            let mut parts = package.root.components();
            parts.any(|part| part.as_os_str() == "checkouts")
        })
    }

    /// The name that a module's crate has for another.
    fn name_of_crate(&self, module: &Module, wanted: CrateId) -> Option<Text> {
        let package = self.package(module)?;
        let wanted = self.crates.get(wanted.0 as usize)?;
        let mut names = package.dependencies.iter();
        let found = names.find(|(_, id)| **id == wanted.package);
        found.map(|(name, _)| Text::from(name.as_str()))
    }
}
