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

/// A call that was noted: its number is a [`CallSite`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NotedCall {
    place: Place,
    func: FnId,
    write: bool,
}

/// The call from outside std within which an access was made, and the objects it was made on.
#[derive(Clone, Debug)]
struct OuterCall {
    noted: NotedCall,
    objects: SmallVec<[u64; 2]>,
}

/// What of a run's calls the detector does not know.
#[derive(Default, Debug)]
pub(crate) struct ApiCalls {
    sites: indexmap::IndexSet<NotedCall, rustc_hash::FxBuildHasher>,
    /// On which objects each thread called at a place.
    objects: FxHashMap<(Place, ThreadId), SmallVec<[u64; 2]>>,
    /// The objects whose contract two threads have violated.
    violated: FxHashSet<(u64, ThreadId, ThreadId)>,
    /// The pairs of calls that were reported.
    reported: FxHashSet<(CallSite, CallSite)>,
}

impl Machine<'_> {
    /// The current instruction calls a method that is in the table of an object's reads and writes. Only the outermost
    /// call counts, made from code outside std.
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
        let site = CallSite(self.api_calls.sites.insert_full(noted).0 as u32);
        let objects = self.api_calls.objects.entry((noted.place, thread)).or_default();
        if !objects.contains(&addr) {
            objects.push(addr);
        }
        let new = ApiCall { epoch: self.order.epoch(thread), write: api.write, site };
        let violated = self.apis.on_call(self.order.clock(thread), addr, api.family, new);
        let (index, offset) = Memory::split(addr);
        self.memory.alloc_mut(index).note_sync(offset);
        if let Some(first) = violated {
            self.report_violation(addr, (first.epoch.thread, first.site), (thread, site));
        }
    }

    /// The place in the nearest code outside std from which a place was reached: drop glue lies between.
    fn outside_std(&self, mut place: Place) -> Place {
        while let Some((_, caller, true)) = self.contexts.frame(place) {
            place = caller;
        }
        place
    }

    /// The address of the object that a method is called on, if it is known and is one.
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

    fn report_violation(&mut self, addr: u64, first: (ThreadId, CallSite), second: (ThreadId, CallSite)) {
        self.api_calls.violated.insert(pair(addr, first.0, second.0));
        if !self.api_calls.reported.insert((first.1.min(second.1), first.1.max(second.1))) {
            return;
        }
        let object = self.object(addr);
        let noted = |CallSite(site)| self.api_calls.sites.get_index(site as usize).copied();
        if let (Some(one), Some(two)) = (noted(first.1), noted(second.1)) {
            let events = [self.call_event(first.0, object, one, false), self.call_event(second.0, object, two, true)];
            self.report_pair(FindingKind::ThreadSafetyViolation, events, addr, one.place);
        }
    }

    fn call_event(&self, thread: ThreadId, object: Object, noted: NotedCall, is_now: bool) -> crate::finding::Event {
        let action = Action::Calls { object, func: noted.func, write: noted.write };
        let mut event = self.event(thread, action, noted.place);
        // What the earlier thread holds now says nothing of its call.
        if !is_now {
            event.held.clear();
        }
        event
    }

    /// Whether a data race is part of a thread-safety violation, which is then reported instead: it lies in two calls on one
    /// object, or in a call that writes an object whose contract these threads have already violated.
    pub(crate) fn is_violation(&mut self, first: (ThreadId, Place), second: (ThreadId, Place)) -> bool {
        if self.api_calls.sites.is_empty() {
            return false;
        }
        let (one, two) = (self.outer_call(first), self.outer_call(second));
        let objects = |call: &Option<OuterCall>| call.as_ref().map_or(SmallVec::new(), |call| call.objects.clone());
        let (ones, twos) = (objects(&one), objects(&two));
        let writes = |call: &Option<OuterCall>| call.as_ref().is_some_and(|call| call.noted.write);
        let is_violated = |addr: &u64| self.api_calls.violated.contains(&pair(*addr, first.0, second.0));
        if (writes(&one) && ones.iter().any(is_violated)) || (writes(&two) && twos.iter().any(is_violated)) {
            return true;
        }
        let (Some(one), Some(two)) = (one, two) else {
            return false;
        };
        let Some(&addr) = ones.iter().find(|addr| twos.contains(addr)) else {
            return false;
        };
        let number = |machine: &mut Self, noted| CallSite(machine.api_calls.sites.insert_full(noted).0 as u32);
        let (one, two) = (number(self, one.noted), number(self, two.noted));
        self.report_violation(addr, (first.0, one), (second.0, two));
        true
    }

    /// The call from outside std within which a thread made an access, if it was noted, and the objects it was made on.
    fn outer_call(&mut self, (thread, place): (ThreadId, Place)) -> Option<OuterCall> {
        let mut callee = None;
        let mut at = place;
        loop {
            let (func, caller, is_std) = self.contexts.frame(at)?;
            if !is_std {
                break;
            }
            if !self.code(func).flags.is_shim {
                callee = Some(func);
            }
            at = caller;
        }
        let func = callee?;
        let write = self.code(func).flags.api?.write;
        let objects = self.api_calls.objects.get(&(at, thread))?.clone();
        Some(OuterCall { noted: NotedCall { place: at, func, write }, objects })
    }
}
