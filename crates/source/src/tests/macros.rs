//! Macros on items, included files, and names next to macros that cannot be read.

use super::{findings, lead, lines};
use crate::fixture;
use crate::{Derive, Derived, TypeRef};

fn only(loaded: &fixture::Loaded, name: &str) -> TypeRef {
    let types = loaded.graph.types();
    let mut found = types.into_iter().filter(|ty| &*ty.def.name == name);
    found.next().expect("the type")
}

#[test]
fn derives_are_asked_for_by_their_crates() {
    let loaded = fixture::graph(
        "
//- /lib.rs
#[macro_use] extern crate serde_derive;
mod prelude { pub use schemars::*; pub use own::Default; }
#[derive(Default, Serialize)] struct Std;
mod a { use super::prelude::*; #[derive(Default, JsonSchema)] struct Own; }
mod b { use serde::*; use core::default::Default as D; #[derive(D, Serialize)] struct Renamed; }
#[derive(unheard::Of)] struct Unknown;
#[derive(educe::Educe, Debug)] struct May;
#[derive(Debug, Clone, thiserror::Error)] struct Not;
",
    );
    assert_eq!(findings(&loaded), Vec::<String>::new());
    let shown = |derived: Derived| match derived {
        Derived::Yes => "yes".to_owned(),
        Derived::No => "no".to_owned(),
        Derived::Unknown(path) => format!("{path}?"),
    };
    for (name, wanted, expected) in [
        ("Std", Derive::Default, "yes"),
        ("Std", Derive::Serialize, "yes"),
        ("Std", Derive::JsonSchema, "no"),
        ("Own", Derive::Default, "Default?"),
        ("Own", Derive::JsonSchema, "yes"),
        ("Renamed", Derive::Default, "yes"),
        ("Renamed", Derive::Serialize, "yes"),
        ("Unknown", Derive::Serialize, "unheard::Of?"),
        ("May", Derive::Default, "educe::Educe?"),
        ("May", Derive::Serialize, "no"),
        ("Not", Derive::Default, "no"),
    ] {
        let derived = loaded.graph.derive_of(&only(&loaded, name), wanted);
        assert_eq!(shown(derived), expected, "{name} {wanted:?}");
    }
    for (name, wanted, of_source, expected) in [
        ("Std", "Default", false, "yes"),
        ("Std", "Default", true, "no"),
        ("Own", "Default", false, "Default?"),
        ("Unknown", "Of", false, "unheard::Of?"),
        ("Unknown", "Of", true, "yes"),
        ("Unknown", "Clone", false, "no"),
        ("May", "PartialEq", false, "educe::Educe?"),
        ("Not", "Clone", false, "yes"),
    ] {
        let derived = loaded
            .graph
            .derives_trait(&only(&loaded, name), wanted, of_source);
        assert_eq!(shown(derived), expected, "{name} {wanted}");
    }
}

#[test]
fn attributes_are_known_by_their_paths() {
    let loaded = fixture::graph(
        "
//- /lib.rs
mod prelude { pub use serde_with::serde_as; pub use own_macros::changes; }
use prelude::*;
#[serde_as] pub struct Known { #[serde_as(as = \"_\")] a: u8 }
#[changes] pub struct Changed;
#[changes] pub type Alias = u8;
#[own_macros::serde_as] pub struct Other;
#[derive(derive_builder::Builder)] #[builder(setter(into))] pub struct Helped;
#[nobody] pub struct Nobody;
#[derive(Debug)] #[serde_as] pub struct Below { #[serde_as(as = \"_\")] a: u8 }
#[own_macros::changes] pub mod inner { pub struct Inside; pub mod deep { pub struct Deeper; } }
#[own_macros::changes] pub mod stays { pub fn f() -> u8 { 1 } }
",
    );
    assert_eq!(findings(&loaded), Vec::<String>::new());
    for (path, expected) in [
        ("Known", "demo::Known"),
        (
            "Changed",
            "error: the macro `changes` may rewrite `Changed`: the effect of `own_macros::changes` is not known",
        ),
        (
            "Alias",
            "error: the macro `changes` may rewrite `Alias`: the effect of `own_macros::changes` is not known",
        ),
        (
            "Other",
            "error: the macro `own_macros::serde_as` may rewrite `Other`: `own_macros::serde_as` is `own_macros::serde_as`, which is unknown",
        ),
        ("Helped", "demo::Helped"),
        (
            "Nobody",
            "error: the macro `nobody` may rewrite `Nobody`: `nobody` does not resolve to a known macro",
        ),
        (
            "Below",
            "error: the macro `serde_as` may rewrite `Below`: it is below the derives, which do not see its effect",
        ),
        (
            "inner::Inside",
            "error: the macro `own_macros::changes` may rewrite `Inside`: the effect of `own_macros::changes` is not known",
        ),
        (
            "inner::deep::Deeper",
            "error: the macro `own_macros::changes` may rewrite `Deeper`: the effect of `own_macros::changes` is not known",
        ),
    ] {
        assert_eq!(lead(&loaded.graph, "demo", path), expected, "{path}");
    }
}

#[test]
fn included_items_stand_where_the_call_does() {
    let loaded = fixture::graph(
        "
//- /src/lib.rs crate:demo
mod other { pub struct Cfg; pub struct Own; }
mod a;
macro_rules! brings { ($file:literal) => { include!($file); }; }
mod b { brings!(\"gen/b.rs\"); }
//- /src/a.rs
use super::other::*;
macro_rules! make { ($n:ident) => { pub struct $n { pub first: u8 } }; }
include!(\"gen/types.rs\");
std::include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/gen/more.rs\"));
make!(Last);
//- /src/gen/types.rs
pub struct Cfg { pub x: u8 }
make!(First);
macro_rules! make { ($n:ident) => { pub enum $n { Second } }; }
mod beside;
pub mod inline { pub mod beside; #[path = \"other.rs\"] pub mod renamed; include!(\"deeper.rs\"); }
include!(\"deeper.rs\");
//- /src/gen/deeper.rs
pub struct Deeper;
//- /src/gen/inline/beside.rs
pub struct Below;
//- /src/gen/inline/other.rs
pub struct Other;
//- /src/gen/beside.rs
pub struct Beside;
//- /src/gen/more.rs
pub struct More;
//- /src/gen/b.rs
pub struct B;
",
    );
    assert_eq!(findings(&loaded), Vec::<String>::new());
    for (from, path, expected) in [
        ("demo::a", "Cfg", "demo::a::Cfg"),
        ("demo::a", "Own", "demo::other::Own"),
        ("demo::a", "beside::Beside", "demo::a::beside::Beside"),
        ("demo::a", "Deeper", "demo::a::Deeper"),
        ("demo::a", "inline::Deeper", "demo::a::inline::Deeper"),
        (
            "demo::a",
            "inline::beside::Below",
            "demo::a::inline::beside::Below",
        ),
        (
            "demo::a",
            "inline::renamed::Other",
            "demo::a::inline::renamed::Other",
        ),
        ("demo::a", "More", "demo::a::More"),
        ("demo::a", "Last::Second", "variant demo::a::Last 0"),
        (
            "demo::a",
            "First::Second",
            "error: `First::Second` does not resolve: the type `First` has no variant `Second`",
        ),
        ("demo", "b::B", "demo::b::B"),
    ] {
        assert_eq!(lead(&loaded.graph, from, path), expected, "{path}");
    }
    let files = loaded.graph.files_read();
    assert_eq!(files.values().filter(|file| file.included).count(), 4);
}

#[test]
fn what_is_included_while_building_hides_what_globs_have() {
    let loaded = fixture::graph(
        "
//- /lib.rs
mod other { pub struct Cfg; pub struct Named; }
use other::*;
use other::Named;
pub struct Own;
include!(concat!(env!(\"OUT_DIR\"), \"/types.rs\"));
mod plain { use super::other::*; }
mod calls { use super::other::*; unheard_of!(); }
mod harmless { use super::other::*; thread_local! { static X: u8 = 1; } }
",
    );
    assert_eq!(
        findings(&loaded),
        [
            "unread-items: the file of this `include!` is not read: the name of the included file is not in the source"
        ]
    );
    let hidden = "error: `Cfg` is ambiguous: a glob has `Cfg`, and `include!` may define it too";
    for (from, path, expected) in [
        ("demo", "Cfg", hidden),
        ("demo", "Named", "demo::other::Named"),
        ("demo", "Own", "demo::Own"),
        ("demo::plain", "Cfg", "demo::other::Cfg"),
        (
            "demo::calls",
            "Cfg",
            "error: `Cfg` is ambiguous: a glob has `Cfg`, and `unheard_of!` may define it too",
        ),
        ("demo::harmless", "Cfg", "demo::other::Cfg"),
        (
            "demo",
            "Nope",
            "error: `Nope` does not resolve: there is no `Nope` in `demo`",
        ),
    ] {
        assert_eq!(lead(&loaded.graph, from, path), expected, "{from} {path}");
    }
}

#[test]
fn kinds_may_stand_in_included_files() {
    let loaded = fixture::graph(
        "
//- /lib.rs
include!(\"kinds.rs\");
strange! { #[derive(CustomResource)] struct Spec; }
//- /kinds.rs
#[derive(kube::CustomResource)] #[kube(group = \"a.b\", version = \"v1\", kind = \"Route\")] pub struct RouteSpec {}
",
    );
    let kinds: Vec<_> = loaded
        .graph
        .kinds()
        .iter()
        .map(|ty| ty.def.name.clone())
        .collect();
    assert_eq!(kinds, ["RouteSpec".into()]);
    assert_eq!(
        lines(&loaded.graph.take_findings()),
        ["unread-items: the expansion of `strange!` is not read, and `CustomResource` is in it"]
    );
}

#[test]
fn a_file_that_includes_itself_ends() {
    let loaded = fixture::graph(
        "
//- /lib.rs
include!(\"a.rs\");
//- /a.rs
pub struct A; include!(\"a.rs\");
",
    );
    assert_eq!(
        findings(&loaded),
        ["unread-items: the file of this `include!` is not read: the file includes itself"]
    );
    assert_eq!(lead(&loaded.graph, "demo", "A"), "demo::A");
}

#[test]
fn documentation_of_tokens_is_read() {
    let loaded = fixture::graph(
        "
//- /lib.rs
macro_rules! flag { ($n:ident, $d:expr) => {
    #[doc = concat!(\"Flag \", stringify!($n))] #[doc = $d] #[doc = stringify!($n)] pub struct $n;
}; }
flag!(Alpha, concat!(\"a\", 1));
mod unrelated { #[doc = some!(X)] pub struct U; }
",
    );
    assert_eq!(loaded.findings.diagnostics(), []);
    let doc = only(&loaded, "Alpha").def.attrs.facets.always.doc.clone();
    assert_eq!(doc.as_deref(), Some("Flag Alpha\na1\nAlpha"));
    assert_eq!(only(&loaded, "U").def.findings.len(), 1);
}

#[test]
fn calls_lead_through_modules_that_lead_back() {
    let loaded = fixture::graph(
        "
//- /lib.rs
mod y { macro_rules! foo { ($n:ident) => { pub struct $n { pub y: u8 } }; } pub(crate) use foo as bar; }
mod z { pub use super::y::bar as baz; z_too!(X); }
y::bar!(A);
use z::baz;
baz!(B);
z::baz!(C);
",
    );
    for name in ["A", "B", "C"] {
        assert_eq!(lead(&loaded.graph, "demo", name), format!("demo::{name}"));
    }
}

#[test]
fn a_macro_of_ones_own_may_be_called_like_stds() {
    let loaded = fixture::graph(
        "
//- /lib.rs
macro_rules! include { ($file:literal) => { pub struct Mine; }; }
include!(\"nothing.rs\");
mod other { macro_rules! lazy_static { (static ref $n:ident : $t:ty = $e:expr;) => { pub static $n: $t = 2; }; } lazy_static! { static ref X: u8 = 1; } }
",
    );
    assert_eq!(findings(&loaded), Vec::<String>::new());
    assert_eq!(lead(&loaded.graph, "demo", "Mine"), "demo::Mine");
    let found = lead(&loaded.graph, "demo::other", "=X");
    assert_eq!(found, "const demo::other::X");
}
