//! Format strings as encoded in `core::fmt::Arguments` (the encoding is described in `library/core/src/fmt/mod.rs`).

/// A run of text or a placeholder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece<A> {
    Text(String),
    Placeholder(Placeholder<A>),
}

/// A `{}` with its options; `A` identifies the argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placeholder<A> {
    pub(super) arg: A,
    /// Fill, alignment, sign and so on; `None` for the default.
    flags: Option<u32>,
    width: Option<Count<A>>,
    precision: Option<Count<A>>,
}

/// A width or precision.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Count<A> {
    Literal(u16),
    Argument(A),
}

impl<A> Placeholder<A> {
    /// Whether it has no options.
    pub(super) fn is_plain(&self) -> bool {
        self.flags.is_none()
    }
}

impl<A> Piece<A> {
    /// The same piece with renamed arguments; `None` if one has no new name.
    pub(super) fn map<B>(self, f: &mut impl FnMut(A) -> Option<B>) -> Option<Piece<B>> {
        let placeholder = match self {
            Piece::Text(text) => return Some(Piece::Text(text)),
            Piece::Placeholder(it) => it,
        };
        let count = |it: Option<Count<A>>, f: &mut dyn FnMut(A) -> Option<B>| match it {
            None => Some(None),
            Some(Count::Literal(value)) => Some(Some(Count::Literal(value))),
            Some(Count::Argument(arg)) => Some(Some(Count::Argument(f(arg)?))),
        };
        // Arguments are numbered by first use: a value comes before its width and precision.
        let arg = f(placeholder.arg)?;
        let width = count(placeholder.width, f)?;
        let precision = count(placeholder.precision, f)?;
        Some(Piece::Placeholder(Placeholder { arg, flags: placeholder.flags, width, precision }))
    }

    /// Calls `f` with the arguments of width and precision.
    pub(super) fn each_count(&self, mut f: impl FnMut(&A)) {
        let Piece::Placeholder(it) = self else { return };
        for count in [&it.width, &it.precision].into_iter().flatten() {
            if let Count::Argument(arg) = count {
                f(arg);
            }
        }
    }
}

const LONG_TEXT: u8 = 0x80;
const PLACEHOLDER: u8 = 0xC0;
const HAS_FLAGS: u8 = 1;
const HAS_WIDTH: u8 = 1 << 1;
const HAS_PRECISION: u8 = 1 << 2;
const HAS_POSITION: u8 = 1 << 3;
const WIDTH_IS_ARGUMENT: u8 = 1 << 4;
const PRECISION_IS_ARGUMENT: u8 = 1 << 5;

/// Decodes a template; arguments are positions. `None` if it is not valid.
pub(super) fn decode(mut bytes: &[u8]) -> Option<Vec<Piece<usize>>> {
    let mut pieces = Vec::new();
    let mut next = 0;
    loop {
        let (&first, rest) = bytes.split_first()?;
        bytes = rest;
        match first {
            0 => return bytes.is_empty().then_some(pieces),
            1..=LONG_TEXT => {
                let len = if first == LONG_TEXT { usize::from(take_u16(&mut bytes)?) } else { usize::from(first) };
                let (text, rest) = bytes.split_at_checked(len)?;
                bytes = rest;
                push_text(&mut pieces, std::str::from_utf8(text).ok()?);
            }
            PLACEHOLDER.. => {
                let has = |bit: u8| first & bit != 0;
                let flags = if has(HAS_FLAGS) { Some(take_u32(&mut bytes)?) } else { None };
                let mut count = |is_there: bool, is_argument: bool| {
                    if !is_there {
                        return Some(None);
                    }
                    let value = take_u16(&mut bytes)?;
                    Some(Some(if is_argument { Count::Argument(value.into()) } else { Count::Literal(value) }))
                };
                let width = count(has(HAS_WIDTH), has(WIDTH_IS_ARGUMENT))?;
                let precision = count(has(HAS_PRECISION), has(PRECISION_IS_ARGUMENT))?;
                let arg = if has(HAS_POSITION) { take_u16(&mut bytes)?.into() } else { next };
                next = arg + 1;
                pieces.push(Piece::Placeholder(Placeholder { arg, flags, width, precision }));
            }
            _ => return None,
        }
    }
}

fn take_u16(bytes: &mut &[u8]) -> Option<u16> {
    let (value, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u16::from_le_bytes(*value))
}

fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (value, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u32::from_le_bytes(*value))
}

/// Adds text; adjacent texts are merged.
pub(super) fn push_text<A>(pieces: &mut Vec<Piece<A>>, text: &str) {
    match pieces.last_mut() {
        Some(Piece::Text(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// Encodes pieces as a template.
pub(super) fn encode(pieces: &[Piece<u16>]) -> Box<[u8]> {
    let mut bytes = Vec::new();
    let mut next = 0;
    for piece in pieces {
        match piece {
            Piece::Text(text) => encode_text(&mut bytes, text),
            Piece::Placeholder(it) => {
                let start = bytes.len();
                bytes.push(PLACEHOLDER);
                if let Some(flags) = it.flags {
                    bytes[start] |= HAS_FLAGS;
                    bytes.extend(flags.to_le_bytes());
                }
                let counts =
                    [(&it.width, HAS_WIDTH, WIDTH_IS_ARGUMENT), (&it.precision, HAS_PRECISION, PRECISION_IS_ARGUMENT)];
                for (count, is_there, is_argument) in counts {
                    let Some(count) = count else { continue };
                    bytes[start] |= is_there;
                    let value = match count {
                        Count::Literal(value) => value,
                        Count::Argument(arg) => {
                            bytes[start] |= is_argument;
                            arg
                        }
                    };
                    bytes.extend(value.to_le_bytes());
                }
                if it.arg != next {
                    bytes[start] |= HAS_POSITION;
                    bytes.extend(it.arg.to_le_bytes());
                }
                next = it.arg.wrapping_add(1);
            }
        }
    }
    bytes.push(0);
    bytes.into()
}

fn encode_text(bytes: &mut Vec<u8>, mut text: &str) {
    while !text.is_empty() {
        let (chunk, rest) = text.split_at(text.floor_char_boundary(usize::from(u16::MAX)));
        if chunk.len() < usize::from(LONG_TEXT) {
            bytes.push(chunk.len() as u8);
        } else {
            bytes.push(LONG_TEXT);
            bytes.extend((chunk.len() as u16).to_le_bytes());
        }
        bytes.extend(chunk.as_bytes());
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What core reads comes out as it went in.
    #[test]
    fn a_template_survives() {
        let long = "ü".repeat(70_000);
        let flags = Some(0x6000_0020 | 1 << 27);
        let placeholder = |arg, width, precision| Piece::Placeholder(Placeholder { arg, flags, width, precision });
        let plain = |arg| Piece::Placeholder(Placeholder { arg, flags: None, width: None, precision: None });
        let pieces = vec![
            Piece::Text("short".to_owned()),
            plain(0),
            plain(1),
            Piece::Text(long),
            plain(0),
            placeholder(2, Some(Count::Literal(7)), Some(Count::Argument(3))),
            placeholder(3, Some(Count::Argument(1)), None),
            plain(4),
        ];
        let bytes = encode(&pieces);
        let read: Vec<Piece<u16>> = decode(&bytes)
            .expect("a template")
            .into_iter()
            .map(|it| it.map(&mut |arg: usize| u16::try_from(arg).ok()).expect("small numbers"))
            .collect();
        assert_eq!(read, pieces);
    }

    #[test]
    fn what_is_no_template() {
        for bytes in [&b""[..], b"\x05abc\0", b"\x90\0", b"\0a", b"\xC1\0", b"\x01\xFF\0"] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
