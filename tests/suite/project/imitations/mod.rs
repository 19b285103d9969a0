//! Imitations of well-known packages, reduced to what the expansions of their macros need. Their procedural macros
//! fail: only builtin macros expand them.

/// The files of the packages, each in a folder of its name.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "tokio/Cargo.toml",
        "[package]\nname = \"tokio\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\ntokio-macros = { path = \"../tokio-macros\" }\n",
    ),
    ("tokio/src/lib.rs", include_str!("tokio.rs")),
    (
        "tokio-macros/Cargo.toml",
        "[package]\nname = \"tokio-macros\"\nversion = \"2.0.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
    ),
    ("tokio-macros/src/lib.rs", include_str!("tokio_macros.rs")),
    (
        "async-trait/Cargo.toml",
        "[package]\nname = \"async-trait\"\nversion = \"0.1.9\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
    ),
    (
        "async-trait/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro_attribute]\npub fn async_trait(_: TokenStream, _: TokenStream) -> TokenStream { panic!() }\n",
    ),
    (
        "thiserror/Cargo.toml",
        "[package]\nname = \"thiserror\"\nversion = \"2.0.0\"\nedition = \"2021\"\n[dependencies]\nthiserror-impl = { path = \"../thiserror-impl\" }\n",
    ),
    ("thiserror/src/lib.rs", "pub use thiserror_impl::Error;\n"),
    (
        "thiserror-impl/Cargo.toml",
        "[package]\nname = \"thiserror-impl\"\nversion = \"2.0.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
    ),
    (
        "thiserror-impl/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro_derive(Error, attributes(error, source, from, backtrace))]\npub fn derive_error(_: TokenStream) -> TokenStream { panic!() }\n",
    ),
    (
        "serde/Cargo.toml",
        "[package]\nname = \"serde\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[dependencies]\nserde_derive = { path = \"../serde_derive\" }\n",
    ),
    ("serde/src/lib.rs", include_str!("serde.rs")),
    (
        "serde_derive/Cargo.toml",
        "[package]\nname = \"serde_derive\"\nversion = \"1.0.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
    ),
    (
        "serde_derive/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro_derive(Serialize, attributes(serde))]\npub fn ser(_: TokenStream) -> TokenStream { panic!() }\n#[proc_macro_derive(Deserialize, attributes(serde))]\npub fn de(_: TokenStream) -> TokenStream { panic!() }\n",
    ),
    (
        "clap/Cargo.toml",
        "[package]\nname = \"clap\"\nversion = \"4.0.0\"\nedition = \"2021\"\n[dependencies]\nclap_derive = { path = \"../clap_derive\" }\n",
    ),
    ("clap/src/lib.rs", include_str!("clap.rs")),
    (
        "clap_derive/Cargo.toml",
        "[package]\nname = \"clap_derive\"\nversion = \"4.0.0\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n",
    ),
    (
        "clap_derive/src/lib.rs",
        "use proc_macro::TokenStream;\n#[proc_macro_derive(Parser, attributes(arg, command))]\npub fn parser(_: TokenStream) -> TokenStream { panic!() }\n#[proc_macro_derive(ValueEnum, attributes(value))]\npub fn value_enum(_: TokenStream) -> TokenStream { panic!() }\n#[proc_macro_derive(Args, attributes(arg))]\npub fn args(_: TokenStream) -> TokenStream { panic!() }\n#[proc_macro_derive(Subcommand, attributes(arg))]\npub fn subcommand(_: TokenStream) -> TokenStream { panic!() }\n",
    ),
];
