//! What drawn kinds seldom show, by hand.

use super::{Field, Node, built, everywhere};
use crd_channels_runtime::conversion::{Converter, round_trip};
use serde_json::json;

/// To a rule, a field with `null` is absent. A branch of `oneOf` that requires it takes it for there.
#[test]
fn null_chooses_a_member_of_one_of_and_none_of_a_rule() {
    let number = || Node::Same(json!({ "type": "integer", "nullable": true }));
    let member = |names, node| Field {
        names,
        is_required: false,
        node,
    };
    let members = || {
        vec![
            member(everywhere("first"), Node::Object(Vec::new())),
            member([Some("hidden".to_owned()), None, None], number()),
            member([Some("other".to_owned()), None, None], number()),
            member(everywhere("shown"), number()),
        ]
    };
    let (of_rule, of_one_of) = (Node::Union(members()), Node::OneOf(members()));
    let fields = vec![
        member(everywhere("ofRule"), of_rule),
        member(everywhere("ofOneOf"), of_one_of),
    ];
    let (kind, _) = built(Node::Object(fields));
    for (was, edit, of_rule, of_one_of) in [
        (
            json!({ "hidden": 5 }),
            json!({ "shown": 1 }),
            json!({ "shown": 1 }),
            json!({ "shown": 1 }),
        ),
        (
            json!({ "hidden": 5 }),
            json!({ "shown": null }),
            json!({ "hidden": 5, "shown": null }),
            json!({ "shown": null }),
        ),
        (
            json!({ "hidden": null }),
            json!({ "shown": 1 }),
            json!({ "hidden": null, "shown": 1 }),
            json!({ "shown": 1 }),
        ),
        (
            json!({ "hidden": 5, "other": null }),
            json!({ "shown": 1 }),
            json!({ "other": null, "shown": 1 }),
            json!({ "shown": 1 }),
        ),
    ] {
        let object = json!({
            "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "a" },
            "spec": { "ofRule": was, "ofOneOf": was },
        });
        let mut old = kind.convert(object, "v1", "v1beta1").unwrap().object;
        old["spec"] = json!({ "ofRule": edit, "ofOneOf": edit });
        let back = kind.convert(old, "v1beta1", "v1").unwrap();
        let expected = json!({ "ofRule": of_rule, "ofOneOf": of_one_of });
        assert_eq!(back.object["spec"], expected, "{was} {edit}");
        assert_eq!(back.unrestored, [], "no choice is reported");
    }
}

/// Wherever a server adds them.
#[test]
fn defaults_do_not_cost_what_is_kept() {
    let field = |name, node| Field {
        names: everywhere(name),
        is_required: false,
        node,
    };
    let fields = || {
        let mut hidden = field("hidden", Node::Same(json!({ "type": "integer" })));
        hidden.names = [Some("hidden".to_owned()), None, None];
        vec![field("number", Node::Defaulted), hidden]
    };
    let mut keyed = fields();
    keyed.push(field("name", Node::Same(json!({ "type": "string" }))));
    let object = || Box::new(Node::Object(fields()));
    let (kind, _) = built(Node::Object(vec![
        field("number", Node::Defaulted),
        field("keyed", Node::Keyed(2, keyed)),
        field("list", Node::List(2, object())),
        field("map", Node::Map(object())),
    ]));
    let spec = json!({ "number": 0, "keyed": [{ "name": "a", "hidden": 1 }], "list": [{ "hidden": 2 }], "map": { "a": { "hidden": 3 } } });
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Thing", "metadata": { "name": "a" }, "spec": spec,
    });
    let old = kind.convert(object, "v1", "v1beta1").unwrap().object;
    let written = |number: i32| {
        let mut written = old.clone();
        written["spec"] = json!({ "number": number,
            "keyed": [{ "name": "a", "number": number }], "list": [{ "number": number }], "map": { "a": { "number": number } },
        });
        kind.convert(written, "v1beta1", "v1").unwrap().object["spec"].take()
    };
    let (by_server, by_client) = (written(5), written(6));
    assert_eq!(by_server["number"], 0);
    assert_eq!(by_client["number"], 6);
    for (place, hidden) in [("/keyed/0", 1), ("/list/0", 2), ("/map/a", 3)] {
        let there = by_server.pointer(place).unwrap();
        assert_eq!(there["hidden"], hidden, "{place}");
        let there = by_client.pointer(place).unwrap();
        assert_eq!(there["number"], 6, "{place}");
    }
}

#[test]
fn a_conversion_that_depends_on_more_than_the_object_is_found() {
    for (always, why) in [
        (true, "comes back with a different value"),
        (
            false,
            "the edit is lost: `.spec.count` is not as it was written in the other version",
        ),
    ] {
        let field = |name, node| Field {
            names: everywhere(name),
            is_required: true,
            node,
        };
        let (kind, crd) = built(Node::Object(vec![
            field("count", Node::Counted { always }),
            field("other", Node::Same(json!({ "type": "boolean" }))),
        ]));
        let failure = round_trip::check(&Converter::new([kind]), &crd, 100).unwrap_err();
        assert!(failure.to_string().contains(why), "{failure}");
    }
}
