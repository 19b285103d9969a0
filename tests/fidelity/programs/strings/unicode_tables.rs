// Methods of `char` over many characters, and the case mappings.
fn main() {
    let chars = ['a', 'Z', '0', '9', '_', ' ', '\n', '\u{0}', '\u{7f}', '\u{85}', 'é', 'ß', 'İ', 'ŉ', 'ǆ', 'ǅ', 'Ω', 'σ', 'ς', 'ﬁ', '٣', '½', '²', 'Ⅷ', '中', 'あ', '\u{301}', '\u{200b}', '\u{2028}', '\u{feff}', '😀', '𝔸', '𐐀', '\u{e000}', '\u{10ffff}', 'ª', 'ǲ', 'ᾳ', 'ꭰ', 'ა', 'Ა'];
    for c in chars {
        let flags = [c.is_alphabetic(), c.is_numeric(), c.is_alphanumeric(), c.is_whitespace(), c.is_control(), c.is_uppercase(), c.is_lowercase(), c.is_ascii(), c.is_ascii_punctuation(), c.is_ascii_hexdigit(), c.is_ascii_graphic()];
        let bits: String = flags.iter().map(|it| if *it { '1' } else { '0' }).collect();
        println!("{:04x} {bits} {:?} {:?} {:?} {} {}", c as u32, c, c.to_uppercase().collect::<Vec<_>>(), c.to_lowercase().to_string(), c.len_utf8(), c.len_utf16());
        println!("  {} {} {} {:?}", c.escape_debug(), c.escape_default(), c.escape_unicode(), c.to_ascii_uppercase());
        println!("  {:?} {:?} {:?}", c.to_digit(10), c.to_digit(16), c.to_digit(36));
    }
    let mut counts = [0u32; 7];
    for c in ('\u{0}'..='\u{2ff}').chain('\u{370}'..='\u{3ff}').chain('\u{1e00}'..='\u{1eff}') {
        for (count, is) in counts.iter_mut().zip([c.is_alphabetic(), c.is_numeric(), c.is_whitespace(), c.is_uppercase(), c.is_lowercase(), c.to_uppercase().len() > 1, c.to_lowercase().ne([c])]) { *count += u32::from(is); }
    }
    println!("{counts:?}");
    println!("{:?} {:?} {:?}", char::from_u32(0xd800), char::from_u32(0x41), char::from_digit(11, 16));
    println!("{:?} {:?}", ('\u{d7fe}'..'\u{e002}').map(|c| c as u32).collect::<Vec<_>>(), ('a'..='e').rev().step_by(2).collect::<String>());
    println!("{:?} {:?} {:?}", char::try_from(0x110000u32).map_err(|e| e.to_string()), u8::try_from('é'), u8::try_from('中').map_err(|e| e.to_string()));
    let mut buffer = [0; 4];
    println!("{:?} {:?}", '中'.encode_utf8(&mut buffer).len(), '😀'.encode_utf16(&mut [0; 2]));
    println!("{:?}", char::decode_utf16([0xd834, 0xdd1e, 0xdc00, 0x6d]).map(|it| it.map_err(|e| e.unpaired_surrogate())).collect::<Vec<_>>());
    println!("{:?}", "ǅ ǆ ﬃ ΐ".chars().flat_map(char::to_uppercase).collect::<String>());
}
