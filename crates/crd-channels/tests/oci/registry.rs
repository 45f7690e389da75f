//! A registry on loopback that can be wrong in every way, until dropped.

use crd_channels_released::digest::Digest;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// What is at the place of a blob.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Blob {
    #[default]
    Right,
    /// Other bytes of the same length.
    Other,
    /// The first half, and then the end of the connection.
    Half,
    /// The first half, as if it were everything.
    Short,
    /// More and more bytes.
    Endless,
    /// Nothing.
    Absent,
}

/// How a registry behaves.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// The answer to a request for a token by `user` with the password `secret`; without one, nobody has to log in.
    pub token: Option<&'static str>,
    /// Whether it has the API for referrers.
    pub knows_referrers: bool,
    /// The most tags in a page, whatever is asked for.
    pub page: Option<usize>,
    /// Whether that API states the type of the configuration as the kind, as a draft of the specification had it.
    pub is_draft: bool,
    /// Whether it does not say where something is that was pushed.
    pub is_terse: bool,
    /// Whether blobs are on another host.
    pub redirects: bool,
    pub blob: Blob,
    /// Bytes in place of a manifest with a digest.
    pub manifest: Option<Vec<u8>>,
}

#[derive(Default)]
pub struct State {
    pub manner: Manner,
    pub blobs: BTreeMap<String, Vec<u8>>,
    /// By tag and by digest.
    pub manifests: BTreeMap<String, Vec<u8>>,
    /// The requests, with what the header `Authorization` says.
    pub requests: Vec<(String, String)>,
    ends: bool,
}

pub struct Registry {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

struct Request {
    method: String,
    path: String,
    query: String,
    authorization: String,
    body: Vec<u8>,
}

struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
    /// The length that is announced, if it is not that of the body.
    length: Option<usize>,
}

impl Answer {
    fn of(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: String::new(),
            body: body.into(),
            length: None,
        }
    }

    fn absent() -> Self {
        let errors = json!({"errors": [{"code": "MANIFEST_UNKNOWN", "message": "unknown"}]});
        Self::of(404, errors.to_string())
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push_str(&format!("{name}: {value}\r\n"));
        self
    }
}

impl Registry {
    pub fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State {
            manner,
            ..State::default()
        }));
        let shared = Arc::clone(&state);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.lock().unwrap().ends {
                    return;
                }
                // A client that closes the connection does not affect others.
                let _ = stream.and_then(|stream| serve(stream, address, &shared));
            }
        });
        Self {
            address,
            state,
            thread: Some(thread),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// The repository, as the command line takes it.
    pub fn repository(&self) -> String {
        format!("oci://{}/edge/crds", self.address)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.state().ends = true;
        let _ = TcpStream::connect(self.address);
        let _ = self.thread.take().unwrap().join();
    }
}

fn serve(mut stream: TcpStream, own: SocketAddr, state: &Mutex<State>) -> std::io::Result<()> {
    // A handshake of TLS, which has no end of a line to wait for.
    let mut first = [0];
    if stream.peek(&mut first)? == 0 || first == [0x16] {
        return Ok(());
    }
    let request = read(&mut BufReader::new(stream.try_clone()?))?;
    let mut state = state.lock().unwrap();
    let shown = format!("{} {}", request.method, request.path);
    state.requests.push((shown, request.authorization.clone()));
    let endless = state.manner.blob == Blob::Endless && request.path.contains("/blobs/sha256:");
    let answer = answer(&request, own, &mut state);
    drop(state);
    write!(
        stream,
        "HTTP/1.1 {} Answer\r\n{}Content-Length: {}\r\nConnection: close\r\n\r\n",
        answer.status,
        answer.headers,
        answer.length.unwrap_or(answer.body.len())
    )?;
    stream.write_all(&answer.body)?;
    if endless && request.method == "GET" {
        while stream.write_all(&[0; 65_536]).is_ok() {}
    }
    Ok(())
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Request> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default().replace("%3A", ":");
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request = Request {
        method,
        path: path.to_owned(),
        query: query.to_owned(),
        authorization: String::new(),
        body: Vec::new(),
    };
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_lowercase().as_str() {
            "authorization" => request.authorization = value.to_owned(),
            "content-length" => length = value.parse().unwrap(),
            _ => {}
        }
    }
    reader.take(length).read_to_end(&mut request.body)?;
    Ok(request)
}

impl Request {
    fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&');
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

fn answer(request: &Request, own: SocketAddr, state: &mut State) -> Answer {
    let Request {
        method,
        path,
        authorization,
        body,
        ..
    } = request;
    if path == "/token" {
        // `user:secret`
        return match (
            authorization == "Basic dXNlcjpzZWNyZXQ=",
            state.manner.token,
        ) {
            (true, Some(token)) => Answer::of(200, json!({"token": token}).to_string()),
            _ => Answer::of(401, "who are you?"),
        };
    }
    if let Some(digest) = path.strip_prefix("/storage/") {
        return Answer::of(200, state.blobs[digest].clone());
    }
    if let Some(token) = state.manner.token
        && *authorization != format!("Bearer {token}")
    {
        let challenge = format!("Bearer realm=\"http://{own}/token\",service=\"tests\"");
        return Answer::of(401, "").with("WWW-Authenticate", &challenge);
    }
    let Some(path) = path.strip_prefix("/v2/edge/crds/") else {
        return match path.as_str() {
            "/v2/" => Answer::of(200, "{}"),
            _ => Answer::of(
                404,
                json!({"errors": [{"code": "NAME_UNKNOWN", "message": "unknown"}]}).to_string(),
            ),
        };
    };
    let location = format!("/v2/edge/crds/{path}");
    match (method.as_str(), path.split_once('/')) {
        ("GET", Some(("tags", "list"))) => tags(request, state),
        ("GET", Some(("manifests", reference))) => manifest(reference, state),
        ("PUT", Some(("manifests", reference))) => {
            let digest = Digest::of(body).to_string();
            for name in [reference.to_owned(), digest] {
                state.manifests.insert(name, body.clone());
            }
            pushed(&location, state)
        }
        ("POST", Some(("blobs", "uploads/"))) => {
            Answer::of(202, "").with("Location", &format!("{location}1"))
        }
        ("PUT", Some(("blobs", "uploads/1"))) => {
            let digest = request.parameter("digest").unwrap().to_owned();
            assert_eq!(Digest::of(body).to_string(), digest);
            state.blobs.insert(digest, body.clone());
            pushed(&location, state)
        }
        ("HEAD", Some(("blobs", digest))) => match state.blobs.contains_key(digest) {
            true => Answer::of(200, ""),
            false => Answer::of(404, ""),
        },
        ("GET", Some(("blobs", digest))) if state.manner.redirects => {
            let other = format!("http://localhost:{}/storage/{digest}", own.port());
            Answer::of(307, "").with("Location", &other)
        }
        ("GET", Some(("blobs", digest))) => blob(digest, state),
        ("GET", Some(("referrers", digest))) if state.manner.knows_referrers => {
            referrers(digest, state)
        }
        _ => Answer::of(404, "page not found"),
    }
}

fn pushed(location: &str, state: &State) -> Answer {
    match state.manner.is_terse {
        true => Answer::of(201, ""),
        false => Answer::of(201, "").with("Location", location),
    }
}

fn tags(request: &Request, state: &State) -> Answer {
    let last = request.parameter("last").unwrap_or_default();
    let names = state.manifests.keys();
    let names = names.filter(|name| !name.contains(':') && name.as_str() > last);
    let page = state.manner.page.unwrap_or(usize::MAX);
    let names: Vec<&String> = names.take(page).collect();
    Answer::of(200, json!({"name": "edge/crds", "tags": names}).to_string())
}

fn manifest(reference: &str, state: &State) -> Answer {
    let other = state.manner.manifest.as_ref();
    let other = other.filter(|_| reference.contains(':'));
    match other.or_else(|| state.manifests.get(reference)) {
        Some(bytes) => Answer::of(200, bytes.clone()),
        None => Answer::absent(),
    }
}

fn blob(digest: &str, state: &State) -> Answer {
    let Some(bytes) = state.blobs.get(digest) else {
        return Answer::absent();
    };
    let half = bytes[..bytes.len() / 2].to_vec();
    match state.manner.blob {
        Blob::Right => Answer::of(200, bytes.clone()),
        Blob::Other => Answer::of(200, vec![0; bytes.len()]),
        Blob::Short => Answer::of(200, half),
        Blob::Half => Answer {
            length: Some(bytes.len()),
            ..Answer::of(200, half)
        },
        Blob::Endless => Answer {
            length: Some(usize::MAX / 4),
            ..Answer::of(200, half)
        },
        Blob::Absent => Answer::absent(),
    }
}

/// Looks through everything, as an index of a registry would have it.
fn referrers(digest: &str, state: &State) -> Answer {
    let all = state
        .manifests
        .iter()
        .filter(|(name, _)| name.contains(':'));
    let all = all.filter_map(|(name, bytes)| {
        let manifest: Value = serde_json::from_slice(bytes).unwrap();
        (manifest["subject"]["digest"] == *digest).then(|| {
            let kind = match state.manner.is_draft {
                true => &manifest["config"]["mediaType"],
                false => &manifest["artifactType"],
            };
            json!({
                "mediaType": manifest["mediaType"],
                "artifactType": kind,
                "digest": name,
                "size": bytes.len(),
            })
        })
    });
    let all: Vec<Value> = all.collect();
    let index = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": all,
    });
    Answer::of(200, index.to_string())
}
