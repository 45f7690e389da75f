//! A CRD as it is written or as a server has it: what commands read of it without decoding it.

use serde_json::Value;

/// The document of a CRD. What it lacks reads as empty.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CrdDocument(pub(crate) Value);

impl CrdDocument {
    pub(crate) fn text(&self, pointer: &str) -> &str {
        let found = self.0.pointer(pointer).and_then(Value::as_str);
        found.unwrap_or_default()
    }

    /// Its name, as in `routes.example.com`.
    pub(crate) fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    pub(crate) fn group(&self) -> &str {
        self.text("/spec/group")
    }

    pub(crate) fn kind(&self) -> &str {
        self.text("/spec/names/kind")
    }

    /// The name of its objects in paths and for `kubectl`.
    pub(crate) fn plural(&self) -> &str {
        self.text("/spec/names/plural")
    }

    /// Whether its objects are in namespaces.
    pub(crate) fn is_namespaced(&self) -> bool {
        self.text("/spec/scope") == "Namespaced"
    }

    /// Whether a webhook converts between its versions. Otherwise objects of different versions differ only in their `apiVersion`.
    pub(crate) fn has_webhook(&self) -> bool {
        self.text("/spec/conversion/strategy") == "Webhook"
    }

    /// Its versions, in the order of the document.
    fn versions(&self) -> impl Iterator<Item = &Value> {
        let versions = self.0.pointer("/spec/versions").and_then(Value::as_array);
        versions.into_iter().flatten()
    }

    /// The names of all versions.
    pub(crate) fn version_names(&self) -> impl Iterator<Item = &str> {
        self.versions().filter_map(|it| it.get("name")?.as_str())
    }

    fn names_with(&self, flag: &str) -> impl Iterator<Item = &str> {
        let wanted = self
            .versions()
            .filter(move |it| it.get(flag) == Some(&Value::Bool(true)));
        wanted.filter_map(|it| it.get("name")?.as_str())
    }

    /// The names of the versions that servers accept requests for.
    pub(crate) fn served(&self) -> impl Iterator<Item = &str> {
        self.names_with("served")
    }

    /// The names of the deprecated versions.
    pub(crate) fn deprecated(&self) -> impl Iterator<Item = &str> {
        self.names_with("deprecated")
    }

    /// The version in which objects are stored.
    pub(crate) fn storage(&self) -> &str {
        self.names_with("storage").next().unwrap_or_default()
    }

    fn of_version(&self, version: &str, pointer: &str) -> Option<&Value> {
        let mut versions = self.versions();
        let found = versions.find(|it| it.get("name").and_then(Value::as_str) == Some(version));
        found?.pointer(pointer)
    }

    /// The schema of a version.
    pub(crate) fn schema(&self, version: &str) -> Option<&Value> {
        self.of_version(version, "/schema/openAPIV3Schema")
    }

    /// Whether requests for an object of a version leave its status as it is.
    pub(crate) fn has_status_subresource(&self, version: &str) -> bool {
        let status = self.of_version(version, "/subresources/status");
        status.is_some_and(|status| !status.is_null())
    }
}
