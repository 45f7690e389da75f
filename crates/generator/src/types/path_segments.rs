//! Segments of full paths such as `std::option::Option::None`.

/// Returns the last segment.
pub(crate) fn last_segment(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// Returns the first segment.
pub(crate) fn first_segment(path: &str) -> &str {
    path.split(':').next().unwrap_or(path)
}

/// Returns the last two segments: `Option`, `None`. The first is empty if there is only one.
pub(crate) fn last_two_segments(path: &str) -> (&str, &str) {
    match path.rsplit_once("::") {
        Some((before, name)) => (last_segment(before), name),
        None => ("", path),
    }
}

/// Returns true if a path belongs to kube.
pub(crate) fn is_kube(path: &str) -> bool {
    matches!(first_segment(path), "kube" | "kube_core")
}
