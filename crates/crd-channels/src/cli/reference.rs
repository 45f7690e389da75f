//! The arguments of `reference`.

use super::flag;
use crate::commands::reference::write::{Request, Target};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use std::path::{Path, PathBuf};

/// The name of pages that are Markdown.
const MARKDOWN: &str = "markdown";

/// The name of the option that serves pages.
const SERVE: &str = "serve";

pub(super) fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("reference")
        .about("Writes pages about an API: every field, its facts, its channel, since when it is there")
        .arg(sources())
        .arg(
            option("out", "DIR", "the folder to write into; files in it that the command did not write stay as they are")
                .value_parser(clap::value_parser!(PathBuf))
                .required_unless_present(SERVE),
        )
        .arg(
            option("format", "NAME", "`site`, which is HTML that works without a server, or `markdown`; by default `site`")
                .value_parser(PossibleValuesParser::new(["site", MARKDOWN])),
        )
        .arg(
            option("templates", "DIR", "a folder with templates that replace those of the site by their names")
                .value_parser(clap::value_parser!(PathBuf)),
        )
        .arg(option("source-links", "URL", "links each field of the working tree to its line of Rust: the folder of the workspace on the web, such as `https://example.com/api/blob/main`"))
        .arg(option("title", "TEXT", "the title; by default the group of the kinds"))
        .arg(flag("check", "write nothing; exit 1 if a file is stale, missing or orphaned"))
        .arg(
            option(SERVE, "PORT", "write nothing; serve the site on loopback, on any free port by default, and reload it in browsers after every edit")
                .value_parser(clap::value_parser!(u16))
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("0")
                .conflicts_with_all(["out", "check"]),
        )
}

/// The sources of an API, of which each is a release.
pub(super) fn sources() -> Arg {
    Arg::new("from")
        .value_name("SOURCE")
        .help("a bundle, a folder or file of CRDs, `.` or `git:REV`, by default `.`, with the bundles before it; several are releases, oldest first, and so are folders in a folder that are called after versions")
        .action(ArgAction::Append)
}

/// Reads the sources from the arguments.
pub(super) fn named_sources(matches: &ArgMatches) -> Vec<String> {
    let sources = matches.get_many("from").into_iter().flatten();
    sources.cloned().collect()
}

/// Reads the request from the arguments.
///
/// # Errors
/// Returns which arguments do not go together.
pub(super) fn request(matches: &ArgMatches) -> Result<Request, String> {
    let path = |name| matches.get_one::<PathBuf>(name).cloned();
    let format = matches.get_one::<String>("format");
    let request = Request {
        from: named_sources(matches),
        to: match matches.get_one(SERVE) {
            Some(port) => Target::Port(*port),
            None => Target::Folder {
                out: path("out").unwrap_or_default(),
                check: matches.get_flag("check"),
            },
        },
        markdown: format.is_some_and(|format| format == MARKDOWN),
        templates: path("templates"),
        source_links: matches.get_one::<String>("source-links").cloned(),
        title: matches.get_one::<String>("title").cloned(),
    };
    let is_served = matches!(request.to, Target::Port(_));
    let port = request.from.iter().find(|name| name.parse::<u16>().is_ok());
    if let Some(port) = port.filter(|port| is_served && !Path::new(port).exists()) {
        return Err(format!(
            "`--serve` takes its port after `=`: `--serve={port}`"
        ));
    }
    match request.markdown {
        true if is_served => Err("`--serve` is for sites; write Markdown with `--out`".to_owned()),
        true if request.templates.is_some() => {
            Err("`--templates` is for sites; Markdown has none".to_owned())
        }
        true if request.source_links.is_some() => Err(
            "`--source-links` is for sites; in Markdown that is committed, lines would soon be others"
                .to_owned(),
        ),
        _ if request.source_links.as_deref().is_some_and(|url| !is_on_the_web(url)) => {
            Err("`--source-links` takes a URL that begins with `https://` or `http://` and has neither `?` nor `#`".to_owned())
        }
        _ => Ok(request),
    }
}

fn is_on_the_web(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or(url.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['?', '#']))
}
