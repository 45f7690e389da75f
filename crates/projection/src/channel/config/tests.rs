//! The keys of each configuration file, the errors for everything else, and that the page documents every key.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use super::*;
use crate::render::Convention;
use crd_channels_files::Memory;

/// Reads files of the folder, given as `name: text`.
pub(super) fn read_toml(files: &[(&str, &str)]) -> (Option<Config>, Vec<(String, Diagnostic)>) {
    let files = Memory(
        files
            .iter()
            .map(|(name, text)| {
                let path = PathBuf::from("/w/channels").join(name);
                (path, text.as_bytes().to_vec())
            })
            .collect(),
    );
    let sources = Sources::default();
    let mut sink = Sink::default();
    let config = Config::read(&files, Path::new("/w"), &sources, &mut sink);
    let found = sink.into_diagnostics().into_iter().map(|finding| {
        let at = finding.span.map_or(String::new(), |span| {
            let text = sources.get(span.file).unwrap().text.clone();
            text[span.start as usize..span.end as usize].to_owned()
        });
        (at, finding)
    });
    let found = found.collect();
    (config, found)
}

/// Formats each finding as `code: the text at its span: its message | its help`.
fn finding_lines(found: &[(String, Diagnostic)]) -> Vec<String> {
    found
        .iter()
        .map(|(at, finding)| {
            let help = finding
                .help
                .as_deref()
                .expect("every finding says what to do");
            let code = finding.code.record().id;
            format!("{code}: {at}: {} | {help}", finding.message)
        })
        .collect()
}

fn valid(files: &[(&str, &str)]) -> Config {
    let (config, found) = read_toml(files);
    assert_eq!(finding_lines(&found), Vec::<String>::new());
    config.unwrap()
}

/// Asserts the errors in one file, next to a valid channel.
fn check(name: &str, text: &str, expected: &[&str]) {
    let beside: &[_] = if name == "stable.toml" {
        &[]
    } else {
        &[("stable.toml", "")]
    };
    let files = [beside, &[(name, text)]].concat();
    let (_, found) = read_toml(&files);
    let shown = finding_lines(&found);
    let matches = shown.len() == expected.len()
        && shown
            .iter()
            .zip(expected)
            .all(|(is, part)| is.contains(part));
    assert!(matches, "{text}\nexpected {expected:#?}\nfound {shown:#?}");
}

#[test]
fn what_is_not_said_has_a_default() {
    let config = valid(&[
        ("stable.toml", ""),
        ("experimental.toml", ""),
        ("preview.toml", "features = ['A']"),
        ("features.toml", "[B]\nsummary = 'b'\n[A]\nsummary = 'a'"),
        ("notes.md", "not read"),
    ]);
    let names: Vec<_> = config.channels.iter().map(|c| &*c.name).collect();
    assert_eq!(names, ["stable", "experimental", "preview"]);
    let on: Vec<Vec<_>> = config
        .channels
        .iter()
        .map(|channel| channel.features.iter().map(|name| &**name).collect())
        .collect();
    assert_eq!(on, [vec![], vec!["A", "B", "unnamed"], vec!["A"]]);
    let channel = &config.channels[0];
    assert_eq!(&*channel.annotation.value, "stable");
    assert_eq!((channel.alpha, channel.beta), <_>::default());
    assert_eq!(channel.descriptions.for_crd("x"), <_>::default());
    assert!(channel.size_budget.is_none());
    let declared: Vec<_> = config.features.names().collect();
    assert_eq!(declared, ["B", "A", "unnamed"]);
    let bundle = &config.bundle;
    assert_eq!(bundle.convention, Convention::Kubernetes);
    assert_eq!(&*bundle.target.value, "x86_64-unknown-linux-gnu");
    assert_eq!(bundle.kubernetes.to_string(), "1.30");
    assert_eq!(&*bundle.output, "generated");
    assert!(bundle.packages.is_empty() && bundle.version.is_none());
}

#[test]
fn everything_can_be_said() {
    let config = valid(&[
        (
            "bundle.toml",
            r#"
                conventions = "kube"
                packages = ["api-types"]
                exclude = ["api_types::legacy"]
                pending = ["api_types::v1::Draft"]
                version = "0.4.0-dev"
                annotation-prefix = "example.com"
                target = "aarch64-apple-darwin"
                cfgs = ["tokio_unstable", 'backend = "rustix"']
                kubernetes = "1.32"
                output = "config/crd"
                [conversion.webhook]
                review-versions = ["v1", "v1beta1"]
                service = { namespace = "system", name = "webhook", path = "/convert", port = 8443 }
                ca-bundle = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"
                [conversion.kinds."gateways.example.com"]
                url = "https://example.com:8443/convert"
            "#,
        ),
        (
            "stable.toml",
            r#"
                features = "none"
                annotation = "standard"
                alpha = "omitted"
                beta = "unserved"
                size-budget = 256_000
                [descriptions]
                policy = "storage-version"
                max-length = 200
                budget = 20000
                [descriptions.crds."routes.example.com"]
                policy = "none"
                budget = 0
            "#,
        ),
        (
            "features.toml",
            "[A]\nsummary = 's'\nowner = 'o'\nlink = 'l'\nsince = 'v0.1.0'",
        ),
        (
            "tombstones.toml",
            r#"
                [[kinds]]
                group = "example.com"
                kind = "Old"
                removed = "v0.2.0"
                reason = "never used"
                [[versions]]
                group = "example.com"
                kind = "Gateway"
                version = "v1alpha1"
                removed = "v0.3.0"
                reason = "superseded"
                [[types]]
                name = "Timeouts"
                removed = "v0.3.0"
                reason = "renamed"
            "#,
        ),
    ]);
    let bundle = &config.bundle;
    assert_eq!(bundle.convention, Convention::Kube);
    assert_eq!(&*bundle.version.as_ref().unwrap().value, "0.4.0-dev");
    let cfgs: Vec<_> = bundle.cfgs.iter().collect();
    assert_eq!(
        cfgs,
        [
            &("backend".into(), Some("rustix".into())),
            &("tokio_unstable".into(), None)
        ]
    );
    let service = bundle.webhooks.for_crd("routes.example.com").unwrap();
    assert_eq!(service.review_versions.len(), 2);
    assert_eq!(service.client.service.as_ref().unwrap().port, Some(8443));
    let url = bundle.webhooks.for_crd("gateways.example.com").unwrap();
    assert!(url.client.url.is_some() && url.client.service.is_none());
    let stable = &config.channels[0];
    assert_eq!(&*stable.annotation.value, "standard");
    assert_eq!(
        (stable.alpha, stable.beta),
        (Serving::Omitted, Serving::Unserved)
    );
    let budget = stable.size_budget.as_ref().map(|budget| budget.value);
    assert_eq!(budget, Some(256_000));
    let general = DescriptionPolicy {
        kept: DescriptionScope::StorageVersion,
        max_length: Some(200),
        budget: Some(20_000),
    };
    assert_eq!(stable.descriptions.for_crd("gateways.example.com"), general);
    let routes = DescriptionPolicy {
        kept: DescriptionScope::None,
        budget: Some(0),
        ..general
    };
    assert_eq!(stable.descriptions.for_crd("routes.example.com"), routes);
    let gone = &config.tombstones;
    assert_eq!(
        (gone.kinds.len(), gone.versions.len(), gone.types.len()),
        (1, 1, 1)
    );
}

#[test]
fn without_a_channel_there_is_nothing_to_do() {
    for files in [&[][..], &[("bundle.toml", "")], &[("features.toml", "")]] {
        let (config, found) = read_toml(files);
        assert!(config.is_none());
        let shown = finding_lines(&found);
        assert_eq!(shown.len(), 1);
        assert!(shown[0].starts_with("config-missing"), "{shown:?}");
        assert!(shown[0].contains("`features = \"none\"` into `channels/stable.toml`"));
    }
}

#[test]
fn unknown_keys_are_faults() {
    check(
        "bundle.toml",
        "package = ['a']",
        &["package: the file has no key `package` | did you mean `packages`?"],
    );
    check(
        "stable.toml",
        "[descriptions]\npolcy = 'all'",
        &["polcy: `[descriptions]` has no key `polcy` | did you mean `policy`?"],
    );
    check(
        "features.toml",
        "[A]\nsummary = 's'\nowner_ = 'x'",
        &["owner_: `[A]` has no key"],
    );
    check(
        "stable.toml",
        "zzz = 1",
        &["zzz: the file has no key `zzz` | the keys are `features`, "],
    );
    check(
        "bundle.toml",
        "x1 = 1\n[conversion.webhook]\nurl = 'https://a'\nx2 = 1",
        &[
            "`[conversion.webhook]` has no key `x2`",
            "the file has no key `x1`",
        ],
    );
    check(
        "tombstones.toml",
        "[[kind]]\ngroup = 'a'",
        &["did you mean `kinds`?"],
    );
}

#[test]
fn values_have_a_form() {
    check(
        "bundle.toml",
        "conventions = 'kuberntes'",
        &[
            "'kuberntes': `kuberntes` is not a valid value of `conventions` | write `conventions = \"kubernetes\"`",
        ],
    );
    check(
        "bundle.toml",
        "packages = 'api'",
        &["'api': `packages` takes a list of strings, not a string | write `packages = [\"..\"]`"],
    );
    check(
        "bundle.toml",
        "packages = [1]",
        &["1: `packages` takes a list of strings, not a whole number"],
    );
    check(
        "bundle.toml",
        "version = 'v1.2.3'",
        &["write `version = \"1.2.3\"`; the annotation adds the `v`"],
    );
    check(
        "bundle.toml",
        "version = '1.2'",
        &["`1.2` is not a semantic version"],
    );
    check(
        "bundle.toml",
        "annotation-prefix = 'Example.com/'",
        &["is not a valid annotation prefix"],
    );
    check(
        "bundle.toml",
        "target = 'linux'",
        &["`linux` is not a target triple"],
    );
    check(
        "bundle.toml",
        "cfgs = ['a-b', 'a=b', 'a=\"b\"']",
        &["`a-b` is not a cfg", "`a=b` is not a cfg"],
    );
    check(
        "bundle.toml",
        "kubernetes = 1.30",
        &["`kubernetes` takes a string, not a number | write `kubernetes = \"..\"`"],
    );
    check(
        "bundle.toml",
        "kubernetes = 'v1.30'",
        &["`v1.30` is not a release of Kubernetes, such as `1.30`"],
    );
    for outside in ["/tmp", "../x", "a/../b", ""] {
        check(
            "bundle.toml",
            &format!("output = '{outside}'"),
            &["is not a folder below the workspace root"],
        );
    }
    check(
        "stable.toml",
        "alpha = 'omit'",
        &["write `alpha = \"omitted\"`"],
    );
    check(
        "stable.toml",
        "size-budget = 0",
        &["`size-budget` must be a whole number of at least 1"],
    );
    check(
        "stable.toml",
        "size-budget = -5",
        &["`size-budget` must be a whole number of at least 1"],
    );
    check(
        "stable.toml",
        "size-budget = '5'",
        &["takes a whole number, not a string"],
    );
    check(
        "stable.toml",
        "descriptions = 'none'",
        &["`descriptions` takes a table, not a string"],
    );
    check("features.toml", "A = 'x'", &["`A` takes a table"]);
    check(
        "features.toml",
        "[A]",
        &["A: `[A]` lacks `summary` | add `summary = \"..\"`"],
    );
    check(
        "features.toml",
        "[A]\nsummary = ' '",
        &["' ': `[A]` lacks `summary`"],
    );
    check(
        "features.toml",
        "[unnamed]\nsummary = 's'",
        &["`unnamed` is reserved for gates that name no feature"],
    );
    check(
        "features.toml",
        "['a b']\nsummary = 's'",
        &["`a b` is not a feature name"],
    );
    check(
        "tombstones.toml",
        "[[versions]]\ngroup = 'a'\nkind = 'K'",
        &["lacks `version`", "lacks `removed`", "lacks `reason`"],
    );
    check(
        "tombstones.toml",
        "types = ['A']",
        &["`types` takes a table"],
    );
    check(
        "stable.toml",
        "features = ['",
        &["config-invalid", "config-invalid"],
    );
    check(
        "sTable.toml",
        "annotation = 's'",
        &["`sTable` is not a valid channel name"],
    );
}

#[test]
fn features_of_a_channel_are_declared() {
    check(
        "preview.toml",
        "features = 'some'",
        &["`some` is not a valid value of `features`"],
    );
    check(
        "preview.toml",
        "features = ['A']",
        &[
            "unknown-feature: 'A': this channel names the feature `A`, which is not declared | declare it in `channels/features.toml`",
        ],
    );
    check(
        "preview.toml",
        "features = ['unamed']",
        &["did you mean `unnamed`?"],
    );
    check("preview.toml", "features = ['unnamed']", &[]);
}

#[test]
fn channels_are_told_apart() {
    check(
        "preview.toml",
        "annotation = 'stable'",
        &[
            "the channels `stable` and `preview` have the same annotation `stable` | write `annotation = \"preview\"`",
        ],
    );
    check("preview.toml", "annotation = 'stable2'", &[]);
    // The channel that has the name of the other one is to change, whichever comes first.
    for (stable, experimental, help) in [
        (
            "annotation = 'experimental'",
            "",
            "write `annotation = \"stable\"`",
        ),
        (
            "",
            "annotation = 'stable'",
            "write `annotation = \"experimental\"`",
        ),
        (
            "annotation = 'a'",
            "annotation = 'a'",
            "write `annotation = \"experimental\"`",
        ),
        (
            "annotation = 'experimental'",
            "annotation = 'experimental'",
            "write `annotation = \"stable\"`",
        ),
    ] {
        let (_, found) = read_toml(&[("stable.toml", stable), ("experimental.toml", experimental)]);
        let shown = finding_lines(&found);
        assert!(
            shown.len() == 1 && shown[0].ends_with(help),
            "{stable} {experimental}: {shown:?}"
        );
    }
}

#[test]
fn conflicts_of_git_are_named() {
    check(
        "bundle.toml",
        "a = 1\n<<<<<<< HEAD\nchart = 'a'\n=======\nchart = 'b'\n>>>>>>> x\n",
        &["git left a merge conflict here | keep the lines that apply"],
    );
}

#[test]
fn webhooks_are_what_an_api_server_accepts() {
    let webhook = |text: &str, expected: &[&str]| {
        check(
            "bundle.toml",
            &format!("[conversion.webhook]\n{text}"),
            expected,
        );
    };
    webhook("url = 'https://a.b/c'", &[]);
    webhook("", &["webhook: the webhook has no address"]);
    webhook("url = 'http://a'", &["does not start with `https://`"]);
    webhook("url = 'https:///c'", &["has no host"]);
    webhook("url = 'https://u@a'", &["contains user information"]);
    webhook("url = 'https://a/c?d'", &["has a query"]);
    webhook("url = 'https://a/c#d'", &["has a fragment"]);
    webhook(
        "url = 'https://a'\nservice = { namespace = 'n', name = 's' }",
        &["a `url` or a `service`, not both"],
    );
    webhook("service = { namespace = 'n', name = 's' }", &[]);
    webhook(
        "service = { name = '' }",
        &["lacks `namespace`", "lacks `name`"],
    );
    webhook(
        "service = { namespace = 'n', name = 's', path = '/A' }",
        &["`/A` is not a valid webhook path"],
    );
    webhook(
        "service = { namespace = 'n', name = 's', path = 'a' }",
        &["`a` is not a valid webhook path"],
    );
    webhook(
        "service = { namespace = 'n', name = 's', path = '/a//b' }",
        &["`/a//b` is not a valid webhook path"],
    );
    webhook(
        "service = { namespace = 'n', name = 's', port = 65536 }",
        &["65535"],
    );
    webhook(
        "url = 'https://a'\nreview-versions = []",
        &["no API server sends any"],
    );
    webhook(
        "url = 'https://a'\nreview-versions = ['v2']",
        &["no API server sends any"],
    );
    webhook(
        "url = 'https://a'\nreview-versions = ['v1', 'v1']",
        &["duplicate review version `v1`"],
    );
    webhook(
        "url = 'https://a'\nreview-versions = ['V1']",
        &["`V1` is not a version"],
    );
    webhook(
        "url = 'https://a'\nca-bundle = 'abc'",
        &["`ca-bundle` is not base64"],
    );
    webhook(
        "url = 'https://a'\nca-bundle = 'YWJj'",
        &["`ca-bundle` contains no certificate"],
    );
}

#[test]
fn what_cannot_be_read_is_said() {
    let mut files = Memory::default();
    let path = PathBuf::from("/w/channels/stable.toml");
    files.0.insert(path, vec![0xff, b'a']);
    let mut sink = Sink::default();
    assert!(Config::read(&files, Path::new("/w"), &Sources::default(), &mut sink).is_some());
    assert_eq!(sink.diagnostics()[0].code, Code::NotUtf8);
}

/// Every table reports an unknown key with the keys that it knows.
#[test]
fn every_key_is_explained_in_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut keys = 0;
    for (name, text) in [
        ("bundle.toml", "zzzzzzzzzz = 1"),
        ("bundle.toml", "[conversion]\nzzzzzzzzzz = 1"),
        (
            "bundle.toml",
            "[conversion.webhook]\nurl = 'https://a'\nzzzzzzzzzz = 1",
        ),
        (
            "bundle.toml",
            "[conversion.webhook.service]\nnamespace = 'a'\nname = 'a'\nzzzzzzzzzz = 1",
        ),
        ("stable.toml", "zzzzzzzzzz = 1"),
        ("stable.toml", "[descriptions]\nzzzzzzzzzz = 1"),
        ("stable.toml", "[descriptions.crds.\"a.b\"]\nzzzzzzzzzz = 1"),
        ("features.toml", "[A]\nsummary = 's'\nzzzzzzzzzz = 1"),
        ("tombstones.toml", "zzzzzzzzzz = 1"),
        ("tombstones.toml", "[[kinds]]\nzzzzzzzzzz = 1"),
        ("tombstones.toml", "[[versions]]\nzzzzzzzzzz = 1"),
        ("tombstones.toml", "[[types]]\nzzzzzzzzzz = 1"),
    ] {
        let (_, found) = read_toml(&[("preview.toml", ""), (name, text)]);
        let known = found
            .iter()
            .filter_map(|(_, finding)| finding.help.as_deref()?.strip_prefix("the keys are "));
        let known: Vec<&str> = known.flat_map(|keys| keys.split(", ")).collect();
        assert!(
            !known.is_empty(),
            "{name}: {text}: {:?}",
            finding_lines(&found)
        );
        for key in known {
            keys += 1;
            let bare = key.trim_matches('`');
            let named = [
                key.to_owned(),
                format!("`service.{bare}`"),
                format!("[{bare}]"),
                format!("[conversion.{bare}"),
                format!("[descriptions.{bare}"),
            ];
            assert!(
                named.iter().any(|name| page.contains(name)),
                "docs/configuration.md does not name {key} of `{name}`"
            );
        }
    }
    assert!(keys > 30);
}
