// Strings: boundaries, the `split` family, searches, `char` methods, `Cow`, editing, conversions.
use std::borrow::Cow;
use std::collections::HashSet;

fn shout(text: &str) -> Cow<'_, str> {
    if text.chars().any(char::is_lowercase) { Cow::Owned(text.to_uppercase()) } else { Cow::Borrowed(text) }
}

fn main() {
    let text = "Größe: 10 €, naïve café 日本 👩‍👩‍👧!";
    println!("{} {} {:?}", text.len(), text.chars().count(), (0..=12).filter(|i| text.is_char_boundary(*i)).collect::<Vec<_>>());
    println!("{:?} {:?} {:?}", text.get(0..3), text.get(2..4), text.char_indices().nth(4));
    println!("{:?} {:?} {:?}", text.find('€'), text.rfind(char::is_whitespace), text.find("café"));
    for (name, parts) in [
        ("split", "a,b,,c,".split(',').collect::<Vec<_>>()), ("splitn", "a,b,c".splitn(2, ',').collect()), ("rsplitn", "a,b,c".rsplitn(2, ',').collect()),
        ("terminator", "a,b,".split_terminator(',').collect()), ("inclusive", "a,b,c".split_inclusive(',').collect()), ("rsplit", "a b c".rsplit(' ').collect()),
        ("whitespace", "  a\t b\u{2003}c\n".split_whitespace().collect()), ("ascii", " a b ".split_ascii_whitespace().collect()), ("lines", "a\r\nb\n\nc\r".lines().collect()),
        ("closure", "a1b22c".split(|c: char| c.is_ascii_digit()).collect()), ("array", "a-b_c".split(['-', '_']).collect()), ("str", "aXXbXXXc".split("XX").collect()), ("empty", "abc".split("").collect()),
        ("matches", "abcabc".matches("bc").collect()), ("rmatches", "1a2".rmatches(char::is_numeric).collect()),
    ] { println!("{name} {parts:?}"); }
    println!("{:?} {:?} {:?}", "k=v=w".split_once('='), "k=v=w".rsplit_once('='), "none".split_once('='));
    println!("{:?} {:?} {:?}", "prefix-x".strip_prefix("prefix-"), "x.rs".strip_suffix(".rs"), "xx".trim_matches('x'));
    println!("{:?} {:?} {:?}", " \u{a0}x\u{3000}".trim(), "0012".trim_start_matches('0'), "x;;".trim_end_matches(";"));
    println!("{} {} {}", "ǅ ß ŉ İ".to_lowercase(), "ß ŉ ﬁ".to_uppercase(), "ΑΣ ΑΣΑ".to_lowercase());
    println!("{} {} {}", "a".repeat(3), "aXbX".replace('X', "--"), "aaaa".replacen("aa", "b", 1));
    println!("{:?} {:?}", "abc".cmp("abd"), "Zebra".eq_ignore_ascii_case("zEBRA"));
    println!("{:?}", "tab\t\"quote\" \\ \u{7f} \u{301} é \0 \r\n 👍".escape_debug().to_string());
    println!("{} {}", "é\n".escape_default(), "é\n".escape_unicode());
    for c in ['a', 'Z', '5', 'é', 'ß', '½', '٣', ' ', '\u{200b}', '日', '\u{1F600}', '\n', 'Ⅷ', 'ª'] {
        println!("{c:?} {} {} {} {} {} {} {} {:?} {} {}", c.is_alphabetic(), c.is_numeric(), c.is_alphanumeric(), c.is_lowercase(), c.is_whitespace(), c.is_control(), c.is_ascii_punctuation(), c.to_digit(16), c.len_utf8(), c.to_uppercase());
    }
    let mut s = String::from("héllo");
    s.insert(1, 'x'); s.insert_str(0, ">>"); s.push('!'); println!("{s} {:?} {:?}", s.pop(), s.remove(3));
    s.truncate(3); s.extend(["a", "b"]); s.retain(|c| c != '>'); s.replace_range(..1, "HH"); println!("{s} {:?}", s.drain(1..3).collect::<String>());
    println!("{s} {:?} {}", s.split_off(1), s.capacity() >= s.len());
    println!("{:?} {:?}", std::str::from_utf8(b"ab\xffcd"), String::from_utf8(vec![0xe2, 0x82]).map_err(|e| e.utf8_error().error_len()));
    println!("{} {:?}", String::from_utf8_lossy(b"a\xf0\x9f\x92b\xc3"), String::from_utf16(&[0xd83d, 0xde00, 0x41]));
    println!("{:?} {:?}", "aé😀".encode_utf16().collect::<Vec<_>>(), 'é'.encode_utf8(&mut [0; 4]).as_bytes());
    for word in ["loud", "QUIET"] { match shout(word) { Cow::Borrowed(b) => println!("borrowed {b}"), Cow::Owned(o) => println!("owned {o}") } }
    let mut cow = Cow::Borrowed("x"); cow.to_mut().push('y'); cow += "z"; println!("{cow} {}", cow.len());
    println!("{:?} {:?}", "a😀".bytes().rev().collect::<Vec<_>>(), "abc".char_indices().rev().collect::<Vec<_>>());
    println!("{:?}", "the cat the dog".split(' ').collect::<HashSet<_>>().len());
    println!("{:?} {:?}", "x".parse::<char>(), ["a", "b"].concat() + &["c", "d"].join("-"));
    println!("{:?} {:?}", "a".to_string().into_boxed_str(), Box::<str>::from("b").into_string());
    println!("{:?} {:?}", char::from_u32(0xd800), char::try_from(0x41u8));
    println!("{:?}", ('a'..='e').rev().step_by(2).collect::<String>());
    println!("{:?} {:?}", "abc" < "abcd", "é" > "z");
    println!("{:?}", "one two".split(' ').map(|w| w.chars().rev().collect::<String>()).collect::<Vec<_>>());
    println!("{:?} {:?}", "Abc".make(), unsafe { std::str::from_utf8_unchecked(&[104, 105]) });
}
trait Make { fn make(&self) -> String; }
impl Make for str { fn make(&self) -> String { let mut s = self.to_owned(); s.make_ascii_uppercase(); s } }
