//! Text added to modules so that a compiled crate outputs the CRDs of its kinds. Since a kind may be private, it is named in
//! its own module, and every module between the crate's root and it forwards the call.

use super::graph::Graph;
use super::ids::{CrateId, ModuleId, TypeRef};
use super::modules::Origin;
use crd_channels_diagnostics::{FileId, Text};
use crd_channels_syntax::lower_syn;
use crd_channels_syntax::parse;
use crd_channels_workspace::{PROBE, PackageId, program};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta, Token};

/// The texts to compile instead of the source, and the kinds they output.
#[derive(Debug, Default)]
pub struct Probes {
    /// The texts, by the canonical paths of the files they replace.
    pub files: BTreeMap<PathBuf, String>,
    /// The targets that have kinds.
    pub targets: Vec<Probed>,
    /// The kinds that are output, each with its name in the output.
    pub kinds: Vec<(String, TypeRef)>,
    /// The kinds that cannot be reached, each with the reason.
    pub unreached: Vec<(TypeRef, String)>,
}

/// A library or a binary with kinds.
#[derive(Clone, Debug)]
pub struct Probed {
    /// Its package.
    pub package: PackageId,
    /// Its name in code.
    pub name: String,
    /// Whether it is the library.
    pub lib: bool,
    /// The canonical path of its root file.
    pub root: PathBuf,
}

/// A module that can contain the function: a file, or an inline module in it.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct Host {
    file: PathBuf,
    inline: Vec<String>,
}

/// The calls in a module's function.
#[derive(Debug, Default)]
struct Calls {
    /// The kinds that it outputs: the name, the path from here, the paths of crates.
    kinds: Vec<(String, String, Crates)>,
    /// The modules whose functions it calls, by their paths from here.
    modules: BTreeSet<String>,
}

/// The paths of crates, as configured for kube-derive.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Crates {
    kube_core: String,
    serde_json: String,
}

impl Default for Crates {
    fn default() -> Self {
        Self {
            kube_core: "::kube::core".to_owned(),
            serde_json: "::serde_json".to_owned(),
        }
    }
}

/// The positions in a file's text that are needed.
#[derive(Debug, Default)]
struct Layout {
    /// The ends of inline modules, by their paths; several may share a path under different `cfg`s.
    modules: BTreeMap<Vec<String>, Vec<usize>>,
    /// The positions of functions called `main`.
    mains: Vec<usize>,
    /// The crate paths that types configure, by the position of the type's name.
    crates: BTreeMap<usize, Crates>,
}

/// The layouts of files that were parsed; `None` for those that cannot be parsed.
type Layouts = BTreeMap<PathBuf, Option<(Text, Layout)>>;

impl Graph<'_> {
    /// The texts that output these kinds.
    #[must_use]
    pub fn probes(&self, kinds: &[TypeRef]) -> Probes {
        let mut probes = Probes::default();
        let mut layouts = Layouts::new();
        let mut hosts: BTreeMap<Host, Calls> = BTreeMap::new();
        let mut roots: BTreeMap<CrateId, PathBuf> = BTreeMap::new();
        for ty in kinds {
            let name = self.name_of(ty);
            let name = format!("{}::{}", name.module, name.name);
            match self.probe(ty, &name, &mut layouts, &mut hosts, &mut roots) {
                Ok(()) => probes.kinds.push((name, ty.clone())),
                Err(why) => probes.unreached.push((ty.clone(), why)),
            }
        }
        let mut texts: BTreeMap<&Path, Vec<(usize, String)>> = BTreeMap::new();
        for (host, calls) in &hosts {
            let Some(Some((text, layout))) = layouts.get(&host.file) else {
                continue;
            };
            let function = calls.function();
            let ends = match host.inline.is_empty() {
                true => vec![text.len()],
                false => layout
                    .modules
                    .get(&host.inline)
                    .cloned()
                    .unwrap_or_default(),
            };
            let added = texts.entry(&host.file).or_default();
            added.extend(ends.into_iter().map(|end| (end, function.clone())));
        }
        for (crate_id, root) in &roots {
            let (Some(info), Some(Some((text, layout)))) =
                (self.crates.get(crate_id.0 as usize), layouts.get(root))
            else {
                continue;
            };
            if !info.target.lib {
                let added = texts.entry(root).or_default();
                let begins = layout.mains.iter();
                added.extend(begins.map(|at| (*at, "#[cfg(any())] ".to_owned())));
                added.push((text.len(), program("self")));
            }
            probes.targets.push(Probed {
                package: info.package,
                name: info.target.name.clone(),
                lib: info.target.lib,
                root: root.clone(),
            });
        }
        for (file, added) in texts {
            if let Some(Some((text, _))) = layouts.get(file) {
                let text = with(text, added);
                probes.files.insert(file.to_path_buf(), text);
            }
        }
        probes
    }

    /// Adds one kind to its own module, and the calls to all modules that lead there.
    fn probe(
        &self,
        ty: &TypeRef,
        shown: &str,
        layouts: &mut Layouts,
        hosts: &mut BTreeMap<Host, Calls>,
        roots: &mut BTreeMap<CrateId, PathBuf>,
    ) -> Result<(), String> {
        let kube = ty.def.attrs.kube.as_ref();
        let name = kube.and_then(|kube| kube.root.as_ref().or(kube.kind.as_ref()));
        let name = name.ok_or("its `#[kube(..)]` has no kind")?;
        if !ty.def.generics.is_empty() {
            return Err("it has type parameters".to_owned());
        }
        let mut way = Vec::new();
        let mut next = Some(ty.module);
        while let Some(id) = next {
            let module = self.module(id).ok_or("its module is not known")?;
            if module.is_body() {
                return Err("it is inside a function body".to_owned());
            }
            next = module.parent;
            way.push((id, module));
        }
        way.reverse();
        let mut steps: Vec<(Host, String)> = Vec::new();
        for (id, module) in &way {
            let own = last(&module.path);
            let above = steps.last().cloned();
            let step = match (&module.origin, above) {
                (Origin::Root(_) | Origin::File(..), above) => {
                    let file = self.source_of(*id, layouts)?;
                    let via = above.map_or_else(String::new, |(_, below)| join(&below, own));
                    let host = Host {
                        file,
                        inline: Vec::new(),
                    };
                    (host, via, true)
                }
                (Origin::Inline | Origin::Body, Some((host, below))) => {
                    let mut inner = host.clone();
                    inner.inline.push(own.to_owned());
                    let layout = layouts.get(&host.file).and_then(Option::as_ref);
                    let written = below.is_empty()
                        && layout
                            .is_some_and(|(_, layout)| layout.modules.contains_key(&inner.inline));
                    let via = join(&below, own);
                    match written {
                        true => (inner, via, true),
                        // The module is generated by a macro, so its items are named from outside.
                        false => (host, via, false),
                    }
                }
                (Origin::Inline | Origin::Body, None) => {
                    return Err("its module is not known".to_owned());
                }
            };
            let (host, via, own_place) = step;
            if own_place {
                if let Some((above, _)) = steps.last() {
                    let calls = hosts.entry(above.clone()).or_default();
                    calls.modules.insert(via);
                }
                hosts.entry(host.clone()).or_default();
                steps.push((host, String::new()));
            } else {
                steps.push((host, via));
            }
        }
        let (host, below) = steps.pop().ok_or("its module is not known")?;
        let crates = self.crates_of(ty, &host, layouts);
        let calls = hosts.entry(host).or_default();
        calls
            .kinds
            .push((shown.to_owned(), join(&below, &name.value), crates));
        let first = way.first();
        let root = first.and_then(|(_, module)| Some((module.crate_id, module.canonical.get()?)));
        let (crate_id, root) = root.ok_or("its crate is not known")?;
        roots.insert(crate_id, root.clone());
        Ok(())
    }

    /// The file of a module, after its layout was read.
    fn source_of(&self, id: ModuleId, layouts: &mut Layouts) -> Result<PathBuf, String> {
        let unknown = || "its file cannot be read".to_owned();
        let module = self.module(id).ok_or_else(unknown)?;
        self.content(id, &module);
        let file = module.canonical.get().ok_or_else(unknown)?;
        let known = layouts.entry(file.clone()).or_insert_with(|| {
            let bytes = self.files.read(file).ok()?;
            let text = Text::from(String::from_utf8(bytes).ok()?);
            let layout = parse::look(&text, FileId(u32::MAX), |tree| {
                let mut layout = Layout::default();
                layout.items(&tree.items, &mut Vec::new(), None);
                layout
            });
            Some((text.clone(), layout.ok()?))
        });
        match known {
            Some(_) => Ok(file.clone()),
            None => Err(unknown()),
        }
    }

    /// The crate paths for the code of a kind.
    fn crates_of(&self, ty: &TypeRef, host: &Host, layouts: &Layouts) -> Crates {
        let written = || {
            let (text, layout) = layouts.get(&host.file)?.as_ref()?;
            let file = self.sources().get(ty.def.span.file)?;
            let same = *file.text == **text;
            let at = usize::try_from(ty.def.span.start).ok()?;
            same.then(|| layout.crates.get(&at).cloned())?
        };
        written().unwrap_or_default()
    }
}

impl Calls {
    fn function(&self) -> String {
        let mut text = format!(
            "\n#[doc(hidden)] #[allow(warnings)] pub fn {PROBE}(show: &mut dyn (::std::ops::FnMut(&str, \
             &dyn (::std::ops::Fn() -> ::std::string::String)))) {{\n"
        );
        for (name, path, crates) in &self.kinds {
            let Crates {
                kube_core,
                serde_json,
            } = crates;
            text.push_str(&format!(
                "    show({name:?}, &|| {serde_json}::to_string(&<{path} as {kube_core}::CustomResourceExt>::crd()).unwrap());\n"
            ));
        }
        for module in &self.modules {
            text.push_str(&format!("    {module}::{PROBE}(show);\n"));
        }
        text.push_str("}\n");
        text
    }
}

impl Layout {
    /// Adds items of a module whose attributes may configure crate paths for all of them.
    fn items(&mut self, items: &[Item], path: &mut Vec<String>, crates: Option<&Crates>) {
        for item in items {
            match item {
                Item::Mod(module) => {
                    let Some((brace, items)) = &module.content else {
                        continue;
                    };
                    path.push(lower_syn::name(&module.ident).to_string());
                    let end = brace.span.close().byte_range().start;
                    self.modules.entry(path.clone()).or_default().push(end);
                    let own = module.attrs.iter().find_map(crates_in);
                    self.items(items, path, own.as_ref().or(crates));
                    path.pop();
                }
                Item::Fn(function) if path.is_empty() && function.sig.ident == "main" => {
                    self.mains.push(function.span().byte_range().start);
                }
                Item::Struct(def) => self.type_of(&def.ident, &def.attrs, crates),
                Item::Enum(def) => self.type_of(&def.ident, &def.attrs, crates),
                _ => {}
            }
        }
    }

    fn type_of(&mut self, ident: &syn::Ident, attrs: &[Attribute], around: Option<&Crates>) {
        let own = attrs.iter().find_map(crates_in);
        if let Some(crates) = own.or_else(|| around.cloned()) {
            self.crates.insert(ident.span().byte_range().start, crates);
        }
    }
}

/// `#[kube(crates(serde_json = "..", kube_core = ".."))]`, or `#[versioned(crates(..))]`, which forwards them.
fn crates_in(attribute: &Attribute) -> Option<Crates> {
    let list = |meta: &Meta| {
        let list = meta.require_list().ok()?;
        let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
        list.parse_args_with(parser).ok()
    };
    let name = &attribute.path().segments.last()?.ident;
    if name != "kube" && name != "versioned" {
        return None;
    }
    let keys = list(&attribute.meta)?;
    let named = list(keys.iter().find(|meta| meta.path().is_ident("crates"))?)?;
    let path = |name: &str| {
        let meta = named.iter().find(|meta| meta.path().is_ident(name))?;
        match &meta.require_name_value().ok()?.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value()),
            Expr::Path(path) => Some(quote::quote!(#path).to_string()),
            _ => None,
        }
    };
    let default = Crates::default();
    Some(Crates {
        kube_core: path("kube_core").unwrap_or(default.kube_core),
        serde_json: path("serde_json").unwrap_or(default.serde_json),
    })
}

/// Inserts texts at positions of a text.
fn with(text: &str, mut added: Vec<(usize, String)>) -> String {
    added.sort_by_key(|(at, _)| *at);
    let mut whole = String::with_capacity(text.len() + 1024);
    let mut done = 0;
    for (at, more) in added {
        whole.push_str(text.get(done..at).unwrap_or_default());
        whole.push_str(&more);
        done = at;
    }
    whole.push_str(text.get(done..).unwrap_or_default());
    whole
}

/// Appends a name to a path.
fn join(below: &str, name: &str) -> String {
    match below {
        "" => raw(name),
        below => format!("{below}::{}", raw(name)),
    }
}

/// A name as code must write it.
fn raw(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use crate::fixture;

    #[test]
    fn edition_2015_reads_the_function() {
        // There `dyn ::a` is the path `dyn::a`.
        let function = super::Calls::default().function();
        assert!(!function.contains("dyn ::"), "{function}");
    }

    #[test]
    fn every_module_on_the_way_passes_the_call_on() {
        let text = "
//- /lib.rs
//- /main.rs bin:demo
mod api;
fn main() {}
//- /api.rs
mod r#type { mod inner { #[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Deep\")] struct DeepSpec {} } }
#[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Own\", crates(serde_json = \"crate::json\"))] struct OwnSpec {}
macro_rules! kinds { () => { mod made { #[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Made\")] pub struct MadeSpec {} } } }
kinds!();
#[stackable_versioned::versioned(version(name = \"v1\"), crates(kube_core = \"own::kube::core\"))]
pub mod many { #[versioned(crd(group = \"a.b\", kind = \"Many\"))] pub struct ManySpec {} }
";
        let loaded = fixture::graph(text);
        let probes = loaded.graph.probes(&loaded.graph.kinds());
        let mut shown: Vec<String> = Vec::new();
        for (path, text) in &probes.files {
            let calls = text.lines().map(str::trim);
            let calls =
                calls.filter(|line| line.contains("show(") || line.ends_with("_prove(show);"));
            shown.extend(calls.map(|call| format!("{}: {call}", path.display())));
        }
        let call = |shown: &str, name: &str, json: &str, kube: &str| {
            format!(
                "/api.rs: show(\"demo(bin)::api::{shown}\", &|| {json}::to_string(&<{name} as {kube}::CustomResourceExt>::crd()).unwrap());"
            )
        };
        let crd = |shown: &str, name: &str, json: &str| call(shown, name, json, "::kube::core");
        let mut expected = vec![
            crd("type::inner::DeepSpec", "Deep", "::serde_json"),
            crd("OwnSpec", "Own", "crate::json"),
            crd("made::MadeSpec", "made::Made", "::serde_json"),
            call(
                "v1::ManySpec",
                "v1::Many",
                "::serde_json",
                "own::kube::core",
            ),
            "/api.rs: inner::__crd_channels_prove(show);".to_owned(),
            "/api.rs: r#type::__crd_channels_prove(show);".to_owned(),
            "/main.rs: api::__crd_channels_prove(show);".to_owned(),
        ];
        shown.sort();
        expected.sort();
        assert_eq!(shown, expected);
        assert!(probes.files[std::path::Path::new("/main.rs")].contains("#[cfg(any())] fn main"));
        assert!(probes.unreached.is_empty());
    }
}
