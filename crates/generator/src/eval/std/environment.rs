//! Environment variables. CRDs depend on source alone, so every variable counts as unset.

use crate::eval::machine::{Frame, Machine, Run, Want, stop};
use crate::eval::values::ty::{Concrete, Scope};
use crate::eval::values::value::Value;
use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};
use crd_channels_source::tree::{Expr, ExprKind, Lit};
use serde_json::json;

impl Machine<'_> {
    /// `std::env::var("X")` and the like; returns `None` for any other function.
    pub(in crate::eval) fn variable(
        &mut self,
        function: &str,
        args: &[Expr],
        frame: &mut Frame,
        span: Span,
    ) -> Run<Option<Value>> {
        let unset = match function {
            "std::env::var" => Value::err(Value::Named(
                "std::env::VarError".into(),
                json!("NotPresent"),
            )),
            "std::env::var_os" => Value::Option(None),
            _ => return Ok(None),
        };
        let [name] = args else {
            return Ok(None);
        };
        let name = match self.expr(name, frame, Want::any()) {
            Ok(value) => value.text().map(|name| format!("`{name}`")),
            Err(_) => None,
        };
        let name = name.unwrap_or_else(|| "a variable".to_owned());
        self.not_set(span, &name, &frame.scope);
        Ok(Some(unset))
    }

    /// `env!("X")`, `option_env!("X")`
    pub(in crate::eval) fn build_variable(
        &mut self,
        span: Span,
        is_option: bool,
        args: &[Expr],
        scope: &Scope,
    ) -> Run {
        let Some(Expr {
            kind: ExprKind::Lit(Lit::Str(name)),
            ..
        }) = args.first()
        else {
            return stop(span, "this variable has no name");
        };
        let of_package = self.reader.graph.package_variable(scope.module, name);
        match (of_package, is_option) {
            (Some(value), false) => Ok(Value::str(value)),
            (Some(value), true) => Ok(Value::some(Value::str(value))),
            // Cargo sets it, to a value that is not known here.
            (None, true) if name.starts_with("CARGO") || &**name == "OUT_DIR" => {
                stop(span, format!("`{name}` is a variable that cargo sets"))
            }
            (None, true) => {
                self.not_set(span, &format!("`{name}`"), scope);
                Ok(Value::Option(None))
            }
            (None, false) => stop(span, format!("`{name}` is a variable of the build machine")),
        }
    }

    fn not_set(&self, span: Span, name: &str, scope: &Scope) {
        let graph = self.reader.graph;
        let message = format!("{name} of the environment counts as unset");
        let mut path = graph.module_path(scope.module).to_string();
        if let Some(Concrete::Def(this)) = &scope.this {
            path = format!("{path}::{}", this.ty.def.name);
        }
        let function = scope.function.as_deref().unwrap_or("..");
        let help = format!(
            "state the value: `[values.\"{path}::{function}\"]` with `json = \"..\"` in `channels/bundle.toml`"
        );
        let mut sink = Sink::default();
        sink.push(Diagnostic::new(Code::Environment, span, message).with_help(help));
        graph.report(sink);
    }
}
