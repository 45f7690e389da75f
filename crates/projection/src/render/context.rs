//! Where the renderer is: what findings point at, and how deep it has come.

use crd_channels_diagnostics::{Code, Diagnostic, Sink, Span};

/// Types that lie deeper than this in each other are reported, not followed: hostile input cannot overflow the stack.
const DEEPEST: u16 = 128;

/// Where the renderer is.
#[derive(Debug)]
pub(super) struct Context<'s> {
    /// Takes the findings.
    pub sink: &'s mut Sink,
    /// The nearest place in the source.
    pub span: Option<Span>,
    /// How many types lie around this one.
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

    /// The same at another place.
    pub fn at(&mut self, span: Span) -> Context<'_> {
        Context {
            sink: self.sink,
            span: Some(span),
            depth: self.depth,
        }
    }

    /// Inside a type, at its own place; none when that is too deep, which is reported.
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

    /// Reports a finding at this place.
    pub fn report(&mut self, code: Code, message: impl Into<String>, help: impl Into<String>) {
        self.sink
            .push(Diagnostic::new(code, self.span, message).with_help(help));
    }
}
