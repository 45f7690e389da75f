//! The program that writes the CRDs of a crate's kinds into a file, and the parser of that file.

use std::collections::BTreeMap;

/// The function that returns them; each module on the path to a kind has one.
pub const PROBE: &str = "__crd_channels_prove";

/// The variable that names the program's output file.
pub(super) const SHOWN_IN: &str = "CRD_CHANNELS_PROVE_OUT";

/// The output for each kind, by its name: a CRD as JSON, or the message of a panic.
pub type Shown = BTreeMap<String, Result<String, String>>;

/// The text of `main`; `crate_name` is the crate with the function.
#[must_use]
pub fn program(crate_name: &str) -> String {
    format!(
        r#"
#[allow(warnings)]
fn main() {{
    let mut all = ::std::string::String::new();
    ::std::panic::set_hook(::std::boxed::Box::new(|_| {{}}));
    {crate_name}::{PROBE}(&mut |name, crd| {{
        let line = match ::std::panic::catch_unwind(::std::panic::AssertUnwindSafe(|| crd())) {{
            ::std::result::Result::Ok(crd) => ::std::format!("crd {{}} {{}}\n", name, crd),
            ::std::result::Result::Err(panic) => {{
                let words = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<::std::string::String>()) {{
                    (::std::option::Option::Some(words), _) => ::std::string::String::from(*words),
                    (_, ::std::option::Option::Some(words)) => words.clone(),
                    _ => ::std::string::String::new(),
                }};
                ::std::format!("panic {{}} {{}}\n", name, words.replace('\n', " "))
            }}
        }};
        all.push_str(&line);
    }});
    let file = ::std::env::var_os("{SHOWN_IN}").expect("{SHOWN_IN} is set");
    ::std::fs::write(file, all).expect("the CRDs are written");
}}
"#
    )
}

/// Parses the output of a program.
pub(super) fn parse_output(text: &str, shown: &mut Shown) {
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (Some(how), Some(name)) = (words.next(), words.next()) else {
            continue;
        };
        let said = words.next().unwrap_or_default().to_owned();
        let said = if how == "crd" { Ok(said) } else { Err(said) };
        shown.insert(name.to_owned(), said);
    }
}
