//! Spans and events that print what they are given.

pub use tracing_attributes::instrument;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(pub u8);

impl Level {
    pub const ERROR: Level = Level(1);
    pub const WARN: Level = Level(2);
    pub const INFO: Level = Level(3);
    pub const DEBUG: Level = Level(4);
    pub const TRACE: Level = Level(5);
}

pub mod field {
    pub struct Empty;

    pub struct DebugValue<T>(pub T);

    pub fn debug<T: std::fmt::Debug>(value: T) -> DebugValue<T> {
        DebugValue(value)
    }
}

pub trait Value {
    fn shown(&self) -> String;
}

impl Value for field::Empty {
    fn shown(&self) -> String {
        "empty".to_owned()
    }
}

impl<T: std::fmt::Debug> Value for field::DebugValue<T> {
    fn shown(&self) -> String {
        format!("?{:?}", self.0)
    }
}

macro_rules! values {
    ($($ty:ty)*) => { $(impl Value for $ty { fn shown(&self) -> String { format!("={self}") } })* };
}

values!(u8 u32 i32 str String);

impl<T: Value + ?Sized> Value for &T {
    fn shown(&self) -> String {
        (**self).shown()
    }
}

pub struct Span(pub Option<String>);

pub struct Entered<'a>(&'a Span);

impl Span {
    pub fn is_disabled(&self) -> bool {
        self.0.is_none()
    }

    pub fn enter(&self) -> Entered<'_> {
        println!("enter {}", self.0.as_deref().unwrap_or("nothing"));
        Entered(self)
    }

    pub fn follows_from(&self, cause: u32) {
        println!("follows {cause}");
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        println!("leave {}", self.0.0.as_deref().unwrap_or("nothing"));
    }
}

pub struct Instrumented<F>(std::pin::Pin<Box<F>>, Span);

pub trait Instrument: Sized {
    fn instrument(self, span: Span) -> Instrumented<Self> {
        Instrumented(Box::pin(self), span)
    }
}

impl<F> Instrument for F {}

impl<F: std::future::Future> std::future::Future for Instrumented<F> {
    type Output = F::Output;
    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<F::Output> {
        let this = &mut *self;
        let _entered = this.1.enter();
        this.0.as_mut().poll(cx)
    }
}

#[macro_export]
macro_rules! level_enabled {
    ($level:expr) => {
        $level <= $crate::Level::DEBUG
    };
}

#[macro_export]
macro_rules! if_log_enabled {
    ($level:expr, $yes:block else $no:block) => {
        $no
    };
}

#[macro_export]
macro_rules! fields {
    ($text:ident) => {};
    ($text:ident,) => {};
    ($text:ident, $($name:ident).+ = % $value:expr $(, $($rest:tt)*)?) => {
        $text += &format!(" {}%{}", stringify!($($name).+), $value);
        $crate::fields!($text $(, $($rest)*)?);
    };
    ($text:ident, $($name:ident).+ = ? $value:expr $(, $($rest:tt)*)?) => {
        $text += &format!(" {}?{:?}", stringify!($($name).+), $value);
        $crate::fields!($text $(, $($rest)*)?);
    };
    ($text:ident, $($name:ident).+ = $value:expr $(, $($rest:tt)*)?) => {
        $text += &format!(" {}{}", stringify!($($name).+), $crate::Value::shown(&$value));
        $crate::fields!($text $(, $($rest)*)?);
    };
}

#[macro_export]
macro_rules! span {
    (target: $target:expr, $level:expr, $name:expr, $($fields:tt)*) => {{
        #[allow(unused_mut)]
        let mut text = format!("{} {} {:?}", $target, $name, $level);
        $crate::fields!(text, $($fields)*);
        $crate::Span($crate::level_enabled!($level).then_some(text))
    }};
}

#[macro_export]
macro_rules! event {
    (target: $target:expr, $level:expr, $($fields:tt)*) => {{
        let mut text = format!("{} {:?}", $target, $level);
        $crate::event_fields!(text, $($fields)*);
        println!("event {text}");
    }};
}

#[macro_export]
macro_rules! event_fields {
    ($text:ident, return = $($rest:tt)*) => { $crate::fields!($text, returned = $($rest)*) };
    ($text:ident, $($rest:tt)*) => { $crate::fields!($text, $($rest)*) };
}
