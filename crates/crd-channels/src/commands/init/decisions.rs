//! The decisions of `init`, in order: each reads the workspace with the previous decisions applied.

use super::choice::{Choice, LeftOut};
use super::survey::Survey;
use super::{duplicates, features, foreign, programs, unwritable};
use crd_channels_diagnostics::{Diagnostic, Sources};
use crd_channels_projection::render::Convention;
use std::path::Path;

/// The maximum number of rounds of looking for undecided cfgs.
const MOST_CFGS: usize = 16;

/// Surveys the workspace in `root`, with the features that a build of the packages `built` turns on; if that is empty, of the
/// packages with kinds.
///
/// # Errors
/// `cargo-failed` if cargo cannot run or refuses the workspace.
pub fn survey(root: &Path, built: &[String], sources: &Sources) -> Result<Survey, Box<Diagnostic>> {
    let mut choice = Choice {
        convention: Convention::OF_COMPILED,
        built: built.to_vec(),
        ..Choice::default()
    };
    let mut survey = Survey::with_names(&mut choice, root, sources)?;
    // In the end only packages with kinds are read and built, and building more packages may turn on more features.
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
    // A cfg may hide another one.
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
    // Each step sees what the previous steps left.
    let steps: [fn(&Survey, &Sources) -> Vec<LeftOut>; 3] =
        [foreign::find, duplicates::find, unwritable::find];
    for find in steps {
        let left_out = find(&survey, sources);
        if left_out.len() == survey.types.len() {
            // If no kind would be left, `gen-crds` explains why.
            survey.all_wrong = !left_out.is_empty();
        } else if !left_out.is_empty() {
            choice.exclude.extend(left_out);
            survey = Survey::with_names(&mut choice, root, sources)?;
        }
    }
    Ok(survey)
}
