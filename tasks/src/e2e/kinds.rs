//! A version of a kind on the server, and the requests for its objects.

use crate::published::path;
use crd_channels_envtest::Failure;
use crd_channels_envtest::http::{Answer, Api};
use crd_channels_schema::{Crd, Schema, Version};
use serde_json::{Value, json};

/// One served version of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Kind<'c> {
    /// The address of the API server.
    pub api: Api,
    /// The channel, for names of checks.
    pub channel: &'c str,
    /// The CRD.
    pub crd: &'c Crd,
    /// The version.
    pub version: &'c Version,
    /// The version's schema.
    pub schema: &'c Schema,
}

impl<'c> Kind<'c> {
    /// Returns the version of the CRD; `None` if it has no schema.
    pub fn of_version(
        api: Api,
        channel: &'c str,
        crd: &'c Crd,
        version: &'c Version,
    ) -> Option<Self> {
        Some(Self {
            api,
            channel,
            crd,
            version,
            schema: version.schema.as_deref()?,
        })
    }

    /// Returns a title such as `stable: EdgeRoute v1`.
    pub fn title(&self) -> String {
        format!(
            "{}: {} {}",
            self.channel, self.crd.names.kind, self.version.name
        )
    }

    /// The path of its objects.
    pub fn path(&self) -> String {
        path(self.crd, self.version)
    }

    /// Whether status is a subresource.
    pub fn has_status(&self) -> bool {
        let subresources = self.version.subresources.as_ref();
        subresources.is_some_and(|subresources| subresources.status)
    }

    /// Returns a complete object with the given content and name.
    pub fn object(&self, content: &Value, name: &str) -> Value {
        let mut object = content.clone();
        object["apiVersion"] = json!(format!("{}/{}", self.crd.group, self.version.name));
        object["kind"] = json!(&*self.crd.names.kind);
        object["metadata"] = json!({"name": name});
        object
    }

    /// Creates an object with strict validation of fields; as a dry run if `try_only`.
    pub fn create(&self, object: &Value, try_only: bool) -> Result<Answer, Failure> {
        let dry_run = if try_only { "&dryRun=All" } else { "" };
        let path = format!("{}?fieldValidation=Strict{dry_run}", self.path());
        self.api.post(&path, object)
    }

    /// Returns the stored object with the same name.
    pub fn stored(&self, object: &Value) -> Result<Value, Failure> {
        Ok(self.api.get(&self.place(object))?.json())
    }

    /// Writes the status of an existing object with strict validation of fields.
    pub fn write_status(&self, object: &Value, try_only: bool) -> Result<Answer, Failure> {
        let dry_run = if try_only { "&dryRun=All" } else { "" };
        let place = self.place(object);
        let path = format!("{place}/status?fieldValidation=Strict{dry_run}");
        self.api.put(&path, object)
    }

    fn place(&self, object: &Value) -> String {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        format!("{}/{name}", self.path())
    }
}
