//! Names of hosts, as ICU normalises them.

fn main() {
    for text in [
        "https://example.com/a?b=c",
        "http://bücher.example:80/ä",
        "https://faß.de/",
        "http://xn--bcher-kva.example/",
        "http://日本語。ＪＰ/x",
        "http://a.א.com/",
        "http://☕.example",
        "http://[::1]:8080/",
        "http://ab%cd/",
        "http://e\u{301}xample.com/",
        "http://a\u{200d}b.example/",
        "http://١.example/",
    ] {
        match url::Url::parse(text) {
            Ok(url) => println!("{url} {:?} {:?}", url.host_str(), url.port()),
            Err(error) => println!("{text}: {error}"),
        }
    }
}
