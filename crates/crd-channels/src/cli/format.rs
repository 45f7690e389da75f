//! `--format human|json` of the commands that print a result.

use crate::commands::format::Format;
use clap::{Arg, ArgMatches};
use crd_channels_gen_crds::options;

/// The option `--format`.
pub(super) fn argument(help: &'static str) -> Arg {
    options::format(help, Format::NAMES)
}

/// Returns the format that the option names.
pub(super) fn output_format(matches: &ArgMatches) -> Format {
    options::option_value(matches, "format", Format::NAMES)
}
