use std::sync::Mutex;

struct Transcript {
    speaker: &'static str,
    text: Mutex<String>,
}

impl Transcript {
    fn prefix(&self) -> String {
        let line = self.text.lock().unwrap().lines().count() + 1; //~ deadlock
        format!("{line} {}: ", self.speaker)
    }

    fn say(&self, words: &str) {
        *self.text.lock().unwrap() += &(self.prefix() + words + "\n");
    }
}

// `+=` of a string evaluates its left side, with the guard, before its right side.
fn main() {
    let transcript = Transcript { speaker: "ann", text: Mutex::default() };
    transcript.say("hello");
    transcript.say("anybody there?");
    print!("{}", transcript.text.lock().unwrap());
}
