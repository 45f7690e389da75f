//! Finds kinds of other projects: types that only describe objects whose CRDs another project publishes. Applying a CRD made
//! from such a type would replace the real one.

use super::choice::LeftOut;
use super::crd_calls;
use super::survey::{KindType, Survey};
use crd_channels_diagnostics::{Sources, Text};
use crd_channels_files::{Disk, Read, visit};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

const WHY: &str =
    "probably a kind of another project: `crd()` is only called for types of other domains";

/// A type that is a kind.
struct Typed<'s> {
    ty: &'s KindType,
    group: Text,
    /// The names by which `crd()` may be called.
    names: [Text; 2],
}

/// Returns the types that seem to be kinds of other projects.
///
/// A project that publishes a kind requests its CRD somewhere: `Route::crd()`. If it does so for kinds of one domain and never
/// for those of another, the latter are not its own. If the type of any call cannot be determined, no type is returned.
#[must_use]
pub fn find(survey: &Survey, _: &Sources) -> Vec<LeftOut> {
    let types = types(survey);
    let domains: BTreeSet<&str> = types.iter().map(|ty| domain(&ty.group)).collect();
    if domains.len() < 2 {
        return Vec::new();
    }
    let known: BTreeSet<&str> = types
        .iter()
        .flat_map(|ty| ty.names.iter().map(|name| &**name))
        .collect();
    let Some(asked) = crd_calls::kinds(&texts(survey), &known) else {
        return Vec::new();
    };
    let own: BTreeSet<&str> = types
        .iter()
        .filter(|ty| ty.names.iter().any(|name| asked.contains(&**name)))
        .map(|ty| domain(&ty.group))
        .collect();
    if own.is_empty() {
        return Vec::new();
    }
    let others = types.iter().filter(|ty| !own.contains(domain(&ty.group)));
    others.map(|ty| ty.ty.left_out(WHY.to_owned())).collect()
}

/// Returns the domains of the groups if there are several.
#[must_use]
pub fn several_domains(survey: &Survey) -> Vec<&str> {
    let groups = survey.kinds.iter().map(|kind| domain(&kind.group));
    let domains: BTreeSet<&str> = groups.collect();
    if domains.len() < 2 {
        return Vec::new();
    }
    domains.into_iter().collect()
}

/// Returns the domain of a group: its last two labels.
fn domain(group: &str) -> &str {
    let mut dots = group.rmatch_indices('.').map(|(at, _)| at + 1);
    let start = dots.nth(1).unwrap_or(0);
    group.get(start..).unwrap_or(group)
}

fn types(survey: &Survey) -> Vec<Typed<'_>> {
    let typed = survey.types.iter().filter_map(|ty| {
        let def = &ty.def;
        let kube = def.attrs.kube.as_ref()?;
        let kind = kube.kind.as_ref().map_or(&def.name, |kind| &kind.value);
        let renamed = kube.root.as_ref().map_or(kind, |name| &name.value);
        Some(Typed {
            ty,
            group: kube.group.as_ref()?.value.clone(),
            names: [kind.clone(), renamed.clone()],
        })
    });
    typed.collect()
}

/// The source files of the workspace.
fn texts(survey: &Survey) -> Vec<String> {
    let workspace = &survey.setup.workspace;
    let mut found = Vec::new();
    for package in workspace
        .members
        .iter()
        .filter_map(|id| workspace.package(*id))
    {
        // The visitor never stops early.
        let _ = visit(&package.root, &Disk, &mut |path, is_file| {
            if is_file
                && path.extension().is_some_and(|extension| extension == "rs")
                && let Ok(bytes) = Disk.read(path)
            {
                found.push(String::from_utf8_lossy(&bytes).into_owned());
            }
            ControlFlow::Continue(())
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::domain;

    #[test]
    fn a_domain_is_the_end_of_a_group() {
        for (group, expected) in [
            ("example.com", "example.com"),
            ("infra.eu.example.com", "example.com"),
            ("local", "local"),
            ("", ""),
        ] {
            assert_eq!(domain(group), expected, "{group}");
        }
    }
}
