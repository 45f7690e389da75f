//! `reference --serve`: the site on loopback, from memory, made again after every edit.

use crate::commands::diff::origin::root_here;
use crate::commands::diff::unread::Unread;
use crd_channels_generator::pipeline::watch;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The files of a site by name.
type Files = BTreeMap<String, String>;

/// A site, and the number of its edition.
type Edition = (u128, Files);

/// The name under which pages ask whether they are the latest.
const EDITION: &str = "_edition";

/// What is added to pages: once the answer is another one than at first, they load themselves again.
const RELOAD: &str = r#"<script>
(async () => {
  const edition = async () => (await fetch("_edition")).text();
  const first = await edition();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    try { if (await edition() !== first) return location.reload(); } catch {}
  }
})();
</script>
"#;

/// The time in which a browser has to say what it wants. Some connect before they know it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The longest request. Browsers send headers of a few hundred bytes.
const LONGEST: u64 = 1 << 16;

/// Serves what `make` makes, and makes it again whenever the workspace or a file below `also` changes. A site that cannot be made
/// any more stays as it was, and `failed` tells why.
///
/// # Errors
/// Fails if the first site cannot be made, or the port cannot be had; otherwise it never returns.
pub fn serve(
    port: u16,
    also: Vec<PathBuf>,
    make: impl Fn() -> Result<Files, Unread>,
    failed: impl Fn(Unread),
) -> Result<(), Unread> {
    let root = root_here().map_or_else(std::env::current_dir, Ok);
    let root = root.map_err(|error| format!("the current folder cannot be read: {error}"))?;
    let mut seen = watch::look(root, also);
    // Pages of an earlier run load themselves again as well.
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.unwrap_or_default().as_millis();
    let site = Arc::new(Mutex::new((first, make()?)));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) =
        listener.map_err(|error| format!("port {port} cannot be served: {error}"))?;
    println!("http://{address}/ follows every edit; Ctrl-C stops it");
    let shared = Arc::clone(&site);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let site = Arc::clone(&shared);
            thread::spawn(move || answer(stream, &site));
        }
    });
    loop {
        seen = watch::wait(seen);
        match make() {
            Ok(files) => {
                let mut site = site.lock().unwrap_or_else(PoisonError::into_inner);
                let edition = site.0 + 1;
                *site = (edition, files);
            }
            Err(unread) => failed(unread),
        }
    }
}

/// Answers one request. A browser that goes away before it has its answer is not interested in an error.
fn answer(mut stream: TcpStream, site: &Mutex<Edition>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.try_clone()?.take(LONGEST)).lines();
    let asked = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let mut is_local = false;
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        is_local |= is_of_loopback(&line);
    }
    let (status, kind, body) = match (asked.split(' ').collect::<Vec<_>>().as_slice(), is_local) {
        // A name of somebody else that leads here would let their pages read these.
        (_, false) => ("403 Forbidden", "txt", "only for `localhost`\n".to_owned()),
        (["GET", target, _], true) => found(target, site),
        _ => ("405 Method Not Allowed", "txt", "only `GET`\n".to_owned()),
    };
    let kind = match kind {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        _ => "text/plain",
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// Whether a header names this machine as the host that the browser thinks it talks to, on any port: some forward one.
fn is_of_loopback(header: &str) -> bool {
    let Some((name, host)) = header.split_once(':') else {
        return false;
    };
    let host = host.trim();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    name.eq_ignore_ascii_case("host") && ["localhost", "127.0.0.1"].contains(&host)
}

/// The status, the extension and the text of what is asked for.
fn found<'t>(target: &'t str, site: &Mutex<Edition>) -> (&'static str, &'t str, String) {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let site = site.lock().unwrap_or_else(PoisonError::into_inner);
    if name == EDITION {
        return ("200 OK", "txt", site.0.to_string());
    }
    let kind = name.rsplit('.').next().unwrap_or_default();
    match site.1.get(name) {
        Some(text) if kind == "html" => ("200 OK", kind, format!("{text}{RELOAD}")),
        Some(text) => ("200 OK", kind, text.clone()),
        None => ("404 Not Found", "txt", "no such page\n".to_owned()),
    }
}
