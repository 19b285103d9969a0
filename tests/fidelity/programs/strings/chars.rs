fn main() {
    for c in ['a', 'Z', '5', ' ', '\n', 'é', '中', '٣', '_', '½'] {
        println!(
            "{:?} {} {} {} {} {} {} {}",
            c,
            c.is_alphabetic(),
            c.is_numeric(),
            c.is_alphanumeric(),
            c.is_whitespace(),
            c.is_uppercase(),
            c.is_control(),
            c.is_ascii_punctuation()
        );
    }
    println!("{:?} {:?} {:?}", '7'.to_digit(10), 'f'.to_digit(16), 'g'.to_digit(16));
    println!("{:?} {:?}", char::from_digit(11, 16), std::char::from_digit(10, 10));
    println!("{} {}", 'a'.is_ascii_hexdigit(), 'x'.is_digit(36));
    println!("{:?}", ('a'..='e').collect::<String>());
    println!("{:?}", ('w'..'z').rev().collect::<Vec<_>>());
    println!("{}", ('\u{D7FE}'..='\u{E001}').count());
    println!("{:?} {:?}", 'a'.max('B'), 'é'.cmp('z'.as_ref_char()));
    println!("{} {}", 'A'.to_ascii_lowercase(), 'é'.to_ascii_uppercase());
    println!("{} {}", char::MAX as u32, char::REPLACEMENT_CHARACTER);
    println!("{:?} {:?}", u32::from('x'), u8::try_from('x'));
    println!("{:?}", 'a'.eq_ignore_ascii_case(&'A'));
    println!("{} {}", 'ﬁ'.to_uppercase(), 'ŉ'.to_uppercase().count());
    println!("{} {}", '\u{41}', "\x41\u{0042}");
    println!("{:?} {}", '\t'.escape_default().collect::<String>(), '→'.escape_unicode());
    println!("{} {}", '𝄞'.len_utf16(), 'x'.len_utf16());
    println!("{:?}", "a1 b2".chars().filter(char::is_ascii_digit).collect::<Vec<_>>());
    println!("{:?}", "hello".chars().position(|c| c == 'l'));
    println!("{:?}", "hello".chars().nth_back(1));
    println!("{:?}", "abc".chars().as_str());
    println!("{:?}", "zebra".chars().max());
    let mut cs: Vec<char> = "sorted".chars().collect();
    cs.sort_unstable();
    cs.dedup();
    println!("{}", cs.iter().collect::<String>());
    println!("{}", String::from_iter(cs));
    println!("{}", "abc".bytes().rev().map(|b| b as char).collect::<String>());
    println!("{:?}", "ab cd".char_indices().find(|(_, c)| c.is_whitespace()));
    println!("{}", "level".chars().eq("level".chars().rev()));
}

trait AsRefChar {
    fn as_ref_char(&self) -> &char;
}
impl AsRefChar for char {
    fn as_ref_char(&self) -> &char {
        self
    }
}
