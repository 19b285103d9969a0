//! Macros without dependencies.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Repeats what is between braces.
#[proc_macro_attribute]
pub fn twice(_: TokenStream, item: TokenStream) -> TokenStream {
    let repeated = |tree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut all = group.stream();
            all.extend(group.stream());
            TokenTree::Group(Group::new(group.delimiter(), all))
        }
        other => other,
    };
    item.into_iter().map(repeated).collect()
}

/// The number of token trees.
#[proc_macro]
pub fn count(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().count().to_string().parse().unwrap()
}
