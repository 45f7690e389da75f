//! Findings as compiler messages of cargo, so that editors show both in the same way.

use crd_channels_diagnostics::program::as_typed;
use crd_channels_diagnostics::{Diagnostic, Severity, Sources, Span, report};
use crd_channels_files::shown_path;
use crd_channels_workspace::{Package, Workspace};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A package of the workspace, as cargo's messages identify it.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its folder.
    root: PathBuf,
    /// The folder relative to the workspace.
    below: PathBuf,
    id: String,
    target: Value,
}

/// Returns the packages whose source belongs to the workspace.
#[must_use]
pub fn units(workspace: &Workspace) -> Vec<Unit> {
    let members = workspace.members.iter();
    let packages = members.filter_map(|id| workspace.package(*id));
    packages.map(|package| unit(workspace, package)).collect()
}

fn unit(workspace: &Workspace, package: &Package) -> Unit {
    let Package {
        name,
        version,
        root,
        targets,
        ..
    } = package;
    let folder = root.file_name().and_then(|name| name.to_str());
    // On Windows a path begins with a letter, and the path of a URL does not.
    let path = shown_path(root);
    let slash = if path.starts_with('/') { "" } else { "/" };
    let id = if folder == Some(name) {
        format!("path+file://{slash}{path}#{version}")
    } else {
        format!("path+file://{slash}{path}#{name}@{version}")
    };
    let first = targets.first();
    let kind = if first.is_none_or(|target| target.lib) {
        "lib"
    } else {
        "bin"
    };
    let source = first.map_or_else(|| root.join("Cargo.toml"), |target| target.root.clone());
    Unit {
        root: root.clone(),
        below: root
            .strip_prefix(&workspace.root)
            .map_or_else(|_| root.clone(), Path::to_path_buf),
        id,
        target: json!({
            "kind": [kind],
            "crate_types": [kind],
            "name": first.map_or(name, |target| &target.name),
            "src_path": source,
            "edition": first.map_or("2021", |target| &target.edition),
            "doc": true,
            "doctest": false,
            "test": true,
        }),
    }
}

/// Writes one line for each finding. Each belongs to the package that contains its file, or to the first one.
#[must_use]
pub fn write(diagnostics: &[Diagnostic], sources: &Sources, units: &[Unit]) -> String {
    let findings = report::in_order(diagnostics, sources).into_iter();
    let lines = findings.filter_map(|diagnostic| {
        let file = diagnostic.span.and_then(|span| sources.get(span.file));
        let path = file.as_ref().map(|file| Path::new(&*file.shown));
        let owners = units
            .iter()
            .filter(|unit| path.is_some_and(|path| path.starts_with(&unit.below)));
        // A nested package is the one with the innermost folder.
        let owner = owners.max_by_key(|unit| unit.below.components().count());
        let unit = owner.or(units.first())?;
        let message = json!({
            "reason": "compiler-message",
            "package_id": unit.id,
            "manifest_path": unit.root.join("Cargo.toml"),
            "target": unit.target,
            "message": message(diagnostic, sources),
        });
        Some(format!("{message}\n"))
    });
    lines.collect()
}

fn message(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let record = diagnostic.record();
    let level = match record.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let primary = diagnostic
        .span
        .and_then(|span| of_span(span, None, sources));
    let labels = diagnostic.labels.iter();
    let labels = labels.filter_map(|label| of_span(label.span, Some(&label.text), sources));
    let help = diagnostic.help.iter().map(|help| {
        json!({
            "message": as_typed(help),
            "code": null,
            "level": "help",
            "spans": [],
            "children": [],
            "rendered": null,
        })
    });
    let alone = std::slice::from_ref(diagnostic);
    json!({
        "$message_type": "diagnostic",
        "message": as_typed(&diagnostic.message),
        "code": {"code": record.id, "explanation": record.explanation},
        "level": level,
        "spans": primary.into_iter().chain(labels).collect::<Vec<_>>(),
        "children": help.collect::<Vec<_>>(),
        "rendered": report::write(alone, sources, report::Format::Human, false),
    })
}

/// Returns a span in rustc's format; a span without a label is the primary one.
fn of_span(span: Span, label: Option<&str>, sources: &Sources) -> Option<Value> {
    let file = sources.get(span.file)?;
    let (region, bytes) = report::region_of(span, sources)?;
    // The expansion of a macro has no file; its call does.
    let called = file.shown.strip_suffix(')').and_then(|name| {
        let (place, _) = name.split_once(" (expansion of ")?;
        let (name, line) = place.rsplit_once(':')?;
        Some((name, line.parse::<usize>().ok()?))
    });
    let (name, first, last, bytes) = match called {
        Some((name, line)) => (name, line, line, 0..0),
        None => (&*file.shown, region.line, region.end_line, bytes),
    };
    let lines: Vec<Value> = match called {
        Some(_) => Vec::new(),
        None => (first..=last)
            .filter_map(|line| {
                let text = file.text.lines().nth(line - 1)?;
                let start = if line == first { region.column } else { 1 };
                let end = if line == last {
                    region.end_column
                } else {
                    text.chars().count() + 1
                };
                Some(json!({"text": text, "highlight_start": start, "highlight_end": end}))
            })
            .collect(),
    };
    Some(json!({
        "file_name": name,
        "byte_start": bytes.start,
        "byte_end": bytes.end,
        "line_start": first,
        "line_end": last,
        "column_start": if called.is_some() { 1 } else { region.column },
        "column_end": if called.is_some() { 1 } else { region.end_column },
        "is_primary": label.is_none(),
        "text": lines,
        "label": label,
        "suggested_replacement": null,
        "suggestion_applicability": null,
        "expansion": null,
    }))
}

#[cfg(test)]
mod tests {
    use super::unit;
    use crd_channels_workspace::{Package, Workspace};
    use std::path::PathBuf;

    #[test]
    fn packages_have_the_names_of_cargo() {
        for (root, id) in [
            ("/srv/api", "path+file:///srv/api#0.1.0"),
            ("/srv/x", "path+file:///srv/x#api@0.1.0"),
            ("C:/srv/api", "path+file:///C:/srv/api#0.1.0"),
        ] {
            let package = Package {
                name: "api".to_owned(),
                version: "0.1.0".to_owned(),
                root: PathBuf::from(root),
                ..Package::default()
            };
            let workspace = Workspace {
                built: Vec::new(),
                root: PathBuf::from("/srv"),
                target_dir: PathBuf::from("/srv/target"),
                packages: Vec::new(),
                members: Vec::new(),
            };
            assert_eq!(unit(&workspace, &package).id, id);
        }
    }
}
