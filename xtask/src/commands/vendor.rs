//! `vendor`: writes the files that the lock pins, each bundle's into its folder.

use super::pin::{access, locked, no_lock};
use super::{Outcome, here, interrupted, say};
use crate::consumer::access::Access;
use crate::consumer::folders::{overlap, resolved};
use crate::consumer::lock::{self, Lock};
use crate::consumer::one;
use crate::consumer::pinned::{Part, Pinned};
use crate::consumer::vendored::{COMPONENTS, Content, POLICIES, Stale, is_ours, prefixes};
use crate::diag::report::counted;
use crate::diag::{Code, Diagnostic};
use crate::files::{Disk, Plan, Sources, slashed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The folder to write into, instead of the lock's.
    pub folder: Option<PathBuf>,
    /// Write nothing; files that are not as pinned are findings.
    pub check: bool,
    /// Fetch nothing.
    pub offline: bool,
}

/// Runs the command in the current folder.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let Some(here) = here() else {
        return Outcome::CouldNotRun;
    };
    match vendor(request, &here) {
        Ok(outcome) => outcome,
        Err(findings) => {
            say(&findings, &Sources::default());
            Outcome::of(&findings)
        }
    }
}

/// The folder of one bundle.
struct Target<'l> {
    pinned: &'l Pinned,
    folder: PathBuf,
    /// Where it is inside the folder that is written below, with `/`.
    inside: String,
    stale: BTreeMap<String, Stale>,
}

/// The folders of all bundles, and the one that they are below.
struct Targets<'l> {
    root: PathBuf,
    all: Vec<Target<'l>>,
}

fn vendor(request: &Request, here: &Path) -> Result<Outcome, Vec<Diagnostic>> {
    let mut lock = locked(here)?.ok_or_else(no_lock)?;
    if let Some(folder) = &request.folder {
        place(&mut lock, folder)?;
    }
    let targets = Targets::of(&lock, here)?;
    let is_as_pinned = if request.check {
        let is_as_pinned = targets.check(here)?;
        if !is_as_pinned {
            let folder = request.folder.as_ref();
            let folder = folder.map(|folder| format!(" {}", folder.display()));
            eprintln!(
                "help: run `crd-channels vendor{}`",
                folder.unwrap_or_default()
            );
        }
        is_as_pinned
    } else {
        targets.write(&access(here, request.offline), here)?;
        true
    };
    let strays = targets.strays(here);
    say(&strays, &Sources::default());
    Ok(if is_as_pinned && strays.is_empty() {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
}

/// Puts a folder that is named in the place of the lock's.
fn place(lock: &mut Lock, folder: &Path) -> Result<(), Vec<Diagnostic>> {
    match lock.bundles.as_mut_slice() {
        [only] => {
            only.folder = folder.display().to_string();
            Ok(())
        }
        _ => {
            let message = format!("`{}` has several bundles, each with its folder", lock::FILE);
            let finding = Diagnostic::new(Code::WriteFailed, None, message);
            Err(vec![finding.with_help(
                "leave out the folder; `crd-channels pin --update NAME --folder FOLDER` changes that of a bundle",
            )])
        }
    }
}

impl<'l> Targets<'l> {
    fn of(lock: &'l Lock, here: &Path) -> Result<Self, Vec<Diagnostic>> {
        let mut folders: Vec<(&Pinned, PathBuf)> = Vec::new();
        for pinned in &lock.bundles {
            let folder = resolved(&here.join(&pinned.folder)).ok_or_else(|| {
                let message = format!(
                    "`{}` is not a folder that CRDs can be written into",
                    pinned.folder
                );
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                vec![finding.with_help("name a folder of their own, such as `crds`")]
            })?;
            if let Some((other, _)) = folders.iter().find(|(_, other)| overlap(other, &folder)) {
                let message = format!(
                    "`{}` of `{}` and `{}` of `{}` are not apart",
                    other.folder, other.name, pinned.folder, pinned.name
                );
                let finding = Diagnostic::new(Code::WriteFailed, None, message);
                return Err(vec![finding.with_help(format!(
                    "give each bundle a folder of its own: `crd-channels pin --update {} --folder FOLDER`",
                    pinned.name
                ))]);
            }
            folders.push((pinned, folder));
        }
        let root = root(folders.iter().map(|(_, folder)| folder.as_path()), here);
        // What a run left that was killed here would go over what is found now.
        interrupted::settle_at(&root).map_err(one)?;
        let all = folders.into_iter().map(|(pinned, folder)| {
            let inside = folder.strip_prefix(&root).unwrap_or(&folder);
            Target {
                pinned,
                inside: slashed(inside),
                stale: pinned.stale(&folder, &Disk),
                folder,
            }
        });
        Ok(Self {
            all: all.collect(),
            root,
        })
    }

    /// What is written, where `files` are those that are not as they are pinned.
    fn plan(&self, files: BTreeMap<String, String>) -> Plan {
        let (mut kept, mut owned) = (BTreeSet::new(), Vec::new());
        for target in &self.all {
            let all = target.pinned.vendored().into_keys();
            kept.extend(all.map(|path| format!("{}/{path}", target.inside)));
            owned.push(target.inside.clone());
            owned.extend([COMPONENTS, POLICIES].map(|part| format!("{}/{part}", target.inside)));
        }
        kept.retain(|path| !files.contains_key(path));
        let owners = self.owners();
        Plan::new(self.what(), self.root.clone(), files, owned)
            .recognising(move |path, bytes| owners.has(path, bytes))
            .keeping(kept)
    }

    /// What a run that is stopped had begun.
    fn what(&self) -> String {
        let folders: Vec<String> = self
            .all
            .iter()
            .map(|target| format!("`{}`", target.inside))
            .collect();
        format!("the CRDs in {}", folders.join(", "))
    }

    /// The folders of the bundles, with what their annotations begin with.
    fn owners(&self) -> Owners {
        let of = |target: &Target<'_>| (target.inside.clone(), target.pinned.prefix.clone());
        Owners(self.all.iter().map(of).collect())
    }

    /// Tells whether all is as it is pinned, and what is not.
    fn check(&self, here: &Path) -> Result<bool, Vec<Diagnostic>> {
        let orphans = self.plan(BTreeMap::new()).compare(&Disk).map_err(one)?;
        let mut lines = Vec::new();
        for target in &self.all {
            for (path, stale) in &target.stale {
                let state = match stale {
                    Stale::Missing => "missing",
                    Stale::Differs => "not as pinned",
                };
                let path = target.folder.join(path);
                lines.push(format!("{state}: {}", shown(&path, here)));
            }
        }
        for orphan in &orphans {
            let path = self.root.join(&orphan.path);
            lines.push(format!("not pinned: {}", shown(&path, here)));
        }
        for line in &lines {
            println!("{line}");
        }
        Ok(lines.is_empty())
    }

    /// Writes what is not as it is pinned, in all folders or in none.
    fn write(&self, access: &Access, here: &Path) -> Result<(), Vec<Diagnostic>> {
        let mut files = BTreeMap::new();
        for target in &self.all {
            target.add_to(&mut files, access)?;
        }
        let applied = interrupted::apply(&self.plan(files)).map_err(one)?;
        let owners = self.owners();
        for target in &self.all {
            let own = |paths: &[String]| {
                let owner = |path: &&String| owners.of(path).map(|(inside, _)| inside);
                let own = paths
                    .iter()
                    .filter(|path| owner(path) == Some(&target.inside));
                own.count()
            };
            println!(
                "{}: {} written, {} removed",
                target.about(here),
                own(&applied.created) + own(&applied.replaced),
                own(&applied.removed)
            );
            if let Some(note) = target.left_out() {
                eprintln!("note: {note}");
            }
        }
        Ok(())
    }

    /// Other files that hold a CRD that is pinned.
    fn strays(&self, here: &Path) -> Vec<Diagnostic> {
        let folders = self.all.iter();
        let known: BTreeSet<PathBuf> = folders
            .flat_map(|target| {
                let paths = target.pinned.vendored().into_keys();
                paths.map(|path| target.folder.join(path))
            })
            .collect();
        let mut found = BTreeMap::new();
        for target in &self.all {
            found.extend(target.pinned.strays(&target.folder, &known, &Disk));
        }
        let strays = found.into_iter().map(|(path, crd)| {
            let path = shown(&path, here);
            let message = format!("`{path}` also holds the CRD `{crd}`");
            Diagnostic::new(Code::StrayCrd, None, message).with_help(format!(
                "remove `{path}`, or move it out of the folder: whoever applies the folder gets one of the two, by chance"
            ))
        });
        strays.collect()
    }
}

/// Who may take files away: the folder of each bundle, and what its annotations begin with; nothing where an old lock does
/// not say.
struct Owners(Vec<(String, String)>);

impl Owners {
    /// The nearest folder above a path.
    fn of(&self, path: &str) -> Option<&(String, String)> {
        let above = |(inside, _): &&(String, String)| {
            let rest = path.strip_prefix(inside.as_str());
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let all = self.0.iter().filter(above);
        all.max_by_key(|(inside, _)| inside.len())
    }

    /// Whether a file was written for one of the bundles. Those of other projects look alike, and say whose they are.
    fn has(&self, path: &str, bytes: &[u8]) -> bool {
        if !is_ours(path, bytes) {
            return false;
        }
        let is_told = self.of(path).is_some_and(|(_, prefix)| !prefix.is_empty());
        let said = prefixes(bytes);
        let is_pinned = |prefix: &String| self.0.iter().any(|(_, own)| own == prefix);
        !is_told || said.is_empty() || said.iter().any(is_pinned)
    }
}

impl Target<'_> {
    /// Adds the texts of the files that are not as they are pinned.
    fn add_to(
        &self,
        files: &mut BTreeMap<String, String>,
        access: &Access,
    ) -> Result<(), Vec<Diagnostic>> {
        let pinned = self.pinned;
        let mut bundle = None;
        for (path, content) in pinned.vendored() {
            let Some(stale) = self.stale.get(&path) else {
                continue;
            };
            if *stale == Stale::Differs {
                self.may_replace(&path)?;
            }
            let text = match content {
                Content::Text(text) => text,
                Content::OfBundle(of_bundle, _) => {
                    let bundle = match &mut bundle {
                        Some(bundle) => bundle,
                        none => none.insert(access.pinned(pinned)?),
                    };
                    let bytes = bundle.files.get(of_bundle).cloned().unwrap_or_default();
                    String::from_utf8(bytes).map_err(|_| {
                        let message = format!("`{of_bundle}` of {} is not UTF-8", pinned.version);
                        let finding = Diagnostic::new(Code::BundleInvalid, None, message);
                        vec![finding.with_help("ask those who release it")]
                    })?
                }
            };
            files.insert(format!("{}/{path}", self.inside), text);
        }
        Ok(())
    }

    /// A CRD's file is known by its name. Others may be somebody's own.
    fn may_replace(&self, path: &str) -> Result<(), Vec<Diagnostic>> {
        let is_crd = self.pinned.part("crds").any(|(name, _)| name == path);
        let bytes = std::fs::read(self.folder.join(path)).unwrap_or_default();
        let inside = format!("{}/{path}", self.inside);
        if is_crd || is_ours(&inside, &bytes) {
            return Ok(());
        }
        let folder = &self.pinned.folder;
        let message = format!("`{folder}/{path}` was not written by this tool");
        let finding = Diagnostic::new(Code::WriteFailed, None, message);
        Err(vec![finding.with_help(format!(
            "move it away, or leave out what would be in its place: `crd-channels pin --update {} --with ..`",
            self.pinned.name
        ))])
    }

    fn about(&self, here: &Path) -> String {
        let pinned = self.pinned;
        let crds = pinned.part("crds").count();
        let others = pinned.vendored().len() - crds;
        let others = match others {
            0 => String::new(),
            others => format!(" and {}", counted(others, "other file")),
        };
        format!(
            "{}{others} of {} {} in `{}`",
            counted(crds, "CRD"),
            pinned.version,
            pinned.channel,
            shown(&self.folder, here)
        )
    }

    /// A bundle is what its CRDs and its components are together.
    fn left_out(&self) -> Option<String> {
        let pinned = self.pinned;
        let left_out = !pinned.with.contains(&Part::Components);
        let count = pinned.part(COMPONENTS).filter(|_| left_out).count();
        (count > 0).then(|| {
            format!(
                "the components of {} are not written: `crd-channels pin --update {} --with components` adds them",
                pinned.version, pinned.name
            )
        })
    }
}

/// The folder that all others are below: the current one where that can be.
fn root<'f>(folders: impl Iterator<Item = &'f Path> + Clone, here: &Path) -> PathBuf {
    let is_below = |folder: &Path| folder.parent().is_some_and(|above| above.starts_with(here));
    if folders.clone().all(is_below) {
        return here.to_path_buf();
    }
    let above = folders.filter_map(Path::parent).map(Path::to_path_buf);
    let shared = above.reduce(|one, other| {
        let both = one.components().zip(other.components());
        let both = both.take_while(|(one, other)| one == other);
        both.map(|(one, _)| one).collect()
    });
    shared.unwrap_or_else(|| here.to_path_buf())
}

/// A path as messages have it.
fn shown(path: &Path, here: &Path) -> String {
    let path = path.strip_prefix(here).unwrap_or(path);
    match path.display().to_string() {
        text if text.is_empty() => ".".to_owned(),
        text => text.replace('\\', "/"),
    }
}
