//! The kinds, version by version.

mod v1;
mod v1alpha1;
mod v1beta1;

use crd_channels_runtime::conversion::{Converter, Kind, VersionMismatch, convert_root};
use crd_channels_runtime::has_conditions;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;

// What the controllers work with.
pub use v1::{Domain, Route};

/// The CRDs, which `gen-crds` writes.
pub const CRDS: [&str; 2] = [
    include_str!("../../crds/stable/edge.example.com_domains.yaml"),
    include_str!("../../crds/stable/edge.example.com_routes.yaml"),
];

convert_root!(v1alpha1::Route => Route { spec, status });
convert_root!(v1beta1::Route => Route { spec, status });
convert_root!(v1beta1::Domain => Domain { spec, status });
has_conditions!(Route);
has_conditions!(Domain);

/// The converter of the kinds of these CRDs.
pub fn converter(crds: &[CustomResourceDefinition]) -> Result<Converter, VersionMismatch> {
    let kinds = crds.iter().map(|crd| match &*crd.spec.names.kind {
        "Route" => Kind::with_hub::<Route>(crd)
            .spoke::<v1beta1::Route>()
            .spoke::<v1alpha1::Route>()
            .build(),
        _ => Kind::with_hub::<Domain>(crd)
            .spoke::<v1beta1::Domain>()
            .build(),
    });
    Ok(Converter::new(kinds.collect::<Result<Vec<_>, _>>()?))
}
