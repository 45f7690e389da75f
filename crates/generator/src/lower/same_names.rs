//! Types inside each other that schemars takes for one, by their names in schemas: it writes the inner one as a reference.

use super::schema_ids::{Defined, Holder, Instances, defined, definition};
use super::types::Task;
use super::written::NAME_HELP;
use crate::types::{Block, Instance, derives};
use crd_channels_diagnostics::{Code, Diagnostic, Text};
use crd_channels_projection::channel::walk;
use crd_channels_schema::draft::Type;
use crd_channels_source::tree::{Expr, ExprKind, Lit, Path, Segment, Token};
use crd_channels_source::{Def, Derive, ModuleId, Resolved, TypeRef};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The functions that make a name of a text.
const KEEPING: [&str; 3] = [
    "std::borrow::Cow::Borrowed",
    "std::borrow::Cow::from",
    "std::string::String::from",
];

impl Task<'_> {
    /// Remembers a type in a function, or whose name in schemas is not its own, with the type beside it that has this name.
    pub(super) fn remember_renamed(&self, instance: &Instance) {
        let (def, module) = (&instance.ty.def, instance.ty.module);
        if derives(&self.reader, instance, Derive::KubeSchema) {
            // kube writes the `impl`, without an id.
            let holder = Holder {
                is_inline: true,
                ..Holder::default()
            };
            let id = def.name.to_string();
            return self.schema_ids().add(id, holder, [defined(&instance.ty)]);
        }
        let serde = &def.attrs.serde;
        // `Name<..>` may be that of an instance.
        let name = serde.schema_name.split('<').next().unwrap_or_default();
        let has_own = name.is_empty() || *name == *def.name || serde.transparent;
        if has_own && self.reader.graph.proper(module) == module {
            return;
        }
        let name = if has_own { &def.name } else { name };
        self.remember(module, name, Holder::default(), &instance.ty);
    }

    /// Remembers a type with schemars' id of another name in its module, and the type that derives this id.
    fn remember(&self, module: ModuleId, name: &str, holder: Holder, ty: &TypeRef) {
        let home = self.reader.graph.proper(module);
        let id = self.schema_id(module, name);
        // A name may have `::`.
        let segments = name.split("::").map(|name| Segment {
            name: name.into(),
            args: Vec::new(),
        });
        let beside = Path {
            leading: false,
            segments: segments.collect(),
            span: ty.def.span,
        };
        if let Ok(Resolved::Def(Def::Type(other))) = self.reader.graph.resolve_type(home, &beside)
            && self.schema_id(other.module, &other.def.name) == id
        {
            self.schema_ids()
                .add(id.clone(), Holder::default(), [defined(&other)]);
        }
        self.schema_ids().add(id, holder, [defined(ty)]);
    }

    /// Remembers a type with a schema written by hand.
    pub(super) fn remember_written(&mut self, block: &Block, instance: &Instance) {
        let names = ["schema_id", "schema_name"];
        let Some(function) = names.iter().find_map(|name| block.function(name)) else {
            return;
        };
        let ty = &instance.ty;
        let mut holder = Holder {
            is_inline: block.def.has_function("inline_schema"),
            instances: match instance.args[..] {
                [] => Instances::ByIds,
                [..] => Instances::AsOne,
            },
        };
        let scope = block.scope();
        let id = function.returns.as_ref().and_then(|returns| {
            let returns = self.reader.typed(returns, &scope).ok()?;
            let id = self.reader.eval(&function.body, &scope, Some(&returns));
            id.ok()?.text()
        });
        if let Some(id) = id {
            return self.schema_ids().add(id.to_string(), holder, [defined(ty)]);
        }
        match self.written_id(&function.body, scope.module) {
            Some(WrittenId::Whole(id)) => {
                self.schema_ids().add(id.to_string(), holder, [defined(ty)]);
            }
            Some(WrittenId::InModule(name)) => self.remember(scope.module, &name, holder, ty),
            Some(WrittenId::Formatted) if !instance.args.is_empty() => {
                holder.instances = Instances::ByNames;
                let id = self.schema_id(ty.module, &format!("{}<..>", ty.def.name));
                self.schema_ids().add(id, holder, [defined(ty)]);
            }
            _ => {
                let message = "by which name schemars knows this schema is not read";
                let finding = Diagnostic::new(Code::UnreadableSchema, function.body.span, message);
                self.report(finding.with_help(NAME_HELP));
            }
        }
    }

    /// Reads an id that is made in one of the ways that schemars' documentation shows.
    fn written_id(&self, id: &Expr, module: ModuleId) -> Option<WrittenId> {
        let graph = self.reader.graph;
        match &id.kind {
            ExprKind::Block(statements, Some(tail)) if statements.is_empty() => {
                self.written_id(tail, module)
            }
            ExprKind::Method {
                receiver,
                name,
                args,
                ..
            } if args.is_empty() && matches!(&**name, "into" | "to_owned" | "to_string") => {
                self.written_id(receiver, module)
            }
            ExprKind::Call(function, args) => {
                let function = graph.resolve_value(module, function.path()?);
                match (function, &args[..]) {
                    (Ok(Resolved::External(known)), [text]) if KEEPING.contains(&&*known) => {
                        self.written_id(text, module)
                    }
                    _ => None,
                }
            }
            ExprKind::Lit(Lit::Str(name)) => Some(WrittenId::Whole(name.clone())),
            ExprKind::Macro(path, tokens) => match &*graph.called_macro(module, path)? {
                "std::format" => Some(WrittenId::Formatted),
                "std::stringify" => match &tokens[..] {
                    [Token::Ident(name, _)] => Some(WrittenId::Whole(name.clone())),
                    _ => None,
                },
                "std::concat" => {
                    let parts = graph.macro_expressions(tokens)?;
                    let [first, name] = &parts[..] else {
                        return None;
                    };
                    match (&first.kind, &name.kind) {
                        (ExprKind::Macro(path, _), ExprKind::Lit(Lit::Str(name)))
                            if *graph.called_macro(module, path)? == *"std::module_path" =>
                        {
                            Some(WrittenId::InModule(name.strip_prefix("::")?.into()))
                        }
                        _ => None,
                    }
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Reports types of a kind that are inside another one of the same identity. No CRD can have the reference.
    pub(super) fn report_same_names(&mut self, root_id: &str, root: &Arc<Type>) {
        let mut wrong = Vec::new();
        let shared = self.schema_ids().shared(root_id);
        let renamed = self.schema_ids().renamed();
        let mut all = walk::below(root).into_iter();
        let has_renamed = all.any(|ty| definition(ty).is_some_and(|it| renamed.contains(&it)));
        for (id, holders) in &shared {
            let holder = |ty: &&Arc<Type>| holders.get(&definition(ty)?);
            let is_root = id == root_id;
            let all = walk::below(root).into_iter();
            let all = all.filter(|ty| holder(ty).is_some());
            for outer in is_root.then_some(root).into_iter().chain(all) {
                let instances = holder(&outer).map(|it| it.instances).unwrap_or_default();
                let is_same = |inner: &Type| match instances {
                    _ if definition(inner) != definition(outer) => true,
                    Instances::ByIds => false,
                    // Arguments of other names may have this one in schemas.
                    Instances::ByNames => has_renamed || inner.name == outer.name,
                    Instances::AsOne => true,
                };
                let mut below = walk::below(outer).into_iter();
                let inner =
                    below.find(|ty| holder(ty).is_some_and(|it| !it.is_inline) && is_same(ty));
                wrong.extend(inner.map(|inner| (outer, inner)));
            }
        }
        wrong.extend(same_instances(root, &shared));
        for (outer, inner) in wrong {
            let message = format!(
                "`{}` contains `{}`, and both have one name in schemas, so that schemars writes a reference",
                outer.name, inner.name
            );
            let finding = Diagnostic::new(Code::RecursiveType, inner.span, message);
            self.report(
                finding.with_help("give them different names: `#[schemars(rename = \"..\")]`, or `schema_name` of a schema written by hand"),
            );
        }
    }

    /// schemars' identity of a type that derives `JsonSchema`: `module_path!()` does not have the function that a type is in.
    pub(super) fn schema_id(&self, module: ModuleId, name: &str) -> String {
        let home = self.reader.graph.proper(module);
        format!("{}::{name}", self.reader.graph.module_path(home))
    }
}

/// How an id is made that is not a constant.
enum WrittenId {
    /// A name: `stringify!(Name)`.
    Whole(Text),
    /// The module's path and a name: `concat!(module_path!(), "::Name")`.
    InModule(Text),
    /// By `format!`.
    Formatted,
}

/// Instances of one generic type inside each other whose arguments have one name, if several types share an id.
fn same_instances<'t>(
    root: &'t Arc<Type>,
    shared: &[(String, BTreeMap<Defined, Holder>)],
) -> Vec<(&'t Arc<Type>, &'t Arc<Type>)> {
    if !shared.iter().any(|(_, holders)| holders.len() > 1) {
        return Vec::new();
    }
    let generic = walk::below(root).into_iter();
    let generic = generic.filter(|ty| ty.name.ends_with('>'));
    let pairs = generic.filter_map(|outer| {
        let defined = definition(outer)?;
        let mut below = walk::below(outer).into_iter();
        let inner = below.find(|inner| {
            inner.name == outer.name && definition(inner).as_ref() == Some(&defined)
        })?;
        Some((outer, inner))
    });
    pairs.collect()
}
