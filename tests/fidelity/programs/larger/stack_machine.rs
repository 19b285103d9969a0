// A lexer, a Pratt parser, a compiler to byte code and its machine, with closures, scopes and errors.
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;
#[derive(Debug, Clone, PartialEq)]
enum Tok { Num(f64), Str(String), Name(String), Op(&'static str), End }
#[derive(Debug, Clone)]
enum Ex { Num(f64), Str(Rc<str>), Var(String), Un(&'static str, Box<Ex>), Bin(&'static str, Box<Ex>, Box<Ex>), If(Box<[Ex; 3]>), Let(String, Box<Ex>, Box<Ex>), Fn(Rc<[String]>, Rc<Ex>), Call(Box<Ex>, Vec<Ex>) }
#[derive(Clone)]
enum Val { Num(f64), Str(Rc<str>), Bool(bool), Fun(Rc<Closure>), Native(&'static str, fn(&[Val]) -> Result<Val, Error>) }
struct Closure { params: Rc<[String]>, code: Rc<[Op]>, env: Option<Rc<Env>> }
struct Env { name: String, value: Val, up: Option<Rc<Env>> }
#[derive(Clone)]
enum Op { Push(Val), Load(String), Bind(String), Unbind, Bin(&'static str), Un(&'static str), Jump(usize), JumpIfNot(usize), Make(Rc<[String]>, Rc<[Op]>), Call(usize) }
#[derive(Debug, PartialEq)]
enum Error { Lex(usize, char), Parse(String), Type { op: String, got: String }, Unbound(String), Arity { want: usize, got: usize }, Depth }
impl fmt::Display for Error { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { match self { Error::Lex(at, c) => write!(f, "{at}: unexpected {c:?}"), Error::Parse(t) => write!(f, "syntax: {t}"), Error::Type { op, got } => write!(f, "`{op}` on {got}"), Error::Unbound(n) => write!(f, "unbound {n}"), Error::Arity { want, got } => write!(f, "{got} arguments for {want}"), Error::Depth => f.write_str("too deep") } } }
impl fmt::Display for Val { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { match self { Val::Num(n) => write!(f, "{n}"), Val::Str(s) => f.pad(s), Val::Bool(b) => b.fmt(f), Val::Fun(c) => write!(f, "fn({})", c.params.join(", ")), Val::Native(n, _) => write!(f, "<{n}>") } } }
const OPS: [&str; 18] = ["<=", ">=", "==", "!=", "=>", "+", "-", "*", "/", "%", "<", ">", "(", ")", ",", "=", "!", "^"];
fn lex(s: &str) -> Result<Vec<Tok>, Error> {
    let (mut out, mut rest) = (vec![], s);
    loop {
        rest = rest.trim_start();
        let at = s.len() - rest.len();
        let Some(c) = rest.chars().next() else { out.push(Tok::End); return Ok(out) };
        let take = |p: fn(char) -> bool| rest.find(|c| !p(c)).map_or((rest, ""), |i| rest.split_at(i));
        let (tok, next) = match c {
            '0'..='9' => { let (a, b) = take(|c| c.is_ascii_digit() || c == '.'); (Tok::Num(a.parse().map_err(|_| Error::Lex(at, '.'))?), b) }
            'a'..='z' | 'A'..='Z' | '_' => { let (a, b) = take(|c| c.is_alphanumeric() || c == '_'); (Tok::Name(a.to_owned()), b) }
            '"' => { let (a, b) = rest[1..].split_once('"').ok_or(Error::Lex(at, '"'))?; (Tok::Str(a.replace("\\n", "\n")), b) }
            c => { let op = OPS.iter().find(|op| rest.starts_with(**op)).ok_or(Error::Lex(at, c))?; (Tok::Op(op), &rest[op.len()..]) }
        };
        out.push(tok);
        rest = next;
    }
}
struct Parser<'t> { toks: &'t [Tok] }
impl<'t> Parser<'t> {
    fn next(&mut self) -> &'t Tok { let [t, rest @ ..] = self.toks else { return &Tok::End }; self.toks = rest; t }
    fn eat(&mut self, op: &str) -> bool { if matches!(self.toks.first(), Some(Tok::Op(o)) if *o == op) { self.next(); true } else { false } }
    fn want(&mut self, op: &str) -> Result<(), Error> { if self.eat(op) { Ok(()) } else { Err(Error::Parse(format!("{op} expected, {:?} found", self.toks.first()))) } }
    fn word(&mut self, w: &str) -> bool { if matches!(self.toks.first(), Some(Tok::Name(n)) if n == w) { self.next(); true } else { false } }
    fn name(&mut self) -> Result<String, Error> { match self.next() { Tok::Name(n) => Ok(n.clone()), t => Err(Error::Parse(format!("name expected, {t:?} found"))) } }
    fn expr(&mut self, min: u8) -> Result<Ex, Error> {
        let mut left = match self.next() {
            Tok::Num(n) => Ex::Num(*n), Tok::Str(s) => Ex::Str(s.as_str().into()),
            Tok::Name(n) if n == "if" => { let c = self.expr(0)?; if !self.word("then") { return Err(Error::Parse("then".into())) } let t = self.expr(0)?; if !self.word("else") { return Err(Error::Parse("else".into())) } Ex::If(Box::new([c, t, self.expr(0)?])) }
            Tok::Name(n) if n == "let" => { let n = self.name()?; self.want("=")?; let v = self.expr(0)?; if !self.word("in") { return Err(Error::Parse("in".into())) } Ex::Let(n, Box::new(v), Box::new(self.expr(0)?)) }
            Tok::Name(n) if n == "fn" => { self.want("(")?; let mut ps = vec![]; while !self.eat(")") { ps.push(self.name()?); self.eat(","); } self.want("=>")?; Ex::Fn(ps.into(), Rc::new(self.expr(0)?)) }
            Tok::Name(n) => Ex::Var(n.clone()),
            Tok::Op("(") => { let e = self.expr(0)?; self.want(")")?; e }
            Tok::Op(op @ ("-" | "!")) => Ex::Un(op, Box::new(self.expr(13)?)),
            t => return Err(Error::Parse(format!("{t:?}"))),
        };
        loop {
            if self.eat("(") { let mut args = vec![]; while !self.eat(")") { args.push(self.expr(0)?); if !self.eat(",") { self.want(")")?; break } } left = Ex::Call(Box::new(left), args); continue }
            let Some(&Tok::Op(op)) = self.toks.first() else { return Ok(left) };
            let (l, r) = match op { "==" | "!=" => (3, 4), "<" | ">" | "<=" | ">=" => (5, 6), "+" | "-" => (7, 8), "*" | "/" | "%" => (9, 10), "^" => (12, 11), _ => return Ok(left) };
            if l < min { return Ok(left) }
            self.next();
            left = Ex::Bin(op, Box::new(left), Box::new(self.expr(r)?));
        }
    }
}
fn compile(e: &Ex, out: &mut Vec<Op>) {
    match e {
        Ex::Num(n) => out.push(Op::Push(Val::Num(*n))), Ex::Str(s) => out.push(Op::Push(Val::Str(s.clone()))), Ex::Var(n) => out.push(Op::Load(n.clone())),
        Ex::Un(op, a) => { compile(a, out); out.push(Op::Un(op)) }
        Ex::Bin(op, a, b) => { compile(a, out); compile(b, out); out.push(Op::Bin(op)) }
        Ex::If(parts) => { let [c, t, f] = &**parts; compile(c, out); let j = out.len(); out.push(Op::JumpIfNot(0)); compile(t, out); let k = out.len(); out.push(Op::Jump(0)); out[j] = Op::JumpIfNot(out.len()); compile(f, out); out[k] = Op::Jump(out.len()) }
        Ex::Let(n, v, b) => { compile(v, out); out.push(Op::Bind(n.clone())); compile(b, out); out.push(Op::Unbind) }
        Ex::Fn(ps, b) => { let mut code = vec![]; compile(b, &mut code); out.push(Op::Make(ps.clone(), code.into())) }
        Ex::Call(f, args) => { compile(f, out); args.iter().for_each(|a| compile(a, out)); out.push(Op::Call(args.len())) }
    }
}
fn run(code: &[Op], mut env: Option<Rc<Env>>, depth: u32, steps: &mut u32) -> Result<Val, Error> {
    if depth > 60 { return Err(Error::Depth) }
    let (mut stack, mut pc): (Vec<Val>, usize) = (vec![], 0);
    while let Some(op) = code.get(pc) {
        *steps += 1; pc += 1;
        match op {
            Op::Push(v) => stack.push(v.clone()),
            Op::Load(n) => { let mut at = &env; let v = loop { match at { Some(e) if e.name == *n => break e.value.clone(), Some(e) => at = &e.up, None => return Err(Error::Unbound(n.clone())) } }; stack.push(v) }
            Op::Bind(n) => { let mut value = stack.pop().unwrap(); if let Val::Fun(c) = &value { value = Val::Fun(Rc::new(Closure { params: c.params.clone(), code: c.code.clone(), env: Some(Rc::new(Env { name: n.clone(), value: value.clone(), up: c.env.clone() })) })) } env = Some(Rc::new(Env { name: n.clone(), value, up: env.take() })) }
            Op::Unbind => env = env.and_then(|e| e.up.clone()),
            Op::Un(op) => { let v = stack.pop().unwrap(); stack.push(match (*op, v) { ("-", Val::Num(n)) => Val::Num(-n), ("!", Val::Bool(b)) => Val::Bool(!b), (op, v) => return Err(Error::Type { op: op.into(), got: v.to_string() }) }) }
            Op::Bin(op) => { let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap()); stack.push(match (*op, &a, &b) { ("+", Val::Num(a), Val::Num(b)) => Val::Num(a + b), ("-", Val::Num(a), Val::Num(b)) => Val::Num(a - b), ("*", Val::Num(a), Val::Num(b)) => Val::Num(a * b), ("/", Val::Num(a), Val::Num(b)) => Val::Num(a / b), ("%", Val::Num(a), Val::Num(b)) => Val::Num(a % b), ("^", Val::Num(a), Val::Num(b)) => Val::Num(a.powi(*b as i32)), ("<", Val::Num(a), Val::Num(b)) => Val::Bool(a < b), (">", Val::Num(a), Val::Num(b)) => Val::Bool(a > b), ("<=", Val::Num(a), Val::Num(b)) => Val::Bool(a <= b), (">=", Val::Num(a), Val::Num(b)) => Val::Bool(a >= b), ("==", a, b) => Val::Bool(a.to_string() == b.to_string()), ("!=", a, b) => Val::Bool(a.to_string() != b.to_string()), ("+", Val::Str(a), b) => Val::Str(format!("{a}{b}").into()), ("*", Val::Str(a), Val::Num(n)) => Val::Str(a.repeat(*n as usize).into()), (op, a, b) => return Err(Error::Type { op: op.into(), got: format!("{a}, {b}") }) }) }
            Op::Jump(to) => pc = *to,
            Op::JumpIfNot(to) => match stack.pop() { Some(Val::Bool(false)) => pc = *to, Some(Val::Bool(true)) => (), v => return Err(Error::Type { op: "if".into(), got: v.map_or("nothing".into(), |v| v.to_string()) }) },
            Op::Make(ps, code) => stack.push(Val::Fun(Rc::new(Closure { params: ps.clone(), code: code.clone(), env: env.clone() }))),
            Op::Call(n) => { let args = stack.split_off(stack.len() - n); let v = match stack.pop().unwrap() { Val::Fun(c) if c.params.len() == *n => { let env = c.params.iter().zip(args).fold(c.env.clone(), |up, (name, value)| Some(Rc::new(Env { name: name.clone(), value, up }))); run(&c.code, env, depth + 1, steps)? } Val::Fun(c) => return Err(Error::Arity { want: c.params.len(), got: *n }), Val::Native(_, f) => f(&args)?, v => return Err(Error::Type { op: "call".into(), got: v.to_string() }) }; stack.push(v) }
        }
    }
    Ok(stack.pop().unwrap())
}
fn eval(text: &str, natives: &HashMap<&'static str, fn(&[Val]) -> Result<Val, Error>>) -> Result<(String, u32), Error> {
    let toks = lex(text)?; let mut p = Parser { toks: &toks }; let e = p.expr(0)?; if p.toks != [Tok::End] { return Err(Error::Parse(format!("rest {:?}", p.toks))) }
    let mut code = vec![]; compile(&e, &mut code); let mut names: Vec<_> = natives.iter().collect(); names.sort_by_key(|n| n.0); let env = names.into_iter().fold(None, |up, (n, f)| Some(Rc::new(Env { name: n.to_string(), value: Val::Native(n, *f), up }))); let mut steps = 0; let v = run(&code, env, 0, &mut steps)?; Ok((v.to_string(), steps))
}
fn main() {
    let natives: HashMap<&'static str, fn(&[Val]) -> Result<Val, Error>> = HashMap::from([("len", (|a| match a { [Val::Str(s)] => Ok(Val::Num(s.chars().count() as f64)), [v] => Err(Error::Type { op: "len".into(), got: v.to_string() }), a => Err(Error::Arity { want: 1, got: a.len() }) }) as fn(&[Val]) -> _), ("max", |a| a.iter().map(|v| match v { Val::Num(n) => Ok(*n), v => Err(Error::Type { op: "max".into(), got: v.to_string() }) }).try_fold(f64::MIN, |m, n| n.map(|n| m.max(n))).map(Val::Num))]);
    for text in ["1 + 2 * 3 - 4 / 8", "2 ^ 3 ^ 2 - -1", "(1 + 2) * 3 == 9", "let x = 5 in let y = x * 2 in x + y", "let fact = fn(n) => if n < 2 then 1 else n * fact(n - 1) in fact(10)", "let fib = fn(n) => if n < 2 then n else fib(n - 1) + fib(n - 2) in fib(12)", "let add = fn(a) => fn(b) => a + b in add(1)(2)", "\"ab\" * 3 + len(\"héé\")", "max(1, 7, 3) + 0.5", "fn(x, y) => x", "len", "if 1 < 2 then \"yes\" else \"no\"", "let f = fn(x) => x + 1 in f(1, 2)", "1 + \"a\"", "-\"a\"", "y + 1", "let loop = fn(n) => loop(n + 1) in loop(0)", "1 +", "let x 5", "(1", "1 $ 2", "\"open", "1.2.3", "1 2", "5(1)", "if 1 then 2 else 3", "!(1 == 1) != (2 < 1)", "1 / 0 - 7 % 4"] {
        match eval(text, &natives) { Ok((v, steps)) => println!("{text} = {v:>4} [{steps}]"), Err(e) => println!("{text} : {e} ({e:?})") }
    }
}
