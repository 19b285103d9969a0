use std::sync::OnceLock;

struct Locale {
    language: String,
    greeting: String,
}

static LOCALE: OnceLock<Locale> = OnceLock::new();

fn locale() -> &'static Locale {
    LOCALE.get_or_init(|| { //~ deadlock
        let language = "en".to_string();
        let greeting = greet("you");
        Locale { language, greeting }
    })
}

fn greet(name: &str) -> String {
    format!("{}, {name}", locale().greeting)
}

// A greeting is needed to make the locale that greetings need.
fn main() {
    println!("{}", greet("Ann"));
    println!("{}", locale().language);
}
