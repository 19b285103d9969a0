//! async-stream: `stream!` and `try_stream!` make a stream of a block that yields.

use super::{
    Call,
    tokens::{Quote, Tree, trees},
};
use ra_ap_tt::{DelimiterKind, TopSubtree};

/// Where a version keeps what its macros use.
#[derive(Clone, Copy)]
struct Paths {
    own: &'static str,
    next: &'static str,
}

const NEW: Paths = Paths { own: "__private::", next: "__private::next" };
const OLD: Paths = Paths { own: "", next: "reexport::next" };

pub(super) fn stream(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, false, NEW)
}

pub(super) fn try_stream(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, true, NEW)
}

/// `stream!` up to 0.3.3.
pub(super) fn old_stream(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, false, OLD)
}

/// `try_stream!` up to 0.3.3.
pub(super) fn old_try_stream(call: &Call<'_>) -> Result<TopSubtree, String> {
    expand(call, true, OLD)
}

/// Rewrites the block.
struct Rewriter<'q, 'a> {
    quote: &'q mut Quote<'a>,
    /// The path of the crate.
    path: String,
    next: &'static str,
    is_try: bool,
    /// Whether the block leaves by `?`.
    fails: bool,
    yields: bool,
}

fn expand(call: &Call<'_>, is_try: bool, paths: Paths) -> Result<TopSubtree, String> {
    let all = trees(call.item);
    let (first, body) = all.split_first().ok_or("no path")?;
    let path = trees(first.group(DelimiterKind::Parenthesis).ok_or("no path")?);
    let mut quote = Quote::default();
    let path = quote.of(&path);
    let fails = has_question(body);
    let mut rewriter =
        Rewriter { quote: &mut quote, path: path.clone(), next: paths.next, is_try, fails, yields: false };
    let block = rewriter.rewrite(body);
    let never = if rewriter.yields { "" } else { "if false { __yield_tx.send(()).await; }" };
    // `?` ends the block with an error, which becomes the last item.
    let block = match fails {
        false => block,
        true => format!(
            "if let ::core::result::Result::Err(__error) = \
             (async {{ {block} ; ::core::result::Result::Ok(()) }}).await \
             {{ __yield_tx.send(::core::result::Result::Err(__error)).await }}"
        ),
    };
    let own = paths.own;
    let text = format!(
        "{{ let (mut __yield_tx, __yield_rx) = unsafe {{ {path}::{own}yielder::pair() }}; \
         {path}::{own}AsyncStream::new(__yield_rx, async move {{ {never} {block} }}) }}"
    );
    Ok(quote.made(first.span(), &text))
}

/// The number of trees of a closure with braces, a block or a function that starts at an index; its body is a scope of
/// its own.
fn own_scope(trees: &[Tree<'_>], at: usize) -> Option<usize> {
    let rest = &trees[at..];
    let first = rest.first()?;
    let is_brace = |it: &Tree<'_>| it.group(DelimiterKind::Brace).is_some();
    if first.is_ident("async") {
        let after = 1 + usize::from(rest.get(1).is_some_and(|it| it.is_ident("move")));
        return is_brace(rest.get(after)?).then_some(after + 1);
    }
    if first.is_ident("fn") {
        return Some(rest.iter().position(is_brace)? + 1);
    }
    let starts = |it: &Tree<'_>| it.is_punct(',') || it.is_punct('=') || it.is_ident("move");
    if first.is_punct('|') && at.checked_sub(1).is_none_or(|before| starts(&trees[before])) {
        let end = rest.iter().skip(1).position(|it| it.is_punct('|'))? + 2;
        return is_brace(rest.get(end)?).then_some(end + 1);
    }
    None
}

/// Whether a block contains `?`, outside the scopes in it.
fn has_question(block: &[Tree<'_>]) -> bool {
    let mut index = 0;
    while index < block.len() {
        if let Some(count) = own_scope(block, index) {
            index += count;
            continue;
        }
        match &block[index] {
            // A bound such as `?Sized` is not meant.
            tree if tree.is_punct('?') && !block.get(index + 1).is_some_and(|it| it.is_ident("Sized")) => return true,
            Tree::Group(_, inside) if has_question(&trees(*inside)) => return true,
            _ => {}
        }
        index += 1;
    }
    false
}

impl<'a> Rewriter<'_, 'a> {
    fn rewrite(&mut self, block: &[Tree<'a>]) -> String {
        let mut text = String::new();
        let mut rest = block;
        while let Some(first) = rest.first() {
            if let Some(count) = own_scope(block, block.len() - rest.len()) {
                text += &self.quote.of(&rest[..count]);
                rest = &rest[count..];
                continue;
            }
            let second = rest.get(1);
            if first.is_ident("yield") {
                let value = &rest[1..];
                let end = value.iter().position(|it| it.is_punct(';') || it.is_punct(',')).unwrap_or(value.len());
                let value_text = if end == 0 { "()".to_owned() } else { self.rewrite(&value[..end]) };
                self.yields = true;
                text += &match self.is_try {
                    true => format!(" __yield_tx.send(::core::result::Result::Ok({value_text})).await "),
                    false => format!(" __yield_tx.send({value_text}).await "),
                };
                rest = &value[end..];
            } else if self.fails
                && first.is_ident("return")
                && second.is_none_or(|it| it.is_punct(';') || it.is_punct(',') || it.is_punct('}'))
            {
                text += " return ::core::result::Result::Ok(()) ";
                rest = &rest[1..];
            } else if first.is_ident("for") && second.is_some_and(|it| it.is_ident("await")) {
                let Some((loop_, count)) = self.for_await(&rest[2..]) else {
                    text += &self.quote.of(&rest[..1]);
                    rest = &rest[1..];
                    continue;
                };
                text += &loop_;
                rest = &rest[2 + count..];
            } else if (first.is_ident("stream") || first.is_ident("try_stream"))
                && second.is_some_and(|it| it.is_punct('!'))
            {
                let count = rest.len().min(3);
                text += &self.quote.of(&rest[..count]);
                rest = &rest[count..];
            } else if let Tree::Group(subtree, inside) = first {
                let inside = self.rewrite(&trees(*inside));
                let (open, close) = match subtree.delimiter.kind {
                    DelimiterKind::Parenthesis => ("(", ")"),
                    DelimiterKind::Brace => ("{", "}"),
                    DelimiterKind::Bracket => ("[", "]"),
                    DelimiterKind::Invisible => ("", ""),
                };
                text += &format!("{open} {inside} {close}");
                rest = &rest[1..];
            } else {
                // Tokens that stay next to each other stay one placeholder, so that operators are whole.
                let is_plain = |it: &&Tree<'a>| {
                    matches!(it, Tree::Leaf(_))
                        && !it.is_punct('|')
                        && !["yield", "return", "for", "stream", "try_stream", "async", "fn"]
                            .iter()
                            .any(|word| it.is_ident(word))
                };
                let count = rest.iter().take_while(is_plain).count().max(1);
                text += &self.quote.of(&rest[..count]);
                rest = &rest[count..];
            }
        }
        text
    }

    /// The loop over a stream for what stands behind `for await`, and how many trees it was.
    fn for_await(&mut self, rest: &[Tree<'a>]) -> Option<(String, usize)> {
        let at = rest.iter().position(|it| it.is_ident("in"))?;
        let end = rest.iter().skip(at).position(|it| it.group(DelimiterKind::Brace).is_some())? + at;
        let pattern = self.quote.of(&rest[..at]);
        let stream = self.rewrite(&rest[at + 1..end]);
        let body = self.rewrite(&rest[end..=end]);
        let (path, next) = (&self.path, self.next);
        let text = format!(
            "{{ let mut __pinned = {stream}; \
             let mut __pinned = unsafe {{ ::core::pin::Pin::new_unchecked(&mut __pinned) }}; \
             while let ::core::option::Option::Some(__item) = {path}::{next}(&mut __pinned).await \
             {{ let {pattern} = __item; {body} }} }}"
        );
        Some((text, end + 1))
    }
}
