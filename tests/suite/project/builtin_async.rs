//! Builtin macros of asynchronous code: tracing, futures, async-stream, pin-project, async-recursion, actix-web.

use super::builtin_macros::{app, prints};

#[test]
fn instrumented_functions() {
    let program = r#"
        use tracing::instrument;
        struct Shop { name: String }
        impl std::fmt::Debug for Shop { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.write_str(&self.name) } }
        #[instrument]
        fn plain(a: u32, b: &str, (c, d): (u32, u32)) -> u32 { println!("in plain"); a + b.len() as u32 + c + d }
        #[instrument(skip(secret), fields(extra = a + 1, note, text = %secret.name, a = 9u32), level = "debug", name = "other", target = "here", follows_from = [1, 2])]
        fn fields(a: u32, secret: Shop) -> u32 { if a > 3 { return 9; } a }
        #[instrument(skip_all, err, ret)]
        fn fails(a: u32) -> Result<u32, std::num::ParseIntError> { let n: u32 = if a > 1 { "x" } else { "5" }.parse()?; Ok(n + a) }
        impl Shop {
            #[instrument(skip(self), fields(self.name = ?self.name), err(Debug, level = "warn"))]
            async fn buy(&self, x: u32, y: u32) -> Result<u32, String> { if x > y { return Err("too much".into()); } Ok(x + y) }
            #[instrument(level = tracing::Level::TRACE, ret(Display))]
            fn cheap(&mut self) -> u8 { self.name.push('!'); 3 }
        }
        #[instrument]
        fn boxed(n: u8) -> std::pin::Pin<Box<dyn std::future::Future<Output = u8> + Send>> { Box::pin(async move { println!("boxed"); n }) }
        #[async_trait::async_trait]
        trait Does { async fn it(&self, n: u8) -> Option<u8>; }
        #[async_trait::async_trait]
        impl Does for Shop {
            #[instrument]
            async fn it(&self, n: u8) -> Option<u8> { let m = n.checked_add(1)?; Some(m) }
        }
        #[tokio::main(flavor = "current_thread")]
        async fn main() {
            let shop = || Shop { name: "s".into() };
            println!("{} {} {}", plain(1, "abc", (4, 5)), fields(2, shop()), fields(5, shop()));
            println!("{:?} {:?}", fails(1), fails(2));
            let mut shop = shop();
            println!("{:?} {:?} {}", shop.buy(1, 2).await, shop.buy(3, 2).await, shop.cheap());
            println!("{} {:?} {:?}", boxed(4).await, shop.it(5).await, shop.it(255).await);
        }
    "#;
    assert_eq!(prints(&["tokio", "tracing", "async-trait"], program), include_str!("printed/instrument.stdout"));
}

#[test]
fn joins_and_selects() {
    let program = r#"
        use futures::future::FutureExt;
        async fn ready(n: u32) -> u32 { n }
        struct Twice(bool);
        impl std::future::Future for Twice {
            type Output = &'static str;
            fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut std::task::Context<'_>) -> std::task::Poll<&'static str> {
                if std::mem::replace(&mut self.0, true) { return std::task::Poll::Ready("second"); }
                println!("first");
                cx.waker().wake_by_ref();
                std::task::Poll::Pending
            }
        }
        #[async_recursion::async_recursion]
        async fn product(n: u64) -> u64 { if n < 2 { return 1; } n * product(n - 1).await }
        #[async_recursion::async_recursion(?Send)]
        async fn depth(list: &[u8], mut at: usize) -> usize { if at < list.len() { at += 1; depth(list, at).await } else { at } }
        #[tokio::main(flavor = "current_thread")]
        async fn main() {
            println!("{:?} {:?}", futures::join!(Twice(false), ready(2), async { "three" }), futures::join!());
            let good: Result<(u32, u32), String> = futures::try_join!(async { Ok(1) }, async { Ok(2) });
            let bad: Result<(u32, u32), String> = futures::try_join!(async { Ok(1) }, async { Err("no".to_string()) });
            println!("{good:?} {bad:?}");
            let mut a = ready(5).fuse();
            let mut never = std::future::pending::<()>().fuse();
            for round in 0..3 {
                let said = futures::select_biased! {
                    n = a => format!("a {n}"),
                    _ = never => "never".to_string(),
                    default => { "default".to_string() }
                };
                println!("{round} {said}");
            }
            let mut b = ready(3).fuse();
            let (mut total, mut rounds) = (0, 0);
            loop {
                futures::select! {
                    n @ 0..=5 | n = b => { total += n; }
                    complete => break,
                }
                rounds += 1;
            }
            println!("{total} {rounds}");
            let which = futures::select! { v = ready(3).fuse() => v + 1, v = ready(30).fuse() => if v > 3 { v } else { 0 } };
            println!("{which} {} {}", product(6).await, depth(&[1, 2, 3], 0).await);
        }
    "#;
    let printed = "runtime: current thread, 1\nfirst\n(\"second\", 2, \"three\") ()\nOk((1, 2)) Err(\"no\")\n0 a 5\n1 default\n2 default\n3 1\n30 720 3\n";
    assert_eq!(prints(&["tokio", "futures", "async-recursion"], program), printed);
}

#[test]
fn streams() {
    let program = r#"
        use async_stream::{Items, Stream, stream, try_stream};
        fn numbers(n: u32) -> impl Stream<Item = u32> {
            stream! { for i in 0..n { if i == 3 { return; } yield i; let _ = || { return; }; yield i * 10 } }
        }
        fn tries(fail: bool) -> impl Stream<Item = Result<String, Box<dyn std::error::Error>>> {
            try_stream! {
                let mut sum = 0u32;
                for await n in numbers(2) { sum += n; yield format!("n {n}"); }
                let parse = |s: &str| -> Result<u32, std::num::ParseIntError> { let n = s.parse()?; return Ok(n); };
                let text = if fail { "x" } else { "7" };
                let got: u32 = parse(text)?;
                if got == 7 { yield format!("got {got} {sum}"); return; }
                yield "never".to_string();
            }
        }
        fn main() {
            println!("{:?}", Items(numbers(9)).collect::<Vec<_>>());
            println!("{:?}", Items(tries(false)).collect::<Vec<_>>());
            println!("{:?}", Items(tries(true)).map(|it| it.map_err(|e| e.to_string())).collect::<Vec<_>>());
            println!("{}", Items(stream! { if false { yield 1u8; } }).count());
        }
    "#;
    let printed = "[0, 0, 1, 10, 2, 20]\n[Ok(\"n 0\"), Ok(\"n 0\"), Ok(\"n 1\"), Ok(\"n 10\"), Ok(\"got 7 11\")]\n[Ok(\"n 0\"), Ok(\"n 0\"), Ok(\"n 1\"), Ok(\"n 10\"), Err(\"invalid digit found in string\")]\n0\n";
    assert_eq!(prints(&["async-stream"], program), printed);
}

#[test]
fn projections() {
    let program = r#"
        use pin_project::{pin_project, pinned_drop};
        use std::{future::Future, marker::PhantomData, pin::Pin, task::{Context, Poll}};
        #[pin_project]
        struct Timed<F: Future, T = u32> where T: Clone { #[pin] future: F, polls: u32, #[allow(dead_code)] other: T }
        impl<F: Future, T: Clone> Future for Timed<F, T> {
            type Output = (F::Output, u32);
            fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
                let this = self.project();
                *this.polls += 1;
                this.future.poll(cx).map(|it| (it, *this.polls))
            }
        }
        #[pin_project(project = EitherProj, project_ref = EitherRef, project_replace = EitherOwned)]
        enum Either<A, B> { Left(#[pin] A), Right { #[pin] b: B, n: u8 }, Empty }
        impl<A: Future<Output = u8>, B: Future<Output = u8>> Future for Either<A, B> {
            type Output = u8;
            fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<u8> {
                let v = match self.as_mut().project() { EitherProj::Left(a) => a.poll(cx), EitherProj::Right { b, n } => b.poll(cx).map(|v| v + *n), EitherProj::Empty => Poll::Ready(0) };
                if v.is_ready() {
                    match self.project_replace(Either::Empty) { EitherOwned::Right { n, .. } => println!("had {n}"), EitherOwned::Left(_) => println!("left"), EitherOwned::Empty => {} }
                }
                v
            }
        }
        #[pin_project(PinnedDrop)]
        struct Loud<T>(#[pin] T, String);
        #[pinned_drop]
        impl<T> PinnedDrop for Loud<T> { fn drop(self: Pin<&mut Self>) { let me = self.project(); println!("drop {}", me.1); } }
        #[pin_project(!Unpin)]
        struct Stuck { #[allow(dead_code)] n: u8 }
        trait Otherwise { fn is_unpin(&self) -> bool { false } }
        struct Probe<T>(PhantomData<T>);
        impl<T: Unpin> Probe<T> { fn is_unpin(&self) -> bool { true } }
        impl<T> Otherwise for Probe<T> {}
        #[tokio::main(flavor = "current_thread")]
        async fn main() {
            println!("{:?}", Timed { future: async { 7 }, polls: 0, other: 1u8 }.await);
            println!("{}", Either::<_, std::future::Ready<u8>>::Left(async { 4 }).await);
            println!("{}", Either::<std::future::Ready<u8>, _>::Right { b: async { 4 }, n: 2 }.await);
            let e = Box::pin(Either::<u8, u8>::Right { b: 1, n: 3 });
            if let EitherRef::Right { b, n } = e.as_ref().project_ref() { println!("{} {n}", *b); }
            let _loud = Loud(1, "it".into());
            println!("{} {}", Probe::<Stuck>(PhantomData).is_unpin(), Probe::<Loud<u8>>(PhantomData).is_unpin());
            println!("{}", Probe::<Loud<std::marker::PhantomPinned>>(PhantomData).is_unpin());
        }
    "#;
    let printed = "runtime: current thread, 1\n(7, 1)\nleft\n4\nhad 2\n6\n1 3\nfalse true\nfalse\ndrop it\n";
    assert_eq!(prints(&["tokio", "pin-project"], program), printed);
}

#[test]
fn routes_of_actix_web() {
    let program = r#"
        use actix_web::{dev::{AppService, HttpServiceFactory}, get, post};
        #[get("/here")]
        async fn here(n: u32) -> String { format!("here {n}") }
        #[post("/there", name = "other")]
        pub(crate) async fn there(n: u32) -> String { format!("there {n}") }
        #[actix_web::main(shop)]
        async fn main() -> Result<(), String> {
            here.register(&mut AppService);
            there.register(&mut AppService);
            Ok(())
        }
    "#;
    let printed = "block_on\nblock_on\n/here here get: here 7\nblock_on\n/there other post: there 7\n";
    assert_eq!(prints(&["actix-web"], program), printed);
}

/// The version is that of the standard library that is interpreted.
#[test]
fn conditions_on_the_version() {
    let program = r#"
        #[rustversion::since(1.50)]
        fn which() -> &'static str { "new" }
        #[rustversion::before(1.50)]
        fn which() -> &'static str { "old" }
        #[rustversion::not(any(nightly, before(1.60)))]
        fn other() -> u8 { 1 }
        #[rustversion::any(nightly, before(1.60))]
        fn other() -> u8 { 2 }
        fn main() { println!("{} {} {}", which(), other(), rustversion::cfg!(all(stable, since(1.70)))); }
    "#;
    assert_eq!(prints(&["rustversion"], program), "new 1 true\n");
}

/// tokio 0.2 has other attributes and another builder.
#[test]
fn a_main_of_an_old_tokio() {
    let library = r#"
        pub use tokio_macros::{main_basic, main_threaded as main, test_threaded as test};
        pub mod runtime {
            use std::task::{Context, Poll, Waker};
            pub struct Builder(String);
            impl Builder {
                pub fn new() -> Builder { Builder(String::new()) }
                fn with(&mut self, text: &str) -> &mut Self { self.0 += text; self }
                pub fn basic_scheduler(&mut self) -> &mut Self { self.with("basic") }
                pub fn threaded_scheduler(&mut self) -> &mut Self { self.with(" threaded") }
                pub fn core_threads(&mut self, count: usize) -> &mut Self { self.with(&format!(" {count}")) }
                pub fn enable_all(&mut self) -> &mut Self { self }
                pub fn build(&mut self) -> Result<Runtime, ()> { println!("{}", self.0); Ok(Runtime) }
            }
            pub struct Runtime;
            impl Runtime {
                pub fn block_on<F: Future>(&mut self, future: F) -> F::Output {
                    match Box::pin(future).as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                        Poll::Ready(it) => it,
                        Poll::Pending => panic!(),
                    }
                }
            }
        }
    "#;
    let macros: String = ["main_basic", "main_threaded", "test_threaded"]
        .map(|name| {
            format!(
                "#[proc_macro_attribute]\npub fn {name}(_: TokenStream, _: TokenStream) -> TokenStream {{ panic!() }}\n"
            )
        })
        .concat();
    let program = "
        #[tokio::main]
        async fn plain() -> u32 { 1 }
        #[tokio::main(core_threads = 1)]
        async fn one() -> u32 { 2 }
        #[tokio::main(core_threads = 3)]
        async fn three() -> u32 { 3 }
        #[tokio::main(basic_scheduler)]
        async fn basic() -> u32 { 4 }
        #[tokio::main_basic]
        async fn no_threads() -> u32 { 5 }
        fn main() { println!(\"{}\", plain() + one() + three() + basic() + no_threads()) }
    ";
    let folder = app(&["tokio"], program);
    let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
    for (path, new, old) in [("tokio", "1.0.0", "0.2.22"), ("tokio-macros", "2.0.0", "0.2.6")] {
        let manifest = read(&format!("{path}/Cargo.toml")).replace(new, old).replace("2021", "2024");
        folder.write(&format!("{path}/Cargo.toml"), manifest.as_bytes());
    }
    folder.write("tokio/src/lib.rs", library.as_bytes());
    folder.write("tokio-macros/src/lib.rs", format!("use proc_macro::TokenStream;\n{macros}").as_bytes());
    let (stdout, stderr, status) = folder.output_in("app", &["run", "--untrusted"]);
    let printed = "basic threaded\nbasic 1\nbasic threaded 3\nbasic\nbasic\n15\n";
    assert_eq!((stdout.as_str(), stderr.as_str(), status), (printed, "", 0));
}
