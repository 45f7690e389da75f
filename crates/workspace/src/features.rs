//! The features and optional dependencies that a build enables: those that `cargo build -p PACKAGE` passes to rustc.
//!
//! `cargo metadata` reports other ones: those that are enabled if the whole workspace is built at once, with its tests and
//! build scripts, for every target. A field behind a feature that only a sibling's tests enable would be read as present. So
//! this resolves the manifests as cargo does. With `resolver = "2"` or later, packages built for the host (build scripts and
//! procedural macros, with their dependencies) have their own features, and dependencies of tests or of other targets do not
//! count. With `resolver = "1"`, all of these count together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The parts of a manifest that features depend on.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    /// The package's name.
    pub(super) name: String,
    /// `[features]`, with the implicit ones of optional dependencies.
    pub(super) features: BTreeMap<String, Vec<String>>,
    /// Its dependencies.
    pub(super) edges: Vec<Edge>,
    /// Whether it is a procedural macro.
    pub(super) is_macro: bool,
}

/// An entry of `[dependencies]` or of a similar table.
#[derive(Debug)]
pub(super) struct Edge {
    /// The package that it resolves to.
    pub(super) to: usize,
    /// Its name in the manifest.
    pub(super) name: String,
    /// Its name in code.
    pub(super) code: String,
    /// The part of the package that uses it.
    pub(super) part: Part,
    /// Whether it applies to the target that is built for.
    pub(super) active: bool,
    /// `optional`
    pub(super) optional: bool,
    /// `default-features`
    pub(super) default: bool,
    /// `features`
    pub(super) features: Vec<String>,
}

/// The part of a package that uses a dependency.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part {
    /// Its code.
    Normal,
    /// Its build script.
    Build,
    /// Its tests.
    Dev,
}

/// The packages to build, and the features to enable or disable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Build<'a> {
    /// The selected packages.
    pub(super) roots: &'a [usize],
    /// Features to enable, as `package/feature`.
    pub(super) on: &'a [&'a str],
    /// Features that stay disabled, even if something enables them.
    pub(super) off: &'a [&'a str],
    /// Whether the workspace has `resolver = "1"`.
    pub(super) old: bool,
    /// Whether the packages' tests are also built.
    pub(super) tests: bool,
}

/// The features and dependencies that are enabled in one package.
#[derive(Clone, Debug, Default)]
pub(super) struct EnabledFeatures {
    /// Its features.
    pub(super) features: BTreeSet<String>,
    /// Its optional dependencies, by their names in the manifest.
    dependencies: BTreeSet<String>,
}

impl EnabledFeatures {
    /// Whether a dependency is enabled.
    pub(super) fn has(&self, edge: &Edge) -> bool {
        !edge.optional || self.dependencies.contains(&edge.name)
    }
}

/// A unit, as cargo calls it: a package, and whether it is built for the host.
type Unit = (usize, bool);

/// Something to enable.
enum Activation {
    Package(Unit),
    Feature(Unit, String),
    Dependency(Unit, String),
    /// `dependency/feature`; weak with `?`.
    Inner {
        at: Unit,
        dependency: String,
        feature: String,
        weak: bool,
    },
}

struct Resolver<'a> {
    manifests: &'a [Manifest],
    build: Build<'a>,
    seen: BTreeSet<Unit>,
    on: HashMap<Unit, EnabledFeatures>,
    /// Features behind `?` of dependencies that are not enabled yet.
    waiting: HashMap<(Unit, String), BTreeSet<String>>,
    steps: Vec<Activation>,
}

/// The enabled features of each package; `None` for packages that are not built.
pub(super) fn resolve(manifests: &[Manifest], build: Build<'_>) -> Vec<Option<EnabledFeatures>> {
    let mut resolver = Resolver {
        manifests,
        build,
        seen: BTreeSet::new(),
        on: HashMap::new(),
        waiting: HashMap::new(),
        steps: Vec::new(),
    };
    for root in build.roots {
        resolver.root((*root, false));
        // A selected macro is built for the host, but its dependencies also count for the target.
        if !build.old
            && manifests
                .get(*root)
                .is_some_and(|manifest| manifest.is_macro)
        {
            resolver.root((*root, true));
        }
    }
    while let Some(step) = resolver.steps.pop() {
        resolver.step(step);
    }
    let built = resolver.built();
    let mut on = resolver.on;
    let mut at = |place| {
        built
            .contains(&place)
            .then(|| on.remove(&place).unwrap_or_default())
    };
    let packages = manifests.iter().enumerate();
    packages
        .map(|(package, manifest)| {
            let first = !build.old && manifest.is_macro;
            at((package, first)).or_else(|| at((package, !first)))
        })
        .collect()
}

impl<'a> Resolver<'a> {
    fn root(&mut self, at: Unit) {
        let Some(manifest) = self.manifests.get(at.0) else {
            return;
        };
        self.steps.push(Activation::Package(at));
        self.default(at);
        for (package, feature) in self.build.on.iter().filter_map(|on| on.split_once('/')) {
            let of_dependency = || manifest.edges.iter().any(|edge| edge.name == package);
            if manifest.name != package && of_dependency() {
                self.steps.push(Activation::Inner {
                    at,
                    dependency: package.to_owned(),
                    feature: feature.to_owned(),
                    weak: false,
                });
            }
        }
    }

    /// The units that are built, which are fewer than those visited if a macro is selected.
    fn built(&self) -> BTreeSet<Unit> {
        let place = |root: &usize| {
            let manifest = self.manifests.get(*root);
            let host = !self.build.old && manifest.is_some_and(|manifest| manifest.is_macro);
            (*root, host)
        };
        let mut open: Vec<Unit> = self.build.roots.iter().map(place).collect();
        let mut built = BTreeSet::new();
        while let Some(at) = open.pop() {
            if built.insert(at) {
                let on = self.on.get(&at);
                let is_there = |edge: &Edge| !edge.optional || on.is_some_and(|on| on.has(edge));
                let edges = self.edges(at).filter(|(_, edge)| is_there(edge));
                open.extend(edges.map(|(to, _)| to));
            }
        }
        built
    }

    fn default(&mut self, at: Unit) {
        let manifest = self.manifests.get(at.0);
        if manifest.is_some_and(|manifest| manifest.features.contains_key("default")) {
            self.steps
                .push(Activation::Feature(at, "default".to_owned()));
        }
    }

    fn step(&mut self, step: Activation) {
        match step {
            Activation::Package(at) => self.package(at),
            Activation::Feature(at, feature) => self.feature(at, feature),
            Activation::Dependency(at, name) => self.dependency(at, name),
            Activation::Inner {
                at,
                dependency,
                feature,
                weak,
            } => self.inner(at, dependency, feature, weak),
        }
    }

    /// The dependencies that count, with their units.
    fn edges(&self, at: Unit) -> impl Iterator<Item = (Unit, &'a Edge)> + use<'a> {
        let (package, host) = at;
        let Build {
            old, roots, tests, ..
        } = self.build;
        let manifests = self.manifests;
        let edges = manifests.get(package).map(|manifest| &manifest.edges);
        let is_root = roots.contains(&package);
        let counts = move |edge: &&Edge| match (old, edge.part) {
            (true, Part::Dev) => is_root,
            (true, _) => true,
            (false, Part::Dev) => edge.active && tests && is_root,
            (false, _) => edge.active,
        };
        edges.into_iter().flatten().filter(counts).map(move |edge| {
            let is_macro = manifests.get(edge.to).is_some_and(|to| to.is_macro);
            let to_host = !old && (is_macro || edge.part == Part::Build);
            ((edge.to, host || to_host), edge)
        })
    }

    /// Visits a package and its dependencies, except for optional ones.
    fn package(&mut self, at: Unit) {
        if !self.seen.insert(at) {
            return;
        }
        let name = self.manifests.get(at.0).map(|manifest| &*manifest.name);
        for (package, feature) in self.build.on.iter().filter_map(|on| on.split_once('/')) {
            if name == Some(package) {
                self.steps.push(Activation::Feature(at, feature.to_owned()));
            }
        }
        for (to, edge) in self.edges(at) {
            if !edge.optional {
                self.follow(to, edge);
            }
        }
    }

    /// Visits a dependency, with the features that its entry names.
    fn follow(&mut self, to: Unit, edge: &Edge) {
        self.steps.push(Activation::Package(to));
        if edge.default {
            self.default(to);
        }
        let features = edge.features.iter();
        self.steps
            .extend(features.map(|feature| value(to, feature)));
    }

    fn feature(&mut self, at: Unit, feature: String) {
        let Some(manifest) = self.manifests.get(at.0) else {
            return;
        };
        let is_it = |off: &&str| off.split_once('/') == Some((&manifest.name, &feature));
        if self.build.off.iter().any(is_it) {
            return;
        }
        if let Some(values) = manifest.features.get(&feature) {
            let values: Vec<Activation> = values.iter().map(|written| value(at, written)).collect();
            if self.on.entry(at).or_default().features.insert(feature) {
                self.steps.extend(values);
            }
        }
    }

    fn dependency(&mut self, at: Unit, name: String) {
        let on = self.on.entry(at).or_default();
        if !on.dependencies.insert(name.clone()) {
            return;
        }
        let waiting = self.waiting.remove(&(at, name.clone()));
        for (to, edge) in self.edges(at).filter(|(_, edge)| edge.name == name) {
            for feature in waiting.iter().flatten() {
                self.steps.push(Activation::Feature(to, feature.clone()));
            }
            self.follow(to, edge);
        }
    }

    fn inner(&mut self, at: Unit, dependency: String, feature: String, weak: bool) {
        for (to, edge) in self.edges(at).filter(|(_, edge)| edge.name == dependency) {
            if edge.optional {
                let on = self.on.get(&at);
                if weak && !on.is_some_and(|on| on.dependencies.contains(&dependency)) {
                    let waiting = self.waiting.entry((at, dependency.clone())).or_default();
                    waiting.insert(feature.clone());
                    continue;
                }
                self.steps
                    .push(Activation::Dependency(at, dependency.clone()));
                if !weak {
                    self.steps.push(Activation::Feature(at, dependency.clone()));
                }
            }
            self.steps.push(Activation::Feature(to, feature.clone()));
        }
    }
}

/// Parses an entry of a feature: `feature`, `dep:name`, `name/feature` or `name?/feature`.
fn value(at: Unit, written: &str) -> Activation {
    if let Some(name) = written.strip_prefix("dep:") {
        return Activation::Dependency(at, name.to_owned());
    }
    match written.split_once('/') {
        Some((name, feature)) => Activation::Inner {
            at,
            dependency: name.strip_suffix('?').unwrap_or(name).to_owned(),
            feature: feature.to_owned(),
            weak: name.ends_with('?'),
        },
        None => Activation::Feature(at, written.to_owned()),
    }
}
