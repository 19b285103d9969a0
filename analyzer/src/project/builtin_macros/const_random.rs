//! const-random: `const_random!` gives a number or bytes that another build may change. Here they depend on where the call
//! stands.

use super::{
    Call,
    tokens::{Quote, Tree, trees},
};
use interp::rng::Rng;
use ra_ap_span::Span;
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Maximum number of bytes.
const MOST_BYTES: usize = 1 << 12;

/// The types of numbers with the bits of their positive values.
const NUMBERS: &[(&str, u32)] = &[
    ("u8", 8),
    ("i8", 7),
    ("u16", 16),
    ("i16", 15),
    ("u32", 32),
    ("i32", 31),
    ("u64", 64),
    ("i64", 63),
    ("u128", 128),
    ("i128", 127),
    ("usize", 64),
    ("isize", 63),
];

pub(super) fn const_random(call: &Call<'_>) -> Result<TopSubtree, String> {
    let item = trees(call.item);
    let [ty] = item.as_slice() else { return Err("no type of numbers or bytes".to_owned()) };
    let Span { range, anchor, .. } = ty.span();
    let mut rng = Rng::with_stream(u32::from(range.start()).into(), anchor.ast_id.into_raw().into());
    let text = match ty.ident() {
        Some(name) => {
            let (_, bits) = NUMBERS.iter().find(|(of, _)| *of == name).ok_or("no type of numbers or bytes")?;
            let number = (u128::from(rng.next_u64()) << 64) | u128::from(rng.next_u64());
            format!("{}{name}", number >> (128 - bits))
        }
        None => {
            let count = count_of_bytes(ty).ok_or("no type of numbers or bytes")?;
            let bytes: Vec<String> = (0..count).map(|_| format!("{}u8", rng.below(256))).collect();
            format!("[{}]", bytes.join(","))
        }
    };
    Ok(Quote::default().made(ty.span(), &text))
}

/// The length of `[u8; N]`.
fn count_of_bytes(ty: &Tree<'_>) -> Option<usize> {
    let inside = trees(ty.group(DelimiterKind::Bracket)?);
    let [item, semicolon, count] = inside.as_slice() else { return None };
    let count: usize = count.literal()?.parse().ok()?;
    (item.is_ident("u8") && semicolon.is_punct(';') && count <= MOST_BYTES).then_some(count)
}
