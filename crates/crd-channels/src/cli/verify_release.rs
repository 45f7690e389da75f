//! The arguments of `verify-release`, `keygen`, `sign` and `archive`.

use super::{flag, format_of_findings, named_format};
use crate::commands::verify_release::Request;
use crate::commands::{archive, keygen, sign};
use crate::oci::address::{self, Address};
use clap::{Arg, ArgMatches, Command};
use std::path::PathBuf;

pub(super) fn command() -> Command {
    Command::new("verify-release")
        .about("Checks that released bundles are unchanged: files, digests, and the chain of bundles")
        .arg(
            Arg::new("VERSION")
                .help("only this bundle, such as v0.4.0, and those that it follows; by default all bundles"),
        )
        .arg(
            Arg::new("source")
                .long("source")
                .value_name("git:REV")
                .requires("VERSION")
                .help("build the bundle again from this revision, and compare"),
        )
        .arg(
            Arg::new("key")
                .long("key")
                .value_name("KEY")
                .help("require that the bundle, or without VERSION every bundle, is signed with this key: a public key of minisign, or its file"),
        )
        .arg(format_of_findings())
}

/// Reads the request from the arguments; an error describes invalid ones.
pub(super) fn request(matches: &ArgMatches) -> Result<Request<'_>, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    let source = match text("source") {
        None => None,
        Some(source) => Some(source.strip_prefix("git:").ok_or_else(|| {
            format!("`{source}` is not a revision: write `--source git:{source}`")
        })?),
    };
    Ok(Request {
        version: text("VERSION"),
        source,
        key: text("key"),
        format: named_format(matches),
    })
}

pub(super) fn keygen_command() -> Command {
    let file = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("FILE")
            .required(true)
            .value_parser(clap::value_parser!(PathBuf))
            .help(help)
    };
    Command::new("keygen")
        .about("Generates the keys to sign bundles with, in the format of minisign")
        .arg(file("secret", "the file for the secret key, which git must not track"))
        .arg(file("public", "the file for the public key, for those who use the bundles"))
        .arg(flag(
            "no-password",
            "do not encrypt the secret key; otherwise the password comes from `CRD_CHANNELS_KEY_PASSWORD` or the terminal",
        ))
}

/// Reads the request from the arguments.
pub(super) fn keygen_request(matches: &ArgMatches) -> keygen::Request {
    let path = |name| {
        matches
            .get_one::<PathBuf>(name)
            .cloned()
            .unwrap_or_default()
    };
    keygen::Request {
        secret: path("secret"),
        public: path("public"),
        encrypted: !matches.get_flag("no-password"),
    }
}

pub(super) fn sign_command() -> Command {
    Command::new("sign")
        .about("Signs a released bundle: writes the signature of its manifest beside it")
        .arg(
            Arg::new("VERSION")
                .required(true)
                .help("the bundle, such as v0.4.0"),
        )
        .arg(
            Arg::new("key")
                .long("key")
                .value_name("FILE")
                .required(true)
                .help("the secret key, as `keygen` and `minisign -G` generate it"),
        )
}

/// Reads the request from the arguments; an error describes invalid ones.
pub(super) fn sign_request(matches: &ArgMatches) -> Result<sign::Request, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    Ok(sign::Request {
        version: text("VERSION").unwrap_or_default().parse()?,
        key: PathBuf::from(text("key").unwrap_or_default()),
    })
}

pub(super) fn archive_command() -> Command {
    Command::new("archive")
        .about("Packs a released bundle: a tar.gz, install.yaml of each channel, its provenance, a list of its files, and their digests")
        .arg(
            Arg::new("VERSION")
                .required(true)
                .help("the bundle, such as v0.4.0"),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .value_name("DIR")
                .default_value("target/dist")
                .help("the output folder, outside of the working tree or ignored by git"),
        )
        .arg(
            Arg::new("push")
                .long("push")
                .value_name("REPOSITORY")
                .conflicts_with("output")
                .help("push the bundle to this repository of a registry, as `oci://REGISTRY/REPOSITORY`, and write no files"),
        )
}

/// Parses the address of a repository: the tag is the version of the bundle.
fn repository(text: &str) -> Result<Address, String> {
    let parsed = match text.starts_with(address::SCHEME) {
        true => address::parse(text),
        false => Err(format!(
            "`{text}` does not begin with `{}`",
            address::SCHEME
        )),
    };
    match parsed {
        Ok((address, None)) => Ok(address),
        Ok((_, Some(reference))) => Err(format!(
            "`{reference}` is not named: the tag is the version of the bundle"
        )),
        Err(why) => Err(why),
    }
}

/// Reads the request from the arguments; an error describes invalid ones.
pub(super) fn archive_request(matches: &ArgMatches) -> Result<archive::Request, String> {
    let text = |name| matches.get_one::<String>(name).map(String::as_str);
    Ok(archive::Request {
        version: text("VERSION").unwrap_or_default().parse()?,
        output: PathBuf::from(text("output").unwrap_or_default()),
        push: text("push").map(repository).transpose()?,
    })
}
