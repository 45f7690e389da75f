//! Expressions inside a macro's input, where only tokens are kept.

use super::token_types::segment;
use super::tokens::{Cursor, MAX_DEPTH, join};
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Path, Pattern, Stmt, Token};

/// What binds how tightly; longer operators first.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 3),
    (">=", 3),
    ("<<", 7),
    (">>", 7),
    ("<", 3),
    (">", 3),
    ("|", 4),
    ("^", 5),
    ("&", 6),
    ("+", 8),
    ("-", 8),
    ("*", 9),
    ("/", 9),
    ("%", 9),
];

impl<'t> Cursor<'t> {
    /// Reads an expression; what is none becomes [`ExprKind::Other`], and the rest is skipped.
    pub(super) fn expr(&mut self) -> Expr {
        self.binary(0)
    }

    /// Reads expressions with commas between them, to the end.
    pub(super) fn exprs(&mut self) -> Vec<Expr> {
        let mut exprs = Vec::new();
        while !self.is_done() {
            exprs.push(self.expr());
            if !self.eat(",") {
                break;
            }
        }
        if !self.is_done() {
            exprs.push(self.other());
        }
        exprs
    }

    pub(super) fn other(&mut self) -> Expr {
        let start = self.place();
        self.at = self.tokens.len();
        Expr {
            kind: ExprKind::Other("an expression that the reader does not follow".into()),
            span: join(start, self.behind()),
        }
    }

    fn binary(&mut self, least: u8) -> Expr {
        let mut left = match self.deeper(Self::unary) {
            Some(left) => left,
            None => return self.other(),
        };
        while let Some((operator, binds)) = OPERATORS
            .iter()
            .find(|(operator, binds)| *binds > least && self.is_next(operator))
        {
            self.eat(operator);
            let right = match self.deeper(|cursor| cursor.binary(*binds)) {
                Some(right) => right,
                None => return self.other(),
            };
            let span = join(left.span, right.span);
            let kind = ExprKind::Binary((*operator).into(), Box::new(left), Box::new(right));
            left = Expr { kind, span };
        }
        left
    }

    fn unary(&mut self) -> Expr {
        let start = self.place();
        let operator = match self.peek() {
            Some(Token::Punct(operator @ ('-' | '!' | '*' | '&'), _, _)) => *operator,
            _ => return self.postfix(),
        };
        self.at += 1;
        let borrows = operator == '&' && self.eat_word("mut");
        let Some(inner) = self.deeper(Self::unary) else {
            return self.other();
        };
        let span = join(start, inner.span);
        let kind = match operator {
            '&' if borrows => ExprKind::Borrow(Box::new(inner)),
            '&' => ExprKind::Reference(Box::new(inner)),
            operator => ExprKind::Unary(operator, Box::new(inner)),
        };
        Expr { kind, span }
    }

    fn postfix(&mut self) -> Expr {
        let mut expr = self.primary();
        loop {
            let start = expr.span;
            let kind = match self.peek() {
                Some(Token::Group('(', tokens, span)) => {
                    let args = self.inside(tokens, *span).exprs();
                    self.at += 1;
                    ExprKind::Call(Box::new(expr), args)
                }
                Some(Token::Punct('.', _, _)) => {
                    self.at += 1;
                    match self.member(expr) {
                        Some(kind) => kind,
                        None => return self.other(),
                    }
                }
                Some(Token::Ident(word, _)) if &**word == "as" => {
                    self.at += 1;
                    ExprKind::Cast(Box::new(expr), Box::new(self.ty()))
                }
                _ => return expr,
            };
            expr = Expr {
                kind,
                span: join(start, self.behind()),
            };
        }
    }

    /// What stands behind a dot.
    fn member(&mut self, receiver: Expr) -> Option<ExprKind> {
        let name = match self.next()? {
            Token::Ident(name, _) => name.clone(),
            Token::Lit(Lit::Int(index), _) => index.clone(),
            _ => return None,
        };
        let types = if self.is_next("::") {
            self.eat("::");
            self.arguments()
        } else {
            Vec::new()
        };
        let receiver = Box::new(receiver);
        Some(match self.peek() {
            Some(Token::Group('(', tokens, span)) => {
                let args = self.inside(tokens, *span).exprs();
                self.at += 1;
                ExprKind::Method {
                    receiver,
                    name,
                    types,
                    args,
                }
            }
            _ => ExprKind::Field(receiver, name),
        })
    }

    fn primary(&mut self) -> Expr {
        let start = self.place();
        let kind = match self.peek() {
            Some(Token::Lit(lit, _)) => {
                self.at += 1;
                ExprKind::Lit(lit.clone())
            }
            Some(Token::Group(bracket, tokens, span)) => {
                self.at += 1;
                self.group(*bracket, tokens, *span)
            }
            Some(Token::Ident(word, _)) if matches!(&**word, "true" | "false") => {
                self.at += 1;
                ExprKind::Lit(Lit::Bool(&**word == "true"))
            }
            Some(Token::Ident(word, _)) if matches!(&**word, "if" | "match") => {
                match self.branching() {
                    Some(kind) => kind,
                    None => return self.other(),
                }
            }
            Some(Token::Ident(word, _)) if is_keyword(word) => return self.other(),
            Some(Token::Ident(..)) => self.path_expr(),
            Some(Token::Punct(':', true, _)) => self.path_expr(),
            Some(Token::Punct('<', _, _)) => match self.qualified() {
                Some(kind) => kind,
                None => return self.other(),
            },
            Some(Token::Punct('|', _, _)) => self.closure(),
            _ => return self.other(),
        };
        Expr {
            kind,
            span: join(start, self.behind()),
        }
    }

    /// `if .. { .. } else { .. }`, `match .. { .. }`: no condition has a bare brace in it.
    fn branching(&mut self) -> Option<ExprKind> {
        loop {
            let braces = |token: &Token| matches!(token, Token::Group('{', ..));
            let ahead = self.tokens.get(self.at..)?.iter().position(braces)?;
            self.at += ahead + 1;
            if !self.eat_word("else") {
                return Some(ExprKind::Unread);
            }
        }
    }

    fn group(&self, bracket: char, tokens: &'t [Token], span: Span) -> ExprKind {
        let mut inner = self.inside(tokens, span);
        if self.depth >= MAX_DEPTH {
            return inner.other().kind;
        }
        match bracket {
            '(' if tokens.is_empty() => ExprKind::Tuple(Vec::new()),
            '(' | ' ' => {
                let first = inner.expr();
                if inner.is_done() {
                    return first.kind;
                }
                let mut items = vec![first];
                if inner.eat(",") {
                    items.extend(inner.exprs());
                } else {
                    items.push(inner.other());
                }
                ExprKind::Tuple(items)
            }
            '[' => list(&mut inner),
            _ => inner.block(),
        }
    }

    fn block(&mut self) -> ExprKind {
        let mut stmts = Vec::new();
        while !self.is_done() {
            let start = self.place();
            if self.eat_word("let") {
                match self.binding() {
                    Some(stmt) => stmts.push(stmt),
                    None => {
                        let rest = self.other();
                        let words = "a `let` with a pattern".into();
                        stmts.push(Stmt::Other(words, join(start, rest.span)));
                    }
                }
                continue;
            }
            let expr = self.expr();
            if self.eat(";") {
                stmts.push(Stmt::Expr(expr));
            } else if self.is_done() {
                return ExprKind::Block(stmts, Some(Box::new(expr)));
            } else {
                stmts.push(Stmt::Expr(self.other()));
            }
        }
        ExprKind::Block(stmts, None)
    }

    fn binding(&mut self) -> Option<Stmt> {
        self.eat_word("mut");
        let Some(Token::Ident(name, _)) = self.next() else {
            return None;
        };
        let of = self.eat(":").then(|| self.ty());
        if !self.eat("=") {
            return None;
        }
        let value = self.expr();
        self.eat(";").then(|| Stmt::Let(name.clone(), of, value))
    }

    fn closure(&mut self) -> ExprKind {
        let mut names = Vec::new();
        let mut plain = true;
        if !self.eat("||") {
            self.eat("|");
            while !self.eat("|") {
                match self.next() {
                    Some(Token::Ident(name, place)) => {
                        let path = Path {
                            leading: false,
                            segments: vec![segment(name)],
                            span: *place,
                        };
                        names.push(Pattern::Name(path, None));
                    }
                    Some(Token::Punct(',' | '&', ..)) => {}
                    Some(_) => plain = false,
                    None => return self.other().kind,
                }
            }
        }
        match self.deeper(Self::expr) {
            Some(_) if !plain => ExprKind::Unread,
            Some(body) => ExprKind::Closure(names, Box::new(body)),
            None => self.other().kind,
        }
    }

    fn path_expr(&mut self) -> ExprKind {
        let Some(path) = self.path(true) else {
            return self.other().kind;
        };
        match (self.peek(), self.peek_behind(1)) {
            (Some(Token::Punct('!', _, _)), Some(Token::Group(_, tokens, _))) => {
                self.at += 2;
                ExprKind::Macro(path, tokens.clone())
            }
            (Some(Token::Group('{', tokens, span)), _) => {
                self.at += 1;
                self.inside(tokens, *span).fields(path)
            }
            _ => ExprKind::Path(path),
        }
    }

    fn fields(mut self, path: Path) -> ExprKind {
        let mut fields = Vec::new();
        let mut rest = None;
        while !self.is_done() {
            if self.eat("..") {
                rest = Some(Box::new(self.expr()));
                break;
            }
            let place = self.place();
            let name = match self.next() {
                Some(Token::Ident(name, _)) => name.clone(),
                Some(Token::Lit(Lit::Int(index), _)) => index.clone(),
                _ => return self.other().kind,
            };
            let value = if self.eat(":") {
                self.expr()
            } else {
                let segments = vec![segment(&name)];
                let kind = ExprKind::Path(Path {
                    leading: false,
                    segments,
                    span: place,
                });
                Expr { kind, span: place }
            };
            fields.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        if !self.is_done() {
            return self.other().kind;
        }
        ExprKind::Struct { path, fields, rest }
    }
}

/// What stands in square brackets: `a, b` or `a; n`.
pub(super) fn list(cursor: &mut Cursor<'_>) -> ExprKind {
    if cursor.is_done() {
        return ExprKind::Array(Vec::new());
    }
    let first = cursor.expr();
    if cursor.eat(";") {
        return ExprKind::Repeat(Box::new(first), Box::new(cursor.expr()));
    }
    let mut items = vec![first];
    if cursor.eat(",") {
        items.extend(cursor.exprs());
    } else if !cursor.is_done() {
        items.push(cursor.other());
    }
    ExprKind::Array(items)
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "if" | "match"
            | "for"
            | "while"
            | "loop"
            | "unsafe"
            | "async"
            | "move"
            | "return"
            | "break"
            | "let"
            | "as"
            | "mut"
    )
}
