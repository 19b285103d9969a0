//! Calls of methods that threads may not make unordered on one object.

use crate::clock::ThreadId;
use crate::detect::api::{ApiCall, CallSite, pair};
use crate::finding::{Action, FindingKind, Object};
use crate::ir::{ApiAccess, FnId, Slot};
use crate::machine::Machine;
use crate::memory::Memory;
use crate::stack::Place;
use crate::thread::Frame;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A recorded call; its index is a [`CallSite`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NotedCall {
    place: Place,
    func: FnId,
    write: bool,
}

/// The call from outside std that contains an access, and the objects it was made on.
#[derive(Clone, Copy, Debug)]
struct OuterCall<'a> {
    noted: NotedCall,
    objects: &'a [u64],
}

/// The thread-safety violation that a data race is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Violation {
    /// A violation on an object for which these threads already have one.
    Known,
    /// Two calls on the object at an address.
    Between { addr: u64, calls: [(ThreadId, NotedCall); 2] },
}

/// Data about a run's calls that the detector does not need.
#[derive(Clone, Default, Debug)]
pub(crate) struct ApiCalls {
    sites: indexmap::IndexSet<NotedCall, rustc_hash::FxBuildHasher>,
    /// The objects that each thread called at a place.
    objects: FxHashMap<(Place, ThreadId), SmallVec<[u64; 2]>>,
    /// The objects with a violation between two threads.
    violated: FxHashSet<(u64, ThreadId, ThreadId)>,
    /// The pairs of calls that were reported.
    reported: FxHashSet<(CallSite, CallSite)>,
}

impl ApiCalls {
    /// The number of a call.
    fn site(&mut self, call: NotedCall) -> CallSite {
        CallSite(self.sites.insert_full(call).0 as u32)
    }
}

impl Machine<'_> {
    /// The current instruction calls a method of an object's read or write set. Only the outermost call counts, made
    /// from code outside std.
    pub(crate) fn note_api(&mut self, func: FnId, api: ApiAccess, args: &[Slot]) {
        self.save_pc();
        let thread = &self.threads[self.current];
        let mut activations = thread.frames.iter().rev().flat_map(Frame::activations);
        let caller = activations.find(|activation| !activation.flags.is_shim);
        drop(activations);
        if thread.quiet > 0 || caller.is_none_or(|caller| caller.flags.is_std) {
            return;
        }
        let is_pointer = self.code(func).params.first().is_some_and(|param| param.1 >= 8);
        let Some(addr) = args.first().filter(|_| is_pointer).and_then(|&slot| self.api_object(api, slot)) else {
            return;
        };
        let place = self.place();
        let noted = NotedCall { place: self.outside_std(place), func, write: api.write };
        self.tell_access(addr, 1, noted.place);
        let thread = self.thread_id();
        let site = self.api_calls.site(noted);
        let objects = self.api_calls.objects.entry((noted.place, thread)).or_default();
        if !objects.contains(&addr) {
            objects.push(addr);
        }
        let new = ApiCall { epoch: self.order.epoch(thread), write: api.write, site };
        let violated = self.apis.on_call(self.order.clock(thread), addr, api.family, new);
        let (index, offset) = Memory::split(addr);
        self.memory.alloc_mut(index).note_sync(offset);
        if let Some(first) = violated
            && let Some(&call) = self.api_calls.sites.get_index(first.site.0 as usize)
        {
            self.report_violation(addr, [(first.epoch.thread, call), (thread, noted)]);
        }
    }

    /// The place in the nearest code outside std from which a place was reached, possibly through drop glue.
    fn outside_std(&self, mut place: Place) -> Place {
        while let Some((_, caller, true)) = self.contexts.frame(place) {
            place = caller;
        }
        place
    }

    /// The address of the object that a method is called on, if known.
    fn api_object(&self, api: ApiAccess, slot: Slot) -> Option<u64> {
        let is_known = |index: usize, offset: usize| {
            !self.memory.has_uninterpreted || !self.memory.alloc(index).uninterpreted.touches(offset, 8)
        };
        let (index, offset) = self.slot(slot);
        let mut addr = self.read(slot, 8);
        if !is_known(index, offset) {
            return None;
        }
        if api.through_handle {
            let (index, offset) = self.memory.readable(addr, 8).ok()?;
            if !is_known(index, offset) {
                return None;
            }
            addr = self.memory.get(index, offset, 8);
        }
        self.memory.find(addr).map(|_| addr)
    }

    /// Reports two calls on the object at an address, unless they were reported.
    pub(crate) fn report_violation(&mut self, addr: u64, calls: [(ThreadId, NotedCall); 2]) {
        let [(first, one), (second, two)] = calls;
        self.api_calls.violated.insert(pair(addr, first, second));
        let sites = (self.api_calls.site(one), self.api_calls.site(two));
        if !self.api_calls.reported.insert((sites.0.min(sites.1), sites.0.max(sites.1))) {
            return;
        }
        let object = self.object(addr);
        let events = [self.call_event(first, object, one, false), self.call_event(second, object, two, true)];
        self.report_pair(FindingKind::ThreadSafetyViolation, events, addr, one.place);
    }

    fn call_event(&self, thread: ThreadId, object: Object, noted: NotedCall, is_now: bool) -> crate::finding::Event {
        let action = Action::Calls { object, func: noted.func, write: noted.write };
        let mut event = self.event(thread, action, noted.place);
        // The locks that the earlier thread holds now say nothing about its call.
        if !is_now {
            event.held.clear();
        }
        event
    }

    /// The thread-safety violation that a data race is part of, which is then reported instead: the race is within two
    /// calls on one object, or within a call that writes an object for which these threads already have a violation.
    pub(crate) fn violation(&self, first: (ThreadId, Place), second: (ThreadId, Place)) -> Option<Violation> {
        if self.api_calls.sites.is_empty() {
            return None;
        }
        let calls = [self.outer_call(first), self.outer_call(second)];
        let is_violated = |addr: &u64| self.api_calls.violated.contains(&pair(*addr, first.0, second.0));
        if calls.iter().flatten().any(|call| call.noted.write && call.objects.iter().any(is_violated)) {
            return Some(Violation::Known);
        }
        let [Some(one), Some(two)] = calls else {
            return None;
        };
        let addr = one.objects.iter().copied().find(|addr| two.objects.contains(addr))?;
        Some(Violation::Between { addr, calls: [(first.0, one.noted), (second.0, two.noted)] })
    }

    /// The call from outside std that contains a thread's access, if it was recorded, and the objects it was made on.
    fn outer_call(&self, (thread, place): (ThreadId, Place)) -> Option<OuterCall<'_>> {
        let mut callee = None;
        let mut at = place;
        loop {
            let (func, caller, is_std) = self.contexts.frame(at)?;
            if !is_std {
                break;
            }
            if !self.session.reached(func)?.flags.is_shim {
                callee = Some(func);
            }
            at = caller;
        }
        let func = callee?;
        let write = self.session.reached(func)?.flags.api?.write;
        let objects = self.api_calls.objects.get(&(at, thread))?;
        Some(OuterCall { noted: NotedCall { place: at, func, write }, objects })
    }
}
