//! The Kubernetes libraries.

use super::overload::{A, COMPARABLE, Cost, Rows};
use crate::library::Run;
use crate::library::{addresses, elsewhere, formats, lists, quantities, texts, urls, versions};
use crate::types::Library as L;
use crate::types::Type::{self, Bool, Double, Duration, Int, Library, String, Uint};
use crate::value::Val;

const URL: Type = Library(L::Url);
const QUANTITY: Type = Library(L::Quantity);
const IP: Type = Library(L::Ip);
const CIDR: Type = Library(L::Cidr);
const SEMVER: Type = Library(L::Semver);
const FORMAT: Type = Library(L::Format);

/// Urls, regular expressions and lists.
pub(super) fn base(rows: &mut Rows) {
    let texts = || Type::list(String);
    rows.global("url", [String], URL, Cost::KeepArgument, urls::url);
    rows.global("isURL", [String], Bool, Cost::One, urls::is_url);
    let parts: [(&str, Run); 5] = [
        ("getScheme", urls::scheme),
        ("getHost", urls::host),
        ("getHostname", urls::hostname),
        ("getPort", urls::port),
        ("getEscapedPath", urls::escaped_path),
    ];
    for (name, run) in parts {
        rows.member(name, [URL], String, Cost::One, run);
    }
    rows.member(
        "getQuery",
        [URL],
        Type::map(String, texts()),
        Cost::One,
        urls::query,
    );
    rows.member("find", [String, String], String, Cost::Find, texts::find);
    rows.member(
        "findAll",
        [String, String],
        texts(),
        Cost::Find,
        texts::find_all,
    );
    rows.member(
        "findAll",
        [String, String, Int],
        texts(),
        Cost::Find,
        texts::find_all,
    );
    for ty in COMPARABLE {
        let list = Type::list(ty.clone());
        rows.member(
            "isSorted",
            [list.clone()],
            Bool,
            Cost::ReadElements,
            lists::is_sorted,
        );
        rows.member(
            "max",
            [list.clone()],
            ty.clone(),
            Cost::ReadElements,
            lists::max,
        );
        rows.member("min", [list], ty, Cost::ReadElements, lists::min);
    }
    for ty in [Int, Uint, Double, Duration] {
        rows.member(
            "sum",
            [Type::list(ty.clone())],
            ty,
            Cost::ReadElements,
            lists::sum,
        );
    }
    let searches: [(&str, Run); 2] = [
        ("indexOf", lists::index_of),
        ("lastIndexOf", lists::last_index_of),
    ];
    for (name, run) in searches {
        rows.member(name, [Type::list(A), A], Int, Cost::ReadElements, run);
    }
}

/// Calls of an authorizer. Rules of CRDs have none, but `null` and dynamic values have these functions.
pub(super) fn authorizer(rows: &mut Rows) {
    let [ask, path, group, resource, decision] = [
        L::Authorizer,
        L::PathCheck,
        L::GroupCheck,
        L::ResourceCheck,
        L::Decision,
    ]
    .map(Library);
    rows.member(
        "path",
        [ask.clone(), String],
        path.clone(),
        Cost::One,
        elsewhere,
    );
    rows.member(
        "group",
        [ask.clone(), String],
        group.clone(),
        Cost::One,
        elsewhere,
    );
    rows.member(
        "serviceAccount",
        [ask.clone(), String, String],
        ask,
        Cost::One,
        elsewhere,
    );
    rows.member(
        "resource",
        [group, String],
        resource.clone(),
        Cost::One,
        elsewhere,
    );
    for name in ["subresource", "namespace", "name"] {
        rows.member(
            name,
            [resource.clone(), String],
            resource.clone(),
            Cost::One,
            elsewhere,
        );
    }
    for check in [path, resource] {
        let takes = [check, String];
        rows.member("check", takes, decision.clone(), Cost::Check, elsewhere);
    }
    rows.member("errored", [decision.clone()], Bool, Cost::One, elsewhere);
    rows.member("error", [decision.clone()], String, Cost::One, elsewhere);
    rows.member("allowed", [decision.clone()], Bool, Cost::One, elsewhere);
    rows.member("reason", [decision], String, Cost::One, elsewhere);
}

/// The selectors that narrow the calls.
pub(super) fn selectors(rows: &mut Rows) {
    let resource = Library(L::ResourceCheck);
    for name in ["fieldSelector", "labelSelector"] {
        rows.member(
            name,
            [resource.clone(), String],
            resource.clone(),
            Cost::Selector,
            elsewhere,
        );
    }
}

/// Quantities.
pub(super) fn quantities(rows: &mut Rows) {
    rows.global(
        "quantity",
        [String],
        QUANTITY,
        Cost::ReadArgument,
        quantities::quantity,
    );
    rows.global(
        "isQuantity",
        [String],
        Bool,
        Cost::ReadArgument,
        quantities::is_quantity,
    );
    rows.global("sign", [QUANTITY], Int, Cost::One, quantities::sign);
    rows.member(
        "asApproximateFloat",
        [QUANTITY],
        Double,
        Cost::One,
        quantities::as_approximate_float,
    );
    rows.member(
        "asInteger",
        [QUANTITY],
        Int,
        Cost::One,
        quantities::as_integer,
    );
    rows.member(
        "isInteger",
        [QUANTITY],
        Bool,
        Cost::One,
        quantities::is_integer,
    );
    let operations: [(&str, Run); 2] = [("add", quantities::add), ("sub", quantities::subtract)];
    for (name, run) in operations {
        rows.member(name, [QUANTITY, QUANTITY], QUANTITY, Cost::One, run);
        rows.member(name, [QUANTITY, Int], QUANTITY, Cost::One, run);
    }
    ordered(rows, &QUANTITY);
}

fn ordered(rows: &mut Rows, ty: &Type) {
    rows.member(
        "isGreaterThan",
        [ty.clone(), ty.clone()],
        Bool,
        Cost::One,
        quantities::is_greater,
    );
    rows.member(
        "isLessThan",
        [ty.clone(), ty.clone()],
        Bool,
        Cost::One,
        quantities::is_less,
    );
    rows.member(
        "compareTo",
        [ty.clone(), ty.clone()],
        Int,
        Cost::One,
        quantities::compare_to,
    );
}

/// Addresses and networks.
pub(super) fn addresses(rows: &mut Rows) {
    rows.global("ip", [String], IP, Cost::ReadArgument, addresses::ip);
    rows.global("isIP", [String], Bool, Cost::ReadArgument, addresses::is_ip);
    rows.global(
        "ip.isCanonical",
        [String],
        Bool,
        Cost::ReadArgumentTwice,
        addresses::is_canonical,
    );
    rows.global("string", [IP], String, Cost::One, addresses::to_text);
    rows.member("family", [IP], Int, Cost::One, addresses::family);
    let questions: [(&str, Run); 5] = [
        ("isUnspecified", addresses::is_unspecified),
        ("isLoopback", addresses::is_loopback),
        ("isLinkLocalMulticast", addresses::is_link_local_multicast),
        ("isLinkLocalUnicast", addresses::is_link_local_unicast),
        ("isGlobalUnicast", addresses::is_global_unicast),
    ];
    for (name, run) in questions {
        rows.member(name, [IP], Bool, Cost::One, run);
    }
    rows.global("cidr", [String], CIDR, Cost::ReadArgument, addresses::cidr);
    rows.global(
        "isCIDR",
        [String],
        Bool,
        Cost::ReadArgument,
        addresses::is_cidr,
    );
    rows.global("string", [CIDR], String, Cost::One, addresses::to_text);
    rows.member(
        "containsIP",
        [CIDR, String],
        Bool,
        Cost::ContainsIp(true),
        addresses::contains_ip,
    );
    rows.member(
        "containsIP",
        [CIDR, IP],
        Bool,
        Cost::ContainsIp(false),
        addresses::contains_ip,
    );
    rows.member(
        "containsCIDR",
        [CIDR, String],
        Bool,
        Cost::ContainsCidr(true),
        addresses::contains_cidr,
    );
    rows.member(
        "containsCIDR",
        [CIDR, CIDR],
        Bool,
        Cost::ContainsCidr(false),
        addresses::contains_cidr,
    );
    rows.member("ip", [CIDR], IP, Cost::One, addresses::network_address);
    rows.member(
        "prefixLength",
        [CIDR],
        Int,
        Cost::One,
        addresses::prefix_length,
    );
    rows.member("masked", [CIDR], CIDR, Cost::One, addresses::masked);
}

/// Formats.
pub(super) fn formats(rows: &mut Rows) {
    let formats: [(&str, Run); 13] = [
        ("format.dns1123Label", |_| Ok(Val::Format("dns1123Label"))),
        ("format.dns1123Subdomain", |_| {
            Ok(Val::Format("dns1123Subdomain"))
        }),
        ("format.dns1035Label", |_| Ok(Val::Format("dns1035Label"))),
        ("format.qualifiedName", |_| Ok(Val::Format("qualifiedName"))),
        ("format.dns1123LabelPrefix", |_| {
            Ok(Val::Format("dns1123LabelPrefix"))
        }),
        ("format.dns1123SubdomainPrefix", |_| {
            Ok(Val::Format("dns1123SubdomainPrefix"))
        }),
        ("format.dns1035LabelPrefix", |_| {
            Ok(Val::Format("dns1035LabelPrefix"))
        }),
        ("format.labelValue", |_| Ok(Val::Format("labelValue"))),
        ("format.uri", |_| Ok(Val::Format("uri"))),
        ("format.uuid", |_| Ok(Val::Format("uuid"))),
        ("format.byte", |_| Ok(Val::Format("byte"))),
        ("format.date", |_| Ok(Val::Format("date"))),
        ("format.datetime", |_| Ok(Val::Format("datetime"))),
    ];
    for (name, run) in formats {
        rows.global(name, [], FORMAT, Cost::One, run);
    }
    let errors = Type::optional(Type::list(String));
    rows.member(
        "validate",
        [FORMAT, String],
        errors,
        Cost::Validate,
        formats::validate,
    );
    rows.global(
        "format.named",
        [String],
        Type::optional(FORMAT),
        Cost::One,
        formats::format_named,
    );
}

/// Semantic versions.
pub(super) fn versions(rows: &mut Rows) {
    let readers: [(&str, Type, Run); 2] = [
        ("semver", SEMVER, versions::semver),
        ("isSemver", Bool, versions::is_semver),
    ];
    for (name, gives, run) in readers {
        rows.global(name, [String], gives.clone(), Cost::ReadArgument, run);
        rows.global(name, [String, Bool], gives, Cost::ReadArgument, run);
    }
    let numbers: [(&str, Run); 3] = [
        ("major", versions::major),
        ("minor", versions::minor),
        ("patch", versions::patch),
    ];
    for (name, run) in numbers {
        rows.member(name, [SEMVER], Int, Cost::One, run);
    }
    ordered(rows, &SEMVER);
}
