//! Which handler receives a warning, and its effect.

use crd_channels_runtime::warnings::admission::{EACH, TOTAL, within_limits};
use crd_channels_runtime::warnings::{
    Collect, Handler, Ignore, Lines, Once, Warning, deliver, set_process_handler,
};
use std::sync::Arc;

const VALUES: [&[u8]; 3] = [
    b"299 - \"a\", 199 - \"b\", 299 - \"\"",
    b"not a warning",
    b"299 - \"a\"",
];

fn texts(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| &*warning.text).collect()
}

/// A single test, since the process has one handler.
#[test]
fn the_clients_handler_goes_before_that_of_the_process() {
    let process: Arc<Collect> = Arc::default();
    let of_process = Arc::clone(&process);
    set_process_handler(move |warning: &Warning| of_process.handle(warning));

    let client = Collect::default();
    let found = deliver(VALUES, Some(&client));
    assert_eq!(texts(&found), ["a", "b", "", "a"], "all are returned");
    assert_eq!(
        texts(&client.take()),
        ["a", "a"],
        "299 with a text is shown"
    );
    assert!(process.take().is_empty());

    deliver(VALUES, None);
    assert_eq!(texts(&process.take()), ["a", "a"]);
    deliver(VALUES, Some(&Ignore));
    assert!(process.take().is_empty());
    deliver([&b"199 - \"b\""[..]], None);
    assert!(process.take().is_empty());
}

#[test]
fn a_text_is_written_once_and_the_count_fails_the_command() {
    let shown: Arc<Collect> = Arc::default();
    let once = Once::new(Arc::clone(&shown));
    deliver(VALUES, Some(&once));
    deliver(VALUES, Some(&once));
    assert_eq!(texts(&shown.take()), ["a"]);

    let plain = Lines::new(Vec::new(), false);
    deliver([VALUES[2]], Some(&plain));
    assert_eq!(plain.into_inner(), b"Warning: a\n");
    let colored = Lines::new(Vec::new(), true);
    deliver([VALUES[2]], Some(&colored));
    assert_eq!(colored.into_inner(), b"\x1b[33;1mWarning:\x1b[0m a\n");

    let collected = Collect::default();
    assert!(collected.check().is_ok());
    deliver(VALUES, Some(&collected));
    let warned = collected.check().map_err(|warned| warned.to_string());
    assert_eq!(warned, Err("2 warnings received".to_owned()));
    assert!(collected.check().is_ok(), "it starts over");
}

#[test]
fn a_webhooks_warnings_fit_into_a_response() {
    let long = |letter: char, count: usize| letter.to_string().repeat(count);
    let fits = vec![long('ä', TOTAL - 1), long('b', 1)];
    assert_eq!(within_limits(&fits), fits, "characters count, not bytes");

    let letters = ('a'..='z').map(|letter| long(letter, 300));
    let cut = within_limits(letters);
    assert_eq!(cut.len(), TOTAL / EACH);
    assert!(cut.iter().all(|text| text.chars().count() == EACH));
    assert_eq!(within_limits(["", " \t\n", "a\u{0}b", "a b"]), ["a b"]);
}
