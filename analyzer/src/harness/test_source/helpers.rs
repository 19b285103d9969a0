//! Translates calls of the helpers of harnesses into the source of a test.

use super::{HarnessRun, Line, Printer, Reason, Value, paths};
use crate::{
    harness,
    std_models::{
        self,
        harness::{CALL_BACK, CallKind, HELPERS, OTHER, POLLED, SUCCEED, THIRD},
        test_source::{
            self, ADDRESS, BLOCK_ON, CHANNEL, KEPT, KEPT_FIELD, MadeFrom, OWN_FIELD, POLL_ONCE, READ, REPLACE_WAKER,
            SCOPE, START, TRAITS, VALUE, WAIT_UNTIL,
        },
    },
    types::TypeCx,
};
use hir_def::FunctionId;
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::inputs::MadeUpInput;
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::{FxHashMap, FxHashSet};
use rustc_type_ir::inherent::IntoKind as _;

/// The thread that is not started.
const CALLER: &str = "the caller";
/// A placeholder for a formatter, which no test can make.
const FORMATTER: &str = "formatter";
/// Formats by a part of the path of their trait.
const FORMATS: [(&str, &str); 4] = [("Display", "{}"), ("LowerHex", "{:x}"), ("UpperHex", "{:X}"), ("Pointer", "{:p}")];

/// When each call begins, by its label, so that calls that did not overlap in the run do not overlap here: the number of
/// calls' lengths after the start. Empty if all begin at once.
pub(super) fn slots(run: HarnessRun<'_>) -> FxHashMap<String, u64> {
    let made = &run.choices.made;
    let thread = |label: &str| label.rsplit(" of ").next().unwrap_or_default().to_owned();
    let mut begun: Vec<(usize, String, u64)> = Vec::new();
    for (index, choice) in made.iter().enumerate().filter(|(_, it)| it.is_call && it.index < it.count) {
        let label = String::from_utf8_lossy(&choice.label).into_owned();
        let overlaps = |earlier: usize| {
            run.choices.overlapping.iter().any(|pair| *pair == (earlier, index) || *pair == (index, earlier))
        };
        let after = |(earlier, other, slot): &(usize, String, u64)| match thread(other) == thread(&label) {
            true => *slot,
            false => slot + u64::from(!overlaps(*earlier)),
        };
        let slot = begun.iter().map(after).max().unwrap_or(0);
        begun.push((index, label, slot));
    }
    begun.retain(|(_, _, slot)| *slot > 0);
    begun.into_iter().map(|(_, label, slot)| (label, slot)).collect()
}

/// Items that a test needs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Support {
    /// `block_on`.
    BlockOn,
    /// `replace_waker`.
    ReplaceWaker,
    /// `poll_once`.
    PollOnce,
    /// `wait_until`.
    WaitUntil,
    /// `touch_kept`.
    Kept,
    /// A value that is neither `Send` nor `Sync`.
    Local,
    /// A value that is not `Sync`.
    Unshared,
    /// A value that is not `Send`.
    Stuck,
}

impl Support {
    /// The type of helpers with this name.
    pub(super) fn value(name: &str) -> Option<Support> {
        [Support::Local, Support::Unshared, Support::Stuck].into_iter().find(|it| format!("{it:?}") == name)
    }
}

/// The items as source. Values implement those of the given traits that they know.
pub(super) fn items(support: &FxHashSet<Support>, traits: &FxHashSet<String>) -> String {
    let mut all: Vec<Support> = support.iter().copied().collect();
    all.sort_unstable();
    let is_ordered = traits.contains("Ord") || traits.contains("PartialOrd");
    let is_needed = |name: &str| match name {
        "PartialEq" => is_ordered || traits.contains("PartialEq") || traits.contains("Eq"),
        "Eq" => is_ordered || traits.contains("Eq"),
        "PartialOrd" | "Ord" => is_ordered,
        other => traits.contains(other),
    };
    let value = |name: &str, [field, made]: [&str; 2], read: &str| {
        let traits = TRAITS.iter().filter(|(of, _)| is_needed(of)).map(|(_, text)| *text);
        let text: String = [VALUE].into_iter().chain(traits).collect();
        let text = text.replace("{name}", name).replace("{field}", field).replace("{made}", made);
        text.replace("        {read}\n", read)
    };
    const TOUCH: &str = "        self.touch();\n";
    let texts = all.into_iter().map(|it| match it {
        Support::BlockOn => BLOCK_ON.to_owned(),
        Support::ReplaceWaker => REPLACE_WAKER.to_owned(),
        Support::PollOnce => POLL_ONCE.to_owned(),
        Support::WaitUntil => WAIT_UNTIL.to_owned(),
        Support::Kept => KEPT.to_owned(),
        Support::Local => format!("\n/// Neither `Send` nor `Sync`.{}", value("Local", KEPT_FIELD, TOUCH)),
        Support::Unshared => format!("\n/// `Send`, not `Sync`.{}", value("Unshared", OWN_FIELD, TOUCH)),
        Support::Stuck => {
            let text = value("Stuck", KEPT_FIELD, "");
            format!("\n/// `Sync`, not `Send`.{text}\nunsafe impl Sync for Stuck {{}}\n")
        }
    });
    texts.collect()
}

/// The name of a helper, without the path of all helpers.
pub(super) fn name(cx: &TypeCx<'_>, func: FunctionId) -> Option<String> {
    let path = std_models::path(cx.db, func)?;
    Some(path.strip_prefix(HELPERS)?.strip_prefix("::")?.to_owned())
}

/// The number that was made up for a label; 0 if nothing asked for it.
pub(super) fn number(run: HarnessRun<'_>, label: &str) -> u64 {
    let is_it = |given: &MadeUpInput| match given {
        MadeUpInput::Number(of, number) if of.as_slice() == label.as_bytes() => Some(*number),
        _ => None,
    };
    run.given.iter().find_map(is_it).unwrap_or(0)
}

/// The text that was made up for a label.
fn text(run: HarnessRun<'_>, label: &str) -> String {
    let is_it = |given: &MadeUpInput| match given {
        MadeUpInput::Text(of, text) if of.as_slice() == label.as_bytes() => {
            Some(String::from_utf8_lossy(text).into_owned())
        }
        _ => None,
    };
    run.given.iter().find_map(is_it).unwrap_or_default()
}

/// The text with its `{}` replaced by the arguments, which may contain such texts themselves.
fn filled(template: &str, args: &[String]) -> String {
    let mut args = args.iter();
    let mut parts = template.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(args.next().map_or("", String::as_str));
        text.push_str(part);
    }
    text
}

impl<'db> Printer<'_, 'db> {
    /// The choice with a label; `None` if the run has not come to it.
    fn chosen(&self, label: &str) -> Option<u64> {
        let made = &self.run.choices.made;
        let choice = made.iter().find(|choice| *choice.label == *label.as_bytes());
        // A call with a larger index is left out.
        choice.filter(|choice| choice.index < choice.count).map(|choice| choice.index)
    }

    /// A callback that is one of the helpers, as a closure; other functions have no text.
    pub(super) fn callback(&mut self, ty: Ty<'db>) -> Result<String, Reason> {
        let Ok((func, args)) = paths::function_of(ty) else { return Ok(String::new()) };
        let helper = name(self.cx, func).unwrap_or_default();
        let Some((name, count)) = helper.split_at_checked(helper.len().saturating_sub(1)) else { return Ok(helper) };
        let count = count.parse::<usize>().unwrap_or_default();
        let params = vec!["_"; count].join(", ");
        let results: Vec<Ty<'db>> = args.types().skip(count).collect();
        let (params, value) = match (name, results.as_slice()) {
            ("act", _) => (params, "()".to_owned()),
            ("give", [result]) => (params, format!("{}::default()", self.paths.ty_in_expr(self.cx, *result)?)),
            ("attempt", [result, error]) => {
                let all = [self.paths.ty(self.cx, *result)?, self.paths.ty(self.cx, *error)?].join(", ");
                let variant = if number(self.run, SUCCEED) % 2 == 1 { "Ok" } else { "Err" };
                (params, format!("{variant}::<{all}>(Default::default())"))
            }
            _ => ("value".to_owned(), "value".to_owned()),
        };
        Ok(match self.call_of_callback()? {
            Some(call) => format!("|{params}| {{\n{call}    {value}\n}}"),
            None => format!("|{params}| {value}"),
        })
    }

    /// A closure that updates a variable of the test.
    fn borrowing(&mut self, args: GenericArgs<'db>) -> Result<String, Reason> {
        let types: Vec<Ty<'db>> = args.types().collect();
        let [inputs, output] = types.as_slice() else { return Err("it has an unusual callback".to_owned()) };
        let count = match inputs.kind() {
            TyKind::Tuple(params) => params.iter().count(),
            _ => 0,
        };
        let params = vec!["_"; count].join(", ");
        let lent = self.new_name("borrowed");
        self.lines.push(Line::Text(format!("let mut {lent} = 0;")));
        let call = self.call_of_callback()?.unwrap_or_default();
        let value = match output.is_unit() {
            true => String::new(),
            false => format!("    {}::default()\n", self.paths.ty_in_expr(self.cx, *output)?),
        };
        Ok(format!("|{params}| {{\n{call}    {lent} += 1;\n{value}}}"))
    }

    /// The lines of a callback that calls the object of the call that it is for.
    fn call_of_callback(&mut self) -> Result<Option<String>, Reason> {
        // A callback of that call does not call the object again.
        let Some((object, ty)) = self.inside.take() else { return Ok(None) };
        let lines = self.lines_of(|this| this.one_call(CALL_BACK, CallKind::Again, &[&object], ty))?;
        self.inside = Some((object, ty));
        self.calls_back = true;
        let mut text = String::new();
        self.render(&lines, 1, &mut text);
        Ok(Some(text))
    }

    /// A call of a helper. `None` if it gives nothing that is used.
    pub(super) fn helper(
        &mut self,
        helper: &str,
        args: GenericArgs<'db>,
        values: Vec<Value>,
    ) -> Result<Option<Value>, Reason> {
        let label = || match values.first() {
            Some(Value::Label(label)) => label.clone(),
            _ => String::new(),
        };
        let made = |number: u64| Ok(Some(Value::Number(number)));
        let expr = |text: String| Ok(Some(Value::Expr(text)));
        match helper {
            "number" => return made(number(self.run, &label())),
            "other_number" => return made(number(self.run, &label()).wrapping_add(1)),
            "other_text" => return expr(format!("{:?}", text(self.run, &label()) + OTHER)),
            "other_string" => return expr(format!("String::from({:?})", text(self.run, &label()) + OTHER)),
            "flag" => return expr((number(self.run, &label()) % 2 == 1).to_string()),
            "letter" => {
                let letter = char::from(b'a'.wrapping_add(number(self.run, &label()) as u8));
                return expr(format!("{letter:?}"));
            }
            "fraction" => return expr(format!("{:?}", number(self.run, &label()) as f64 / 2.0)),
            "address" => {
                let port = 8080 + number(self.run, &label());
                return expr(filled(ADDRESS, &[port.to_string()]));
            }
            "threads::chosen" | "threads::chosen_call" => return Ok(self.chosen(&label()).map(Value::Number)),
            "threads::end_call" => return Ok(None),
            "sender" => {
                let name = self.new_name("sender");
                self.lines.push(Line::Text(format!("let ({name}, _receiver) = {CHANNEL};")));
                return Ok(Some(Value::Variable(name)));
            }
            "shared" => {
                let [Some(Value::Reference { place, .. })] = [values.first()] else {
                    return Err("it has an unusual reference".to_owned());
                };
                return Ok(Some(Value::Reference { place: format!("*{place}"), is_mutable: false }));
            }
            "formatter" => return expr(FORMATTER.to_owned()),
            "borrowing" => return self.borrowing(args).map(|closure| Some(Value::Expr(closure))),
            "returned" => return Ok(None),
            "call" | "call_async" | "call_async_partly" => return self.recorded_call(helper, args, values),
            _ => {}
        }
        if let Some(made) = test_source::made_from(helper) {
            return expr(match made {
                MadeFrom::Number(template) => filled(template, &[number(self.run, &label()).to_string()]),
                MadeFrom::Text(template) => filled(template, &[format!("{:?}", text(self.run, &label()))]),
            });
        }
        if let Some(template) = test_source::call(helper) {
            let values = self.texts(values);
            return expr(filled(template, &values));
        }
        match helper.strip_prefix("threads::") {
            Some(way) => {
                self.threads(way, args, values)?;
                if self.chosen(CALL_BACK).is_some() && !self.calls_back {
                    return Err("a waker or a trait's method calls the object that it was given to".to_owned());
                }
                Ok(None)
            }
            None => Err(format!("it calls the helper `{helper}`")),
        }
    }

    /// A call that the harness makes, and the use of its result.
    fn recorded_call(
        &mut self,
        helper: &str,
        args: GenericArgs<'db>,
        values: Vec<Value>,
    ) -> Result<Option<Value>, Reason> {
        let mut values = values.into_iter().skip(1);
        let (packed, label) = (values.next(), values.nth(1));
        let Some(Value::Tuple(parts)) = packed else { return Err("it has an unusual call".to_owned()) };
        let types: Vec<Ty<'db>> = args.types().collect();
        let [item, _, _, uses] = types.as_slice() else { return Err("it has an unusual call".to_owned()) };
        let (func, own) = paths::function_of(*item)?;
        let mut parts = self.texts(parts);
        let text = match name(self.cx, func) {
            // A future that is awaited itself.
            Some(_) => parts.pop().unwrap_or_default(),
            None if parts.get(1).is_some_and(|part| part == FORMATTER) => {
                let way = self.paths.call(self.cx, func, own, Vec::new())?;
                let format = FORMATS.iter().find(|(of, _)| way.contains(of)).map_or("{:?}", |(_, format)| *format);
                format!("format!({format:?}, {})", parts.swap_remove(0))
            }
            None => self.paths.call(self.cx, func, own, parts)?,
        };
        let text = match (helper, label) {
            ("call", _) => text,
            (_, Some(Value::Label(label))) => return self.partly(&text, &label, *uses).map(|()| None),
            _ => {
                self.support.insert(Support::BlockOn);
                format!("block_on({text})")
            }
        };
        self.use_result(text, *uses)?;
        Ok(None)
    }

    /// Polls a future as the run did.
    fn partly(&mut self, future: &str, label: &str, uses: Ty<'db>) -> Result<(), Reason> {
        self.support.insert(Support::BlockOn);
        let text = match self.chosen(&format!("{label}{POLLED}")) {
            Some(2 | 3) => {
                self.support.insert(Support::ReplaceWaker);
                format!("replace_waker({future})")
            }
            Some(way @ 4..) => {
                self.support.insert(Support::PollOnce);
                self.lines.push(Line::Text(format!("let _ = poll_once({future}, {});", way == 4)));
                return Ok(());
            }
            _ => format!("block_on({future})"),
        };
        self.use_result(text, uses)
    }

    /// Uses the result of a call as a helper does.
    fn use_result(&mut self, text: String, uses: Ty<'db>) -> Result<(), Reason> {
        let (func, args) = paths::function_of(uses)?;
        let inner = args.types().last();
        let name = name(self.cx, func).unwrap_or_default();
        let before = match (name.as_str(), inner) {
            ("uses::read", _) => {
                self.lines.push(Line::Text(filled(READ, &[owned_part(&text)])));
                return Ok(());
            }
            ("uses::read_through", _) => {
                self.lines.push(Line::Text(filled(READ, &[format!("(*{text})")])));
                return Ok(());
            }
            ("uses::with_option", Some(_)) => format!("if let Some(value) = {text} {{"),
            ("uses::with_result", Some(_)) => format!("if let Ok(value) = {text} {{"),
            ("uses::with_items", Some(_)) => format!("for value in {text}.take(3) {{"),
            _ => {
                self.lines.push(Line::Text(format!("let _ = {text};")));
                return Ok(());
            }
        };
        let inner = inner.ok_or("it has an unusual call")?;
        let is_dropped = paths::function_of(inner)
            .is_ok_and(|(func, _)| self::name(self.cx, func).as_deref() == Some("uses::finish"));
        if is_dropped && name != "uses::with_items" {
            self.lines.push(Line::Text(format!("let _ = {text};")));
            return Ok(());
        }
        let lines = self.lines_of(|this| this.use_result("value".to_owned(), inner))?;
        self.lines.push(Line::Block(before, lines, "}".to_owned()));
        Ok(())
    }

    /// The calls of threads.
    fn threads(&mut self, way: &str, args: GenericArgs<'db>, values: Vec<Value>) -> Result<(), Reason> {
        let types: Vec<Ty<'db>> = args.types().collect();
        let mut variables = Vec::new();
        let parts = match (values.as_slice(), self.lines.last()) {
            ([Value::Variable(one), Value::Variable(other)], Some(Line::Let(pair, made)))
                if *one == format!("{pair}.0") && *other == format!("{pair}.1") =>
            {
                Some(made.clone())
            }
            _ => None,
        };
        if let Some(made) = parts {
            self.lines.pop();
            variables.extend(types.iter().map(|ty| self.new_name(&self.name_for(*ty))));
            self.lines.push(Line::LetPair([variables[0].clone(), variables[1].clone()], made));
        } else {
            variables.extend(values.into_iter().zip(types.iter().cycle()).map(|(value, ty)| self.variable(value, *ty)));
        }
        if !self.slots.is_empty() {
            self.lines.push(Line::Text(START.to_owned()));
        }
        match (way, variables.as_slice(), types.as_slice()) {
            ("share", [one], [ty]) => self.share(one, *ty),
            ("cross", [one, other], [ty]) => {
                let thread = self.calls_with("thread 1", [other, one], *ty)?;
                self.spawn(false, thread, |this| {
                    let lines = this.calls_with(CALLER, [one, other], *ty)?;
                    this.lines.extend(lines);
                    Ok(())
                })
            }
            ("halves", [one, other], [ty, other_ty]) => {
                let thread = self.calls_of("thread 1", &["call 1", "call 2"], one, *ty)?;
                self.spawn(true, thread, |this| {
                    let lines = this.calls_of(CALLER, &["call 1", "call 2"], other, *other_ty)?;
                    this.lines.extend(lines);
                    this.touch_kept(*ty);
                    Ok(())
                })
            }
            ("handles", [one], [ty]) => {
                let other = self.new_name(&self.name_for(*ty));
                self.lines.push(Line::Let(other.clone(), format!(" = {one}.clone();")));
                let mut thread = self.calls_of("thread 1", &["call 1"], &other, *ty)?;
                thread.extend(self.free_calls(*ty, &["the new start of thread 1"])?);
                self.spawn(true, thread, |this| {
                    let mut lines = this.calls_of(CALLER, &["call 1"], one, *ty)?;
                    lines.extend(this.free_calls(*ty, &["the new start of the caller"])?);
                    this.lines.extend(lines);
                    Ok(())
                })
            }
            ("send", [one], [ty]) => {
                let lines = self.lines_of(|this| this.one_call("call 0 of thread 1", CallKind::Owned, &[one], *ty))?;
                self.lines.extend(lines);
                let thread = self.calls_of("thread 1", &["call 1"], one, *ty)?;
                self.spawn(true, thread, |this| {
                    this.touch_kept(*ty);
                    Ok(())
                })
            }
            ("apart", [], [ty]) => {
                let thread = self.free_calls(*ty, &["call 1 of thread 1", "call 2 of thread 1"])?;
                self.spawn(false, thread, |this| {
                    let lines = this.free_calls(*ty, &["call 1 of the caller", "call 2 of the caller"])?;
                    this.lines.extend(lines);
                    Ok(())
                })
            }
            _ => Err(format!("it calls the helper `{way}`")),
        }
    }

    fn share(&mut self, object: &str, ty: Ty<'db>) -> Result<(), Reason> {
        let calls = |this: &mut Self, of: &str, names: &[&str]| {
            this.lines_of(|this| {
                for call in names {
                    this.one_call(&format!("{call}{of}"), CallKind::Shared, &[object], ty)?;
                }
                this.touch_kept(ty);
                Ok(())
            })
        };
        let inner = self.lines_of(|this| {
            let mut threads = vec![calls(this, " of thread 1", &["call 1", "call 2"])?];
            if this.chosen(THIRD) == Some(0) {
                threads.push(calls(this, "", &["the call of thread 2"])?);
            }
            // A thread may not have come to its first call.
            let threads = threads.into_iter().filter(|thread| !thread.is_empty());
            let spawned = threads.map(|thread| Line::Block("scope.spawn(|| {".to_owned(), thread, "});".to_owned()));
            this.lines.extend(spawned);
            let lines = calls(this, " of the caller", &["call 1", "call 2"])?;
            this.lines.extend(lines);
            Ok(())
        })?;
        if inner.iter().any(|line| matches!(line, Line::Block(head, ..) if head.starts_with("scope."))) {
            self.lines.push(Line::Block(SCOPE.to_owned(), inner, "});".to_owned()));
        } else {
            self.lines.extend(inner);
        }
        Ok(())
    }

    /// A thread beside the calls of the first one.
    fn spawn(
        &mut self,
        moves: bool,
        thread: Vec<Line>,
        beside: impl FnOnce(&mut Self) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let head = if moves { "scope.spawn(move || {" } else { "scope.spawn(|| {" };
        let mut inner = vec![Line::Block(head.to_owned(), thread, "});".to_owned())];
        inner.extend(self.lines_of(beside)?);
        self.lines.push(Line::Block(SCOPE.to_owned(), inner, "});".to_owned()));
        Ok(())
    }

    /// The calls of a thread that has a value of its own, and that value's end.
    fn calls_of(&mut self, thread: &str, calls: &[&str], object: &str, ty: Ty<'db>) -> Result<Vec<Line>, Reason> {
        self.lines_of(|this| {
            for call in calls {
                this.one_call(&format!("{call} of {thread}"), CallKind::Owned, &[object], ty)?;
            }
            this.one_call(&format!("the last call of {thread}"), CallKind::Last, &[object], ty)?;
            if thread != CALLER {
                this.touch_kept(ty);
            }
            Ok(())
        })
    }

    /// The calls of a thread that calls methods of a value with another one.
    fn calls_with(&mut self, thread: &str, objects: [&str; 2], ty: Ty<'db>) -> Result<Vec<Line>, Reason> {
        let [object, other] = objects;
        self.lines_of(|this| {
            this.one_call(&format!("call 1 of {thread}"), CallKind::WithOther, &[object, other], ty)?;
            this.one_call(&format!("call 2 of {thread}"), CallKind::Shared, &[object], ty)
        })
    }

    fn free_calls(&mut self, ty: Ty<'db>, labels: &[&str]) -> Result<Vec<Line>, Reason> {
        self.lines_of(|this| labels.iter().try_for_each(|label| this.one_call(label, CallKind::Free, &[], ty)))
    }

    /// The call that the run chose for a label, if it came to it.
    fn one_call(&mut self, label: &str, kind: CallKind, objects: &[&str], ty: Ty<'db>) -> Result<(), Reason> {
        if self.chosen(label).is_none() {
            return Ok(());
        }
        if let Some(slot) = self.slots.get(label) {
            self.support.insert(Support::WaitUntil);
            let wait = format!("wait_until(start, {slot});");
            let is_over = |line: &Line| matches!(line, Line::Text(text) if *text == wait);
            if !self.lines.iter().any(is_over) {
                self.lines.push(Line::Text(wait));
            }
        }
        let body = harness::one_call(self.cx, ty, kind);
        let is_mutable = kind == CallKind::Owned;
        let value = |object: &&str| match kind {
            CallKind::Last => Value::Variable((*object).to_owned()),
            _ => Value::Reference { place: (*object).to_owned(), is_mutable },
        };
        let params = objects.iter().map(value).chain([Value::Label(label.to_owned())]).collect();
        let object = objects.first().filter(|_| kind == CallKind::Shared && self.chosen(CALL_BACK).is_some());
        let inside = object.map(|object| ((*object).to_owned(), ty));
        let outer = std::mem::replace(&mut self.inside, inside);
        let printed = self.body(&body, params);
        self.inside = outer;
        printed
    }

    /// Uses the values of this thread that must not be used by another one, if there are any.
    fn touch_kept(&mut self, ty: Ty<'db>) {
        let name = self.cx.type_name(ty);
        let is_kept = |of: &str| name.split(|it: char| !it.is_alphanumeric()).any(|word| word == of);
        if is_kept("Local") || is_kept("Stuck") {
            self.support.insert(Support::Kept);
            self.lines.push(Line::Text("touch_kept();".to_owned()));
        }
    }
}

/// An expression before a `.`.
fn owned_part(text: &str) -> String {
    if text.starts_with(['&', '*']) { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn arguments_that_look_like_places_for_others() {
        let args = ["String::from(\"{}\")", "5"].map(str::to_owned);
        assert_eq!(filled("vec![{}, {}]", &args), "vec![String::from(\"{}\"), 5]");
    }
}
