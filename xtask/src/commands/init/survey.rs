//! What a workspace without any configuration has: its kinds, and the packages that they stand in.

use super::aside::{self, Aside};
use super::choice::{Choice, Found};
use super::{features, mirrors, names, texts, twins};
use crate::channel::Kind;
use crate::channel::config::Config;
use crate::diag::{Code, Diagnostic, FileId, Severity, Sink};
use crate::files::{Disk, Memory, Sources};
use crate::lower::Overrides;
use crate::pipeline::packages::chosen;
use crate::pipeline::{self, Setup};
use crate::render::Convention;
use crate::workspace::{self, Package, Workspace};
use std::path::Path;

/// The kinds of a workspace, and what was found on the way.
pub struct Survey {
    /// The workspace, and the configuration that the kinds were read with: the one that `init` writes where there is
    /// nothing to decide.
    pub setup: Setup,
    /// The kinds that could be read.
    pub kinds: Vec<Kind>,
    /// What reading them reported.
    pub findings: Vec<Diagnostic>,
    /// The types that were left out, as others are the same version of their kind.
    pub twins: Vec<String>,
    /// The types that were left out, as their kinds are those of other projects.
    pub mirrors: Vec<String>,
    /// The types that were left out, as their kinds cannot be written.
    pub aside: Vec<Aside>,
    /// What was decided on the way.
    decided: Choice,
}

/// Why a type is left out that is the same version of a kind as another one.
const TWIN: &str = "the same version of a kind that another type is";

/// Why a type is left out whose CRD another project makes.
const MIRROR: &str =
    "kinds of other projects, it seems: `crd()` is called for types of other domains only";

impl Survey {
    /// Looks at the workspace in `root`.
    ///
    /// # Errors
    /// `cargo-failed` when cargo cannot be run or refuses the workspace.
    pub fn of(root: &Path, sources: &Sources) -> Result<Self, Box<Diagnostic>> {
        let mut choice = Choice {
            convention: Convention::Kube,
            ..Choice::default()
        };
        let (mut survey, mut twins) = Self::with(&choice, root, sources)?;
        choice.features = features::needed(&survey, root, sources);
        if !choice.features.is_empty() {
            (survey, twins) = Self::with(&choice, root, sources)?;
        }
        let mirrors = mirrors::find(&survey, sources);
        if !mirrors.is_empty() {
            let left_out = mirrors.iter().map(|path| (path.clone(), MIRROR.to_owned()));
            choice.exclude.extend(left_out);
            (survey, twins) = Self::with(&choice, root, sources)?;
        }
        if !twins.is_empty() {
            let left_out = twins.iter().map(|path| (path.clone(), TWIN.to_owned()));
            choice.exclude.extend(left_out);
            survey = Self::with(&choice, root, sources)?.0;
        }
        choice.kinds = names::said(&survey.kinds);
        if !choice.kinds.is_empty() {
            survey = Self::with(&choice, root, sources)?.0;
        }
        let aside = aside::find(&survey, sources);
        if !aside.is_empty() {
            let left_out = aside.iter().map(|one| (one.path.clone(), one.why()));
            choice.exclude.extend(left_out);
            choice.kinds = names::said(&survey.kinds);
            survey = Self::with(&choice, root, sources)?.0;
        }
        survey.twins = twins;
        survey.mirrors = mirrors;
        survey.aside = aside;
        Ok(survey)
    }

    /// The same with some things decided, and the types that are in the way of others.
    fn with(
        choice: &Choice,
        root: &Path,
        sources: &Sources,
    ) -> Result<(Self, Vec<String>), Box<Diagnostic>> {
        let mut sink = Sink::default();
        let config = unwritten(choice, root, sources, &mut sink);
        let workspace = workspace::load(root, pipeline::wanted(&config.bundle))?;
        let packages = chosen(&workspace, &config, &Disk, &mut sink);
        let setup = Setup {
            workspace,
            config,
            packages,
            overrides: Overrides::default(),
        };
        let (kinds, findings, twins) = {
            let graph = pipeline::graph(&setup, &Disk, sources, &mut sink);
            let kinds = match &graph {
                Some(graph) => pipeline::kinds(&setup, graph, &mut sink),
                None => Vec::new(),
            };
            let mut findings = sink.into_diagnostics();
            findings.retain(|finding| finding.code != Code::NothingToDo);
            let twins = graph.map(|graph| twins::in_the_way(&graph, &findings));
            (kinds, findings, twins.unwrap_or_default())
        };
        let survey = Self {
            setup,
            kinds,
            findings,
            twins: Vec::new(),
            mirrors: Vec::new(),
            aside: Vec::new(),
            decided: choice.clone(),
        };
        Ok((survey, twins))
    }

    /// What is to be written.
    #[must_use]
    pub fn choice(&self, sources: &Sources) -> Choice {
        Choice {
            features: self.decided.features.clone(),
            exclude: self.decided.exclude.clone(),
            kinds: self.decided.kinds.clone(),
            ..Choice::of(&self.found(sources))
        }
    }

    /// Goes on as if the choice had been written.
    pub fn settle(&mut self, choice: &Choice, root: &Path, sources: &Sources, sink: &mut Sink) {
        let Setup {
            workspace,
            config,
            packages,
            overrides: _,
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

    /// Every version of every kind, and in place of those that could not be read the errors that say so.
    fn found(&self, sources: &Sources) -> Vec<Found<'_>> {
        let workspace = &self.setup.workspace;
        let at = |file: FileId, group| {
            let package = package_of(&sources.get(file)?.shown, workspace)?;
            Some(Found {
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
        drafts.chain(errors).collect()
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
    use crate::workspace::{Package, PackageId, Workspace};

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
