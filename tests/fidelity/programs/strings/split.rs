fn v<'a>(i: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    i.collect()
}

fn main() {
    let s = "one,two,,three,";
    println!("{:?}", v(s.split(',')));
    println!("{:?}", v(s.rsplit(',')));
    println!("{:?}", v(s.splitn(3, ',')));
    println!("{:?}", v(s.rsplitn(2, ',')));
    println!("{:?}", v(s.split_terminator(',')));
    println!("{:?}", v(s.split_inclusive(',')));
    println!("{:?} {:?}", s.split_once(','), s.rsplit_once(",,"));
    println!("{:?}", v("  a  b \t c\n".split_whitespace()));
    println!("{:?}", v("a b  c".split(' ')));
    println!("{:?}", v("a1b22c".split(|c: char| c.is_ascii_digit())));
    println!("{:?}", v("a-b_c".split(['-', '_'])));
    println!("{:?}", v("a-b_c".split(&['-', '_'][..])));
    println!("{:?}", v("aXXbXXXc".split("XX")));
    println!("{:?}", v("abc".split("")));
    println!("{:?}", v("l1\r\nl2\n\nl4\r".lines()));
    println!("{:?}", v("abcabc".matches("bc")));
    println!("{:?}", "abcabc".match_indices('b').collect::<Vec<_>>());
    println!("{:?}", "abcabc".rmatch_indices("c").collect::<Vec<_>>());
    println!("{:?} {:?}", "key=val=x".split_once('='), "none".split_once('='));
    println!("{:?} {:?}", "prefix-x".strip_prefix("prefix-"), "x.rs".strip_suffix(".txt"));
    println!("[{}] [{}] [{}]", " x ".trim_start(), " x ".trim_end(), "\u{a0}x\n".trim());
    println!("{} {}", "xxaxx".trim_matches('x'), "123abc".trim_start_matches(char::is_numeric));
    println!("{} {}", "foo.rs.rs".trim_end_matches(".rs"), "--x--".trim_matches(['-']));
    println!("{:?} {:?} {:?}", "hello".find("l"), "hello".rfind("l"), "hello".find("z"));
    println!("{:?} {:?}", "hello".find(char::is_whitespace), "h l".find([' ', 'l']));
    println!("{} {}", "aaa".replace("aa", "b"), "aaa".replacen('a', "bc", 2));
    println!("{} {} {}", "abc".contains("bc"), "abc".contains('z'), "abc".contains(char::is_uppercase));
    println!("{:?}", "a,b;c".split([',', ';']).map(str::to_owned).collect::<Vec<String>>());
    println!("{:?}", "k1=v1;k2=v2".split(';').filter_map(|p| p.split_once('=')).collect::<Vec<_>>());
    println!("{:?}", "Mary had a lamb".split(' ').rev().collect::<Vec<_>>().join(" "));
    println!("{:?}", v("αβγ".split('β')));
    println!("{:?}", v("".split(',')));
    println!("{:?}", v("".split_terminator(',')));
    println!("{:?}", "abXcdX".split_inclusive('X').next_back());
    println!("{:?} {:?}", "a b c".split(' ').nth(1), "a b c".split(' ').last());
}
