//! Reports what rustc refuses, although it is read: with the derive, the dependency or the path to write.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_source::derives::{HELPERS, only_home};
use crd_channels_source::tree::Body;
use crd_channels_source::{Derive, Derived, Graph, Refusal, Refused, TypeRef};
use crd_channels_workspace::{Package, PackageId, Workspace};
use std::collections::BTreeSet;

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
                let mut helpers = HELPERS.iter();
                let Some(helper) = helpers.find(|helper| helper.name == &*name) else {
                    continue;
                };
                let (home, path) = (helper.package, helper.derive);
                match code_name(workspace, package, home) {
                    _ if home == "std" => underived(graph, &ty, &name, path, span),
                    Some(code) => underived(graph, &ty, &name, &format!("{code}::{path}"), span),
                    None if !told.insert((id, home.to_owned())) => continue,
                    None => no_dependency(package, &ty, &name, home, path, span),
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
            Refusal::Derive(name) => unimported(workspace, package, &name, span),
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
    home: &str,
    path: &str,
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

/// `missing-use`
fn unimported(workspace: &Workspace, package: &Package, name: &str, span: Span) -> Diagnostic {
    let mut helpers = HELPERS.iter();
    let named = |path: &str| path.rsplit(':').next() == Some(name);
    let helper = helpers.find(|helper| named(helper.derive));
    let home = only_home(name).unwrap_or_default().replace('_', "-");
    let (home, path) = helper.map_or((&*home, name), |helper| (helper.package, helper.derive));
    let found = Diagnostic::new(
        Code::MissingUse,
        span,
        format!("rustc does not know the derive `{name}`: no `use` brings it into scope"),
    );
    found.with_help(match code_name(workspace, package, home) {
        Some(code) => format!("write `use {code}::{path};`"),
        None => format!(
            "run `{}`, and write `use {}::{path};`",
            add(package, home),
            home.replace('-', "_")
        ),
    })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use crd_channels_source::derives;
    use crd_channels_workspace::{Wanted, load};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The derives in the files of a folder, each with the attributes that it declares.
    fn declared_below(folder: &Path, found: &mut Vec<(String, BTreeSet<String>)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                declared_below(&path, found);
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for derive in text.split("#[proc_macro_derive(").skip(1) {
                let derive = derive.split(")]").next().unwrap();
                let (name, attributes) = derive.split_once(',').unwrap_or((derive, ""));
                let attributes = attributes.split(|c: char| !c.is_alphanumeric() && c != '_');
                let attributes = attributes.map(str::to_owned).collect();
                found.push((name.trim().to_owned(), attributes));
            }
        }
    }

    /// The table against the sources of the derives that this repository uses.
    #[test]
    fn derives_declare_what_their_crates_say() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let wanted = Wanted {
            target: "x86_64-unknown-linux-gnu",
            features: &[],
            without: &[],
            built: &|_| Vec::new(),
        };
        let workspace = load(&root, wanted).unwrap();
        let mut compared = BTreeSet::new();
        for package in &workspace.packages {
            let mut found = Vec::new();
            let source = package.root.join("src");
            if source.is_dir() {
                declared_below(&source, &mut found);
            }
            for (name, written) in found {
                let path = format!("{}::{name}", package.name.replace('-', "_"));
                let Some(known) = derives::declares(&path) else {
                    continue;
                };
                let known: BTreeSet<&str> = known.iter().copied().collect();
                let helpers = derives::HELPERS.iter().map(|helper| helper.name);
                let written: BTreeSet<&str> =
                    helpers.filter(|name| written.contains(*name)).collect();
                assert_eq!(known, written, "{path}");
                compared.insert(path);
            }
        }
        for path in [
            "crd_channels_derive::ApiType",
            "crd_channels_derive::Conditions",
            "crd_channels_derive::Convert",
            "crd_channels_derive::Reasons",
            "kube_derive::CustomResource",
            "kube_derive::KubeSchema",
            "schemars_derive::JsonSchema",
            "serde_derive::Deserialize",
        ] {
            assert!(compared.contains(path), "{path}: {compared:?}");
        }
    }
}
