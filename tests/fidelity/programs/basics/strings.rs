fn main() {
    let mut s = String::from("hello");
    s.push(' ');
    s.push_str("world");
    s += "!";
    println!("{s} {}", s.len());
    println!("{}", s.to_uppercase());
    println!("{:?}", s.find('w'));
    println!("{}", &s[6..]);
    println!("{}", s.replace("l", "L"));
    for w in s.split(' ') {
        println!("[{w}]");
    }
    println!("{}", s.chars().rev().collect::<String>());
    println!("{:?}", "a,b,,c".split(',').collect::<Vec<_>>());
    println!("{:?} {:?}", "42".parse::<i32>(), "x".parse::<i32>());
    println!("{}", "ab".repeat(3));
    println!("{}", "abc" < "abd");
    println!("{}", "  x ".trim());
    let t = format!("{}-{:?}-{:>4}|{:<4}|{:^4}|", 1, "q", 2, 3, 4);
    println!("{t}");
    println!("{}", 'a' as u32 + 1);
    println!("{}", (b'a' + 2) as char);
    println!("{:?}", "héllo".char_indices().collect::<Vec<_>>());
    println!("{:?}", "hi".bytes().collect::<Vec<_>>());
    println!("{}", s == "hello world!");
    println!("{}", s.starts_with("hell") && s.ends_with('!'));
    println!("{:?}", "line1\nline2".lines().collect::<Vec<_>>());
}
