use std::sync::{Mutex, MutexGuard};

struct Canvas {
    shapes: Mutex<Vec<Shape>>,
}

#[derive(Clone, Debug)]
struct Shape {
    x: i32,
    hidden: bool,
}

type Command<'a> = Box<dyn FnMut(i32) + 'a>;

impl Canvas {
    fn mover(&self, index: usize) -> Command<'_> {
        Box::new(move |by| {
            let mut shapes: MutexGuard<'_, Vec<Shape>> = self.shapes.lock().unwrap();
            shapes[index].x += by
        })
    }

    fn visible(&self) -> usize {
        self.shapes.lock().unwrap().iter().filter(|shape| !shape.hidden).count()
    }
}

fn replay(mut command: Command<'_>, moves: &[i32]) -> usize {
    moves.iter().copied().map(&mut command).count()
}

// The command owns the guard, and lives as long as the variable that it is in.
fn main() {
    let canvas = Canvas { shapes: Mutex::new(vec![Shape { x: 0, hidden: false }, Shape { x: 5, hidden: true }]) };
    println!("{}", replay(canvas.mover(1), &[1, 2]));
    let mut undo = canvas.mover(0);
    undo(-1);
    println!("{}", canvas.visible());
    undo(1);
}
