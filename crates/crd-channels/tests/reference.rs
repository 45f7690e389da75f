//! `reference` as users run it: what it writes, what it leaves alone, and what `--check` finds.

use crate::support::Workspace;
use crate::support::project::ROUTE;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

const OUT: &str = "target/pages";

fn written(format: &str) -> Workspace {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let arguments = ["reference", "--out", OUT, "--format", format];
    workspace.run(&arguments).with_code(0);
    workspace
        .run(&[&arguments[..], &["--check"]].concat())
        .with_code(0);
    workspace
}

fn names(workspace: &Workspace) -> BTreeSet<String> {
    let entries = fs::read_dir(workspace.path(OUT)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn checking_finds_what_is_changed_missing_and_left_over() {
    for (format, ending) in [("site", "html"), ("markdown", "md")] {
        let workspace = written(format);
        let check = ["reference", "--out", OUT, "--format", format, "--check"];
        let page = format!("{OUT}/routes.example.com.{ending}");
        let index = format!("{OUT}/index.{ending}");
        let text = workspace.read(&page);
        workspace.write(&page, text.replace("maxLength", ""));
        workspace.write(&page, &(text.clone() + "more\n"));
        let ran = workspace.run(&check).with_code(1);
        assert_eq!(ran.stdout, format!("stale: {page}\n"));
        fs::remove_file(workspace.path(&index)).unwrap();
        let ran = workspace.run(&check).with_code(1);
        assert_eq!(ran.stdout, format!("missing: {index}\nstale: {page}\n"));
        workspace.run(&check[..5]).with_code(0);
        workspace.run(&check).with_code(0);
        assert_eq!(workspace.read(&page), text);

        // A kind that is gone, one of whose pages somebody has edited, and a file of somebody else.
        let list = format!("{OUT}/crd-channels-reference.txt");
        let old = workspace.read(&list);
        let line = old
            .lines()
            .find(|line| line.ends_with(&format!("  routes.example.com.{ending}")));
        let digest = line.unwrap().split(' ').next().unwrap();
        let more = format!(
            "{digest}  gone.example.com.{ending}\n{digest}  edited.example.com.{ending}\n{digest}  ../Cargo.toml\n"
        );
        workspace.write(&list, &(old + &more));
        workspace.write(&format!("{OUT}/gone.example.com.{ending}"), &text);
        workspace.write(&format!("{OUT}/edited.example.com.{ending}"), "mine\n");
        workspace.write(&format!("{OUT}/other.{ending}"), &text);
        let ran = workspace.run(&check).with_code(1);
        let orphaned = format!("stale: {list}\norphaned: {OUT}/gone.example.com.{ending}\n");
        assert_eq!(ran.stdout, orphaned);
        assert!(
            ran.stderr.contains("it stays, since it was edited"),
            "{}",
            ran.stderr
        );
        let before = names(&workspace);
        workspace.run(&check[..5]).with_code(0);
        let gone: Vec<String> = before.difference(&names(&workspace)).cloned().collect();
        assert_eq!(gone, [format!("gone.example.com.{ending}")]);
        workspace.run(&check).with_code(0);
    }
}

#[test]
fn files_of_others_are_not_replaced() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    workspace.write("docs/index.md", "mine\n");
    let arguments = ["reference", "--out", "docs", "--format", "markdown"];
    let ran = workspace.run(&arguments).with_code(2);
    assert!(
        ran.stderr
            .contains("`docs/index.md` was not written by this command"),
        "{}",
        ran.stderr
    );
    assert_eq!(workspace.read("docs/index.md"), "mine\n");
    assert_eq!(fs::read_dir(workspace.path("docs")).unwrap().count(), 1);
    for folder in [".", "..", "/"] {
        let ran = workspace.run(&["reference", "--out", folder]).with_code(2);
        assert!(
            ran.stderr.contains("pages need a folder of their own"),
            "{}",
            ran.stderr
        );
    }
}

#[test]
fn templates_are_replaced_one_by_one() {
    let workspace = written("site");
    let arguments = [
        "reference",
        "--out",
        OUT,
        "--templates",
        "templates",
        "--title",
        "A <title>",
    ];
    workspace.write("templates/switch.html", "");
    workspace.write("templates/style.css", "body { color: {{ red }} }");
    workspace.write(
        "templates/index.html",
        "{% extends \"layout.html\" %}{% block main %}<h1>Own {{ site.title }}</h1>{% endblock %}",
    );
    workspace.run(&arguments).with_code(0);
    assert!(
        workspace
            .read(&format!("{OUT}/index.html"))
            .contains("<h1>Own A &lt;title&gt;</h1>")
    );
    assert_eq!(
        workspace.read(&format!("{OUT}/style.css")),
        "body { color: {{ red }} }"
    );
    let page = workspace.read(&format!("{OUT}/routes.example.com.html"));
    assert!(
        page.contains("<h1>Route</h1>") && !page.contains("<fieldset"),
        "{page}"
    );
    for (text, expected) in [
        (
            "{{ nowhere.at.all }}",
            "the template `index.html:1` does not work: undefined value",
        ),
        (
            "a\n{% if %}",
            "the template `index.html:2` does not work: syntax error",
        ),
    ] {
        workspace.write("templates/index.html", text);
        let ran = workspace.run(&arguments).with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
    workspace.write("templates/kinds.html", "");
    let ran = workspace.run(&arguments).with_code(2);
    assert!(
        ran.stderr
            .contains("`templates/kinds.html` replaces no template"),
        "{}",
        ran.stderr
    );
    let markdown = [&arguments[..], &["--format", "markdown"]].concat();
    workspace.run(&markdown).with_code(2);
}

#[test]
fn examples_are_on_the_page_of_their_kind() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let route =
        "apiVersion: example.com/v1\nkind: Route\nmetadata: {name: a}\nspec: {host: a.example}\n";
    workspace.write(
        "channels/examples/route/accept/one-host.yaml",
        format!("# The *shortest* route.\n{route}"),
    );
    workspace.write(
        "channels/examples/route/experimental/accept/new.yaml",
        route,
    );
    workspace.write("channels/examples/route/reject/refused.yaml", route);
    let site = ["reference", "--out", OUT];
    workspace.run(&site).with_code(0);
    let page = workspace.read(&format!("{OUT}/routes.example.com.html"));
    let section = page.split_once("id=\"_examples\"").unwrap().1;
    for expected in [
        "<div class=\"example\">\n<h3>one host <span class=\"in\">v1</span></h3>\n<p>The <em>shortest</em> route.</p>",
        "<div class=\"example\" data-only=\"experimental\">\n<h3>new <span class=\"in\">v1, experimental only</span></h3>",
        "<code>apiVersion: example.com&#x2f;v1\nkind: Route\n",
    ] {
        assert!(section.contains(expected), "{expected}\n{section}");
    }
    assert!(!page.contains("refused"), "{section}");
    let markdown = ["reference", "--out", "target/md", "--format", "markdown"];
    workspace.run(&markdown).with_code(0);
    let page = workspace.read("target/md/routes.example.com.md");
    let expected =
        "### one host (v1)\n\nThe *shortest* route.\n\n```text\napiVersion: example.com/v1\n";
    assert!(page.contains(expected), "{page}");
    assert!(page.contains("### new (v1, experimental only)\n"), "{page}");
    workspace.write("channels/examples/route/accept/one-host.yaml", "a: [");
    let ran = workspace.run(&site).with_code(2);
    assert!(ran.stderr.contains("example-unreadable"), "{}", ran.stderr);
}

#[test]
fn fields_link_to_their_lines_of_rust() {
    let workspace = Workspace::new(ROUTE);
    workspace.generate();
    let site = ["reference", "--out", OUT, "--source-links"];
    let web = "https://example.com/api/blob/main/";
    workspace.run(&[&site[..], &[web]].concat()).with_code(0);
    let page = workspace.read(&format!("{OUT}/routes.example.com.html"));
    let source = workspace.read("src/lib.rs");
    for (id, declaration) in [
        ("v1.spec.host", "pub host:"),
        ("v1.spec.timeout", "pub timeout:"),
    ] {
        let (_, field) = page.split_once(&format!("<li id=\"{id}\"")).unwrap();
        let link = "href=\"https:&#x2f;&#x2f;example.com&#x2f;api&#x2f;blob&#x2f;main&#x2f;src&#x2f;lib.rs#L";
        let (_, line) = field.split_once(link).unwrap();
        let (line, _) = line.split_once("\">source</a>").unwrap();
        // From its first attribute or documentation to its name.
        let line: usize = line.parse().unwrap();
        let lines: Vec<&str> = source.lines().skip(line - 1).take(4).collect();
        assert!(
            lines.iter().any(|it| it.contains(declaration)),
            "{id}: {line}"
        );
    }
    workspace.run(&site[..3]).with_code(0);
    let page = workspace.read(&format!("{OUT}/routes.example.com.html"));
    assert!(!page.contains(">source</a>"), "{page}");
    for (more, expected) in [
        (vec!["javascript:alert(1)"], "begins with `https://`"),
        (
            vec![web, "--format", "markdown"],
            "`--source-links` is for sites",
        ),
    ] {
        let ran = workspace.run(&[&site[..], &more].concat()).with_code(2);
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    }
}

/// A server that ends with the test, however that ends.
struct Served {
    child: Child,
    address: String,
}

impl Served {
    fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let mut command = workspace.command(arguments);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap();
        let address = address.split('/').next().unwrap().to_owned();
        Self { child, address }
    }

    /// The answer to a request, from its first line on.
    fn asked(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn page(&self, path: &str) -> String {
        let host = &self.address;
        self.asked(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_served_folder_is_followed_by_whatever_name_it_has() {
    let workspace = written("markdown");
    for named in [
        "generated",
        "./generated/",
        "generated/stable/example.com_routes.yaml",
    ] {
        let served = Served::start(&workspace, &["reference", named, "--serve"]);
        let began = Instant::now();
        let host = format!("The host by {named}.");
        let file = "generated/stable/example.com_routes.yaml";
        let text = workspace.read(file);
        let described = text
            .lines()
            .find(|line| line.contains("description: The host"));
        let (before, _) = described.unwrap().split_once("The host").unwrap();
        workspace.edit(file, described.unwrap(), &format!("{before}{host}"));
        while !served.page("/routes.example.com.html").contains(&host) {
            assert!(began.elapsed() < Duration::from_secs(60), "{named}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn a_served_site_follows_edits_and_is_for_this_machine() {
    let workspace = Workspace::new(ROUTE);
    workspace.write("looks/style.css", "body { color: red }\n");
    let served = Served::start(
        &workspace,
        &["reference", "--serve", "--templates", "looks"],
    );
    let page = "/routes.example.com.html";
    let first = served.page(page);
    assert!(first.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html;"));
    assert!(first.contains("_edition") && !first.contains("The host, in full."));
    assert!(served.page("/").contains("Content-Type: text/html;"));
    assert!(served.page("/style.css?x").contains("color: red"));
    // Nothing but the site, and nothing for pages of others, which a name of theirs could lead here.
    for path in [
        "/../Cargo.toml",
        "/Cargo.toml",
        "//etc/passwd",
        "/%2e%2e/Cargo.toml",
    ] {
        assert!(served.page(path).starts_with("HTTP/1.1 404 "), "{path}");
    }
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\n\r\n", "403"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        ("\r\n\r\n", "403"),
        (
            "GET / HTTP/1.1\r\nHost: example.com\r\nHost: localhost\r\n\r\n",
            "403",
        ),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
            "403",
        ),
        ("GET / HTTP/1.1\r\nHost: LOCALHOST:1\r\n\r\n", "200"),
        (
            "GET http://localhost/style.css HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "200",
        ),
        (
            "GET http://localhost HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "200",
        ),
        ("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"),
    ] {
        let answer = served.asked(request);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
    let head = served.asked("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(
        head.ends_with("\r\n\r\n") && !head.contains("<html"),
        "{head}"
    );
    let edit = |from: &str, to: &str| workspace.edit("src/lib.rs", from, to);
    let until = |page: &str, text: &str| {
        let began = Instant::now();
        while !served.page(page).contains(text) {
            assert!(began.elapsed() < Duration::from_secs(60), "no {text}");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let edition = served.page("/_edition");
    edit("/// The host.\n", "/// The host, in full.\n");
    until(page, "The host, in full.");
    assert_ne!(served.page("/_edition"), edition);
    // What cannot be made leaves the last site, and the next edit is followed again.
    edit(
        "Option<String>,\n    /// How",
        "Option<String>\n    /// How",
    );
    workspace.write("looks/style.css", "body { color: blue }\n");
    edit(
        "Option<String>\n    /// How",
        "Option<String>,\n    /// How",
    );
    edit("/// The host, in full.\n", "/// The name.\n");
    until(page, "The name.");
    until("/style.css", "color: blue");
    // No page, no server.
    edit(
        "Option<String>,\n    /// How",
        "Option<String>\n    /// How",
    );
    workspace.run(&["reference", "--serve"]).with_code(2);
    for arguments in [
        &["reference"][..],
        &["reference", "--serve", "--check"],
        &["reference", "--serve=http"],
        &["reference", "--serve", "--format", "markdown"],
    ] {
        workspace.run(arguments).with_code(2);
    }
    let ran = workspace
        .run(&["reference", "--serve", "8000"])
        .with_code(2);
    let expected = "`--serve` takes its port after `=`: `--serve=8000`";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}
