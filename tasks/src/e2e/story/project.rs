//! The project: six bundles with three kinds, whose storage versions move at different times.

use super::super::way::{self, Folder};
use crate::published::NAMESPACE;
use crate::report::Report;
use crd_channels_envtest::Failure;
use crd_channels_envtest::server::Server;
use std::fmt::Write as _;

pub(super) const GROUP: &str = "port.example.com";

/// A kind, with all versions that it ever has.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) plural: &'static str,
    pub(super) versions: &'static [&'static str],
    namespaced: bool,
}

/// The first versions of each are in the first bundle.
pub(super) const KINDS: [Kind; 3] = [
    Kind {
        name: "Lane",
        plural: "lanes",
        versions: &["v1beta1", "v1"],
        namespaced: true,
    },
    Kind {
        name: "Dock",
        plural: "docks",
        versions: &["v1alpha1", "v1beta1", "v1"],
        namespaced: false,
    },
    Kind {
        name: "Bay",
        plural: "bays",
        versions: &["v1"],
        namespaced: false,
    },
];

impl Kind {
    /// The path of all objects in a version, or of one.
    pub(super) fn path(&self, version: &str, name: &str) -> String {
        let namespace = match self.namespaced {
            true => format!("/namespaces/{NAMESPACE}"),
            false => String::new(),
        };
        let all = format!("/apis/{GROUP}/{version}{namespace}/{}", self.plural);
        match name.is_empty() {
            true => all,
            false => format!("{all}/{name}"),
        }
    }
}

const OLD: &str = "storage = false, deprecated";
const GONE: &str = "storage = false, deprecated, served = false";
const NEXT: &str = "storage = false";
const STORED: &str = "storage = true";

/// The versions of each bundle: the kind, the version, and its attributes. On the way from the first to the last one, objects are
/// rewritten in the third and in the fifth, since no bundle has the first and the last storage version of docks.
const BUNDLES: [&[(&str, &str, &str)]; 6] = [
    &[
        ("Lane", "v1beta1", STORED),
        ("Lane", "v1", NEXT),
        ("Dock", "v1alpha1", STORED),
        ("Dock", "v1beta1", NEXT),
    ],
    &[
        ("Lane", "v1beta1", STORED),
        ("Lane", "v1", NEXT),
        ("Dock", "v1alpha1", OLD),
        ("Dock", "v1beta1", STORED),
        ("Dock", "v1", NEXT),
    ],
    &[
        ("Lane", "v1beta1", OLD),
        ("Lane", "v1", STORED),
        ("Dock", "v1alpha1", GONE),
        ("Dock", "v1beta1", STORED),
        ("Dock", "v1", NEXT),
    ],
    &[
        ("Lane", "v1beta1", GONE),
        ("Lane", "v1", STORED),
        ("Dock", "v1beta1", OLD),
        ("Dock", "v1", STORED),
    ],
    &[
        ("Lane", "v1", STORED),
        ("Dock", "v1beta1", GONE),
        ("Dock", "v1", STORED),
    ],
    &[("Lane", "v1", STORED), ("Dock", "v1", STORED)],
];

/// The versions that are removed, each with the bundle that removes it.
const REMOVED: [(&str, &str, usize); 3] = [
    ("Dock", "v1alpha1", 4),
    ("Lane", "v1beta1", 5),
    ("Dock", "v1beta1", 6),
];

const FEATURES: &str = r#"[Timeouts]
summary = "How long a ship may take."
owner = "the port"
link = "README.md"
since = "v0.1.0"
"#;

const TYPES: &str = r#"pub mod MODULE {
    /// Somewhere in the port.
    #[derive(crd_channels_derive::ApiType, kube::CustomResource, kube::KubeSchema)]
    #[kube(group = "port.example.com", version = "VERSION", kind = "KIND", ATTRIBUTES)]
    pub struct KINDSpec {
        /// The host.
        pub host: String,
        /// The size.
        #[schemars(range(min = 0))]
        pub size: Option<i64>,
        /// The doors.
        #[x_kube(merge_strategy = ListMerge::Map(vec!["name".into()]))]
        pub doors: Option<Vec<Door>>,
        /// How long a ship may take.
        #[experimental(feature = "Timeouts")]
        pub timeout: Option<String>,
    }

    /// A door.
    #[derive(crd_channels_derive::ApiType, schemars::JsonSchema)]
    pub struct Door {
        /// The name.
        pub name: String,
        /// Whether it is open.
        pub open: Option<bool>,
    }
}
"#;

/// Releases all bundles, and returns the folder of the project.
pub(super) fn released(server: &Server, report: &mut Report) -> Result<Folder, Failure> {
    let project = Folder::new(server, "story-project")?;
    way::begin(&project)?;
    project.write("channels/experimental.toml", "features = \"all\"\n")?;
    project.write("channels/features.toml", FEATURES)?;
    for (number, versions) in (1..).zip(BUNDLES) {
        let own = versions.iter().chain(&[("Bay", "v1", STORED)]);
        let own = own.map(|(name, version, attributes)| {
            let kind = KINDS.iter().find(|kind| kind.name == *name);
            let scope = match kind.is_some_and(|kind| kind.namespaced) {
                true => "namespaced, ",
                false => "",
            };
            TYPES
                .replace("MODULE", &format!("{name}_{version}").to_lowercase())
                .replace("VERSION", version)
                .replace("KIND", name)
                .replace("ATTRIBUTES", &format!("{scope}{attributes}"))
        });
        let mut tombstones = String::new();
        for (kind, version, removed) in REMOVED.iter().filter(|it| it.2 <= number) {
            let _ = write!(
                tombstones,
                "[[versions]]\ngroup = \"{GROUP}\"\nkind = \"{kind}\"\nversion = \"{version}\"\nremoved = \"v0.{removed}.0\"\nreason = \"a newer one replaced it\"\n\n"
            );
        }
        let is_released =
            way::release_types(&project, number, &own.collect::<String>(), &tombstones)?;
        report.check(
            format!("story: v0.{number}.0 is released"),
            true,
            is_released,
        );
    }
    Ok(project)
}
