//! A survey of a workspace without configuration: its kinds and the packages that define them.

use super::choice::{Choice, Definition, LeftOut};
use super::{names, texts};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Severity, Sink, Sources, Text};
use crd_channels_files::{Disk, Memory};
use crd_channels_generator::pipeline::packages::{self, chosen};
use crd_channels_generator::pipeline::{self, Overrides, Setup, is_recordable};
use crd_channels_projection::channel::Kind;
use crd_channels_projection::channel::config::Config;
use crd_channels_source::attrs::SchemaMode;
use crd_channels_source::tree::TypeDef;
use crd_channels_workspace::{Package, Workspace};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The kinds of a workspace and the findings about them.
pub struct Survey {
    /// The workspace and the configuration that the kinds were read with: the default one plus the decisions so far.
    pub setup: Setup,
    /// The kinds that can be read.
    pub kinds: Vec<Kind>,
    /// These and the kinds of which source does not tell everything: their names, versions and groups.
    named: Vec<Kind>,
    /// The diagnostics of reading them.
    pub findings: Vec<Diagnostic>,
    /// The types that define kinds and are not left out.
    pub types: Vec<KindType>,
    /// How many kinds have no schema, `schema = "disabled"`, and so no CRD.
    pub without_schema: usize,
    /// Whether no kind can be written.
    pub all_wrong: bool,
    /// The decisions so far.
    decided: Choice,
}

/// A type that defines a kind.
pub struct KindType {
    /// Its full path.
    pub path: String,
    /// Its definition. The number of its module is only valid in the run that read it.
    pub def: Arc<TypeDef>,
}

impl KindType {
    /// The name of the kind.
    #[must_use]
    pub fn kind(&self) -> &Text {
        let kind = self
            .def
            .attrs
            .kube
            .as_ref()
            .and_then(|kube| kube.kind.as_ref());
        kind.map_or(&self.def.name, |kind| &kind.value)
    }

    /// Whether it has a schema, so that there is a CRD of it.
    fn has_schema(&self) -> bool {
        let kube = self.def.attrs.kube.as_ref();
        kube.is_none_or(|kube| kube.schema != SchemaMode::Disabled)
    }

    /// Returns the entry that leaves it out, with the reason in one line.
    #[must_use]
    pub fn left_out(&self, why: String) -> LeftOut {
        LeftOut {
            path: self.path.clone(),
            kind: self.kind().to_string(),
            file: self.def.span.file,
            why,
            finding: None,
        }
    }
}

impl Survey {
    /// Reads the workspace with the decisions so far, then decides about conflicting names of kinds.
    pub fn with_names(
        choice: &mut Choice,
        root: &Path,
        sources: &Sources,
    ) -> Result<Self, Box<Diagnostic>> {
        choice.kinds.clear();
        let survey = Self::with(choice, root, sources)?;
        choice.kinds = names::needed(&survey.named);
        if choice.kinds.is_empty() {
            return Ok(survey);
        }
        Self::with(choice, root, sources)
    }

    fn with(choice: &Choice, root: &Path, sources: &Sources) -> Result<Self, Box<Diagnostic>> {
        let mut sink = Sink::default();
        let config = unwritten(choice, root, sources, &mut sink);
        let (workspace, packages) = packages::load(root, &config, &Disk, &mut sink)?;
        let setup = Setup {
            workspace,
            config,
            packages,
            overrides: Overrides::default(),
            recorded: Vec::new(),
        };
        let (kinds, named, mut types): (_, _, Vec<KindType>) =
            match pipeline::graph(&setup, &Disk, sources, &mut sink) {
                Some(graph) => {
                    let kinds = pipeline::kinds(&setup, &graph, &mut sink);
                    let named = match sink.diagnostics().iter().any(is_recordable) {
                        true => pipeline::kinds_with_holes(&setup, &graph),
                        false => kinds.clone(),
                    };
                    let types = graph.kinds().into_iter().map(|ty| {
                        let name = graph.name_of(&ty);
                        let path = format!("{}::{}", name.module, name.name);
                        KindType { path, def: ty.def }
                    });
                    (kinds, named, types.collect())
                }
                None => Default::default(),
            };
        let all = types.len();
        types.retain(KindType::has_schema);
        let mut findings = sink.into_diagnostics();
        findings.retain(|finding| finding.code != Code::NothingToDo);
        Ok(Self {
            setup,
            kinds,
            named,
            findings,
            without_schema: all - types.len(),
            types,
            all_wrong: false,
            decided: choice.clone(),
        })
    }

    /// Returns the undecided cfgs, each turned off, which is their value if no flag and no build script sets them.
    pub fn undecided_cfgs(&self, sources: &Sources) -> BTreeSet<String> {
        let undecided = self
            .findings
            .iter()
            .filter(|finding| finding.code == Code::UnknownCfg);
        let names = undecided.filter_map(|finding| {
            let span = finding.span?;
            // A cfg in a dependency may be set by its build script.
            let file = sources.get(span.file).filter(|file| !file.foreign)?;
            let written = file.text.get(span.start as usize..span.end as usize)?;
            let name = written.split('=').next().unwrap_or_default().trim();
            Some(format!("!{name}"))
        });
        names.collect()
    }

    /// Returns the settings to write.
    #[must_use]
    pub fn choice(&self, sources: &Sources) -> Choice {
        Choice {
            cfgs: self.decided.cfgs.clone(),
            features: self.decided.features.clone(),
            exclude: self.decided.exclude.clone(),
            kinds: self.decided.kinds.clone(),
            built: self.decided.built.clone(),
            ..Choice::from_kinds(&self.found(sources))
        }
    }

    /// Applies the choice as if it were already written.
    pub fn apply_choice(
        &mut self,
        choice: &Choice,
        root: &Path,
        sources: &Sources,
        sink: &mut Sink,
    ) {
        let Setup {
            workspace,
            config,
            packages,
            overrides: _,
            recorded: _,
        } = &mut self.setup;
        *config = unwritten(choice, root, sources, sink);
        *packages = chosen(workspace, config, &Disk, sink);
    }

    /// Returns the number of findings that keep CRDs from being written, whatever is recorded.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count_errors(false)
    }

    /// Returns the number of values and schemas that only the compiled types tell.
    #[must_use]
    pub fn holes(&self) -> usize {
        self.count_errors(true)
    }

    /// Returns the names of the kinds that lack what the compiled types tell.
    pub fn open_kinds(&self) -> BTreeSet<&Text> {
        let is_read = |name: &Text| self.kinds.iter().any(|kind| kind.kind == *name);
        let names = self.types.iter().map(KindType::kind);
        names.filter(|name| !is_read(name)).collect()
    }

    fn count_errors(&self, recordable: bool) -> usize {
        let errors = self.findings.iter();
        let errors = errors.filter(|finding| finding.severity() == Severity::Error);
        errors
            .filter(|finding| is_recordable(finding) == recordable)
            .count()
    }

    /// Returns every version of every kind, and the errors for those that could not be read. Excluded types count, because
    /// types can only be excluded from packages that are read.
    fn found(&self, sources: &Sources) -> Vec<Definition<'_>> {
        let workspace = &self.setup.workspace;
        let at = |file: FileId, group| {
            let package = package_of(&sources.get(file)?.shown, workspace)?;
            Some(Definition {
                package: &package.name,
                version: &package.version,
                group,
            })
        };
        let drafts = self.named.iter().flat_map(|kind| &kind.versions);
        let drafts = drafts.filter_map(|draft| at(draft.span.file, Some(&*draft.group)));
        let errors = self
            .findings
            .iter()
            .filter(|finding| finding.severity() == Severity::Error)
            .filter_map(|finding| at(finding.span?.file, None))
            .filter(|found| self.walks(found.package));
        let left_out = self.decided.exclude.iter();
        let left_out = left_out.filter_map(|one| at(one.file, None));
        drafts.chain(errors).chain(left_out).collect()
    }

    fn walks(&self, package: &str) -> bool {
        let id = self.setup.workspace.member(package);
        id.is_some_and(|id| self.setup.packages.contains(&id))
    }
}

/// Returns the configuration that `init` would write.
fn unwritten(choice: &Choice, root: &Path, sources: &Sources, sink: &mut Sink) -> Config {
    let files = texts::files(choice)
        .into_iter()
        .map(|(path, text)| (root.join(path), text.into_bytes()));
    Config::read(&Memory(files.collect()), root, sources, sink).unwrap_or_default()
}

/// Returns the member that a file belongs to, given the file's name in messages.
fn package_of<'w>(shown: &str, workspace: &'w Workspace) -> Option<&'w Package> {
    let folder = |package: &Package| match package.root.strip_prefix(&workspace.root) {
        Ok(inside) => {
            let parts = inside.iter().map(|part| part.to_string_lossy());
            parts.map(|part| format!("{part}/")).collect()
        }
        Err(_) => format!("{}-{}/", package.name, package.version),
    };
    let members = workspace.members.iter();
    members
        .filter_map(|id| workspace.package(*id))
        .map(|package| (folder(package), package))
        .filter(|(folder, _)| shown.starts_with(folder.as_str()))
        .max_by_key(|(folder, _)| folder.len())
        .map(|(_, package)| package)
}

#[cfg(test)]
mod tests {
    use super::package_of;
    use crd_channels_workspace::{Package, PackageId, Workspace};

    #[test]
    fn files_belong_to_the_innermost_package() {
        let package = |name: &str, root: &str| Package {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            root: root.into(),
            ..Package::default()
        };
        let workspace = Workspace {
            root: "/w".into(),
            packages: vec![
                package("w", "/w"),
                package("api", "/w/api"),
                package("far", "/far"),
            ],
            members: (0..3).map(PackageId).collect(),
            ..Workspace::default()
        };
        for (shown, name) in [
            ("src/lib.rs", "w"),
            ("api/src/lib.rs", "api"),
            ("api-types.rs", "w"),
            ("far-1.0.0/src/lib.rs", "far"),
        ] {
            let package = package_of(shown, &workspace);
            assert_eq!(package.map(|package| &*package.name), Some(name), "{shown}");
        }
    }
}
