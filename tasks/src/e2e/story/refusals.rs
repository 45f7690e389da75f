//! What the tool refuses, once each, and what it advises.

use super::super::install;
use super::user::{User, advised};
use crate::report::Report;
use crd_channels_envtest::Failure;

/// Runs a command that is refused with this text, and returns all that it says.
fn refused(
    user: &User<'_>,
    command: &str,
    text: &str,
    report: &mut Report,
) -> Result<String, Failure> {
    let said = user.run(command, 1, report)?;
    let found = match said.contains(text) {
        true => text,
        false => &said,
    };
    report.check(format!("story: `{command}` is refused"), text, found);
    Ok(said)
}

/// A bundle cannot be skipped.
pub(super) fn at_the_first_bundle(user: &User<'_>, report: &mut Report) -> Result<(), Failure> {
    let early = user.other("story-early-user")?;
    early.pin("v0.6.0", "experimental", report)?;
    let said = refused(
        &early,
        "cluster-upgrade",
        "objects of `docks.port.example.com` may be stored in `v1alpha1`, which the pinned CRD lacks",
        report,
    )?;
    let commands = advised(&said, "pin --update");
    report.check("story: there is a command", true, !commands.is_empty());
    let mut way = String::new();
    for (number, command) in (1..).zip(&commands) {
        let code = i32::from(number == commands.len());
        way = early.run(command, code, report)?;
    }
    report.check(
        "story: what the refusal advises prints the way",
        true,
        way.contains("go step by step") && way.contains("--version v0.3.0"),
    );
    Ok(())
}

/// While objects are stored in several versions: nothing goes back, nothing is lost.
pub(super) fn on_the_way(user: &User<'_>, report: &mut Report) -> Result<(), Failure> {
    let other = user.other("story-other-user")?;
    other.pin("v0.2.0", "experimental", report)?;
    let newer = "is of v0.3.0, which is newer than v0.2.0";
    refused(&other, "cluster-upgrade", newer, report)?;
    let denied = "kubectl delete validatingadmissionpolicy safe-upgrades.port.example.com";
    refused(&other, "cluster-upgrade --allow-downgrade", denied, report)?;
    user.run("cluster-verify", 0, report)?;

    other.pin("v0.3.0", "stable", report)?;
    let drops = "the pinned `lanes.port.example.com` drops what objects have: `v1 spec.timeout in ";
    refused(&other, "cluster-upgrade", drops, report)?;

    other.pin("v0.5.0", "experimental", report)?;
    let lacks = "objects of `lanes.port.example.com` may be stored in `v1beta1`, which the pinned CRD lacks";
    let said = refused(&other, "cluster-upgrade", lacks, report)?;
    report.check(
        "story: the refusal names what the plan says next",
        "cluster-migrate docks.port.example.com, cluster-migrate lanes.port.example.com",
        advised(&said, "cluster-migrate").join(", "),
    );
    Ok(())
}

/// What others change is seen, and corrected.
pub(super) fn at_the_last_bundle(user: &User<'_>, report: &mut Report) -> Result<(), Failure> {
    let delete = "kubectl delete validatingadmissionpolicybinding safe-upgrades.port.example.com";
    user.paste(delete, 0, report)?;
    let missing =
        "`ValidatingAdmissionPolicyBinding safe-upgrades.port.example.com` is not installed";
    refused(user, "cluster-verify", missing, report)?;
    let patch = "kubectl patch customresourcedefinition lanes.port.example.com --type merge --patch '{\"spec\":{\"names\":{\"categories\":[\"all\"]}}}'";
    // The policy is enforced for some seconds more.
    install::poll(|| Ok(user.folder.run(patch)?.status.success().then_some(())))?;
    let differs = "`lanes.port.example.com` differs from what is pinned: `spec.names.categories`";
    refused(user, "cluster-verify", differs, report)?;
    let others = "others set fields of `lanes.port.example.com`";
    refused(user, "cluster-install", others, report)?;

    let other = user.other("story-mixed-user")?;
    other.pin("v0.5.0", "experimental", report)?;
    let bays = "crds/port.example.com_bays.yaml";
    let apply = format!("kubectl apply --server-side --force-conflicts --filename {bays}");
    other.paste(&apply, 0, report)?;
    let status = user.run("cluster-status", 0, report)?;
    let mixed = "CRDs of several bundles or channels are installed";
    report.check(
        "story: mixed bundles are seen",
        true,
        status.contains(mixed),
    );
    let owned = "take its fields over with `--force-conflicts`";
    refused(user, "cluster-install", owned, report)?;
    user.run("cluster-install --force-conflicts", 0, report)?;
    user.run("cluster-verify", 0, report).map(drop)
}
