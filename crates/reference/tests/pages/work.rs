//! What a release breaks is on the pages about changes, with whom it breaks.

use crate::api;
use crd_channels_compat::{Verdict, compare};
use crd_channels_reference::{Look, markdown, site};

#[test]
fn what_breaks_is_said_with_whom() {
    let api = api();
    let site = site(&api, &Look::default()).unwrap();
    let markdown = markdown(&api, &Look::default());
    let removed = "EdgeRoute v1 <code>spec.rules[].retries</code>: property removed. <b>Breaks</b> stored objects, \
        manifests and clients that write, clients that read <span class=\"in\">experimental only</span></li>";
    let page = &site["changes.html"];
    assert!(page.contains(removed), "{page}");
    let removed = "- EdgeRoute v1 `spec.rules[].retries`: property removed. Breaks stored objects, \
        manifests and clients that write, clients that read (experimental only)\n";
    let page = &markdown["changes.md"];
    assert!(page.contains(removed), "{page}");
    // As many as the comparison finds, in each of the pages.
    let mut harmful = 0;
    for pair in api.releases.windows(2) {
        let mut found: Vec<_> = compare(&pair[0].set, &pair[1].set).findings;
        found.retain(|finding| {
            let whom = [Verdict::No, Verdict::Unknown].map(|verdict| finding.whom(verdict));
            whom.iter().any(|whom| !whom.is_empty())
        });
        found.sort_by_key(|it| (it.kind.clone(), it.path.clone(), it.change.message.clone()));
        found.dedup_by_key(|it| (it.kind.clone(), it.path.clone(), it.change.message.clone()));
        harmful += found.len();
    }
    assert!(harmful > 4, "{harmful}");
    let (_, inside) = site["changes.html"].split_once("<h1>").unwrap();
    let lists = inside.split("<ul class=\"work\">").skip(1);
    let lists = lists.map(|list| list.split_once("</ul>").unwrap().0);
    assert_eq!(
        lists.map(|list| list.matches("<li").count()).sum::<usize>(),
        harmful
    );
    let lines = page.lines().filter(|line| line.contains("reak"));
    assert_eq!(lines.filter(|line| line.starts_with("- ")).count(), harmful);
}

#[test]
fn bundles_have_their_kubernetes_their_digest_their_key_and_how_to_install_them() {
    let api = api();
    let digest = api.releases[0].bundle.as_ref().unwrap().digest.as_ref();
    let digest = digest.unwrap();
    let site = site(&api, &Look::default()).unwrap();
    let markdown = markdown(&api, &Look::default());
    for (page, install) in [
        (
            &site["changes.html"],
            "<code class=\"copy\">kubectl apply -k v0.1.0</code>",
        ),
        (
            &markdown["changes.md"],
            "- Install stable: `kubectl apply -k v0.1.0`\n",
        ),
    ] {
        let count = |text: &str| page.matches(text).count();
        assert_eq!((count(digest), count(install)), (1, 1), "{page}");
        let bundles = api.releases.len() - 1;
        assert_eq!(count("and newer"), bundles, "{page}");
        assert_eq!(count("75C8B1E2D3F4A596"), bundles, "{page}");
    }
}

#[test]
fn what_has_no_life_is_said_as_well() {
    let api = api();
    let site = site(&api, &Look::default()).unwrap();
    let markdown = markdown(&api, &Look::default());
    let expected = "EdgeGateway v1, v1beta1 `spec.listeners[].allowedRoutes.selector.matchExpressions`: list type `atomic` is the default, explicit or not\n";
    let of_release = |page: &str, start: &str| {
        let (_, release) = page.split_once(start).unwrap();
        release.split_once("v0.4.0").unwrap().0.to_owned()
    };
    let release = of_release(&markdown["changes.md"], "## v0.4.1\n");
    assert!(release.contains("### What else changed\n"), "{release}");
    assert!(release.contains(expected), "{release}");
    assert!(
        release.contains("Descriptions changed in 8 places.\n"),
        "{release}"
    );
    let release = of_release(&site["changes.html"], ">v0.4.1</h2>");
    assert!(release.contains("<ul class=\"others\">"), "{release}");
    assert!(
        release.contains("<p>Descriptions changed in 8 places.</p>"),
        "{release}"
    );
    for page in [&markdown["changes.md"], &site["changes.html"]] {
        // As `diff` says, in v0.2.0.
        assert!(page.contains("storage"), "{page}");
    }
}
