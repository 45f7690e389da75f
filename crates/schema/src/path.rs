//! Paths in objects, as `spec.rules[].timeouts`.

/// How a node is reached from its parent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Step<'a> {
    /// It has none.
    Root,
    /// `properties[name]`
    Property(&'a str),
    /// `items`
    Items,
    /// `additionalProperties`
    Values,
}

/// Lengthens a path by a step. The path of the object itself is empty here.
pub fn push(path: &mut String, step: Step<'_>) {
    match step {
        Step::Root => {}
        Step::Items => path.push_str("[]"),
        Step::Values => path.push_str("{}"),
        Step::Property(name) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '$';
            if !name.is_empty() && name.chars().all(plain) {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            } else {
                path.push_str(&format!("['{name}']"));
            }
        }
    }
}

/// Whether a path is another one or leads through it.
#[must_use]
pub fn leads_through(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| {
        above.is_empty() || rest.is_empty() || rest.starts_with(['.', '[', '{'])
    })
}
