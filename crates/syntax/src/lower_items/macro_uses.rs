//! The macros on an item: those that the reader applies itself, and those that may rewrite it in unknown ways. Their paths are
//! resolved when the item is needed.

use super::lowering::Lowering;
use crate::derives::derives;
use crate::derives::serde_with;
use crate::includes::DEEPEST;
use crate::known::macros::{is_built_in, is_tool};
use crate::lower_syn::path;
use crate::tree::MacroUse;
use crd_channels_markers::without_groups;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Fields, Token, Variant};

/// The derives whose helper attributes are all known.
const WITHOUT_OTHER_HELPERS: &[&str] = &[
    "ApiType",
    "Clone",
    "Copy",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "JsonSchema",
    "KubeSchema",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
];

/// The macros of std that make texts, with their full names.
const TEXTS: &[(&str, &[&str])] = &[
    ("concat", &["std::concat"]),
    ("env", &["std::env"]),
    ("include_str", &["std::include_str"]),
    ("stringify", &["std::stringify"]),
];

impl Lowering<'_> {
    /// The macros on an item without fields, and those on its enclosing modules.
    pub(crate) fn macros(&mut self, attrs: &[Attribute]) -> Vec<MacroUse> {
        let helps = may_help(attrs);
        let own = attrs.iter().filter(|attr| is_macro(attr));
        let own = own.map(|attr| MacroUse {
            path: path(self.file, attr.path()),
            above: 0,
            read_as: &[],
            unread: None,
            helps: helps && attr.path().get_ident().is_some(),
            called: false,
        });
        own.chain(self.enclosing_macros()).collect()
    }

    /// The macros on a struct; known ones are applied to its fields.
    pub(crate) fn macros_of_fields(
        &mut self,
        attrs: &mut Vec<Attribute>,
        fields: &mut Fields,
    ) -> Vec<MacroUse> {
        self.done(attrs, &mut |name, attr| {
            serde_with::rewrite(name, attr, &mut std::iter::once(&mut *fields))
        })
    }

    /// The macros on an enum; known ones are applied to the fields of its variants.
    pub(crate) fn macros_of_variants<P>(
        &mut self,
        attrs: &mut Vec<Attribute>,
        variants: &mut Punctuated<Variant, P>,
    ) -> Vec<MacroUse> {
        self.done(attrs, &mut |name, attr| {
            let mut fields = variants.iter_mut().map(|variant| &mut variant.fields);
            serde_with::rewrite(name, attr, &mut fields)
        })
    }

    fn done(
        &mut self,
        attrs: &mut Vec<Attribute>,
        rewrite: &mut dyn FnMut(&str, &Attribute) -> Result<(), &'static str>,
    ) -> Vec<MacroUse> {
        let mut found = self.macros(attrs);
        if found.is_empty() {
            return found;
        }
        let mut uses = found.iter_mut();
        let mut derived = false;
        for attr in attrs.iter() {
            derived |= attr.path().is_ident("derive");
            if !is_macro(attr) {
                continue;
            }
            let Some(used) = uses.next() else { break };
            let name = attr
                .path()
                .segments
                .last()
                .map(|last| last.ident.to_string());
            let name = self.resolve_rename(name.unwrap_or_default());
            let Some(names) = serde_with::names_of(&name) else {
                continue;
            };
            used.read_as = names;
            used.unread = match derived {
                true => Some("it is below the derives, which do not see its effect"),
                false => rewrite(&name, attr).err(),
            };
        }
        attrs.retain(|attr| {
            !is_macro(attr)
                || attr
                    .path()
                    .get_ident()
                    .is_none_or(|name| serde_with::names_of(&name.to_string()).is_none())
        });
        found
    }

    /// The macros on the enclosing modules, relative to an item in the innermost one.
    pub(crate) fn enclosing_macros(&self) -> Vec<MacroUse> {
        let seen = self.around.iter().map(|(used, depth)| MacroUse {
            above: used.above + (self.depth - depth),
            ..used.clone()
        });
        seen.collect()
    }

    /// Remembers the macros of std that a text is composed with, which the source may have others of.
    pub(super) fn called_in(&mut self, text: &Expr, depth: usize) {
        let Expr::Macro(call) = without_groups(text) else {
            return;
        };
        let last = call.mac.path.segments.last();
        let last = last.map(|last| last.ident.to_string());
        let known = TEXTS.iter().find(|(name, _)| last.as_deref() == Some(name));
        let Some((name, full)) = known.filter(|_| depth < DEEPEST) else {
            return;
        };
        self.calls.push(MacroUse {
            path: path(self.file, &call.mac.path),
            above: 0,
            read_as: full,
            unread: None,
            helps: false,
            called: true,
        });
        let parts = Punctuated::<Expr, Token![,]>::parse_terminated;
        if *name != "stringify"
            && let Ok(parts) = call.mac.parse_body_with(parts)
        {
            for part in &parts {
                self.called_in(part, depth + 1);
            }
        }
    }

    /// The original name, if a `use` in this file renames it.
    pub(crate) fn resolve_rename(&self, word: String) -> String {
        self.renamed.get(&word).cloned().unwrap_or(word)
    }
}

/// Whether an attribute may be a macro that is not built in.
fn is_macro(attr: &Attribute) -> bool {
    match attr.path().get_ident() {
        Some(name) => !is_built_in(&name.to_string()),
        None => {
            let first = attr.path().segments.first();
            !first.is_some_and(|first| is_tool(&first.ident.to_string()))
        }
    }
}

/// Whether a derive is present that may have arbitrary helper attributes.
fn may_help(attrs: &[Attribute]) -> bool {
    derives(attrs).iter().any(|path| {
        let last = path.segments.last();
        last.is_some_and(|last| !WITHOUT_OTHER_HELPERS.contains(&&*last.ident.to_string()))
    })
}
