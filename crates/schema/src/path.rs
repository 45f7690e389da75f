//! Paths in objects, such as `spec.rules[].timeouts`.

/// A step from a schema to one below it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Segment<N> {
    /// `properties[name]`
    Property(N),
    /// `items`
    Items,
    /// `additionalProperties`
    Values,
}

/// Appends a segment to a path. The path of the object itself is empty.
pub fn push(path: &mut String, segment: Segment<&str>) {
    match segment {
        Segment::Items => path.push_str("[]"),
        Segment::Values => path.push_str("{}"),
        Segment::Property(name) => {
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

/// The path of a condition in a list of conditions, such as `status.conditions[Accepted]`: the place of its reasons.
#[must_use]
pub fn condition(list: &str, of: &str) -> String {
    format!("{list}[{of}]")
}

/// Whether a path equals another one or leads through it.
#[must_use]
pub fn leads_through(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| {
        above.is_empty() || rest.is_empty() || rest.starts_with(['.', '[', '{'])
    })
}
