//! `[target.'cfg(..)'.dependencies]`: whether a dependency is one of the configured target.

use super::target::Target;

/// Whether what stands between `[target.` and `.dependencies]` holds: a triple, or `cfg(..)`. What nobody sets is off, as
/// it is for cargo.
pub(super) fn holds(written: &str, triple: &str) -> bool {
    let inside = written.trim().strip_prefix("cfg");
    let inside = inside.map(str::trim_start);
    let Some(inside) = inside.and_then(|rest| rest.strip_prefix('(')) else {
        return written == triple;
    };
    let target = Target::find(triple);
    let mut rest = inside;
    predicate(&mut rest, target).unwrap_or(false)
}

/// One predicate, taken off the front of a text; none if the text does not begin with one.
fn predicate(rest: &mut &str, target: Option<&Target>) -> Option<bool> {
    let name = word(rest)?;
    if taken(rest, '(') {
        let mut parts = Vec::new();
        while !taken(rest, ')') {
            parts.push(predicate(rest, target)?);
            if !taken(rest, ',') && !rest.trim_start().starts_with(')') {
                return None;
            }
        }
        return match (name, &*parts) {
            ("all", parts) => Some(parts.iter().all(|part| *part)),
            ("any", parts) => Some(parts.iter().any(|part| *part)),
            ("not", [part]) => Some(!part),
            _ => None,
        };
    }
    let mut value = None;
    if taken(rest, '=') {
        let text = rest.trim_start().strip_prefix('"')?;
        let (text, behind) = text.split_once('"')?;
        *rest = behind;
        value = Some(text);
    }
    Some(match (name, value) {
        // cargo asks rustc without a profile, and so this always is.
        ("debug_assertions" | "true", None) => true,
        ("panic", Some(value)) => value == "unwind",
        (name, value) => target
            .and_then(|target| target.holds(name, value))
            .unwrap_or(false),
    })
}

fn word<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let text = rest.trim_start();
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let (word, behind) = text.split_at(end.unwrap_or(text.len()));
    *rest = behind;
    (!word.is_empty()).then_some(word)
}

fn taken(rest: &mut &str, wanted: char) -> bool {
    let behind = rest.trim_start().strip_prefix(wanted);
    if let Some(behind) = behind {
        *rest = behind;
    }
    behind.is_some()
}

#[cfg(test)]
mod tests {
    use super::holds;

    #[test]
    fn targets_are_told_by_their_triple() {
        let linux = "x86_64-unknown-linux-gnu";
        for (written, expected) in [
            (linux, true),
            ("x86_64-pc-windows-msvc", false),
            ("cfg(unix)", true),
            ("cfg(windows)", false),
            ("cfg(not(windows))", true),
            ("cfg(all(unix, target_os = \"linux\"))", true),
            ("cfg(any(windows, target_os=\"macos\",))", false),
            ("cfg( any ( unix ) )", true),
            ("cfg(all())", true),
            ("cfg(any())", false),
            ("cfg(tokio_unstable)", false),
            ("cfg(debug_assertions)", true),
            ("cfg(not)", false),
            ("cfg(all(unix", false),
            ("cfg(", false),
        ] {
            assert_eq!(holds(written, linux), expected, "{written}");
        }
    }
}
