//! Requests to the API server through `kubectl proxy` on loopback, which handles certificates and tokens.

use super::Failure;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{Read, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// Longer than any of our requests takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The address of the API server.
#[derive(Clone, Copy, Debug)]
pub struct Api {
    /// The port of `kubectl proxy`.
    pub port: u16,
}

/// A response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The headers in order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub text: String,
}

impl Answer {
    /// Returns the body as JSON; null if it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// Returns the values of the `Warning` headers.
    #[must_use]
    pub fn warnings(&self) -> Vec<&str> {
        let headers = self.headers.iter();
        let warnings = headers.filter(|(name, _)| name == "warning");
        warnings.map(|(_, value)| value.as_str()).collect()
    }
}

impl Api {
    /// Gets a path.
    ///
    /// # Errors
    /// Fails if there is no response; here and in the other requests, a refusal is not an error.
    pub fn get(self, path: &str) -> Result<Answer, Failure> {
        self.send("GET", path, &[], "")
    }

    /// Creates an object.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub fn post(self, path: &str, object: &Value) -> Result<Answer, Failure> {
        self.send("POST", path, &[JSON], &object.to_string())
    }

    /// Replaces an object.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub fn put(self, path: &str, object: &Value) -> Result<Answer, Failure> {
        self.send("PUT", path, &[JSON], &object.to_string())
    }

    /// Changes an object by a JSON merge patch.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub fn patch(self, path: &str, patch: &Value) -> Result<Answer, Failure> {
        let merge = ("Content-Type", "application/merge-patch+json");
        self.send("PATCH", path, &[merge], &patch.to_string())
    }

    /// Deletes an object or a collection.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub fn delete(self, path: &str) -> Result<Answer, Failure> {
        self.send("DELETE", path, &[], "")
    }

    /// Sends a request. HTTP 1.0 is sufficient: the response is not chunked and ends with the connection.
    ///
    /// # Errors
    /// Fails if there is no response.
    pub fn send(
        self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Answer, Failure> {
        let mut request = format!("{method} {path} HTTP/1.0\r\nHost: localhost\r\n");
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        let _ = write!(request, "Content-Length: {}\r\n\r\n{body}", body.len());
        let exchange = || {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
            stream.set_read_timeout(Some(TIMEOUT))?;
            stream.write_all(request.as_bytes())?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer)?;
            Ok(answer)
        };
        let answer = exchange().map_err(|error: std::io::Error| {
            Failure::new(format!("{method} {path} was not answered: {error}"))
        })?;
        parse(&String::from_utf8_lossy(&answer))
            .ok_or_else(|| Failure::new(format!("the answer to {method} {path} is not HTTP")))
    }
}

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn parse(answer: &str) -> Option<Answer> {
    let (head, text) = answer.split_once("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
    Some(Answer {
        status,
        headers: headers.collect(),
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::parse;
    use serde_json::json;

    #[test]
    fn answers_are_taken_apart() {
        let answer = parse(
            "HTTP/1.0 404 Not Found\r\nWarning: 299 - \"a: b\"\r\nwarning: 299 - \"c\"\r\n\r\n{\"code\": 404}",
        )
        .unwrap();
        assert_eq!(answer.status, 404);
        assert_eq!(answer.warnings(), ["299 - \"a: b\"", "299 - \"c\""]);
        assert_eq!(answer.json(), json!({"code": 404}));
        for text in ["", "HTTP/1.0", "HTTP/1.0 x\r\n\r\n", "\r\n\r\n"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
