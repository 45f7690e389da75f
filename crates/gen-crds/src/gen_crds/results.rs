//! Prints the results of a run: the sizes of CRDs, written files, and files that differ from the types.

use super::Request;
use crate::outcome::Outcome;
use crate::stale_file;
use crd_channels_diagnostics::report::counted;
use crd_channels_diagnostics::{Sink, Sources, terminal};
use crd_channels_files::{Applied, Change, diff, shown_path};
use crd_channels_generator::pipeline::build::Built;
use crd_channels_projection::bundle::sizes;

/// The maximum number of lines of a diff that `--check` shows.
const SHORT_DIFF: usize = 12;

/// Formats the sizes of one channel's CRDs as a table.
pub fn size_table(channel: &str, built: &Built) -> String {
    let files = built.made.iter().flat_map(|(_, made)| &made.files);
    let files = files.filter(|file| *file.channel == *channel);
    let sizes: Vec<_> = files.filter_map(|file| file.size.clone()).collect();
    sizes::table(channel, &sizes)
}

/// Returns a file of the plan as the user would name it: relative to the current folder, or to the workspace if no folder was
/// given.
fn named_by_user(path: &str, request: &Request) -> String {
    match &request.output {
        Some(folder) => shown_path(&folder.join(path)),
        None => path.to_owned(),
    }
}

/// Prints a line for people; to stderr if stdout has findings for programs.
pub fn print_line(line: &str, request: &Request) {
    match request.format.is_for_programs() || request.rustc_json {
        true => eprintln!("{line}"),
        false => println!("{line}"),
    }
}

/// The same for messages about progress.
pub fn status(line: &str, request: &Request) {
    if !terminal::is_quiet() {
        print_line(line, request);
    }
}

/// Prints the changed files, and how many of all kinds were read if not all were.
pub fn report_applied(applied: &Applied, read: Option<(usize, usize)>, request: &Request) {
    if terminal::is_quiet() {
        return;
    }
    let Applied {
        created,
        replaced,
        removed,
        unchanged,
        recovered: _,
    } = applied;
    for (done, paths) in [
        ("created", created),
        ("changed", replaced),
        ("removed", removed),
    ] {
        for path in paths {
            print_line(&format!("{done} {}", named_by_user(path, request)), request);
        }
    }
    let written = created.len() + replaced.len();
    let read = read.map_or_else(String::new, |(read, all)| {
        format!("; {read} of {} read", counted(all, "kind"))
    });
    print_line(
        &format!(
            "{} written, {unchanged} unchanged{read}",
            counted(written, "file")
        ),
        request,
    );
}

/// Prints which files differ from the types, and the command that updates them.
pub fn report_changes(
    changes: &[Change],
    request: &Request,
    sources: &Sources,
    sink: &mut Sink,
) -> Outcome {
    // In an editor, files are stale all the time.
    let is_for_programs = request.format.is_for_programs() && !request.rustc_json;
    for change in changes {
        let shown = named_by_user(&change.path, request);
        if request.check && is_for_programs {
            sink.push(stale_file::finding(change, &shown, sources));
        }
        let difference = diff(change, (!request.diff).then_some(SHORT_DIFF));
        print_line(&format!("{}: {shown}", stale_file::state(change)), request);
        let difference = difference.trim_end();
        if !difference.is_empty() {
            print_line(difference, request);
        }
    }
    if changes.is_empty() {
        return Outcome::Clean;
    }
    if !is_for_programs {
        help!("run `crd-channels gen-crds`");
    }
    if request.check {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}
