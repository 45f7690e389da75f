//! Loads modules: in advance, or on first use.

use super::files::not_utf8;
use super::{Content, Module, ModuleDir, Origin};
use crate::graph::{FileRead, Graph};
use crate::ids::ModuleId;
use crate::modules;
use crd_channels_diagnostics::{Diagnostic, Sink, Text};
use crd_channels_files::digest;
use crd_channels_syntax::cfg::Scope;
use crd_channels_syntax::parse;
use crd_channels_syntax::parse::Parsed;
use crd_channels_workspace::PackageId;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

impl Graph<'_> {
    /// Loads all modules of the packages' library and binary targets, in parallel.
    pub fn load(&self, packages: &[PackageId], sink: &mut Sink) {
        let mut walked = self.walked.write().unwrap_or_else(PoisonError::into_inner);
        walked.extend(packages);
        drop(walked);
        rayon::scope(|scope| {
            for (info, index) in self.crates.iter().zip(0..) {
                if packages.contains(&info.package) {
                    scope.spawn(move |scope| self.load_below(scope, ModuleId(index)));
                }
            }
        });
        sink.append(self.take_findings());
    }

    fn load_below<'scope>(&'scope self, scope: &rayon::Scope<'scope>, id: ModuleId) {
        let Some(module) = self.module(id) else {
            return;
        };
        for child in &self.content(id, &module).children {
            let child = *child;
            scope.spawn(move |scope| self.load_below(scope, child));
        }
    }

    /// Reads a module's file and indexes its items.
    pub(crate) fn load_module(&self, id: ModuleId, module: &Module) -> Content {
        let mut sink = Sink::default();
        let content = match self.locate(module) {
            Ok((file, place)) => {
                let parsed = self.read_file(module, &file, &mut sink);
                modules::index(parsed, id, &place, &mut |parent, def, origin| {
                    self.register(parent, def, origin)
                })
            }
            Err(found) => Content {
                failed: Some(found),
                ..Content::default()
            },
        };
        if let Some(found) = &content.failed {
            sink.push(found.clone());
        }
        self.report(sink);
        content
    }

    /// The file of a module, and the folder for its child modules.
    pub(crate) fn locate(&self, module: &Module) -> Result<(PathBuf, ModuleDir), Diagnostic> {
        let (file, place) = match &module.origin {
            Origin::Root(file) => (file.clone(), ModuleDir::root(file)),
            Origin::File(def, place) => {
                place.find(def, self.files, |path| self.display_path(module, path))?
            }
            Origin::Inline | Origin::Body => {
                return Ok((PathBuf::new(), ModuleDir::root(Path::new(""))));
            }
        };
        let Ok(canonical) = self.files.canonical(&file) else {
            return Ok((file, place));
        };
        let mut next = module.parent;
        while let Some(parent) = next.and_then(|id| self.module(id)) {
            if parent.canonical.get() == Some(&canonical) {
                let (name, span) = match &module.origin {
                    Origin::File(def, _) => (&*def.name, Some(def.span)),
                    _ => ("crate", None),
                };
                return Err(modules::cycle(
                    name,
                    span,
                    &self.display_path(module, &file),
                ));
            }
            next = parent.parent;
        }
        let _ = module.canonical.set(canonical);
        let _ = module.file.set(file.clone());
        Ok((file, place))
    }

    fn read_file(&self, module: &Module, file: &Path, sink: &mut Sink) -> Parsed {
        let Some(package) = self.package(module) else {
            return Parsed::default();
        };
        let bytes = match self.files.read(file) {
            Ok(bytes) => bytes,
            Err(error) => return Parsed::failed(self.unreadable(module, package, file, &error)),
        };
        if let Some(file) = module.canonical.get() {
            let read = FileRead {
                module: module.path.clone(),
                digest: digest(&bytes),
                included: false,
            };
            let mut files = self
                .files_read
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            files.insert(file.clone(), read);
        }
        let shown = self.display_path(module, file);
        let text = match String::from_utf8(bytes) {
            Ok(text) => Text::from(text),
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                return Parsed::failed(not_utf8(self.sources().add(shown, text), at));
            }
        };
        let info = self.crates.get(module.crate_id.0 as usize);
        let member = info.is_some_and(|info| self.workspace.members.contains(&info.package));
        let id = self.sources().add_of(!member, shown, Arc::clone(&text));
        let strict = info.is_some_and(|info| self.is_walked(info.package));
        let scope = Scope::new(self.cfgs(), package, strict);
        let Some(includes) = self.includes_of(module, Some(file), !member) else {
            return Parsed::default();
        };
        let parsed = parse::parse(&text, id, &scope, Some(&includes), sink);
        self.remember_included(module, includes);
        parsed
    }
}
