//! The package that is written: its place in a workspace, its files, and what is done with them.

use super::mapping::{self, File};
use super::{Channel, Request, kept, losses, texts};
use crate::commands::init::configured;
use crate::commands::interrupted;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{ChangeKind, Disk, Plan, Read, diff, shown_path};
use crd_channels_import::{Imported, Purpose};
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_workspace as workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most lines of a difference that are shown of a file.
const SHOWN: usize = 40;

/// A package, and the workspace that it is in.
pub(super) struct Package {
    /// The workspace.
    pub(super) root: PathBuf,
    /// The folder of the package.
    pub(super) folder: PathBuf,
    /// That folder as the user named it.
    shown: String,
    /// Its path below the workspace, with a `/` at the end.
    prefix: String,
    /// The name of the package.
    name: String,
    /// Whether no CRD is made of its types.
    is_client: bool,
}

impl Package {
    /// The package in a folder.
    pub(super) fn new(folder: PathBuf, shown: &Path, purpose: Purpose) -> Self {
        let parent = folder.parent().unwrap_or(&folder);
        let above = workspace::root_above(parent, &Disk);
        // A package alone is a workspace of its own.
        let root = above
            .filter(|root| {
                let manifest = Disk.read_text(&root.join("Cargo.toml"));
                workspace::declares_workspace(&manifest.unwrap_or_default())
            })
            .unwrap_or_else(|| folder.clone());
        let below = folder.strip_prefix(&root).unwrap_or(Path::new(""));
        let prefix = below
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        let prefix: String = prefix.map(|part| format!("{part}/")).collect();
        let name = folder
            .file_name()
            .map(|name| name.to_string_lossy().replace('.', "-"));
        Self {
            root,
            shown: shown_path(shown),
            prefix,
            name: name.unwrap_or_else(|| "api".into()),
            folder,
            is_client: purpose != Purpose::Source,
        }
    }

    /// What an import writes into the package, by path below it.
    pub(super) fn files(&self, imported: &Imported, file: &File) -> BTreeMap<String, String> {
        let manifest = texts::manifest(&self.name, imported, self.is_client, &file.dependencies);
        let source = imported.files.iter();
        let source = source.map(|(path, text)| (format!("src/{path}"), text.clone()));
        let mut files: BTreeMap<String, String> = source.collect();
        files.insert("Cargo.toml".to_owned(), manifest);
        let kept = kept::text(&files);
        files.insert(kept::FILE.to_owned(), kept);
        files.insert(mapping::FILE.to_owned(), file.with(&imported.mapping));
        files
    }

    /// Writes a new package, and the configuration if the workspace has none.
    pub(super) fn write(
        &self,
        request: &Request,
        channels: &[Channel],
        imported: &Imported,
        files: BTreeMap<String, String>,
    ) -> Result<(), Box<Diagnostic>> {
        let mut files = self.below_root(files);
        let is_configured = !self.is_client && configured(&self.root).is_some();
        if !is_configured && !self.is_client {
            files.extend(texts::configuration(&self.name, channels, imported));
        }
        let lines: usize = files.values().map(|text| text.lines().count()).sum();
        let plan = Plan::new("the imported types", self.root.clone(), files, Vec::new());
        let applied = interrupted::apply(&plan)?;
        let kinds: usize = channels.last().map_or(0, |channel| channel.crds.len());
        println!(
            "{}: {} with {lines} lines in `{}`",
            counted(kinds, "CRD"),
            counted(applied.created.len(), "file"),
            shown_path(&request.out)
        );
        let features = imported.features.join(", ");
        if !features.is_empty() {
            println!("features, as `{FOLDER}/features.toml` names them: {features}");
        }
        losses::warn(&imported.losses);
        if is_configured {
            note!(
                "`{FOLDER}/*.toml` is there already and was not changed: set `conventions = \"kubernetes\"` in `{FOLDER}/bundle.toml`"
            );
        }
        Ok(())
    }

    /// Reports every file that an import would write otherwise. The manifest has what people say about the package, so it may
    /// differ.
    pub(super) fn check(
        &self,
        mut files: BTreeMap<String, String>,
        sink: &mut Sink,
    ) -> Result<(), Box<Diagnostic>> {
        files.remove("Cargo.toml");
        let gone: BTreeSet<String> = self
            .source()?
            .into_keys()
            .filter(|path| !files.contains_key(path))
            .collect();
        let gone = gone
            .iter()
            .map(|path| format!("{}{path}", self.prefix))
            .collect();
        let planned = files.len();
        let plan = Plan::new(
            "the imported types",
            self.root.clone(),
            self.below_root(files),
            Vec::new(),
        );
        let changes = plan.removing(gone).compare(&Disk)?;
        for change in &changes {
            let state = match change.kind {
                ChangeKind::Missing => "missing",
                ChangeKind::Differs => "other than `import` makes it",
                ChangeKind::Orphan => "no file that `import` makes",
            };
            let finding = Diagnostic::new(
                Code::StaleFiles,
                None,
                format!("`{}` is {state}", change.path),
            );
            sink.push(finding.with_help("run the same command with `--update` in place of `--check`, and commit what it writes"));
            // What it keeps follows from the other files.
            if !change.path.ends_with(kept::FILE) {
                print!("{}", diff(change, Some(SHOWN)));
            }
        }
        match changes.len() {
            0 => println!(
                "{} in `{}`, as `import` makes them",
                counted(planned, "file"),
                self.shown
            ),
            count => println!(
                "{} in `{}` {} not as `import` makes them",
                counted(count, "file"),
                self.shown,
                if count == 1 { "is" } else { "are" }
            ),
        }
        Ok(())
    }

    /// The Rust files that are there, by path below the package.
    pub(super) fn source(&self) -> Result<BTreeMap<String, String>, Box<Diagnostic>> {
        let mut files = BTreeMap::new();
        let mut open = vec![self.folder.join("src")];
        while let Some(folder) = open.pop() {
            for path in Disk.list(&folder).unwrap_or_default() {
                if !Disk.is_file(&path) {
                    open.push(path);
                    continue;
                }
                let below = path.strip_prefix(&self.folder).unwrap_or(&path);
                if below.extension().is_none_or(|end| end != "rs") {
                    continue;
                }
                let text = Disk.read_text(&path).map_err(|error| {
                    let message = format!("`{}` cannot be read: {error}", shown_path(&path));
                    Diagnostic::new(Code::UnreadableFile, None, message)
                        .with_help("make the file readable")
                })?;
                files.insert(crd_channels_files::slashed(below), text);
            }
        }
        Ok(files)
    }

    /// The path of a file below the workspace.
    pub(super) fn path_of(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// The files by their paths below the workspace.
    pub(super) fn below_root(&self, files: BTreeMap<String, String>) -> BTreeMap<String, String> {
        let files = files.into_iter();
        files
            .map(|(path, text)| (self.path_of(&path), text))
            .collect()
    }
}
