//! The notices for users who install a bundle: what a channel is not meant for, its limits, and where its policies are.

use super::policy::{Bundle, Channel};
use crd_channels_compat::Channel as Promise;
use std::fmt::Write as _;

const TRIAL: &str = "\
Not for production: what is experimental may change or be removed in any minor bundle.
";

const VALIDATION: &str = "\
Validation by CRDs is not a security mechanism. A cluster may have CRDs of another bundle, and a later bundle may
loosen it. Programs that read the objects must check and escape the values that they use.
";

const DISABLED: &str = "\
The policies are not installed. With them the server refuses an older bundle, and a channel that adds experimental
features to the installed one: --set policies.enabled=true
";

/// Whether a channel promises less than the stable one.
fn is_trial(channel: &Channel) -> bool {
    Promise::from_name(&channel.name) != Some(Promise::Stable)
}

/// Describes where the policies are. The text is also in files attached to a release, so paths are relative to the bundle.
fn apart(channel: &Channel) -> String {
    format!(
        "\
The policies are not included: the bundle has them in `{}/policies`, as a kustomization of their own.
With them the server refuses an older bundle, and a channel that adds experimental features to the installed one.
",
        channel.name
    )
}

/// Returns the comment at the top of a channel's files.
pub(super) fn comment(bundle: Bundle<'_>, channel: &Channel, has_policies: bool) -> String {
    let title = format!(
        "{} {}, channel {}\n",
        bundle.prefix, bundle.version, channel.name
    );
    let trial = is_trial(channel).then_some(TRIAL);
    let apart = has_policies.then(|| apart(channel));
    let parts = [Some(&*title), trial, Some(VALIDATION), apart.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    let mut text = String::new();
    for line in parts.join("\n").lines() {
        let _ = writeln!(text, "{}", format!("# {line}").trim_end());
    }
    text
}

/// Returns the one-line description of a chart, starting with the project's own.
pub(super) fn description(bundle: Bundle<'_>, project: Option<&str>) -> String {
    let mut text = project.map(sentence).unwrap_or_default();
    let _ = write!(
        text,
        "CRDs of {} {}; kept on uninstall.",
        bundle.prefix, bundle.version
    );
    for channel in bundle.channels.iter().filter(|channel| is_trial(channel)) {
        let _ = write!(text, " Channel {} is not for production.", channel.name);
    }
    text
}

/// Ends a text as a sentence, followed by a space.
fn sentence(text: &str) -> String {
    let end = match text.ends_with(['.', '!', '?']) {
        true => "",
        false => ".",
    };
    format!("{text}{end} ")
}

/// Returns the template of the notes that Helm prints after installation.
pub(super) fn notes(bundle: Bundle<'_>, has_policies: bool) -> String {
    let trials = bundle.channels.iter().filter(|channel| is_trial(channel));
    let trials: Vec<String> = trials
        .map(|channel| format!(" {:?}", channel.name))
        .collect();
    let mut text = format!(
        "{} {}, channel {{{{ .Values.channel }}}}. `helm uninstall` keeps the CRDs.\n",
        bundle.prefix, bundle.version
    );
    if !trials.is_empty() {
        let _ = write!(
            text,
            "{{{{- if has .Values.channel (list{}) }}}}\n\n{TRIAL}{{{{- end }}}}\n",
            trials.concat()
        );
    }
    let _ = write!(text, "\n{VALIDATION}");
    if has_policies {
        let _ = write!(
            text,
            "{{{{- if not .Values.policies.enabled }}}}\n\n{DISABLED}{{{{- end }}}}\n"
        );
    }
    text
}
