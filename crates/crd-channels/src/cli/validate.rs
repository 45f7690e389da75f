//! The arguments of `validate`.

use super::flag;
use crate::commands::validate::{FieldValidation, Format, Request};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use crd_channels_gen_crds::options;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("validate")
        .about("Validates objects as an API server with the CRDs does, without a server")
        .arg(
            Arg::new("path")
                .value_name("FILE|DIR|-")
                .help("YAML or JSON files with objects, folders of them, or `-` for standard input")
                .required(true)
                .action(ArgAction::Append)
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(
            option(
                "crds",
                "SOURCE",
                "the CRDs: a file, a folder, a released bundle, an archive `NAME.tar.gz` or its URL, or `git:REVISION:FOLDER`; may be repeated, the first that has a kind counts; by default those that `bundle.lock` pins, else `generated`",
            )
            .action(ArgAction::Append),
        )
        .arg(option(
            "channel",
            "NAME",
            "the channel whose CRDs count; by default the pinned one, or `stable`",
        ))
        .arg(option(
            "previous",
            "DIR|git:REVISION",
            "the objects before an update: validate each with the same name as an update of it",
        ))
        .arg(
            option(
                "field-validation",
                "LEVEL",
                "what becomes of unknown fields, as for a server; `kubectl apply` asks for `strict`",
            )
            .default_value("strict")
            .value_parser(PossibleValuesParser::new(
                FieldValidation::NAMES.map(|(name, _)| name),
            )),
        )
        .arg(flag(
            "strict",
            "objects without a CRD are errors; by default they are counted and skipped",
        ))
        .arg(flag("warnings-as-errors", "exit 1 if there are warnings"))
        .arg(flag("offline", "fetch nothing; use the cache"))
        .arg(options::format("how findings are written", Format::NAMES))
}

/// Reads the request from the arguments.
pub(super) fn request(matches: &ArgMatches) -> Request {
    let text = |name| matches.get_one::<String>(name).cloned();
    let paths = matches.get_many::<PathBuf>("path");
    let crds = matches.get_many::<String>("crds");
    Request {
        paths: paths.into_iter().flatten().cloned().collect(),
        crds: crds.into_iter().flatten().cloned().collect(),
        channel: text("channel"),
        previous: text("previous"),
        field_validation: options::option_value(
            matches,
            "field-validation",
            FieldValidation::NAMES,
        ),
        strict: matches.get_flag("strict"),
        warnings_as_errors: matches.get_flag("warnings-as-errors"),
        offline: matches.get_flag("offline"),
        format: options::option_value(matches, "format", Format::NAMES),
    }
}
