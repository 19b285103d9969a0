//! A JSON parser, printer and query, without dependencies.
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::ops::Index;

#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Num(f64),
    Str(String),
    Arr(Vec<Json>),
    Obj(BTreeMap<String, Json>),
}

#[derive(Debug, Clone, PartialEq)]
struct Error {
    at: usize,
    kind: Kind,
}
#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Eof,
    Unexpected(char),
    Number,
    Escape(char),
    Surrogate(u16),
    Depth,
    Trailing,
}
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at byte {}", self.kind, self.at)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn err<T>(&self, kind: Kind) -> Result<T, Error> {
        Err(Error { at: self.at, kind })
    }
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
    fn unexpected<T>(&self) -> Result<T, Error> {
        match self.text[self.at..].chars().next() {
            Some(c) => self.err(Kind::Unexpected(c)),
            None => self.err(Kind::Eof),
        }
    }
    fn space(&mut self) {
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }
    fn eat(&mut self, b: u8) -> Result<(), Error> {
        if self.peek() == Some(b) {
            self.at += 1;
            Ok(())
        } else {
            self.unexpected()
        }
    }
    fn word(&mut self, w: &str, v: Json) -> Result<Json, Error> {
        if self.text[self.at..].starts_with(w) {
            self.at += w.len();
            Ok(v)
        } else {
            self.unexpected()
        }
    }
    fn list<T>(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        self.depth += 1;
        if self.depth > 8 {
            return self.err(Kind::Depth);
        }
        self.at += 1;
        let mut out = vec![];
        self.space();
        if self.peek() != Some(close) {
            loop {
                self.space();
                out.push(item(self)?);
                self.space();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b) if b == close => break,
                    _ => return self.unexpected(),
                }
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(out)
    }
    fn value(&mut self) -> Result<Json, Error> {
        self.space();
        match self.peek() {
            Some(b'n') => self.word("null", Json::Null),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'"') => self.string().map(Json::Str),
            Some(b'[') => self.list(b']', Self::value).map(Json::Arr),
            Some(b'{') => {
                let pairs = self.list(b'}', |p| {
                    let k = p.string()?;
                    p.space();
                    p.eat(b':')?;
                    Ok((k, p.value()?))
                })?;
                Ok(Json::Obj(pairs.into_iter().collect()))
            }
            Some(b'-' | b'0'..=b'9') => {
                let start = self.at;
                while let Some(b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') = self.peek() {
                    self.at += 1;
                }
                self.text[start..self.at].parse().map(Json::Num).or_else(|_| {
                    self.at = start;
                    self.err(Kind::Number)
                })
            }
            _ => self.unexpected(),
        }
    }
    fn hex(&mut self) -> Result<u16, Error> {
        let Some(digits) = self.text.get(self.at..self.at + 4) else { return self.err(Kind::Eof) };
        let n = u16::from_str_radix(digits, 16).or_else(|_| self.unexpected())?;
        self.at += 4;
        Ok(n)
    }
    fn string(&mut self) -> Result<String, Error> {
        self.eat(b'"')?;
        let mut s = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(end) = rest.find(['"', '\\']) else {
                self.at = self.text.len();
                return self.err(Kind::Eof);
            };
            s.push_str(&rest[..end]);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Ok(s);
            }
            let Some(c) = self.text[self.at..].chars().next() else { return self.err(Kind::Eof) };
            self.at += c.len_utf8();
            s.push(match c {
                '"' | '\\' | '/' => c,
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => {
                    let hi = self.hex()?;
                    match hi {
                        0xD800..=0xDBFF if self.text[self.at..].starts_with("\\u") => {
                            self.at += 2;
                            let lo = self.hex()?;
                            match char::decode_utf16([hi, lo]).next() {
                                Some(Ok(c)) => c,
                                _ => return self.err(Kind::Surrogate(lo)),
                            }
                        }
                        _ => match char::from_u32(hi as u32) {
                            Some(c) => c,
                            None => return self.err(Kind::Surrogate(hi)),
                        },
                    }
                }
                c => return self.err(Kind::Escape(c)),
            });
        }
    }
}

fn parse(text: &str) -> Result<Json, Error> {
    let mut p = Parser { text, at: 0, depth: 0 };
    let v = p.value()?;
    p.space();
    if p.at < text.len() { p.err(Kind::Trailing) } else { Ok(v) }
}

fn quote(s: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    for c in s.chars() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            c if c < ' ' => write!(out, "\\u{:04x}", c as u32)?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

impl Json {
    fn write(&self, f: &mut fmt::Formatter<'_>, level: Option<usize>) -> fmt::Result {
        let next = level.map(|l| l + 1);
        let newline = |f: &mut fmt::Formatter<'_>, l: Option<usize>| match l {
            Some(l) => write!(f, "\n{:w$}", "", w = l * 2),
            None => Ok(()),
        };
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(b) => write!(f, "{b}"),
            Json::Num(n) => write!(f, "{n}"),
            Json::Str(s) => quote(s, f),
            Json::Arr(v) if v.is_empty() => f.write_str("[]"),
            Json::Obj(m) if m.is_empty() => f.write_str("{}"),
            Json::Arr(v) => {
                f.write_char('[')?;
                for (i, x) in v.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    newline(f, next)?;
                    x.write(f, next)?;
                }
                newline(f, level)?;
                f.write_char(']')
            }
            Json::Obj(m) => {
                f.write_char('{')?;
                for (i, (k, x)) in m.iter().enumerate() {
                    if i > 0 {
                        f.write_char(',')?;
                    }
                    newline(f, next)?;
                    quote(k, f)?;
                    f.write_str(if level.is_some() { ": " } else { ":" })?;
                    x.write(f, next)?;
                }
                newline(f, level)?;
                f.write_char('}')
            }
        }
    }
    fn get(&self, path: &str) -> Option<&Json> {
        path.split('.').filter(|p| !p.is_empty()).try_fold(self, |j, key| match j {
            Json::Obj(m) => m.get(key),
            Json::Arr(v) => v.get(key.parse::<usize>().ok()?),
            _ => None,
        })
    }
    fn depth(&self) -> usize {
        1 + match self {
            Json::Arr(v) => v.iter().map(Json::depth).max().unwrap_or(0),
            Json::Obj(m) => m.values().map(Json::depth).max().unwrap_or(0),
            _ => 0,
        }
    }
}
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, f.alternate().then_some(0))
    }
}
impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, k: &str) -> &Json {
        static NULL: Json = Json::Null;
        self.get(k).unwrap_or(&NULL)
    }
}
impl<T: Into<Json>> From<Vec<T>> for Json {
    fn from(v: Vec<T>) -> Json {
        Json::Arr(v.into_iter().map(Into::into).collect())
    }
}
impl From<i32> for Json {
    fn from(n: i32) -> Json {
        Json::Num(n.into())
    }
}
macro_rules! json {
    ({ $($k:literal : $v:tt),* }) => { Json::Obj(BTreeMap::from([$(($k.to_string(), json!($v))),*])) };
    ([ $($v:tt),* ]) => { Json::Arr(vec![$(json!($v)),*]) };
    (null) => { Json::Null };
    ($s:literal) => { parse(stringify!($s)).unwrap() };
}

fn main() {
    let src = r#" { "name": "J\u00e9\n\"q\"", "n": [1, -2.5, 1e3, 0], "o": {"t": true, "z": null, "e": {}, "a": []}, "emoji": "\ud83d\ude00" } "#;
    let j = parse(src).unwrap();
    println!("{j}");
    println!("{j:#}");
    println!("{}", parse(&j.to_string()) == Ok(j.clone()));
    println!("{} {:?} {:?} {}", j["n.1"], j.get("o.t"), j.get("n.9"), j["x.y"]);
    println!("{} {}", j.depth(), j["name"]);
    for bad in ["", "[1,", "{\"a\" 1}", "[1 2]", "\"abc", "\"\\q\"", "1.2.3", "nul", "[[[[[[[[[1]]]]]]]]]", "1 2", "\"\\ud800\"", "\"\\ud83d\\u0041\"", "{é}", "-"] {
        println!("{bad:<20} {}", parse(bad).unwrap_err());
    }
    let m = json!({ "a": [1, "two", null, { "b": true }], "c": 2.5 });
    println!("{m} {}", Json::from(vec![vec![1, 2], vec![]]));
}
