// What `mem` and `ptr` functions drop and what they don't; `ManuallyDrop`; leaks; `Option::take` and its kin.
use std::mem::{self, ManuallyDrop};
use std::ptr;
use std::rc::{Rc, Weak};

#[derive(Debug)]
struct Loud(u32);
impl Drop for Loud { fn drop(&mut self) { println!("drop {}", self.0) } }
struct Holder { name: ManuallyDrop<Loud>, other: Loud }
impl Drop for Holder { fn drop(&mut self) { println!("holder"); unsafe { ManuallyDrop::drop(&mut self.name) } } }

fn main() {
    let mut a = Loud(1);
    let old = mem::replace(&mut a, Loud(2));
    println!("replaced {old:?}");
    let mut b = Loud(3);
    mem::swap(&mut a, &mut b);
    println!("{a:?} {b:?}");
    let mut option = Some(Loud(4));
    drop(option.take());
    println!("{:?}", option.replace(Loud(5)));
    println!("{:?}", option.insert(Loud(6)));
    println!("{:?} {:?}", option.get_or_insert_with(|| Loud(7)), mem::take(&mut vec![Loud(8)]).len());
    let _holder = Holder { name: ManuallyDrop::new(Loud(9)), other: Loud(10) };
    println!("{}", _holder.other.0);
    mem::forget(Loud(11));
    let leaked: &'static mut Loud = Box::leak(Box::new(Loud(12)));
    leaked.0 += 1;
    drop(unsafe { Box::from_raw(leaked) });
    unsafe {
        let mut slot = mem::MaybeUninit::new(Loud(14));
        let read = ptr::read(slot.as_ptr());
        ptr::write(slot.as_mut_ptr(), Loud(15));
        drop(read);
        slot.assume_init_drop();
        let mut place = Loud(16);
        ptr::drop_in_place(&mut place);
        ptr::write(&mut place, Loud(17));
        let moved = ptr::replace(&mut place, Loud(18));
        println!("{moved:?}");
    }
    let raw = Box::into_raw(Box::new([Loud(19), Loud(20)]));
    let boxed: Box<[Loud]> = unsafe { Box::from_raw(raw) };
    println!("{}", boxed.len());
    let mut into = boxed.into_vec().into_iter();
    println!("{:?}", into.next_back());
    let strong = Rc::new(Loud(21));
    let weak = Rc::downgrade(&strong);
    let second = strong.clone();
    println!("{:?} {}", Rc::try_unwrap(strong).is_err(), Rc::weak_count(&second));
    println!("{:?}", Rc::into_inner(second));
    println!("{:?} {}", weak.upgrade(), Weak::<Loud>::new().strong_count());
    let cyclic = Rc::new_cyclic(|me: &Weak<(Loud, Weak<()>)>| { println!("{}", me.upgrade().is_none()); (Loud(22), Weak::new()) });
    println!("{:?}", cyclic.0);
    let [x, _, z] = [Loud(23), Loud(24), Loud(25)];
    println!("{x:?} {z:?}");
    let (y, ..) = (Loud(26), Loud(27));
    let _ = Loud(28);
    let _ = y;
    _ = Loud(29);
    let mut cell = std::cell::Cell::new(Some(Loud(30)));
    cell.set(None);
    cell.get_mut().replace(Loud(31));
    let once = std::cell::OnceCell::new();
    println!("{:?} {:?}", once.set(Loud(32)).is_ok(), once.set(Loud(33)));
    println!("end");
}
