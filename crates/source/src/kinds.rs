//! The types that derive `CustomResource`, except for those that configuration leaves out.

use super::graph::Graph;
use super::ids::TypeRef;
use crd_channels_diagnostics::Text;
use std::collections::BTreeSet;

impl Graph<'_> {
    /// Every kind that is not left out, in the order of [`Graph::types`]. A file that is a module of both the library and a
    /// binary defines its kinds once.
    #[must_use]
    pub fn kinds(&self) -> Vec<TypeRef> {
        let mut kinds = self.all_kinds();
        let mut defined = BTreeSet::new();
        kinds.retain(|ty| defined.insert(self.definition(ty)));
        kinds.retain(|ty| !self.left_out.iter().any(|path| self.lies_in(ty, path)));
        kinds
    }

    /// The paths passed to [`Graph::without`] that match no kind.
    #[must_use]
    pub fn idle_exclusions(&self) -> Vec<Text> {
        if self.left_out.is_empty() {
            return Vec::new();
        }
        let kinds = self.all_kinds();
        let leads = |path: &Text| kinds.iter().any(|ty| self.lies_in(ty, path));
        let paths = self.left_out.iter();
        paths.filter(|path| !leads(path)).cloned().collect()
    }

    fn all_kinds(&self) -> Vec<TypeRef> {
        let mut types = self.types();
        types.retain(|ty| ty.def.is_kind());
        types
    }

    /// Whether a type has that path, or is in the module with that path or below.
    fn lies_in(&self, ty: &TypeRef, path: &str) -> bool {
        let full = format!("{}::{}", self.module_path(ty.module), ty.def.name);
        let rest = full.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }

    /// Identifies the definition of a kind and its version, since a macro may generate several types from one. Each target
    /// reads the file for itself, so the file's name counts.
    fn definition(&self, ty: &TypeRef) -> (Option<Text>, u32, Text, Option<Text>) {
        let def = &ty.def;
        let file = self.sources().get(def.span.file);
        let kube = def.attrs.kube.as_ref();
        let version = kube.and_then(|kube| kube.version.as_ref());
        (
            file.map(|file| file.shown.clone()),
            def.span.start,
            def.name.clone(),
            version.map(|version| version.value.clone()),
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture;

    #[test]
    fn what_two_targets_share_is_defined_once() {
        let text = "
//- /lib.rs
pub mod crd;
//- /main.rs bin:demo
mod crd; #[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Own\")] struct OwnSpec {}
//- /crd.rs
#[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Route\")] pub struct RouteSpec {}
#[stackable_versioned::versioned(version(name = \"v1alpha1\"), version(name = \"v1\"))]
pub mod versioned {
    #[versioned(crd(group = \"a.b\", kind = \"Gateway\"))]
    #[derive(kube::CustomResource)]
    pub struct GatewaySpec {}
}
";
        let loaded = fixture::graph(text);
        let kinds: Vec<String> = loaded
            .graph
            .kinds()
            .iter()
            .map(|ty| format!("{}::{}", loaded.graph.module_path(ty.module), ty.def.name))
            .collect();
        let expected = [
            "demo::crd::RouteSpec",
            "demo::crd::v1alpha1::GatewaySpec",
            "demo::crd::v1::GatewaySpec",
            "demo(bin)::OwnSpec",
        ];
        assert_eq!(kinds, expected);
    }
}
