//! A static site: pages that work without a server, without the network and without scripts.

pub(crate) mod markdown;
mod search;
mod timeline;

use crate::anchor::{href, id, visible};
use crate::api::Api;
use crate::features::FeatureHistory;
use crate::life::status;
use crate::pages::KindPage;
use crate::survey::{ReleaseChanges, Survey, Surveyed, add_compared, survey};
use crate::view::{KindView, kind_view};
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, HtmlEscape, Value, context, escape_formatter};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The templates of pages, which can be replaced one by one.
const TEMPLATES: [(&str, &str); 7] = [
    ("changes.html", include_str!("../templates/changes.html")),
    ("features.html", include_str!("../templates/features.html")),
    ("field.html", include_str!("../templates/field.html")),
    ("index.html", include_str!("../templates/index.html")),
    ("kind.html", include_str!("../templates/kind.html")),
    ("layout.html", include_str!("../templates/layout.html")),
    ("switch.html", include_str!("../templates/switch.html")),
];

/// Files beside the pages, which are written as they are and can be replaced as well.
const FILES: [(&str, &str); 2] = [
    ("script.js", include_str!("../templates/script.js")),
    ("style.css", include_str!("../templates/style.css")),
];

/// How pages are made.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The title; by default the group, if there is one.
    pub title: Option<String>,
    /// Templates in the place of the built-in ones, by their names.
    pub templates: BTreeMap<String, String>,
    /// The folder of the workspace on the web, if fields link to their lines of Rust.
    pub source_links: Option<String>,
}

impl Look {
    /// The names that templates can have.
    pub fn template_names() -> impl Iterator<Item = &'static str> {
        TEMPLATES.iter().chain(&FILES).map(|(name, _)| *name)
    }

    /// Returns the title of pages about an API.
    pub(crate) fn title(&self, api: &Api) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let last = api.releases.last();
        let groups: BTreeSet<&str> = last
            .iter()
            .flat_map(|last| last.set.channels.values())
            .flat_map(|crds| crds.values())
            .map(|published| &*published.written.group)
            .collect();
        match groups.first() {
            Some(group) if groups.len() == 1 => (*group).to_owned(),
            _ => "API reference".to_owned(),
        }
    }
}

/// What all pages say about the site.
#[derive(Serialize)]
struct Site<'a> {
    title: String,
    release: Option<&'a str>,
    oldest: Option<&'a str>,
    has_features: bool,
    has_changes: bool,
    /// What lines of Rust are linked to, with a slash at its end.
    source_links: Option<String>,
}

/// A kind in the index.
#[derive(Serialize)]
struct Line<'a> {
    group: &'a str,
    kind: &'a str,
    href: String,
    versions: Vec<VersionName>,
    channels: Vec<&'static str>,
    only: Option<&'static str>,
    summary: String,
}

/// A version in the index.
#[derive(Serialize)]
struct VersionName {
    name: String,
    presence: Option<String>,
    only: Option<&'static str>,
}

/// A rendered page, with what other pages need to know about its kind.
struct Made {
    html: String,
    search: String,
    versions: Vec<VersionName>,
    channels: Vec<&'static str>,
    summary: String,
}

/// Returns the files of the site, by their paths.
///
/// # Errors
/// Returns why a template cannot be read or rendered.
pub fn site(api: &Api, look: &Look) -> Result<BTreeMap<String, String>, String> {
    let environment = environment(look)?;
    let releases: Vec<&str> = api.releases.iter().map(|it| &*it.name).collect();
    let has_changes = releases.len() > 1;
    let site = Value::from(Serde(Site {
        title: look.title(api),
        release: releases.last().copied(),
        oldest: api.oldest(),
        has_features: api.releases.iter().any(|it| !it.features.is_empty()),
        has_changes,
        source_links: look
            .source_links
            .as_ref()
            .map(|folder| format!("{}/", folder.trim_end_matches('/'))),
    }));
    let Survey {
        kinds,
        features,
        mut changes,
    } = survey::<_, String>(api, |page, file| {
        let mut view = kind_view(page, api.has_history());
        for version in &mut view.versions {
            version.timeline = timeline::timeline(version.name, version.life, &releases);
        }
        let search = search::entry(&view, file);
        let made = made(page, &view, search);
        let context = context! { site => site.clone(), page => "kind", kind => Serde(view) };
        let html = render(&environment, "kind.html", context)?;
        Ok(Made { html, ..made })
    })?;
    let mut files: BTreeMap<String, String> = FILES
        .iter()
        .map(|(name, text)| {
            let own = look.templates.get(*name).map(String::as_str);
            ((*name).to_owned(), own.unwrap_or(text).to_owned())
        })
        .collect();
    let entries = kinds
        .iter()
        .filter_map(|kind| Some(&*kind.page.as_ref()?.search));
    files.insert("search.js".to_owned(), search::script(entries, &changes));
    let lines = lines(&kinds);
    let has_channels = lines.iter().any(|line| line.only.is_some())
        || kinds
            .iter()
            .any(|it| it.page.as_ref().is_some_and(|page| page.channels.len() > 1));
    let context = context! {
        site => site.clone(), page => "index", kinds => Serde(lines), has_channels,
    };
    files.insert(
        "index.html".to_owned(),
        render(&environment, "index.html", context)?,
    );
    if !features.is_empty() {
        let context = context! {
            site => site.clone(), page => "features", features => Serde(feature_entries(features)),
        };
        files.insert(
            "features.html".to_owned(),
            render(&environment, "features.html", context)?,
        );
    }
    if has_changes {
        add_compared(api, &mut changes);
        let context = context! {
            site => site.clone(), page => "changes", has_channels,
            changes => Serde(release_entries(changes)),
        };
        files.insert(
            "changes.html".to_owned(),
            render(&environment, "changes.html", context)?,
        );
    }
    for kind in kinds {
        if let (Some(file), Some(page)) = (kind.file, kind.page) {
            files.insert(format!("{file}.html"), page.html);
        }
    }
    Ok(files)
}

fn made(page: &KindPage, view: &KindView<'_>, search: String) -> Made {
    let names = page
        .versions
        .iter()
        .zip(&view.versions)
        .map(|(version, view)| {
            let last = version.life.last();
            VersionName {
                name: version.name.clone(),
                presence: last.map(|step| step.presence.to_string()),
                only: view.only,
            }
        });
    Made {
        html: String::new(),
        search,
        versions: names.collect(),
        channels: page.channels.clone(),
        summary: view.purpose(),
    }
}

/// The lines of the index.
fn lines(kinds: &[Surveyed<Made>]) -> Vec<Line<'_>> {
    let channels = kinds.iter().filter_map(|kind| kind.page.as_ref());
    let channels: BTreeSet<&'static str> = channels.flat_map(|it| it.channels.clone()).collect();
    let lines = kinds.iter().filter_map(|kind| {
        let page = kind.page.as_ref()?;
        Some(Line {
            group: &kind.group,
            kind: &kind.kind,
            href: format!("{}.html", kind.file.as_ref()?),
            only: match page.channels.as_slice() {
                [one] if channels.len() > 1 => Some(one),
                _ => None,
            },
            versions: page
                .versions
                .iter()
                .map(|version| VersionName {
                    name: version.name.clone(),
                    presence: version.presence.clone(),
                    only: version.only,
                })
                .collect(),
            channels: page.channels.clone(),
            summary: page.summary.clone(),
        })
    });
    lines.collect()
}

/// Features as their page shows them.
fn feature_entries(features: Vec<FeatureHistory>) -> Vec<Value> {
    let entries = features.into_iter().map(|feature| {
        let gates = feature.gates.map(|gates| {
            let gates = gates.into_iter().map(|gate| {
                let places = gate.places.into_iter().map(|place| {
                    let text = match place.id {
                        None => "the kind",
                        Some(_) => "its description",
                    };
                    let hash = place.id.map_or_else(String::new, |id| href(&id));
                    context! {
                        href => place.file.map(|file| format!("{file}.html{hash}")),
                        text, state => status(&place.life), reason => place.reason,
                    }
                });
                let places: Vec<Value> = places.collect();
                context! {
                    kind => gate.kind, version => gate.version, path => gate.path,
                    what => gate.what, detail => gate.detail, without => gate.without, places,
                }
            });
            gates.collect::<Vec<Value>>()
        });
        context! {
            id => id(&feature.name, ""),
            name => feature.name, summary => feature.summary, owner => feature.owner,
            link => feature.link, since => feature.since, ended => feature.ended, gates,
        }
    });
    entries.collect()
}

/// Changes as their page shows them.
fn release_entries(changes: Vec<ReleaseChanges>) -> Vec<Value> {
    let releases = changes.into_iter().map(|release| {
        let kinds = release.kinds.into_iter().map(|kind| {
            let page = kind.file.map(|file| format!("{file}.html"));
            let is_experimental = kind.changes.iter().all(|change| change.only.is_some());
            let changes = kind.changes.into_iter().map(|change| {
                let href = match (&page, change.id) {
                    (Some(page), Some(id)) => Some(format!("{page}{}", href(&id))),
                    _ => None,
                };
                context! {
                    version => change.version, path => change.path, value => change.value,
                    words => change.words, reason => change.reason, only => change.only, href,
                }
            });
            let changes: Vec<Value> = changes.collect();
            let only = is_experimental.then_some("experimental");
            context! { only, group => kind.group, kind => kind.kind, href => page, changes }
        });
        let kinds: Vec<Value> = kinds.collect();
        context! {
            release => release.release, bundle => Serde(release.bundle), kinds,
            work => Serde(release.compared.work), others => Serde(release.compared.others),
            descriptions => release.compared.descriptions,
        }
    });
    releases.collect()
}

/// Returns what renders pages: escaping is on in all templates.
fn environment(look: &Look) -> Result<Environment<'_>, String> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(|out, state, value| match value.as_str() {
        // Neither a page nor who reads it gets invisible characters.
        Some(text) if !value.is_safe() && matches!(visible(text), std::borrow::Cow::Owned(_)) => {
            escape_formatter(out, state, &Value::from(visible(text).into_owned()))
        }
        _ => escape_formatter(out, state, value),
    });
    environment.add_filter("markdown", |text: &str| {
        Value::from_safe_string(markdown::rendered(text))
    });
    environment.add_filter("words", |text: &str| Value::from_safe_string(words(text)));
    environment.add_filter("feature_href", |name: &str| href(&id(name, "")));
    environment.add_test("weblink", markdown::is_link);
    for (name, built_in) in TEMPLATES {
        let text = look.templates.get(name).map_or(built_in, String::as_str);
        environment
            .add_template(name, text)
            .map_err(|error| wrong(name, &error))?;
    }
    Ok(environment)
}

fn render(environment: &Environment<'_>, name: &str, context: Value) -> Result<String, String> {
    let rendered = environment
        .get_template(name)
        .and_then(|template| template.render(context));
    let mut text = rendered.map_err(|error| wrong(name, &error))?;
    text.push('\n');
    Ok(text)
}

/// What is wrong with a template, in one line.
fn wrong(name: &str, error: &minijinja::Error) -> String {
    let place = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{name}:{line}"),
        _ => name.to_owned(),
    };
    let detail = error
        .detail()
        .map_or_else(String::new, |detail| format!(": {detail}"));
    format!(
        "the template `{place}` does not work: {}{detail}",
        error.kind()
    )
}

/// Facts in words, where backquotes mark code.
fn words(text: &str) -> String {
    let text = visible(text);
    let mut html = String::with_capacity(text.len());
    for part in markdown::parts(&text) {
        // Writing into a string cannot fail.
        let _ = match part {
            markdown::Part::Text(text) => write!(html, "{}", HtmlEscape(text)),
            markdown::Part::Code(code) => write!(html, "<code>{}</code>", HtmlEscape(code)),
        };
    }
    html
}
