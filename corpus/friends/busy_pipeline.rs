use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

fn stage<A: Send + 'static, B: Send + 'static>(
    name: &str,
    input: Receiver<A>,
    mut work: impl FnMut(A) -> Option<B> + Send + 'static,
) -> (Receiver<B>, thread::JoinHandle<usize>) {
    let (output, results): (SyncSender<B>, _) = mpsc::sync_channel(2);
    let handle = thread::Builder::new()
        .name(name.to_string())
        .spawn(move || {
            let mut count = 0;
            for item in input {
                if let Some(result) = work(item) {
                    count += 1;
                    if output.send(result).is_err() {
                        break;
                    }
                }
            }
            count
        })
        .unwrap();
    (results, handle)
}

// Each stage ends when the one before it has, and a stage whose reader has gone gives up.
fn main() {
    let (lines, input) = mpsc::sync_channel(1);
    let source = thread::spawn(move || {
        for line in "one two\nthree two\n\none one\nfour\n".lines().cycle().take(40) {
            if lines.send(line.to_string()).is_err() {
                return false;
            }
        }
        true
    });
    let (words, splitter) = stage("split", input, |line: String| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(words)
    });
    let mut seen = HashMap::new();
    let (counts, counter) = stage("count", words, move |words: Vec<String>| {
        for word in words {
            *seen.entry(word).or_insert(0u32) += 1;
        }
        seen.values().copied().max()
    });
    let most = counts.iter().take_while(|&most| most < 6).last();
    drop(counts);
    println!("{most:?}");
    println!("{} {}", source.join().is_ok(), splitter.join().unwrap() >= counter.join().unwrap());
}
