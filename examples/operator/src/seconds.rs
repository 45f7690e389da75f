//! Seconds are a number in the hub, and a text such as `30s` in the versions before.

use crd_channels_runtime::conversion::Unconvertible;

/// The form of such a text.
pub const PATTERN: &str = "^(0|[1-9][0-9]{0,4})s$";

pub fn to_hub(text: Option<String>) -> Result<Option<i32>, Unconvertible> {
    let Some(text) = text else { return Ok(None) };
    let number = text
        .strip_suffix('s')
        .and_then(|number| number.parse().ok());
    let wrong = || Unconvertible::new(format!("`{text}` is not a duration in seconds"));
    number.map(Some).ok_or_else(wrong)
}

pub fn from_hub(seconds: Option<i32>) -> Result<Option<String>, Unconvertible> {
    Ok(seconds.map(|seconds| format!("{seconds}s")))
}
