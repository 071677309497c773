//! A tracer of the host's own: it is told of instructions, calls and logs while the transaction runs, and can look at the state.
//! The other side is `src/node/execution/wasm/told.ts`.

use crate::boundary::host;
use crate::codec::put_blob;
use crate::trace::events::{CallEnd, CallStart};
use crate::trace::operations::OPERATIONS;
use crate::trace::price::{Place, Price};
use crate::trace::view::{Live, while_live};
use revm::bytecode::opcode::*;
use revm::interpreter::Interpreter;
use revm::interpreter::interpreter_types::{InputsTr, Jumps};
use revm::primitives::{Log, U256};

/// What the host wants to be told of; `told.ts` has the same bits.
pub const ALL_STEPS: u8 = 1;
/// All but the common instructions, which neither call nor read the state.
pub const RARE_STEPS: u8 = 2;
pub const CALLS: u8 = 4;
/// Of an instruction that failed after it was paid.
pub const FAULTS: u8 = 8;
pub const LOGS: u8 = 16;
/// Nothing while it runs; at the end, whether the code could tell how much gas it had.
pub const GAS: u8 = 32;

/// Kinds of news, by the same rule.
const STEP: u32 = 0;
const FAULT: u32 = 1;
const START: u32 = 2;
const END: u32 = 3;
const LOG: u32 = 4;

/// The gas with which SSTORE refuses to run (EIP-2200).
const STORE_SENTRY: u64 = 2_300;

/// An instruction, as the host reads it from this memory.
#[repr(C)]
#[derive(Clone, Copy)]
struct Record {
    op: u32,
    pc: usize,
    depth: usize,
    height: usize,
    stack: *const U256,
    memory: *const u8,
    memory_length: usize,
    fault: *const u8,
    fault_length: usize,
    /// Not 0: `fault` says why it can't run.
    has_fault: u32,
    gas: u64,
    cost: [u64; 2],
    refund: i64,
    address: [u8; 20],
    caller: [u8; 20],
    value: [u8; 32],
}

pub struct Told {
    wants: u8,
    last: Option<Record>,
    /// The code could tell how much gas it had.
    pub sees_gas: bool,
    /// How much less gas each SSTORE would have taken, apart from its price.
    pub store_slack: u64,
}

impl Told {
    pub fn new(wants: u8) -> Self {
        Self {
            wants,
            last: None,
            sees_gas: false,
            store_slack: u64::MAX,
        }
    }

    pub fn wants(&self, what: u8) -> bool {
        self.wants & what != 0
    }

    pub fn step(
        &mut self,
        (place, price, refund): (&Place<'_>, &Price, i64),
        (interpreter, depth): (&Interpreter, usize),
        live: &mut dyn Live,
    ) {
        if self.wants(GAS) {
            self.watch_gas(place);
        }
        if !self.wants(ALL_STEPS | RARE_STEPS | FAULTS) {
            return;
        }
        let memory = interpreter.memory.context_memory();
        let fault = price.fault.as_deref().unwrap_or_default();
        let record = Record {
            op: place.op.into(),
            pc: interpreter.bytecode.pc(),
            depth,
            height: place.stack.len(),
            stack: place.stack.as_ptr(),
            memory: memory.as_ptr(),
            memory_length: memory.len(),
            fault: fault.as_ptr(),
            fault_length: fault.len(),
            has_fault: price.fault.is_some().into(),
            gas: place.gas,
            cost: [price.cost as u64, (price.cost >> 64) as u64],
            refund,
            address: place.address.into_array(),
            caller: interpreter.input.caller_address().into_array(),
            value: interpreter.input.call_value().to_be_bytes(),
        };
        self.last = Some(record);
        if self.wants(ALL_STEPS | RARE_STEPS) {
            tell_record(STEP, &record, live);
        }
    }

    /// The last instruction failed after it was paid, or reverted. The host sees the stack without its operands.
    pub fn fault(&mut self, (text, is_checked_first): (&str, bool), interpreter: &Interpreter, live: &mut dyn Live) {
        let Some(last) = self.last.take().filter(|_| self.wants(FAULTS)) else {
            return;
        };
        let memory = interpreter.memory.context_memory();
        let pops = OPERATIONS[last.op as usize & 0xff].pops;
        let record = Record {
            height: last.height.saturating_sub(if is_checked_first { 0 } else { pops }),
            memory: memory.as_ptr(),
            memory_length: memory.len(),
            fault: text.as_ptr(),
            fault_length: text.len(),
            has_fault: 1,
            ..last
        };
        tell_record(FAULT, &record, live);
    }

    /// `has_moved`: the call's value is with its receiver.
    pub fn start(&self, start: &CallStart, (is_top, has_moved): (bool, bool), live: &mut dyn Live) {
        if !self.wants(CALLS) {
            return;
        }
        let mut out = vec![start.kind as u8, is_top.into(), has_moved.into()];
        out.extend_from_slice(start.from.as_slice());
        out.extend_from_slice(start.to.as_slice());
        out.push(start.value.is_some().into());
        out.extend_from_slice(&start.value.unwrap_or_default().to_be_bytes::<32>());
        out.extend_from_slice(&start.gas.to_be_bytes());
        put_blob(&mut out, &start.input);
        while_live(live, || host::tell(START, &out));
    }

    pub fn end(&self, end: &CallEnd, is_top: bool, live: &mut dyn Live) {
        if !self.wants(CALLS) {
            return;
        }
        let mut out = vec![is_top.into()];
        out.extend_from_slice(&end.gas_used.to_be_bytes());
        out.push(end.error.is_some().into());
        put_blob(&mut out, end.error.as_deref().unwrap_or_default().as_bytes());
        put_blob(&mut out, &end.output);
        while_live(live, || host::tell(END, &out));
    }

    pub fn log(&self, log: &Log) {
        if !self.wants(LOGS) {
            return;
        }
        let mut out = log.address.to_vec();
        out.push(log.data.topics().len() as u8);
        for topic in log.data.topics() {
            out.extend_from_slice(topic.as_slice());
        }
        put_blob(&mut out, &log.data.data);
        host::tell(LOG, &out);
    }

    /// The sender's balance depends on the price of its gas, and what is handed on to a call on the gas that is left.
    fn watch_gas(&mut self, place: &Place<'_>) {
        match place.op {
            GAS_OPERATION | BALANCE | SELFBALANCE | CALL | CALLCODE | DELEGATECALL | STATICCALL | CREATE | CREATE2
            | SELFDESTRUCT => self.sees_gas = true,
            SSTORE if place.gas > STORE_SENTRY => self.store_slack = self.store_slack.min(place.gas - STORE_SENTRY - 1),
            _ => (),
        }
    }
}

/// The instruction, whose name stands for a flag here.
const GAS_OPERATION: u8 = revm::bytecode::opcode::GAS;

fn tell_record(kind: u32, record: &Record, live: &mut dyn Live) {
    let at: *const Record = record;
    // SAFETY: a record is `size_of` bytes long; its padding isn't read, since the host knows its fields.
    let bytes = unsafe { core::slice::from_raw_parts(at.cast(), size_of::<Record>()) };
    while_live(live, || host::tell(kind, bytes));
}
