//! `channels/bundle.toml`

use super::lints::{self, Lints};
use super::names::{is_semantic_version, is_subdomain};
use super::overrides::{self, Overrides};
use super::table::Table;
use super::webhook::{self, Webhooks};
use crate::render::Convention;
use crd_channels_check::names::is_label;
use crd_channels_diagnostics::{FileId, Span, Spanned, Text};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Component, Path};
use std::str::FromStr;

/// The settings of a bundle.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// `conventions`: the shape of schemas. Default: `kubernetes`.
    pub convention: Convention,
    /// `packages`: the packages whose types are read. Empty: every member that derives `CustomResource`.
    pub packages: Vec<Spanned<Text>>,
    /// `cargo-features`: features enabled in addition to the default ones, as `package/feature`.
    pub cargo_features: Vec<Text>,
    /// `cargo-features` with a leading `!`: features that are off, whatever enables them.
    pub features_off: Vec<Spanned<Text>>,
    /// `cargo-packages`: the packages whose build decides which features are enabled. Empty: those whose types are read.
    pub cargo_packages: Vec<Spanned<Text>>,
    /// `exclude`: the full paths of modules and types whose kinds are left out.
    pub exclude: Vec<Spanned<Text>>,
    /// `pending`: like `exclude`, for kinds that are to be added later; each run reports them.
    pub pending: Vec<Spanned<Text>>,
    /// `version`: the bundle's version without a leading `v`. `None`: that of the types' package.
    pub version: Option<Spanned<Text>>,
    /// `annotation-prefix`. `None`: the group, if there is only one.
    pub annotation_prefix: Option<Spanned<Text>>,
    /// `target`: the triple that decides target cfgs. Default: `x86_64-unknown-linux-gnu`, whatever the host.
    pub target: Spanned<Text>,
    /// `cfgs`: custom cfgs, by name and value; a leading `!` means off.
    pub cfgs: BTreeSet<(Text, Option<Text>)>,
    /// `kubernetes`: the oldest supported version. Default: 1.30.
    pub kubernetes: Kubernetes,
    /// `output`: the folder of the CRDs, below the workspace root. Default: `generated`.
    pub output: Text,
    /// `constants`: the Rust file with the bundle's names, below the workspace root.
    pub constants: Option<Spanned<Text>>,
    /// `components`: the folder of the bundle's other objects, below the workspace root.
    pub components: Option<Text>,
    /// `examples`: the folder of example objects, below the workspace root. `None`: `channels/examples`, if it exists.
    pub examples: Option<Spanned<Text>>,
    /// `examples-page`: the Markdown file that shows the examples, below the workspace root.
    pub examples_page: Option<Spanned<Text>>,
    /// `reference-pages`: the folder of the Markdown pages about every field, below the workspace root.
    pub reference_pages: Option<Text>,
    /// `chart`: the name of the Helm chart and of the files of a release.
    pub chart: Option<Text>,
    /// `[schemas]`, `[values]`, `[kinds]`: settings that replace what the source says.
    pub overrides: Overrides,
    /// `[conversion]`: the webhooks of the kinds that ask for one.
    pub webhooks: Webhooks,
    /// `[lints]`: the levels of lints.
    pub lints: Lints,
}

/// The span of a value that no file sets, so that no finding points at it.
pub(super) const NOWHERE: Span = Span {
    file: FileId(u32::MAX),
    start: 0,
    end: 0,
};

/// Wraps a value that no file sets.
fn unplaced(value: &str) -> Spanned<Text> {
    Spanned {
        value: value.into(),
        span: NOWHERE,
    }
}

impl Bundle {
    /// Returns the full paths of everything left out.
    pub fn left_out(&self) -> impl Iterator<Item = &Spanned<Text>> {
        self.exclude.iter().chain(&self.pending)
    }

    /// Returns the folder of example objects, below the workspace root. It may not exist.
    #[must_use]
    pub fn examples_folder(&self) -> &str {
        let configured = self.examples.as_ref();
        configured.map_or("channels/examples", |folder| &*folder.value)
    }

    /// Sets the packages whose build decides features, unless the list is empty.
    pub fn build(&mut self, packages: &[String]) {
        if !packages.is_empty() {
            self.cargo_packages = packages.iter().map(|name| unplaced(name)).collect();
        }
    }
}

impl Default for Bundle {
    fn default() -> Self {
        Self {
            convention: Convention::default(),
            packages: Vec::new(),
            cargo_features: Vec::new(),
            features_off: Vec::new(),
            cargo_packages: Vec::new(),
            exclude: Vec::new(),
            pending: Vec::new(),
            version: None,
            annotation_prefix: None,
            target: unplaced("x86_64-unknown-linux-gnu"),
            cfgs: BTreeSet::new(),
            kubernetes: Kubernetes {
                major: 1,
                minor: 30,
            },
            output: "generated".into(),
            constants: None,
            components: None,
            examples: None,
            examples_page: None,
            reference_pages: None,
            chart: None,
            overrides: Overrides::default(),
            webhooks: Webhooks::default(),
            lints: Lints::default(),
        }
    }
}

/// A release of Kubernetes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Kubernetes {
    /// `1`
    pub major: u32,
    /// `30`
    pub minor: u32,
}

impl Kubernetes {
    /// Returns the minor of Kubernetes 1 with the same features; for later majors, the highest.
    #[must_use]
    pub fn of_major_1(self) -> u32 {
        match self.major {
            0 => 0,
            1 => self.minor,
            _ => u32::MAX,
        }
    }
}

impl FromStr for Kubernetes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('.');
        match numbers.map(|(major, minor)| (major.parse(), minor.parse())) {
            Some((Ok(major), Ok(minor))) => Ok(Self { major, minor }),
            _ => Err(format!(
                "`{text}` is not a release of Kubernetes, such as `1.30`"
            )),
        }
    }
}

impl fmt::Display for Kubernetes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

pub(super) fn read_bundle(table: &mut Table<'_, '_>) -> Bundle {
    let default = Bundle::default();
    let conventions = Convention::ALL.map(|one| (one.choices().name, one));
    let convention = table.choice("conventions", &conventions);
    let convention = convention.unwrap_or(default.convention);
    let packages = table.texts("packages").unwrap_or_default();
    let (cargo_features, features_off) = cargo_features(table);
    // Findings are reported in the order of these lines.
    Bundle {
        convention,
        packages,
        cargo_features,
        features_off,
        cargo_packages: table.texts("cargo-packages").unwrap_or_default(),
        exclude: table.texts("exclude").unwrap_or_default(),
        pending: table.texts("pending").unwrap_or_default(),
        version: version(table),
        annotation_prefix: prefix(table),
        target: target(table).unwrap_or(default.target),
        cfgs: (table.texts("cfgs").unwrap_or_default().iter())
            .filter_map(|text| cfg(text, table))
            .collect(),
        kubernetes: kubernetes(table).unwrap_or(default.kubernetes),
        output: folder(table, "output", "generated").map_or(default.output, |folder| folder.value),
        components: folder(table, "components", "deploy").map(|folder| folder.value),
        examples: folder(table, "examples", "examples"),
        examples_page: file(table, "examples-page", MARKDOWN),
        reference_pages: folder(table, "reference-pages", "docs/reference")
            .map(|folder| folder.value),
        constants: file(table, "constants", RUST),
        chart: chart(table),
        webhooks: table
            .table("conversion", webhook::read_webhooks)
            .unwrap_or_default(),
        lints: table
            .table("lints", lints::read_lints)
            .unwrap_or_default()
            .or_allowed(convention.choices().unavoidable_lints),
        overrides: overrides::read_overrides(table),
    }
}

/// Returns the features that are on, and those that are off.
fn cargo_features(table: &mut Table<'_, '_>) -> (Vec<Text>, Vec<Spanned<Text>>) {
    let is_name = |part: &str| {
        let allowed = |c: char| c.is_alphanumeric() || "_-+.".contains(c);
        !part.is_empty() && part.chars().all(allowed)
    };
    let (mut on, mut off) = (Vec::<Text>::new(), Vec::<Spanned<Text>>::new());
    for written in table.texts("cargo-features").unwrap_or_default() {
        let bare = written.value.strip_prefix('!');
        let name = Text::from(bare.unwrap_or(&written.value));
        let parts = name.split_once('/');
        if !parts.is_some_and(|(package, feature)| is_name(package) && is_name(feature)) {
            table.report(
                written.span,
                format!("`{}` does not name a feature of a package", written.value),
                "prefix it with the package, as in `cargo-features = [\"api-types/schemas\", \"!api-types/default\"]`",
            );
            continue;
        }
        if on.contains(&name) || off.iter().any(|other| other.value == name) {
            table.report(
                written.span,
                format!("`{name}` is listed twice"),
                "keep one: a leading `!` turns it off",
            );
        } else if bare.is_some() {
            off.push(Spanned {
                value: name,
                span: written.span,
            });
        } else {
            on.push(name);
        }
    }
    (on, off)
}

fn version(table: &mut Table<'_, '_>) -> Option<Spanned<Text>> {
    let version = table.text("version")?;
    if is_semantic_version(&version.value) {
        return Some(version);
    }
    let bare = version.value.trim_start_matches('v');
    let help = if is_semantic_version(bare) {
        format!("write `version = \"{bare}\"`; the annotation adds the `v`")
    } else {
        "write three numbers, as in `version = \"0.4.0\"`".to_owned()
    };
    let message = format!("`{}` is not a semantic version", version.value);
    table.report(version.span, message, help);
    None
}

fn prefix(table: &mut Table<'_, '_>) -> Option<Spanned<Text>> {
    let prefix = table.text("annotation-prefix")?;
    if is_subdomain(&prefix.value) {
        return Some(prefix);
    }
    table.report(
        prefix.span,
        format!("`{}` is not a valid annotation prefix", prefix.value),
        "write a domain in lower case without `/`, as in `annotation-prefix = \"example.com\"`",
    );
    None
}

fn target(table: &mut Table<'_, '_>) -> Option<Spanned<Text>> {
    let target = table.text("target")?;
    let words: Vec<_> = target.value.split('-').collect();
    if words.len() >= 2 && words.iter().all(|word| !word.is_empty()) {
        return Some(target);
    }
    table.report(
        target.span,
        format!("`{}` is not a target triple", target.value),
        "write one of `rustc --print target-list`, as in `target = \"x86_64-unknown-linux-gnu\"`",
    );
    None
}

/// Parses `name` or `name="value"`, with a leading `!` if it is off.
fn cfg(text: &Spanned<Text>, table: &mut Table<'_, '_>) -> Option<(Text, Option<Text>)> {
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let (name, value) = match text.value.split_once('=') {
        Some((name, value)) => (name.trim(), Some(value.trim())),
        None => (text.value.trim(), None),
    };
    let quoted = value.map(|value| {
        let inner = value.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('"')).then_some(inner)
    });
    match quoted {
        None if is_name(name.strip_prefix('!').unwrap_or(name)) => Some((name.into(), None)),
        Some(Some(value)) if is_name(name) => Some((name.into(), Some(value.into()))),
        _ => {
            table.report(
                text.span,
                format!("`{}` is not a cfg", text.value),
                "write `cfgs = [\"name\", 'name=\"value\"']`",
            );
            None
        }
    }
}

fn chart(table: &mut Table<'_, '_>) -> Option<Text> {
    let name = table.text("chart")?;
    if is_label(&name.value) {
        return Some(name.value);
    }
    table.report(
        name.span,
        format!("`{}` is not a valid chart name", name.value),
        "write lower case letters, digits and `-` between them, as in `chart = \"edge-crds\"`",
    );
    None
}

fn kubernetes(table: &mut Table<'_, '_>) -> Option<Kubernetes> {
    let text = table.text("kubernetes")?;
    let message = match text.value.parse() {
        Ok(release) => return Some(release),
        Err(message) => message,
    };
    table.report(
        text.span,
        message,
        "write the major and the minor version, as in `kubernetes = \"1.30\"`",
    );
    None
}

/// A language: its name, its file extension, and an example of a path.
type Language = (&'static str, &'static str, &'static str);

const RUST: Language = ("Rust", ".rs", "src/generated.rs");
const MARKDOWN: Language = ("Markdown", ".md", "docs/examples.md");

fn file(
    table: &mut Table<'_, '_>,
    key: &'static str,
    (language, ending, example): Language,
) -> Option<Spanned<Text>> {
    let file = table.text(key)?;
    let name = file.value.rsplit('/').next().unwrap_or_default();
    let ends_so = name
        .strip_suffix(ending)
        .is_some_and(|stem| !stem.is_empty());
    if ends_so && is_inside(&file.value) {
        return Some(file);
    }
    table.report(
        file.span,
        format!(
            "`{}` is not a {language} file below the workspace root",
            file.value
        ),
        format!("write a relative path without `..`, as in `{key} = \"{example}\"`"),
    );
    None
}

/// Returns true if a relative path stays inside its folder.
fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

pub(super) fn folder(
    table: &mut Table<'_, '_>,
    key: &'static str,
    example: &str,
) -> Option<Spanned<Text>> {
    let folder = table.text(key)?;
    inside(table, key, &folder, example).then_some(folder)
}

/// Whether a folder is below the workspace root; reports one that is not.
pub(super) fn inside(
    table: &mut Table<'_, '_>,
    key: &'static str,
    folder: &Spanned<Text>,
    example: &str,
) -> bool {
    if is_inside(&folder.value) {
        return true;
    }
    table.report(
        folder.span,
        format!(
            "`{}` is not a folder below the workspace root",
            folder.value
        ),
        format!("write a relative path without `..`, as in `{key} = \"{example}\"`"),
    );
    false
}
