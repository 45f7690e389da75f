"""Writes a set as a Go module with kubebuilder's markers: the same kinds, for controller-gen."""

import textwrap

from kinds import KINDS_PER_GROUP, camel, pascal

FOREIGN = {
    "Condition": "metav1.Condition",
    "IntOrString": "intstr.IntOrString",
    "LabelSelector": "metav1.LabelSelector",
    "Quantity": "resource.Quantity",
    "ResourceRequirements": "corev1.ResourceRequirements",
    "SecretKeySelector": "corev1.SecretKeySelector",
    "Time": "metav1.Time",
    "Toleration": "corev1.Toleration",
}

PACKAGES = {
    "corev1": "k8s.io/api/core/v1",
    "intstr": "k8s.io/apimachinery/pkg/util/intstr",
    "metav1": "k8s.io/apimachinery/pkg/apis/meta/v1",
    "resource": "k8s.io/apimachinery/pkg/api/resource",
}

MODULE = """\
module bench.example.com/set

go 1.26.0

require (
\tk8s.io/api v0.36.0
\tk8s.io/apimachinery v0.36.0
)
"""

GROUP = """\
// +kubebuilder:object:generate=true
// +groupName={group}

// Package v1 is a group of a benchmark set.
package v1
"""


def write(kinds, folder):
    files = {"go.mod": MODULE}
    for index, kind in enumerate(kinds):
        package = f"api/g{index // KINDS_PER_GROUP:02}/v1"
        files[f"{package}/doc.go"] = GROUP.format(group=kind.group)
        files[f"{package}/{kind.name.lower()}_types.go"] = _kind(kind)
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _kind(kind):
    body = _root(kind)
    first = {enum.name: enum.variants[0][0] for enum in kind.enums}
    for struct in reversed(kind.structs):
        body += _struct(struct, first) + [""]
    for enum in kind.enums:
        body += _enum(enum) + [""]
    text = "\n".join(body)
    imports = [f'\t{name} "{path}"' for name, path in PACKAGES.items() if f"{name}." in text]
    return "\n".join(["package v1", "", "import (", *imports, ")", "", text])


def _doc(text, indent=""):
    return [f"{indent}// {line}" for line in textwrap.wrap(text, 110)]


def _rule(rule, indent=""):
    return f'{indent}// +kubebuilder:validation:XValidation:rule="{rule.expression}",message="{rule.message}"'


def _root(kind):
    column = "// +kubebuilder:printcolumn:name=%s,type=%s,JSONPath=`%s`"
    return [
        f"// {kind.name} is a kind of the benchmark.",
        "//",
        "// +kubebuilder:object:root=true",
        "// +kubebuilder:storageversion",
        "// +kubebuilder:subresource:status",
        "// +kubebuilder:resource:categories=bench",
        column % ("Revision", "string", ".spec.revision"),
        column % ("Accepted", "string", '.status.conditions[?(@.type=="Accepted")].status'),
        column % ("Age", "date", ".metadata.creationTimestamp"),
        f"type {kind.name} struct {{",
        '\tmetav1.TypeMeta `json:",inline"`',
        '\tmetav1.ObjectMeta `json:"metadata,omitempty"`',
        "",
        f'\tSpec {kind.name}Spec `json:"spec"`',
        "\t// +optional",
        f'\tStatus {kind.name}Status `json:"status,omitempty"`',
        "}",
        "",
    ]


def _struct(struct, first):
    out = _doc(struct.doc) + [_rule(rule) for rule in struct.rules]
    out.append(f"type {struct.name} struct {{")
    for field in struct.fields:
        out += _field(field, first)
    return out + ["}"]


def _field(field, first):
    type, indent = field.type, "\t"
    out = _doc(field.doc, indent)
    out.append(f"{indent}// +{'optional' if field.optional else 'required'}")
    if field.feature:
        out.append(f"{indent}// +experimental")
    if field.default is not None:
        value = first[type.name] if type.form == "enum" else field.default
        out.append(f"{indent}// +kubebuilder:default={value}")
    out += [f"{indent}// +{marker}" for marker in _markers(type)]
    if field.rule:
        out.append(_rule(field.rule, indent))
    pointer = "*" if field.optional and type.form not in ("list", "map") else ""
    omit = ",omitempty" if field.optional else ""
    return out + [f'{indent}{pascal(field.name)} {pointer}{_type(type)} `json:"{camel(field.name)}{omit}"`']


def _type(type):
    match type.form:
        case "list":
            return f"[]{_type(type.of)}"
        case "map":
            return "map[string]string"
        case "struct" | "enum":
            return type.name
        case "foreign":
            return FOREIGN[type.name]
        case form:
            return {"string": "string", "int": "int32", "bool": "bool"}[form]


def _markers(type):
    match type.form:
        case "string":
            pattern = [f"kubebuilder:validation:Pattern=`{type.pattern}`"] if type.pattern else []
            return [f"kubebuilder:validation:MinLength={type.minimum}", f"kubebuilder:validation:MaxLength={type.maximum}"] + pattern
        case "int":
            return [f"kubebuilder:validation:Minimum={type.minimum}", f"kubebuilder:validation:Maximum={type.maximum}"]
        case "list":
            items = [m.replace("validation:", "validation:items:") for m in _markers(type.of)]
            merge = [f"listType={type.merge}"] if type.merge in ("atomic", "set") else ["listType=map", f"listMapKey={type.merge}"]
            return [f"kubebuilder:validation:MaxItems={type.maximum}"] + items + merge
        case _:
            return []


def _enum(enum):
    names = ";".join(name for name, _, _ in enum.variants)
    out = _doc(enum.doc) + [f"// +kubebuilder:validation:Enum={names}", f"type {enum.name} string", "", "const ("]
    for name, doc, _ in enum.variants:
        out += _doc(doc, "\t") + [f'\t{enum.name}{name} {enum.name} = "{name}"']
    return out + [")"]
