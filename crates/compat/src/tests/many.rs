//! Many replaced parts of one node: the time grows with their number, not with its square.

use crate::findings::Finding;
use crate::findings::verdict::Channel;
use crate::schemas::pair::{SchemaPair, property_path};
use crate::schemas::renames::recognise;
use crate::schemas::walk::changes;
use crd_channels_schema::Schema;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// The time that this thread has run, where the system says it; other processes make no difference to it.
fn ran() -> Option<Duration> {
    // The system adds up what a thread has run when it looks at the thread again, perhaps only milliseconds later.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let first = text.split_whitespace().next()?;
    Some(Duration::from_nanos(first.parse().ok()?))
}

fn timed(work: impl Fn()) -> Duration {
    let (begun, start) = (ran(), Instant::now());
    work();
    match (begun, ran()) {
        (Some(begun), Some(end)) => end.saturating_sub(begun),
        _ => start.elapsed(),
    }
}

/// Asserts that eight times as many take at most 24 times as long, where a square would take 64 times as long.
fn assert_linear(what: &str, few: usize, work: impl Fn(usize)) {
    // What is only done once.
    work(1);
    let few_took = timed(|| work(few));
    let many_took = timed(|| work(8 * few));
    println!("{what}: {few} {few_took:?}, {} {many_took:?}", 8 * few);
    assert!(
        many_took < few_took * 24,
        "{what}: {few_took:?}, {many_took:?}"
    );
}

fn read(schema: &Value) -> Schema {
    Schema::from_json(schema).unwrap()
}

#[test]
fn replaced_properties_take_linear_time() {
    let with = |side: &str, count: usize| {
        let names = (0..count).map(|number| format!("{side}Field{number:05}"));
        let properties = names.map(|name| (name, json!({"type": "string"})));
        read(&json!({"type": "object", "properties": properties.collect::<Map<_, _>>()}))
    };
    assert_linear("properties", 1000, |count| {
        let (old, new) = (with("one", count), with("other", count));
        let found = changes(&SchemaPair::alone(&old, &new)).into_iter();
        let mut findings: Vec<Finding> = found
            .map(|(record, change)| {
                let path = property_path("spec", change.property.as_deref().unwrap());
                let finding = Finding::new(record, Channel::Stable, path, change);
                finding.of_kind("example.com", "Route").of_version("v1")
            })
            .collect();
        recognise(&mut findings);
        assert!(findings.len() <= 2 * count);
    });
}

#[test]
fn replaced_values_of_an_enum_take_linear_time() {
    let with = |names: Vec<String>| read(&json!({"type": "string", "enum": names}));
    let names = |side: &str, count: usize| -> Vec<String> {
        let names = (0..count).map(|number| format!("{side}-{number:05}"));
        names.collect()
    };
    // All are replaced; only the last one is; all stay, in another order.
    for what in ["every value", "the last value", "the order"] {
        assert_linear(what, 1000, |count| {
            let old = names("a", count);
            let mut new = old.clone();
            match what {
                "every value" => new = names("b", count),
                "the last value" => new[count - 1] = "b".to_owned(),
                _ => new.reverse(),
            }
            let found = changes(&SchemaPair::alone(&with(old), &with(new)));
            assert_eq!(found.len(), if what == "the order" { 0 } else { 2 });
        });
    }
}
