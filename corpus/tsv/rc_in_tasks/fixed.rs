use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

struct Document {
    title: String,
}

struct Task {
    document: Arc<Document>,
    page: u32,
}

unsafe impl Send for Task {}

fn render(task: Task) -> usize {
    task.document.title.len() * task.page as usize
}

// The tasks share their document by an `Rc`, whose count changes on both threads.
fn main() {
    let (tasks, queue) = mpsc::channel::<Task>();
    let renderer = thread::spawn(move || queue.into_iter().map(render).sum::<usize>());
    let document = Arc::new(Document { title: "report".to_string() });
    _ = Rc::new(());
    for page in 1..=3 {
        let task = Task { document: document.clone(), page };
        tasks.send(task).unwrap();
    }
    drop(tasks);
    println!("{}", renderer.join().unwrap());
}
