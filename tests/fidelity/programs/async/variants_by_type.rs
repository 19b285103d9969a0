// What a future captures, and variants that are named by way of a type.

use std::{
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

#[derive(Debug, Clone)]
enum Message {
    Stop,
    Text(String),
}

type Alias = Message;

impl Message {
    async fn answer(self, name: String, count: &mut u32) -> String {
        let first = Self::Stop;
        *count += 1;
        let rest = async {
            let text = Self::Text(name.clone());
            *count += 1;
            format!("{first:?} {text:?} {self:?}")
        };
        format!("{} {name}", rest.await)
    }
}

fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing waits"),
    }
}

fn main() {
    let mut count = 0;
    println!("{}", ready(Message::Stop.answer("a".to_owned(), &mut count)));
    let names = vec!["x".to_owned(), "y".to_owned()];
    let moved = async move {
        let kind = Alias::Text("k".into());
        (kind, names.len(), names)
    };
    println!("{:?} {count}", ready(moved));
}
