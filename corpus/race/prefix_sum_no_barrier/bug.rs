use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::thread;

struct Grid {
    cells: Vec<UnsafeCell<i64>>,
    sums: Vec<UnsafeCell<i64>>,
}

unsafe impl Sync for Grid {}

impl Grid {
    fn new(values: &[i64], parts: usize) -> Grid {
        Grid {
            cells: values.iter().map(|&value| UnsafeCell::new(value)).collect(),
            sums: (0..parts).map(|_| UnsafeCell::new(0)).collect(),
        }
    }

    unsafe fn scan(&self, part: usize, size: usize) {
        let mut sum = 0;
        for cell in &self.cells[part * size..(part + 1) * size] {
            unsafe {
                sum += *cell.get();
                *cell.get() = sum;
            }
        }
        unsafe { *self.sums[part].get() = sum }; //~ data-race
    }

    unsafe fn shift(&self, part: usize, size: usize) {
        let before: i64 = self.sums[..part].iter().map(|sum| unsafe { *sum.get() }).sum(); //~ data-race
        for cell in &self.cells[part * size..(part + 1) * size] {
            unsafe { *cell.get() += before };
        }
    }
}

// The parts add the sums of those before them without waiting until these are there.
fn main() {
    let grid = Grid::new(&[1, 2, 3, 4, 5, 6], 2);
    let scanned = Barrier::new(2);
    thread::scope(|scope| {
        for part in 0..2 {
            let (grid, scanned) = (&grid, &scanned);
            scope.spawn(move || unsafe {
                scanned.wait();
                grid.scan(part, 3);
                grid.shift(part, 3);
            });
        }
    });
    println!("{:?}", grid.cells.into_iter().map(UnsafeCell::into_inner).collect::<Vec<_>>());
}
