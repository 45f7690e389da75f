//! The segments of full paths, `std::option::Option::None`.

/// The last segment.
pub(crate) fn last_of(path: &str) -> &str {
    path.rsplit(':').next().unwrap_or(path)
}

/// The first segment.
pub(crate) fn first_of(path: &str) -> &str {
    path.split(':').next().unwrap_or(path)
}

/// The last two segments: `Option`, `None`. The first of them is empty where there is only one.
pub(crate) fn last_two(path: &str) -> (&str, &str) {
    match path.rsplit_once("::") {
        Some((before, name)) => (last_of(before), name),
        None => ("", path),
    }
}

/// Whether a path is one of kube's.
pub(crate) fn is_kube(path: &str) -> bool {
    matches!(first_of(path), "kube" | "kube_core")
}
