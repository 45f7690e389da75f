//! What is gated in a type, for its readers in rustdoc.

use crd_channels_markers::{Conditional, Gate, NodeAttrs, RESERVED_FEATURE};
use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

const TITLE: &str = "# Gated in the CRDs";

const MEANING: &str =
    "What is gated is in the CRDs of some channels only. The Rust type always has it.";

/// Returns an empty implementation whose documentation lists what is gated; `None` if nothing is. A derive cannot add to the
/// documentation of the items themselves.
pub(crate) fn documented(
    input: &DeriveInput,
    nodes: &[(String, NodeAttrs)],
) -> Option<TokenStream> {
    let lines: Vec<String> = nodes
        .iter()
        .flat_map(|(name, node)| lines(name, node))
        .collect();
    if lines.is_empty() {
        return None;
    }
    let docs = format!("{TITLE}\n\n{MEANING}\n\n{}", lines.join("\n"));
    let name = &input.ident;
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    Some(quote! {
        #[automatically_derived]
        #[doc = #docs]
        impl #parameters #name #arguments #bounds {}
    })
}

/// The lines of a list about one node.
fn lines(name: &str, node: &NodeAttrs) -> Vec<String> {
    let NodeAttrs {
        gate,
        status_gate,
        conditionals,
        tombstones: _,
        crd: _,
        first: _,
    } = node;
    let own = match name {
        "" => "the type".to_owned(),
        name => format!("`{name}`"),
    };
    let gate = gate.iter().map(|gate| line(&own, gate));
    let status = status_gate.iter().map(|gate| line("the status", gate));
    let parts = conditionals.iter().map(|conditional| {
        let Conditional {
            gate,
            docs,
            contents,
        } = conditional;
        let part = match (docs.is_empty(), contents.is_empty()) {
            (false, true) => "documentation",
            (true, _) => "validation",
            (false, false) => "documentation and validation",
        };
        line(&format!("{part} of {own}"), gate)
    });
    gate.chain(status).chain(parts).collect()
}

fn line(what: &str, gate: &Gate) -> String {
    let feature = match &*gate.feature {
        RESERVED_FEATURE => "what is experimental".to_owned(),
        feature => format!("the feature `{feature}`"),
    };
    match gate.on {
        true => format!("- {what}: with {feature}"),
        false => format!("- {what}: without {feature}"),
    }
}

#[cfg(test)]
mod tests {
    use super::documented;
    use crd_channels_markers::read_type;
    use syn::{DeriveInput, parse_quote};

    fn text(input: &DeriveInput) -> Option<String> {
        let nodes = read_type(input, &mut Vec::new());
        documented(input, &nodes).map(|tokens| tokens.to_string())
    }

    #[test]
    fn everything_gated_is_listed() {
        let input = parse_quote! {
            #[experimental(feature = "Routes")]
            struct Route<T: Clone> where T: Copy {
                #[experimental(feature = "Timeouts")]
                r#type: Option<T>,
                #[not_experimental]
                #[experimental(feature = "Hosts", schemars(length(max = 9)))]
                host: String,
                plain: String,
            }
        };
        let text = text(&input).unwrap_or_default();
        let list = [
            "- the type: with the feature `Routes`",
            "- `type`: with the feature `Timeouts`",
            "- `host`: without what is experimental",
            "- validation of `host`: with the feature `Hosts`\"",
        ];
        assert!(text.contains(&list.join("\\n")), "{text}");
        assert!(
            text.ends_with("impl < T : Clone > Route < T > where T : Copy { }"),
            "{text}"
        );
    }

    #[test]
    fn variants_are_named_and_nothing_is_added_without_a_gate() {
        let input = parse_quote! {
            enum Kind {
                #[experimental(feature = "More")]
                Named { #[experimental(feature = "Most", doc = "More.")] value: String },
            }
        };
        let text = text(&input).unwrap_or_default();
        for expected in [
            "- `Named`: with the feature `More`",
            "- documentation of `Named.value`: with the feature `Most`",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert_eq!(
            super::tests::text(
                &parse_quote! { #[tombstone(name = "a", removed = "v0.1.0", reason = "b")] struct A { b: String } }
            ),
            None
        );
    }
}
