//! The documented behavior of subresources and of deprecated versions, statement by statement, on CRDs of our own.

pub mod deprecation;
pub mod refused;
mod replicas;
pub mod subresources;

use crate::published::{self, NAMESPACE, Published};
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use serde_json::{Value, json};

/// Returns the CRDs of a file that is embedded in this program.
fn crds(text: &str) -> Result<Vec<Published>, Failure> {
    published::parse(text).map_err(Failure::new)
}

const GROUP: &str = "seed.crd-channels.dev";

/// The objects of one kind and version in the group that all seeds share.
#[derive(Clone, Copy)]
struct Objects {
    api: Api,
    version: &'static str,
    plural: &'static str,
    kind: &'static str,
}

impl Objects {
    fn path(self) -> String {
        format!(
            "/apis/{GROUP}/{}/namespaces/{NAMESPACE}/{}",
            self.version, self.plural
        )
    }

    /// The path of one object, or of its subresource, such as `a/status`.
    fn path_of_object(self, name: &str) -> String {
        format!("{}/{name}", self.path())
    }

    fn get(self, name: &str) -> Result<Value, Failure> {
        Ok(self.api.get(&self.path_of_object(name))?.json())
    }

    /// Creates an object with these fields.
    fn create(self, name: &str, fields: Value) -> Result<Answer, Failure> {
        let mut object = fields;
        object["apiVersion"] = json!(format!("{GROUP}/{}", self.version));
        object["kind"] = json!(self.kind);
        object["metadata"] = json!({"name": name});
        self.api.post(&self.path(), &object)
    }

    /// Gets an object, changes it, and puts it to the path, such as `a` or `a/status`.
    fn change(self, path: &str, change: impl FnOnce(&mut Value)) -> Result<Answer, Failure> {
        let name = path.split('/').next().unwrap_or(path);
        let mut object = self.get(name)?;
        change(&mut object);
        self.api.put(&self.path_of_object(path), &object)
    }
}
