//! The `go.mod` of a module that only requires another one, with published versions of the modules that the latter takes from
//! folders.

use crate::program::Program;
use std::fmt::Write;

/// Returns the manifest to build a program with, given the published manifest of its module.
pub fn manifest(program: &Program, published: &str) -> String {
    let Program {
        module,
        version,
        folder_version,
        ..
    } = program;
    let go_version = go_version(published);
    let mut text = format!("module build\n\ngo {go_version}\n\nrequire {module} {version}\n");
    if let Some(folder_version) = folder_version {
        text.push_str("\nreplace (\n");
        for replaced in from_folders(published) {
            let _ = writeln!(text, "\t{replaced} => {replaced} {folder_version}");
        }
        text.push_str(")\n");
    }
    text
}

/// Returns the version of the `go` directive; an older Go downloads it.
fn go_version(manifest: &str) -> &str {
    let mut directives = manifest.lines().filter_map(|line| line.strip_prefix("go "));
    directives.next().map_or("1.21", str::trim)
}

/// Returns the modules that `replace` takes from a folder: their targets begin with a dot.
fn from_folders(manifest: &str) -> Vec<&str> {
    let replaced = manifest.lines().filter_map(|line| {
        let (module, target) = line.split_once("=>")?;
        let module = module.trim().trim_start_matches("replace ").trim();
        target
            .trim()
            .starts_with('.')
            .then(|| module.split_whitespace().next())?
    });
    replaced.collect()
}

#[cfg(test)]
mod tests {
    use super::{Program, manifest};

    #[test]
    fn folders_become_published_versions_and_other_replacements_go() {
        let mut program = Program {
            name: "server",
            module: "example.com/big",
            version: "v1.2.3",
            folder_version: Some("v0.2.3"),
            package: "example.com/big/cmd/server",
            takes: "long",
        };
        let published = "// generated\nmodule example.com/big\n\ngo 1.26.0\n\ngodebug default=go1.26\n\n\
             require (\n\texample.com/api v0.0.0\n)\n\nreplace (\n\
             \texample.com/api => ./staging/src/example.com/api\n\
             \texample.com/fork v1.0.0 => example.org/fork v1.0.1\n)\n\n\
             replace example.com/old v1.0.0 => ../old\n";
        assert_eq!(
            manifest(&program, published),
            "module build\n\ngo 1.26.0\n\nrequire example.com/big v1.2.3\n\nreplace (\n\
             \texample.com/api => example.com/api v0.2.3\n\
             \texample.com/old => example.com/old v0.2.3\n)\n"
        );
        program.folder_version = None;
        assert_eq!(
            manifest(&program, "module old\n"),
            "module build\n\ngo 1.21\n\nrequire example.com/big v1.2.3\n"
        );
    }
}
