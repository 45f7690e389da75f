//! CRDs that kubectl installed move into the chart: Helm refuses them until it is told to take them over.

use super::World;
use super::state;
use crate::report::Report;
use crd_channels_envtest::Failure;

/// Installs the older bundle with kubectl and upgrades it with Helm.
pub(super) fn check(world: &World, report: &mut Report) -> Result<(), Failure> {
    state::clear(world)?;
    let api = world.server.api;
    let [stable, _] = world.channels;
    // The policies of an earlier tool refuse the older bundle for a moment after their deletion; this waits for it.
    state::released(api, &world.before, stable)?;
    let released = state::released(api, &world.latest, stable)?;
    let crds = world
        .before
        .channel(stable)
        .join("crds")
        .display()
        .to_string();
    let applied = world
        .server
        .kubectl(&["apply", "--server-side", "--filename", &crds])?;
    report.check(
        "ownership: kubectl installs the CRDs",
        "",
        if applied.status.success() {
            String::new()
        } else {
            String::from_utf8_lossy(&applied.stderr).into_owned()
        },
    );
    let uids = state::marks(&state::crds(api)?, "uid");
    let upgrade = |options: &[&str]| {
        let chart = world.latest.folder.join("chart").display().to_string();
        let channel = format!("channel={stable}");
        let arguments = [&["upgrade"], options, &[&*chart, &*channel]].concat();
        world.programs.run("helm", arguments, None, world.server)
    };
    let refused = upgrade(&[])?.err().unwrap_or_default();
    report.check(
        "ownership: Helm refuses CRDs that do not belong to the release",
        true,
        refused.contains("invalid ownership metadata"),
    );
    report.check(
        "ownership: with --take-ownership --force-conflicts Helm upgrades them",
        "",
        upgrade(&["--take-ownership", "--force-conflicts"])?
            .err()
            .unwrap_or_default(),
    );
    state::check(api, "ownership: after that", &released, report)?;
    report.check(
        "ownership: the CRDs were never deleted",
        uids,
        state::marks(&state::crds(api)?, "uid"),
    );
    upgrade(&[])?.map_err(|why| Failure::new(format!("the second upgrade: {why}")))?;
    world
        .programs
        .run("helm", ["uninstall"], None, world.server)?
        .map_err(Failure::new)?;
    state::clear(world)
}
