//! The context of reading attributes: the file of spans, and the sink of diagnostics.

use crate::lower_syn::{lines, span};
use crd_channels_diagnostics::{Code, Diagnostic, FileId, Sink, Span, Text};
use crd_channels_markers::{Error, ErrorKind, Extent, without_groups};
use syn::parse::Parse;
use syn::{Expr, ExprLit, Lit, LitStr};

/// Reads the attributes of one file.
pub(super) struct Reader<'a> {
    /// The file.
    pub(super) file: FileId,
    /// The sink of diagnostics.
    pub(super) sink: &'a mut Sink,
}

impl Reader<'_> {
    /// The span of an extent.
    pub(super) fn place(&self, extent: Extent) -> Span {
        let start = span(self.file, extent.start);
        let end = span(self.file, extent.end);
        Span {
            end: end.end.max(start.end),
            ..start
        }
    }

    /// Reports errors of the grammar.
    pub(super) fn report(&mut self, errors: Vec<Error>) {
        for Error {
            kind,
            extent,
            message,
            help,
        } in errors
        {
            let code = match kind {
                ErrorKind::Unknown => Code::UnknownAttribute,
                ErrorKind::Invalid => Code::InvalidAttribute,
                ErrorKind::GateContent => Code::GateContent,
                ErrorKind::TwoGates => Code::TwoGates,
            };
            let mut found = Diagnostic::new(code, self.place(extent), message);
            found.help = help;
            self.sink.push(found);
        }
    }

    /// Reports a diagnostic.
    pub(super) fn find(
        &mut self,
        code: Code,
        at: Extent,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let found = Diagnostic::new(code, self.place(at), message);
        self.sink.push(found.with_help(help));
    }

    /// Parses Rust in a string: a type, a path, an expression.
    pub(super) fn parsed<T: Parse>(&mut self, text: &LitStr, what: &str) -> Option<T> {
        let parsed = text.parse().ok();
        if parsed.is_none() {
            self.find(
                Code::InvalidAttribute,
                Extent::of(text),
                format!("`{}` is not {what}", text.value()),
                format!("write {what}, as in code"),
            );
        }
        parsed
    }

    /// A value that may be a string with Rust in it: `8`, `"8"`, `MAX`, `"MAX"`.
    pub(super) fn unquoted(&mut self, value: &Expr) -> Option<Expr> {
        match without_groups(value) {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => self.parsed(text, "an expression"),
            other => Some(other.clone()),
        }
    }
}

/// The value of a literal.
pub(super) fn text_of(literal: &LitStr) -> Text {
    lines(literal)
}
