use std::sync::{Arc, Mutex};

type Handler = Arc<dyn Fn(&Topic, i32) + Send + Sync>;

#[derive(Default)]
struct Topic {
    handlers: Mutex<Vec<(u32, Handler)>>,
}

impl Topic {
    fn subscribe(&self, id: u32, handler: Handler) {
        self.handlers.lock().unwrap().push((id, handler));
    }

    fn unsubscribe(&self, id: u32) {
        self.handlers.lock().unwrap().retain(|handler| handler.0 != id);
    }

    fn publish(&self, value: i32) {
        let handlers = self.handlers.lock().unwrap().clone();
        for (_, handler) in handlers.iter() {
            handler(self, value);
        }
    }
}

// A handler that wants one event only unsubscribes while the list is being walked under its lock.
fn main() {
    let topic = Topic::default();
    topic.subscribe(
        1,
        Arc::new(|topic, value| {
            println!("first event: {value}");
            topic.unsubscribe(1);
        }),
    );
    topic.publish(7);
    topic.publish(8);
}
