//! Reports what rustc refuses, although it is read: with the derive, the dependency or the path to write.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_source::tree::Body;
use crd_channels_source::{Derive, Derived, Graph, Refusal, Refused, TypeRef};
use crd_channels_workspace::{Package, PackageId, Workspace};
use std::collections::BTreeSet;

/// The crate of our derives.
const OURS: &str = "crd-channels-derive";

/// A derive that declares attributes: the crate that has it, its path in that crate, and the attributes.
const DERIVES: &[(&str, &str, &[&str])] = &[
    (
        OURS,
        "ApiType",
        &["crd", "experimental", "not_experimental", "tombstone"],
    ),
    (
        "crd-channels-runtime",
        "conditions::Conditions",
        &["condition", "conditions"],
    ),
    ("crd-channels-runtime", "conditions::Reasons", &["reason"]),
    ("crd-channels-runtime", "conversion::Convert", &["convert"]),
    ("garde", "Validate", &["garde"]),
    ("kube", "CELSchema", &["cel_validate"]),
    ("kube", "CustomResource", &["kube"]),
    ("kube", "KubeSchema", &["x_kube"]),
    ("schemars", "JsonSchema", &["schemars", "validate"]),
    ("serde", "Deserialize", &["serde"]),
];

/// Reports each once. A dependency that is missing is reported once for each package, since one line adds it.
pub fn report(workspace: &Workspace, graph: &Graph<'_>, refused: Vec<Refused>, sink: &mut Sink) {
    let mut told = BTreeSet::new();
    for Refused {
        package: id,
        span,
        what,
    } in refused
    {
        let Some(package) = workspace.package(id) else {
            continue;
        };
        let found = match what {
            Refusal::Attribute(ty, name) => {
                let row = DERIVES.iter().find(|(_, _, names)| names.contains(&&*name));
                let Some((home, path, _)) = row else {
                    sink.push(without_default(&ty, span));
                    continue;
                };
                match code_name(workspace, package, home) {
                    Some(code) => underived(graph, &ty, &name, &format!("{code}::{path}"), span),
                    None if !told.insert((id, (*home).to_owned())) => continue,
                    None => no_dependency(package, &ty, &name, (home, path), span),
                }
            }
            Refusal::Hidden(ty, name) => Diagnostic::new(
                Code::HiddenName,
                span,
                format!(
                    "rustc takes `{name}` for a name in the code that `KubeSchema` generates for `{}`",
                    ty.def.name
                ),
            )
            .with_help(format!("write a longer path, such as `self::{name}`")),
            Refusal::Crate(name) if !told.insert((id, name.replace('_', "-"))) => continue,
            Refusal::Crate(name) => Diagnostic::new(
                Code::UnknownCrate,
                span,
                format!("`{}` does not depend on a crate `{name}`", package.name),
            )
            .with_help(format!("run `{}`", add(package, &name.replace('_', "-")))),
        };
        sink.push(found);
    }
}

/// The name of a package in another one's code.
fn code_name<'p>(workspace: &Workspace, package: &'p Package, wanted: &str) -> Option<&'p str> {
    let is_it = |id: &PackageId| workspace.package(*id).is_some_and(|it| it.name == wanted);
    let mut named = package.dependencies.iter();
    named
        .find(|(_, id)| is_it(id))
        .map(|(code, _)| code.as_str())
}

/// `missing-derive`, if the package depends on the crate of the derive.
fn underived(graph: &Graph<'_>, ty: &TypeRef, name: &str, derive: &str, span: Span) -> Diagnostic {
    let of = &ty.def.name;
    let short = derive.rsplit(':').next().unwrap_or(derive);
    let is_enum = matches!(ty.def.body, Body::Enum(_));
    let has_schema = || matches!(graph.derive_of(ty, Derive::JsonSchema), Derived::Yes);
    let help = match short {
        "KubeSchema" if is_enum => format!(
            "`KubeSchema` is for structs: write the attribute on the fields that use `{of}`, in a struct that derives it"
        ),
        "KubeSchema" if has_schema() => {
            format!("write `{derive}` in place of `JsonSchema` in the derives of `{of}`")
        }
        "Deserialize" => {
            let serialize = derive.replace("Deserialize", "Serialize");
            format!("write `#[derive({derive}, {serialize})]` above `{of}`")
        }
        _ => format!("write `#[derive({derive})]` above `{of}`"),
    };
    Diagnostic::new(
        Code::MissingDerive,
        span,
        format!("rustc does not know `#[{name}]`: `{of}` lacks the derive `{short}`"),
    )
    .with_help(help)
}

/// `missing-derive`, if the package does not depend on the crate of the derive.
fn no_dependency(
    package: &Package,
    ty: &TypeRef,
    name: &str,
    (home, path): (&str, &str),
    span: Span,
) -> Diagnostic {
    let message = format!(
        "rustc does not know `#[{name}]`: `{}` does not depend on `{home}`",
        package.name
    );
    Diagnostic::new(Code::MissingDerive, span, message).with_help(format!(
        "run `{}`, and write `#[derive({}::{path})]` above `{}`",
        add(package, home),
        home.replace('-', "_"),
        ty.def.name
    ))
}

/// `missing-derive` of the standard library's derive.
fn without_default(ty: &TypeRef, span: Span) -> Diagnostic {
    let of = &ty.def.name;
    let message = format!("rustc does not know `#[default]`: `{of}` lacks the derive `Default`");
    Diagnostic::new(Code::MissingDerive, span, message)
        .with_help(format!("write `#[derive(Default)]` above `{of}`"))
}

/// The command that adds a dependency.
fn add(package: &Package, home: &str) -> String {
    let name = &package.name;
    match home.starts_with("crd-channels-") {
        true => format!(
            "cargo add -p {name} --git {} {home}",
            env!("CARGO_PKG_REPOSITORY")
        ),
        false => format!("cargo add -p {name} {home}"),
    }
}
