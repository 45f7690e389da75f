//! Files with kinds beside the modules of a walked package that no `mod` item names, so that rustc never reads them.

use crate::graph::Graph;
use crate::ids::ModuleId;
use crd_channels_diagnostics::{Sink, Span, Text};
use crd_channels_files::{DEEPEST_FOLDER, is_left_out};
use crd_channels_syntax::cfg::Scope;
use crd_channels_syntax::parse;
use crd_channels_syntax::tree::Item;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders whose files cargo or tests read on their own.
const APART: &[&str] = &[
    "benches",
    "bin",
    "examples",
    "fixtures",
    "templates",
    "test",
    "testdata",
    "tests",
    "ui",
];

/// A file with a kind that no `mod` item names.
#[derive(Clone, Debug)]
pub struct UndeclaredFile {
    /// The first of its types that is a kind.
    pub span: Span,
    /// The kinds that it has.
    pub kinds: Vec<Text>,
    /// Its name in messages.
    pub shown: Text,
    /// The name of its module.
    pub module: Text,
    /// The name in messages of the file that should declare it, if that exists.
    pub parent: Option<Text>,
}

impl Graph<'_> {
    /// The files with kinds in the walked packages that no `mod` item names. `read` are the canonical paths of the files that
    /// are modules, or that one includes.
    #[must_use]
    pub fn undeclared(&self, read: &BTreeSet<&Path>) -> Vec<UndeclaredFile> {
        let mut folders = BTreeSet::new();
        let mut found = Vec::new();
        for root in self.walked_roots() {
            let Some(info) = self.crates.get(root.0 as usize) else {
                continue;
            };
            let Some(folder) = info.target.root.parent() else {
                continue;
            };
            let is_apart = |part: &str| APART.contains(&part);
            let mut parts = folder.components();
            let inside = parts.any(|part| part.as_os_str().to_str().is_some_and(is_apart));
            if (info.target.lib || !inside) && folders.insert(folder.to_path_buf()) {
                let mut files = Vec::new();
                self.unread_files(folder, read, 0, &mut files);
                let files = files.iter();
                found.extend(files.filter_map(|file| self.undeclared_file(root, file)));
            }
        }
        found
    }

    /// Adds the source files in a folder, and below it, that may have kinds and were not read.
    fn unread_files(
        &self,
        folder: &Path,
        read: &BTreeSet<&Path>,
        depth: usize,
        found: &mut Vec<PathBuf>,
    ) {
        let canonical = self.files.canonical(folder).ok();
        for path in self.files.list(folder).unwrap_or_default() {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if !name.ends_with(".rs") {
                // A file without an extension has no entries.
                let goes_on = !is_left_out(&path) && !APART.contains(&name) && !name.contains('.');
                if goes_on
                    && depth < DEEPEST_FOLDER
                    && !self.files.is_file(&path.join("Cargo.toml"))
                {
                    self.unread_files(&path, read, depth + 1, found);
                }
                continue;
            }
            let is_read = |path: PathBuf| read.contains(&*path);
            let here = || canonical.as_ref().is_some_and(|of| is_read(of.join(name)));
            if here() || self.files.canonical(&path).map_or(true, is_read) {
                continue;
            }
            let text = self.files.read_text(&path).unwrap_or_default();
            if text.contains("CustomResource") || text.contains("kube(") {
                found.push(path);
            }
        }
    }

    fn undeclared_file(&self, root: ModuleId, file: &Path) -> Option<UndeclaredFile> {
        let stem = file.file_stem()?.to_str()?;
        let folder = file.parent()?;
        let (name, folder) = match stem {
            "mod" => (folder.file_name()?.to_str()?, folder.parent()?),
            stem => (stem, folder),
        };
        if matches!(name, "build" | "lib" | "main") {
            return None;
        }
        let parents = match folder == self.crates.get(root.0 as usize)?.target.root.parent()? {
            true => vec![folder.join("lib.rs"), folder.join("main.rs")],
            false => vec![folder.with_extension("rs"), folder.join("mod.rs")],
        };
        let parent = parents.into_iter().find(|path| self.files.is_file(path));
        let names_it = |path: &Path| {
            let text = self.files.read_text(path);
            text.is_ok_and(|text| names_module(&text, name, stem))
        };
        if parent.as_deref().is_some_and(names_it)
            || self.local_files().iter().any(|path| names_it(path))
        {
            return None;
        }
        let module = self.module(root)?;
        let package = self.package(&module)?;
        let naming = self.naming(&module);
        let shown = naming.display_path(file);
        let text: Arc<str> = self.files.read_text(file).ok()?.into();
        let id = self.sources().add(shown.clone(), Arc::clone(&text));
        let scope = Scope::new(self.cfgs(), package, true);
        let parsed = parse::parse(&text, id, &scope, None, &mut Sink::default());
        let mut kinds = Vec::new();
        let span = kinds_in(&parsed.items, &mut kinds)?;
        Some(UndeclaredFile {
            span,
            kinds,
            shown,
            module: name.into(),
            parent: parent.map(|path| naming.display_path(&path)),
        })
    }

    /// The source files of the packages in the user's own folders.
    fn local_files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let local = self
            .workspace
            .packages
            .iter()
            .filter(|package| package.local);
        let mut open: Vec<_> = local.map(|package| (package.root.clone(), 0)).collect();
        let mut seen = BTreeSet::new();
        while let Some((folder, depth)) = open.pop() {
            if !seen.insert(folder.clone()) {
                continue;
            }
            for path in self.files.list(&folder).unwrap_or_default() {
                if path.extension().is_some_and(|extension| extension == "rs") {
                    found.push(path);
                } else if !is_left_out(&path) && depth < DEEPEST_FOLDER {
                    open.push((path, depth + 1));
                }
            }
        }
        found
    }
}

/// Whether a file may be what this text declares as a module or includes. Errs towards true.
fn names_module(text: &str, name: &str, stem: &str) -> bool {
    let file = match stem {
        "mod" => format!("{name}/mod.rs\""),
        stem => format!("{stem}.rs\""),
    };
    let declares = |line: &str| {
        let mut words = line.split("mod ").skip(1);
        words.any(|rest| {
            let rest = rest.trim_start();
            let rest = rest.strip_prefix("r#").unwrap_or(rest);
            let named = rest.strip_prefix(name);
            // A macro may make the name.
            named.is_some_and(|rest| rest.trim_start().starts_with(';')) || rest.starts_with('$')
        })
    };
    text.contains("automod::dir!")
        || text.contains(&file)
        || text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .any(declares)
}

/// Adds the names of the kinds among items, and returns the first of their types.
fn kinds_in(items: &[Item], kinds: &mut Vec<Text>) -> Option<Span> {
    let mut first = None;
    for item in items {
        let found = match item {
            Item::Type(def) if def.is_kind() => {
                let kube = def.attrs.kube.as_ref();
                let kind = kube.and_then(|kube| kube.kind.as_ref());
                kinds.push(kind.map_or_else(|| def.name.clone(), |kind| kind.value.clone()));
                Some(def.span)
            }
            Item::Mod(def) => def.inline.as_ref().and_then(|items| kinds_in(items, kinds)),
            _ => None,
        };
        first = first.or(found);
    }
    first
}

#[cfg(test)]
mod tests {
    use super::names_module;

    #[test]
    fn what_may_name_a_file_is_found() {
        for text in [
            "pub mod v1;",
            "mod a; pub(crate) mod  v1 ;",
            "#[path = \"old/v1.rs\"] mod other;",
            "include!(\"v1.rs\");",
            "macro_rules! m { ($v:ident) => { pub mod $v; } }",
            "mod r#v1;",
        ] {
            assert!(names_module(text, "v1", "v1"), "{text}");
        }
        for text in [
            "pub mod v1beta1;",
            "mod v1 { }",
            "// pub mod v1;",
            "/// The types of `v1`.",
            "use crate::v1;",
        ] {
            assert!(!names_module(text, "v1", "v1"), "{text}");
        }
        assert!(names_module("#[path = \"v1/mod.rs\"] mod a;", "v1", "mod"));
    }
}
