//! `cfg` and `cfg_attr`.

use super::{findings, lead};
use crate::{Cfgs, fixture};
use crd_channels_diagnostics::Text;
use crd_channels_syntax::tree::Body;

fn cfgs(target: &str, custom: &[(&str, Option<&str>)]) -> Cfgs {
    let custom = custom.iter();
    Cfgs {
        target: Text::from(target),
        custom: custom
            .map(|(name, value)| (Text::from(*name), value.map(Text::from)))
            .collect(),
    }
}

/// Whether `#[cfg(predicate)]` keeps an item; the cfg in the diagnostic if it is unknown.
fn check(predicate: &str, expected: Result<bool, &str>) {
    let cfgs = cfgs(
        "x86_64-unknown-linux-gnu",
        &[("mine", None), ("level", Some("2")), ("!off", None)],
    );
    let text = format!(
        "//- /lib.rs features:yes\n#[cfg({predicate})] struct A;\n#[cfg(all({predicate},))] mod a {{}}"
    );
    let loaded = fixture::graph_with(&text, cfgs);
    let found = findings(&loaded);
    match expected {
        Ok(there) => {
            assert_eq!(found, Vec::<String>::new(), "{predicate}");
            assert_eq!(!loaded.graph.types().is_empty(), there, "{predicate}");
        }
        Err(cfg) => {
            let expected = format!("unknown-cfg: `cfg({cfg})` cannot be evaluated");
            assert_eq!(found, vec![expected; 2], "{predicate}");
            assert!(loaded.graph.types().is_empty(), "{predicate}");
        }
    }
}

#[test]
fn predicates() {
    check("feature = \"yes\"", Ok(true));
    check("feature = \"no\"", Ok(false));
    check("not(feature = \"no\")", Ok(true));
    check("feature = r\"yes\"", Ok(true));
    check("true", Ok(true));
    check("false", Ok(false));
    check("all()", Ok(true));
    check("any()", Ok(false));
    check("all(unix, target_os = \"linux\")", Ok(true));
    check("any(windows, target_arch = \"x86_64\",)", Ok(true));
    check("target_pointer_width = \"32\"", Ok(false));
    check("target_has_atomic = \"64\"", Ok(true));
    check("any(test, doc, docsrs, miri, clippy)", Ok(false));
    check("mine", Ok(true));
    check("mine = \"x\"", Ok(false));
    check("level = \"2\"", Ok(true));
    check("level = \"3\"", Ok(false));
    check("off", Ok(false));
    check("not(off)", Ok(true));
    check("strange", Err("strange"));
    check("strange = \"1\"", Err("strange = \"1\""));
    check("not(strange)", Err("strange"));
    check("debug_assertions", Err("debug_assertions"));
    check("all(strange, windows)", Ok(false));
    check("any(strange, unix)", Ok(true));
    check("any(strange, windows)", Err("strange"));
    check("not(all(strange, windows))", Ok(true));
    check("version(\"1.80\")", Err("version(..)"));
}

#[test]
fn malformed_predicates() {
    for predicate in [
        "",
        "\"x\"",
        "feature = ",
        "feature = 1",
        "not()",
        "not(unix, unix)",
        "all(unix unix)",
    ] {
        let text = format!("//- /lib.rs\n#[cfg({predicate})] struct A;");
        let found = findings(&fixture::graph(&text));
        assert_eq!(
            found,
            ["invalid-attribute: this is not a `cfg` predicate"],
            "{predicate}"
        );
    }
}

#[test]
fn targets() {
    let there = |target: &str, predicate: &str| {
        let text = format!("//- /lib.rs\n#[cfg({predicate})] struct A;");
        let loaded = fixture::graph_with(&text, cfgs(target, &[]));
        assert_eq!(findings(&loaded), Vec::<String>::new());
        !loaded.graph.types().is_empty()
    };
    assert!(there(
        "aarch64-apple-darwin",
        "all(unix, target_vendor = \"apple\")"
    ));
    assert!(there(
        "x86_64-pc-windows-msvc",
        "all(windows, target_env = \"msvc\")"
    ));
    assert!(there(
        "wasm32-unknown-unknown",
        "all(not(unix), target_family = \"wasm\")"
    ));
    assert!(there("s390x-unknown-linux-gnu", "target_endian = \"big\""));
    assert!(cfgs("", &[]).check_target().is_ok());
    let wrong = cfgs("x86_64-unknown-linux", &[])
        .check_target()
        .unwrap_err();
    assert!(
        wrong.contains("did you mean `x86_64-unknown-linux-gnu`?"),
        "{wrong}"
    );
}

#[test]
fn fields_variants_and_cfg_attr() {
    let loaded = fixture::graph(
        "
//- /lib.rs features:yes
#[cfg_attr(feature = \"yes\", derive(A, b::C), cfg_attr(unix, derive(D)))]
#[cfg_attr(feature = \"no\", derive(E))]
#[derive(F)]
struct S {
    #[cfg(feature = \"yes\")] a: u8,
    #[cfg(feature = \"no\")] b: u8,
    pub c: Vec<u8>
}
enum E {
    #[cfg(feature = \"no\")] A,
    B { #[cfg(windows)] x: u8, y: u8 },
    C(u8),
}
#[cfg_attr(unix, path = \"there.rs\")]
mod m;
//- /there.rs
struct There;
",
    );
    assert_eq!(findings(&loaded), Vec::<String>::new());
    let types = loaded.graph.types();
    let derives: Vec<String> = types[0]
        .def
        .derives
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(derives, ["A", "b::C", "D", "F"]);
    let Body::Struct(_, fields) = &types[0].def.body else {
        panic!("no struct");
    };
    let file = loaded.sources.get(types[0].def.span.file).unwrap();
    let texts: Vec<&str> = fields
        .iter()
        .map(|field| &file.text[field.extent.start as usize..field.extent.end as usize])
        .collect();
    assert_eq!(
        texts,
        ["#[cfg(feature = \"yes\")] a: u8,", "pub c: Vec<u8>"]
    );
    let Body::Enum(variants) = &types[1].def.body else {
        panic!("no enum");
    };
    assert_eq!(variants.len(), 2);
    let texts: Vec<&str> = variants
        .iter()
        .flat_map(|variant| &variant.fields)
        .map(|field| &file.text[field.extent.start as usize..field.extent.end as usize])
        .collect();
    assert_eq!(texts, ["y: u8", "u8"]);
    assert_eq!(&*types[2].def.name, "There");
}

#[test]
fn unknown_cfgs_of_dependencies_are_told_where_they_matter() {
    let text = "
//- /lib.rs
use dep::Gone;
//- /dep/lib.rs crate:dep
#[cfg(strange)] pub struct Gone;
#[cfg(strange)] pub mod gone;
#[cfg(not(strange))] pub struct Other;
pub struct Here { a: u8 }
";
    let loaded = fixture::graph(text);
    assert_eq!(findings(&loaded), Vec::<String>::new());
    assert_eq!(lead(&loaded.graph, "demo", "dep::Here"), "dep::Here");
    let path = syn::parse_str::<syn::Path>("Gone").unwrap();
    let path = super::lower_syn::path(crd_channels_diagnostics::FileId(0), &path);
    let module = super::module(&loaded.graph, "demo");
    let found = loaded.graph.resolve_type(module, &path).unwrap_err();
    assert_eq!(
        found.message,
        "`Gone` does not resolve: there is no `Gone` in `dep`"
    );
    assert_eq!(
        found.help.as_deref(),
        Some(
            "add `cfgs = ['strange']` to `channels/bundle.toml`, or `cfgs = ['!strange']` if it is off"
        )
    );
    let with = fixture::graph_with(text, cfgs("", &[("strange", None)]));
    assert_eq!(lead(&with.graph, "demo", "Gone"), "dep::Gone");
}

#[test]
fn an_unknown_cfg_of_a_dependency_is_an_error_in_what_is_needed() {
    let inside = "error: `cfg(strange)` cannot be evaluated";
    let gone = "error: `dep::A` does not resolve: there is no `A` in `dep`";
    for (text, expected) in [
        ("pub struct A { #[cfg(strange)] a: u8 }", inside),
        (
            "pub struct A { #[cfg_attr(strange, serde(skip))] a: u8 }",
            inside,
        ),
        ("pub enum A { #[cfg(strange)] X, Y }", inside),
        ("pub enum A { X { #[cfg(strange)] a: u8 } }", inside),
        ("#[cfg_attr(strange, serde(x))] pub struct A(u8);", inside),
        (
            "#[cfg(strange)] #[cfg_attr(strange, derive(B))] pub struct A;",
            gone,
        ),
        // What a glob has is not it.
        (
            "pub use a::*; mod a { pub struct A; } #[cfg(strange)] pub type A = u8;",
            gone,
        ),
        (
            "pub use a::*; mod a { pub struct A; } mod b { pub struct A; } #[cfg(strange)] pub use b::A;",
            gone,
        ),
        (
            "pub struct A; mod a { #[cfg(strange)] pub struct A; }",
            "dep::A",
        ),
        (
            "pub struct A; pub struct B { #[cfg(strange)] a: u8 }",
            "dep::A",
        ),
        (
            "pub enum B { #[cfg(strange)] A } pub use a::*; mod a { pub struct A; }",
            "dep::a::A",
        ),
        (
            "#[cfg_attr(strange, path = \"b.rs\")] mod A; pub use a::*; mod a { pub struct A; }\n//- /dep/A.rs\n",
            gone,
        ),
    ] {
        let text = format!("//- /lib.rs\n//- /dep/lib.rs crate:dep\n{text}");
        let loaded = fixture::graph(&text);
        assert_eq!(findings(&loaded), Vec::<String>::new(), "{text}");
        assert_eq!(lead(&loaded.graph, "demo", "dep::A"), expected, "{text}");
    }
}

#[test]
fn an_unknown_cfg_is_an_error_in_what_a_macro_generates() {
    for item in [
        "pub struct $n { a: u8, #[cfg(strange)] b: u8 }",
        "#[cfg_attr(strange, serde(rename = \"x\"))] pub struct $n;",
        "#[cfg(strange)] pub struct $n;",
    ] {
        let text =
            format!("//- /lib.rs\nmacro_rules! ty {{ ($n:ident) => {{ {item} }} }}\nty!(A);");
        let loaded = fixture::graph(&text);
        let mut found = findings(&loaded);
        found.extend(super::lines(&loaded.graph.take_findings()));
        assert_eq!(
            found,
            ["unknown-cfg: `cfg(strange)` cannot be evaluated"],
            "{item}"
        );
    }
}

#[test]
fn a_macro_with_an_unknown_cfg_is_not_expanded() {
    let loaded = fixture::graph(
        "
//- /lib.rs
macro_rules! make { () => { pub struct A; } }
#[cfg(strange)]
macro_rules! make { () => { pub struct B; } }
make!();
#[cfg(strange)]
make!();
",
    );
    assert_eq!(
        findings(&loaded),
        ["unknown-cfg: `cfg(strange)` cannot be evaluated"]
    );
    assert!(loaded.graph.types().is_empty());
}
