//! The libraries of Kubernetes.

use super::{A, COMPARABLE, Cost, Rows};
use crate::types::Library as L;
use crate::types::Type::{self, Bool, Double, Duration, Int, Library, String, Uint};

const URL: Type = Library(L::Url);
const QUANTITY: Type = Library(L::Quantity);
const IP: Type = Library(L::Ip);
const CIDR: Type = Library(L::Cidr);
const SEMVER: Type = Library(L::Semver);
const FORMAT: Type = Library(L::Format);

/// Urls, regular expressions and lists.
pub(super) fn base(rows: &mut Rows) {
    let texts = || Type::list(String);
    rows.global("url", [String], URL, Cost::KeepArgument);
    rows.global("isURL", [String], Bool, Cost::One);
    for name in [
        "getScheme",
        "getHost",
        "getHostname",
        "getPort",
        "getEscapedPath",
    ] {
        rows.member(name, [URL], String, Cost::One);
    }
    rows.member("getQuery", [URL], Type::map(String, texts()), Cost::One);
    rows.member("find", [String, String], String, Cost::Find);
    rows.member("findAll", [String, String], texts(), Cost::Find);
    rows.member("findAll", [String, String, Int], texts(), Cost::Find);
    for ty in COMPARABLE {
        let list = Type::list(ty.clone());
        rows.member("isSorted", [list.clone()], Bool, Cost::ReadElements);
        rows.member("max", [list.clone()], ty.clone(), Cost::ReadElements);
        rows.member("min", [list], ty, Cost::ReadElements);
    }
    for ty in [Int, Uint, Double, Duration] {
        rows.member("sum", [Type::list(ty.clone())], ty, Cost::ReadElements);
    }
    for name in ["indexOf", "lastIndexOf"] {
        rows.member(name, [Type::list(A), A], Int, Cost::ReadElements);
    }
}

/// Questions to an authorizer. Rules of CRDs have none to ask, but `null` and what may be anything have these functions.
pub(super) fn authorizer(rows: &mut Rows) {
    let [ask, path, group, resource, decision] = [
        L::Authorizer,
        L::PathCheck,
        L::GroupCheck,
        L::ResourceCheck,
        L::Decision,
    ]
    .map(Library);
    rows.member("path", [ask.clone(), String], path.clone(), Cost::One);
    rows.member("group", [ask.clone(), String], group.clone(), Cost::One);
    rows.member(
        "serviceAccount",
        [ask.clone(), String, String],
        ask,
        Cost::One,
    );
    rows.member("resource", [group, String], resource.clone(), Cost::One);
    for name in ["subresource", "namespace", "name"] {
        rows.member(
            name,
            [resource.clone(), String],
            resource.clone(),
            Cost::One,
        );
    }
    rows.member("check", [path, String], decision.clone(), Cost::Check);
    rows.member("check", [resource, String], decision.clone(), Cost::Check);
    rows.member("errored", [decision.clone()], Bool, Cost::One);
    rows.member("error", [decision.clone()], String, Cost::One);
    rows.member("allowed", [decision.clone()], Bool, Cost::One);
    rows.member("reason", [decision], String, Cost::One);
}

/// What narrows the questions.
pub(super) fn selectors(rows: &mut Rows) {
    let resource = Library(L::ResourceCheck);
    for name in ["fieldSelector", "labelSelector"] {
        rows.member(
            name,
            [resource.clone(), String],
            resource.clone(),
            Cost::Selector,
        );
    }
}

/// Quantities.
pub(super) fn quantities(rows: &mut Rows) {
    rows.global("quantity", [String], QUANTITY, Cost::ReadArgument);
    rows.global("isQuantity", [String], Bool, Cost::ReadArgument);
    rows.global("sign", [QUANTITY], Int, Cost::One);
    rows.member("asApproximateFloat", [QUANTITY], Double, Cost::One);
    rows.member("asInteger", [QUANTITY], Int, Cost::One);
    rows.member("isInteger", [QUANTITY], Bool, Cost::One);
    for name in ["add", "sub"] {
        rows.member(name, [QUANTITY, QUANTITY], QUANTITY, Cost::One);
        rows.member(name, [QUANTITY, Int], QUANTITY, Cost::One);
    }
    ordered(rows, &QUANTITY);
}

fn ordered(rows: &mut Rows, ty: &Type) {
    rows.member("isGreaterThan", [ty.clone(), ty.clone()], Bool, Cost::One);
    rows.member("isLessThan", [ty.clone(), ty.clone()], Bool, Cost::One);
    rows.member("compareTo", [ty.clone(), ty.clone()], Int, Cost::One);
}

/// Addresses and networks.
pub(super) fn addresses(rows: &mut Rows) {
    rows.global("ip", [String], IP, Cost::ReadArgument);
    rows.global("isIP", [String], Bool, Cost::ReadArgument);
    rows.global("ip.isCanonical", [String], Bool, Cost::ReadArgumentTwice);
    rows.global("string", [IP], String, Cost::One);
    rows.member("family", [IP], Int, Cost::One);
    for name in [
        "isUnspecified",
        "isLoopback",
        "isLinkLocalMulticast",
        "isLinkLocalUnicast",
        "isGlobalUnicast",
    ] {
        rows.member(name, [IP], Bool, Cost::One);
    }
    rows.global("cidr", [String], CIDR, Cost::ReadArgument);
    rows.global("isCIDR", [String], Bool, Cost::ReadArgument);
    rows.global("string", [CIDR], String, Cost::One);
    rows.member("containsIP", [CIDR, String], Bool, Cost::ContainsIp(true));
    rows.member("containsIP", [CIDR, IP], Bool, Cost::ContainsIp(false));
    rows.member(
        "containsCIDR",
        [CIDR, String],
        Bool,
        Cost::ContainsCidr(true),
    );
    rows.member(
        "containsCIDR",
        [CIDR, CIDR],
        Bool,
        Cost::ContainsCidr(false),
    );
    rows.member("ip", [CIDR], IP, Cost::One);
    rows.member("prefixLength", [CIDR], Int, Cost::One);
    rows.member("masked", [CIDR], CIDR, Cost::One);
}

/// Formats.
pub(super) fn formats(rows: &mut Rows) {
    for name in [
        "format.dns1123Label",
        "format.dns1123Subdomain",
        "format.dns1035Label",
        "format.qualifiedName",
        "format.dns1123LabelPrefix",
        "format.dns1123SubdomainPrefix",
        "format.dns1035LabelPrefix",
        "format.labelValue",
        "format.uri",
        "format.uuid",
        "format.byte",
        "format.date",
        "format.datetime",
    ] {
        rows.global(name, [], FORMAT, Cost::One);
    }
    let errors = Type::optional(Type::list(String));
    rows.member("validate", [FORMAT, String], errors, Cost::Validate);
    rows.global("format.named", [String], Type::optional(FORMAT), Cost::One);
}

/// Semantic versions.
pub(super) fn versions(rows: &mut Rows) {
    for (name, gives) in [("semver", SEMVER), ("isSemver", Bool)] {
        rows.global(name, [String], gives.clone(), Cost::ReadArgument);
        rows.global(name, [String, Bool], gives, Cost::ReadArgument);
    }
    for name in ["major", "minor", "patch"] {
        rows.member(name, [SEMVER], Int, Cost::One);
    }
    ordered(rows, &SEMVER);
}
