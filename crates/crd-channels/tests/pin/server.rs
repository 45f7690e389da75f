//! Git repositories over HTTP on loopback, as plain files or through `git http-backend`, until dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// The way in which repositories are served.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Manner {
    /// As plain files.
    Files,
    /// By git's own server.
    Backend,
}

pub struct Server {
    address: SocketAddr,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The head and the body of a request.
struct Request {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// Whether this machine's git supports it.
pub fn can(manner: Manner) -> bool {
    let ran = Command::new("git").arg("--exec-path").output().unwrap();
    let folder = PathBuf::from(String::from_utf8(ran.stdout).unwrap().trim());
    let has = |name: &str| folder.join(name).is_file();
    has("git-remote-http") && (manner == Manner::Files || has("git-http-backend"))
}

impl Server {
    /// Serves the repositories in a folder.
    pub fn start(root: &Path, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ends = Arc::new(AtomicBool::new(false));
        let (root, end) = (root.to_path_buf(), Arc::clone(&ends));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    return;
                }
                // A client that closes the connection does not affect others.
                let _ = stream.and_then(|stream| answer(stream, &root, manner));
            }
        });
        Self {
            address,
            ends,
            thread: Some(thread),
        }
    }

    pub fn url(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        let _ = self.thread.take().unwrap().join();
    }
}

fn answer(mut stream: TcpStream, root: &Path, manner: Manner) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let request = read(&mut reader)?;
    let (status, headers, body) = match manner {
        Manner::Files => file(root, &request),
        Manner::Backend => backend(root, &request)?,
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}

fn read(reader: &mut impl BufRead) -> std::io::Result<Request> {
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut words = first.split_whitespace();
    let method = words.next().unwrap_or_default().to_owned();
    let target = words.next().unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push((name.to_lowercase(), value.to_owned())),
            None => break,
        }
    }
    let mut request = Request {
        method,
        path,
        query,
        headers,
        body: Vec::new(),
    };
    let length = request.header("content-length").parse().unwrap_or(0);
    reader.take(length).read_to_end(&mut request.body)?;
    Ok(request)
}

impl Request {
    fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }
}

type Reply = (String, String, Vec<u8>);

fn file(root: &Path, request: &Request) -> Reply {
    match std::fs::read(root.join(request.path.trim_start_matches('/'))) {
        Ok(bytes) => ("200 OK".to_owned(), String::new(), bytes),
        Err(_) => ("404 Not Found".to_owned(), String::new(), Vec::new()),
    }
}

fn backend(root: &Path, request: &Request) -> std::io::Result<Reply> {
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .env("REQUEST_METHOD", &request.method)
        .env("PATH_INFO", &request.path)
        .env("QUERY_STRING", &request.query)
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .env_remove("GIT_DIR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    child.stdin.take().unwrap().write_all(&request.body)?;
    let output = child.wait_with_output()?.stdout;
    let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    let (head, body) = output.split_at(end.unwrap_or(0));
    let mut status = "200 OK".to_owned();
    let mut headers = String::new();
    for line in String::from_utf8_lossy(head).lines() {
        match line.strip_prefix("Status: ") {
            Some(given) => status = given.to_owned(),
            None => headers.push_str(&format!("{line}\r\n")),
        }
    }
    Ok((status, headers, body.get(4..).unwrap_or_default().to_vec()))
}
