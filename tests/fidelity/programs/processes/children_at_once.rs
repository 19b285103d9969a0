//! Several children compute parts of one result at the same time.
use std::env;
use std::process::{Child, Command, Stdio};

fn is_prime(number: u32) -> bool {
    number > 1 && (2..).take_while(|it| it * it <= number).all(|it| number % it != 0)
}

fn start(part: u32, parts: u32) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["count", &part.to_string(), &parts.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("part {part}: {error}"))
}

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [command, part, parts] = args.as_slice() {
        assert_eq!(command, "count");
        let (part, parts): (u32, u32) = (part.parse().unwrap(), parts.parse().unwrap());
        let range = part * 1000 / parts..(part + 1) * 1000 / parts;
        println!("{}", range.filter(|&it| is_prime(it)).count());
        return;
    }
    let children: Vec<Child> = (0..4).map(|part| start(part, 4)).collect();
    let ids: std::collections::BTreeSet<u32> = children.iter().map(Child::id).collect();
    println!("{} different ids, none of them ours: {}", ids.len(), !ids.contains(&std::process::id()));
    let mut total = 0;
    for (part, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        let count: u32 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
        println!("part {part}: {count}");
        total += count;
    }
    println!("{total} primes below 1000");
}
