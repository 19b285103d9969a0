use std::sync::{Arc, Mutex, RwLock};
use std::thread;

struct Matrix {
    size: usize,
    cells: Vec<u64>,
}

impl Matrix {
    fn new(size: usize, cell: impl Fn(usize, usize) -> u64) -> Matrix {
        let cells = (0..size * size).map(|at| cell(at / size, at % size)).collect();
        Matrix { size, cells }
    }

    fn row_times(&self, row: usize, other: &Matrix) -> Vec<u64> {
        (0..self.size)
            .map(|column| (0..self.size).map(|k| self.cells[row * self.size + k] * other.cells[k * self.size + column] % 1009).sum())
            .collect()
    }
}

// Two threads share the rows; they read both factors under read locks and take turns with the result.
fn main() {
    let size = 12;
    let left = Arc::new(RwLock::new(Matrix::new(size, |row, column| (row * 3 + column) as u64)));
    let right = Arc::new(RwLock::new(Matrix::new(size, |row, column| (row + column * 5) as u64)));
    let rows = Arc::new(Mutex::new(vec![Vec::new(); size]));
    let next = Arc::new(Mutex::new(0..size));
    let threads: Vec<_> = (0..2)
        .map(|_| {
            let (left, right, rows, next) = (left.clone(), right.clone(), rows.clone(), next.clone());
            thread::spawn(move || {
                loop {
                    let row = next.lock().unwrap().next();
                    let Some(row) = row else { break };
                    let result = left.read().unwrap().row_times(row, &right.read().unwrap());
                    rows.lock().unwrap()[row] = result;
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    println!("{}", rows.lock().unwrap().iter().flatten().sum::<u64>());
}
