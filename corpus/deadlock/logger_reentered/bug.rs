use std::fmt;
use std::sync::Mutex;

struct Logger {
    lines: Mutex<Vec<String>>,
}

static LOGGER: Logger = Logger { lines: Mutex::new(Vec::new()) };

impl Logger {
    fn log(&self, message: fmt::Arguments<'_>) {
        let mut lines = self.lines.lock().unwrap(); //~ deadlock
        lines.push(message.to_string());
    }
}

struct Request {
    path: String,
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.contains("..") {
            LOGGER.log(format_args!("odd path"));
        }
        f.write_str(&self.path)
    }
}

// Formatting the message under the logger's lock logs once more.
fn main() {
    let request = Request { path: "/a/../b".to_string() };
    LOGGER.log(format_args!("GET {request}"));
    println!("{:?}", LOGGER.lines.lock().unwrap());
}
