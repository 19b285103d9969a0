use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

struct Person {
    name: Mutex<String>,
    friend: Mutex<Weak<Person>>,
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.lock().unwrap();
        let friend = self.friend.lock().unwrap().upgrade();
        match friend {
            Some(friend) => write!(f, "{name} knows {}", friend.name.lock().unwrap()),
            None => write!(f, "{name}"),
        }
    }
}

fn person(name: &str) -> Arc<Person> {
    Arc::new(Person { name: Mutex::new(name.to_string()), friend: Mutex::default() })
}

// Two friends lock each other's names in turn, but `println!` formats under the lock of the output.
fn main() {
    let (ann, bob) = (person("Ann"), person("Bob"));
    *ann.friend.lock().unwrap() = Arc::downgrade(&bob);
    *bob.friend.lock().unwrap() = Arc::downgrade(&ann);
    let printer = {
        let ann = ann.clone();
        thread::spawn(move || println!("{ann}"))
    };
    println!("{bob}");
    printer.join().unwrap();
}
