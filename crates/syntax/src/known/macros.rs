//! Known macros of other crates that are used on items, and their effects on what this tool reads.

use super::derives;
use super::ends;
use crate::tree::Path;

/// The effect of a macro.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Effect {
    /// The parts of the item that this tool reads stay as they are.
    Leaves,
    /// The reader applies the same change before it reads the item.
    Applied,
    /// It implements traits, like a derive.
    Derives,
}

/// The known macros: the crates that export them, their names and effects. A name in several crates is the same macro.
#[rustfmt::skip]
const ATTRIBUTES: &[(&[&str], &str, Effect)] = &[
    (&["serde_with", "serde_with_macros"], "serde_as", Effect::Applied),
    (&["serde_with", "serde_with_macros"], "skip_serializing_none", Effect::Applied),
    (&["stackable_versioned", "stackable_versioned_macros"], "versioned", Effect::Applied),
    (&["derive_where"], "derive_where", Effect::Derives),
    (&["actix_web", "actix_web_codegen", "actix_rt", "actix_macros"], "main", Effect::Leaves),
    (&["actix_web", "actix_web_codegen"], "get", Effect::Leaves),
    (&["actix_web", "actix_web_codegen"], "post", Effect::Leaves),
    (&["actix_web", "actix_web_codegen"], "put", Effect::Leaves),
    (&["actix_web", "actix_web_codegen"], "delete", Effect::Leaves),
    (&["actix_web", "actix_web_codegen", "actix_rt", "actix_macros"], "test", Effect::Leaves),
    (&["async_recursion"], "async_recursion", Effect::Leaves),
    (&["async_std", "async_attributes"], "main", Effect::Leaves),
    (&["async_std", "async_attributes"], "test", Effect::Leaves),
    (&["async_trait"], "async_trait", Effect::Leaves),
    (&["auto_impl"], "auto_impl", Effect::Leaves),
    (&["axum", "axum_macros"], "debug_handler", Effect::Leaves),
    (&["bon", "bon_macros"], "bon", Effect::Leaves),
    (&["bon", "bon_macros"], "builder", Effect::Leaves),
    (&["ctor"], "ctor", Effect::Leaves),
    (&["divan"], "bench", Effect::Leaves),
    (&["enum_dispatch"], "enum_dispatch", Effect::Leaves),
    (&["fastrace", "fastrace_macro", "minitrace", "minitrace_macro"], "trace", Effect::Leaves),
    (&["mockall"], "automock", Effect::Leaves),
    (&["mockall_double"], "double", Effect::Leaves),
    (&["pin_project", "pin_project_internal"], "pin_project", Effect::Leaves),
    (&["pin_project", "pin_project_internal"], "pinned_drop", Effect::Leaves),
    (&["rstest"], "rstest", Effect::Leaves),
    (&["rstest"], "fixture", Effect::Leaves),
    (&["serial_test", "serial_test_derive"], "serial", Effect::Leaves),
    (&["serial_test", "serial_test_derive"], "parallel", Effect::Leaves),
    (&["specta", "specta_macros"], "specta", Effect::Leaves),
    (&["test_case"], "test_case", Effect::Leaves),
    (&["test_log", "test_log_macros"], "test", Effect::Leaves),
    (&["tokio", "tokio_macros"], "main", Effect::Leaves),
    (&["tokio", "tokio_macros"], "test", Effect::Leaves),
    (&["tonic"], "async_trait", Effect::Leaves),
    (&["tracing", "tracing_attributes"], "instrument", Effect::Leaves),
    (&["tracing_test", "tracing_test_macro"], "traced_test", Effect::Leaves),
    (&["typeshare", "typeshare_annotation"], "typeshare", Effect::Leaves),
    (&["typetag", "typetag_impl"], "serde", Effect::Leaves),
    (&["typetag", "typetag_impl"], "serialize", Effect::Leaves),
    (&["typetag", "typetag_impl"], "deserialize", Effect::Leaves),
    (&["utoipa", "utoipa_gen"], "path", Effect::Leaves),
    (&["wasm_bindgen", "wasm_bindgen_macro"], "wasm_bindgen", Effect::Leaves),
];

/// The effect of a macro, by its full path; `None` if it is unknown.
pub fn effect(path: &str) -> Option<Effect> {
    let (home, name) = ends(path);
    let mut rows = ATTRIBUTES.iter();
    let row = rows.find(|(homes, known, _)| *known == name && homes.contains(&home))?;
    Some(row.2)
}

/// The macros on items that need no import, and helper attributes that are read regardless of derives.
#[rustfmt::skip]
const BUILT_IN: &[&str] = &[
    "allow", "automatically_derived", "bench", "cel_validate", "cfg", "cfg_attr", "cfg_eval", "cold", "condition",
    "conditions", "convert", "coverage", "crd", "debugger_visualizer", "default", "deny", "deprecated", "derive", "doc",
    "expect", "experimental", "export_name", "feature", "forbid", "fundamental", "garde", "global_allocator", "ignore",
    "inline", "instruction_set", "kube", "lang", "link", "link_name", "link_section", "macro_export", "macro_use",
    "must_use", "naked", "no_builtins", "no_link", "no_mangle", "no_std", "non_exhaustive",
    "not_experimental", "panic_handler", "path", "proc_macro", "proc_macro_attribute", "proc_macro_derive", "reason",
    "recursion_limit", "repr", "schemars", "serde", "should_panic", "stable", "target_feature", "test", "tombstone",
    "track_caller", "type_length_limit", "unsafe", "unstable", "used", "validate", "warn", "windows_subsystem",
    "x_kube",
];

/// Whether an attribute of one word cannot rewrite an item.
pub(crate) fn is_built_in(name: &str) -> bool {
    BUILT_IN.contains(&name) || name.starts_with("rustc_")
}

/// Whether the first segment of an attribute's path is a tool.
pub(crate) fn is_tool(name: &str) -> bool {
    matches!(
        name,
        "clippy" | "diagnostic" | "miri" | "rust_analyzer" | "rustfmt"
    )
}

/// Macros whose source cannot be read: every name that one of them generates is in its input.
const CALLS: &[(&[&str], &str)] = &[
    (&["serde_json"], "json"),
    (&["schemars"], "json_schema"),
    (&["bitflags"], "bitflags"),
    (&["lazy_static"], "lazy_static"),
    (&["std"], "compile_error"),
    (&["std"], "thread_local"),
    (&["std"], "global_asm"),
    (&["pin_project_lite"], "pin_project"),
    (&["static_assertions"], "assert_impl_all"),
    (&["static_assertions"], "assert_not_impl_any"),
    (&["static_assertions"], "assert_obj_safe"),
    (&["static_assertions"], "const_assert"),
    (&["static_assertions"], "const_assert_eq"),
    (&["inventory"], "submit"),
    (&["inventory"], "collect"),
    (&["criterion"], "criterion_group"),
    (&["criterion"], "criterion_main"),
];

/// Whether a macro, by its full path, generates only names from its input.
pub fn names_its_input(path: &str) -> bool {
    let (home, name) = ends(path);
    CALLS
        .iter()
        .any(|(homes, known)| *known == name && homes.contains(&home))
}

/// Whether the files that a crate's build generates and its source includes contain only macros.
pub fn includes_only_macros(home: &str) -> bool {
    home == "k8s_openapi"
}

/// Whether a crate whose source is not read exports this macro: an attribute, a derive, or a macro to call.
pub fn is_of(home: &str, name: &str) -> bool {
    let attributes = ATTRIBUTES
        .iter()
        .any(|(homes, known, _)| *known == name && homes.contains(&home));
    let calls = || {
        CALLS
            .iter()
            .any(|(homes, known)| *known == name && homes.contains(&home))
    };
    attributes || calls() || derives::is_of(home, name)
}

/// The macros in the standard library's prelude that are no derives.
#[rustfmt::skip]
const PRELUDE: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "bench", "cfg", "cfg_eval", "column", "compile_error", "concat", "dbg",
    "debug_assert", "debug_assert_eq", "debug_assert_ne", "derive", "env", "eprint", "eprintln", "file", "format",
    "format_args", "global_allocator", "include", "include_bytes", "include_str", "line", "matches", "module_path",
    "option_env", "panic", "print", "println", "stringify", "test", "thread_local", "todo", "try", "unimplemented",
    "unreachable", "vec", "write", "writeln",
];

/// Whether a macro is in the standard library's prelude.
pub fn prelude_macro(name: &str) -> bool {
    derives::is_of("std", name) || PRELUDE.contains(&name)
}

/// Macros that other modules of this reader expand, under the names of the crates that export them.
pub(crate) const VERSIONED: &[&str] = &[
    "stackable_versioned::versioned",
    "stackable_versioned_macros::versioned",
];

/// Whether a path refers to the standard `include!`.
pub fn is_include(path: &Path) -> bool {
    let mut names = path.segments.iter().map(|segment| &*segment.name);
    match (names.next(), names.next(), names.next()) {
        (Some("include"), None, _) => !path.leading,
        (Some("std" | "core"), Some("include"), None) => true,
        _ => false,
    }
}
