//! What expansions use beside the macros.

pub use rstest_macros::{fixture, rstest};

#[derive(Debug)]
pub struct Context {
    pub module: &'static str,
    pub name: &'static str,
    pub description: Option<&'static str>,
    pub case: Option<usize>,
}

impl Context {
    pub fn new(
        module: &'static str,
        name: &'static str,
        description: Option<&'static str>,
        case: Option<usize>,
    ) -> Context {
        Context { module, name, description, case }
    }
}

pub mod magic_conversion {
    pub struct Magic<T>(pub std::marker::PhantomData<T>);

    pub trait ViaParse {
        type Output;
        fn magic_conversion(&self, text: &str) -> Self::Output;
    }

    impl<T: std::str::FromStr> ViaParse for &&Magic<T> {
        type Output = T;
        fn magic_conversion(&self, text: &str) -> T {
            T::from_str(text).ok().unwrap()
        }
    }

    pub trait ViaIdentity<'a> {
        fn magic_conversion(&self, text: &'a str) -> &'a str;
    }

    impl<'a> ViaIdentity<'a> for &&Magic<&'a str> {
        fn magic_conversion(&self, text: &'a str) -> &'a str {
            text
        }
    }
}

pub mod timeout {
    pub fn execute_with_timeout_sync<T>(code: impl FnOnce() -> T, _: std::time::Duration) -> T {
        code()
    }
}
