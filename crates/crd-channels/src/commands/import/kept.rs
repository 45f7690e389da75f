//! `import.lock`: what the last import wrote, from which the next one tells what people changed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The file, in the package.
pub(super) const FILE: &str = "import.lock";

const HEAD: &str = "\
# What `crd-channels import` wrote last. `--update` compares with it to keep what you changed since: commit it, and leave it as it is.
";

/// The text that keeps the files of a package.
pub(super) fn text(files: &BTreeMap<String, String>) -> String {
    let mut out = HEAD.to_owned();
    for (path, text) in files {
        let _ = write!(out, "==> {} {path}\n{text}", text.lines().count());
        if !text.ends_with('\n') && !text.is_empty() {
            out.push('\n');
        }
    }
    out
}

/// The files of a text; `None` if it is none that was written.
pub(super) fn files(text: &str) -> Option<BTreeMap<String, String>> {
    let text = text.replace("\r\n", "\n");
    let mut lines = text
        .split_inclusive('\n')
        .skip_while(|line| line.starts_with('#'));
    let mut files = BTreeMap::new();
    while let Some(head) = lines.next() {
        let (count, path) = head
            .trim_end_matches('\n')
            .strip_prefix("==> ")?
            .split_once(' ')?;
        let count = count.parse().ok()?;
        let text: Vec<&str> = lines.by_ref().take(count).collect();
        if text.len() != count {
            return None;
        }
        files.insert(path.to_owned(), text.concat());
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::{files, text};
    use std::collections::BTreeMap;

    #[test]
    fn what_is_kept_is_read_again() {
        let both = [
            ("src/a.rs", "//! A\n==> 1 src/b.rs\n"),
            ("src/b.rs", ""),
            ("src/c.rs", "# c\n\nd\n"),
        ];
        let both: BTreeMap<String, String> = both
            .map(|(path, text)| (path.to_owned(), text.to_owned()))
            .into();
        let kept = text(&both);
        assert_eq!(files(&kept), Some(both.clone()));
        assert_eq!(files(&kept.replace('\n', "\r\n")), Some(both));
        let cut: String = kept.split_inclusive('\n').take(3).collect();
        assert_eq!(files(&cut), None);
        let merged = kept.replacen("==> 0", "<<<<<<< ours\n==> 0", 1);
        assert_eq!(files(&merged), None);
    }
}
