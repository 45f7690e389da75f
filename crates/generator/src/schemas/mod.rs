//! The closed language of hand-written schemas: the bodies of `impl JsonSchema`, of `schema_with` functions and of transforms.
//!
//! A body consists of JSON, the schemas of types, and statements that set or remove keywords. The schema of a type is left open,
//! since it depends on the channel; the edits of its keywords are kept in order.

mod parts;
mod places;
mod records;

use crate::reader::Reader;
use crate::types::impls::Block;
use crate::types::{Concrete, Finding, Scope};
use crate::values::{Env, Reading, Run, stop};
use crd_channels_diagnostics::{Code, Diagnostic, Span, Text};
use crd_channels_schema::draft::{Edit, Literal};
use crd_channels_source::tree::{Expr, ExprKind, FnDef, Path, Pattern};
use crd_channels_source::{Def, ModuleId, Resolved};
use places::Place;

/// The help for a hand-written schema that cannot be read.
pub(crate) const HELP: &str =
    "write the body as one `json_schema!({ .. })`, or use `#[schemars(with = \"..\")]`";

/// The name of the type whose schema a transform gets.
const GIVEN: &str = "the schema";

/// A type whose schema a hand-written one uses, and the span of the use.
pub(crate) type AskedType = (Concrete, Span);

/// A part of a schema.
#[derive(Clone, Debug)]
enum Part {
    /// schemars' generator.
    Generator,
    /// A schema, or JSON in it.
    Json(Literal<AskedType>),
    /// `None`
    Absent,
    /// A part of a variable: what `as_object_mut` returns.
    Alias(Place),
}

/// The body of a function that makes or changes a schema.
struct Body<'r, 'g> {
    reading: &'r mut Reading<'g>,
    /// The names besides those of the variables.
    env: Env,
    /// The variables, innermost last.
    locals: Vec<(Text, Part)>,
}

impl Reader<'_> {
    /// Returns the schema of a function: `#[schemars(schema_with = "..")]`.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if it is not in the language, `unresolved-path`.
    pub(crate) fn schema_by(
        &self,
        path: &Path,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        match self.graph.resolve_value(scope.module, path)? {
            Resolved::Def(Def::Fn(module, def)) => {
                self.schema_of_function(module, &def, &Scope::module(module))
            }
            Resolved::Def(Def::Associated(ty, name)) if ty.def.generics.is_empty() => {
                let own = Concrete::Def(std::sync::Arc::new(crate::types::Instance {
                    ty,
                    args: Vec::new(),
                }));
                match &self.inherent_blocks(&own, &name)[..] {
                    [block] => self.schema_of_block(block, &name),
                    _ => unread(stop(path.span, format!("`{path}` is not read"))),
                }
            }
            _ => unread(stop(path.span, format!("`{path}` is not read"))),
        }
    }

    /// Returns the schema of a function of an `impl` block.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_block(
        &self,
        block: &Block,
        name: &str,
    ) -> Result<Literal<AskedType>, Finding> {
        match block.function(name) {
            Some(def) => self.schema_of_function(block.module, def, &block.scope()),
            None => unread(stop(block.def.span, format!("`{name}` is not read"))),
        }
    }

    /// Returns the schema of a function in a known scope.
    ///
    /// # Errors
    ///
    /// As for [`Reader::schema_by`].
    pub(crate) fn schema_of_function(
        &self,
        module: ModuleId,
        def: &FnDef,
        scope: &Scope,
    ) -> Result<Literal<AskedType>, Finding> {
        let mut reading = self.reading();
        unread(schema_of(
            &mut reading,
            (module, def),
            scope,
            vec![Part::Generator],
            def.span,
        ))
    }

    /// Returns the edits that a transform makes to the schema it gets, in order by keyword.
    ///
    /// # Errors
    ///
    /// `unreadable-schema` if they are not in the language, `unresolved-path`.
    pub(crate) fn transformed(
        &self,
        transform: &Expr,
        scope: &Scope,
    ) -> Result<Vec<(Text, Edit<AskedType>)>, Finding> {
        let mut reading = self.reading();
        let done = edits_of(&mut reading, transform, scope);
        done.map_err(|finding| refused(finding, "this transform cannot be read"))
    }
}

/// Reads a function that returns a schema.
fn schema_of(
    reading: &mut Reading<'_>,
    (module, def): (ModuleId, &FnDef),
    scope: &Scope,
    args: Vec<Part>,
    span: Span,
) -> Run<Literal<AskedType>> {
    if def.receiver.is_some() || !def.generics.is_empty() || def.params.len() != args.len() {
        return stop(span, format!("how `{}` is called is not read", def.name));
    }
    let module = reading.reader.graph.inside(module, def);
    let scope = Scope {
        module,
        ..scope.clone()
    };
    reading.deeper(span, |reading| {
        let mut body = Body {
            reading,
            env: Env::new(scope),
            locals: def.params.iter().cloned().zip(args).collect(),
        };
        match body.part(&def.body)? {
            Part::Json(schema) => Ok(schema),
            _ => stop(def.span, "this does not return a schema"),
        }
    })
}

/// Runs a transform on an unknown schema.
fn edits_of(
    reading: &mut Reading<'_>,
    transform: &Expr,
    scope: &Scope,
) -> Run<Vec<(Text, Edit<AskedType>)>> {
    let span = transform.span;
    let (name, code, scope) = match &transform.kind {
        ExprKind::Closure(closure) => match &closure.params[..] {
            [pattern] => match pattern.name() {
                Some(name) => (name.clone(), closure.body.clone(), scope.clone()),
                None => return stop(span, "the parameter of this closure has no name"),
            },
            _ => return stop(span, "a transform takes one parameter"),
        },
        ExprKind::Path(path) => match reading.reader.graph.resolve_value(scope.module, path)? {
            Resolved::Def(Def::Fn(module, def)) => match &def.patterns[..] {
                [Pattern::Name(name)] => {
                    let inside = reading.reader.graph.inside(module, &def);
                    (name.clone(), def.body.clone(), Scope::module(inside))
                }
                _ => return stop(span, "a transform takes one parameter"),
            },
            _ => return stop(span, format!("`{path}` is not read")),
        },
        _ => return stop(span, "a transform is a closure or the name of a function"),
    };
    let given = Literal::Schema((Concrete::external(GIVEN), span), Vec::new());
    let mut body = Body {
        reading,
        env: Env::new(scope),
        locals: vec![(name, Part::Json(given))],
    };
    body.run(&code)?;
    match body.locals.into_iter().next() {
        Some((_, Part::Json(Literal::Schema((ty, _), edits))))
            if ty.external_name() == Some(GIVEN) =>
        {
            Ok(edits)
        }
        _ => stop(
            span,
            "a transform that replaces the whole schema is not read",
        ),
    }
}

/// Converts an error about a value to one about the schema.
fn unread<T>(result: Run<T>) -> Result<T, Finding> {
    result.map_err(|finding| refused(finding, "this part of a hand-written schema cannot be read"))
}

fn refused(finding: Finding, what: &str) -> Finding {
    if finding.code != Code::NotConstant {
        return finding;
    }
    Box::new(Diagnostic {
        code: Code::UnreadableSchema,
        message: format!("{what}: {}", finding.message),
        help: Some(HELP.to_owned()),
        ..*finding
    })
}
