//! The steps that every tool has to perform with two bundles.

use super::state::{self, Objects};
use super::{Bundle, World};
use crate::e2e::install::place;
use crate::e2e::policies::{MERGE, wait_until_refused};
use crate::e2e::programs::Said;
use crate::report::Report;
use crd_channels_envtest::Failure;
use serde_json::json;

/// The desired state of the server.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub bundle: &'a Bundle,
    pub channel: &'a str,
    /// Whether policies are included.
    pub policies: bool,
}

/// A tool that brings a server into the desired state.
pub(super) trait Tool {
    fn name(&self) -> &'static str;

    /// Applies the desired state and waits for it.
    fn apply(&self, wanted: Wanted) -> Result<Said, Failure>;

    /// Returns the tool's own report of what another apply would change; `None` if the tool has no such command.
    fn differences(&self, wanted: Wanted) -> Result<Option<Said>, Failure>;

    /// Removes what was applied last; `None` if the tool has no such command.
    fn remove(&self, last: Wanted) -> Result<Option<Said>, Failure>;
}

/// Runs all steps for a tool, on a server without the CRDs.
pub(super) fn run(world: &World, tool: &dyn Tool, report: &mut Report) -> Result<(), Failure> {
    state::clear(world)?;
    let [stable, other] = world.channels;
    let before = Wanted {
        bundle: &world.before,
        channel: stable,
        policies: false,
    };
    let latest = Wanted {
        bundle: &world.latest,
        ..before
    };
    let protected = Wanted {
        policies: true,
        ..latest
    };
    let api = world.server.api;
    let released = |wanted: Wanted| state::released(api, wanted.bundle, wanted.channel);
    let [old, new] = [released(before)?, released(latest)?];
    let story = Story { world, tool };
    story.brings("installs", before, &old, report)?;
    let uids = state::marks(&state::crds(api)?, "uid");
    story.brings("upgrades to", latest, &new, report)?;
    story.brings("adds the policies of", protected, &new, report)?;
    story.wait_for_policies()?;
    for (what, refused) in [
        ("back to an older bundle", before),
        (
            "to another channel",
            Wanted {
                channel: other,
                ..latest
            },
        ),
    ] {
        story.is_refused(what, refused, &new, report)?;
    }
    story.brings("goes on after refusals with", protected, &new, report)?;
    if let Some(said) = tool.remove(protected)? {
        let name = tool.name();
        report.check(
            format!("{name}: removes what it brought"),
            "",
            failure(&said),
        );
        report.check(
            format!("{name}: no policy stays"),
            "",
            state::marks(&state::policies(api)?, "name"),
        );
    }
    report.check(
        format!("{}: the CRDs were never deleted", tool.name()),
        uids,
        state::marks(&state::crds(api)?, "uid"),
    );
    state::clear(world)
}

struct Story<'a> {
    world: &'a World<'a>,
    tool: &'a dyn Tool,
}

impl Story<'_> {
    /// Applies the desired state, and checks that a second apply changes nothing.
    fn brings(
        &self,
        verb: &str,
        wanted: Wanted,
        released: &Objects,
        report: &mut Report,
    ) -> Result<(), Failure> {
        let api = self.world.server.api;
        let what = format!("{}: {verb} {}", self.tool.name(), wanted.bundle.version);
        report.check(&what, "", failure(&self.tool.apply(wanted)?));
        state::check(api, &what, released, report)?;
        let versions = || {
            let [crds, policies] = [state::crds(api)?, state::policies(api)?];
            Ok::<_, Failure>(
                [crds, policies].map(|objects| state::marks(&objects, "resourceVersion")),
            )
        };
        let before = versions()?;
        report.check(
            format!("{what}, again"),
            "",
            failure(&self.tool.apply(wanted)?),
        );
        report.check(
            format!("{what}, and the second time changes nothing"),
            before.join("; "),
            versions()?.join("; "),
        );
        if let Some(differences) = self.tool.differences(wanted)? {
            report.check(
                format!("{what}, and sees no difference then"),
                "",
                differences.unwrap_or_else(|error| error),
            );
        }
        Ok(())
    }

    /// Checks that the policies refuse the change and the CRDs stay.
    fn is_refused(
        &self,
        what: &str,
        wanted: Wanted,
        installed: &Objects,
        report: &mut Report,
    ) -> Result<(), Failure> {
        const REFUSAL: &str = "denied request: ";
        let api = self.world.server.api;
        let what = format!("{}: may not go {what}", self.tool.name());
        let policies = || Ok::<_, Failure>(state::marks(&state::policies(api)?, "uid"));
        let before = policies()?;
        let found = match self.tool.apply(wanted)? {
            Ok(said) => said,
            Err(error) if error.contains(REFUSAL) => REFUSAL.to_owned(),
            Err(error) => error,
        };
        report.check(&what, REFUSAL, found);
        report.check(format!("{what}: the policies stay"), before, policies()?);
        state::check(api, &what, installed, report)
    }

    /// Waits until the policies are in force, a moment after they are created.
    fn wait_for_policies(&self) -> Result<(), Failure> {
        let api = self.world.server.api;
        let crds = self.world.latest.crds(self.world.channels[0])?;
        let Some(crd) = crds.first() else {
            return Ok(());
        };
        let annotations = crd.document["metadata"]["annotations"].as_object();
        let mut keys = annotations.into_iter().flatten().map(|(key, _)| key);
        let key = keys.find(|key| key.ends_with("/bundle-version"));
        let body =
            json!({"metadata": {"annotations": {(key.cloned().unwrap_or_default()): "v0.0.0"}}});
        let place = format!("{}?dryRun=All", place(&crd.crd.name()));
        wait_until_refused(|| api.send("PATCH", &place, &MERGE, &body.to_string()))
    }
}

/// Returns the error message, if there is one.
fn failure(said: &Said) -> &str {
    said.as_ref().err().map_or("", String::as_str)
}
