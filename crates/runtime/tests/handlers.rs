//! Which handler receives a warning, and its effect.

#![allow(clippy::unwrap_used, reason = "tests")]

use crd_channels_runtime::warnings::admission::{EACH, FieldPath, TOTAL, within_limits};
use crd_channels_runtime::warnings::{
    Collect, Handler, Ignore, Lines, Log, Once, Warning, deliver, process_handler,
    set_process_handler,
};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

const VALUES: [&[u8]; 3] = [
    b"299 - \"a\", 199 - \"b\", 299 - \"\"",
    b"not a warning",
    b"299 - \"a\"",
];

fn texts(warnings: &[Warning]) -> Vec<&str> {
    warnings.iter().map(|warning| &*warning.text).collect()
}

/// A handler that records every call.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<String>>>);

impl Calls {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Handler for Calls {
    fn handle(&self, warning: &Warning) {
        let call = format!("{} {}", warning.code, warning.text);
        self.0.lock().unwrap().push(call);
    }
}

/// What is written through `tracing` in this thread.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Written {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Returns what a call logs.
fn logged(call: impl FnOnce()) -> String {
    let log = Written::default();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(log.clone())
        .with_ansi(false)
        .without_time()
        .finish();
    tracing::subscriber::with_default(subscriber, call);
    let bytes = log.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// A single test, since the process has one handler.
#[test]
fn the_clients_handler_goes_before_that_of_the_process() {
    let log = logged(|| {
        deliver(VALUES, None);
    });
    assert_eq!(log.lines().count(), 2, "the process logs by default: {log}");
    assert!(
        log.starts_with(" WARN") && log.contains("a agent=\"-\""),
        "{log}"
    );

    let process = Calls::default();
    let former = set_process_handler(process.clone());
    let log = logged(|| {
        former.handle(&Warning::new(299, "-", "by the former one"));
    });
    assert!(log.contains("by the former one"), "{log}");

    let client = Calls::default();
    let found = deliver(VALUES, Some(&client));
    assert_eq!(texts(&found), ["a", "b", "", "a"], "all are returned");
    let every = ["299 a", "199 b", "299 ", "299 a"];
    assert_eq!(client.take(), every, "whatever their code");
    assert_eq!(process.take(), [""; 0]);

    deliver(VALUES, None);
    assert_eq!(process.take(), every);
    process_handler().handle(&Warning::new(299, "-", "c"));
    assert_eq!(process.take(), ["299 c"]);

    let own = set_process_handler(Ignore);
    let log = logged(|| {
        deliver(VALUES, None);
    });
    assert_eq!(log, "", "a server that makes requests for others");
    assert_eq!(process.take(), [""; 0]);
    set_process_handler(own);
    deliver([VALUES[2]], None);
    assert_eq!(process.take(), ["299 a"], "the former one is back");
    deliver([&b"not a warning"[..]], None);
    assert_eq!(process.take(), [""; 0]);
}

#[test]
fn other_codes_are_not_shown() {
    let collected = Collect::default();
    deliver(VALUES, Some(&collected));
    assert_eq!(texts(&collected.take()), ["a", "a"]);
    let lines = Lines::new(Vec::new(), false);
    deliver(VALUES, Some(&lines));
    assert_eq!(lines.into_inner(), b"Warning: a\nWarning: a\n");
    let log = logged(|| {
        deliver(VALUES, Some(&Log));
    });
    assert_eq!(log.lines().count(), 2, "{log}");
}

#[test]
fn a_text_is_passed_on_once() {
    let shown = Calls::default();
    let once = Once::new(shown.clone());
    deliver(VALUES, Some(&once));
    deliver(VALUES, Some(&once));
    assert_eq!(shown.take(), ["299 a", "199 b", "299 ", "199 b", "299 "]);
    let once = Once::new(shown.clone());
    let passed_on = |numbers: std::ops::RangeInclusive<u32>| {
        for number in numbers {
            once.handle(&Warning::new(299, "-", number.to_string()));
        }
        shown.take().len()
    };
    assert_eq!(passed_on(1..=4096), 4096);
    assert_eq!(passed_on(1..=4096), 0, "all are remembered");
    assert_eq!(passed_on(4097..=4097), 1);
    assert_eq!(passed_on(4097..=4097), 0);
    assert_eq!(passed_on(1..=1), 1, "a full memory has started over");
}

/// `kubectl --warnings-as-errors` counts what it has written, which is each text once.
#[test]
fn warnings_fail_a_command_as_in_kubectl() {
    let written = Once::new(Lines::new(Vec::new(), false));
    let collected = Collect::default();
    assert!(written.check().is_ok() && collected.check().is_ok());
    deliver([&b"199 - \"b\", 299 - \"\""[..]], Some(&written));
    assert!(written.check().is_ok(), "only other codes");
    for (values, error) in [
        (&VALUES[..], "1 warning received"),
        (&[b"299 - \"c\""], "2 warnings received"),
    ] {
        for handler in [&written as &dyn Handler, &collected] {
            deliver(values.iter().copied(), Some(handler));
        }
        assert_eq!(written.check().unwrap_err().to_string(), error);
        assert_eq!(collected.check().unwrap_err().to_string(), error);
    }
    assert_eq!(texts(&collected.take()), ["a", "a", "c"]);
    assert!(collected.check().is_ok(), "they were taken");
}

#[test]
fn lines_are_those_of_kubectl() {
    let plain = Lines::new(Vec::new(), false);
    deliver([VALUES[2]], Some(&plain));
    assert_eq!(plain.into_inner(), b"Warning: a\n");
    let colored = Lines::new(Vec::new(), true);
    deliver([VALUES[2]], Some(&colored));
    assert_eq!(colored.into_inner(), b"\x1b[33;1mWarning:\x1b[0m a\n");
}

/// The variable that makes the next test only write a line.
const AGAIN: &str = "RUNTIME_WRITES_A_LINE";

/// This test runs itself again, in a process whose stderr is not a terminal, and on a terminal if there is `script`.
#[test]
fn lines_are_colored_on_a_terminal() {
    match std::env::var_os(AGAIN) {
        Some(_) => drop(deliver([VALUES[2]], Some(&Lines::stderr()))),
        None => written_with_and_without_a_terminal(),
    }
}

fn written_with_and_without_a_terminal() {
    let program = std::env::current_exe().unwrap();
    let test = "lines_are_colored_on_a_terminal";
    let mut piped = Command::new(&program);
    piped.args([test, "--exact", "--nocapture"]);
    let piped = piped.env(AGAIN, "1").env("TERM", "xterm").output().unwrap();
    let written = String::from_utf8(piped.stderr).unwrap();
    assert!(
        written.contains("Warning: a\n") && !written.contains('\x1b'),
        "{written}"
    );
    for (term, line) in [
        ("xterm", "\x1b[33;1mWarning:\x1b[0m a"),
        ("dumb", "\nWarning: a"),
    ] {
        let command = format!("{} {test} --exact --nocapture", program.display());
        let mut terminal = Command::new("script");
        terminal.args(["-qec", &command, "/dev/null"]);
        terminal.env(AGAIN, "1").env("TERM", term);
        terminal.env_remove("NO_COLOR").stdin(Stdio::null());
        match terminal.output() {
            Ok(terminal) => {
                let written = String::from_utf8_lossy(&terminal.stdout).replace('\r', "");
                assert!(written.contains(line), "{term}: {written}");
            }
            Err(error) => eprintln!("not tried on a terminal: `script` does not start: {error}"),
        }
    }
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
    let odd = ('a'..='z').map(|letter| long(letter, 255));
    assert_eq!(within_limits(odd).len(), 17, "the one that crosses is sent");
    let full = ('a'..='z').map(|letter| long(letter, EACH));
    assert_eq!(within_limits(full).len(), 17, "even if no room was left");
    let same = ('a'..='z').map(|letter| long('x', 256) + &letter.to_string());
    assert_eq!(
        within_limits(same),
        [long('x', 256)],
        "they are equal when cut"
    );
    assert_eq!(within_limits(["", " \t\n", "a\u{0}b", "a b"]), ["a b"]);
}

#[test]
fn a_field_is_named_as_servers_name_it() {
    let path = FieldPath::new("spec")
        .field("rules")
        .index(2)
        .field("labels");
    assert_eq!(path.key("a.b/c").to_string(), "spec.rules[2].labels[a.b/c]");
    assert_eq!(path.warning("too many"), "spec.rules[2].labels: too many");
}
