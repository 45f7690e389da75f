//! Any attributes on any place: what the derive and the generator read alike.

#![no_main]

use crd_channels_markers::read_type;
use libfuzzer_sys::fuzz_target;
use std::hint::black_box;
use syn::DeriveInput;

/// rustc bounds nesting before a derive sees it, and so does the generator's reader.
const DEEPEST: usize = 64;

fuzz_target!(|text: &str| {
    if depth(text) > DEEPEST {
        return;
    }
    for item in [
        format!("{text} struct S {{ a: u8 }}"),
        format!("#[kube(group = \"g\")] {text} struct S {{ a: u8 }}"),
        format!("struct S {{ {text} a: u8 }}"),
        format!("struct S({text} u8);"),
        format!("{text} enum E {{ A }}"),
        format!("enum E {{ {text} A, B {{ {text} b: u8 }}, C({text} u8) }}"),
    ] {
        if let Ok(input) = syn::parse_str::<DeriveInput>(&item) {
            black_box(read_type(&input, &mut Vec::new()));
        }
    }
});

fn depth(text: &str) -> usize {
    let mut open: usize = 0;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => open += 1,
            b')' | b']' | b'}' | b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}
