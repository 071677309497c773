//! The machine for messages, kept from one to the next: setting up another one takes longer than a small call.

use super::Machine;
use crate::codec::Reader;
use std::cell::Cell;

/// It holds the last message's input.
const MAX_INPUT: usize = 64 << 10;
/// Calls within calls, and bytes of memory, with which it still counts as small.
const MAX_DEPTH: usize = 16;
const MAX_MEMORY: usize = 64 << 10;

thread_local! {
    static KEPT: Cell<Option<Machine>> = const { Cell::new(None) };
}

/// A machine without a tracer. `is_bounded`: see `Machine::set_bounded`.
pub fn taken(is_bounded: bool) -> Machine {
    let mut machine = KEPT.take().unwrap_or_else(|| Machine::new(true));
    machine.set_bounded(is_bounded);
    machine.contracts().read(&mut Reader(&[]));
    machine
}

/// Keeps it for the next message, unless it has grown. `input`: bytes of the last one.
pub fn keep(machine: Machine, input: usize) {
    let (depth, memory) = machine.size();
    if input <= MAX_INPUT && depth <= MAX_DEPTH && memory <= MAX_MEMORY {
        KEPT.set(Some(machine));
    }
}
