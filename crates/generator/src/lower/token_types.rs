//! Types and paths inside a macro's input.

use super::tokens::{Cursor, join};
use crate::Text;
use crate::source::tree::{ExprKind, Path, Segment, Token, Ty, TyKind};

impl Cursor<'_> {
    /// `<T>::name`, `<T as Trait>::name`
    pub(super) fn qualified(&mut self) -> Option<ExprKind> {
        self.eat("<").then_some(())?;
        let ty = self.ty();
        if self.eat_word("as") {
            self.path(false)?;
        }
        (self.eat(">") && self.eat("::")).then_some(())?;
        match self.next()? {
            Token::Ident(name, _) => Some(ExprKind::Qualified(Box::new(ty), name.clone())),
            _ => None,
        }
    }

    /// Reads a path; in expressions type arguments need `::` before them.
    pub(super) fn path(&mut self, in_expr: bool) -> Option<Path> {
        let start = self.place();
        let leading = self.eat("::");
        let mut segments = Vec::new();
        loop {
            let Some(Token::Ident(name, _)) = self.next() else {
                return None;
            };
            let mut segment = segment(name);
            if !in_expr && self.is_next("<") {
                segment.args = self.arguments();
            }
            let mut goes_on = self.eat("::");
            if goes_on && self.is_next("<") {
                segment.args = self.arguments();
                goes_on = self.eat("::");
            }
            segments.push(segment);
            if !goes_on {
                let span = join(start, self.behind());
                return Some(Path {
                    leading,
                    segments,
                    span,
                });
            }
        }
    }

    /// `<A, B>`, without lifetimes.
    pub(super) fn arguments(&mut self) -> Vec<Ty> {
        let mut types = Vec::new();
        if !self.eat("<") {
            return types;
        }
        while !self.is_done() && !self.eat(">") {
            if self.lifetime() {
                self.eat(",");
                continue;
            }
            match self.deeper(Self::ty) {
                Some(ty) => types.push(ty),
                None => break,
            }
            if !self.eat(",") && !self.is_next(">") {
                break;
            }
        }
        types
    }

    fn lifetime(&mut self) -> bool {
        let found = matches!(self.peek(), Some(Token::Punct('\'', _, _)));
        self.at += if found { 2 } else { 0 };
        found
    }

    pub(super) fn ty(&mut self) -> Ty {
        let start = self.place();
        let kind = match self.peek() {
            Some(Token::Punct('&', _, _)) => {
                self.at += 1;
                self.lifetime();
                self.eat_word("mut");
                match self.deeper(Self::ty) {
                    Some(ty) => TyKind::Reference(Box::new(ty)),
                    None => TyKind::Other("a type nested too deep to follow".into()),
                }
            }
            Some(Token::Group('[', tokens, span)) => {
                self.at += 1;
                let mut inner = self.inside(tokens, *span);
                let item = Box::new(inner.ty());
                if inner.eat(";") {
                    TyKind::Array(item, Box::new(inner.expr()))
                } else {
                    TyKind::Slice(item)
                }
            }
            Some(Token::Group('(', tokens, span)) => {
                self.at += 1;
                let mut inner = self.inside(tokens, *span);
                let mut items = Vec::new();
                while !inner.is_done() {
                    items.push(inner.ty());
                    if !inner.eat(",") {
                        break;
                    }
                }
                TyKind::Tuple(items)
            }
            Some(Token::Ident(..) | Token::Punct(':', _, _)) => match self.path(false) {
                Some(path) => TyKind::Path(path),
                None => TyKind::Other("a type that the reader does not know".into()),
            },
            _ => {
                self.at += 1;
                TyKind::Other("a type that the reader does not know".into())
            }
        };
        Ty {
            kind,
            span: join(start, self.behind()),
        }
    }
}

/// A name without arguments.
pub(super) fn segment(name: &Text) -> Segment {
    Segment {
        name: name.clone(),
        args: Vec::new(),
    }
}
