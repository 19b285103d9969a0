//! Defaults that are values of a field's type: clap gets their texts, which live as long as the program.

/// How a value becomes a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// By `Display`.
    Text,
    /// A text of the operating system.
    Os,
    /// A `ValueEnum`: its name.
    Enum,
}

impl Form {
    /// The type of a text that is owned, and of one that is borrowed.
    fn types(self) -> [&'static str; 2] {
        match self {
            Form::Text | Form::Enum => ["::std::string::String", "str"],
            Form::Os => ["::std::ffi::OsString", "::std::ffi::OsStr"],
        }
    }
}

/// The method that a value is an argument of, as far as it is the same for both functions.
const NAME_OF_VALUE: &str = "unwrap().get_name().to_owned()";

/// The text of one value.
pub(super) fn default_value(form: Form, ty: &str, value: &str) -> String {
    let [owned, borrowed] = form.types();
    let text = match form {
        Form::Text => "::std::string::ToString::to_string(&__value)".to_owned(),
        Form::Os => format!("{owned}::from(__value)"),
        Form::Enum => format!("clap::ValueEnum::to_possible_value(&__value).{NAME_OF_VALUE}"),
    };
    format!(
        "{{ static __TEXT: ::std::sync::OnceLock<{owned}> = ::std::sync::OnceLock::new(); \
         let __text: &'static {borrowed} = __TEXT.get_or_init(|| {{ let __value: {ty} = {value}; {text} }}); __text }}"
    )
}

/// The texts of several values, which may be borrowed.
pub(super) fn default_values(form: Form, inner: &str, values: &str) -> String {
    let [owned, borrowed] = form.types();
    let text = match form {
        Form::Text => "::std::string::ToString::to_string(__value.borrow())".to_owned(),
        Form::Os => "__value.borrow().into()".to_owned(),
        Form::Enum => format!("clap::ValueEnum::to_possible_value(__value.borrow()).{NAME_OF_VALUE}"),
    };
    format!(
        "{{ fn __texts<__T: ::core::borrow::Borrow<{inner}>>(__values: impl ::core::iter::IntoIterator<Item = __T>) \
         -> ::std::vec::Vec<{owned}> {{ __values.into_iter().map(|__value| {text}).collect() }} \
         static __TEXTS: ::std::sync::OnceLock<::std::vec::Vec<{owned}>> = ::std::sync::OnceLock::new(); \
         __TEXTS.get_or_init(|| __texts({values})).iter().map(|__text| -> &'static {borrowed} {{ __text }}) }}"
    )
}
