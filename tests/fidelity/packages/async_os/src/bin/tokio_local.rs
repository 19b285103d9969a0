//! Tasks that share a state without locks, because they all run on one thread.
use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{LocalSet, spawn_local, yield_now};

#[derive(Default)]
struct Board {
    posts: RefCell<Vec<String>>,
    readers: Cell<usize>,
}

async fn session(stream: UnixStream, board: Rc<Board>) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    while stream.read_line(&mut line).await? > 0 {
        match line.trim_end() {
            "read" => {
                board.readers.set(board.readers.get() + 1);
                let text = board.posts.borrow().join("; ");
                stream.write_all(format!("{text}\n").as_bytes()).await?;
            }
            post => {
                board.posts.borrow_mut().push(post.to_owned());
                let count = board.posts.borrow().len();
                stream.write_all(format!("{count}\n").as_bytes()).await?;
            }
        }
        line.clear();
        yield_now().await;
    }
    Ok(())
}

async fn say(path: &std::path::Path, lines: &str) -> io::Result<String> {
    let mut stream = UnixStream::connect(path).await?;
    stream.write_all(lines.as_bytes()).await?;
    stream.shutdown().await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

async fn run(path: &std::path::Path) -> io::Result<()> {
    let listener = UnixListener::bind(path)?;
    let board = Rc::new(Board::default());
    let server = spawn_local({
        let board = board.clone();
        async move {
            let mut sessions = Vec::new();
            for _ in 0..4 {
                let (stream, _) = listener.accept().await?;
                sessions.push(spawn_local(session(stream, board.clone())));
            }
            for session in sessions {
                session.await??;
            }
            io::Result::Ok(())
        }
    });
    print!("{}", say(path, "hello\nhow are you\n").await?);
    print!("{}", say(path, "read\n").await?);
    let (one, two) = tokio::join!(say(path, "fine\n"), say(path, "fine\n"));
    let mut numbers = [one?, two?];
    numbers.sort();
    println!("{numbers:?}");
    server.await??;
    println!("{} {:?} {}", board.readers.get(), board.posts.borrow(), Rc::strong_count(&board));
    Ok(())
}

fn main() -> io::Result<()> {
    let path = std::env::temp_dir().join(format!("tokio-local-{}", std::process::id()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    let result = LocalSet::new().block_on(&runtime, run(&path));
    std::fs::remove_file(&path)?;
    result
}
