//! Measures how deep a recursive parser would go into a text, so that hostile input cannot overflow its stack.

/// The recursion that a text causes in a parser.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Depth {
    /// The maximum nesting of brackets.
    pub(super) brackets: usize,
    /// The maximum number of open tokens: in every open bracket, those since the last statement ended. No Rust parser recurses
    /// deeper: prefix operators, closures, chains of calls, `else if` and generics are all runs of tokens.
    pub(super) open: usize,
    /// The offset at which `brackets` was reached.
    pub(super) deepest: usize,
    /// The offset at which `open` was reached.
    pub(super) longest: usize,
}

/// Measures a text.
pub(super) fn depth(text: &str) -> Depth {
    let mut scan = Scan {
        text,
        bytes: text.as_bytes(),
        at: 0,
        levels: vec![Level::default()],
        open: 0,
        found: Depth::default(),
    };
    scan.run();
    scan.found
}

struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    levels: Vec<Level>,
    open: usize,
    found: Depth,
}

/// An open bracket.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Tokens since the last statement ended.
    run: usize,
    /// Open angle brackets, or comparisons. A comma among them does not end a statement.
    angles: usize,
    /// Whether there was a `|`: a comma may separate a closure's parameters.
    pipes: bool,
    /// Whether the last token was a closing brace.
    after_brace: bool,
}

impl Scan<'_> {
    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == Some(b'/') => self.line_comment(),
                b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
                b'"' => {
                    self.string();
                    self.token(start, false);
                }
                b'\'' => {
                    self.quote();
                    self.token(start, false);
                }
                b'(' | b'[' | b'{' => {
                    self.at += 1;
                    self.token(start, false);
                    self.levels.push(Level::default());
                    let brackets = self.levels.len() - 1;
                    if brackets > self.found.brackets {
                        self.found.brackets = brackets;
                        self.found.deepest = start;
                    }
                }
                b')' | b']' | b'}' => {
                    self.at += 1;
                    self.close(byte == b'}');
                }
                b';' => {
                    self.at += 1;
                    self.end_statement();
                }
                b',' => {
                    self.at += 1;
                    let last = self.levels.last();
                    if last.is_some_and(|level| level.angles > 0 || level.pipes) {
                        self.token(start, false);
                    } else {
                        self.end_statement();
                    }
                }
                b'<' | b'>' | b'|' => {
                    self.at += 1;
                    self.token(start, false);
                    let before = start.checked_sub(1).and_then(|at| self.bytes.get(at));
                    let arrow = matches!(before, Some(b'-' | b'='));
                    if let Some(level) = self.levels.last_mut() {
                        match byte {
                            b'<' => level.angles += 1,
                            b'>' if !arrow => level.angles = level.angles.saturating_sub(1),
                            b'>' => {}
                            _ => level.pipes = true,
                        }
                    }
                }
                _ if is_word(byte) => self.word(),
                _ => {
                    self.at += 1;
                    self.token(start, false);
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Counts a token. A word after a closing brace starts a new statement, unless it is `else` or `as`.
    fn token(&mut self, start: usize, starts_statement: bool) {
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        if level.after_brace && starts_statement {
            self.open -= level.run;
            *level = Level::default();
        }
        level.after_brace = false;
        level.run += 1;
        self.open += 1;
        if self.open > self.found.open {
            self.found.open = self.open;
            self.found.longest = start;
        }
    }

    fn end_statement(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            self.open -= level.run;
            *level = Level::default();
        }
    }

    fn close(&mut self, brace: bool) {
        if self.levels.len() > 1
            && let Some(level) = self.levels.pop()
        {
            self.open -= level.run;
        }
        if let Some(level) = self.levels.last_mut() {
            level.after_brace = brace;
        }
    }

    /// An identifier, a number, or a string with letters before it.
    fn word(&mut self) {
        let start = self.at;
        // By index, as in all code that reads every byte: an iterator costs more than the check itself.
        while self.at < self.bytes.len() && is_word(self.bytes[self.at]) {
            self.at += 1;
        }
        let word = self.bytes.get(start..self.at).unwrap_or_default();
        match (word, self.peek(0)) {
            (b"r" | b"br" | b"cr", Some(b'"' | b'#')) => self.raw_string(),
            (b"b" | b"c", Some(b'"')) => self.string(),
            (b"b", Some(b'\'')) => self.quote(),
            _ => {}
        }
        let continues = matches!(word, b"else" | b"as");
        self.token(start, !continues);
    }

    fn line_comment(&mut self) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    fn block_comment(&mut self) {
        let mut open = 0_usize;
        while let Some(byte) = self.peek(0) {
            match (byte, self.peek(1)) {
                (b'/', Some(b'*')) => {
                    open += 1;
                    self.at += 2;
                }
                (b'*', Some(b'/')) => {
                    open -= 1;
                    self.at += 2;
                    if open == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// Skips from the opening quote past the closing one.
    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                return;
            }
        }
    }

    /// Skips `#"..."#`, from the first `#` or quote; `r#name` is not a string and left as it is.
    fn raw_string(&mut self) {
        let mut hashes = 0;
        while self.peek(hashes) == Some(b'#') {
            hashes += 1;
        }
        if self.peek(hashes) != Some(b'"') {
            return;
        }
        self.at += hashes + 1;
        while let Some(byte) = self.peek(0) {
            self.at += 1;
            if byte == b'"' && (0..hashes).all(|ahead| self.peek(ahead) == Some(b'#')) {
                self.at += hashes;
                return;
            }
        }
    }

    /// Skips a character or a lifetime, from the quote.
    fn quote(&mut self) {
        self.at += 1;
        match self.peek(0) {
            Some(b'\\') => {
                // The escaped character may itself be a quote.
                self.at += 2;
                while self
                    .peek(0)
                    .is_some_and(|byte| byte != b'\'' && byte != b'\n')
                {
                    self.at += 1;
                }
                self.at += 1;
            }
            Some(first) => {
                let width = match first {
                    0..=0x7f => 1,
                    0x80..=0xdf => 2,
                    0xe0..=0xef => 3,
                    0xf0..=0xff => 4,
                };
                // Otherwise it is a lifetime, whose name is the next word.
                if self.peek(width) == Some(b'\'') {
                    self.at += width + 1;
                }
            }
            None => {}
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::depth;

    #[test]
    fn ordinary_code_stays_shallow() {
        let check = |text: &str, brackets: usize, open: usize| {
            let found = depth(text);
            assert_eq!((found.brackets, found.open), (brackets, open), "{text}");
        };
        check("", 0, 0);
        check("a b c", 0, 3);
        check("a b c; a b", 0, 3);
        check("fn a() {} fn b() {}", 1, 4);
        check("a, b, c", 0, 1);
        check("((a))", 2, 3);
        check("if a {} else if b {}", 1, 7);
        check("'a' 'b 'c", 0, 5);
        check("b'(' '(' '\\'' '\\u{28}' '('", 0, 5);
        check("\"((\" r\"((\" r#\"(\"(\"# br##\"(\"#(\"## c\"(\"", 0, 5);
        check("// (((\n/* (( /* (( */ (( */ a", 0, 1);
        check("r#fn(a)", 1, 5);
        check("f(a < b, c < d)", 1, 9);
        check("a: Vec<A<B>>, b: C<D>,", 0, 9);
        check("|a, b| |c, d| e", 0, 11);
    }
}
