//! The `cfg` values of target triples as rustc defines them, independent of the host.

use cfg_expr::targets::{
    ALL_BUILTINS, Endian, HasAtomic, TargetInfo, get_builtin_target_by_triple,
};

/// The triple if none is configured.
pub const DEFAULT: &str = "x86_64-unknown-linux-gnu";

/// The `target_*` values of one triple.
#[derive(Clone, Copy, Debug)]
pub struct Target(pub(super) &'static TargetInfo);

impl Target {
    /// The target of a triple.
    #[must_use]
    pub fn find(triple: &str) -> Option<Target> {
        get_builtin_target_by_triple(triple).map(Target)
    }

    /// Whether a `cfg` of the target holds; `None` if the name is not about targets.
    #[must_use]
    pub fn holds(self, name: &str, value: Option<&str>) -> Option<bool> {
        let Target(info) = self;
        let is_of = |family: &str| info.families.iter().any(|of| of.as_str() == family);
        let Some(value) = value else {
            return match name {
                "unix" | "windows" => Some(is_of(name)),
                "target_thread_local" => Some(!is_of("wasm")),
                _ => None,
            };
        };
        let is = match name {
            "target_arch" => info.arch.as_str() == value,
            "target_os" => info.os.as_ref().map_or("none", |os| os.as_str()) == value,
            "target_family" => is_of(value),
            "target_env" => info.env.as_ref().map_or("", |env| env.as_str()) == value,
            "target_abi" => info.abi.as_ref().map_or("", |abi| abi.as_str()) == value,
            "target_vendor" => info.vendor.as_ref().map_or("", |of| of.as_str()) == value,
            "target_endian" => {
                value
                    == match info.endian {
                        Endian::big => "big",
                        Endian::little => "little",
                    }
            }
            "target_pointer_width" => info.pointer_width.to_string() == value,
            "target_has_atomic" => {
                let width = value.parse::<HasAtomic>();
                width.is_ok_and(|width| info.has_atomics.contains(width))
            }
            _ => return None,
        };
        Some(is)
    }
}

/// All known triples, for messages.
pub fn triples() -> impl Iterator<Item = &'static str> {
    ALL_BUILTINS.iter().map(|target| target.triple.as_str())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::{Target, triples};
    use crate::platform;
    use std::collections::{BTreeMap, BTreeSet};
    use std::process::Command;
    use std::thread;

    /// A `cfg`, and its value if it has one.
    type Cfg = (String, Option<String>);

    /// Values that no target has.
    const OTHERS: [(&str, &str); 4] = [
        ("target_os", "plan9"),
        ("target_endian", "middle"),
        ("target_pointer_width", "7"),
        ("target_has_atomic", "7"),
    ];

    fn rustc(arguments: &[&str]) -> String {
        let printed = Command::new("rustc").args(arguments).output().unwrap();
        assert!(printed.status.success(), "{printed:?}");
        String::from_utf8(printed.stdout).unwrap()
    }

    /// The values that rustc sets for a target, without processor features, which can be enabled by hand and which no code here
    /// reads.
    fn printed(triple: &str) -> BTreeSet<Cfg> {
        let printed = rustc(&["--print", "cfg", "--target", triple]);
        let cfgs = printed.lines().map(|line| match line.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.trim_matches('"').to_owned())),
            None => (line.to_owned(), None),
        });
        let is_of_target = |name: &str| {
            matches!(name, "unix" | "windows")
                || (name.starts_with("target_") && name != "target_feature")
        };
        cfgs.filter(|(name, _)| is_of_target(name)).collect()
    }

    /// The values that rustc sets for each of the targets.
    fn printed_of_all<'a>(targets: &[&'a str]) -> BTreeMap<&'a str, BTreeSet<Cfg>> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let parts: Vec<_> = targets
                .chunks(targets.len().div_ceil(threads))
                .map(|part| {
                    let print = |triple: &&'a str| (*triple, printed(triple));
                    scope.spawn(move || part.iter().map(print).collect::<Vec<_>>())
                })
                .collect();
            let parts = parts.into_iter();
            parts.flat_map(|part| part.join().unwrap()).collect()
        })
    }

    #[test]
    fn targets_are_those_of_rustc() {
        let list = rustc(&["--print", "target-list"]);
        let (known, unknown): (Vec<&str>, Vec<&str>) = list
            .lines()
            .partition(|triple| Target::find(triple).is_some());
        // Some of them, unless all are asked for.
        let all = std::env::var("TARGETS").is_ok_and(|targets| targets == "all");
        let step = if all { 1 } else { 8 };
        let looked_at: Vec<&str> = known.iter().copied().step_by(step).collect();
        let cfgs = printed_of_all(&looked_at);
        let others = OTHERS.map(|(name, value)| (name.to_owned(), Some(value.to_owned())));
        let all: BTreeSet<&Cfg> = cfgs.values().flatten().chain(&others).collect();
        let mut differences = Vec::new();
        for (triple, cfgs) in &cfgs {
            let target = Target::find(triple).unwrap();
            for cfg in &all {
                let (name, value) = (&*cfg.0, cfg.1.as_deref());
                let written = match value {
                    Some(value) => format!("cfg({name} = \"{value}\")"),
                    None => format!("cfg({name})"),
                };
                let expected = cfgs.contains(*cfg);
                let found = target.holds(name, value);
                if found != Some(expected) {
                    differences.push(format!("{triple}: {written} is {expected}, not {found:?}"));
                }
                if platform::holds(&written, triple) != expected {
                    differences.push(format!("{triple}: {written} is {expected} for cargo"));
                }
            }
        }
        let gone = triples().filter(|triple| !known.contains(triple));
        println!(
            "{} targets with {} cfgs; rustc has {} more: {unknown:?}; it lacks {} of ours",
            cfgs.len(),
            all.len(),
            unknown.len(),
            gone.count()
        );
        assert!(differences.is_empty(), "{}", differences.join("\n"));
        assert!(known.len() > 250, "only {} targets", known.len());
    }
}
