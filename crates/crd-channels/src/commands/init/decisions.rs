//! What `init` decides on its way: each decision is made by what reading the workspace with those before it shows.

use super::choice::{Choice, LeftOut};
use super::survey::Survey;
use super::{duplicates, features, foreign, programs, unwritable};
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_projection::render::Convention;
use std::path::Path;

/// How often the undecided cfgs are asked for anew.
const MOST_CFGS: usize = 16;

/// Looks at the workspace in `root`, with the features that a build of these packages turns on; of none, of those that
/// have kinds.
///
/// # Errors
/// `cargo-failed` when cargo cannot be run or refuses the workspace.
pub fn survey(root: &Path, built: &[String], sources: &Sources) -> Result<Survey, Box<Diagnostic>> {
    let mut choice = Choice {
        convention: Convention::Kube,
        built: built.to_vec(),
        ..Choice::default()
    };
    let mut survey = Survey::with_names(&mut choice, root, sources)?;
    // Only what has kinds is read and built in the end, and more features may be on where more is built.
    let packages = survey.choice(sources).packages;
    if !packages.is_empty() && packages.len() < survey.setup.packages.len() {
        choice.packages = packages;
        survey = Survey::with_names(&mut choice, root, sources)?;
    }
    choice
        .built
        .extend(programs::needed(&survey, &choice, root, sources));
    if choice.built.len() > built.len() {
        survey = Survey::with_names(&mut choice, root, sources)?;
    }
    // Behind one of them another may stand.
    for _ in 0..MOST_CFGS {
        let undecided = survey.undecided_cfgs(sources);
        if undecided.is_subset(&choice.cfgs) {
            break;
        }
        choice.cfgs.extend(undecided);
        survey = Survey::with_names(&mut choice, root, sources)?;
    }
    choice.features = features::needed(&survey, root, sources);
    if !choice.features.is_empty() {
        survey = Survey::with_names(&mut choice, root, sources)?;
    }
    // Each step looks at what those before it have left.
    let steps: [fn(&Survey, &Sources) -> Vec<LeftOut>; 3] =
        [foreign::find, duplicates::find, unwritable::find];
    for find in steps {
        let left_out = find(&survey, sources);
        if left_out.len() == survey.types.len() {
            // Where no kind would be left `gen-crds` says why.
            survey.all_wrong = !left_out.is_empty();
        } else if !left_out.is_empty() {
            choice.exclude.extend(left_out);
            survey = Survey::with_names(&mut choice, root, sources)?;
        }
    }
    Ok(survey)
}
