//! The code that may decide a recorded value: all items of the workspace that its own text leads to, by the words that they
//! mention. Finding too much makes a record stale too often; finding too little would hide that it is.

use crate::lower::Missing;
use crd_channels_files::{Read, is_left_out};
use crd_channels_source::mentions::{Mentions, What, mentions, words_of_text};
use crd_channels_workspace::{Package, PackageId, Workspace};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Folders of a package whose files no type uses; the last one has the records themselves.
const NOT_OF_TYPES: [&str; 4] = ["tests", "benches", "examples", "channels"];

/// Macros that read a file beside the source file.
const INCLUDING: [&str; 3] = ["include", "include_bytes", "include_str"];

/// What reads the manifest of the package, or what its build script writes.
const OF_PACKAGE: [&str; 4] = ["cfg", "env", "feature", "option_env"];

/// What knows where it stands in its file, as code is written here.
const OF_LINES: [&str; 3] = ["caller (", "column !", "line !"];

/// The name of the module of a crate, which code need not write.
const CRATE: &str = "crate";

/// The digest of a file, or of code.
fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    let hex = hash.iter().map(|byte| format!("{byte:02x}"));
    format!("sha256:{}", hex.collect::<String>())
}

/// The items of all local packages.
pub struct Items<'f> {
    disk: &'f dyn Read,
    /// Each with the index of its package.
    files: Vec<(PathBuf, usize)>,
    /// Each with the file that it is in.
    items: Vec<(usize, Mentions)>,
    by_name: HashMap<String, Vec<usize>>,
    types: HashSet<String>,
    /// Files without items, which a macro may include, by their names.
    others: BTreeMap<String, Vec<(PathBuf, usize)>>,
}

/// What is reached from some words.
#[derive(Debug, Default)]
pub struct Reached {
    /// The files of the items.
    files: BTreeSet<PathBuf>,
    /// The packages of these files.
    pub packages: BTreeSet<usize>,
    /// All words that are mentioned on the way.
    pub words: BTreeSet<String>,
    /// A type of which a part is not in every channel.
    pub gated: Option<String>,
    /// The code of the items, and what macros include.
    code: BTreeSet<Arc<str>>,
    /// The documentation of the items.
    docs: BTreeSet<Arc<str>>,
}

impl Reached {
    fn add(&mut self, item: &Mentions, file: Option<&(PathBuf, usize)>) {
        self.files.extend(file.map(|(path, _)| path.clone()));
        self.packages.extend(file.map(|(_, package)| package));
        self.code.insert(Arc::clone(&item.code));
        self.docs.insert(Arc::clone(&item.docs));
    }
}

impl<'f> Items<'f> {
    /// Reads the code of the project, and types that may have gates.
    pub fn of(workspace: &Workspace, disk: &'f dyn Read) -> Self {
        let packages = workspace.packages.iter().enumerate();
        let read = packages.filter(|(_, package)| {
            package.local || package.dependencies.contains_key("crd_channels_derive")
        });
        Self::read(read.map(|(index, it)| (index, &*it.root)), disk)
    }

    /// What a recorded part leads to: a type, or a field of one.
    pub fn behind(&self, workspace: &Workspace, place: &str) -> Reached {
        let (names, field) = names_in(place);
        let crate_name = place.split("::").next().unwrap_or_default();
        self.reached_from(names, field, &packages_behind(workspace, crate_name))
    }

    /// The digest of what was reached: of its code, and of its documentation if schemas show that; of whole files if it asks for
    /// lines.
    pub fn digest(&self, reached: &Reached, missing: Missing) -> String {
        let of_lines = |part: &Arc<str>| OF_LINES.iter().any(|text| part.contains(text));
        if reached.code.iter().any(of_lines) {
            let files = reached.files.iter();
            let files = files.map(|path| digest(&self.disk.read(path).unwrap_or_default()));
            // Their paths are others on other machines.
            let files: BTreeSet<String> = files.collect();
            return digest(Vec::from_iter(files).join("\n").as_bytes());
        }
        let docs = reached.docs.iter();
        let docs = docs.filter(|_| missing != Missing::Default);
        let parts: Vec<&str> = reached.code.iter().chain(docs).map(|it| &**it).collect();
        digest(parts.join("\n").as_bytes())
    }

    /// Reads packages: the index of each, and its folder.
    fn read<'p>(packages: impl Iterator<Item = (usize, &'p Path)>, disk: &'f dyn Read) -> Self {
        let mut rust = Vec::new();
        let mut others: BTreeMap<String, Vec<(PathBuf, usize)>> = BTreeMap::new();
        let mut add_other = |path: PathBuf, index| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let all = others.entry(name.into_owned()).or_default();
            all.push((path, index));
        };
        for (index, package) in packages {
            let mut open = vec![package.to_path_buf()];
            while let Some(folder) = open.pop() {
                for entry in disk.list(&folder).unwrap_or_default() {
                    let name = entry.file_name().unwrap_or_default().to_string_lossy();
                    let is_apart = folder == *package && NOT_OF_TYPES.contains(&&*name);
                    if disk.is_file(&entry) {
                        match entry.extension().is_some_and(|extension| extension == "rs") {
                            true => rust.push((entry, index)),
                            false => add_other(entry, index),
                        }
                    } else if !is_apart && !is_left_out(&entry) {
                        open.push(entry);
                    }
                }
            }
        }
        // A package may be in the folder of another one: the last one is the inner one.
        rust.sort();
        let rust: BTreeMap<PathBuf, usize> = rust.into_iter().collect();
        let rust: Vec<(PathBuf, usize)> = rust.into_iter().collect();
        let read = rust.par_iter().map(|(path, _)| {
            let text = disk.read_text(path).ok();
            text.and_then(|text| mentions(&text, &module_of(path)))
        });
        let read: Vec<Option<Vec<Mentions>>> = read.collect();
        let mut items: Vec<(usize, Mentions)> = Vec::new();
        for (file, (found, (path, index))) in read.into_iter().zip(&rust).enumerate() {
            match found {
                Some(found) => items.extend(found.into_iter().map(|item| (file, item))),
                None => add_other(path.clone(), *index),
            }
        }
        let named = |what: What| -> HashSet<String> {
            let found = items.iter().filter(|(_, item)| item.what == what);
            found.flat_map(|(_, item)| item.names.clone()).collect()
        };
        let (types, traits) = (named(What::Type), named(What::Trait));
        let macros = named(What::Macro);
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, (file, item)) in items.iter().enumerate() {
            // What a macro by example makes is known; a method of a trait in source is called by its name.
            let is_known = match (&item.what, &item.of_trait) {
                (What::Call(name), _) => macros.contains(name),
                (_, Some(of)) => traits.contains(of),
                _ => false,
            };
            if is_known {
                continue;
            }
            let is_local = |name: &&String| types.contains(*name);
            let has_local = item.names.iter().any(|name| is_local(&name));
            let names = item.names.iter().filter(|name| match item.what {
                What::Alias => is_local(name),
                _ => item.of_trait.is_none() || is_local(name) || !has_local,
            });
            for name in names.chain(&item.of_type) {
                by_name.entry(name.clone()).or_default().push(index);
            }
            if rust
                .get(*file)
                .is_some_and(|(path, _)| path.ends_with("build.rs"))
            {
                for name in OF_PACKAGE {
                    by_name.entry(name.to_owned()).or_default().push(index);
                }
            }
        }
        Self {
            disk,
            files: rust,
            items,
            by_name,
            types,
            others,
        }
    }

    /// What a field of a type leads to in some packages; without a field the type. `names` are those of the type.
    fn reached_from(
        &self,
        names: [&str; 2],
        field: Option<&str>,
        packages: &BTreeSet<usize>,
    ) -> Reached {
        let mut search = Search {
            items: self,
            packages,
            seen: HashSet::new(),
            open: names.map(str::to_owned).into(),
            reached: Reached::default(),
        };
        search.open.push(CRATE.to_owned());
        let named = names.iter().filter_map(|name| self.by_name.get(*name));
        for index in named.flatten() {
            let Some((_, item)) = self.items.get(*index) else {
                continue;
            };
            let mut fields = item.fields.iter();
            let own = fields.find(|own| own.names.iter().any(|name| Some(&**name) == field));
            if let Some(own) = own
                && search.seen.insert(*index)
            {
                // Other fields do not decide this one.
                search.open.extend(own.words.iter().cloned());
                search.reached.add(own, self.file_of(*index));
            }
        }
        loop {
            search.follow();
            if !search.add_others() {
                return search.reached;
            }
        }
    }

    fn file_of(&self, index: usize) -> Option<&(PathBuf, usize)> {
        let (file, _) = self.items.get(index)?;
        self.files.get(*file)
    }
}

/// A search for what words lead to.
struct Search<'s> {
    items: &'s Items<'s>,
    packages: &'s BTreeSet<usize>,
    seen: HashSet<usize>,
    open: Vec<String>,
    reached: Reached,
}

impl Search<'_> {
    fn follow(&mut self) {
        let Items {
            files,
            items,
            by_name,
            types,
            ..
        } = self.items;
        while let Some(word) = self.open.pop() {
            if !self.reached.words.insert(word.clone()) {
                continue;
            }
            for index in by_name.get(&word).into_iter().flatten() {
                let Some((file, item)) = items.get(*index) else {
                    continue;
                };
                let package = files.get(*file).map(|(_, package)| package);
                if !package.is_some_and(|package| self.packages.contains(package)) {
                    continue;
                }
                let of_type = item.of_type.as_ref().filter(|ty| types.contains(*ty));
                let mut needed = item.names.iter().chain(of_type);
                let is_build = OF_PACKAGE.contains(&&*word);
                let is_needed = needed.all(|name| self.reached.words.contains(name));
                if !(item.of_trait.is_some() || is_build || is_needed) || !self.seen.insert(*index)
                {
                    continue;
                }
                self.reached.add(item, self.items.file_of(*index));
                if item.is_gated && self.reached.gated.is_none() {
                    self.reached.gated.clone_from(&item.names.first().cloned());
                }
                self.open.extend(item.words.iter().cloned());
            }
        }
    }

    /// Adds the files that macros in what is reached include, with their words, and the manifests that they read. Returns true if
    /// there are more words.
    fn add_others(&mut self) -> bool {
        let Reached {
            words, files, code, ..
        } = &mut self.reached;
        let has = |names: &[&str]| names.iter().any(|name| words.contains(*name));
        let others = self.items.others.iter();
        let others = others.flat_map(|(name, paths)| paths.iter().map(move |path| (name, path)));
        let others = others.filter(|(_, (_, package))| self.packages.contains(package));
        let (includes, of_package) = (has(&INCLUDING), has(&OF_PACKAGE));
        for (name, (path, _)) in others {
            let mut parts = name.split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_manifest = name == "Cargo.toml";
            let is_included = includes && parts.all(|part| part.is_empty() || words.contains(part));
            if !(is_included || (is_manifest && of_package)) || !files.insert(path.clone()) {
                continue;
            }
            let bytes = self.items.disk.read(path).unwrap_or_default();
            code.insert(digest(&bytes).into());
            let text = String::from_utf8(bytes).ok().filter(|_| !is_manifest);
            self.open
                .extend(text.iter().flat_map(|text| words_of_text(text)));
        }
        !self.open.is_empty()
    }
}

/// The name of the module in a file.
fn module_of(path: &Path) -> String {
    let name = |path: Option<&Path>| {
        let stem = path.and_then(Path::file_stem).unwrap_or_default();
        stem.to_string_lossy().into_owned()
    };
    match &*name(Some(path)) {
        "mod" => name(path.parent()),
        "lib" | "main" => CRATE.to_owned(),
        other => other.to_owned(),
    }
}

/// The packages whose code a type of a crate may run: its own, and those that it depends on. All if the crate is unknown.
fn packages_behind(workspace: &Workspace, crate_name: &str) -> BTreeSet<usize> {
    let is_it = |package: &Package| {
        let mut targets = package.targets.iter();
        package.local && targets.any(|target| target.name.replace('-', "_") == crate_name)
    };
    let all = workspace.packages.iter().enumerate();
    let mut open: Vec<usize> = all
        .filter(|(_, it)| is_it(it))
        .map(|(index, _)| index)
        .collect();
    if open.is_empty() {
        return (0..workspace.packages.len()).collect();
    }
    let mut found = BTreeSet::new();
    while let Some(index) = open.pop() {
        if let Some(package) = workspace.packages.get(index)
            && found.insert(index)
        {
            open.extend(package.dependencies.values().map(|PackageId(index)| index));
        }
    }
    found
}

/// The names of the type, or of the enum and the variant, and of the field in a place such as `crate::module::Type<Arg>.field`.
fn names_in(place: &str) -> ([&str; 2], Option<&str>) {
    let (path, field) = match place.rsplit_once('.') {
        Some((path, field)) if !field.contains(['>', ']', ')']) => (path, Some(field)),
        _ => (place, None),
    };
    // The arguments of an enum stand before its variant.
    let tail = path.rsplit_once('>').map_or("", |(_, tail)| tail);
    let path = path.split('<').next().unwrap_or(path);
    let mut parts = tail
        .rsplit("::")
        .chain(path.rsplit("::"))
        .filter(|part| !part.is_empty());
    let last = parts.next().unwrap_or(path);
    let is_type = |name: &&str| name.starts_with(|c: char| !c.is_lowercase());
    ([parts.next().filter(is_type).unwrap_or(last), last], field)
}

#[cfg(test)]
mod tests {
    use super::{Items, names_in};
    use crd_channels_files::{Memory, slashed};
    use std::collections::BTreeSet;
    use std::path::Path;

    const OWNER: &str = "struct Owner { #[serde(default = \"made\")] a: u8, other: Far }";

    /// The files, without `src/lib.rs`, that the field `a` of `Owner` leads to, and the gated type.
    fn reached(files: &[(&str, &str)]) -> (Vec<String>, Option<String>) {
        let own = [
            ("src/lib.rs", OWNER),
            ("src/far.rs", "struct Far; impl Far { fn far() {} }"),
        ];
        let all = files.iter().chain(&own);
        let all = all.map(|(path, text)| (Path::new("/p").join(path), text.as_bytes().to_vec()));
        let disk = Memory(all.collect());
        let items = Items::read([(0, Path::new("/p"))].into_iter(), &disk);
        let reached = items.reached_from(["Owner"; 2], Some("a"), &BTreeSet::from([0]));
        let inside = reached
            .files
            .iter()
            .filter_map(|path| path.strip_prefix("/p").ok());
        let shown = inside.map(slashed);
        (
            shown.filter(|path| path != "src/lib.rs").collect(),
            reached.gated,
        )
    }

    #[test]
    fn code_behind_a_value_is_found_wherever_it_is() {
        for (what, files, expected) in [
            (
                "a function",
                &[("src/a.rs", "fn made() -> u8 { 1 }")][..],
                &["src/a.rs"][..],
            ),
            (
                "a method of a block in another file",
                &[
                    ("src/a.rs", "fn made() -> u8 { Imp.m() } struct Imp;"),
                    ("src/b.rs", "impl crate::Imp { fn m(&self) {} }"),
                    ("src/c.rs", "impl crate::Imp { fn reconcile(&self) {} }"),
                ],
                &["src/a.rs", "src/b.rs"],
            ),
            (
                "a trait in source, of which another method is called",
                &[
                    (
                        "src/a.rs",
                        "fn made() -> u8 { Imp } struct Imp; trait T { fn run(); }",
                    ),
                    ("src/b.rs", "impl T for Imp { fn run() {} }"),
                ],
                &["src/a.rs"],
            ),
            (
                "an operator",
                &[
                    ("src/a.rs", "fn made() -> u8 { Imp + 1 } struct Imp;"),
                    ("src/b.rs", "impl Add<u8> for Imp { fn add(self) {} }"),
                ],
                &["src/a.rs", "src/b.rs"],
            ),
            (
                "a trait of a type that is not in source",
                &[
                    ("src/a.rs", "fn made() -> u8 { 1u8.p() }"),
                    ("src/b.rs", "impl P for u8 { fn p(self) { deep() } }"),
                    ("src/c.rs", "fn deep() {}"),
                ],
                &["src/a.rs", "src/b.rs", "src/c.rs"],
            ),
            (
                "a file that a macro includes, and the manifest",
                &[
                    (
                        "src/a.rs",
                        "fn made() -> u8 { f(include_str!(\"data.txt\")) } fn f() { env!(\"A\") }",
                    ),
                    ("src/data.txt", "1"),
                    ("src/more.txt", "1"),
                    ("Cargo.toml", "[package]"),
                ],
                &["Cargo.toml", "src/a.rs", "src/data.txt"],
            ),
            (
                "what a macro makes",
                &[
                    ("src/a.rs", "make!(made, deep);"),
                    ("src/b.rs", "macro_rules! make { () => {} }"),
                    ("src/c.rs", "fn deep() {}"),
                    ("src/d.rs", "fn unused() {}"),
                ],
                &["src/a.rs", "src/b.rs", "src/c.rs"],
            ),
            (
                "a renamed function, and tests apart",
                &[
                    ("src/a.rs", "use crate::b::real as made;"),
                    ("src/b.rs", "fn real() {}"),
                    ("tests/t.rs", "fn made() {}"),
                ],
                &["src/a.rs", "src/b.rs"],
            ),
        ] {
            assert_eq!(reached(files).0, expected, "{what}");
        }
    }

    #[test]
    fn gated_types_on_the_way_are_found() {
        let gated = "struct Inner { #[experimental] a: u8 }";
        let on_the_way = reached(&[
            ("src/a.rs", "fn made() { by() } fn by() { Inner }"),
            ("src/b.rs", gated),
        ]);
        assert_eq!(on_the_way.1.as_deref(), Some("Inner"));
        let apart = reached(&[("src/a.rs", "fn made() {}"), ("src/b.rs", gated)]);
        assert_eq!(apart.1, None);
    }

    #[test]
    fn places_name_a_type_and_a_field() {
        for (place, expected) in [
            ("a::b::Type", (["Type"; 2], None)),
            ("a::Type.field", (["Type"; 2], Some("field"))),
            ("a::Type<b::Arg>.field", (["Type"; 2], Some("field"))),
            ("a::Enum<b::Arg>::V.field", (["Enum", "V"], Some("field"))),
            ("a::Enum::V.0", (["Enum", "V"], Some("0"))),
        ] {
            assert_eq!(names_in(place), expected, "{place}");
        }
    }
}
