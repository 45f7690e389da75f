//! What the types do not keep of objects that the CRDs accept.

use crd_channels_diagnostics::{report::counted, terminal};
use crd_channels_import::Problem;
use std::collections::BTreeMap;

/// Says each kind of loss with its first place. All places are details.
pub(super) fn warn(losses: &[Problem]) {
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Problem { place, message } in losses {
        places.entry(message).or_default().push(place);
    }
    for (message, places) in places {
        let [first, more @ ..] = &places[..] else {
            continue;
        };
        match more.len() {
            0 => warning!("`{first}`: {message}"),
            count => warning!(
                "`{first}` and {} (`--verbose` lists them): {message}",
                counted(count, "more place")
            ),
        }
        for place in places {
            terminal::detail(format_args!("`{place}`: {message}"));
        }
    }
}
