//! The code that may decide a recorded value: all items of the workspace that its own text leads to, by the words that they
//! mention. Finding too much makes a record stale too often; finding too little would hide that it is.

use crd_channels_files::{Read, is_left_out};
use crd_channels_source::mentions::{Mentions, mentions};
use crd_channels_workspace::{Package, PackageId, Workspace};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Folders of a package whose files no type uses; the last one has the records themselves.
const NOT_OF_TYPES: [&str; 4] = ["tests", "benches", "examples", "channels"];

/// Macros that read a file beside the source file.
const INCLUDING: [&str; 3] = ["include", "include_bytes", "include_str"];

/// Macros that read the manifest of the package.
const OF_MANIFEST: [&str; 2] = ["env", "option_env"];

/// The items of all local packages.
pub(super) struct Items {
    /// Each with the index of its package.
    files: Vec<(PathBuf, usize)>,
    /// Each with the file that it is in.
    items: Vec<(usize, Mentions)>,
    by_name: HashMap<String, Vec<usize>>,
    types: HashSet<String>,
    traits: HashSet<String>,
    /// The names of files that a macro may include, by their last part.
    others: BTreeMap<String, Vec<PathBuf>>,
}

/// What is reached from some words.
#[derive(Debug, Default)]
pub(super) struct Reached {
    /// The files of the items.
    pub(super) files: BTreeSet<PathBuf>,
    /// All words that are mentioned on the way.
    pub(super) words: BTreeSet<String>,
    /// A type of which a part is not in every channel.
    pub(super) gated: Option<String>,
}

impl Items {
    /// Reads packages: the index of each, and its folder.
    pub(super) fn read<'p>(
        packages: impl Iterator<Item = (usize, &'p Path)>,
        files: &dyn Read,
    ) -> Self {
        let mut rust = Vec::new();
        let mut others: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for (index, package) in packages {
            let mut open = vec![package.to_path_buf()];
            while let Some(folder) = open.pop() {
                for entry in files.list(&folder).unwrap_or_default() {
                    let name = entry.file_name().unwrap_or_default().to_string_lossy();
                    let is_apart = folder == *package && NOT_OF_TYPES.contains(&&*name);
                    if files.is_file(&entry) {
                        match entry.extension().is_some_and(|extension| extension == "rs") {
                            true => rust.push((entry, index)),
                            false => others.entry(name.into_owned()).or_default().push(entry),
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
            let text = files.read_text(path).ok();
            text.and_then(|text| mentions(&text)).unwrap_or_default()
        });
        let read: Vec<Vec<Mentions>> = read.collect();
        let found = read.into_iter().enumerate();
        let items: Vec<(usize, Mentions)> = found
            .flat_map(|(file, items)| items.into_iter().map(move |item| (file, item)))
            .collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, (_, item)) in items.iter().enumerate() {
            for name in item.names.iter().chain(&item.of_type) {
                by_name.entry(name.clone()).or_default().push(index);
            }
        }
        let named = |is: fn(&Mentions) -> bool| -> HashSet<String> {
            let found = items.iter().filter(|(_, item)| is(item));
            found.flat_map(|(_, item)| item.names.clone()).collect()
        };
        let (types, traits) = (named(|item| item.is_type), named(|item| item.is_trait));
        Self {
            files: rust,
            items,
            by_name,
            types,
            traits,
            others,
        }
    }

    /// What a field of a type leads to in some packages; without a field the type.
    pub(super) fn reached_from(
        &self,
        owner: &str,
        field: Option<&str>,
        packages: &BTreeSet<usize>,
    ) -> Reached {
        let mut seen = HashSet::new();
        let mut words = vec![owner.to_owned()];
        let named = self.by_name.get(owner).into_iter().flatten();
        for index in named {
            let Some((_, item)) = self.items.get(*index).filter(|(_, item)| item.is_type) else {
                continue;
            };
            let mut fields = item.fields.iter();
            let own = fields.find(|(name, _)| Some(name.as_str()) == field);
            if let Some((_, own)) = own {
                // Other fields do not decide this one.
                seen.insert(*index);
                words.extend(own.iter().chain(&item.attributes).cloned());
            }
        }
        let mut reached = self.from(words, seen.clone(), packages);
        reached
            .files
            .extend(seen.into_iter().filter_map(|index| self.file_of(index)));
        self.add_included(&mut reached);
        reached
    }

    fn file_of(&self, index: usize) -> Option<PathBuf> {
        let (file, _) = self.items.get(index)?;
        let (path, _) = self.files.get(*file)?;
        Some(path.clone())
    }

    fn from(
        &self,
        words: Vec<String>,
        mut seen: HashSet<usize>,
        packages: &BTreeSet<usize>,
    ) -> Reached {
        let mut reached = Reached::default();
        let mut open = words;
        while let Some(word) = open.pop() {
            if !reached.words.insert(word.clone()) {
                continue;
            }
            for index in self.by_name.get(&word).into_iter().flatten() {
                let Some((file, item)) = self.items.get(*index) else {
                    continue;
                };
                let package = self.files.get(*file).map(|(_, package)| package);
                if !package.is_some_and(|package| packages.contains(package)) {
                    continue;
                }
                // Code that uses a trait in source writes the names of its methods.
                let of_trait = item.of_trait.as_ref();
                let is_by_name = of_trait.is_some_and(|it| self.traits.contains(it));
                let of_type = item.of_type.as_ref().filter(|ty| self.types.contains(*ty));
                let mut needed = item.names.iter().chain(of_type);
                if is_by_name
                    || !needed.all(|name| reached.words.contains(name))
                    || !seen.insert(*index)
                {
                    continue;
                }
                reached.files.extend(self.file_of(*index));
                if item.is_gated && reached.gated.is_none() {
                    reached.gated.clone_from(&item.names.first().cloned());
                }
                open.extend(item.words.iter().cloned());
            }
        }
        reached
    }

    /// Adds the files that macros in what is reached include, and the manifests that they read.
    fn add_included(&self, reached: &mut Reached) {
        let has = |names: &[&str]| names.iter().any(|name| reached.words.contains(*name));
        let mut found = Vec::new();
        if has(&INCLUDING) {
            let mentioned = self.others.iter().filter(|(name, _)| {
                let mut parts = name.split(|c: char| !c.is_alphanumeric() && c != '_');
                parts.all(|part| part.is_empty() || reached.words.contains(part))
            });
            found.extend(mentioned.flat_map(|(_, paths)| paths.clone()));
        }
        if has(&OF_MANIFEST) {
            found.extend(self.others.get("Cargo.toml").into_iter().flatten().cloned());
        }
        reached.files.extend(found);
    }
}

/// The packages whose code a type of a crate may run: its own, and those that it depends on. All if the crate is unknown.
pub(super) fn packages_behind(workspace: &Workspace, crate_name: &str) -> BTreeSet<usize> {
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

/// The name of the type and of the field in a place such as `crate::module::Type<Arg>.field`.
pub(super) fn names_in(place: &str) -> (&str, Option<&str>) {
    let (path, field) = match place.rsplit_once('.') {
        Some((path, field)) if !field.contains(['>', ']', ')']) => (path, Some(field)),
        _ => (place, None),
    };
    let path = path.split('<').next().unwrap_or(path);
    let mut parts = path.rsplit("::");
    (parts.next().unwrap_or(path), field)
}

#[cfg(test)]
mod tests {
    use super::{Items, names_in};
    use crd_channels_files::Memory;
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
        let items = Items::read([(0, Path::new("/p"))].into_iter(), &Memory(all.collect()));
        let reached = items.reached_from("Owner", Some("a"), &BTreeSet::from([0]));
        let inside = reached
            .files
            .iter()
            .filter_map(|path| path.strip_prefix("/p").ok());
        let shown = inside.map(|path: &Path| path.display().to_string());
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
            ("a::b::Type", ("Type", None)),
            ("a::Type.field", ("Type", Some("field"))),
            ("a::Type<b::Arg>.field", ("Type", Some("field"))),
        ] {
            assert_eq!(names_in(place), expected, "{place}");
        }
    }
}
