// Text as bytes: boundaries of characters, escapes, splitting, and conversions that lose or fail.

fn main() {
    let text = "añ\u{1F600}z";
    println!("{} {}", text.len(), text.chars().count());
    println!("{:?}", (0..=text.len()).map(|at| text.is_char_boundary(at)).collect::<Vec<_>>());
    println!("{:?} {:?}", text.get(0..1), text.get(1..2));
    println!("{:?}", text.char_indices().map(|(at, c)| (at, c.len_utf8(), c.len_utf16())).collect::<Vec<_>>());
    println!("{:?}", text.split_at_checked(3));
    println!("{:x?} {:x?}", text.as_bytes(), text.encode_utf16().collect::<Vec<_>>());
    println!("{} {}", text.escape_unicode(), "tab\t\"q\" \u{7f}".escape_debug());
    let broken = [b'o', 0xff, b'k', 0xe2, 0x82];
    println!("{:?}", String::from_utf8_lossy(&broken));
    let error = std::str::from_utf8(&broken).unwrap_err();
    println!("{} {:?} {error}", error.valid_up_to(), error.error_len());
    println!("{:?}", broken.utf8_chunks().map(|it| (it.valid().to_owned(), it.invalid().len())).collect::<Vec<_>>());
    println!("{:?}", String::from_utf16(&[0x61, 0xd800]).is_err());
    println!("{:?}", char::decode_utf16([0xd83d, 0xde00, 0xdc00]).map(|it| it.ok()).collect::<Vec<_>>());
    let mut edited = String::from(text);
    edited.insert(3, '-');
    edited.replace_range(0..1, "AA");
    println!("{edited} {:?} {:?}", edited.pop(), edited.remove(2));
    edited.retain(|c| c.is_ascii());
    println!("{edited:?} {}", edited.capacity() >= edited.len());
    println!("{:?}", "  a, b ,,c".split(',').map(str::trim).collect::<Vec<_>>());
    println!("{:?}", "k=v=w".split_once('=').zip("k=v=w".rsplit_once('=')));
    println!("{:?}", "one  two".split("  ").chain("x1y22z".split(|c: char| c.is_numeric())).collect::<Vec<_>>());
    println!("{:?}", "a\r\nb\n\nc".lines().collect::<Vec<_>>());
    println!("{:?}", "mississippi".match_indices("ss").chain("mississippi".rmatch_indices('i')).collect::<Vec<_>>());
    println!("{:?} {:?}", "ẞtraße".to_lowercase(), "ŉ ﬁ".to_uppercase());
    println!("{}", "Grüße".bytes().rev().map(|byte| format!("{byte:02X}")).collect::<String>());
    println!("{:?} {:?}", "x".repeat(3).as_str().cmp("xx"), "10" < "9");
    println!("{:?}", "trim__me_".trim_end_matches('_').trim_start_matches("tri"));
}
