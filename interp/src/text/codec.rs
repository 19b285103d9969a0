//! How each kind of operand is printed, parsed, and (for tests) generated.
//!
//! One module for each kind, all with the same functions, so that the table in [`syntax`](super::syntax) can name them.

use crate::ir::{CauseId, DataId, FnId, GlobalId, Pc, Slot, VtableId};
use crate::text::ParseError;
use crate::text::lex::Token;
use crate::text::names::Named;
use crate::text::parse::Parser;
use crate::text::print::Printer;
use std::fmt::Display;

/// A slot, `s8`.
pub(super) mod slot {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, slot: &Slot) {
        p.put(format_args!("s{slot}"));
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<Slot, ParseError> {
        p.numbered("s", "a slot, as `s8`")
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> Slot {
        rng.below(200)
    }
}

/// A position in the code: a label, or `%9` for one outside.
pub(super) mod pc {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, pc: &Pc) {
        p.put_pc(*pc);
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<Pc, ParseError> {
        p.label_ref()
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> Pc {
        rng.below(30)
    }
}

/// A number.
pub(super) mod num {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, number: &impl Display) {
        p.put(format_args!("{number}"));
    }

    pub(in crate::text) fn parse<T: TryFrom<u128> + TryFrom<i128>>(p: &mut Parser<'_>) -> Result<T, ParseError> {
        p.number()
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up<T: TryFrom<u64> + Default>(rng: &mut crate::rng::Rng) -> T {
        let bits = 1 + rng.below(63);
        T::try_from(rng.next_u64() >> bits).unwrap_or_default()
    }
}

/// A number with a sign.
pub(super) mod signed {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, number: &i64) {
        num::print(p, number);
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<i64, ParseError> {
        p.number()
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> i64 {
        let bits = rng.below(64);
        rng.next_u64().cast_signed() >> bits
    }
}

/// The upper half of a constant; omitted if 0.
pub(super) mod high {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, high: &u64) {
        if *high != 0 {
            p.put(format_args!(" high {high}"));
        }
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<u64, ParseError> {
        if p.eat("high") { p.number() } else { Ok(0) }
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> u64 {
        u64::from(rng.below(2)) * rng.next_u64()
    }
}

/// A value of an enumeration.
pub(super) mod name {
    use super::*;

    pub(in crate::text) fn print<T: Named>(p: &mut Printer, value: &T) {
        p.put(format_args!("{}", value.text()));
    }

    pub(in crate::text) fn parse<T: Named>(p: &mut Parser<'_>) -> Result<T, ParseError> {
        let value = match p.peek() {
            Token::Word(word) => T::from_text(word),
            _ => None,
        };
        let value = value.ok_or_else(|| p.expected(T::WHAT))?;
        p.skip();
        Ok(value)
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up<T: Named>(rng: &mut crate::rng::Rng) -> T {
        T::ALL[rng.index(T::ALL.len())].0
    }
}

macro_rules! ids {
    ($($module:ident $ty:ident $prefix:literal;)*) => {$(
        #[doc = concat!("A number with the prefix `", $prefix, "`.")]
        pub(super) mod $module {
            use super::*;

            pub(in crate::text) fn print(p: &mut Printer, id: &$ty) {
                p.put(format_args!("{}{}", $prefix, id.0));
            }

            pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<$ty, ParseError> {
                p.numbered($prefix, concat!("`", $prefix, "` and a number")).map($ty)
            }

            #[cfg(test)]
            pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> $ty {
                $ty(rng.below(10))
            }
        }
    )*};
}

ids! {
    func FnId "f";
    global GlobalId "g";
    data DataId "d";
    vtable VtableId "v";
    cause CauseId "c";
}

macro_rules! switches {
    ($($module:ident)*) => {$(
        #[doc = concat!("Whether `", stringify!($module), "` stands there.")]
        pub(super) mod $module {
            use super::*;

            pub(in crate::text) fn print(p: &mut Printer, on: &bool) {
                if *on {
                    p.put(format_args!(concat!(" ", stringify!($module))));
                }
            }

            pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<bool, ParseError> {
                Ok(p.eat(stringify!($module)))
            }

            #[cfg(test)]
            pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> bool {
                rng.chance(1, 2)
            }
        }
    )*};
}

switches! { volatile overlapping weak }

/// Arguments, `(s0, s8)`.
pub(super) mod slots {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, slots: &[Slot]) {
        p.list("(", slots, ")", slot::print);
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<Box<[Slot]>, ParseError> {
        p.list("(", ")", slot::parse)
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> Box<[Slot]> {
        (0..rng.below(4)).map(|_| slot::make_up(rng)).collect()
    }
}

/// The table of a switch, `{1: a, 2: b}`.
pub(super) mod table {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, table: &[(u128, Pc)]) {
        p.list("{", table, "}", |p, (value, to)| {
            p.put(format_args!("{value}: "));
            p.put_pc(*to);
        });
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<Box<[(u128, Pc)]>, ParseError> {
        p.list("{", "}", |p| {
            let value = p.number()?;
            p.expect(":")?;
            Ok((value, p.label_ref()?))
        })
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> Box<[(u128, Pc)]> {
        let value = |rng: &mut crate::rng::Rng| u128::from(rng.next_u64()) << rng.below(64);
        (0..rng.below(4)).map(|_| (value(rng), pc::make_up(rng))).collect()
    }
}

/// The drop glue of a coroutine's captures, if any.
pub(super) mod captures {
    use super::*;

    pub(in crate::text) fn print(p: &mut Printer, captures: &Option<FnId>) {
        if let Some(captures) = captures {
            p.put(format_args!(" captures "));
            func::print(p, captures);
        }
    }

    pub(in crate::text) fn parse(p: &mut Parser<'_>) -> Result<Option<FnId>, ParseError> {
        if p.eat("captures") { func::parse(p).map(Some) } else { Ok(None) }
    }

    #[cfg(test)]
    pub(in crate::text) fn make_up(rng: &mut crate::rng::Rng) -> Option<FnId> {
        rng.chance(1, 2).then(|| func::make_up(rng))
    }
}
