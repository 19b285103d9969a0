//! The macros, and what their expansions use.

#[doc(hidden)]
pub use futures_macro::{join_internal, select_biased_internal, select_internal, try_join_internal};

#[macro_export]
macro_rules! join {
    ($($tokens:tt)*) => {{
        use $crate::__private as __futures_crate;
        $crate::join_internal! { $($tokens)* }
    }};
}

#[macro_export]
macro_rules! try_join {
    ($($tokens:tt)*) => {{
        use $crate::__private as __futures_crate;
        $crate::try_join_internal! { $($tokens)* }
    }};
}

#[macro_export]
macro_rules! select {
    ($($tokens:tt)*) => {{
        use $crate::__private as __futures_crate;
        $crate::select_internal! { $($tokens)* }
    }};
}

#[macro_export]
macro_rules! select_biased {
    ($($tokens:tt)*) => {{
        use $crate::__private as __futures_crate;
        $crate::select_biased_internal! { $($tokens)* }
    }};
}

pub mod __private {
    pub use crate::{async_await, future, task};
    pub use std::{
        option::Option::{self, None, Some},
        pin::Pin,
        result::Result::{Err, Ok},
    };
}

pub mod task {
    pub use std::task::{Context, Poll, Waker};

    pub fn noop_waker_ref() -> &'static Waker {
        Waker::noop()
    }
}

pub mod async_await {
    pub fn assert_unpin<T: Unpin>(_: &T) {}

    pub fn assert_fused_future<T: crate::future::FusedFuture>(_: &T) {}

    /// Turns the order round.
    pub fn shuffle<T>(list: &mut [T]) {
        list.reverse();
    }
}

pub mod future {
    pub use std::future::{Future, poll_fn};
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    pub enum MaybeDone<F: Future> {
        Future(F),
        Done(Option<F::Output>),
    }

    pub fn maybe_done<F: Future>(future: F) -> MaybeDone<F> {
        MaybeDone::Future(future)
    }

    impl<F: Future> MaybeDone<F> {
        pub fn output_mut(self: Pin<&mut Self>) -> Option<&mut F::Output> {
            match unsafe { self.get_unchecked_mut() } {
                MaybeDone::Done(output) => output.as_mut(),
                MaybeDone::Future(_) => None,
            }
        }

        pub fn take_output(self: Pin<&mut Self>) -> Option<F::Output> {
            match unsafe { self.get_unchecked_mut() } {
                MaybeDone::Done(output) => output.take(),
                MaybeDone::Future(_) => None,
            }
        }
    }

    impl<F: Future> Future for MaybeDone<F> {
        type Output = ();
        fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
            let this = unsafe { self.get_unchecked_mut() };
            if let MaybeDone::Future(future) = this {
                match unsafe { Pin::new_unchecked(future) }.poll(cx) {
                    Poll::Ready(output) => *this = MaybeDone::Done(Some(output)),
                    Poll::Pending => return Poll::Pending,
                }
            }
            Poll::Ready(())
        }
    }

    pub trait FusedFuture: Future {
        fn is_terminated(&self) -> bool;
    }

    impl<F: FusedFuture + ?Sized> FusedFuture for Pin<&mut F> {
        fn is_terminated(&self) -> bool {
            (**self).is_terminated()
        }
    }

    pub trait FutureExt: Future {
        fn poll_unpin(&mut self, cx: &mut Context<'_>) -> Poll<Self::Output>
        where
            Self: Unpin,
        {
            Pin::new(self).poll(cx)
        }

        fn fuse(self) -> Fuse<Self>
        where
            Self: Sized,
        {
            Fuse(Some(Box::pin(self)))
        }
    }

    impl<F: Future + ?Sized> FutureExt for F {}

    pub struct Fuse<F>(Option<Pin<Box<F>>>);

    impl<F: Future> Future for Fuse<F> {
        type Output = F::Output;
        fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
            let Some(future) = self.0.as_mut() else { return Poll::Pending };
            let polled = future.as_mut().poll(cx);
            if polled.is_ready() {
                self.0 = None;
            }
            polled
        }
    }

    impl<F: Future> FusedFuture for Fuse<F> {
        fn is_terminated(&self) -> bool {
            self.0.is_none()
        }
    }
}
