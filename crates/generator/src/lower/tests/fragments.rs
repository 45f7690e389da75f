//! `#[derive(Fragment)]` results in the same drafts as fragments written by hand.

use super::drafts;
use crate::lower::Overrides;
use crd_channels_schema::draft::{Shape, Type};
use crd_channels_source::fixture;

const TRAITS: &str = "
//- /kube/lib.rs crate:kube
//- /schemars/lib.rs crate:schemars
//- /serde/lib.rs crate:serde
//- /parts/lib.rs crate:parts
pub mod single;
pub mod fragment;
//- /parts/single.rs
pub trait Atomic: Clone {}
impl Atomic for u16 {}
impl Atomic for String {}
//- /parts/fragment.rs
use crate::single::Atomic;
use std::collections::BTreeMap;
pub trait FromFragment: Sized {
    type Fragment;
    type RequiredFragment: Into<Self::Fragment>;
}
impl<T: Atomic> FromFragment for T { type Fragment = Option<T>; type RequiredFragment = T; }
impl<T: FromFragment> FromFragment for Option<T> {
    type Fragment = Option<T::RequiredFragment>;
    type RequiredFragment = Option<T::RequiredFragment>;
}
impl<K, V: FromFragment> FromFragment for BTreeMap<K, V> where K: Ord {
    type Fragment = BTreeMap<K, V::RequiredFragment>;
    type RequiredFragment = BTreeMap<K, V::RequiredFragment>;
}
";

const HEAD: &str = "
//- /lib.rs
use kube::{CustomResource, KubeSchema};
use parts::fragment::Fragment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
#[derive(CustomResource, Serialize, Deserialize, JsonSchema)]
#[kube(group = \"g.example.com\", version = \"v1\", kind = \"Garden\")]
pub struct GardenSpec { #[serde(default)] pub plant: PlantFragment, pub bed: BedFragment<PlantFragment> }
";

fn type_text(ty: &Type) -> String {
    match &ty.shape {
        Shape::Option(inner) => format!("Option<{}>", type_text(inner)),
        Shape::Map { value, .. } => format!("Map<{}>", type_text(value)),
        Shape::Struct(body) => {
            let fields = body.fields.iter().map(|field| {
                let words = &field.facets.always.description;
                let default = field.default.as_ref().map(ToString::to_string);
                let ty = type_text(&field.ty);
                format!("{}: {ty} {words:?} {default:?}", field.name)
            });
            let fields: Vec<String> = fields.collect();
            let words = &ty.facets.always.description;
            format!("{} {words:?} {{ {} }}", ty.name, fields.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn lowered(text: &str) -> String {
    let mut loaded = fixture::graph(&format!("{HEAD}{text}{TRAITS}"));
    let drafts = drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings = loaded.findings.into_diagnostics();
    assert!(findings.is_empty(), "{findings:#?}");
    type_text(drafts[0].root.as_ref().unwrap())
}

#[test]
fn the_derive_is_its_expansion() {
    let derived = lowered(
        "
/// A plant.
#[derive(Clone, Fragment)]
#[fragment(path_overrides(fragment = \"parts::fragment\"))]
#[fragment_attrs(
    derive(Default, Serialize, Deserialize, JsonSchema),
    serde(rename_all = \"camelCase\"),
)]
pub struct Plant {
    /// How high it may grow.
    pub max_height: u16,
    #[fragment_attrs(serde(default), schemars(description = \"What it is called.\"))]
    pub names: BTreeMap<String, String>,
    #[serde(skip)]
    pub soil: Option<Soil>,
}
#[derive(Fragment)]
#[fragment(path_overrides(fragment = \"parts::fragment\"))]
#[fragment_attrs(derive(Serialize, Deserialize, JsonSchema))]
pub struct Soil { #[fragment_attrs(serde(rename = \"pH\"))] pub ph: u16 }
#[derive(Fragment)]
#[fragment(bound = \"T: Clone\", path_overrides(fragment = \"parts::fragment\"))]
#[fragment_attrs(derive(Serialize, Deserialize, JsonSchema))]
pub struct Bed<T> { pub plant: Plant, pub other: Option<Plant>, #[fragment_attrs(doc = \"All.\")] pub all: BTreeMap<String, Soil>, #[fragment_attrs(serde(skip))] mark: Option<T> }
",
    );
    let written = lowered(
        "
/// A plant.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = \"camelCase\")]
pub struct PlantFragment {
    /// How high it may grow.
    pub max_height: Option<u16>,
    #[serde(default)]
    #[schemars(description = \"What it is called.\")]
    pub names: BTreeMap<String, String>,
    pub soil: Option<SoilFragment>,
}
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct SoilFragment { #[serde(rename = \"pH\")] pub ph: Option<u16> }
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct BedFragment<T> { pub plant: PlantFragment, pub other: Option<PlantFragment>, #[doc = \"All.\"] pub all: BTreeMap<String, SoilFragment>, #[serde(skip)] mark: Option<T> }
",
    );
    assert!(derived.contains("maxHeight"), "{derived}");
    assert_eq!(derived, written);
}

#[test]
fn what_is_neither_one_thing_nor_has_a_fragment_is_refused() {
    let text = "
#[derive(Fragment)]
#[fragment(path_overrides(fragment = \"parts::fragment\"))]
#[fragment_attrs(derive(Default, Serialize, Deserialize, JsonSchema))]
pub struct Plant { pub height: u8 }
#[derive(Serialize, Deserialize, JsonSchema)]
pub struct BedFragment<T> { pub inner: T }
";
    let mut loaded = fixture::graph(&format!("{HEAD}{text}{TRAITS}"));
    drafts(&loaded.graph, &Overrides::default(), &mut loaded.findings);
    let findings = loaded.findings.into_diagnostics();
    let messages: Vec<_> = findings.iter().map(|finding| &*finding.message).collect();
    assert_eq!(
        messages,
        ["the associated type `Fragment` of `u8` cannot be expressed in a CRD"]
    );
}
