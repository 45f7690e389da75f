//! A macro's input, read token by token.

use crate::diag::Span;
use crate::source::tree::Token;

/// How deep expressions and types are followed; brackets are bounded before, this bounds prefix operators and `<`.
pub(super) const MAX_DEPTH: usize = 128;

/// A place in a list of tokens. Every method that reads moves on behind what it read.
pub(super) struct Cursor<'t> {
    pub(super) tokens: &'t [Token],
    /// The index of the next token.
    pub(super) at: usize,
    pub(super) depth: usize,
    /// Where the tokens stand, for what is missing at their end.
    whole: Span,
}

/// The place of a token.
pub(super) fn span(token: &Token) -> Span {
    match token {
        Token::Group(_, _, span)
        | Token::Ident(_, span)
        | Token::Punct(_, _, span)
        | Token::Lit(_, span) => *span,
    }
}

/// From the start of one place to the end of another.
pub(super) fn join(from: Span, to: Span) -> Span {
    Span {
        file: from.file,
        start: from.start,
        end: to.end.max(from.end),
    }
}

impl<'t> Cursor<'t> {
    /// At the first of the tokens that stand at `whole`.
    pub(super) fn new(tokens: &'t [Token], whole: Span) -> Self {
        Self {
            tokens,
            at: 0,
            depth: 0,
            whole,
        }
    }

    /// The next token.
    pub(super) fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn peek_behind(&self, offset: usize) -> Option<&'t Token> {
        self.tokens.get(self.at + offset)
    }

    /// Reads one token.
    pub(super) fn next(&mut self) -> Option<&'t Token> {
        let token = self.tokens.get(self.at);
        self.at += usize::from(token.is_some());
        token
    }

    /// Whether everything is read.
    pub(super) fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The place of the next token, or the end.
    pub(super) fn place(&self) -> Span {
        self.peek().map_or(
            Span {
                start: self.whole.end,
                ..self.whole
            },
            span,
        )
    }

    pub(super) fn behind(&self) -> Span {
        let last = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        last.map_or(self.whole, span)
    }

    /// Reads an operator, all of its characters, if it is next.
    pub(super) fn eat(&mut self, operator: &str) -> bool {
        let found = self.is_next(operator);
        if found {
            self.at += operator.len();
        }
        found
    }

    pub(super) fn is_next(&self, operator: &str) -> bool {
        let last = operator.chars().count().saturating_sub(1);
        operator.chars().enumerate().all(|(index, wanted)| {
            matches!(self.peek_behind(index), Some(Token::Punct(found, joint, _))
                if *found == wanted && (index == last || *joint))
        })
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Ident(name, _)) if &**name == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    pub(super) fn inside(&self, tokens: &'t [Token], whole: Span) -> Cursor<'t> {
        Cursor {
            tokens,
            at: 0,
            depth: self.depth + 1,
            whole,
        }
    }
}
