//! How a CRD of the generator is compared with kube's: as `prove` does it, with each difference as text.

use crd_channels_generator::pipeline::proof::facts;
use serde_json::Value;

pub use facts::by_version;

/// Collects the places where two values differ.
pub fn compare(ours: Option<&Value>, kube: Option<&Value>, found: &mut Vec<(String, String)>) {
    let shown = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
    for difference in facts::compare(ours, kube).differences {
        let (ours, kube) = (difference.read, difference.compiled);
        found.push((
            difference.way.to_string(),
            format!(
                "    ours: {}\n    kube: {}",
                shown(ours.as_ref()),
                shown(kube.as_ref())
            ),
        ));
    }
}
