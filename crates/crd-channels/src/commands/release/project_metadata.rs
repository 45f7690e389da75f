//! The metadata of the project for the chart, from `channels/bundle.toml` and the manifests of the types' packages.

use crate::release::helm::ProjectMetadata;
use crate::release::helm::chart_name;
use crate::release::manifests::package_field;
use crd_channels_files::Read;
use crd_channels_generator::pipeline::Setup;
use std::collections::BTreeSet;
use std::path::Path;

/// Reads the metadata of the project.
pub fn project_metadata(setup: &Setup, prefix: &str, files: &dyn Read) -> ProjectMetadata {
    let text = |folder: &Path| {
        let bytes = files.read(&folder.join("Cargo.toml")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let shared = text(&setup.workspace.root);
    let packages = setup.packages.iter();
    let packages = packages.filter_map(|id| setup.workspace.package(*id));
    let own: Vec<String> = packages.map(|package| text(&package.root)).collect();
    let name = setup.config.bundle.chart.as_deref();
    let name = name.map_or_else(|| chart_name(prefix), str::to_owned);
    from_manifests(name, &own, &shared)
}

/// Returns the metadata in the manifests of packages whose workspace has the manifest `shared`. A chart has one description and
/// one page; if the packages have several, it has none.
fn from_manifests(name: String, own: &[String], shared: &str) -> ProjectMetadata {
    let all = |key: &str| -> BTreeSet<String> {
        let fields = own.iter().filter_map(|own| package_field(own, shared, key));
        fields.collect()
    };
    ProjectMetadata {
        name,
        description: only(all("description")),
        home: only(all("homepage")),
        sources: all("repository").into_iter().collect(),
    }
}

fn only(mut all: BTreeSet<String>) -> Option<String> {
    let last = all.pop_last();
    last.filter(|_| all.is_empty())
}

#[cfg(test)]
mod tests {
    use super::from_manifests;
    use crate::release::helm::ProjectMetadata;

    #[test]
    fn packages_that_disagree_have_no_description() {
        let package = |description: &str, more: &str| {
            format!("[package]\nrepository.workspace = true\ndescription = {description:?}\n{more}")
        };
        let shared = "[workspace.package]\nrepository = \"https://a\"\n";
        let about = |own: &[String]| from_manifests("edge".to_owned(), own, shared);
        let metadata =
            |description: Option<&str>, home: Option<&str>, sources: &[&str]| ProjectMetadata {
                name: "edge".to_owned(),
                description: description.map(str::to_owned),
                home: home.map(str::to_owned),
                sources: sources.iter().map(|source| (*source).to_owned()).collect(),
            };
        let (one, silent) = (package("One", ""), "[package]\n".to_owned());
        assert_eq!(
            about(std::slice::from_ref(&silent)),
            metadata(None, None, &[])
        );
        assert_eq!(
            about(&[one.clone(), silent]),
            metadata(Some("One"), None, &["https://a"])
        );
        let paged = package("One", "homepage = \"https://b\"\n");
        assert_eq!(
            about(&[one.clone(), paged]),
            metadata(Some("One"), Some("https://b"), &["https://a"])
        );
        let other = "[package]\ndescription = \"Two\"\nrepository = \"https://c\"\n".to_owned();
        assert_eq!(
            about(&[one, other]),
            metadata(None, None, &["https://a", "https://c"])
        );
    }
}
