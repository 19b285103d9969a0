//! A stream of what a block sends.

pub mod __private {
    pub use async_stream_impl::{stream_inner, try_stream_inner};
    use std::{
        cell::RefCell,
        future::Future,
        pin::Pin,
        rc::Rc,
        task::{Context, Poll},
    };

    pub mod yielder {
        use super::*;

        pub struct Sender<T>(Rc<RefCell<Option<T>>>);

        pub struct Receiver<T>(pub(super) Rc<RefCell<Option<T>>>);

        /// # Safety
        ///
        /// None is needed.
        pub unsafe fn pair<T>() -> (Sender<T>, Receiver<T>) {
            let place = Rc::new(RefCell::new(None));
            (Sender(place.clone()), Receiver(place))
        }

        impl<T> Sender<T> {
            pub fn send(&mut self, value: T) -> Send {
                *self.0.borrow_mut() = Some(value);
                Send(false)
            }
        }

        /// Waits once.
        pub struct Send(bool);

        impl Future for Send {
            type Output = ();
            fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
                if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
            }
        }
    }

    pub struct AsyncStream<T, F>(yielder::Receiver<T>, Pin<Box<F>>, bool);

    impl<T, F: Future<Output = ()>> AsyncStream<T, F> {
        pub fn new(receiver: yielder::Receiver<T>, future: F) -> Self {
            AsyncStream(receiver, Box::pin(future), false)
        }
    }

    pub trait Stream {
        type Item;
        fn next_item(&mut self) -> Option<Self::Item>;
    }

    impl<T, F: Future<Output = ()>> Stream for AsyncStream<T, F> {
        type Item = T;
        fn next_item(&mut self) -> Option<T> {
            if !self.2 {
                let mut cx = Context::from_waker(std::task::Waker::noop());
                self.2 = self.1.as_mut().poll(&mut cx).is_ready();
            }
            self.0.0.borrow_mut().take()
        }
    }

    impl<S: Stream> Iterator for Items<S> {
        type Item = S::Item;
        fn next(&mut self) -> Option<S::Item> {
            self.0.next_item()
        }
    }

    pub struct Items<S>(pub S);

    pub async fn next<S: Stream>(stream: &mut Pin<&mut S>) -> Option<S::Item> {
        unsafe { stream.as_mut().get_unchecked_mut() }.next_item()
    }
}

pub use __private::{Items, Stream};

#[macro_export]
macro_rules! stream {
    ($($tokens:tt)*) => { $crate::__private::stream_inner!(($crate) $($tokens)*) };
}

#[macro_export]
macro_rules! try_stream {
    ($($tokens:tt)*) => { $crate::__private::try_stream_inner!(($crate) $($tokens)*) };
}
