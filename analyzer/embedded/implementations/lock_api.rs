
/// A lock for one or many.
pub struct Lock(::std::sync::atomic::AtomicUsize);

impl Lock {
    const TAKEN: usize = usize::MAX;

    pub const fn new() -> Lock {
        Lock(::std::sync::atomic::AtomicUsize::new(0))
    }

    fn take(&self) -> bool {
        use ::std::sync::atomic::Ordering::{Acquire, Relaxed};
        self.0.compare_exchange(0, Lock::TAKEN, Acquire, Relaxed).is_ok()
    }

    fn enter(&self) -> bool {
        use ::std::sync::atomic::Ordering::{Acquire, Relaxed};
        self.0.fetch_update(Acquire, Relaxed, |it| (it != Lock::TAKEN).then(|| it + 1)).is_ok()
    }

    fn give_back(&self) {
        self.0.store(0, ::std::sync::atomic::Ordering::Release);
    }

    fn leave(&self) {
        self.0.fetch_sub(1, ::std::sync::atomic::Ordering::Release);
    }

    fn wait_until(is_done: impl Fn() -> bool) {
        while !is_done() {
            ::std::thread::yield_now();
        }
    }
}

unsafe impl ::lock_api::RawMutex for Lock {
    const INIT: Self = Lock::new();
    type GuardMarker = ::lock_api::GuardSend;
    fn lock(&self) {
        Lock::wait_until(|| self.take());
    }
    fn try_lock(&self) -> bool {
        self.take()
    }
    fn unlock(&self) {
        self.give_back();
    }
}

unsafe impl ::lock_api::RawMutexFair for Lock {
    fn unlock_fair(&self) {
        self.give_back();
    }
}

unsafe impl ::lock_api::RawRwLock for Lock {
    const INIT: Self = Lock::new();
    type GuardMarker = ::lock_api::GuardSend;
    fn lock_shared(&self) {
        Lock::wait_until(|| self.enter());
    }
    fn try_lock_shared(&self) -> bool {
        self.enter()
    }
    fn unlock_shared(&self) {
        self.leave();
    }
    fn lock_exclusive(&self) {
        Lock::wait_until(|| self.take());
    }
    fn try_lock_exclusive(&self) -> bool {
        self.take()
    }
    fn unlock_exclusive(&self) {
        self.give_back();
    }
}

unsafe impl ::lock_api::RawRwLockFair for Lock {
    fn unlock_shared_fair(&self) {
        self.leave();
    }
    fn unlock_exclusive_fair(&self) {
        self.give_back();
    }
}

unsafe impl ::lock_api::RawRwLockDowngrade for Lock {
    fn downgrade(&self) {
        self.0.store(1, ::std::sync::atomic::Ordering::Release);
    }
}

/// The number of the current thread.
pub struct ThreadNumber;

impl ThreadNumber {
    pub const fn new() -> ThreadNumber {
        ThreadNumber
    }
}

unsafe impl ::lock_api::GetThreadId for ThreadNumber {
    const INIT: Self = ThreadNumber;
    fn nonzero_thread_id(&self) -> ::std::num::NonZeroUsize {
        static NEXT: ::std::sync::atomic::AtomicUsize = ::std::sync::atomic::AtomicUsize::new(1);
        ::std::thread_local! {
            static NUMBER: usize = NEXT.fetch_add(1, ::std::sync::atomic::Ordering::Relaxed);
        }
        ::std::num::NonZeroUsize::new(NUMBER.with(|it| *it)).unwrap()
    }
}
