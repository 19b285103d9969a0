//! A tokenizer, a Pratt parser, an evaluator and a printer for a small language.
use std::collections::BTreeMap;
use std::fmt;
use std::iter::Peekable;
use std::rc::Rc;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Num(f64),
    Ident(String),
    Op(&'static str),
    Open,
    Close,
    Comma,
    Eof,
}

#[derive(Debug, PartialEq)]
enum Error {
    BadChar(char, usize),
    BadNumber(String),
    Unexpected { got: Token, want: &'static str },
    Undefined(String),
    Arity { name: String, want: usize, got: usize },
    DivZero,
    TooDeep,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::BadChar(c, at) => write!(f, "bad character {c:?} at {at}"),
            Error::BadNumber(s) => write!(f, "bad number `{s}`"),
            Error::Unexpected { got, want } => write!(f, "expected {want}, got {got:?}"),
            Error::Undefined(n) => write!(f, "undefined: {n}"),
            Error::Arity { name, want, got } => write!(f, "{name} takes {want} argument{}, got {got}", if *want == 1 { "" } else { "s" }),
            Error::DivZero => f.write_str("division by zero"),
            Error::TooDeep => f.write_str("recursion too deep"),
        }
    }
}
impl std::error::Error for Error {}

type Result<T, E = Error> = std::result::Result<T, E>;

struct Lexer<'a> {
    chars: Peekable<Chars<'a>>,
    at: usize,
}

const OPS: &[&str] = &["==", "<=", ">=", "&&", "||", "+", "-", "*", "/", "^", "<", ">", "=", "?", ":"];

impl<'a> Lexer<'a> {
    fn new(s: &'a str) -> Self {
        Lexer { chars: s.chars().peekable(), at: 0 }
    }
    fn take_while(&mut self, f: impl Fn(char) -> bool) -> String {
        let mut s = String::new();
        while let Some(c) = self.chars.next_if(|c| f(*c)) {
            self.at += 1;
            s.push(c);
        }
        s
    }
    fn next(&mut self) -> Result<Token> {
        self.take_while(char::is_whitespace);
        let Some(&c) = self.chars.peek() else { return Ok(Token::Eof) };
        Ok(match c {
            '0'..='9' | '.' => {
                let s = self.take_while(|c| c.is_ascii_digit() || c == '.');
                Token::Num(s.parse().map_err(|_| Error::BadNumber(s))?)
            }
            'a'..='z' | 'A'..='Z' | '_' => Token::Ident(self.take_while(|c| c.is_alphanumeric() || c == '_')),
            '(' | ')' | ',' => {
                self.chars.next();
                self.at += 1;
                match c {
                    '(' => Token::Open,
                    ')' => Token::Close,
                    _ => Token::Comma,
                }
            }
            _ => {
                let rest: String = self.chars.clone().take(2).collect();
                let op = OPS.iter().find(|o| rest.starts_with(**o)).ok_or(Error::BadChar(c, self.at))?;
                for _ in op.chars() {
                    self.chars.next();
                    self.at += 1;
                }
                Token::Op(op)
            }
        })
    }
}

#[derive(Debug, Clone)]
enum Expr {
    Num(f64),
    Var(String),
    Neg(Box<Expr>),
    Bin(&'static str, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Num(n) => write!(f, "{n}"),
            Expr::Var(v) => f.write_str(v),
            Expr::Neg(e) => write!(f, "(- {e})"),
            Expr::Bin(op, l, r) => write!(f, "({op} {l} {r})"),
            Expr::If(c, a, b) => write!(f, "(if {c} {a} {b})"),
            Expr::Call(n, args) => {
                write!(f, "({n}")?;
                for a in args {
                    write!(f, " {a}")?;
                }
                f.write_str(")")
            }
        }
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    tok: Token,
}

impl<'a> Parser<'a> {
    fn new(s: &'a str) -> Result<Self> {
        let mut lexer = Lexer::new(s);
        let tok = lexer.next()?;
        Ok(Parser { lexer, tok })
    }
    fn bump(&mut self) -> Result<Token> {
        let next = self.lexer.next()?;
        Ok(std::mem::replace(&mut self.tok, next))
    }
    fn expect(&mut self, t: Token, want: &'static str) -> Result<()> {
        match self.bump()? {
            got if got == t => Ok(()),
            got => Err(Error::Unexpected { got, want }),
        }
    }
    fn power(op: &str) -> Option<(u8, u8)> {
        Some(match op {
            "?" => (2, 1),
            "||" => (3, 4),
            "&&" => (5, 6),
            "==" => (7, 8),
            "<" | ">" | "<=" | ">=" => (9, 10),
            "+" | "-" => (11, 12),
            "*" | "/" => (13, 14),
            "^" => (18, 17),
            _ => return None,
        })
    }
    fn expr(&mut self, min: u8) -> Result<Expr> {
        let mut left = match self.bump()? {
            Token::Num(n) => Expr::Num(n),
            Token::Op("-") => Expr::Neg(Box::new(self.expr(15)?)),
            Token::Open => {
                let e = self.expr(0)?;
                self.expect(Token::Close, "`)`")?;
                e
            }
            Token::Ident(name) if self.tok == Token::Open => {
                self.bump()?;
                let mut args = vec![];
                while self.tok != Token::Close {
                    if !args.is_empty() {
                        self.expect(Token::Comma, "`,`")?;
                    }
                    args.push(self.expr(0)?);
                }
                self.bump()?;
                Expr::Call(name, args)
            }
            Token::Ident(name) => Expr::Var(name),
            got => return Err(Error::Unexpected { got, want: "an expression" }),
        };
        while let Token::Op(op) = self.tok
            && let Some((lp, rp)) = Self::power(op)
            && lp >= min
        {
            self.bump()?;
            left = if op == "?" {
                let a = self.expr(0)?;
                self.expect(Token::Op(":"), "`:`")?;
                let b = self.expr(rp)?;
                Expr::If(Box::new(left), Box::new(a), Box::new(b))
            } else {
                Expr::Bin(op, Box::new(left), Box::new(self.expr(rp)?))
            };
        }
        Ok(left)
    }
}

#[derive(Clone)]
enum Fun {
    Native(usize, fn(&[f64]) -> f64),
    User(Rc<(Vec<String>, Expr)>),
}

#[derive(Default)]
struct Env {
    vars: BTreeMap<String, f64>,
    funs: BTreeMap<String, Fun>,
    depth: u32,
}

impl Env {
    fn new() -> Env {
        let mut e = Env::default();
        e.vars.insert("pi".into(), 3.25);
        e.funs.insert("sqrt".into(), Fun::Native(1, |a| a[0].sqrt()));
        e.funs.insert("max".into(), Fun::Native(2, |a| a[0].max(a[1])));
        e
    }
    fn eval(&mut self, e: &Expr) -> Result<f64> {
        Ok(match e {
            Expr::Num(n) => *n,
            Expr::Var(v) => *self.vars.get(v).ok_or_else(|| Error::Undefined(v.clone()))?,
            Expr::Neg(e) => -self.eval(e)?,
            Expr::If(c, a, b) => {
                if self.eval(c)? != 0.0 {
                    self.eval(a)?
                } else {
                    self.eval(b)?
                }
            }
            Expr::Bin("&&", a, b) => (self.eval(a)? != 0.0 && self.eval(b)? != 0.0) as u8 as f64,
            Expr::Bin("||", a, b) => f64::from(self.eval(a)? != 0.0 || self.eval(b)? != 0.0),
            Expr::Bin(op, a, b) => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                match *op {
                    "+" => x + y,
                    "-" => x - y,
                    "*" => x * y,
                    "/" if y == 0.0 => return Err(Error::DivZero),
                    "/" => x / y,
                    "^" => x.powf(y),
                    "<" => (x < y).into(),
                    ">" => (x > y).into(),
                    "<=" => (x <= y).into(),
                    ">=" => (x >= y).into(),
                    "==" => (x == y).into(),
                    _ => unreachable!("{op}"),
                }
            }
            Expr::Call(name, args) => {
                let f = self.funs.get(name).cloned().ok_or_else(|| Error::Undefined(name.clone()))?;
                let vals = args.iter().map(|a| self.eval(a)).collect::<Result<Vec<_>>>()?;
                let arity = |want| if vals.len() == want { Ok(()) } else { Err(Error::Arity { name: name.clone(), want, got: vals.len() }) };
                match f {
                    Fun::Native(n, f) => {
                        arity(n)?;
                        f(&vals)
                    }
                    Fun::User(f) => {
                        arity(f.0.len())?;
                        if self.depth == 30 {
                            return Err(Error::TooDeep);
                        }
                        let saved = self.vars.clone();
                        self.vars.extend(f.0.iter().cloned().zip(vals));
                        self.depth += 1;
                        let r = self.eval(&f.1);
                        self.depth -= 1;
                        self.vars = saved;
                        r?
                    }
                }
            }
        })
    }
    fn line(&mut self, s: &str) -> Result<Option<f64>> {
        let mut p = Parser::new(s)?;
        let e = p.expr(0)?;
        match (p.bump()?, e) {
            (Token::Eof, e) => {
                println!("  {e}");
                self.eval(&e).map(Some)
            }
            (Token::Op("="), Expr::Var(v)) => {
                let e = p.expr(0)?;
                let x = self.eval(&e)?;
                self.vars.insert(v, x);
                Ok(None)
            }
            (Token::Op("="), Expr::Call(n, args)) => {
                let params = args.into_iter().map(|a| if let Expr::Var(v) = a { v } else { a.to_string() }).collect();
                let body = p.expr(0)?;
                self.funs.insert(n, Fun::User(Rc::new((params, body))));
                Ok(None)
            }
            (got, _) => Err(Error::Unexpected { got, want: "end of input" }),
        }
    }
}

fn main() {
    let mut env = Env::new();
    for s in [
        "1 + 2 * 3", "-2 ^ 2", "2 ^ 3 ^ 2", "(1 + 2) * -3", "x = 10 / 4", "x * pi", "sqrt(x * 10) + max(1, x)",
        "fact(n) = n <= 1 ? 1 : n * fact(n - 1)", "fact(10)", "fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)", "fib(9)",
        "1 < 2 && 3 == 4 || 7 >= 7", "0 && 1 / 0", "1 / 0", "y + 1", "1 +", "(1", "1 $ 2", "1.2.3", "max(1)", "loop(a) = loop(a + 1)", "loop(0)", "f(x) = x * 2", "f(x) + x", "1 2", "",
    ] {
        println!("> {s}");
        match env.line(s) {
            Ok(Some(v)) => println!("{v}"),
            Ok(None) => println!("ok"),
            Err(e) => println!("error: {e}"),
        }
    }
    println!("{:?}", env.vars);
}
