//! The position of the renderer: the span that findings point at, and the depth.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};

/// The maximum depth of nested types. Deeper ones are reported instead of followed, so that hostile input cannot overflow the
/// stack.
const DEEPEST: u16 = 128;

/// The position of the renderer.
#[derive(Debug)]
pub(super) struct Context<'s> {
    /// Receives the findings.
    pub sink: &'s mut Sink,
    /// The nearest span in the source.
    pub span: Option<Span>,
    /// The number of types around this one.
    pub depth: u16,
}

impl<'s> Context<'s> {
    pub fn new(sink: &'s mut Sink, span: Option<Span>) -> Self {
        Self {
            sink,
            span,
            depth: 0,
        }
    }

    /// Returns the context at another span.
    pub fn at(&mut self, span: Span) -> Context<'_> {
        Context {
            sink: self.sink,
            span: Some(span),
            depth: self.depth,
        }
    }

    /// Returns the context inside a type, at its span, or reports that it is nested too deeply and returns `None`.
    pub fn inside(&mut self, place: Option<Span>) -> Option<Context<'_>> {
        if self.depth >= DEEPEST {
            self.sink.push(
                Diagnostic::new(
                    Code::NestingTooDeep,
                    self.span,
                    format!("types are nested more than {DEEPEST} levels deep"),
                )
                .with_help("break the chain with a field that preserves unknown fields"),
            );
            return None;
        }
        Some(Context {
            sink: self.sink,
            span: place.or(self.span),
            depth: self.depth + 1,
        })
    }

    /// Reports a finding at the current span.
    pub fn report(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.sink
            .push(Diagnostic::new(code, self.span, message).with_help(help));
    }
}
