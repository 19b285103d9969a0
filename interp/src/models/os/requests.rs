//! Made-up messages of HTTP: requests of clients, and answers of servers (RFC 9110, RFC 4918 for methods of WebDAV).

use crate::host::{Endpoint, PathSegment};
use crate::inputs::Chooser;
use crate::rng::Rng;

/// Methods of requests; half of them only read.
const METHODS: [&str; 10] = ["GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"];
/// Fields that servers often read.
const FIELDS: [&str; 12] = [
    "Accept: application/json",
    "Accept-Encoding: gzip",
    // `admin:admin`
    "Authorization: Basic YWRtaW46YWRtaW4=",
    "Connection: close",
    "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
     Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Cookie: session=1",
    "Depth: 1",
    // A word follows.
    "Destination: http://localhost/",
    "If-Modified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
    "If-None-Match: \"1\"",
    "Origin: http://localhost",
    "Range: bytes=0-3",
];
/// Statuses of answers; most are good.
const STATUSES: [&str; 6] = ["200 OK", "200 OK", "200 OK", "201 Created", "404 Not Found", "500 Internal Server Error"];
/// A parameter that is a UUID.
const UUID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
/// First characters of a route's parameters.
const PARAMETER: [char; 3] = ['{', ':', '<'];
/// Lengths of names that are methods rather than other words in capitals.
const METHOD: std::ops::RangeInclusive<usize> = 3..=12;

/// The characters of a text that may stand in a target, and those of `further`.
fn plain(text: &[u8], further: &[u8]) -> String {
    let is_plain = |it: &&u8| it.is_ascii_alphanumeric() || b"-._~/".contains(it) || further.contains(it);
    text.iter().filter(is_plain).copied().map(char::from).collect()
}

/// Whether a text looks like a method.
fn is_method(text: &[u8]) -> bool {
    METHOD.contains(&text.len()) && text.iter().all(u8::is_ascii_uppercase)
}

/// Whether requests with this method usually have a body.
fn has_body(method: &str) -> bool {
    matches!(method, "POST" | "PUT" | "PATCH")
}

impl Chooser<'_> {
    /// A method: a usual one, or a word of the program's that looks like one.
    fn method(&self, rng: &mut Rng) -> String {
        let own: Vec<&[u8]> = self.dictionary.words.iter().map(|it| &**it).filter(|it| is_method(it)).collect();
        match own.get(rng.index(own.len().max(1))) {
            Some(own) if rng.chance(1, 3) => String::from_utf8_lossy(own).into_owned(),
            _ => METHODS.get(rng.index(METHODS.len())).copied().unwrap_or("GET").to_owned(),
        }
    }

    /// A word that may stand in a target.
    fn target_word(&self, rng: &mut Rng) -> String {
        plain(&self.word(rng), b"").trim_matches('/').to_owned()
    }

    /// A path: mostly a route of the program's, if it has any, with words for its parameters; else of few words.
    fn path(&self, rng: &mut Rng) -> String {
        let routes = &self.dictionary.routes;
        if let Some(route) = routes.get(rng.index(routes.len().max(1)))
            && rng.chance(3, 4)
        {
            let route = String::from_utf8_lossy(route).into_owned();
            let segments = route.split('/').map(|segment| match segment.starts_with(PARAMETER) {
                true => self.target_word(rng),
                false => segment.to_owned(),
            });
            return segments.collect::<Vec<_>>().join("/");
        }
        let mut path = String::new();
        for _ in 0..rng.below(3) {
            path += "/";
            path += &self.target_word(rng);
        }
        if path.is_empty() || rng.chance(1, 4) {
            path += "/";
        }
        path
    }

    /// A query of the program's own, with values where it lacks them.
    fn query(&self, rng: &mut Rng) -> Option<String> {
        let own = &self.dictionary.queries;
        let mut query = String::new();
        for _ in 0..=rng.below(2) {
            let part = own.get(rng.index(own.len().max(1)))?;
            if !query.is_empty() {
                query.push('&');
            }
            query += &String::from_utf8_lossy(part);
            if part.ends_with(b"=") {
                query += &self.target_word(rng);
            }
        }
        Some(query)
    }

    /// The target of a request: a path, often with a query.
    fn target(&self, rng: &mut Rng) -> String {
        let mut target = self.path(rng);
        if rng.chance(1, 2)
            && let Some(query) = self.query(rng)
        {
            return target + "?" + &query;
        }
        if rng.chance(1, 3) {
            target += "?";
            target += &self.target_word(rng);
            if rng.chance(1, 3) {
                target += "=";
                target += &self.target_word(rng);
            }
        }
        target
    }

    /// A request: mostly to a route that the program registers, with what its handler reads.
    pub(super) fn request(&self, rng: &mut Rng) -> Vec<u8> {
        let endpoints = &self.dictionary.endpoints;
        match endpoints.get(rng.index(endpoints.len().max(1))) {
            Some(endpoint) if rng.chance(7, 8) => self.request_to(endpoint, rng),
            _ => self.any_request(rng),
        }
    }

    /// A request that a handler reads. Clients ask for the same things, because what they share is where they meet.
    fn request_to(&self, endpoint: &Endpoint, rng: &mut Rng) -> Vec<u8> {
        let method = match &*endpoint.method {
            b"" => self.method(rng),
            method => plain(method, b""),
        };
        let mut target = String::new();
        for segment in &endpoint.path {
            target += "/";
            target += &match segment {
                PathSegment::Text(text) => plain(text, b""),
                PathSegment::Number => rng.below(3).to_string(),
                PathSegment::Uuid => UUID.to_owned(),
                PathSegment::Word if rng.chance(1, 2) => self.target_word(rng),
                PathSegment::Word => "1".to_owned(),
            };
        }
        if target.is_empty() {
            target.push('/');
        }
        if let Some(query) = endpoint.queries.get(rng.index(endpoint.queries.len().max(1))) {
            target.push('?');
            target += &String::from_utf8_lossy(query);
        }
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n");
        if rng.chance(1, 4)
            && let Some(field) = FIELDS.get(rng.index(FIELDS.len()))
        {
            self.add_field(field, rng, &mut head);
        }
        let one_of =
            |texts: &[Box<[u8]>], rng: &mut Rng| texts.get(rng.index(texts.len().max(1))).map(|it| it.to_vec());
        let body = if let Some(document) = one_of(&endpoint.documents, rng) {
            head += "Content-Type: application/json\r\n";
            document
        } else if let Some(form) = one_of(&endpoint.forms, rng) {
            head += "Content-Type: application/x-www-form-urlencoded\r\n";
            form
        } else if has_body(&method) {
            self.content(rng, &mut head)
        } else {
            Vec::new()
        };
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), &body].concat()
    }

    /// Adds a field, with a word where one follows.
    fn add_field(&self, field: &str, rng: &mut Rng, head: &mut String) {
        *head += field;
        if field.ends_with('/') {
            *head += &self.target_word(rng);
        }
        *head += "\r\n";
    }

    /// Any request.
    fn any_request(&self, rng: &mut Rng) -> Vec<u8> {
        // Most are like those of a test, if there are any.
        let texts = if rng.chance(1, 4) { &[] } else { self.texts_of_test(rng) };
        let (methods, others): (Vec<&[u8]>, Vec<&[u8]>) = texts.iter().map(|it| &**it).partition(|it| is_method(it));
        let method = match methods.get(rng.index(methods.len().max(1))) {
            Some(method) => plain(method, b""),
            None => self.method(rng),
        };
        let target = match others.get(rng.index(others.len().max(1))) {
            Some(text) if rng.chance(3, 4) => format!("/{}", plain(text, b"?&=").trim_start_matches('/')),
            _ => self.target(rng),
        };
        let mut head = format!("{method} {target} HTTP/1.1\r\nHost: localhost\r\n");
        let of_test =
            |field: &&str| others.iter().any(|text| field.split(':').next().is_some_and(|it| it.as_bytes() == *text));
        let mut fields: Vec<&str> = FIELDS.iter().copied().filter(of_test).collect();
        if rng.chance(1, 2) {
            fields.extend((0..1 + rng.below(2)).filter_map(|_| FIELDS.get(rng.index(FIELDS.len()))));
        }
        fields.into_iter().for_each(|field| self.add_field(field, rng, &mut head));
        let body = if has_body(&method) { self.content(rng, &mut head) } else { Vec::new() };
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), &body].concat()
    }

    /// An answer.
    pub(super) fn answer(&self, rng: &mut Rng) -> Vec<u8> {
        let status = STATUSES.get(rng.index(STATUSES.len())).copied().unwrap_or_default();
        let mut head = format!("HTTP/1.1 {status}\r\n");
        let body = self.content(rng, &mut head);
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        [head.as_bytes(), &body].concat()
    }

    /// A body, whose type is added to the fields.
    fn content(&self, rng: &mut Rng, head: &mut String) -> Vec<u8> {
        match self.body(rng) {
            _ if rng.chance(1, 4)
                && let Some(form) = self.query(rng) =>
            {
                *head += "Content-Type: application/x-www-form-urlencoded\r\n";
                form.into_bytes()
            }
            Some(body) => {
                *head += "Content-Type: application/json\r\n";
                body
            }
            None if rng.chance(1, 2) => Vec::new(),
            None => {
                *head += "Content-Type: text/plain\r\n";
                self.phrase(rng)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{CommandLine, CommandWord, Dictionary};

    /// Most requests are those that a handler reads.
    #[test]
    fn requests_to_routes() {
        let text = |it: &str| PathSegment::Text(it.as_bytes().into());
        let texts = |it: &str| [it.as_bytes().into()].into();
        let list = Endpoint {
            method: b"GET".as_slice().into(),
            path: [text("notes"), PathSegment::Number].into(),
            queries: texts("sort=name"),
            ..Endpoint::default()
        };
        let add = Endpoint {
            method: b"POST".as_slice().into(),
            path: [text("notes")].into(),
            documents: texts("{\"text\":\"a\"}"),
            ..Endpoint::default()
        };
        let dictionary = Dictionary { endpoints: [list, add].into(), ..Dictionary::default() };
        let requests: Vec<String> = (0..400)
            .map(|seed| {
                let chooser = Chooser { seed, first_seed: seed, dictionary: &dictionary };
                String::from_utf8(chooser.request(&mut chooser.program(1))).unwrap()
            })
            .collect();
        let count =
            |start: &str, end: &str| requests.iter().filter(|it| it.starts_with(start) && it.ends_with(end)).count();
        let listed = count("GET /notes/1?sort=name HTTP/1.1\r\n", "\r\nContent-Length: 0\r\n\r\n");
        let added = count("POST /notes HTTP/1.1\r\n", "Content-Length: 12\r\n\r\n{\"text\":\"a\"}");
        assert!((35..80).contains(&listed) && (140..210).contains(&added), "{listed} {added}");
    }

    /// A request suits the command line of its run.
    #[test]
    fn requests_have_texts_of_the_test() {
        let texts = [&b"COPY"[..], b"Destination", b"{}dir/a.html?sort=name"].map(Box::from);
        let line = CommandLine { words: [CommandWord::Text(b"-A"[..].into())].into(), texts: texts.into() };
        let dictionary = Dictionary { command_lines: [line].into(), ..Dictionary::default() };
        let requests: Vec<(bool, String)> = (0..400)
            .map(|seed| {
                let chooser = Chooser { seed, first_seed: seed, dictionary: &dictionary };
                let request = chooser.request(&mut chooser.program(1));
                (chooser.known_args().is_some(), String::from_utf8(request).unwrap())
            })
            .collect();
        let with = |start: &str| requests.iter().filter(|it| it.0 && it.1.starts_with(start)).count();
        assert!((50..150).contains(&with("COPY /dir/a.html?sort=name HTTP/1.1\r\n")), "{requests:?}");
        assert!(requests.iter().all(|it| it.0 || !it.1.contains("COPY") && !it.1.contains("a.html")));
        let has_field = |it: &&(bool, String)| it.1.contains("\r\nDestination: http://localhost/");
        assert!((100..180).contains(&requests.iter().filter(|it| it.0).filter(has_field).count()));
    }
}
