//! `--update`: merges what the CRDs changed into a package that people changed since it was imported.

use super::mapping::File;
use super::package::Package;
use super::{Channel, kept, mapping, texts};
use crate::commands::interrupted;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Code, Diagnostic, Sink};
use crd_channels_files::{Change, ChangeKind, Disk, Plan, Read, diff};
use crd_channels_import::{Conflict, Files, Imported, merge, merge_texts};
use crd_channels_projection::channel::config::FOLDER;
use std::collections::BTreeSet;

/// The package's manifest, which is merged as plain text.
const MANIFEST: &str = "Cargo.toml";

/// What is merged.
pub(super) struct Sides {
    /// What the last import wrote.
    pub(super) base: Files,
    /// What people made of it.
    pub(super) ours: Files,
}

/// What an update needs to know.
pub(super) struct Update<'a> {
    pub(super) package: &'a Package,
    pub(super) channels: &'a [Channel],
    pub(super) file: &'a File,
}

impl Sides {
    /// Reads both from the package.
    pub(super) fn read(package: &Package) -> Result<Self, Box<Diagnostic>> {
        let path = package.folder.join(kept::FILE);
        let base = Disk
            .read_text(&path)
            .ok()
            .and_then(|text| kept::files(&text));
        let Some(base) = base else {
            let message = format!("`{}` is not as `import` writes it", kept::FILE);
            let help = "restore it from git; after a merge, take either side as a whole, and run the same command again";
            return Err(Box::new(
                Diagnostic::new(Code::ConfigInvalid, None, message).with_help(help),
            ));
        };
        let mut ours = package.source()?;
        let manifest = Disk.read_text(&package.folder.join(MANIFEST));
        ours.extend(manifest.ok().map(|text| (MANIFEST.to_owned(), text)));
        Ok(Self { base, ours })
    }
}

impl Update<'_> {
    /// Writes the merged files, or reports what cannot be merged.
    pub(super) fn write(
        &self,
        sides: &Sides,
        imported: &Imported,
        sink: &mut Sink,
    ) -> Result<(), Box<Diagnostic>> {
        let written = self.package.files(imported, self.file);
        let merged = match merged(sides, &written) {
            Ok(merged) => merged,
            Err(conflicts) => {
                self.report(conflicts, sink);
                return Ok(());
            }
        };
        let gone = sides.ours.keys().filter(|path| !merged.contains_key(*path));
        let gone: BTreeSet<String> = gone.map(|path| self.package.path_of(path)).collect();
        let mut files = merged;
        for name in [kept::FILE, mapping::FILE] {
            files.extend(
                written
                    .get(name)
                    .map(|text| (name.to_owned(), text.clone())),
            );
        }
        let mut files = self.package.below_root(files);
        let features = format!("{FOLDER}/features.toml");
        let text = Disk
            .read_text(&self.package.root.join(&features))
            .unwrap_or_default();
        let declared = texts::features(&text, &imported.features);
        if declared != text {
            files.insert(features, declared);
        }
        let plan = Plan::new(
            "the imported types",
            self.package.root.clone(),
            files,
            Vec::new(),
        );
        let applied = interrupted::apply(&plan.removing(gone))?;
        let kinds: usize = self.channels.last().map_or(0, |channel| channel.crds.len());
        let count = |files: &[String], what: &str| match files.len() {
            0 => String::new(),
            count => format!(", {} {what}", counted(count, "file")),
        };
        println!(
            "{}{}{}{}{}",
            counted(kinds, "CRD"),
            count(&applied.created, "new"),
            count(&applied.replaced, "changed"),
            count(&applied.removed, "removed"),
            if applied.created.len() + applied.replaced.len() + applied.removed.len() == 0 {
                ", nothing to change"
            } else {
                ""
            },
        );
        Ok(())
    }

    fn report(&self, conflicts: Vec<Conflict>, sink: &mut Sink) {
        for Conflict {
            file,
            what,
            base,
            ours,
            theirs,
        } in conflicts
        {
            let path = self.package.path_of(&file);
            let message = format!("`{path}`: the CRDs and you changed {what}");
            let help = "make the change that is shown in this place yourself, and run the same command again";
            sink.push(Diagnostic::new(Code::ImportConflict, None, message).with_help(help));
            let change = Change {
                path: format!("{path} {what}"),
                kind: ChangeKind::Differs,
                old: Some(base),
                new: Some(theirs),
            };
            print!("{}", diff(&change, None));
            println!(
                "in the place of the first, there is now:\n{}",
                indented(&ours)
            );
        }
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

/// Merges all files of the package.
fn merged(sides: &Sides, written: &Files) -> Result<Files, Vec<Conflict>> {
    let [base, ours, theirs] =
        [&sides.base, &sides.ours, written].map(|files| -> (Files, String) {
            let source = files.iter().filter(|(path, _)| path.starts_with("src/"));
            let source = source.map(|(path, text)| (path.clone(), text.clone()));
            (
                source.collect(),
                files.get(MANIFEST).cloned().unwrap_or_default(),
            )
        });
    let source = merge(&base.0, &ours.0, &theirs.0);
    let manifest = merge_texts(&base.1, &ours.1, &theirs.1).ok_or_else(|| Conflict {
        file: MANIFEST.to_owned(),
        what: "the manifest".to_owned(),
        base: base.1,
        ours: ours.1,
        theirs: theirs.1,
    });
    match (source, manifest) {
        (Ok(mut files), Ok(manifest)) => {
            files.insert(MANIFEST.to_owned(), manifest);
            Ok(files)
        }
        (source, manifest) => Err(source
            .err()
            .into_iter()
            .flatten()
            .chain(manifest.err())
            .collect()),
    }
}
