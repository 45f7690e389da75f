//! The `Serialize` of k8s-openapi's types, which its generator writes in one form: a field after the other in the order of the
//! definition, and those that are `None` left out.

use super::derived::Written;
use crate::types::{Concrete, SERIALIZE};
use crate::values::{Adt, Reading, Run, Value, not_constant};
use crd_channels_diagnostics::{Span, Text};
use crd_channels_source::tree::{Expr, ExprKind, Lit, Stmt};
use std::sync::Arc;

/// The structs with one unnamed field that write this field.
const NEWTYPES: [&str; 3] = ["JSON", "Quantity", "RawExtension"];

impl Reading<'_> {
    /// Returns the JSON of a value whose type has a hand-written `Serialize`; only that of k8s-openapi is read.
    pub(super) fn write_by_hand(&mut self, adt: &Adt, span: Span) -> Run<Written> {
        let def = &adt.of.ty.def;
        let home = self.reader.graph.crate_of(adt.of.ty.module);
        let is_kubernetes = home.is_some_and(|home| &*home.name == "k8s_openapi");
        let writes_content = adt.variant.is_some() || NEWTYPES.contains(&&*def.name);
        match &adt.fields[..] {
            // `IntOrString` and the like.
            [(_, content)] if is_kubernetes && writes_content => {
                return self.serialize_value(content, span);
            }
            _ => {}
        }
        let names = is_kubernetes.then(|| self.names_written(adt)).flatten();
        let Some(names) = names else {
            let finding = not_constant(
                span,
                format!("how `{}` is serialized is not read", def.name),
            );
            return Err(Box::new(
                finding.with_label(def.span, "it does not derive `Serialize`"),
            ));
        };
        let entries = names.into_iter().zip(adt.fields.iter());
        let entries = entries.filter(|(_, (_, value))| !matches!(value, Value::Option(None)));
        let entries = entries.map(|(name, (_, value))| (name, value.clone()));
        self.serialize_value(&Value::Map(entries.collect()), span)
    }

    /// Returns the names that the `Serialize` of a struct writes, one for each field; `None` if it writes anything else.
    fn names_written(&self, adt: &Adt) -> Option<Vec<Text>> {
        let own = Concrete::Def(Arc::clone(&adt.of));
        let blocks = self.reader.trait_blocks(&own, SERIALIZE);
        let [block] = &blocks[..] else {
            return None;
        };
        let ExprKind::Block(statements, Some(_)) = &block.function("serialize")?.body.kind else {
            return None;
        };
        let [Stmt::Let(..), written @ ..] = &statements[..] else {
            return None;
        };
        let names: Vec<Text> = written.iter().map(name_written).collect::<Option<_>>()?;
        let letters = |name: &str| {
            let letters = name.chars().filter(|c| c.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect::<String>()
        };
        let mut pairs = names.iter().zip(adt.fields.iter());
        let is_one_each = names.len() == adt.fields.len()
            && pairs.all(|(name, (field, _))| letters(name) == letters(field));
        is_one_each.then_some(names)
    }
}

/// The name in `serialize_field(&mut state, "name", &self.name)?;`, which may be in an `if let`.
fn name_written(statement: &Stmt) -> Option<Text> {
    fn name_in(expr: &Expr) -> Option<Text> {
        match &expr.kind {
            ExprKind::If(_, then, None)
                if let ExprKind::Block(statements, None) = &then.kind
                    && let [only] = &statements[..] =>
            {
                name_written(only)
            }
            ExprKind::Try(call) => name_in(call),
            ExprKind::Call(_, args)
                if let [_, name, _] = &args[..]
                    && let ExprKind::Lit(Lit::Str(name)) = &name.kind =>
            {
                Some(name.clone())
            }
            _ => None,
        }
    }
    match statement {
        Stmt::Expr(expr) => name_in(expr),
        _ => None,
    }
}
