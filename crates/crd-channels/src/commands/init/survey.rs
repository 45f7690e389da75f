//! What a workspace without any configuration has: its kinds, and the packages that they stand in.

use super::choice::{Choice, Definition, LeftOut};
use super::{names, texts};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Severity, Sink, Sources, Text};
use crd_channels_files::{Disk, Memory};
use crd_channels_generator::pipeline::packages::{self, chosen};
use crd_channels_generator::pipeline::{self, Overrides, Setup};
use crd_channels_projection::channel::Kind;
use crd_channels_projection::channel::config::Config;
use crd_channels_source::tree::TypeDef;
use crd_channels_workspace::{Package, Workspace};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The kinds of a workspace, and what was found on the way.
pub struct Survey {
    /// The workspace, and the configuration that the kinds were read with: the one that `init` writes where there is
    /// nothing to decide.
    pub setup: Setup,
    /// The kinds that could be read.
    pub kinds: Vec<Kind>,
    /// What reading them reported.
    pub findings: Vec<Diagnostic>,
    /// The types that are kinds and are not left out.
    pub types: Vec<KindType>,
    /// Whether no kind can be written.
    pub all_wrong: bool,
    /// What was decided on the way.
    decided: Choice,
}

/// A type that is a kind.
pub struct KindType {
    /// Its full path.
    pub path: String,
    /// Its definition. The module that it stands in is known by its number only where it was read.
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

    /// Leaves it out, with the reason in one line.
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
    /// Reads the workspace with some things decided, and with what then has to be said of kinds.
    pub fn with_names(
        choice: &mut Choice,
        root: &Path,
        sources: &Sources,
    ) -> Result<Self, Box<Diagnostic>> {
        choice.kinds.clear();
        let survey = Self::with(choice, root, sources)?;
        choice.kinds = names::clashing(&survey.kinds);
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
        let (kinds, types) = match pipeline::graph(&setup, &Disk, sources, &mut sink) {
            Some(graph) => {
                let kinds = pipeline::kinds(&setup, &graph, &mut sink);
                let types = graph.kinds().into_iter().map(|ty| {
                    let name = graph.name_of(&ty);
                    let path = format!("{}::{}", name.module, name.name);
                    KindType { path, def: ty.def }
                });
                (kinds, types.collect())
            }
            None => (Vec::new(), Vec::new()),
        };
        let mut findings = sink.into_diagnostics();
        findings.retain(|finding| finding.code != Code::NothingToDo);
        Ok(Self {
            setup,
            kinds,
            findings,
            types,
            all_wrong: false,
            decided: choice.clone(),
        })
    }

    /// The cfgs that nothing decides, each turned off: so it is where no flag and no build script sets it.
    pub fn undecided_cfgs(&self, sources: &Sources) -> BTreeSet<String> {
        let undecided = self
            .findings
            .iter()
            .filter(|finding| finding.code == Code::UnknownCfg);
        let names = undecided.filter_map(|finding| {
            let span = finding.span?;
            // What the build script of a dependency sets is not known by its absence.
            let file = sources.get(span.file).filter(|file| !file.foreign)?;
            let written = file.text.get(span.start as usize..span.end as usize)?;
            let name = written.split('=').next().unwrap_or_default().trim();
            Some(format!("!{name}"))
        });
        names.collect()
    }

    /// What is to be written.
    #[must_use]
    pub fn choice(&self, sources: &Sources) -> Choice {
        Choice {
            cfgs: self.decided.cfgs.clone(),
            features: self.decided.features.clone(),
            exclude: self.decided.exclude.clone(),
            kinds: self.decided.kinds.clone(),
            built: self.decided.built.clone(),
            ..Choice::of(&self.found(sources))
        }
    }

    /// Applies the choice, as if it had been written.
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

    /// How many findings keep CRDs from being written.
    #[must_use]
    pub fn errors(&self) -> usize {
        let severities = self.findings.iter().map(Diagnostic::severity);
        severities
            .filter(|severity| *severity == Severity::Error)
            .count()
    }

    /// Every version of every kind, and in place of those that could not be read the errors that say so. What is left out
    /// counts, since only in packages that are read can something be left out.
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
        let drafts = self.kinds.iter().flat_map(|kind| &kind.versions);
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

/// The configuration as `init` would write it.
fn unwritten(choice: &Choice, root: &Path, sources: &Sources, sink: &mut Sink) -> Config {
    let files = texts::files(choice)
        .into_iter()
        .map(|(path, text)| (root.join(path), text.into_bytes()));
    Config::read(&Memory(files.collect()), root, sources, sink).unwrap_or_default()
}

/// The member that a file belongs to, by the name that messages give the file.
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
