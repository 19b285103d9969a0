//! A runtime that polls on the blocking thread; each task has its own thread.

pub use tokio_macros::{main, select_priv_clean_pattern, select_priv_declare_output_enum, test};

pub mod runtime {
    use std::{
        future::Future,
        io,
        pin::pin,
        sync::Arc,
        task::{Context, Poll, Wake, Waker},
        thread::{self, Thread},
    };

    pub struct Builder(&'static str, usize);

    impl Builder {
        pub fn new_current_thread() -> Builder {
            Builder("current thread", 1)
        }

        pub fn new_multi_thread() -> Builder {
            Builder("multi thread", 0)
        }

        pub fn worker_threads(&mut self, count: usize) -> &mut Builder {
            self.1 = count;
            self
        }

        pub fn enable_all(&mut self) -> &mut Builder {
            self
        }

        pub fn build(&mut self) -> io::Result<Runtime> {
            println!("runtime: {}, {}", self.0, self.1);
            Ok(Runtime)
        }
    }

    pub struct Runtime;

    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    impl Runtime {
        pub fn block_on<F: Future>(&self, future: F) -> F::Output {
            let waker = Waker::from(Arc::new(Unpark(thread::current())));
            let mut context = Context::from_waker(&waker);
            let mut future = pin!(future);
            loop {
                match future.as_mut().poll(&mut context) {
                    Poll::Ready(value) => return value,
                    Poll::Pending => thread::park(),
                }
            }
        }
    }
}
