//! Parses the textual IR. Nothing nests, so there is no recursion.
//!
//! A function's block is parsed twice: first for its labels, then for its instructions.

use crate::host::LocationLayout;
use crate::ir::{
    ApiAccess, Body, Code, CodeFlags, FRAME_ALIGN, Global, Instr, ModelId, Pc, Site, Slot, UnwindRange, Vtable,
};
use crate::text::codec;
use crate::text::lex::{Token, error_at, tokens};
use crate::text::{Module, ParseError, syntax};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The tokens, and the position in them.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    labels: BTreeMap<&'a str, Pc>,
    /// Whether all labels are known, so that an unknown one is an error.
    labels_complete: bool,
}

pub(super) fn module(text: &str) -> Result<Module, ParseError> {
    let tokens = tokens(text)?;
    let mut p = Parser { text, tokens, at: 0, labels: BTreeMap::new(), labels_complete: false };
    let mut module = Module::default();
    while *p.peek() != Token::End {
        p.item(&mut module)?;
    }
    Ok(module)
}

type Block = (Box<[Instr]>, Box<[Site]>, Box<[UnwindRange]>);

impl<'a> Parser<'a> {
    /// The next token.
    pub(super) fn peek(&self) -> &Token<'a> {
        self.peek_at(self.at)
    }

    fn peek_at(&self, index: usize) -> &Token<'a> {
        self.tokens.get(index).map_or(&Token::End, |entry| &entry.0)
    }

    /// Skips the next token.
    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        let offset = self.tokens.get(self.at).map_or(self.text.len(), |entry| entry.1);
        error_at(self.text, offset, message)
    }

    /// An error that says what was expected here.
    pub(super) fn expected(&self, what: &str) -> ParseError {
        self.error(format!("expected {what}, found {}", self.peek()))
    }

    /// Consumes the next token if it is this word or punctuation; returns whether it was. A word before a colon is a
    /// label.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = match self.peek() {
            Token::Punct(found) => *found == text,
            Token::Word(found) => *found == text && *self.peek_at(self.at + 1) != Token::Punct(":"),
            _ => false,
        };
        self.at += usize::from(found);
        found
    }

    /// Consumes this word or punctuation; nothing for an empty text.
    pub(super) fn expect(&mut self, text: &str) -> Result<(), ParseError> {
        if text.is_empty() || self.eat(text) { Ok(()) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    pub(super) fn number<T: TryFrom<u128> + TryFrom<i128>>(&mut self) -> Result<T, ParseError> {
        let &Token::Number { negative, magnitude } = self.peek() else {
            return Err(self.expected("a number"));
        };
        let value = if negative {
            i128::try_from(magnitude).ok().and_then(|magnitude| T::try_from(-magnitude).ok())
        } else {
            T::try_from(magnitude).ok()
        };
        let value = value.ok_or_else(|| self.error("number out of range"))?;
        self.skip();
        Ok(value)
    }

    /// Consumes a word that is `prefix` and a number.
    pub(super) fn numbered(&mut self, prefix: &str, what: &str) -> Result<u32, ParseError> {
        let number = match self.peek() {
            Token::Word(word) => word.strip_prefix(prefix).and_then(|digits| digits.parse().ok()),
            _ => None,
        };
        let number = number.ok_or_else(|| self.expected(what))?;
        self.skip();
        Ok(number)
    }

    fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        let &Token::Word(word) = self.peek() else {
            return Err(self.expected(what));
        };
        self.skip();
        Ok(word)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let Token::Str(bytes) = self.peek() else {
            return Err(self.expected("a string"));
        };
        let bytes = bytes.clone();
        self.skip();
        Ok(bytes)
    }

    fn string(&mut self) -> Result<Arc<str>, ParseError> {
        let start = self.at;
        let bytes = self.bytes()?;
        String::from_utf8(bytes).map(Arc::from).map_err(|_| {
            self.at = start;
            self.error("not UTF-8")
        })
    }

    pub(super) fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        item: impl Fn(&mut Parser<'a>) -> Result<T, ParseError>,
    ) -> Result<Box<[T]>, ParseError> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(item(self)?);
            if !self.eat(",") {
                self.expect(close)?;
                break;
            }
        }
        Ok(items.into())
    }

    /// Consumes a label, or `%` and a number.
    pub(super) fn label_ref(&mut self) -> Result<Pc, ParseError> {
        if self.eat("%") {
            return self.number();
        }
        let start = self.at;
        let label = self.word("a label")?;
        let pc = self.labels.get(label).copied();
        if pc.is_none() && self.labels_complete {
            self.at = start;
            return Err(self.error(format!("no label `{label}`")));
        }
        Ok(pc.unwrap_or(0))
    }

    /// Consumes `name` and a number.
    fn field<T: TryFrom<u128> + TryFrom<i128>>(&mut self, name: &str) -> Result<T, ParseError> {
        self.expect(name)?;
        self.number()
    }

    fn item(&mut self, module: &mut Module) -> Result<(), ParseError> {
        let start = self.at;
        let is_new = match self.word("an item")? {
            "fn" => {
                let id = codec::func::parse(self)?;
                module.functions.insert(id, Rc::new(self.code()?)).is_none()
            }
            "global" => {
                let id = codec::global::parse(self)?;
                module.globals.insert(id, Arc::new(self.global()?)).is_none()
            }
            "data" => {
                let id = codec::data::parse(self)?;
                module.data.insert(id, self.bytes()?.into()).is_none()
            }
            "vtable" => {
                let id = codec::vtable::parse(self)?;
                module.vtables.insert(id, Arc::new(self.vtable()?)).is_none()
            }
            "cause" => {
                let id = codec::cause::parse(self)?;
                module.causes.insert(id, self.string()?).is_none()
            }
            "trap" => {
                let trap = codec::name::parse(self)?;
                let is_new = module.traps.iter().all(|entry| entry.0 != trap);
                module.traps.push((trap, codec::func::parse(self)?));
                is_new
            }
            "known" => {
                let known = codec::name::parse(self)?;
                let is_new = module.known.iter().all(|entry| entry.0 != known);
                module.known.push((known, codec::func::parse(self)?));
                is_new
            }
            "location" => {
                let (size, file) = (self.field("size")?, self.field("file")?);
                let (line, column) = (self.field("line")?, self.field("column")?);
                module.location = LocationLayout { size, file, line, column };
                true
            }
            other => {
                self.at = start;
                return Err(self.error(format!("no item is called `{other}`")));
            }
        };
        if !is_new {
            self.at = start;
            return Err(self.error("the module has this item already"));
        }
        Ok(())
    }

    fn global(&mut self) -> Result<Global, ParseError> {
        let name = self.string()?;
        let (size, align) = (self.field("size")?, self.field("align")?);
        self.expect("init")?;
        let init = codec::func::parse(self)?;
        let is_static = self.eat("static");
        let thread_local = self.eat("thread_local");
        let lost = if self.eat("lost") { Some(codec::cause::parse(self)?) } else { None };
        Ok(Global { name, size, align, init, thread_local, is_static, lost })
    }

    fn vtable(&mut self) -> Result<Vtable, ParseError> {
        let name = self.string()?;
        let (size, align) = (self.field("size")?, self.field("align")?);
        let drop = if self.eat("drop") { Some(codec::func::parse(self)?) } else { None };
        let methods =
            self.list("[", "]", |p| if p.eat("none") { Ok(None) } else { codec::func::parse(p).map(Some) })?;
        Ok(Vtable { name, size, align, drop, methods })
    }

    fn sized(&mut self) -> Result<(Slot, u32), ParseError> {
        let slot = codec::slot::parse(self)?;
        self.expect(":")?;
        Ok((slot, self.number()?))
    }

    fn code(&mut self) -> Result<Code, ParseError> {
        let name = self.string()?;
        let params = self.list("(", ")", Parser::sized)?;
        self.expect("->")?;
        let ret = self.sized()?;
        let frame_size = self.field("frame")?;
        let frame_align = if self.eat("align") { self.number()? } else { FRAME_ALIGN };
        let flags = self.flags()?;
        let body = if !self.eat("=") {
            Body::Ir
        } else if self.eat("unknown") {
            Body::Unknown { cause: codec::cause::parse(self)? }
        } else if self.eat("fast") {
            let model = ModelId(self.number()?);
            let consts = self.list("(", ")", Parser::number)?;
            self.expect("real")?;
            Body::Fast { model, consts, real: codec::func::parse(self)? }
        } else {
            let model = ModelId(self.field("model")?);
            Body::Model { model, consts: self.list("(", ")", Parser::number)? }
        };
        let has_block = body == Body::Ir || *self.peek() == Token::Punct("{");
        let (instrs, sites, unwind) = if has_block { self.block_twice()? } else { Block::default() };
        Ok(Code { name, body, frame_size, frame_align, params, ret, instrs, sites, unwind, flags })
    }

    fn flags(&mut self) -> Result<CodeFlags, ParseError> {
        let mut flags = CodeFlags::default();
        while let Token::Word(word) = self.peek() {
            let flag = match *word {
                "api" => {
                    let family = self.field("api")?;
                    let (write, through_handle) = (self.eat("write"), self.eat("through_handle"));
                    flags.api = Some(ApiAccess { family, through_handle, write });
                    continue;
                }
                "waits_for" => {
                    self.skip();
                    flags.waits_for = Some(codec::name::parse(self)?);
                    continue;
                }
                "std" => &mut flags.is_std,
                "local" => &mut flags.is_local,
                "sync_api" => &mut flags.is_sync_api,
                "atomic_api" => &mut flags.is_atomic_api,
                "counts_owners" => &mut flags.counts_owners,
                "drops_owner" => &mut flags.drops_owner,
                "track_caller" => &mut flags.track_caller,
                "no_unwind" => &mut flags.no_unwind,
                "coroutine" => &mut flags.is_coroutine,
                "shim" => &mut flags.is_shim,
                "mistyped" => &mut flags.is_mistyped,
                _ => break,
            };
            *flag = true;
            self.skip();
        }
        Ok(flags)
    }

    fn block_twice(&mut self) -> Result<Block, ParseError> {
        let start = self.at;
        self.labels.clear();
        self.labels_complete = false;
        self.block()?;
        self.at = start;
        self.labels_complete = true;
        self.block()
    }

    fn block(&mut self) -> Result<Block, ParseError> {
        let (mut instrs, mut sites, mut unwind) = (Vec::new(), Vec::new(), Vec::new());
        self.expect("{")?;
        while !self.eat("}") {
            let start = self.at;
            let word = self.word("an instruction or `}`")?;
            if self.eat(":") {
                let old = self.labels.insert(word, Pc::try_from(instrs.len()).unwrap_or(Pc::MAX));
                if old.is_some() && !self.labels_complete {
                    self.at = start;
                    return Err(self.error(format!("label `{word}` is there already")));
                }
            } else if word == "on_unwind" {
                unwind.push(self.unwind_range()?);
            } else if let Some(instr) = syntax::parse(self, word)? {
                instrs.push(instr);
                sites.push(if self.eat("@") { Site(self.number()?) } else { Site::NONE });
            } else {
                self.at = start;
                return Err(self.error(format!("no instruction is called `{word}`")));
            }
        }
        Ok((instrs.into(), sites.into(), unwind.into()))
    }

    fn unwind_range(&mut self) -> Result<UnwindRange, ParseError> {
        let start = self.label_ref()?;
        self.expect("..")?;
        let end = self.label_ref()?;
        self.expect("->")?;
        let target = self.label_ref()?;
        Ok(UnwindRange { start, end, target, in_cleanup: self.eat("cleanup") })
    }
}
