//! Helm, with the chart.

use super::World;
use super::story::{Tool, Wanted};
use crate::e2e::programs::Said;
use crd_channels_envtest::Failure;

pub(super) struct Helm<'a> {
    pub world: &'a World<'a>,
}

impl Helm<'_> {
    fn run(&self, verb: &str, arguments: &[String]) -> Result<Said, Failure> {
        let World {
            programs, server, ..
        } = self.world;
        let verb = [verb.to_owned()];
        programs.run("helm", verb.iter().chain(arguments), None, server)
    }
}

impl Tool for Helm<'_> {
    fn name(&self) -> &'static str {
        "helm"
    }

    fn apply(&self, wanted: Wanted) -> Result<Said, Failure> {
        let chart = wanted.bundle.folder.join("chart");
        let mut arguments = vec![
            chart.display().to_string(),
            format!("channel={}", wanted.channel),
        ];
        if wanted.policies {
            arguments.push("policies.enabled=true".to_owned());
        }
        self.run("upgrade", &arguments)
    }

    fn differences(&self, _: Wanted) -> Result<Option<Said>, Failure> {
        Ok(None)
    }

    fn remove(&self, _: Wanted) -> Result<Option<Said>, Failure> {
        self.run("uninstall", &[]).map(Some)
    }
}
