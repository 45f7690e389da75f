//! The size limits of a CRD.

use crate::finding::Finding;
use crate::registry::Rule;
use serde_json::Value;
use std::io;

/// etcd's limit for a request.
const STORED: usize = 1_572_864;
/// Leaves room for managed fields, which repeat about every field's name.
const NEARLY_STORED: usize = 1_400_000;
/// Client-side apply accepts 262,096 bytes if there are no other annotations.
const APPLIED: usize = 256_000;

pub(super) fn validate(document: &Value) -> Option<Finding> {
    let bytes = minified(document);
    let (rule, limit) = if bytes > STORED {
        (Rule::TooLarge, "a server stores at most 1,572,864")
    } else if bytes >= NEARLY_STORED {
        (
            Rule::Large,
            "a server stores at most 1,572,864, including the fields that it adds",
        )
    } else if bytes >= APPLIED {
        (Rule::Large, "client-side apply accepts at most 262,096")
    } else {
        return None;
    };
    let message = format!("the CRD has {bytes} bytes as JSON; {limit}");
    Some(Finding::new(rule, message))
}

/// The size of the document as JSON without whitespace.
fn minified(document: &Value) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut count, document);
    count.0
}
