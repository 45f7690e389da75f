//! The files of one commit, presented as a folder.

use super::objects::Objects;
use crd_channels_files::Read;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The kind of an entry in a commit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    File,
    Link,
    Submodule,
}

#[derive(Debug)]
struct Entry {
    kind: Kind,
    id: String,
}

/// The files of a commit. Paths begin with the folder that the files appear in.
#[derive(Debug)]
pub struct Tree {
    mount: PathBuf,
    /// By path inside the repository, with `/`. Names that are not UTF-8 are omitted: no manifest can name them.
    entries: BTreeMap<String, Entry>,
    objects: Objects,
}

/// The maximum number of symbolic links that a path may lead through, as on Linux.
const LINKS: usize = 40;

/// The target of a path.
enum Target<'a> {
    File(String, &'a Entry),
    Folder(String),
}

impl Tree {
    /// Parses the output of `git ls-tree -r -z`: entries `mode type id\tpath`, each ended by a zero byte.
    pub(super) fn new(mount: PathBuf, listed: &[u8], objects: Objects) -> Self {
        let entries = listed.split(|byte| *byte == 0).filter_map(|line| {
            let line = std::str::from_utf8(line).ok()?;
            let (about, path) = line.split_once('\t')?;
            let mut words = about.split(' ');
            let kind = match words.next()? {
                "120000" => Kind::Link,
                "160000" => Kind::Submodule,
                _ => Kind::File,
            };
            let id = words.nth(1)?.to_owned();
            Some((path.to_owned(), Entry { kind, id }))
        });
        Self {
            mount,
            entries: entries.collect(),
            objects,
        }
    }

    /// The folder that the files appear in.
    #[must_use]
    pub fn mount(&self) -> &Path {
        &self.mount
    }

    /// The paths of all files and links inside the repository, with `/`, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let all = self.entries.iter();
        all.filter_map(|(path, entry)| (entry.kind != Kind::Submodule).then_some(path.as_str()))
    }

    /// Reads an object of the repository, of any commit.
    ///
    /// # Errors
    /// If git does not have it.
    pub fn object(&self, id: &str) -> io::Result<Vec<u8>> {
        self.objects.read(id)
    }

    /// Returns the target of a link.
    pub(super) fn target(&self, link: &Path) -> Option<String> {
        let inside = link.strip_prefix(&self.mount).ok()?.to_str()?;
        let entry = self.entries.get(inside)?;
        let text = (entry.kind == Kind::Link).then(|| self.objects.read(&entry.id));
        String::from_utf8(text?.ok()?).ok()
    }

    /// The paths of submodules, whose files are in other repositories.
    pub(super) fn submodules(&self) -> impl Iterator<Item = &str> {
        let all = self.entries.iter();
        all.filter_map(|(path, entry)| (entry.kind == Kind::Submodule).then_some(path.as_str()))
    }

    /// Follows a path through links.
    fn find(&self, path: &Path) -> io::Result<Target<'_>> {
        let inside = path.strip_prefix(&self.mount).map_err(|_| missing())?;
        let mut ahead: VecDeque<String> = names(inside)?.into();
        let mut at: Vec<String> = Vec::new();
        let mut links = 0;
        while let Some(name) = ahead.pop_front() {
            if name == ".." {
                at.pop().ok_or_else(leads_out)?;
                continue;
            }
            at.push(name);
            let here = at.join("/");
            match self.entries.get(&here) {
                None if self.has_below(&here) => {}
                None => return Err(missing()),
                Some(entry) if entry.kind == Kind::File => {
                    return if ahead.is_empty() {
                        Ok(Target::File(here, entry))
                    } else {
                        Err(missing())
                    };
                }
                Some(entry) if entry.kind == Kind::Submodule => {
                    let why =
                        format!("`{here}` is a submodule, whose files are in another repository");
                    return Err(io::Error::other(why));
                }
                Some(entry) => {
                    links += 1;
                    if links > LINKS {
                        return Err(io::Error::other("symbolic links form a cycle"));
                    }
                    at.pop();
                    let target =
                        String::from_utf8(self.objects.read(&entry.id)?).map_err(|_| missing())?;
                    for name in names(Path::new(&target))?.into_iter().rev() {
                        ahead.push_front(name);
                    }
                }
            }
        }
        Ok(Target::Folder(at.join("/")))
    }

    fn has_below(&self, folder: &str) -> bool {
        let folder = format!("{folder}/");
        let mut below = self.entries.range(folder.clone()..);
        below
            .next()
            .is_some_and(|(path, _)| path.starts_with(&folder))
    }
}

/// Returns the components of a path, including `..`.
fn names(path: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => names.push("..".to_owned()),
            Component::Normal(name) => {
                names.push(name.to_str().ok_or_else(missing)?.to_owned());
            }
            Component::RootDir | Component::Prefix(_) => return Err(leads_out()),
        }
    }
    Ok(names)
}

fn missing() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

fn leads_out() -> io::Error {
    io::Error::other("the path is outside of the repository")
}

impl Read for Tree {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.find(path)? {
            Target::File(_, entry) => self.objects.read(&entry.id),
            Target::Folder(_) => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        matches!(self.find(path), Ok(Target::File(..)))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        match self.find(path)? {
            Target::File(inside, _) | Target::Folder(inside) => Ok(self.mount.join(inside)),
        }
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let Target::Folder(inside) = self.find(folder)? else {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        };
        let prefix = if inside.is_empty() {
            inside
        } else {
            format!("{inside}/")
        };
        let below = self.entries.range(prefix.clone()..);
        let below = below.map_while(|(path, _)| path.strip_prefix(&prefix));
        let mut listed: Vec<PathBuf> = below
            .filter_map(|path| path.split('/').next())
            .map(|name| folder.join(name))
            .collect();
        // A folder's files need not be adjacent: `a-b` sorts between `a` and `a/b`.
        listed.sort();
        listed.dedup();
        Ok(listed)
    }
}
