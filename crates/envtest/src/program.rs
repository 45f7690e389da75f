//! A program that is built from its Go module.

/// One of the programs, and the Go module that has it.
#[derive(Debug)]
pub struct Program {
    /// The file's name.
    pub name: &'static str,
    /// The module's path.
    pub module: &'static str,
    /// The version that is built.
    pub version: &'static str,
    /// The version under which the modules are published that the module's `go.mod` takes from a folder of its repository,
    /// where it names no version that could be taken instead.
    pub folder_version: Option<&'static str>,
    /// The package of the program.
    pub package: &'static str,
    /// How long building takes from nothing on two cores.
    pub takes: &'static str,
}
