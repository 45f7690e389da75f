//! Expressions and types inside a macro's input, where only tokens are kept.

use crate::Text;
use crate::diag::Span;
use crate::source::tree::{Expr, ExprKind, Lit, Path, Segment, Stmt, Token, Ty, TyKind};

/// How deep expressions and types are followed; brackets are bounded before, this bounds prefix operators and `<`.
const MAX_DEPTH: usize = 128;

/// A place in a list of tokens. Every method that reads moves on behind what it read.
pub(super) struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
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

    fn peek_behind(&self, offset: usize) -> Option<&'t Token> {
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

    fn behind(&self) -> Span {
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

    fn is_next(&self, operator: &str) -> bool {
        let last = operator.chars().count().saturating_sub(1);
        operator.chars().enumerate().all(|(index, wanted)| {
            matches!(self.peek_behind(index), Some(Token::Punct(found, joint, _))
                if *found == wanted && (index == last || *joint))
        })
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Ident(name, _)) if &**name == word);
        self.at += usize::from(found);
        found
    }

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

    fn other(&mut self) -> Expr {
        let start = self.place();
        self.at = self.tokens.len();
        Expr {
            kind: ExprKind::Other("an expression that the reader does not follow".into()),
            span: join(start, self.behind()),
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    fn inside(&self, tokens: &'t [Token], whole: Span) -> Cursor<'t> {
        Cursor {
            tokens,
            at: 0,
            depth: self.depth + 1,
            whole,
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
        if operator == '&' {
            self.eat_word("mut");
        }
        let Some(inner) = self.deeper(Self::unary) else {
            return self.other();
        };
        let span = join(start, inner.span);
        let kind = match operator {
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
        if self.eat(":") {
            self.ty();
        }
        if !self.eat("=") {
            return None;
        }
        let value = self.expr();
        self.eat(";").then(|| Stmt::Let(name.clone(), value))
    }

    fn closure(&mut self) -> ExprKind {
        let mut names = Vec::new();
        if !self.eat("||") {
            self.eat("|");
            while !self.eat("|") {
                match self.next() {
                    Some(Token::Ident(name, _)) => names.push(name.clone()),
                    Some(_) => {}
                    None => return self.other().kind,
                }
            }
        }
        match self.deeper(Self::expr) {
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

    /// `<T>::name`, `<T as Trait>::name`
    fn qualified(&mut self) -> Option<ExprKind> {
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
    fn path(&mut self, in_expr: bool) -> Option<Path> {
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
    fn arguments(&mut self) -> Vec<Ty> {
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

    fn ty(&mut self) -> Ty {
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

fn segment(name: &Text) -> Segment {
    Segment {
        name: name.clone(),
        args: Vec::new(),
    }
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
