//! Writes the conditions of an object to the server.

use super::{Condition, ConditionType, ConditionWriter, Conditions, HasConditions};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;
use kube::api::{Api, Patch, PatchParams, PostParams};
use kube::{Error, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Debug;

/// How often a write is tried if the object changes at the same time.
const TRIES: usize = 10;

/// The field of a status that has the conditions.
const CONDITIONS: &str = "conditions";

/// Writes the status of objects of a kind.
///
/// ```no_run
/// # #[cfg(feature = "derive")] {
/// # use crd_channels_runtime::conditions::{Conditions, Reasons};
/// # use serde::{Deserialize, Serialize};
/// # use std::sync::Arc;
/// # /// The conditions of a class.
/// # #[derive(Debug, Conditions)]
/// # enum ClassCondition {
/// #     /// It is accepted.
/// #     #[condition(positive)]
/// #     Accepted(ClassAccepted),
/// # }
/// # /// Why.
/// # #[derive(Debug, Reasons)]
/// # enum ClassAccepted {
/// #     /// It is.
/// #     #[reason(True)]
/// #     Accepted,
/// # }
/// use crd_channels_runtime::conditions::{HasConditions, StatusWriter};
/// use kube::{Api, Client, Resource};
/// # use std::fmt::Debug;
///
/// async fn reconcile<K>(class: &K, client: Client) -> Result<(), kube::Error>
/// where
///     K: Resource<DynamicType = ()> + HasConditions<Condition = crd_channels_runtime::conditions::Condition>,
///     K: Clone + Debug + serde::de::DeserializeOwned + Serialize,
/// {
///     let writer = StatusWriter::new(Api::all(client), "edge-controller");
///     writer
///         .apply::<ClassCondition>(class, &(), |conditions| {
///             conditions.set(ClassCondition::Accepted(ClassAccepted::Accepted), "");
///         })
///         .await?;
///     Ok(())
/// }
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct StatusWriter<K> {
    api: Api<K>,
    manager: String,
}

impl<K> StatusWriter<K>
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned + Serialize,
{
    /// A writer with a name under which the server records what it applies (`fieldManager`). Never change it.
    pub fn new(api: Api<K>, field_manager: impl Into<String>) -> Self {
        Self {
            api,
            manager: field_manager.into(),
        }
    }

    /// Sets the conditions of an object as `set` says, and fields of its status, by server-side apply. Returns the object as it
    /// was written; `None` if there was nothing to write, and no request was made.
    ///
    /// The controller owns the declared types and others that `set` sets, and the given fields (`&()` for none): what it applied
    /// once and no longer sets is removed. Conditions and fields of other managers stay as they are.
    ///
    /// `object` is what the controller has decided about, perhaps from a cache. If it has changed since, it is read again, and
    /// `set` is called again with its present conditions. These keep what was observed at a later generation.
    ///
    /// # Errors
    /// A request fails; the object is gone; or it changes all the time, as the answer says.
    pub async fn apply<S: Conditions>(
        &self,
        object: &K,
        fields: &impl Serialize,
        set: impl Fn(&mut ConditionWriter<'_>),
    ) -> Result<Option<K>, Error>
    where
        K: HasConditions<Condition = Condition>,
    {
        let fields = serde_json::to_value(fields).map_err(Error::SerdeError)?;
        let observed = object.meta().generation;
        let mut attempts = Attempts::of(object);
        loop {
            let planned = self.planned::<S>(&attempts.now, &fields, observed, &set)?;
            let written = match planned {
                Some(planned) => self.write(&attempts.now, planned).await.map(Some),
                None => Ok(None),
            };
            match written {
                Err(error) => attempts.again(&self.api, error).await?,
                done => return done,
            }
        }
    }

    /// What is to be written; `None` if it is there.
    fn planned<S: Conditions>(
        &self,
        now: &K,
        fields: &Value,
        observed: Option<i64>,
        set: &impl Fn(&mut ConditionWriter<'_>),
    ) -> Result<Option<Planned>, Error>
    where
        K: HasConditions<Condition = Condition>,
    {
        let mut own = now.conditions().to_vec();
        let mut writer = ConditionWriter::for_list::<S>(&mut own, now.meta().generation);
        writer.observed_generation(observed);
        set(&mut writer);
        let (changed, types) = writer.finish_own();
        let mut status = match fields {
            Value::Object(fields) => fields.clone(),
            _ => Map::new(),
        };
        let is_there = !changed && has(now, &status)?;
        status.insert(CONDITIONS.to_owned(), json!(own));
        let is_done = is_there && self.owns_just(now, &status);
        Ok((!is_done).then_some(Planned { status, own, types }))
    }

    async fn write(&self, now: &K, planned: Planned) -> Result<K, Error>
    where
        K: HasConditions<Condition = Condition>,
    {
        let Planned { status, own, types } = planned;
        let written = self.patch(now, status).await?;
        let is_gone = |of: &Condition| {
            let applied = own.iter().any(|one| one.type_ == of.type_);
            applied || !types.iter().any(|own| own.name() == of.type_)
        };
        match written.conditions().iter().all(is_gone) {
            true => Ok(written),
            false => self.remove(&written, is_gone).await,
        }
    }

    /// Sets fields of the status by server-side apply, as [`StatusWriter::apply`] does, without a condition.
    ///
    /// # Errors
    /// A request fails; the object is gone; or it changes all the time, as the answer says.
    pub async fn apply_fields(
        &self,
        object: &K,
        fields: &impl Serialize,
    ) -> Result<Option<K>, Error> {
        let fields = serde_json::to_value(fields).map_err(Error::SerdeError)?;
        let Value::Object(fields) = fields else {
            return Ok(None);
        };
        let mut attempts = Attempts::of(object);
        loop {
            let now = &*attempts.now;
            let written = match has(now, &fields)? && self.owns_just(now, &fields) {
                true => Ok(None),
                false => self.patch(now, fields.clone()).await.map(Some),
            };
            match written {
                Err(error) => attempts.again(&self.api, error).await?,
                done => return done,
            }
        }
    }

    /// Replaces the status after a change of the object, for what server-side apply cannot own a part of: the entries of an
    /// atomic list, as the parents of a route. `change` returns whether anything changed; it is called again if the object was
    /// changed in the meantime. Returns as [`StatusWriter::apply`] does.
    ///
    /// # Errors
    /// A request fails; the object is gone; or it changes all the time, as the answer says.
    pub async fn replace(
        &self,
        object: &K,
        change: impl Fn(&mut K) -> bool,
    ) -> Result<Option<K>, Error> {
        let params = PostParams {
            field_manager: Some(self.manager.clone()),
            ..PostParams::default()
        };
        let mut attempts = Attempts::of(object);
        loop {
            let mut changed = attempts.now.clone().into_owned();
            let written = match change(&mut changed) {
                true => {
                    let answer = self.api.replace_status(name(object), &params, &changed);
                    answer.await.map(Some)
                }
                false => Ok(None),
            };
            match written {
                Err(error) => attempts.again(&self.api, error).await?,
                done => return done,
            }
        }
    }

    /// Whether the controller owns these fields of the status and these types of conditions, and no others, as far as the object
    /// says: some caches remove its `managedFields`.
    fn owns_just(&self, object: &K, status: &Map<String, Value>) -> bool {
        let Some(managed) = &object.meta().managed_fields else {
            return true;
        };
        let is_ours = |entry: &&ManagedFieldsEntry| {
            entry.manager.as_ref() == Some(&self.manager)
                && entry.operation.as_deref() == Some("Apply")
                && entry.subresource.as_deref() == Some("status")
        };
        let ours = managed.iter().find(is_ours);
        let fields = ours.and_then(|entry| entry.fields_v1.as_ref());
        let fields = fields.and_then(|fields| fields.0.get("f:status"));
        let mut owned = BTreeSet::new();
        for (field, value) in fields.and_then(Value::as_object).into_iter().flatten() {
            match (field.strip_prefix("f:"), value) {
                (Some(CONDITIONS), Value::Object(all)) => {
                    owned.extend(all.keys().filter_map(|key| of_key(key)))
                }
                (Some(field), _) => owned.extend([field.to_owned()]),
                (None, _) => {}
            }
        }
        let mut applied = BTreeSet::new();
        for (field, value) in status {
            match (&**field, value) {
                // Whether a server records it does not matter.
                (field, Value::Null) => drop(owned.remove(field)),
                (CONDITIONS, Value::Array(all)) => applied.extend(all.iter().filter_map(of_type)),
                _ => applied.extend([field.clone()]),
            }
        }
        owned == applied
    }

    /// Applies a status. The resource version makes it a conflict if the object was changed.
    async fn patch(&self, object: &K, status: Map<String, Value>) -> Result<K, Error> {
        let mut applied = Self::identity(object);
        applied["status"] = status.into();
        let params = PatchParams::apply(&self.manager).force();
        let patch = Patch::Apply(&applied);
        self.api.patch_status(name(object), &params, &patch).await
    }

    /// Removes conditions that the controller wrote by other means than server-side apply, in an earlier release.
    async fn remove(&self, object: &K, stays: impl Fn(&Condition) -> bool) -> Result<K, Error>
    where
        K: HasConditions<Condition = Condition>,
    {
        let conditions = object.conditions().iter();
        let left: Vec<_> = conditions.filter(|one| stays(one)).collect();
        let mut merged = Self::identity(object);
        merged["status"] = json!({ "conditions": left });
        let params = PatchParams {
            field_manager: Some(self.manager.clone()),
            ..PatchParams::default()
        };
        let patch = Patch::Merge(&merged);
        self.api.patch_status(name(object), &params, &patch).await
    }

    fn identity(object: &K) -> Value {
        let meta = object.meta();
        json!({
            "apiVersion": K::api_version(&()),
            "kind": K::kind(&()),
            "metadata": { "name": meta.name, "resourceVersion": meta.resource_version, "uid": meta.uid },
        })
    }
}

/// A status to apply.
struct Planned {
    status: Map<String, Value>,
    own: Vec<Condition>,
    types: Vec<ConditionType>,
}

/// Attempts to write: after a conflict, again with the object as it is then. An object of the same name that was created anew is
/// another one.
struct Attempts<'o, K: Clone> {
    object: &'o K,
    now: Cow<'o, K>,
    left: usize,
}

impl<'o, K> Attempts<'o, K>
where
    K: Resource<DynamicType = ()> + Clone + Debug + DeserializeOwned,
{
    fn of(object: &'o K) -> Self {
        Self {
            object,
            now: Cow::Borrowed(object),
            left: TRIES,
        }
    }

    /// Reads the object again after a conflict. Every other error ends the attempts, and so does the last one.
    async fn again(&mut self, api: &Api<K>, error: Error) -> Result<(), Error> {
        match error {
            Error::Api(answer) if answer.is_conflict() => {
                self.left = self.left.saturating_sub(1);
                let again = api.get(name(self.object)).await?;
                if self.left == 0 || again.meta().uid != self.object.meta().uid {
                    return Err(Error::Api(answer));
                }
                self.now = Cow::Owned(again);
                Ok(())
            }
            other => Err(other),
        }
    }
}

fn name<K: Resource>(object: &K) -> &str {
    object.meta().name.as_deref().unwrap_or_default()
}

/// Whether the status of an object has the fields already, as its type writes them: what it leaves out if it is empty, and `null`,
/// which servers do not store, is there if it is absent.
fn has<K>(object: &K, fields: &Map<String, Value>) -> Result<bool, Error>
where
    K: DeserializeOwned + Serialize,
{
    if fields.is_empty() {
        return Ok(true);
    }
    let now = serde_json::to_value(object).map_err(Error::SerdeError)?;
    let mut then = now.clone();
    let Some(Value::Object(status)) = then.get_mut("status") else {
        return Ok(false);
    };
    status.extend(fields.clone());
    // A value that the type cannot read is for the server to refuse.
    let Ok(then) = serde_json::from_value::<K>(then) else {
        return Ok(false);
    };
    let then = serde_json::to_value(then).map_err(Error::SerdeError)?;
    let of = |object: &Value, name: &String| object.get("status")?.get(name).cloned();
    Ok(fields.iter().all(|(name, value)| {
        let there = of(&now, name);
        there == of(&then, name) && (there.is_some() || is_empty(value))
    }))
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// The type of a condition.
fn of_type(condition: &Value) -> Option<String> {
    Some(condition.get("type")?.as_str()?.to_owned())
}

/// The same of a key in `managedFields`: `k:{"type":"Accepted"}`.
fn of_key(key: &str) -> Option<String> {
    of_type(&serde_json::from_str(key.strip_prefix("k:")?).ok()?)
}
