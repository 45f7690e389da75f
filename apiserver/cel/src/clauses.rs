//! The clauses of `format` texts.

/// A piece of such a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// A clause that is replaced by a value.
    Clause {
        letter: char,
        /// The number of digits after the point.
        precision: Option<usize>,
    },
}

/// The pieces of a text in order.
///
/// # Errors
/// The error in a clause.
pub(crate) fn pieces(format: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some((before, behind)) = rest.split_once('%') {
        found.push(Piece::Text(before));
        if let Some(after) = behind.strip_prefix('%') {
            found.push(Piece::Text("%"));
            rest = after;
            continue;
        }
        let (precision, after) = match behind.strip_prefix('.') {
            None => (None, behind),
            Some(precision) => {
                let after = precision.trim_start_matches(|c: char| c.is_ascii_digit());
                let digits = precision.len() - after.len();
                let number = precision.get(..digits).unwrap_or_default();
                let number = number.parse::<i64>().ok();
                let number = number.and_then(|number| usize::try_from(number).ok());
                if number.is_none() {
                    return Err(format!("`{format}` has a precision that is not a number"));
                }
                (number, after)
            }
        };
        let Some(letter) = after.chars().next() else {
            return Err(format!("`{format}` ends within a clause"));
        };
        if !"sdfebxXo".contains(letter) {
            return Err(format!(
                "`%{letter}` is not a clause; there are %s, %d, %f, %e, %b, %x, %X, %o"
            ));
        }
        found.push(Piece::Clause { letter, precision });
        rest = after.get(letter.len_utf8()..).unwrap_or_default();
    }
    found.push(Piece::Text(rest));
    Ok(found)
}
