//! How a CRD of the generator is compared with kube's: as `prove` does it, with each difference as text.

use crd_channels_proof::facts::Difference;
use serde_json::Value;

pub use crd_channels_proof::facts::by_version;

/// Returns the place of a difference, and both values as text.
pub fn shown(difference: &Difference) -> (String, String) {
    let shown = |value: &Option<Value>| {
        value
            .as_ref()
            .map_or("nothing".to_owned(), Value::to_string)
    };
    let (ours, kube) = (shown(&difference.read), shown(&difference.compiled));
    let way = difference.way.to_string();
    (way, format!("    ours: {ours}\n    kube: {kube}"))
}
