//! Calls from two threads where a test uses a value that no harness can make.

use super::{library, short};
use expect_test::expect;

const DATABASE: &str = "
use std::sync::Mutex;

pub struct Database {
    writers: Mutex<u32>,
    savepoints: Mutex<Vec<u32>>,
}

impl Database {
    /// # Safety
    ///
    /// Nobody else may use the file.
    pub unsafe fn create(_file: &str) -> Database {
        Database { writers: Mutex::new(0), savepoints: Mutex::new(Vec::new()) }
    }
    pub fn save(&self) {
        let writers = self.writers.lock().unwrap();
        self.savepoints.lock().unwrap().push(*writers);
    }
    pub fn restore(&self) {
        let mut savepoints = self.savepoints.lock().unwrap();
        *self.writers.lock().unwrap() = savepoints.pop().unwrap_or(0);
    }
}
";

const TEST: &str = "
#[cfg(test)]
mod tests {
    use super::Database;

    #[test]
    fn saves() {
        let database = unsafe { Database::create(\"data\") };
        database.save();
        database.restore();
        assert_eq!(*database.writers.lock().unwrap(), 0);
    }
}
";

#[test]
fn a_value_that_only_a_test_makes() {
    short(
        &library(&format!("{DATABASE}{TEST}")),
        &expect![[r#"
            stdout:
            src/lib.rs:18:9: error[deadlock]: thread 1 waits for `Database.savepoints` while holding `Database.writers`; the caller waits for `Database.writers` while holding `Database.savepoints` (with src/lib.rs:22:10, src/lib.rs:21:30, src/lib.rs:17:23)
            stderr:
            shop: 1 bug. 4 entries (1 test, 3 API items), 103 schedules
                  reached 5 of 5 lock sites, 4 concurrently
                  calls from two threads: 3 of 3 pairs at once
                  not called: 1 item, such as `Database`: no value of `Database` can be made
            status: 1
        "#]],
    );
}

#[test]
fn a_value_that_only_an_example_makes() {
    let documented = DATABASE.replace(
        "\npub struct Database",
        "
/// ```
/// let database = unsafe { shop::Database::create(\"data\") };
/// database.save();
/// database.restore();
/// ```
pub struct Database",
    );
    let folder = library(&documented);
    let (stdout, stderr, status) = folder.output(&["check", "--no-cache", "."]);
    assert!(status == 1 && stdout.contains("error[deadlock]"), "{stdout}{stderr}");
    let called = "called: `example_of_Database_1::main`, then `Database::";
    assert!(stdout.contains(called) && !stdout.contains("as a test"), "{stdout}");
}
