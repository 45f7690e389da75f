//! The files of modules, and their possible errors.

use super::{findings, lead, lines};
use crate::Cfgs;
use crate::fixture::{self, Loaded};
use crd_channels_diagnostics::Diagnostic;
use crd_channels_files::{Memory, Read};
use std::io;
use std::path::{Path, PathBuf};

fn check(text: &str, expected: &[&str]) -> Loaded {
    let loaded = fixture::graph(text);
    assert_eq!(findings(&loaded), expected, "{text}");
    loaded
}

/// The text of a diagnostic's span.
fn place(loaded: &Loaded, found: &Diagnostic) -> String {
    let span = found.span.expect("a place");
    let file = loaded.sources.get(span.file).unwrap();
    let text = &file.text[span.start as usize..span.end as usize];
    format!("{}: {text}", file.shown)
}

#[test]
fn modules_are_where_rustc_looks() {
    let text = "
//- /src/lib.rs crate:demo
mod a; mod b; mod inline { pub mod c; #[path = \"odd.rs\"] pub mod d; pub mod deep { pub mod e; } }
#[path = \"else/where.rs\"] mod f;
#[path = \"tree\"] mod g { pub mod h; #[path = \"../i.rs\"] pub mod i; }
//- /src/a.rs
pub struct A; pub mod child; pub mod inline { pub mod x; #[path = \"p.rs\"] pub mod p; }
#[path = \"beside.rs\"] pub mod beside;
//- /src/a/child.rs
pub struct Child;
//- /src/a/inline/x.rs
pub struct X;
//- /src/a/inline/p.rs
pub struct P;
//- /src/beside.rs
pub struct Beside; pub mod more;
//- /src/more.rs
pub struct More;
//- /src/b/mod.rs
pub mod child;
//- /src/b/child.rs
pub struct Child;
//- /src/inline/c.rs
pub struct C;
//- /src/inline/odd.rs
pub struct D;
//- /src/inline/deep/e.rs
pub struct E;
//- /src/else/where.rs
pub mod z;
//- /src/else/z.rs
pub struct Z;
//- /src/tree/h.rs
pub struct H;
//- /src/i.rs
pub struct I;
";
    let loaded = check(text, &[]);
    for path in [
        "a::A",
        "a::child::Child",
        "a::inline::x::X",
        "a::inline::p::P",
        "a::beside::Beside",
        "a::beside::more::More",
        "b::child::Child",
        "inline::c::C",
        "inline::d::D",
        "inline::deep::e::E",
        "f::z::Z",
        "g::h::H",
        "g::i::I",
    ] {
        assert_eq!(lead(&loaded.graph, "demo", path), format!("demo::{path}"));
    }
}

#[test]
fn what_is_missing_is_named() {
    let loaded = check(
        "
//- /lib.rs
mod gone;
#[path = \"x/y.rs\"] mod odd;
mod both;
//- /both.rs
//- /both/mod.rs
",
        &[
            "module-not-found: module `both` has two files, `both.rs` and `both/mod.rs`",
            "module-not-found: module `gone` has no file: there is neither `gone.rs` nor `gone/mod.rs`",
            "module-not-found: module `odd` has no file: there is no `x/y.rs`",
        ],
    );
    let places: Vec<String> = loaded
        .findings
        .diagnostics()
        .iter()
        .map(|found| place(&loaded, found))
        .collect();
    assert!(places.contains(&"lib.rs: gone".to_owned()), "{places:?}");
    // A path into such a module has the same diagnostic, and no further one.
    assert_eq!(
        lead(&loaded.graph, "demo", "gone::X"),
        "error: module `gone` has no file: there is neither `gone.rs` nor `gone/mod.rs`"
    );
}

#[test]
fn a_file_in_itself() {
    check(
        "//- /lib.rs\nmod a;\n//- /a.rs\n#[path = \"lib.rs\"] mod again;",
        &["module-cycle: module `again` is `lib.rs`, the file that declares it"],
    );
}

#[test]
fn one_file_twice_is_no_cycle() {
    check(
        "//- /lib.rs\n#[path = \"a.rs\"] mod a; #[path = \"a.rs\"] mod b;\n//- /a.rs\nstruct A;",
        &[],
    );
}

/// Files in which every name under `/a/` is a link back to `/`.
struct Links(Memory);

impl Links {
    fn plain(path: &Path) -> PathBuf {
        let parts: Vec<_> = path
            .components()
            .filter(|part| part.as_os_str() != "a")
            .collect();
        parts.iter().collect()
    }
}

impl Read for Links {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(&Self::plain(path))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.is_file(&Self::plain(path))
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.0.canonical(&Self::plain(path))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.list(&Self::plain(folder))
    }
}

#[test]
fn a_loop_of_links() {
    let (files, workspace) = fixture::split("//- /lib.rs\nmod a;\n//- /mod.rs\nmod a; struct S;");
    let loaded = fixture::load(workspace, Links(files), Cfgs::default());
    assert_eq!(
        findings(&loaded),
        ["module-cycle: module `a` is `a/a/mod.rs`, the file that declares it"]
    );
    assert_eq!(loaded.graph.types().len(), 1);
}

#[test]
fn broken_files_do_not_hide_others() {
    let (mut files, workspace) = fixture::split(
        "//- /lib.rs\nmod a; mod b; mod c;\n//- /a.rs\nstruct A {\n//- /b.rs\n//- /c.rs\nstruct C;",
    );
    files
        .0
        .insert(PathBuf::from("/b.rs"), b"struct \xc3\xa4; // \xff".to_vec());
    let loaded = fixture::load(workspace, files, Cfgs::default());
    assert_eq!(
        findings(&loaded),
        [
            "not-utf8: the file is not valid UTF-8: invalid byte at 14",
            "syntax-error: cannot parse string into token stream",
        ]
    );
    let found = loaded
        .findings
        .diagnostics()
        .iter()
        .find(|found| found.message.contains("UTF-8"));
    assert_eq!(place(&loaded, found.unwrap()), "b.rs: \u{fffd}");
    assert_eq!(loaded.graph.types().len(), 1);
}

#[test]
fn places_are_bytes_of_the_file() {
    for before in [
        "",
        "\u{feff}",
        "#!/usr/bin/env x\n",
        "\u{feff}#!/x\n",
        "//! ä\u{2028}\r\n",
        "//! a\r\nconst A: &str = r\"a\r\nb\nc\";\r\n",
        "#![allow(x)]\n",
    ] {
        for name in ["Ünïcode", "Ascii"] {
            let text = format!("{before}struct {name} {{ a: Vec<O> }}\r\nstruct Last;");
            let (mut files, workspace) = fixture::split("//- /lib.rs\n");
            files
                .0
                .insert(PathBuf::from("/lib.rs"), text.clone().into_bytes());
            let loaded = fixture::load(workspace, files, Cfgs::default());
            assert_eq!(findings(&loaded), Vec::<String>::new(), "{before:?}");
            let types = loaded.graph.types();
            let read = [0, 1].map(|index| {
                let span = types[index].def.span;
                &text[span.start as usize..span.end as usize]
            });
            assert_eq!(read, [name, "Last"], "{before:?}");
        }
    }
}

#[test]
fn syntax_errors_have_a_place() {
    let loaded = check(
        "//- /lib.rs\nstruct ä;\nstruct B { x y }",
        &["syntax-error: expected `:`"],
    );
    assert_eq!(
        place(&loaded, &loaded.findings.diagnostics()[0]),
        "lib.rs: y"
    );
}

#[test]
fn a_dependency_that_is_not_there() {
    let (files, mut workspace) = fixture::split(
        "//- /lib.rs\nuse dep::Thing;\n//- /dep/lib.rs crate:dep version:1.2.3\nstruct Thing;",
    );
    workspace.packages[1].root = PathBuf::from("/nowhere");
    workspace.packages[1].targets[0].root = PathBuf::from("/nowhere/src/lib.rs");
    let loaded = fixture::load(workspace, files, Cfgs::default());
    assert_eq!(findings(&loaded), Vec::<String>::new());
    let message = "the source of `dep` 1.2.3 is not on this machine";
    assert_eq!(
        lead(&loaded.graph, "demo", "Thing"),
        format!("error: {message}")
    );
    let later = loaded.graph.take_findings();
    assert_eq!(lines(&later), [format!("dependency-missing: {message}")]);
}

#[test]
fn documentation_may_stand_in_a_file() {
    let text = "
//- /src/lib.rs crate:demo
#![doc = include_str!(\"missing.md\")]
mod a;
//- /src/a/mod.rs
#[doc = include_str!(\"../words/a.md\")]
/// And more.
pub struct A {
    #[doc = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/words/b.md\"))]
    pub b: u8,
}
pub enum E { #[doc = include_str!(\"missing.md\")] V, #[doc = include_str!(env!(\"WORDS\"))] W }
//- /src/words/a.md
  Two spaces.
//- /src/words/b.md
The b.
";
    let loaded = check(
        text,
        &[
            "unreadable-file: `missing.md` cannot be read: the file does not exist",
            "unreadable-file: the name of the included file is not in the source",
        ],
    );
    let read = loaded.graph.files_read();
    let included: Vec<_> = read
        .iter()
        .filter(|(_, read)| read.included)
        .map(|(path, _)| path.as_path())
        .collect();
    assert_eq!(
        included,
        ["/src/words/a.md", "/src/words/b.md"].map(Path::new)
    );
}
