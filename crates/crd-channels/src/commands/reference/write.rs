//! `reference --out DIR`: writes the pages about an API, as a site or as Markdown.

use super::releases;
use super::serve::serve;
use crate::commands::diff::origin::root_here;
use crate::commands::diff::side::Name;
use crate::commands::diff::unread::Unread;
use crate::commands::{Outcome, interrupted, say};
use crate::consumer::folders::resolved;
use crate::consumer::one;
use crd_channels_diagnostics::{Code, Diagnostic};
use crd_channels_files::{Applied, Disk, Plan, Read, shown_path, slashed, with_unix_line_ends};
use crd_channels_gen_crds::current_folder::current;
use crd_channels_gen_crds::gen_crds::PageFiles;
use crd_channels_gen_crds::stale_file;
use crd_channels_gen_crds::watch;
use crd_channels_projection::channel::config::FOLDER;
use crd_channels_reference::{Look, markdown, site};
use crd_channels_released::digest::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The file that lists the others, as `sha256sum` does. What it does not list belongs to somebody else.
const LIST: &str = "crd-channels-reference.txt";

/// The arguments of `reference`.
#[derive(Clone, Debug)]
pub struct Request {
    /// The releases: none for the working tree and its bundles.
    pub from: Vec<String>,
    /// Where the pages go.
    pub to: Target,
    /// Whether pages are Markdown rather than HTML.
    pub markdown: bool,
    /// The folder with templates in the place of the built-in ones.
    pub templates: Option<PathBuf>,
    /// Where the web has the workspace, if fields link to their lines of Rust.
    pub source_links: Option<String>,
    /// The title.
    pub title: Option<String>,
}

/// Where pages go.
#[derive(Clone, Debug)]
pub enum Target {
    /// Into a folder.
    Folder {
        /// The folder.
        out: PathBuf,
        /// Write nothing; report files that are not up to date.
        check: bool,
    },
    /// To browsers, from this port, or from any for 0.
    Port(u16),
}

/// Writes or serves the pages, or compares them with the files on disk.
#[must_use]
pub fn run(request: &Request) -> Outcome {
    let done = match &request.to {
        Target::Port(port) => serve(
            *port,
            seen(request),
            || made(request),
            |unread| {
                tell(unread);
            },
        )
        .map(|()| Outcome::Clean),
        Target::Folder { out, check } => write(request, out, *check),
    };
    done.unwrap_or_else(tell)
}

fn tell(unread: Unread) -> Outcome {
    let Unread {
        message,
        outcome,
        findings,
        sources,
    } = unread;
    say(&findings, &sources);
    if !message.is_empty() {
        error!("{message}");
    }
    outcome
}

/// What pages are made from: the workspace if its types are asked for, CRDs and bundles on disk, and templates.
fn seen(request: &Request) -> watch::Seen {
    let names = request.from.iter().map(|name| Name::parse(name));
    let has_types = request.from.is_empty() || names.clone().any(|name| name == Name::WorkingTree);
    let root = root_here().filter(|_| has_types);
    let on_disk = names.filter_map(|name| match name {
        Name::Path(path) => Some(path),
        _ => None,
    });
    let bundles = root.iter().map(|root| root.join(FOLDER));
    let all = on_disk.chain(bundles).chain(request.templates.clone());
    let also = all.collect();
    watch::look(root, also)
}

/// Makes the pages.
fn made(request: &Request) -> Result<BTreeMap<String, String>, Unread> {
    let mut look = Look {
        title: request.title.clone(),
        source_links: request.source_links.clone(),
        ..Look::default()
    };
    if let Some(templates) = &request.templates {
        look.templates = read_templates(templates)?;
    }
    let api = releases::read(&request.from)?;
    if request.source_links.is_some() && api.lines.is_empty() {
        let message = "`--source-links` is for types: these CRDs are known without their Rust";
        return Err(message.to_owned().into());
    }
    match request.markdown {
        true => Ok(markdown(&api, &look)),
        false => Ok(site(&api, &look)?),
    }
}

/// What is wrong with files, as why the command ends.
fn wrong(finding: Box<Diagnostic>) -> Unread {
    let findings = one(finding);
    Unread {
        outcome: Outcome::of_failed(&findings),
        ..Unread::after(findings, String::new())
    }
}

fn write(request: &Request, out: &Path, check: bool) -> Result<Outcome, Unread> {
    let here = current().map_err(wrong)?;
    let shown = shown_path(out);
    let folder = resolved(&here.join(out))
        .filter(|folder| *folder != here && !here.starts_with(folder))
        .ok_or_else(|| {
            format!("pages need a folder of their own, and `{shown}` has other files")
        })?;
    let files = made(request)?;
    let count = files.len() + 1;
    // As for `vendor`, a killed run leaves its journal in the current folder if that is above the pages.
    let root = match folder.starts_with(&here) {
        true => here.clone(),
        false => folder.clone(),
    };
    interrupted::recover_at(&root).map_err(wrong)?;
    let PageFiles { files, gone } = pages(&root, &folder, files).map_err(wrong)?;
    let what = format!("the pages in `{shown}`");
    let plan = Plan::new(what, root, files, Vec::new()).removing(gone);
    if check {
        let changes = plan.compare(&Disk).map_err(wrong)?;
        for change in &changes {
            println!("{}: {}", stale_file::state(change), change.path);
        }
        return Ok(match changes.is_empty() {
            true => Outcome::Clean,
            false => Outcome::Findings,
        });
    }
    let applied = interrupted::apply(&plan).map_err(wrong)?;
    status!(
        "{count} files in `{shown}`: {} created, {} changed, {} removed",
        applied.created.len(),
        applied.replaced.len(),
        applied.removed.len()
    );
    Ok(Outcome::Clean)
}

/// Returns the Markdown pages about the working tree for a folder below its root.
///
/// # Errors
/// Returns why they cannot be made.
pub fn configured(root: &Path, folder: &str) -> Result<PageFiles, Vec<Diagnostic>> {
    let api = releases::read(&[]).map_err(|unread| {
        let errors = unread.errors(|alone| alone).into_iter();
        // What they point into is not at hand any more.
        errors.map(|error| error.at(None)).collect::<Vec<_>>()
    })?;
    let files = markdown(&api, &Look::default());
    pages(root, &root.join(folder), files).map_err(one)
}

/// Writes the pages in the folder that `reference-pages` names, if it does, after a command has changed what they are made from.
///
/// # Errors
/// Returns why they cannot be made or written.
pub fn refresh(root: &Path, folder: Option<&str>) -> Result<Applied, Vec<Diagnostic>> {
    let Some(folder) = folder else {
        return Ok(Applied::default());
    };
    let PageFiles { files, gone } = configured(root, folder)?;
    let what = format!("the pages in `{folder}`");
    let plan = Plan::new(what, root.to_path_buf(), files, Vec::new()).removing(gone);
    interrupted::apply(&plan).map_err(one)
}

/// Returns the files of pages in a folder, with paths below `root`.
fn pages(
    root: &Path,
    folder: &Path,
    mut files: BTreeMap<String, String>,
) -> Result<PageFiles, Box<Diagnostic>> {
    let list: String = files
        .iter()
        .map(|(name, text)| format!("{}  {name}\n", Digest::of(text.as_bytes()).hex()))
        .collect();
    files.insert(LIST.to_owned(), list);
    let inside = slashed(folder.strip_prefix(root).unwrap_or(folder));
    let below = |name: &String| match root == folder {
        true => name.clone(),
        false => format!("{inside}/{name}"),
    };
    let shown = match root == folder {
        true => shown_path(folder),
        false => inside.clone(),
    };
    let Left { gone, edited } = left(folder, &shown, &files)?;
    for name in edited {
        note!("`{shown}/{name}` is not written any more; it stays, since it was edited");
    }
    Ok(PageFiles {
        gone: gone.iter().map(below).collect(),
        files: files
            .into_iter()
            .map(|(name, text)| (below(&name), text))
            .collect(),
    })
}

/// The files of an earlier run that are not written any more.
struct Left {
    /// Those that are as that run wrote them.
    gone: BTreeSet<String>,
    /// Those that somebody has changed since.
    edited: BTreeSet<String>,
}

/// Reads the list of an earlier run. Refuses to replace a file that is not in it.
fn left(
    folder: &Path,
    shown: &str,
    files: &BTreeMap<String, String>,
) -> Result<Left, Box<Diagnostic>> {
    let listed = Disk.read_text(&folder.join(LIST)).unwrap_or_default();
    // Names with a slash are none of ours, wherever the list comes from.
    let listed: BTreeMap<&str, &str> = listed
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(digest, name)| (name, digest))
        .filter(|(name, _)| !name.contains(['/', '\\', ':']) && *name != "..")
        .collect();
    let bytes = |name: &str| {
        let bytes = Disk.read(&folder.join(name)).ok()?;
        Some(with_unix_line_ends(&bytes))
    };
    for (name, text) in files {
        let is_listed = listed.contains_key(&**name) || name == LIST;
        if !is_listed && bytes(name).is_some_and(|bytes| bytes != text.as_bytes()) {
            let path = format!("{shown}/{name}");
            let message = format!("`{path}` was not written by this command");
            let help = format!("nothing was changed; move `{path}` away, or name another folder");
            let finding = Diagnostic::new(Code::WriteFailed, None, message).with_help(help);
            return Err(Box::new(finding));
        }
    }
    let mut left = Left {
        gone: BTreeSet::new(),
        edited: BTreeSet::new(),
    };
    for (name, digest) in listed {
        if files.contains_key(name) {
            continue;
        }
        let Some(bytes) = bytes(name) else {
            continue;
        };
        match Digest::of(&bytes).hex() == digest {
            true => left.gone.insert(name.to_owned()),
            false => left.edited.insert(name.to_owned()),
        };
    }
    Ok(left)
}

/// Reads the templates of a folder; files with other names are refused, since they would do nothing.
fn read_templates(folder: &Path) -> Result<BTreeMap<String, String>, Unread> {
    let shown = shown_path(folder);
    let entries = Disk
        .list(folder)
        .map_err(|error| format!("the templates in `{shown}` cannot be read: {error}"))?;
    let known: BTreeSet<&str> = Look::template_names().collect();
    let mut templates = BTreeMap::new();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str());
        let name = name.unwrap_or_default();
        if name.starts_with('.') {
            continue;
        }
        if !known.contains(name) {
            let known: Vec<&str> = known.into_iter().collect();
            let known = known.join("`, `");
            return Err(
                format!("`{shown}/{name}` replaces no template; there are `{known}`").into(),
            );
        }
        let text = Disk
            .read_text(&path)
            .map_err(|error| format!("`{shown}/{name}` cannot be read: {error}"))?;
        templates.insert(name.to_owned(), text);
    }
    Ok(templates)
}
