use std::sync::mpsc;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;

struct Round {
    results: Mutex<Vec<usize>>,
    end: Barrier,
}

fn player(id: usize, rounds: &[Round], report: &mpsc::Sender<(usize, usize)>) {
    for (number, round) in rounds.iter().enumerate() {
        round.results.lock().unwrap().push(id);
        let leader = round.end.wait().is_leader();
        if leader {
            let winner = round.results.lock().unwrap()[0];
            report.send((number, winner)).unwrap();
        }
    }
}

// Each round has a barrier and a lock of its own, and a channel of which only the leaders make use.
fn main() {
    let rounds: Arc<[Round]> = (0..2).map(|_| Round { results: Mutex::default(), end: Barrier::new(3) }).collect();
    let (report, reports) = mpsc::channel();
    let players: Vec<_> = (0..3)
        .map(|id| {
            let (rounds, report) = (rounds.clone(), report.clone());
            thread::spawn(move || player(id, &rounds, &report))
        })
        .collect();
    drop(report);
    println!("{}", reports.iter().filter(|&(_, winner)| winner < 3).count());
    players.into_iter().for_each(|player| player.join().unwrap());
}
