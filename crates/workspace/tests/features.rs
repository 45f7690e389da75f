//! Compares enabled features and dependencies with cargo's own for random small workspaces: its build plan names the features
//! of every unit. `FEATURE_WORKSPACES=2000` tries more of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use crd_channels_diagnostics::Text;
use crd_channels_workspace::{self as workspace, PackageId, Wanted, Workspace};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A package as code sees it: its features, and the names of its dependencies.
type Seen = BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end
    }

    fn one_in(&mut self, end: usize) -> bool {
        self.roll(end) == 0
    }

    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.roll(all.len())]
    }
}

const FEATURES: [&str; 3] = ["x", "y", "z"];
const SECTIONS: [&str; 7] = [
    "dependencies",
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "target.'cfg(windows)'.dependencies",
    "target.'cfg(all(unix, not(target_os = \"macos\")))'.dependencies",
    "target.'cfg(windows)'.build-dependencies",
];

/// A folder that is removed with the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("crd-channels-features-{}-{name}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Writes a workspace; returns its number of packages.
fn write(folder: &Folder, dice: &mut Dice) -> usize {
    let packages = 3 + dice.roll(4);
    let members: Vec<String> = (0..packages).map(|one| format!("\"p{one}\"")).collect();
    let resolver = dice.pick(&["1", "2", "2", "3"]);
    folder.write(
        "Cargo.toml",
        &format!(
            "[workspace]\nresolver = \"{resolver}\"\nmembers = [{}]\n",
            members.join(", ")
        ),
    );
    for package in 0..packages {
        let mut manifest =
            format!("[package]\nname = \"p{package}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        let is_macro = package > 0 && dice.one_in(5);
        if is_macro {
            manifest.push_str("[lib]\nproc-macro = true\n");
        }
        let mut optional = Vec::new();
        let mut named = Vec::new();
        let mut sections: BTreeMap<&str, String> = BTreeMap::new();
        for other in package + 1..packages {
            let rename = dice.one_in(5);
            let name = if rename {
                format!("re-{other}")
            } else {
                format!("p{other}")
            };
            let may_be_optional = dice.one_in(2);
            for _ in 0..dice.roll(3) {
                let section = dice.pick(&SECTIONS);
                let text = sections.entry(section).or_default();
                if text.contains(&format!("{name} =")) {
                    continue;
                }
                write!(text, "{name} = {{ path = \"../p{other}\"").unwrap();
                if rename {
                    write!(text, ", package = \"p{other}\"").unwrap();
                }
                if dice.one_in(3) {
                    text.push_str(", default-features = false");
                }
                if dice.one_in(2) {
                    write!(text, ", features = [\"{}\"]", dice.pick(&FEATURES)).unwrap();
                }
                if may_be_optional && section != "dev-dependencies" {
                    text.push_str(", optional = true");
                    optional.push(name.clone());
                }
                text.push_str(" }\n");
                named.push(name.clone());
            }
        }
        for (section, text) in sections {
            write!(manifest, "[{section}]\n{text}").unwrap();
        }
        manifest.push_str("[features]\n");
        for (place, feature) in ["default"].into_iter().chain(FEATURES).enumerate() {
            let mut on = Vec::new();
            for _ in 0..dice.roll(3) {
                on.push(match dice.roll(5) {
                    0 if place < FEATURES.len() => {
                        FEATURES[place + dice.roll(FEATURES.len() - place)].to_owned()
                    }
                    1 if !optional.is_empty() => {
                        format!("dep:{}", optional[dice.roll(optional.len())])
                    }
                    2 if !optional.is_empty() => format!(
                        "{}?/{}",
                        optional[dice.roll(optional.len())],
                        dice.pick(&FEATURES)
                    ),
                    3 if !named.is_empty() => {
                        format!("{}/{}", named[dice.roll(named.len())], dice.pick(&FEATURES))
                    }
                    _ => continue,
                });
            }
            writeln!(manifest, "{feature} = {on:?}").unwrap();
        }
        folder.write(&format!("p{package}/Cargo.toml"), &manifest);
        folder.write(&format!("p{package}/src/lib.rs"), "");
        folder.write(&format!("p{package}/build.rs"), "fn main() {}\n");
    }
    packages
}

/// cargo's build plan; `None` if it rejects the workspace.
fn planned(root: &Path, roots: &[String], features: &[String]) -> Option<Seen> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--unit-graph", "-Zunstable-options", "--offline"])
        .args(["--target", TARGET])
        .args(roots.iter().map(|root| format!("-p{root}")))
        .args(
            features
                .iter()
                .map(|feature| format!("--features={feature}")),
        )
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(root);
    let output = cargo.output().unwrap();
    if !output.status.success() {
        return None;
    }
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap();
    let units = plan["units"].as_array().unwrap();
    let is_library = |unit: &Value| {
        let kind = unit["target"]["kind"][0].as_str().unwrap();
        unit["mode"] == "build" && (kind == "lib" || kind == "proc-macro")
    };
    let mut seen = Seen::new();
    for of_target in [false, true] {
        for unit in units.iter().filter(|unit| is_library(unit)) {
            if unit["platform"].is_string() != of_target {
                continue;
            }
            let texts = |value: &Value| -> BTreeSet<String> {
                let all = value.as_array().unwrap().iter();
                all.map(|text| text.as_str().unwrap().to_owned()).collect()
            };
            let dependencies = unit["dependencies"].as_array().unwrap().iter();
            let dependencies = dependencies
                .filter(|one| is_library(&units[one["index"].as_u64().unwrap() as usize]))
                .map(|one| one["extern_crate_name"].as_str().unwrap().to_owned());
            let id = unit["pkg_id"].as_str().unwrap();
            let name = id.rsplit_once('/').unwrap().1;
            let name = name.split('#').next().unwrap().to_owned();
            // The unit for the target comes last, and its code is what counts.
            seen.insert(name, (texts(&unit["features"]), dependencies.collect()));
        }
    }
    Some(seen)
}

fn loaded(root: &Path, roots: &[String], features: &[String], without: &[String]) -> Workspace {
    let texts =
        |list: &[String]| -> Vec<Text> { list.iter().map(|one| one.as_str().into()).collect() };
    let built = |workspace: &Workspace| -> Vec<PackageId> {
        let ids = roots.iter().map(|name| workspace.member(name).unwrap());
        ids.collect()
    };
    let wanted = Wanted {
        target: TARGET,
        features: &texts(features),
        without: &texts(without),
        built: &built,
    };
    workspace::load(root, wanted).unwrap_or_else(|finding| panic!("{finding:?}"))
}

fn read(root: &Path, roots: &[String], features: &[String]) -> Seen {
    let workspace = loaded(root, roots, features, &[]);
    let built = workspace.packages.iter().filter(|package| package.built);
    built
        .map(|package| {
            let mut dependencies: BTreeSet<String> = package.dependencies.keys().cloned().collect();
            dependencies.remove(&package.name);
            let seen = (package.features.clone(), dependencies);
            (package.name.clone(), seen)
        })
        .collect()
}

#[test]
fn features_are_those_that_cargo_builds_with() {
    let count = std::env::var("FEATURE_WORKSPACES").ok();
    let count: u64 = count.map_or(20, |count| count.parse().unwrap());
    let (mut compared, mut on) = (0, 0);
    for seed in 1..=count {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let folder = Folder::new(&seed.to_string());
        let packages = write(&folder, &mut dice);
        let roots: Vec<String> = (0..packages)
            .filter(|one| *one == 0 || dice.one_in(3))
            .map(|one| format!("p{one}"))
            .collect();
        let roots = match dice.roll(3) {
            0 => vec![format!("p{}", dice.roll(packages))],
            _ => roots,
        };
        let features: Vec<String> = match dice.roll(2) {
            0 => vec![format!("{}/{}", roots[0], dice.pick(&FEATURES))],
            _ => Vec::new(),
        };
        let Some(planned) = planned(&folder.0, &roots, &features) else {
            continue;
        };
        let mut read = read(&folder.0, &roots, &features);
        let workspace = fs::read_to_string(folder.0.join("Cargo.toml")).unwrap();
        if workspace.contains("\"1\"") {
            // Packages that tests and other targets need count there without being built.
            read.retain(|package, _| planned.contains_key(package));
        }
        compared += 1;
        on += planned.values().filter(|(on, _)| !on.is_empty()).count();
        if read != planned {
            for package in 0..packages {
                let manifest = folder.0.join(format!("p{package}/Cargo.toml"));
                eprintln!("{}", fs::read_to_string(manifest).unwrap());
            }
            panic!(
                "{workspace}\nseed {seed}, -p {roots:?}, {features:?}:\nread {read:#?}\ncargo {planned:#?}"
            );
        }
    }
    assert!(
        compared * 4 > count * 3,
        "cargo refused {}",
        count - compared
    );
    assert!(on > 0);
}

#[test]
fn a_new_build_script_is_seen() {
    let folder = Folder::new("script");
    folder.write("Cargo.toml", "[package]\nname = \"p0\"\n");
    folder.write("src/lib.rs", "");
    let has = || loaded(&folder.0, &["p0".to_owned()], &[], &[]).packages[0].has_build_script;
    assert!(!has());
    folder.write("build.rs", "fn main() {}");
    assert!(has());
}
