//! Pipes between threads.
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::thread;

fn main() -> io::Result<()> {
    let (reader, mut writer) = io::pipe()?;
    let producer = thread::spawn(move || -> io::Result<()> {
        for number in 1..=5 {
            writeln!(writer, "line {number}")?;
        }
        Ok(())
    });
    for line in BufReader::new(reader).lines() {
        println!("{}", line?);
    }
    producer.join().unwrap()?;

    // Two writers: the end comes when both are gone.
    let (mut reader, writer) = io::pipe()?;
    let threads: Vec<_> = ["aa", "bbb"]
        .into_iter()
        .map(|text| {
            let mut writer = writer.try_clone().unwrap();
            thread::spawn(move || writer.write_all(text.as_bytes()).unwrap())
        })
        .collect();
    drop(writer);
    let mut all = String::new();
    println!("{}", reader.read_to_string(&mut all)?);
    let mut letters: Vec<char> = all.chars().collect();
    letters.sort_unstable();
    println!("{letters:?}");
    threads.into_iter().for_each(|it| it.join().unwrap());

    // More than fits: the writer waits for the reader.
    let (mut reader, mut writer) = io::pipe()?;
    let big = thread::spawn(move || writer.write_all(&vec![b'x'; 150_000]));
    let mut total = 0;
    let mut buffer = [0; 10_000];
    loop {
        match reader.read(&mut buffer)? {
            0 => break,
            count => total += count,
        }
    }
    println!("{total}");
    big.join().unwrap()?;

    let (reader, mut writer) = io::pipe()?;
    drop(reader);
    let error = writer.write(b"nobody").unwrap_err();
    println!("{:?} {}", error.kind(), error.kind() == ErrorKind::BrokenPipe);
    Ok(())
}
