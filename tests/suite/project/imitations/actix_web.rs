//! A server whose routes print what they are.

pub use actix_web_codegen::{get, main, post, test};

pub mod rt {
    use std::{future::Future, pin::pin, task::Context};

    pub struct System;

    impl System {
        #[allow(clippy::new_without_default)]
        pub fn new() -> System {
            System
        }

        pub fn block_on<F: Future>(&self, future: F) -> F::Output {
            println!("block_on");
            let mut future = pin!(future);
            loop {
                if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(std::task::Waker::noop())) {
                    return value;
                }
            }
        }
    }
}

pub mod guard {
    pub struct Guard(pub &'static str);

    #[allow(non_snake_case)]
    pub fn Get() -> Guard {
        Guard("get")
    }

    #[allow(non_snake_case)]
    pub fn Post() -> Guard {
        Guard("post")
    }
}

pub mod dev {
    pub struct AppService;

    pub trait HttpServiceFactory {
        fn register(self, config: &mut AppService);
    }
}

pub struct Resource(String);

impl Resource {
    pub fn new(path: &str) -> Resource {
        Resource(path.to_owned())
    }

    pub fn name(self, name: &str) -> Resource {
        Resource(format!("{} {name}", self.0))
    }

    pub fn guard(self, guard: guard::Guard) -> Resource {
        Resource(format!("{} {}", self.0, guard.0))
    }

    pub fn to<F: Fn(u32) -> R, R: std::future::Future<Output = String>>(self, handler: F) -> Resource {
        Resource(format!("{}: {}", self.0, rt::System.block_on(handler(7))))
    }
}

impl dev::HttpServiceFactory for Resource {
    fn register(self, _: &mut dev::AppService) {
        println!("{}", self.0);
    }
}
