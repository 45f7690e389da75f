//! What programs ask the machine for that they are built or run on. A CRD depends on source alone: no variable is set.

use super::Reader;
use super::concrete::{Concrete, Finding, Scope};
use super::constant::Frame;
use super::value::{Const, not_constant};
use crate::diag::{Code, Diagnostic, Sink, Span};
use crate::source::tree::{Expr, ExprKind, Lit};

/// Whether a variant is the error that a variable gives which is not set; none where it is of another type.
pub(super) fn variable_error(variant: &str) -> Option<bool> {
    let name = variant.strip_prefix("std::env::VarError::")?;
    Some(name == "NotPresent")
}

impl Reader<'_> {
    /// `std::env::var("X")` and the like; none where the function is another one.
    pub(super) fn variable(
        &self,
        whole: &Expr,
        function: &str,
        args: &[Expr],
        frame: &mut Frame<'_>,
    ) -> Option<Result<Const, Finding>> {
        let unset = match function {
            "std::env::var" => Const::Failed(
                Box::new(Const::text("environment variable not found")),
                Some(Concrete::external("std::string::String")),
            ),
            "std::env::var_os" => Const::Option(None),
            _ => return None,
        };
        let [name] = args else {
            return None;
        };
        let name = match self.expr(name, frame, None) {
            Ok(Const::Text(name)) => format!("`{name}`"),
            _ => "a variable".to_owned(),
        };
        self.not_set(whole.span, &name, frame.scope);
        Some(Ok(unset))
    }

    /// `env!("X")`, `option_env!("X")`
    pub(super) fn build_variable(
        &self,
        whole: &Expr,
        is_option: bool,
        args: &[Expr],
        scope: &Scope,
    ) -> Result<Const, Finding> {
        let Some(Expr {
            kind: ExprKind::Lit(Lit::Str(name)),
            ..
        }) = args.first()
        else {
            return Err(not_constant(whole.span, "this variable has no name"));
        };
        let of_package = self.graph.package_variable(scope.module, name);
        match (of_package, is_option) {
            (Some(value), false) => Ok(Const::text(&value)),
            (Some(value), true) => Ok(Const::Option(Some(Box::new(Const::text(&value))))),
            // Cargo sets it, to what is not read here.
            (None, true) if name.starts_with("CARGO") || &**name == "OUT_DIR" => Err(not_constant(
                whole.span,
                format!("`{name}` is a variable that cargo sets"),
            )),
            (None, true) => {
                self.not_set(whole.span, &format!("`{name}`"), scope);
                Ok(Const::Option(None))
            }
            (None, false) => Err(not_constant(
                whole.span,
                format!("`{name}` is a variable of the machine that builds"),
            )),
        }
    }

    fn not_set(&self, span: Span, name: &str, scope: &Scope) {
        let message = format!("{name} of the environment is read as not set");
        let mut path = self.graph.module_path(scope.module).to_string();
        if let Some(Concrete::Def(this)) = &scope.this {
            path = format!("{path}::{}", this.ty.def.name);
        }
        let function = scope.function.as_deref().unwrap_or("..");
        let help = format!(
            "state what the CRD shall show: `[values.\"{path}::{function}\"]` with `json = \"..\"` in `channels/bundle.toml`"
        );
        let mut sink = Sink::default();
        sink.push(Diagnostic::new(Code::Environment, span, message).with_help(help));
        self.graph.report(sink);
    }
}
