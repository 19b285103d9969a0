use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard};
use std::{ptr, thread};

struct Mapped<'a, T: ?Sized> {
    value: *mut T,
    _guard: Box<dyn Held + 'a>,
}

trait Held {}

impl<T> Held for MutexGuard<'_, T> {}

fn map<'a, T, U: ?Sized>(mut guard: MutexGuard<'a, T>, part: impl FnOnce(&mut T) -> &mut U) -> Mapped<'a, U> {
    let value = ptr::from_mut(part(&mut guard));
    Mapped { value, _guard: Box::new(guard) }
}

impl<T: ?Sized> Deref for Mapped<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        unsafe { &*self.value }
    }
}

impl<T: ?Sized> DerefMut for Mapped<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        unsafe { &mut *self.value }
    }
}

#[derive(Default)]
struct Profile {
    name: String,
    scores: Vec<u32>,
}

#[derive(Default)]
struct User {
    profile: Mutex<Profile>,
}

impl User {
    fn scores(&self) -> Mapped<'_, [u32]> {
        map(self.profile.lock().unwrap(), |profile| &mut profile.scores[..])
    }

    fn rename(&self, name: &str) -> usize {
        let mut held = map(self.profile.lock().unwrap(), |profile| &mut profile.name);
        held.clear();
        held.push_str(name);
        held.len()
    }
}

// The scores among the arguments have the guard inside, boxed, until all of them are printed.
fn main() {
    let user = User::default();
    user.profile.lock().unwrap().scores.extend([1, 2, 3]);
    thread::scope(|scope| {
        scope.spawn(|| user.scores().iter_mut().for_each(|score| *score *= 2));
        scope.spawn(|| user.rename("ann"));
        scope.spawn(|| user.scores().reverse());
    });
    println!("{} {}", user.scores().iter().sum::<u32>(), user.profile.lock().unwrap().name); //~ deadlock
}
