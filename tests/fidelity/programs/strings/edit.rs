use std::borrow::Cow;
use std::fmt::Write;
use std::str::FromStr;

#[derive(Debug, PartialEq)]
struct Rgb(u8, u8, u8);
impl FromStr for Rgb {
    type Err = String;
    fn from_str(s: &str) -> Result<Rgb, String> {
        let h = s.strip_prefix('#').ok_or_else(|| format!("no # in {s:?}"))?;
        if h.len() != 6 {
            return Err(format!("length {}", h.len()));
        }
        let p = |i: usize| u8::from_str_radix(&h[i..i + 2], 16).map_err(|e| e.to_string());
        Ok(Rgb(p(0)?, p(2)?, p(4)?))
    }
}

fn clean(s: &str) -> Cow<'_, str> {
    if s.contains(' ') { Cow::Owned(s.replace(' ', "_")) } else { Cow::Borrowed(s) }
}

fn caesar(s: &str, k: u8) -> String {
    s.chars()
        .map(|c| match c {
            'a'..='z' => ((c as u8 - b'a' + k) % 26 + b'a') as char,
            'A'..='Z' => ((c as u8 - b'A' + k) % 26 + b'A') as char,
            _ => c,
        })
        .collect()
}

fn main() {
    let mut s = String::with_capacity(10);
    write!(s, "{}-{:?}", 1, "x").unwrap();
    writeln!(s, "!").unwrap();
    print!("{s}");
    s.clear();
    s.extend(["ab", "cd"]);
    s.extend(['e', 'f']);
    println!("{s} {}", s.capacity() >= 6);
    s.truncate(4);
    s.retain(|c| c != 'b');
    println!("{s}");
    s.replace_range(1..2, "CCC");
    println!("{s} {:?}", s.drain(..2).collect::<String>());
    println!("{s} {:?}", s.split_off(1));
    println!("{:?} {:?}", "#ff8000".parse::<Rgb>(), Rgb::from_str("ff"));
    println!("{:?} {:?}", "#12".parse::<Rgb>(), "#gg0000".parse::<Rgb>());
    println!("{} {}", clean("a b"), clean("ab"));
    println!("{}", matches!(clean("ab"), Cow::Borrowed(_)));
    println!("{} {}", caesar("Hello, World", 3), caesar(&caesar("abc", 20), 6));
    println!("{:?}", "hello".chars().map(|c| c.to_ascii_uppercase()).collect::<String>());
    println!("{} {}", "HeLLo".to_ascii_lowercase(), "hello".eq_ignore_ascii_case("HELLO"));
    let mut b = *b"bytes";
    b.make_ascii_uppercase();
    println!("{:?} {:?}", b, std::str::from_utf8(&b));
    println!("{:?} {}", b"esc\n\x7f\"".escape_ascii().to_string(), "a".cmp("b") as i32);
    println!("{}", ["x", "y", "z"].concat() + &["1", "2"].join(", "));
    let words = vec!["apple", "bob", "cat"];
    let caps: Vec<String> = words
        .iter()
        .map(|w| {
            let mut c = w.chars();
            c.next().map_or(String::new(), |f| f.to_uppercase().collect::<String>() + c.as_str())
        })
        .collect();
    println!("{}", caps.join(" "));
    let bs: Box<str> = "boxed".into();
    let st: String = bs.into_string();
    println!("{} {:?}", st, st.clone().into_bytes());
    println!("{:?}", "a\\b\u{1F600}\r".to_string());
    println!("{}", r#"raw "str" \n"#);
    println!("multi \
              line");
    println!("{:?}", c"c string".to_bytes_with_nul().len());
}
