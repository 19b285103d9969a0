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
    ("serde/src/de.rs", include_str!("serde_de.rs")),
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
    (
        "tracing/Cargo.toml",
        "[package]\nname = \"tracing\"\nversion = \"0.1.40\"\nedition = \"2021\"\n[dependencies]\ntracing-attributes = { path = \"../tracing-attributes\" }\n",
    ),
    ("tracing/src/lib.rs", include_str!("tracing.rs")),
    (
        "futures/Cargo.toml",
        "[package]\nname = \"futures\"\nversion = \"0.3.30\"\nedition = \"2021\"\n[dependencies]\nfutures-macro = { path = \"../futures-macro\" }\n",
    ),
    ("futures/src/lib.rs", include_str!("futures.rs")),
    (
        "async-stream/Cargo.toml",
        "[package]\nname = \"async-stream\"\nversion = \"0.3.6\"\nedition = \"2021\"\n[dependencies]\nasync-stream-impl = { path = \"../async-stream-impl\" }\n",
    ),
    ("async-stream/src/lib.rs", include_str!("async_stream.rs")),
    (
        "pin-project/Cargo.toml",
        "[package]\nname = \"pin-project\"\nversion = \"1.1.0\"\nedition = \"2021\"\n[dependencies]\npin-project-internal = { path = \"../pin-project-internal\" }\n",
    ),
    (
        "pin-project/src/lib.rs",
        "pub use pin_project_internal::{pin_project, pinned_drop};\npub unsafe trait UnsafeUnpin {}\npub mod __private { pub trait PinnedDrop { unsafe fn drop(self: std::pin::Pin<&mut Self>); } }\n",
    ),
    (
        "strum/Cargo.toml",
        "[package]\nname = \"strum\"\nversion = \"0.27.0\"\nedition = \"2021\"\n[dependencies]\nstrum_macros = { path = \"../strum_macros\" }\n",
    ),
    ("strum/src/lib.rs", include_str!("strum.rs")),
    (
        "zerovec/Cargo.toml",
        "[package]\nname = \"zerovec\"\nversion = \"0.11.9\"\nedition = \"2021\"\n[dependencies]\nzerovec-derive = { path = \"../zerovec-derive\" }\n",
    ),
    ("zerovec/src/lib.rs", include_str!("zerovec.rs")),
    (
        "yoke/Cargo.toml",
        "[package]\nname = \"yoke\"\nversion = \"0.8.4\"\nedition = \"2021\"\n[dependencies]\nyoke-derive = { path = \"../yoke-derive\" }\n",
    ),
    (
        "yoke/src/lib.rs",
        "pub use yoke_derive::Yokeable;\npub unsafe trait Yokeable<'a>: 'static { type Output: 'a; fn transform(&'a self) -> &'a Self::Output; fn transform_owned(self) -> Self::Output; unsafe fn make(from: Self::Output) -> Self; fn transform_mut<F>(&'a mut self, f: F) where F: 'static + for<'b> FnOnce(&'b mut Self::Output); }\n",
    ),
    (
        "derive_more/Cargo.toml",
        "[package]\nname = \"derive_more\"\nversion = \"2.0.0\"\nedition = \"2021\"\n[dependencies]\nderive_more-impl = { path = \"../derive_more-impl\" }\n",
    ),
    ("derive_more/src/lib.rs", "pub use derive_more_impl::*;\n"),
    (
        "rstest/Cargo.toml",
        "[package]\nname = \"rstest\"\nversion = \"0.26.0\"\nedition = \"2021\"\n[dependencies]\nrstest_macros = { path = \"../rstest_macros\" }\n",
    ),
    ("rstest/src/lib.rs", include_str!("rstest.rs")),
    (
        "test-case/Cargo.toml",
        "[package]\nname = \"test-case\"\nversion = \"3.3.0\"\nedition = \"2021\"\n[dependencies]\ntest-case-macros = { path = \"../test-case-macros\" }\n",
    ),
    ("test-case/src/lib.rs", "pub use test_case_macros::{test_case, test_matrix};\n"),
    (
        "actix-web/Cargo.toml",
        "[package]\nname = \"actix-web\"\nversion = \"4.0.0\"\nedition = \"2021\"\n[dependencies]\nactix-web-codegen = { path = \"../actix-web-codegen\" }\n",
    ),
    ("actix-web/src/lib.rs", include_str!("actix_web.rs")),
    (
        "structopt/Cargo.toml",
        "[package]\nname = \"structopt\"\nversion = \"0.3.20\"\nedition = \"2021\"\n[dependencies]\nstructopt-derive = { path = \"../structopt-derive\" }\n",
    ),
    ("structopt/src/lib.rs", include_str!("structopt.rs")),
];

/// A package of procedural macros alone.
struct Macros {
    package: &'static str,
    version: &'static str,
    attributes: &'static [&'static str],
    calls: &'static [&'static str],
    /// Each with its helper attributes.
    derives: &'static [(&'static str, &'static str)],
}

const MACROS: &[Macros] = &[
    Macros { package: "tracing-attributes", version: "0.1.31", attributes: &["instrument"], calls: &[], derives: &[] },
    Macros {
        package: "futures-macro",
        version: "0.3.30",
        attributes: &[],
        calls: &["join_internal", "try_join_internal", "select_internal", "select_biased_internal"],
        derives: &[],
    },
    Macros {
        package: "async-stream-impl",
        version: "0.3.6",
        attributes: &[],
        calls: &["stream_inner", "try_stream_inner"],
        derives: &[],
    },
    Macros {
        package: "const-random-macro",
        version: "0.1.16",
        attributes: &[],
        calls: &["const_random"],
        derives: &[],
    },
    Macros { package: "paste", version: "1.0.15", attributes: &[], calls: &["paste"], derives: &[] },
    Macros { package: "async-recursion", version: "1.1.0", attributes: &["async_recursion"], calls: &[], derives: &[] },
    Macros {
        package: "pin-project-internal",
        version: "1.1.0",
        attributes: &["pin_project", "pinned_drop"],
        calls: &[],
        derives: &[],
    },
    Macros {
        package: "rstest_macros",
        version: "0.26.0",
        attributes: &["rstest", "fixture"],
        calls: &[],
        derives: &[],
    },
    Macros {
        package: "test-case-macros",
        version: "3.3.0",
        attributes: &["test_case", "test_matrix"],
        calls: &[],
        derives: &[],
    },
    Macros {
        package: "smart-default",
        version: "0.7.0",
        attributes: &[],
        calls: &[],
        derives: &[("SmartDefault", "default")],
    },
    Macros {
        package: "displaydoc",
        version: "0.2.5",
        attributes: &[],
        calls: &[],
        derives: &[("Display", "ignore_extra_doc_attributes, prefix_enum_doc_attributes, displaydoc")],
    },
    Macros {
        package: "zerovec-derive",
        version: "0.11.7",
        attributes: &["make_ule", "derive", "skip_derive"],
        calls: &[],
        derives: &[("ULE", "")],
    },
    Macros { package: "yoke-derive", version: "0.8.4", attributes: &[], calls: &[], derives: &[("Yokeable", "yoke")] },
    Macros {
        package: "strum_macros",
        version: "0.27.0",
        attributes: &[],
        calls: &[],
        derives: &[
            ("Display", "strum"),
            ("EnumString", "strum"),
            ("AsRefStr", "strum"),
            ("IntoStaticStr", "strum"),
            ("EnumIter", "strum"),
            ("EnumCount", "strum"),
            ("VariantNames", "strum"),
            ("VariantArray", "strum"),
            ("EnumIs", "strum"),
            ("FromRepr", "strum"),
            ("EnumDiscriminants", "strum, strum_discriminants"),
        ],
    },
    Macros {
        package: "derive_more-impl",
        version: "2.0.0",
        attributes: &[],
        calls: &[],
        derives: &[
            ("Display", "display"),
            ("LowerHex", "lower_hex"),
            ("From", "from"),
            ("Into", "into"),
            ("Deref", "deref"),
            ("DerefMut", "deref_mut"),
            ("AsRef", "as_ref"),
            ("Constructor", ""),
            ("IsVariant", "is_variant"),
            ("Unwrap", "unwrap"),
            ("Add", ""),
            ("AddAssign", ""),
            ("Sum", ""),
            ("Mul", "mul"),
            ("Neg", ""),
            ("Index", "index"),
            ("IntoIterator", "into_iterator"),
            ("FromStr", ""),
            ("Error", "error"),
        ],
    },
    Macros {
        package: "structopt-derive",
        version: "0.4.10",
        attributes: &[],
        calls: &[],
        derives: &[("StructOpt", "structopt")],
    },
    Macros {
        package: "actix-web-codegen",
        version: "4.0.0",
        attributes: &["main", "test", "get", "post"],
        calls: &[],
        derives: &[],
    },
    Macros {
        package: "rustversion",
        version: "1.0.0",
        attributes: &["since", "before", "not", "any", "attr"],
        calls: &["cfg"],
        derives: &[],
    },
    Macros { package: "serial_test_derive", version: "3.0.0", attributes: &["serial"], calls: &[], derives: &[] },
];

/// The files of the packages of procedural macros.
pub(crate) fn macros() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for Macros { package, version, attributes, calls, derives } in MACROS {
        let manifest = format!(
            "[package]\nname = \"{package}\"\nversion = \"{version}\"\nedition = \"2021\"\n[lib]\nproc-macro = true\n"
        );
        let mut text = String::from("use proc_macro::TokenStream;\n");
        for name in *attributes {
            text += &format!(
                "#[proc_macro_attribute]\npub fn {name}(_: TokenStream, _: TokenStream) -> TokenStream {{ panic!() }}\n"
            );
        }
        for name in *calls {
            text += &format!("#[proc_macro]\npub fn {name}(_: TokenStream) -> TokenStream {{ panic!() }}\n");
        }
        for (name, helpers) in *derives {
            text += &format!(
                "#[proc_macro_derive({name}, attributes({helpers}))]\npub fn derive_{}(_: TokenStream) -> TokenStream {{ panic!() }}\n",
                name.to_lowercase()
            );
        }
        files.push((format!("{package}/Cargo.toml"), manifest));
        files.push((format!("{package}/src/lib.rs"), text));
    }
    files
}
