//! Links in pages lead to existing files and headings, the README's index has every page once, and images match their sources.

use super::support::skipped::skipped;
use super::{pages, root};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use walkdir::WalkDir;

/// Returns the text without fenced blocks.
fn prose(page: &str) -> String {
    let mut fenced = false;
    let lines = page.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the targets of a page's links.
fn links(page: &str) -> Vec<String> {
    let text = prose(page);
    let ends = text.match_indices("](");
    let targets = ends.filter_map(|(at, open)| text[at + open.len()..].split(')').next());
    targets.map(str::to_owned).collect()
}

/// Returns the anchors of a page's headings, as GitHub makes them.
fn anchors(page: &str) -> Vec<String> {
    let text = prose(page);
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            match *count {
                1 => anchor,
                count => format!("{anchor}-{}", count - 1),
            }
        })
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages().into_iter().chain(others()) {
        let path = root().join(&page);
        let text = fs::read_to_string(&path).unwrap();
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() {
                path.clone()
            } else {
                path.parent().unwrap().join(file)
            };
            let found = target.exists()
                && (anchor.is_empty()
                    || anchors(&fs::read_to_string(&target).unwrap())
                        .iter()
                        .any(|known| known == anchor));
            if !found {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Returns the pages outside `docs/`: the READMEs of the folders, the map of the tool, and its changelog.
fn others() -> Vec<String> {
    let packages = ["apiserver", "crates"].into_iter().flat_map(|folder| {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let packages = names.filter(|name| name != "README.md");
        packages.map(move |name| format!("{folder}/{name}/README.md"))
    });
    let named = [
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "apiserver/README.md",
        "benches/README.md",
    ];
    packages.chain(named.map(str::to_owned)).collect()
}

/// Returns every file of the folders that the map of the tool describes, in its notation: without `src`.
fn mapped() -> Vec<String> {
    let folders = [
        "apiserver",
        "crates",
        "tasks",
        "xtask",
        "oracle",
        "api-types",
        ".ci",
    ];
    let walks = folders.map(|folder| WalkDir::new(root().join(folder)));
    let files = walks.into_iter().flatten().map(Result::unwrap);
    let paths = files.map(|file| file.into_path());
    let shown = paths.map(|path| path.strip_prefix(root()).unwrap().display().to_string());
    shown.map(|path| path.replacen("/src/", "/", 1)).collect()
}

#[test]
fn the_map_names_files_that_exist() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let text = prose(&page);
    let spans = text.split('`').skip(1).step_by(2);
    let of_a_path = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_');
    let paths = spans.filter(|span| span.contains('/') && span.chars().all(of_a_path));
    // Folders that only exist in projects that use the tool, or after a run.
    let elsewhere = ["channels/", ".crd-channels/", "target/"];
    let paths = paths.filter(|path| !elsewhere.iter().any(|folder| path.starts_with(folder)));
    let files = mapped();
    let is_there = |path: &&str| {
        let whole = path.trim_end_matches('/');
        let inside = format!("/{}", whole.replacen("/src/", "/", 1));
        let ends = [inside.clone(), format!("{inside}.rs")];
        root().join(whole).exists()
            || files
                .iter()
                .any(|file| ends.iter().any(|end| file.ends_with(end)))
    };
    let (there, missing): (Vec<&str>, Vec<&str>) = paths.partition(is_there);
    assert!(there.len() > 100, "{}", there.len());
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_index_has_every_page_once() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let index = readme.split("\n## Documentation\n").nth(1).unwrap();
    let index = index.split("\n## ").next().unwrap();
    let mut listed = links(index);
    listed.retain(|link| link.starts_with("docs/"));
    listed.sort();
    let mut expected = pages();
    expected.retain(|page| page.starts_with("docs/"));
    assert_eq!(listed, expected);
}

#[test]
fn pictures_are_those_of_their_sources() {
    let folder = root().join("docs/pictures");
    let mut shown: Vec<String> = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let links = links(&text).into_iter();
        shown.extend(links.filter_map(|link| Some(link.split_once("pictures/")?.1.to_owned())));
    }
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.ends_with(".png") {
            assert!(
                shown.iter().any(|shown| shown == name),
                "no page has {name}"
            );
            // Taken of a browser by `.ci/browser`.
            assert!(fs::metadata(&path).unwrap().len() < 100_000, "{name}");
        }
        if let Some(stem) = name.strip_suffix(".svg") {
            // Those of terminals have a test of their own.
            let is_terminal = ["error", "plan"].contains(&stem);
            assert!(
                is_terminal || folder.join(format!("{stem}.dot")).exists(),
                "{name}"
            );
            assert!(
                shown.iter().any(|shown| shown == name),
                "no page has {name}"
            );
        }
        let Some(stem) = name.strip_suffix(".dot") else {
            continue;
        };
        let digest = Sha256::digest(fs::read(&path).unwrap());
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let picture = fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap();
        assert!(
            picture.contains(&format!("<!-- of {name}, sha256:{digest} -->")),
            "{stem}.svg is stale; run docs/pictures/draw.sh"
        );
        match Command::new("dot").arg("-Tcanon").arg(&path).output() {
            Ok(read) => assert!(read.status.success(), "{name}"),
            Err(_) => skipped(&format!("the syntax of {name}, since Graphviz is absent")),
        }
    }
}
