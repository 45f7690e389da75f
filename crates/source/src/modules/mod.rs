//! Modules: where their files are, and what they contain.

pub(crate) mod derived_root;
pub(crate) mod files;
pub(crate) mod loading;
pub(crate) mod outline;
pub(crate) mod undeclared;

use super::answers::Answers;
use super::ids::{CrateId, ModuleId, Resolved};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_files::Read;
use crd_channels_syntax::cfg::Hidden;
use crd_channels_syntax::includes::paths::existing;
use crd_channels_syntax::parse::Parsed;
use crd_channels_syntax::tree::{
    AliasDef, ConstDef, FnDef, ImplDef, Item, MacroDef, ModDef, Token, TraitDef, TypeDef, UseDef,
    Visibility,
};
use derived_root::derived_root;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A module, loaded or not.
#[derive(Debug)]
pub(super) struct Module {
    /// Its crate.
    pub(super) crate_id: CrateId,
    /// The enclosing module; `None` for a crate's root.
    pub(super) parent: Option<ModuleId>,
    /// `crate_name::a::b`
    pub(super) path: Text,
    /// Where its items are.
    pub(super) origin: Origin,
    /// Its items, once it is loaded.
    pub(super) content: OnceLock<Content>,
    /// The items that its macro calls generate, once needed.
    pub(super) expansion: OnceLock<Option<Content>>,
    /// The traits that the module itself brings into scope, once needed.
    pub(super) traits: OnceLock<Vec<(ModuleId, Arc<TraitDef>)>>,
    /// The full names of attributes and derives, by their paths in its code.
    pub(super) attributes: Answers<Text, Option<Text>>,
    /// The types that single names in its code resolve to; unresolved names are left out.
    pub(super) named_types: Answers<Text, Resolved>,
    /// The path of its file, once it is loaded, possibly through links; paths in the file are relative to it.
    pub(super) file: OnceLock<PathBuf>,
    /// The canonical path of its file, once it is loaded; unset for inline modules.
    pub(super) canonical: OnceLock<PathBuf>,
    /// The files that its file includes.
    pub(super) included: Mutex<BTreeSet<PathBuf>>,
    /// The modules that were searched to answer questions from this one.
    pub(super) asked: Mutex<BTreeSet<ModuleId>>,
    /// Whether all modules of its crate were.
    pub(super) asked_crate: AtomicBool,
}

impl Module {
    /// Creates a module that is not loaded yet.
    pub(super) fn new(
        crate_id: CrateId,
        parent: Option<ModuleId>,
        path: Text,
        origin: Origin,
    ) -> Self {
        Self {
            crate_id,
            parent,
            path,
            origin,
            content: OnceLock::new(),
            expansion: OnceLock::new(),
            traits: OnceLock::new(),
            attributes: Answers::default(),
            named_types: Answers::default(),
            file: OnceLock::new(),
            canonical: OnceLock::new(),
            included: Mutex::default(),
            asked: Mutex::default(),
            asked_crate: AtomicBool::new(false),
        }
    }

    /// Whether it contains the items inside a function's body.
    pub(super) fn is_body(&self) -> bool {
        matches!(self.origin, Origin::Body)
    }

    /// Records the modules that an answer to a question from this module depends on.
    pub(super) fn note(&self, looked_into: impl IntoIterator<Item = ModuleId>) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.extend(looked_into);
    }

    /// Records that an answer depends on all modules of its crate.
    pub(super) fn note_crate(&self) {
        self.asked_crate.store(true, Ordering::Relaxed);
    }
}

/// The location of a module's items.
#[derive(Debug)]
pub(super) enum Origin {
    /// The root file of a crate.
    Root(PathBuf),
    /// A `mod` item without a body, and the folder it refers to.
    File(Arc<ModDef>, ModuleDir),
    /// A `mod` item with a body.
    Inline,
    /// The items inside the body of a function.
    Body,
}

/// The folder in which the files of child modules are searched.
#[derive(Clone, Debug)]
pub(super) struct ModuleDir {
    /// The folder of the current file, with the names of inline modules appended.
    folder: PathBuf,
    /// The current file's own name, if it is not a `mod.rs`: its children are in a folder of that name.
    own: Option<Text>,
}

/// The items of a module.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Types, aliases and modules by name.
    pub(super) types: FxHashMap<Text, TypeEntry>,
    /// Constants and functions by name.
    pub(super) values: FxHashMap<Text, ValueEntry>,
    /// The names that `use` items import.
    pub(super) uses: FxHashMap<Text, Vec<Arc<UseDef>>>,
    /// Globs.
    pub(super) globs: Vec<Arc<UseDef>>,
    /// Types in the order of the file.
    pub(super) type_list: Vec<Arc<TypeDef>>,
    /// `impl` blocks in the order of the file.
    pub(super) impls: Vec<Arc<ImplDef>>,
    /// The macros that `macro_rules!` defines here, for each name in the order of the file: a later one shadows the earlier
    /// one.
    pub(super) macros: FxHashMap<Text, Vec<Arc<MacroDef>>>,
    /// Child modules with `#[macro_use]`, and their spans.
    pub(super) macro_uses: Vec<(ModuleId, Span)>,
    /// `#[macro_use] extern crate`
    pub(super) macro_use_crates: Vec<Arc<UseDef>>,
    /// Macro calls in item position.
    pub(super) calls: Vec<Arc<MacroDef>>,
    /// In expansions: the calls whose items cannot be read.
    pub(super) unread: Vec<Unread>,
    /// Child modules in the order of the file.
    pub(super) children: Vec<ModuleId>,
    /// The items that unknown `cfg`s removed.
    pub(super) hidden: Vec<Hidden>,
    /// Why the module could not be loaded.
    pub(super) failed: Option<Diagnostic>,
}

/// A call whose items cannot be read.
#[derive(Debug)]
pub(super) struct Unread {
    /// The call.
    pub(super) call: Arc<MacroDef>,
    /// Whether every name that it generates is in its input.
    pub(super) names_its_input: bool,
    /// The `macro_rules!` that it refers to.
    pub(super) rules: Option<Arc<MacroDef>>,
}

impl Unread {
    /// Whether it may generate an item of that name.
    pub(super) fn may_make(&self, name: &str) -> bool {
        !self.names_its_input || has_name(&self.call.tokens, name)
    }

    /// Whether a name is in its input or its `macro_rules!`.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.tokens().any(|tokens| has_name(tokens, name))
    }

    /// Whether an item of that name is written there.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.tokens().any(|tokens| defines(tokens, name))
    }

    /// The tokens of its input, and those of its `macro_rules!`.
    pub(super) fn tokens(&self) -> impl Iterator<Item = &[Token]> {
        let defs = std::iter::once(&self.call).chain(&self.rules);
        defs.map(|def| &def.tokens[..])
    }
}

/// Whether a name is among tokens.
pub(super) fn has_name(tokens: &[Token], name: &str) -> bool {
    tokens.iter().any(|token| match token {
        Token::Group(_, inner, _) => has_name(inner, name),
        Token::Ident(ident, _) => **ident == *name,
        Token::Punct(..) | Token::Lit(..) => false,
    })
}

/// Whether an item of that name is among tokens.
fn defines(tokens: &[Token], name: &str) -> bool {
    let is_defined = |pair: &[Token]| {
        matches!(pair, [Token::Ident(word, _), Token::Ident(ident, _)]
            if **ident == *name && DEFINING.contains(&&**word))
    };
    let inside = |token: &Token| matches!(token, Token::Group(_, inner, _) if defines(inner, name));
    tokens.windows(2).any(is_defined) || tokens.iter().any(inside)
}

/// The words before the name of an item.
const DEFINING: [&str; 11] = [
    "as", "const", "crate", "enum", "fn", "mod", "static", "struct", "trait", "type", "union",
];

/// A name in the type namespace.
#[derive(Clone, Debug)]
pub(super) enum TypeEntry {
    Type(Arc<TypeDef>),
    Alias(Arc<AliasDef>),
    Trait(Arc<TraitDef>),
    Module {
        id: ModuleId,
        visibility: Visibility,
    },
}

/// A name in the value namespace.
#[derive(Clone, Debug)]
pub(super) enum ValueEntry {
    Const(Arc<ConstDef>),
    Fn(Arc<FnDef>),
}

impl ModuleDir {
    /// The folder for the modules of a file. A crate's root, a `mod.rs` and every file that `#[path]` names have their children
    /// in their own folder; `name.rs` has them in `name/`.
    fn inside(file: &Path, own: Option<&Text>) -> Self {
        Self {
            folder: file.parent().map(Path::to_path_buf).unwrap_or_default(),
            own: own.cloned(),
        }
    }

    /// The folder for the modules of an inline module.
    fn inline(&self, def: &ModDef) -> Self {
        let mut folder = self.folder.clone();
        if let Some(path) = &def.path {
            // On an inline module `#[path]` names the folder.
            return Self {
                folder: folder.join(&**path),
                own: None,
            };
        }
        if let Some(own) = &self.own {
            folder.push(&**own);
        }
        folder.push(&*def.name);
        Self { folder, own: None }
    }

    /// The file of a module, and the folder for its child modules.
    ///
    /// # Errors
    /// `module-not-found`, with the paths that were searched.
    pub(super) fn find(
        &self,
        def: &ModDef,
        files: &dyn Read,
        shown: impl Fn(&Path) -> Text,
    ) -> Result<(PathBuf, Self), Diagnostic> {
        if let Some(path) = &def.path {
            let file = existing(files, self.folder.join(&**path));
            return match file {
                Ok(file) => {
                    let inside = Self::inside(&file, None);
                    Ok((file, inside))
                }
                Err(missing) => Err(Diagnostic::new(
                    Code::ModuleNotFound,
                    def.span,
                    format!(
                        "module `{}` has no file: there is no `{}`",
                        def.name,
                        shown(&missing)
                    ),
                )
                .with_help("write a `#[path]` to the file, relative to the folder of this one")),
            };
        }
        let folder = match &self.own {
            Some(own) => self.folder.join(&**own),
            None => self.folder.clone(),
        };
        let flat = folder.join(format!("{}.rs", def.name));
        let nested = folder.join(&*def.name).join("mod.rs");
        match (existing(files, flat), existing(files, nested)) {
            (Ok(file), Err(_)) => {
                let inside = Self::inside(&file, Some(&def.name));
                Ok((file, inside))
            }
            (Err(_), Ok(file)) => {
                let inside = Self::inside(&file, None);
                Ok((file, inside))
            }
            (Ok(flat), Ok(nested)) => Err(Diagnostic::new(
                Code::ModuleNotFound,
                def.span,
                format!(
                    "module `{}` has two files, `{}` and `{}`",
                    def.name,
                    shown(&flat),
                    shown(&nested)
                ),
            )
            .with_help("remove one of them")),
            (Err(flat), Err(nested)) => Err(Diagnostic::new(
                Code::ModuleNotFound,
                def.span,
                format!(
                    "module `{}` has no file: there is neither `{}` nor `{}`",
                    def.name,
                    shown(&flat),
                    shown(&nested)
                ),
            )
            .with_help(format!("write the file, or remove `mod {};`", def.name))),
        }
    }

    /// The folder for the modules of a crate's root file.
    pub(super) fn root(file: &Path) -> Self {
        Self::inside(file, None)
    }
}

/// Indexes the items of a file. `register` creates a child module and returns it.
pub(super) fn index(
    parsed: Parsed,
    this: ModuleId,
    place: &ModuleDir,
    register: &mut dyn FnMut(ModuleId, &Arc<ModDef>, Origin) -> Child,
) -> Content {
    let mut content = contents(&parsed.items, this, place, register);
    content.failed = parsed.failed;
    content
}

/// A registered child module.
pub(super) struct Child {
    /// Its id.
    pub(super) id: ModuleId,
    /// The module.
    pub(super) module: Arc<Module>,
}

fn contents(
    items: &[Item],
    this: ModuleId,
    place: &ModuleDir,
    register: &mut dyn FnMut(ModuleId, &Arc<ModDef>, Origin) -> Child,
) -> Content {
    let mut content = Content::default();
    for item in items {
        match item {
            Item::Type(def) => {
                content.type_list.push(Arc::clone(def));
                let entry = content.types.entry(def.name.clone());
                entry.or_insert_with(|| TypeEntry::Type(Arc::clone(def)));
            }
            Item::Alias(def) => {
                let entry = content.types.entry(def.name.clone());
                entry.or_insert_with(|| TypeEntry::Alias(Arc::clone(def)));
            }
            Item::Const(def) => {
                let entry = content.values.entry(def.name.clone());
                entry.or_insert_with(|| ValueEntry::Const(Arc::clone(def)));
            }
            Item::Fn(def) => {
                let entry = content.values.entry(def.name.clone());
                entry.or_insert_with(|| ValueEntry::Fn(Arc::clone(def)));
            }
            Item::Trait(def) => {
                let entry = content.types.entry(def.name.clone());
                entry.or_insert_with(|| TypeEntry::Trait(Arc::clone(def)));
            }
            Item::Impl(def) => content.impls.push(Arc::clone(def)),
            Item::Use(def) if def.macro_use => {
                content.macro_use_crates.push(Arc::clone(def));
                let name = def.name.iter().filter(|name| &***name != "_");
                for name in name {
                    let uses = content.uses.entry(name.clone()).or_default();
                    uses.push(Arc::clone(def));
                }
            }
            Item::Use(def) => match &def.name {
                // `_` imports a trait.
                Some(name) => {
                    let uses = content.uses.entry(name.clone()).or_default();
                    uses.push(Arc::clone(def));
                }
                None => content.globs.push(Arc::clone(def)),
            },
            Item::Mod(def) => {
                let included = def.folder.as_ref().map(|folder| ModuleDir {
                    folder: folder.clone(),
                    own: None,
                });
                let place = included.as_ref().unwrap_or(place);
                let child = match &def.inline {
                    Some(items) => {
                        let origin = match def.body {
                            true => Origin::Body,
                            false => Origin::Inline,
                        };
                        let child = register(this, def, origin);
                        let inside = place.inline(def);
                        let inner = contents(items, child.id, &inside, register);
                        // The module was just created, so no other thread knows it.
                        let _ = child.module.content.set(inner);
                        child
                    }
                    None => register(this, def, Origin::File(Arc::clone(def), place.clone())),
                };
                content.children.push(child.id);
                if def.macro_use {
                    content.macro_uses.push((child.id, def.span));
                }
                let entry = content.types.entry(def.name.clone());
                entry.or_insert(TypeEntry::Module {
                    id: child.id,
                    visibility: def.visibility.clone(),
                });
            }
            Item::Macro(def) => {
                if def.defines {
                    let macros = content.macros.entry(def.name.clone()).or_default();
                    macros.push(Arc::clone(def));
                } else {
                    content.calls.push(Arc::clone(def));
                }
            }
            Item::Hidden(hidden) => content.hidden.push(hidden.clone()),
        }
    }
    for root in content.type_list.iter().filter_map(|def| derived_root(def)) {
        let entry = content.types.entry(root.name.clone());
        entry.or_insert(TypeEntry::Type(root));
    }
    content
}

/// The diagnostic about a file that includes itself.
pub(super) fn cycle(name: &str, span: Option<Span>, file: &str) -> Diagnostic {
    Diagnostic::new(
        Code::ModuleCycle,
        span,
        format!("module `{name}` is `{file}`, the file that declares it"),
    )
    .with_help(format!("remove `mod {name};`, or point it to another file"))
}
