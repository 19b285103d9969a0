use std::sync::Mutex;
use std::thread;

#[derive(Default)]
struct Office {
    printer: Mutex<u32>,
    scanner: Mutex<u32>,
    copier: Mutex<u32>,
    shredder: Mutex<u32>,
}

impl Office {
    fn copy(&self) {
        let mut scanner = self.scanner.lock().unwrap();
        let mut printer = self.printer.lock().unwrap(); //~ deadlock
        *scanner += 1;
        *printer += 1;
    }

    fn print(&self) {
        let mut printer = self.printer.lock().unwrap();
        let mut copier = self.copier.lock().unwrap(); //~ deadlock
        *printer += 1;
        *copier += 1;
    }

    fn duplicate(&self) {
        let mut copier = self.copier.lock().unwrap();
        let mut shredder = self.shredder.lock().unwrap(); //~ deadlock
        *copier += 1;
        *shredder += 1;
    }

    fn discard(&self) {
        let mut shredder = self.shredder.lock().unwrap();
        let mut scanner = self.scanner.lock().unwrap(); //~ deadlock
        *shredder += 1;
        *scanner += 1;
    }
}

// Four machines are taken in pairs, and the pairs make a ring.
fn main() {
    let office = Office::default();
    thread::scope(|scope| {
        scope.spawn(|| office.copy());
        scope.spawn(|| office.print());
        scope.spawn(|| office.duplicate());
        office.discard();
    });
    println!("{}", office.printer.lock().unwrap());
}
