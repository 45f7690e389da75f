//! Modules: where each one's file is, and what stands in it.

use super::answers::Answers;
use super::cfg::Hidden;
use super::derived_root::derived_root;
use super::ids::{CrateId, ModuleId, Resolved};
use super::parse::Parsed;
use super::paths::existing;
use super::tree::{
    AliasDef, ConstDef, FnDef, ImplDef, Item, MacroDef, ModDef, Token, TraitDef, TypeDef, UseDef,
};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_files::Read;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A module, loaded or not.
#[derive(Debug)]
pub(super) struct Module {
    /// Its crate.
    pub(super) crate_id: CrateId,
    /// The module it stands in; none for a crate's root.
    pub(super) parent: Option<ModuleId>,
    /// `crate_name::a::b`
    pub(super) path: Text,
    /// Where it comes from.
    pub(super) origin: Origin,
    /// What stands in it, once it is loaded.
    pub(super) content: OnceLock<Content>,
    /// What the macros make that it calls, once somebody asks.
    pub(super) expansion: OnceLock<Option<Content>>,
    /// The traits whose methods its code may call by what it names itself, once somebody asks.
    pub(super) traits: OnceLock<Vec<(ModuleId, Arc<TraitDef>)>>,
    /// The full names of attributes and derives, by the paths that its code has for them.
    pub(super) attributes: Answers<Text, Option<Text>>,
    /// What names of its code lead to as types, of those that lead somewhere.
    pub(super) named_types: Answers<Text, Resolved>,
    /// Its file as it was found, once it is loaded: paths in it are relative to that, links or not.
    pub(super) file: OnceLock<PathBuf>,
    /// Its file under its one true name, once it is loaded; none for inline modules.
    pub(super) canonical: OnceLock<PathBuf>,
    /// The files whose text stands in its file.
    pub(super) included: Mutex<BTreeSet<PathBuf>>,
    /// The modules that were looked into to answer questions from this one.
    pub(super) asked: Mutex<BTreeSet<ModuleId>>,
}

impl Module {
    /// A module that nobody has looked into yet.
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
        }
    }

    /// Whether it stands for the items inside a function's body.
    pub(super) fn is_body(&self) -> bool {
        matches!(self.origin, Origin::Body)
    }

    /// Takes down that the answer to a question from this module came from those.
    pub(super) fn note(&self, looked_into: impl IntoIterator<Item = ModuleId>) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.extend(looked_into);
    }
}

/// Where a module comes from.
#[derive(Debug)]
pub(super) enum Origin {
    /// The root file of a crate.
    Root(PathBuf),
    /// A `mod` item without a body, and the place it stands in.
    File(Arc<ModDef>, ModuleDir),
    /// A `mod` item with a body.
    Inline,
    /// The items inside the body of a function.
    Body,
}

/// Where files of child modules are looked for.
#[derive(Clone, Debug)]
pub(super) struct ModuleDir {
    /// The folder of the current file, with the names of inline modules behind it.
    folder: PathBuf,
    /// The current file's own name, where it is not a `mod.rs`: its children live in a folder of that name.
    own: Option<Text>,
}

/// What stands in a module.
#[derive(Debug, Default)]
pub(super) struct Content {
    /// Types, aliases and modules by name.
    pub(super) types: FxHashMap<Text, TypeEntry>,
    /// Constants and functions by name.
    pub(super) values: FxHashMap<Text, ValueEntry>,
    /// The names that `use` items bring in.
    pub(super) uses: FxHashMap<Text, Vec<Arc<UseDef>>>,
    /// Globs.
    pub(super) globs: Vec<Arc<UseDef>>,
    /// Types in the order of the file.
    pub(super) type_list: Vec<Arc<TypeDef>>,
    /// `impl` blocks in the order of the file.
    pub(super) impls: Vec<Arc<ImplDef>>,
    /// The macros that `macro_rules!` defines here, each name in the order of the file: a later one hides the earlier.
    pub(super) macros: FxHashMap<Text, Vec<Arc<MacroDef>>>,
    /// Child modules whose macros are known behind them, and where they stand.
    pub(super) macro_uses: Vec<(ModuleId, Span)>,
    /// `#[macro_use] extern crate`
    pub(super) macro_use_crates: Vec<Arc<UseDef>>,
    /// Macros that are called where items stand.
    pub(super) calls: Vec<Arc<MacroDef>>,
    /// Of what macros make: the calls whose items cannot be seen.
    pub(super) unread: Vec<Unread>,
    /// Child modules in the order of the file.
    pub(super) children: Vec<ModuleId>,
    /// What unknown `cfg`s took away from the file.
    pub(super) hidden: Arc<[Hidden]>,
    /// Whether items of the module stand in other files, which it includes.
    pub(super) includes: bool,
    /// Why there is nothing.
    pub(super) failed: Option<Diagnostic>,
}

impl Content {
    /// Whether anything stands here that a path could lead to, or an impl.
    pub(super) fn has_items(&self) -> bool {
        !(self.types.is_empty()
            && self.values.is_empty()
            && self.uses.is_empty()
            && self.globs.is_empty()
            && self.impls.is_empty()
            && self.macros.is_empty()
            && self.children.is_empty())
    }
}

/// A call whose items cannot be seen.
#[derive(Debug)]
pub(super) struct Unread {
    /// The call.
    pub(super) call: Arc<MacroDef>,
    /// Whether every name that it makes stands in its input.
    pub(super) names_its_input: bool,
}

impl Unread {
    /// Whether an item of that name may be among what it makes.
    pub(super) fn may_make(&self, name: &str) -> bool {
        fn names(tokens: &[Token], name: &str) -> bool {
            tokens.iter().any(|token| match token {
                Token::Group(_, inner, _) => names(inner, name),
                Token::Ident(ident, _) => **ident == *name,
                Token::Punct(..) | Token::Lit(..) => false,
            })
        }
        !self.names_its_input || names(&self.call.tokens, name)
    }
}

/// A name in the type namespace.
#[derive(Clone, Debug)]
pub(super) enum TypeEntry {
    Type(Arc<TypeDef>),
    Alias(Arc<AliasDef>),
    Trait(Arc<TraitDef>),
    Module(ModuleId),
}

/// A name in the value namespace.
#[derive(Clone, Debug)]
pub(super) enum ValueEntry {
    Const(Arc<ConstDef>),
    Fn(Arc<FnDef>),
}

impl ModuleDir {
    /// The place inside a file. A crate's root, a `mod.rs` and every file that `#[path]` names keep their children beside
    /// themselves; `name.rs` keeps them in `name/`.
    fn inside(file: &Path, own: Option<&Text>) -> Self {
        Self {
            folder: file.parent().map(Path::to_path_buf).unwrap_or_default(),
            own: own.cloned(),
        }
    }

    /// The place inside an inline module.
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

    /// The file of a module, and the place inside it.
    ///
    /// # Errors
    /// `module-not-found`, naming where it was looked for.
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

    /// The place inside a crate's root file.
    pub(super) fn root(file: &Path) -> Self {
        Self::inside(file, None)
    }
}

/// Puts a file's items in order. `register` makes a child module known and returns its id.
pub(super) fn index(
    parsed: Parsed,
    this: ModuleId,
    place: &ModuleDir,
    register: &mut dyn FnMut(ModuleId, &Arc<ModDef>, Origin) -> Child,
) -> Content {
    let hidden: Arc<[Hidden]> = Arc::from(parsed.hidden);
    let mut content = contents(&parsed.items, this, place, &hidden, register);
    content.failed = parsed.failed;
    content.includes = parsed.includes;
    content
}

/// A child module that was made known.
pub(super) struct Child {
    /// Its id.
    pub(super) id: ModuleId,
    /// The module itself.
    pub(super) module: Arc<Module>,
}

fn contents(
    items: &[Item],
    this: ModuleId,
    place: &ModuleDir,
    hidden: &Arc<[Hidden]>,
    register: &mut dyn FnMut(ModuleId, &Arc<ModDef>, Origin) -> Child,
) -> Content {
    let mut content = Content {
        hidden: Arc::clone(hidden),
        ..Content::default()
    };
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
                Some(name) if &**name == "_" => {}
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
                        let inner = contents(items, child.id, &inside, hidden, register);
                        // The module was made a moment ago and nobody else knows it yet.
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
                entry.or_insert(TypeEntry::Module(child.id));
            }
            Item::Macro(def) => {
                if def.defines {
                    let macros = content.macros.entry(def.name.clone()).or_default();
                    macros.push(Arc::clone(def));
                } else {
                    content.calls.push(Arc::clone(def));
                }
            }
        }
    }
    for root in content.type_list.iter().filter_map(|def| derived_root(def)) {
        let entry = content.types.entry(root.name.clone());
        entry.or_insert(TypeEntry::Type(root));
    }
    content
}

/// A file that includes itself.
pub(super) fn cycle(name: &str, span: Option<Span>, file: &str) -> Diagnostic {
    Diagnostic::new(
        Code::ModuleCycle,
        span,
        format!("module `{name}` is `{file}`, the file that declares it"),
    )
    .with_help(format!("remove `mod {name};`, or point it to another file"))
}
