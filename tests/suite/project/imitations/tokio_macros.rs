use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn main(_: TokenStream, _: TokenStream) -> TokenStream {
    panic!()
}

#[proc_macro_attribute]
pub fn test(_: TokenStream, _: TokenStream) -> TokenStream {
    panic!()
}

#[proc_macro]
pub fn select_priv_declare_output_enum(_: TokenStream) -> TokenStream {
    panic!()
}

#[proc_macro]
pub fn select_priv_clean_pattern(_: TokenStream) -> TokenStream {
    panic!()
}
