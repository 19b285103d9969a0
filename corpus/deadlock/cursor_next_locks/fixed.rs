use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;

struct Table {
    index: Mutex<BTreeMap<u32, usize>>,
    rows: Mutex<Vec<String>>,
}

struct Cursor<'a> {
    table: &'a Table,
    last: Option<u32>,
}

impl Iterator for Cursor<'_> {
    type Item = (u32, String);

    fn next(&mut self) -> Option<(u32, String)> {
        let index = self.table.index.lock().unwrap();
        let start = self.last.map_or(0, |last| last + 1);
        let (&key, &row) = index.range(start..).next()?;
        self.last = Some(key);
        let rows = self.table.rows.lock().unwrap();
        Some((key, rows[row].clone()))
    }
}

impl Table {
    fn scan(&self) -> Cursor<'_> {
        Cursor { table: self, last: None }
    }

    fn append(&self, key: u32, row: &str) {
        let mut index = self.index.lock().unwrap();
        let mut rows = self.rows.lock().unwrap();
        rows.push(row.to_string());
        index.insert(key, rows.len() - 1);
    }
}

// The cursor's `next` locks the index before the rows, `append` the other way round.
fn main() {
    let table = Arc::new(Table { index: Mutex::default(), rows: Mutex::default() });
    table.append(1, "one");
    table.append(4, "four");
    let writer = {
        let table = table.clone();
        thread::spawn(move || table.append(2, "two"))
    };
    let found: Vec<_> = table.scan().filter(|(key, _)| key % 2 == 0).map(|(_, row)| row).collect();
    println!("{}", found.contains(&"four".to_string()));
    writer.join().unwrap();
}
