//! A child that calculates, a line at a time, with errors on its other stream.
use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

fn calculate(stack: &mut Vec<i64>, word: &str) -> Result<(), String> {
    let mut pop = || stack.pop().ok_or_else(|| "the stack is empty".to_owned());
    let value = match word {
        "+" | "*" | "-" | "/" => {
            let (right, left) = (pop()?, pop()?);
            match word {
                "+" => left.checked_add(right),
                "*" => left.checked_mul(right),
                "-" => left.checked_sub(right),
                _ => left.checked_div(right),
            }
            .ok_or_else(|| format!("{left} {word} {right} has no result"))?
        }
        number => number.parse().map_err(|_| format!("what is {number:?}?"))?,
    };
    stack.push(value);
    Ok(())
}

fn child() -> io::Result<()> {
    for line in io::stdin().lines() {
        let mut stack = Vec::new();
        let result = line?.split_whitespace().try_for_each(|word| calculate(&mut stack, word));
        match result {
            Ok(()) => println!("= {stack:?}"),
            Err(problem) => println!("! {problem}"),
        }
    }
    println!("good bye");
    Ok(())
}

struct Calculator {
    child: Child,
    input: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Calculator {
    fn start() -> io::Result<Calculator> {
        let program = std::env::current_exe()?;
        let mut child = Command::new(program).arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (input, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Ok(Calculator { child, input, answers: BufReader::new(out).lines() })
    }

    fn ask(&mut self, question: &str) -> io::Result<String> {
        writeln!(self.input, "{question}")?;
        self.answers.next().unwrap_or_else(|| Err(io::ErrorKind::UnexpectedEof.into()))
    }

    fn finish(mut self) -> io::Result<(Option<String>, bool)> {
        drop(self.input);
        let last = self.answers.next().transpose()?;
        Ok((last, self.child.wait()?.success()))
    }
}

fn main() -> io::Result<()> {
    if std::env::args().len() > 1 {
        return child();
    }
    let mut calculator = Calculator::start()?;
    let mut answers = BTreeMap::new();
    for question in ["1 2 +", "2 3 4 * +", "", "7 0 /", "one 2 +", "+", "9223372036854775807 1 +", "5 6"] {
        answers.insert(question, calculator.ask(question)?);
    }
    for (question, answer) in answers {
        println!("{question:?} {answer}");
    }
    println!("{:?}", calculator.finish()?);
    Ok(())
}
