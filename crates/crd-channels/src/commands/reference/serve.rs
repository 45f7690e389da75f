//! `reference --serve`: the site on loopback, from memory, made again after every edit.

use crate::commands::diff::unread::Unread;
use crd_channels_gen_crds::watch;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The files of a site by name.
type Files = BTreeMap<String, String>;

/// A site, and the number of its edition.
type Edition = (u128, Files);

/// The name under which pages ask which edition is the latest.
const EDITION: &str = "_edition";

/// What is added to pages: once the latest edition is another one than their own, they load themselves again.
const RELOAD: &str = r#"<script>
setInterval(async () => {
  try { if (await (await fetch("_edition")).text() !== "EDITION") location.reload(); } catch {}
}, 500);
</script>
"#;

/// The time that a browser may take between two parts of its request. Some connect before they know what they want.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time until connections are accepted again if the machine has no room for one.
const REST: Duration = Duration::from_millis(100);

/// The longest request. Browsers send headers of a few hundred bytes.
const LONGEST: u64 = 1 << 16;

/// Serves what `make` makes, and makes it again after every change that is `seen`. A site that cannot be made any more stays as it
/// was, and `failed` tells why.
///
/// # Errors
/// Fails if the first site cannot be made, or the port cannot be had; otherwise it never returns.
pub fn serve(
    port: u16,
    mut seen: watch::Seen,
    make: impl Fn() -> Result<Files, Unread>,
    failed: impl Fn(Unread),
) -> Result<(), Unread> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) =
        listener.map_err(|error| format!("port {port} cannot be served: {error}"))?;
    // Pages of an earlier run load themselves again as well.
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.unwrap_or_default().as_millis();
    let site = Arc::new(Mutex::new((first, make()?)));
    println!("http://{address}/ follows every edit; Ctrl-C stops it");
    let shared = Arc::clone(&site);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let site = Arc::clone(&shared);
            let answered = stream
                .and_then(|stream| thread::Builder::new().spawn(move || answer(stream, &site)));
            if answered.is_err() {
                thread::sleep(REST);
            }
        }
    });
    loop {
        seen = watch::wait(seen);
        match make() {
            Ok(files) => {
                let mut site = site.lock().unwrap_or_else(PoisonError::into_inner);
                if site.1 != files {
                    *site = (site.0 + 1, files);
                }
                status!("made again");
            }
            Err(unread) => failed(unread),
        }
    }
}

/// Answers one request. A browser that goes away before it has its answer is not interested in an error.
fn answer(mut stream: TcpStream, site: &Mutex<Edition>) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new((&stream).take(LONGEST));
    let mut next = || {
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line)?;
        io::Result::Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    };
    let asked = next()?;
    let mut hosts = Vec::new();
    let mut is_of_others = false;
    loop {
        let line = next()?;
        let Some((name, value)) = line.split_once(':') else {
            break;
        };
        match &*name.to_ascii_lowercase() {
            "host" => hosts.push(value.trim().to_ascii_lowercase()),
            "sec-fetch-site" => is_of_others = value.trim() == "cross-site",
            _ => {}
        }
    }
    let is_local = hosts.len() == 1 && hosts.iter().all(|host| is_loopback(host)) && !is_of_others;
    let asked: Vec<&str> = asked.split(' ').collect();
    let (status, kind, body) = match (asked.as_slice(), is_local) {
        // A name of somebody else that leads here would let their pages read these.
        (_, false) => ("403 Forbidden", "txt", "only for `localhost`\n".to_owned()),
        (["GET" | "HEAD", target, _], true) => found(target, site),
        _ => ("405 Method Not Allowed", "txt", "only `GET`\n".to_owned()),
    };
    let kind = match kind {
        "html" => "text/html",
        "css" => "text/css",
        "js" => "text/javascript",
        _ => "text/plain",
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nAllow: GET, HEAD\r\nCache-Control: no-store\r\nConnection: close\r\nCross-Origin-Resource-Policy: same-origin\r\nX-Content-Type-Options: nosniff\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    match asked.first() {
        Some(&"HEAD") => Ok(()),
        _ => stream.write_all(body.as_bytes()),
    }
}

/// Whether a browser thinks that it talks to this machine, on any port: some forward one.
fn is_loopback(host: &str) -> bool {
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    ["localhost", "127.0.0.1"].contains(&host)
}

/// The status, the extension and the text of what is asked for.
fn found<'t>(target: &'t str, site: &Mutex<Edition>) -> (&'static str, &'t str, String) {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    // Proxies ask for whole URLs.
    let path = match path.strip_prefix("http://") {
        Some(rest) => rest.split_once('/').map_or("", |(_, path)| path),
        None => path,
    };
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let site = site.lock().unwrap_or_else(PoisonError::into_inner);
    if name == EDITION {
        return ("200 OK", "txt", site.0.to_string());
    }
    let kind = name.rsplit('.').next().unwrap_or_default();
    let reload = || RELOAD.replace("EDITION", &site.0.to_string());
    match site.1.get(name) {
        Some(text) if kind == "html" => ("200 OK", kind, format!("{text}{}", reload())),
        Some(text) => ("200 OK", kind, text.clone()),
        // The page of a kind that is renamed comes back once its name does.
        None => (
            "404 Not Found",
            "html",
            format!("no such page\n{}", reload()),
        ),
    }
}
