//! Impls in bodies of functions, for types and traits from outside of them.

trait Access: Sized {
    type Variant;
    type Error;
    fn seed(self, offset: u8) -> Result<(u8, Self::Variant), Self::Error>;
}

trait Shown {
    const NAME: &'static str;
    fn shown(&self) -> String {
        format!("<{}>", Self::NAME)
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<u8, String> {
        impl<'b, 'c> Access for &'c mut Reader<'b> {
            type Variant = Self;
            type Error = String;
            fn seed(self, offset: u8) -> Result<(u8, Self::Variant), Self::Error> {
                let first = self.0.first().copied().ok_or("at the end".to_owned());
                let read: Result<u8, String> = first.map(|it| it + offset);
                Ok((read?, self))
            }
        }
        visit(self)
    }

    fn rest(&self) -> usize {
        self.0.len()
    }
}

fn visit<A: Access<Error = String>>(access: A) -> Result<u8, String> {
    let (read, variant) = access.seed(3)?;
    let _: A::Variant = variant;
    Ok(read)
}

fn name<T: Shown>(value: &T) -> String {
    fn never_called() {
        impl Shown for Reader<'_> {
            const NAME: &'static str = "reader";
        }
    }
    let _ = never_called;
    value.shown()
}

fn main() {
    let mut full = Reader(&[4, 5]);
    println!("{:?} {:?} {}", full.read(), Reader(&[]).read(), full.rest());
    println!("{}", name(&full));
}
