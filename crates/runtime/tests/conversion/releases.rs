//! Two releases of a program convert the same objects, as during a rollout, while clients edit them.
//!
//! What should be there is known by a model that has never heard of a conversion: what a client saw and sent back differently is
//! as it sent it, and everything else stays.

mod edits;
mod kinds;
mod members;
mod model;

use crd_channels_runtime::conversion::Kind;
use crd_channels_runtime::validation::Validator;
use edits::Edit;
use kinds::{crd, former, newer};
use proptest::collection::vec;
use proptest::prelude::{any, prop};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const VERSIONS: [&str; 3] = ["v1", "v1beta1", "v1alpha1"];

/// A request of a client that reads an object, edits it and writes it.
#[derive(Clone, Debug)]
struct Request {
    version: &'static str,
    /// Which release answers, 0 for the former one, when the client reads and when it writes.
    reads: usize,
    writes: usize,
    /// Whether the client sends only what it has in a file: no annotations.
    is_replaced: bool,
    edits: Vec<Edit>,
}

fn requests() -> impl Strategy<Value = Request> {
    let version = prop::sample::select(&VERSIONS[..]);
    let edits = vec(edits::any_edit(), 0..4);
    let drawn = (version, 0..2_usize, 0..2_usize, 0..12_u8, edits);
    drawn.prop_map(|(version, reads, writes, replaced, edits)| Request {
        version,
        reads,
        writes,
        is_replaced: replaced == 11,
        edits,
    })
}

/// A server with the CRD of the newer release.
struct Server {
    releases: [Kind; 2],
    validators: Vec<(&'static str, Validator)>,
    stored: &'static str,
}

impl Server {
    fn new(stored: &'static str) -> Self {
        let document = serde_json::to_value(crd(true)).unwrap();
        let validators =
            VERSIONS.map(|version| (version, Validator::new(&document, version).unwrap()));
        Self {
            releases: [former::kind(&crd(false)), newer::kind(&crd(true))],
            validators: validators.into(),
            stored,
        }
    }

    fn convert(
        &self,
        release: usize,
        object: &Value,
        from: &str,
        to: &str,
    ) -> Result<Value, String> {
        if from == to {
            return Ok(object.clone());
        }
        let converted = self.releases[release].convert(object.clone(), from, to);
        converted
            .map(|converted| converted.object)
            .map_err(|error| error.to_string())
    }

    fn faults(&self, object: &Value, version: &str) -> Vec<String> {
        let (_, validator) = self
            .validators
            .iter()
            .find(|(name, _)| *name == version)
            .unwrap();
        let violations = validator.create(object).violations;
        violations.iter().map(ToString::to_string).collect()
    }

    /// Follows some requests. Returns what is wrong at the first one after which something is.
    fn follow(&self, fields: &[&'static str], requests: &[Request]) -> Result<(), String> {
        let mut stored = json!({
            "apiVersion": format!("example.com/{}", self.stored), "kind": "Site", "metadata": { "name": "a" }, "spec": {},
        });
        let mut model = json!({});
        let mut story = String::new();
        // What is kept of a version stays until the object is converted to it: what is set back before is as it was.
        let mut gone = BTreeSet::new();
        // A webhook does not see writes of the stored version: what is set back is as if it were never changed.
        let mut unseen: Option<(Value, Value)> = None;
        for request in requests {
            let Request {
                version,
                reads,
                writes,
                is_replaced,
                edits,
            } = request;
            let Ok(saw) = self.convert(*reads, &stored, self.stored, version) else {
                continue;
            };
            let mut sent = saw.clone();
            for edit in edits {
                edit.make(fields, &mut sent["spec"], version);
            }
            if *is_replaced {
                sent["metadata"] = json!({ "name": "a" });
            }
            if !self.faults(&sent, version).is_empty() {
                continue;
            }
            let (before, after) = (
                model::wide(&saw["spec"], version),
                model::wide(&sent["spec"], version),
            );
            let is_unclear = model::is_set_unseen(&model, &before, &after)
                || model::is_unclear(&model, &before, &after, version)
                || *writes == 0 && model::is_edit_unseen(&before, &after);
            if is_unclear {
                break;
            }
            let (names_before, names_after) = (model::names(&before), model::names(&after));
            if names_after
                .difference(&names_before)
                .any(|name| gone.contains(name))
            {
                break;
            }
            let names_gone = names_before.difference(&names_after).cloned();
            gone.extend(names_gone);
            // An older program refuses values that it does not know.
            let Ok(now) = self.convert(*writes, &sent, version, self.stored) else {
                continue;
            };
            stored = now;
            if *version != self.stored || *is_replaced {
                unseen = None;
            }
            model = match is_replaced {
                true => after,
                false => {
                    let (was, seen) = match *version == self.stored {
                        true => unseen.get_or_insert((model, before)).clone(),
                        false => (model, before),
                    };
                    model::merged(Some(&was), Some(&seen), Some(&after), "").unwrap_or_default()
                }
            };
            story.push_str(&format!(
                "- {version}, {} reads, {} writes{}\n    saw  {}\n    sent {}\n  stored {} with {}\n  expected {model}\n",
                ["former", "newer"][*reads], ["former", "newer"][*writes],
                if *is_replaced { ", replaced" } else { "" },
                saw["spec"], sent["spec"], stored["spec"], stored["metadata"]["annotations"],
            ));
            self.is_right(&stored, &model)
                .map_err(|why| format!("{why}\n{story}"))?;
        }
        Ok(())
    }

    /// What is stored is valid, and the newer release shows all of it.
    fn is_right(&self, stored: &Value, model: &Value) -> Result<(), String> {
        let faults = self.faults(stored, self.stored);
        if !faults.is_empty() {
            return Err(format!("a server would refuse what is stored: {faults:?}"));
        }
        for version in VERSIONS {
            // Once the newer release has written the object, it is right in every version.
            let other = VERSIONS
                .iter()
                .find(|other| **other != self.stored && **other != version);
            let other = other.copied().unwrap_or(version);
            let shown = self.convert(1, stored, self.stored, other)?;
            let written = self.convert(1, &shown, other, self.stored)?;
            let shown = self.convert(1, &written, self.stored, version)?;
            let (shown, expected) = (
                model::wide(&shown["spec"], version),
                model::shown(model, version),
            );
            if model::sorted(&shown) != model::sorted(&expected) {
                return Err(format!("`{version}` shows {shown} instead of {expected}"));
            }
        }
        Ok(())
    }
}

/// How many lives of objects are drawn: as many as `RELEASE_EDITS` says.
fn count() -> u32 {
    std::env::var("RELEASE_EDITS").map_or(300, |count| count.parse().unwrap())
}

#[test]
fn nothing_is_lost_by_edits_while_two_releases_convert() {
    let config = Config {
        cases: count(),
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..Config::default()
    };
    let drawn = (any::<bool>(), edits::fields(), vec(requests(), 1..8));
    let servers = [Server::new("v1"), Server::new("v1beta1")];
    let outcome = TestRunner::new(config).run(&drawn, |(of_beta, fields, requests)| {
        servers[usize::from(of_beta)]
            .follow(&fields, &requests)
            .map_err(TestCaseError::fail)
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// The spec in `v1`, as the newer release shows it, of an object that is written there by one release, edited where it is stored,
/// read by the former release and written once more by one.
fn after(spec: Value, writes: [usize; 2], edit: impl Fn(&mut Value)) -> Value {
    let server = Server::new("v1beta1");
    let object = json!({ "apiVersion": "example.com/v1", "kind": "Site", "metadata": { "name": "a" }, "spec": spec });
    let mut stored = server.convert(writes[0], &object, "v1", "v1beta1").unwrap();
    edit(&mut stored["spec"]);
    let shown = server.convert(0, &stored, "v1beta1", "v1alpha1").unwrap();
    let stored = server.convert(writes[1], &shown, "v1alpha1", "v1beta1");
    let stored = stored.unwrap();
    server.convert(1, &stored, "v1beta1", "v1").unwrap()["spec"].take()
}

#[test]
fn what_the_former_release_cannot_read_in_an_element_is_there_for_the_newer_one() {
    for list in [
        json!({ "rules": [{ "name": "b" }, { "name": "a", "level": "extreme" }] }),
        json!({ "steps": [{ "run": "b", "level": "low" }, { "run": "a", "level": "extreme" }] }),
        // Neither release finds it before it has all of its fields back.
        json!({ "steps": [{ "run": "b" }, { "run": "a", "level": "extreme", "wait": 1, "weight": 1 }] }),
        json!({ "mode": "Drop" }),
    ] {
        for last in 0..2 {
            assert_eq!(after(list.clone(), [1, last], |_| {}), list, "{last}");
        }
    }
}

/// The newer release has shown an element with a field that the former one does not know, and so does not recognize it.
#[test]
fn an_element_is_for_the_newer_release_if_the_former_one_does_not_know_how_it_looks() {
    let step = |run: &str| json!({ "run": run, "wait": 1, "weight": 2 });
    let steps = |all: &[Value]| json!({ "steps": all });
    let server = Server::new("v1");
    let all = |stored: &Value| {
        let shown = server.convert(1, stored, "v1", "v1beta1").unwrap();
        let stored = server.convert(1, &shown, "v1beta1", "v1").unwrap();
        assert_eq!(stored["metadata"], json!({ "name": "a" }), "nothing waits");
        stored["spec"].clone()
    };
    let written = |stored: &Value, edit: &dyn Fn(&mut Value)| {
        let mut shown = server.convert(1, stored, "v1", "v1beta1").unwrap();
        edit(&mut shown["spec"]);
        server.convert(0, &shown, "v1beta1", "v1").unwrap()
    };
    let stored = json!({ "apiVersion": "example.com/v1", "kind": "Site", "metadata": { "name": "a" },
        "spec": steps(&[step("a")]) });
    let once = written(&stored, &|_| {});
    assert_eq!(all(&once), stored["spec"]);
    // One more is added through the newer release, and both are written through the former one.
    let mut more = once.clone();
    let list = more["spec"]["steps"].as_array_mut().unwrap();
    list.push(step("b"));
    let twice = written(&more, &|_| {});
    assert_eq!(all(&twice), steps(&[step("a"), step("b")]));
    // An edited one has lost what the client did not see, as in one release.
    let edited = written(&twice, &|spec| spec["steps"][0]["wait"] = json!(3));
    let expected = steps(&[json!({ "run": "a", "wait": 3 }), step("b")]);
    assert_eq!(all(&edited), expected);
}

/// A former release does not see what a client writes into a field that it does not know: to it, the element is as it was.
#[test]
fn an_element_keeps_what_is_its_own_if_the_former_release_does_not_see_an_edit() {
    let server = Server::new("v1");
    let stored = json!({ "apiVersion": "example.com/v1", "kind": "Site", "metadata": { "name": "a" },
        "spec": { "steps": [{ "run": "a", "weight": 0 }] } });
    let mut shown = server.convert(0, &stored, "v1", "v1beta1").unwrap();
    shown["spec"]["steps"][0]["wait"] = json!(0);
    let mut stored = server.convert(0, &shown, "v1beta1", "v1").unwrap();
    for weight in [0, 1] {
        // Nor does `v1beta1` see an edit of the weight.
        stored["spec"]["steps"][0]["weight"] = json!(weight);
        let shown = server.convert(1, &stored, "v1", "v1beta1").unwrap();
        let written = server.convert(1, &shown, "v1beta1", "v1").unwrap();
        assert_eq!(
            written["spec"]["steps"],
            json!([{ "run": "a", "wait": 0, "weight": weight }])
        );
    }
}

/// What waits for the newer release is over once a client has written something else there, whatever follows.
#[test]
fn a_value_that_waits_does_not_come_back_after_another_one_was_set() {
    let server = Server::new("v1");
    for (waits, set, of_v1) in [
        (
            json!({ "mode": "Drop" }),
            json!({ "mode": "Forward" }),
            "mode",
        ),
        (
            json!({ "source": { "oci": "s" } }),
            json!({ "source": { "git": "s" } }),
            "source",
        ),
        (
            json!({ "rules": [{ "name": "a", "level": "extreme" }] }),
            json!({ "rules": [{ "name": "a", "level": "low" }] }),
            "rules",
        ),
    ] {
        let stored = json!({ "apiVersion": "example.com/v1", "kind": "Site", "metadata": { "name": "a" }, "spec": waits });
        let shown = server.convert(0, &stored, "v1", "v1alpha1").unwrap();
        let mut stored = server.convert(0, &shown, "v1alpha1", "v1").unwrap();
        // The webhook does not see a write of the stored version.
        stored["spec"] = set.clone();
        let mut shown = server.convert(0, &stored, "v1", "v1beta1").unwrap();
        shown["spec"].as_object_mut().unwrap().remove(of_v1);
        let stored = server.convert(0, &shown, "v1beta1", "v1").unwrap();
        let all = server.convert(1, &stored, "v1", "v1beta1").unwrap();
        let written = server.convert(1, &all, "v1beta1", "v1").unwrap();
        assert_eq!(written["spec"], json!({}), "{waits}");
    }
}

/// A client sets a field that the former release does not know beside a member that it does not see, and unsets it, whichever
/// release reads and writes. A member takes the place of the hidden one, and another field leaves it there.
#[test]
fn a_hidden_member_is_gone_once_another_one_was_set_whoever_converts() {
    let hidden = json!({ "inline": "s" });
    let object = json!({ "apiVersion": "example.com/v1", "kind": "Site", "metadata": { "name": "a" }, "spec": { "source": hidden } });
    let member = ("oci", json!("s"), json!({ "oci": "s" }), json!({}));
    let beside = json!({ "inline": "s", "depth": 1 });
    let field = ("depth", json!(1), beside, hidden.clone());
    for (stored, (name, value, set, unset)) in [
        ("v1", &member),
        ("v1beta1", &member),
        ("v1", &field),
        ("v1beta1", &field),
    ] {
        let server = Server::new(stored);
        for order in 0..2_usize.pow(7) {
            let by = |place: usize| order >> place & 1;
            let is_right = |stored: &Value, source: &Value| {
                let right = server.is_right(stored, &json!({ "source": source }));
                right.unwrap_or_else(|why| panic!("{name} {order:b}: {why}"));
            };
            let convert = |release, object: &Value, from, to| {
                server.convert(by(release), object, from, to).unwrap()
            };
            let mut now = convert(0, &object, "v1", stored);
            let mut shown = convert(1, &now, stored, "v1beta1");
            shown["spec"]["source"][*name] = value.clone();
            now = convert(2, &shown, "v1beta1", stored);
            is_right(&now, set);
            // Somebody else reads and writes it where the member is not hidden. No release sees a write of the stored version.
            if by(3) == 1 || stored == "v1beta1" {
                now = convert(4, &convert(4, &now, stored, "v1"), "v1", stored);
            }
            shown = convert(5, &now, stored, "v1beta1");
            let seen = shown["spec"]["source"]
                .as_object_mut()
                .unwrap()
                .remove(*name);
            now = convert(6, &shown, "v1beta1", stored);
            is_right(&now, if seen.is_some() { unset } else { set });
        }
    }
}

#[test]
fn the_newer_release_tells_whether_a_field_is_a_member_of_a_union() {
    let choose = |spec: &mut Value| spec["source"] = json!({ "image": "i" });
    let beside = json!({ "source": { "git": "s", "depth": 1 } });
    assert_eq!(
        after(beside, [0, 0], choose),
        json!({ "source": { "image": "i", "depth": 1 } })
    );
    let member = json!({ "source": { "oci": "s" } });
    assert_eq!(
        after(member, [0, 0], choose),
        json!({ "source": { "image": "i" } })
    );
}
