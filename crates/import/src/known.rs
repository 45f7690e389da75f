//! Types of Kubernetes itself, by what their schemas say apart from descriptions and bounds.

use crate::merged::Node;
use serde_json::Value;

/// The pattern of a quantity, as controller-gen and this tool write it.
pub(crate) const QUANTITY: &str = r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$";

/// What becomes of a quantity that is a number.
pub(crate) const QUANTITY_LOSS: &str = "a number becomes a text, as Go writes quantities";

/// A type of `k8s-openapi`.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) module: &'static str,
    pub(crate) has_default: bool,
    form: &'static str,
}

/// Those whose fields are hardly anything else. Many types have only a name, or a name and a namespace.
pub(crate) const KNOWN: [Known; 5] = [
    Known {
        name: "Condition",
        module: "k8s_openapi::apimachinery::pkg::apis::meta::v1",
        has_default: false,
        form: "{lastTransitionTime!:time,message!:string,observedGeneration?:int64,reason!:string,status!:string,type!:string}",
    },
    Known {
        name: "LabelSelector",
        module: "k8s_openapi::apimachinery::pkg::apis::meta::v1",
        has_default: true,
        form: "{matchExpressions?:[{key!:string,operator!:string,values?:[string]}],matchLabels?:<string>}",
    },
    Known {
        name: "ObjectReference",
        module: "k8s_openapi::api::core::v1",
        has_default: true,
        form: "{apiVersion?:string,fieldPath?:string,kind?:string,name?:string,namespace?:string,resourceVersion?:string,uid?:string}",
    },
    Known {
        name: "ResourceRequirements",
        module: "k8s_openapi::api::core::v1",
        has_default: true,
        form: "{claims?:[{name!:string,request?:string}],limits?:<quantity>,requests?:<quantity>}",
    },
    Known {
        name: "Toleration",
        module: "k8s_openapi::api::core::v1",
        has_default: true,
        form: "{effect?:string,key?:string,operator?:string,tolerationSeconds?:int64,value?:string}",
    },
];

/// What a type does not keep: the place below it, and what becomes of it.
pub(crate) type Losses = Vec<(String, &'static str)>;

/// The index of the type that a schema is of, and what it does not keep.
pub(crate) fn find(node: &Node) -> Option<(usize, Losses)> {
    let mut losses = Losses::new();
    let form = form(node, "", &mut losses)?;
    let index = KNOWN.iter().position(|known| known.form == form)?;
    Some((index, losses))
}

/// What a schema says of names and types; nothing if no type of Kubernetes says such a thing.
fn form(node: &Node, path: &str, losses: &mut Losses) -> Option<String> {
    let extraordinary = [
        "nullable",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-preserve-unknown-fields",
    ];
    if extraordinary.iter().any(|key| node.is(key)) {
        return None;
    }
    let text = |key: &str| node.same(key).and_then(Value::as_str);
    match (text("type"), text("format")) {
        (Some("object"), _) if !node.properties.is_empty() => {
            let mut fields = Vec::new();
            for (name, property) in &node.properties {
                let sign = if property.required[1] { '!' } else { '?' };
                let below = form(&property.node, &format!("{path}.{name}"), losses)?;
                fields.push(format!("{name}{sign}:{below}"));
            }
            Some(format!("{{{}}}", fields.join(",")))
        }
        (Some("object"), _) => {
            let below = form(node.values.as_ref()?, &format!("{path}{{}}"), losses)?;
            Some(format!("<{below}>"))
        }
        (Some("array"), _) => {
            let below = form(node.items.as_ref()?, &format!("{path}[]"), losses)?;
            Some(format!("[{below}]"))
        }
        (Some("string"), Some("date-time")) => {
            let what = "a time is written in UTC and in whole seconds, as Go writes it";
            losses.push((path.to_owned(), what));
            Some("time".to_owned())
        }
        (Some("string"), None) => Some("string".to_owned()),
        (Some("integer"), Some(format)) => Some(format.to_owned()),
        (Some("boolean"), _) => Some("boolean".to_owned()),
        (None, _) if text("pattern") == Some(QUANTITY) => {
            losses.push((path.to_owned(), QUANTITY_LOSS));
            Some("quantity".to_owned())
        }
        _ => None,
    }
}
