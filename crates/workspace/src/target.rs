//! What `cfg` says of target triples, as rustc knows them, never of the host.

use cfg_expr::targets::{
    ALL_BUILTINS, Endian, HasAtomic, TargetInfo, get_builtin_target_by_triple,
};

/// The triple that is meant when none is configured.
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

    /// Whether a `cfg` of the target holds; none where the name says nothing of targets.
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

/// All triples that are known, for messages.
pub fn triples() -> impl Iterator<Item = &'static str> {
    ALL_BUILTINS.iter().map(|target| target.triple.as_str())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
mod tests {
    use super::{DEFAULT, Target};
    use std::process::Command;

    /// Values that most targets do not have.
    const OTHERS: [(&str, &str); 9] = [
        ("target_arch", "wasm32"),
        ("target_os", "none"),
        ("target_family", "wasm"),
        ("target_env", "uclibc"),
        ("target_abi", "eabihf"),
        ("target_vendor", "sun"),
        ("target_pointer_width", "16"),
        ("target_has_atomic", "7"),
        ("target_endian", "middle"),
    ];

    #[test]
    fn targets_are_those_of_rustc() {
        for triple in [
            DEFAULT,
            "aarch64-apple-darwin",
            "x86_64-pc-windows-msvc",
            "armv7-unknown-linux-gnueabihf",
            "powerpc64le-unknown-linux-gnu",
            "s390x-unknown-linux-gnu",
            "wasm32-wasip1",
            "thumbv7em-none-eabi",
        ] {
            let target = Target::find(triple).unwrap();
            let printed = Command::new("rustc")
                .args(["--print", "cfg", "--target", triple])
                .output()
                .unwrap();
            assert!(printed.status.success(), "{printed:?}");
            let printed = String::from_utf8(printed.stdout).unwrap();
            for line in printed.lines() {
                let (name, value) = match line.split_once('=') {
                    Some((name, value)) => (name, Some(value.trim_matches('"'))),
                    None => (line, None),
                };
                if matches!(name, "unix" | "windows")
                    || (name.starts_with("target_") && name != "target_feature")
                {
                    assert_eq!(target.holds(name, value), Some(true), "{triple}: {line}");
                }
            }
            for (name, value) in OTHERS {
                let line = format!("{name}=\"{value}\"");
                let is = printed.lines().any(|printed| printed == line);
                assert_eq!(
                    target.holds(name, Some(value)),
                    Some(is),
                    "{triple}: {line}"
                );
            }
        }
    }
}
