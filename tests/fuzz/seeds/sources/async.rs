use std::{
    future::Future,
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

struct Later(u8);

impl Future for Later {
    type Output = u8;
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u8> {
        self.0 -= 1;
        context.waker().wake_by_ref();
        if self.0 == 0 { Poll::Ready(7) } else { Poll::Pending }
    }
}

async fn sum() -> u8 {
    let mut all = 0;
    for count in 1..3 {
        all += Later(count).await;
    }
    all
}

fn main() {
    let mut future = pin!(sum());
    let mut context = Context::from_waker(Waker::noop());
    while future.as_mut().poll(&mut context).is_pending() {}
}
