//! A program to build from its Go module.

/// A program and the Go module that contains it.
#[derive(Debug)]
pub struct Program {
    /// The file's name.
    pub name: &'static str,
    /// The module's path.
    pub module: &'static str,
    /// The version to build.
    pub version: &'static str,
    /// The published version of the modules that the `go.mod` takes from folders of its repository, if it names no version for
    /// them.
    pub folder_version: Option<&'static str>,
    /// The package of the program.
    pub package: &'static str,
    /// The time of a first build on two cores.
    pub takes: &'static str,
}
