//! The platforms that the program is published for, and what each way of installing it calls them.

/// A platform.
#[derive(Clone, Copy, Debug)]
pub struct Platform {
    /// What rustc calls it.
    pub triple: &'static str,
    /// The operating system and the processor, as Go and thus krew name them.
    pub go: Option<(&'static str, &'static str)>,
    /// The blocks of a Homebrew formula.
    pub homebrew: Option<(&'static str, &'static str)>,
    /// What `uname -s` and `uname -m` print, as a pattern of the shell.
    pub uname: Option<&'static str>,
}

/// All of them. Where a machine can run two, only one has the names of other tools.
pub const PLATFORMS: [Platform; 8] = [
    Platform {
        triple: "x86_64-unknown-linux-musl",
        go: Some(("linux", "amd64")),
        homebrew: Some(("on_linux", "on_intel")),
        uname: Some("Linux-x86_64"),
    },
    Platform {
        triple: "aarch64-unknown-linux-musl",
        go: Some(("linux", "arm64")),
        homebrew: Some(("on_linux", "on_arm")),
        uname: Some("Linux-aarch64"),
    },
    Platform {
        triple: "x86_64-apple-darwin",
        go: Some(("darwin", "amd64")),
        homebrew: Some(("on_macos", "on_intel")),
        uname: Some("Darwin-x86_64"),
    },
    Platform {
        triple: "aarch64-apple-darwin",
        go: Some(("darwin", "arm64")),
        homebrew: Some(("on_macos", "on_arm")),
        uname: Some("Darwin-arm64"),
    },
    Platform {
        triple: "x86_64-pc-windows-msvc",
        go: Some(("windows", "amd64")),
        homebrew: None,
        // Git's shell, which the runners of GitHub have.
        uname: Some("MINGW*-x86_64 | MSYS*-x86_64"),
    },
    Platform {
        triple: "aarch64-pc-windows-msvc",
        go: Some(("windows", "arm64")),
        homebrew: None,
        uname: None,
    },
    // What `cargo binstall` asks for first on these machines.
    Platform {
        triple: "x86_64-unknown-linux-gnu",
        go: None,
        homebrew: None,
        uname: None,
    },
    Platform {
        triple: "aarch64-unknown-linux-gnu",
        go: None,
        homebrew: None,
        uname: None,
    },
];
