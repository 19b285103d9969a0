//! Prints what a harness did in a run as the Rust source of a test. The IR of the harness is followed as the run chose;
//! calls become expressions, with the numbers and texts that were made up.

mod helpers;
mod paths;

use super::{HarnessTarget, Subject, builder::Reason, surface};
use crate::{
    ir::{Aggregate, BlockId, BodyIr, Callee, Const, Local, LocalId, Operand, Place, Proj, RETURN, Rvalue, Stmt, Term},
    types::TypeCx,
};
use helpers::Support;
use hir_def::{FunctionId, VariantId};
use hir_ty::next_solver::{GenericArgs, Ty, TyKind};
use interp::{harness_calls::HarnessChoices, inputs::MadeUpInput};
use paths::{Paths, last_part, tuple};
use ra_ap_hir_def as hir_def;
use ra_ap_hir_ty as hir_ty;
use rustc_hash::{FxHashMap, FxHashSet};
use rustc_type_ir::{Mutability, inherent::IntoKind};

/// The choices and inputs of a run of a harness.
#[derive(Clone, Copy)]
pub(crate) struct HarnessRun<'a> {
    /// Calls and ways to make values.
    pub(crate) choices: &'a HarnessChoices,
    /// Numbers and texts.
    pub(crate) given: &'a [MadeUpInput],
}

/// The statements of a test, and the items that they need.
pub(crate) struct TestSource {
    /// The statements, each line with four spaces before it.
    pub(crate) body: String,
    /// Items to be put before the test.
    pub(crate) items: String,
}

/// The source of what a harness did in a run.
///
/// # Errors
///
/// Why it cannot be written as a test of another crate.
pub(crate) fn print(cx: &mut TypeCx<'_>, target: HarnessTarget, run: HarnessRun<'_>) -> Result<TestSource, Reason> {
    if let Subject::InTest(test, _) = target.subject {
        return Err(format!("it runs within the test `{}`", cx.function_name(test)));
    }
    let harness = super::build(cx, target);
    let krate = target.subject.krate(cx.db);
    let paths = Paths::new(krate);
    let (names, mutable, support) = (FxHashMap::default(), FxHashSet::default(), FxHashSet::default());
    let slots = helpers::slots(run);
    let (inside, calls_back, lines) = (None, false, Vec::new());
    let mut printer = Printer { cx, run, slots, paths, names, mutable, support, lines, inside, calls_back };
    printer.body(&harness.body, Vec::new())?;
    let lines = std::mem::take(&mut printer.lines);
    let mut body = String::new();
    printer.render(&lines, 1, &mut body);
    let mut support = printer.support;
    if printer.paths.values.iter().any(|it| *it != Support::Unshared) {
        support.insert(Support::Kept);
    }
    support.extend(printer.paths.values);
    let names_stub = printer.paths.names_stub;
    let mut items = helpers::items(&support, &surface::bounds(cx.db, krate));
    if names_stub {
        let stub = cx.source.written_stub(krate, &|label| helpers::number(run, label));
        items.push('\n');
        items.push_str(&stub.ok_or("its stub cannot be written")?);
    }
    Ok(TestSource { body, items })
}

/// The value of a local.
#[derive(Clone)]
enum Value {
    /// An expression that has not been evaluated. It is written where the local is used.
    Expr(String),
    /// A variable of the test.
    Variable(String),
    /// A reference to a place.
    Reference { place: String, is_mutable: bool },
    /// The arguments of a call.
    Tuple(Vec<Value>),
    /// A number that the run made up or chose.
    Number(u64),
    /// A label of a choice or input.
    Label(String),
}

/// A line of the test.
enum Line {
    /// `let` with a variable, and the rest of the line.
    Let(String, String),
    /// The same with a pair of variables.
    LetPair([String; 2], String),
    /// A statement.
    Text(String),
    /// Lines in braces, with the texts before and behind.
    Block(String, Vec<Line>, String),
}

struct Printer<'p, 'db> {
    cx: &'p mut TypeCx<'db>,
    run: HarnessRun<'p>,
    /// When calls begin, by their labels.
    slots: FxHashMap<String, u64>,
    paths: Paths,
    /// How many variables have a name.
    names: FxHashMap<String, u32>,
    /// The variables that are changed.
    mutable: FxHashSet<String>,
    support: FxHashSet<Support>,
    lines: Vec<Line>,
    /// The object of the current call, if callbacks call it too, and its type.
    inside: Option<(String, Ty<'db>)>,
    /// Whether a callback does.
    calls_back: bool,
}

impl<'db> Printer<'_, 'db> {
    /// Follows a body as the run did.
    fn body(&mut self, body: &BodyIr, params: Vec<Value>) -> Result<(), Reason> {
        let mut locals: Vec<Option<Value>> = vec![None; body.locals.len()];
        for (local, value) in locals.iter_mut().skip(1).zip(params) {
            *local = Some(value);
        }
        let mut frame = Frame { locals, types: &body.locals };
        let mut at = BlockId(0);
        loop {
            let block = &body.blocks[at.0 as usize];
            for (stmt, _) in &block.stmts {
                self.stmt(&mut frame, stmt)?;
            }
            at = match &block.term.0 {
                Term::Goto(next) => *next,
                Term::Switch(on, targets, default) => match self.operand(&mut frame, on) {
                    Ok(Value::Number(chosen)) => {
                        let target = targets.iter().find(|(value, _)| *value == u128::from(chosen));
                        target.map_or(*default, |(_, block)| *block)
                    }
                    // The run has not come here.
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            };
        }
    }

    fn stmt(&mut self, frame: &mut Frame<'_>, stmt: &Stmt) -> Result<(), Reason> {
        match stmt {
            Stmt::Assign(place, _) if place.local == RETURN => Ok(()),
            Stmt::Assign(place, value) => {
                let ty = frame.ty(place.local);
                let value = self.rvalue(frame, value, ty)?;
                frame.locals[place.local.0 as usize] = Some(value);
                Ok(())
            }
            Stmt::Call { dest, callee: Callee::Fn(func, args), args: values } => {
                let values: Result<Vec<_>, Reason> = values.iter().map(|it| self.operand(frame, it)).collect();
                let value = self.invoke(*func, args.as_ref(), values?)?;
                frame.locals[dest.local.0 as usize] = value;
                Ok(())
            }
            Stmt::Drop(place) => {
                if let Some(Value::Variable(name)) = &frame.locals[place.local.0 as usize] {
                    self.lines.push(Line::Text(format!("drop({name});")));
                }
                Ok(())
            }
            _ => Err("it has an unusual statement".to_owned()),
        }
    }

    fn rvalue(&mut self, frame: &mut Frame<'_>, value: &Rvalue, ty: Ty<'db>) -> Result<Value, Reason> {
        Ok(match value {
            Rvalue::Use(operand) | Rvalue::Unsize(operand, _) | Rvalue::FnPtr(operand, _) => {
                self.operand(frame, operand)?
            }
            Rvalue::Cast(operand, to) => {
                let number = self.operand(frame, operand)?;
                cast(number, to.as_ref())
            }
            Rvalue::Ref(place) => {
                let is_mutable = matches!(ty.kind(), TyKind::Ref(_, _, Mutability::Mut));
                let place = self.place(frame, place)?;
                if is_mutable {
                    self.mutable.insert(place.clone());
                }
                Value::Reference { place, is_mutable }
            }
            Rvalue::Aggregate(Aggregate::Variant(id), parts) => {
                let parts = self.operands(frame, parts)?;
                Value::Expr(self.variant(*id, parts)?)
            }
            Rvalue::Aggregate(Aggregate::Plain, parts) => {
                let parts = self.operands(frame, parts)?;
                match ty.kind() {
                    TyKind::Array(..) => Value::Expr(format!("[{}]", self.texts(parts).join(", "))),
                    _ => Value::Tuple(parts),
                }
            }
            Rvalue::Unknown(_) => return Err("it has a value that only the program's callers know".to_owned()),
            _ => return Err("it has an unusual value".to_owned()),
        })
    }

    fn operands(&mut self, frame: &mut Frame<'_>, operands: &[Operand]) -> Result<Vec<Value>, Reason> {
        operands.iter().map(|it| self.operand(frame, it)).collect()
    }

    fn operand(&mut self, frame: &mut Frame<'_>, operand: &Operand) -> Result<Value, Reason> {
        match operand {
            Operand::Use(place) if place.proj.is_empty() => {
                let known = frame.locals[place.local.0 as usize].clone();
                known.ok_or_else(|| "the run has not come to a value".to_owned())
            }
            Operand::Use(place) => Ok(Value::Variable(self.place(frame, place)?)),
            Operand::Const(Const::Str(text)) => Ok(Value::Label(text.to_string())),
            Operand::Const(Const::Int(value, _)) => Ok(Value::Number(*value as u64)),
            Operand::Const(Const::Zst(ty)) => Ok(Value::Expr(self.callback(ty.as_ref())?)),
            Operand::Const(constant) => Ok(Value::Expr(self.paths.constant(self.cx, constant)?)),
        }
    }

    /// A place as an expression.
    fn place(&mut self, frame: &mut Frame<'_>, place: &Place) -> Result<String, Reason> {
        let index = place.local.0 as usize;
        let ty = frame.ty(place.local);
        let value = frame.locals[index].clone().ok_or("the run has not come to a value")?;
        let mut proj = place.proj.as_slice();
        let mut text = match value {
            Value::Reference { place, .. } if proj.first() == Some(&Proj::Deref) => {
                proj = &proj[1..];
                place
            }
            // A closure's type is best known where it is used.
            Value::Expr(text) if proj.is_empty() && text.starts_with('|') => return Ok(text),
            // A constant may be borrowed where it stands.
            Value::Number(_) | Value::Label(_) if proj.is_empty() => return Ok(self.text(value)),
            value => {
                let name = self.variable(value, ty);
                frame.locals[index] = Some(Value::Variable(name.clone()));
                name
            }
        };
        for proj in proj {
            text = match proj {
                Proj::Deref => format!("(*{text})"),
                Proj::Field(field) => format!("{text}.{field}"),
                _ => return Err("it uses an unusual part of a value".to_owned()),
            };
        }
        Ok(text)
    }

    /// The variable of a value; a new one unless it is in one.
    fn variable(&mut self, value: Value, ty: Ty<'db>) -> String {
        if let Value::Variable(name) = value {
            return name;
        }
        let name = self.new_name(&self.name_for(ty));
        let text = self.text(value);
        self.lines.push(Line::Let(name.clone(), format!(" = {text};")));
        name
    }

    /// The name of a variable of a type.
    fn name_for(&self, ty: Ty<'db>) -> String {
        let name = self.cx.type_name(ty.strip_references());
        let name = last_part(&name);
        let is_word = ty.strip_references().as_adt().is_some()
            && name.chars().all(|it| it.is_ascii_alphanumeric())
            && !["Option", "Result", "Box", "Self"].contains(&name);
        if is_word { snake_case(name) } else { "value".to_owned() }
    }

    fn new_name(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_default();
        *count += 1;
        if *count > 1 || is_reserved(name) { format!("{name}{count}") } else { name.to_owned() }
    }

    fn texts(&mut self, values: Vec<Value>) -> Vec<String> {
        values.into_iter().map(|value| self.text(value)).collect()
    }

    /// A value as an expression.
    fn text(&mut self, value: Value) -> String {
        match value {
            Value::Expr(text) | Value::Variable(text) => text,
            Value::Reference { place, is_mutable } => format!("&{}{place}", if is_mutable { "mut " } else { "" }),
            Value::Tuple(parts) => tuple(&self.texts(parts)),
            Value::Number(number) => number.to_string(),
            Value::Label(text) => format!("{text:?}"),
        }
    }

    fn variant(&mut self, id: VariantId, parts: Vec<Value>) -> Result<String, Reason> {
        let path = self.paths.variant(self.cx, id)?;
        let parts = self.texts(parts);
        let fields = id.fields(self.cx.db);
        Ok(match fields.shape {
            hir_def::item_tree::FieldsShape::Unit => path,
            hir_def::item_tree::FieldsShape::Tuple => format!("{path}({})", parts.join(", ")),
            hir_def::item_tree::FieldsShape::Record => {
                let names = fields.fields().iter().map(|(_, field)| field.name.as_str().to_owned());
                let fields: Vec<String> = names.zip(parts).map(|(name, part)| format!("{name}: {part}")).collect();
                format!("{path} {{ {} }}", fields.join(", "))
            }
        })
    }

    /// A call, of a helper or of another function.
    fn invoke(
        &mut self,
        func: FunctionId,
        args: GenericArgs<'db>,
        values: Vec<Value>,
    ) -> Result<Option<Value>, Reason> {
        match helpers::name(self.cx, func) {
            Some(helper) => self.helper(&helper, args, values),
            None => {
                let values = self.texts(values);
                Ok(Some(Value::Expr(self.paths.call(self.cx, func, args, values)?)))
            }
        }
    }

    /// The lines that `print` makes, as a block of their own.
    fn lines_of(&mut self, print: impl FnOnce(&mut Self) -> Result<(), Reason>) -> Result<Vec<Line>, Reason> {
        let outer = std::mem::take(&mut self.lines);
        let printed = print(self);
        let inner = std::mem::replace(&mut self.lines, outer);
        printed.map(|()| inner)
    }

    fn render(&self, lines: &[Line], depth: usize, into: &mut String) {
        let indent = "    ".repeat(depth);
        let next = format!("\n{indent}");
        let pattern = |name: &str| if self.mutable.contains(name) { format!("mut {name}") } else { name.to_owned() };
        for line in lines {
            match line {
                Line::Let(name, rest) => {
                    into.push_str(&format!("{indent}let {}{}\n", pattern(name), rest.replace('\n', &next)));
                }
                Line::LetPair([one, other], rest) => {
                    let rest = rest.replace('\n', &next);
                    into.push_str(&format!("{indent}let ({}, {}){rest}\n", pattern(one), pattern(other)));
                }
                Line::Text(text) => into.push_str(&format!("{indent}{}\n", text.replace('\n', &next))),
                Line::Block(before, inner, behind) => {
                    into.push_str(&format!("{indent}{}\n", before.replace('\n', &next)));
                    self.render(inner, depth + 1, into);
                    into.push_str(&format!("{indent}{behind}\n"));
                }
            }
        }
    }
}

/// The locals of a body that is followed.
struct Frame<'b> {
    locals: Vec<Option<Value>>,
    types: &'b [Local],
}

impl Frame<'_> {
    fn ty<'db>(&self, local: LocalId) -> Ty<'db> {
        self.types[local.0 as usize].ty.as_ref()
    }
}

/// A made-up number as a value of a numeric type.
fn cast(number: Value, to: Ty<'_>) -> Value {
    let Value::Number(number) = number else { return number };
    let bits = match to.kind() {
        TyKind::Uint(ty) => ty.bit_width(),
        TyKind::Int(ty) => ty.bit_width(),
        _ => None,
    };
    match (to.kind(), bits) {
        (TyKind::Int(_), Some(bits)) if bits < 64 => {
            let unused = 64 - bits as u32;
            Value::Expr((((number << unused) as i64) >> unused).to_string())
        }
        (TyKind::Uint(_), Some(bits)) if bits < 64 => Value::Number(number & ((1 << bits) - 1)),
        _ => Value::Number(number),
    }
}

/// `ReadHandle` as `read_handle`.
pub(crate) fn snake_case(name: &str) -> String {
    let mut text = String::new();
    let mut is_after_lower = false;
    for letter in name.chars() {
        if letter.is_uppercase() && is_after_lower {
            text.push('_');
        }
        is_after_lower = letter.is_lowercase() || letter.is_ascii_digit();
        text.extend(letter.to_lowercase());
    }
    text
}

/// Whether a name of a variable is a keyword.
fn is_reserved(name: &str) -> bool {
    ["box", "fn", "loop", "match", "mod", "move", "ref", "self", "static", "struct", "trait", "type", "use", "yield"]
        .contains(&name)
}
