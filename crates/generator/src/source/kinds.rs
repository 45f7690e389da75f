//! The types that derive `CustomResource`, without those that configuration leaves out.

use super::graph::{Graph, TypeRef};
use crate::Text;

impl Graph<'_> {
    /// Every kind that is wanted, in the order of [`Graph::types`].
    #[must_use]
    pub fn kinds(&self) -> Vec<TypeRef> {
        let mut kinds = self.all_kinds();
        kinds.retain(|ty| !self.left_out.iter().any(|path| self.lies_in(ty, path)));
        kinds
    }

    /// What [`Graph::without`] was given and leads to no kind.
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

    /// Whether a type is the one of that path, or stands in the module of that path or below.
    fn lies_in(&self, ty: &TypeRef, path: &str) -> bool {
        let full = format!("{}::{}", self.module_path(ty.module), ty.def.name);
        let rest = full.strip_prefix(path);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    }
}
