//! The default trace: one entry per instruction, written while the transaction runs.

use crate::error::EngineError;
use crate::trace::operations::{MAX_HEIGHT, OPERATIONS, put_name};
use crate::trace::price::{Place, Price};
use crate::trace::text::{Text, WORD_DIGITS, write_word};
use crate::trace::view;
use revm::bytecode::opcode::{SLOAD, SSTORE};
use revm::context::Journal;
use revm::context::result::ExecutionResult;
use revm::database_interface::Database;
use revm::primitives::{Address, HashMap, U256};

/// A word in quotes, with a comma behind it.
const STACK_ITEM: usize = WORD_DIGITS + 3;
/// The same for a slot: key and value in quotes, a colon between them.
const SLOT_ITEM: usize = 2 * WORD_DIGITS + 6;
const WORD_BYTES: usize = 32;

/// Members of an entry, and how many entries.
#[derive(Clone, Copy)]
pub struct StructOptions {
    pub memory: bool,
    pub stack: bool,
    pub storage: bool,
    /// 0 = all
    pub limit: u64,
}

/// What an entry says besides its place and price.
pub struct Moment<'a> {
    pub pc: usize,
    /// 1 = called by the transaction
    pub depth: usize,
    /// Of the running call.
    pub memory: &'a [u8],
    /// With what this instruction adds.
    pub refund: i64,
}

pub struct StructLog {
    options: StructOptions,
    entries: u64,
    stack: StackText,
    /// Slots accessed so far, by contract.
    storage: HashMap<Address, SlotTexts>,
}

impl StructLog {
    pub fn new(options: StructOptions, text: &mut Text) -> Self {
        text.short(b"{\"structLogs\":[");
        Self {
            options,
            entries: 0,
            stack: StackText::new(),
            storage: HashMap::default(),
        }
    }

    /// Another call runs now.
    pub fn change_call(&mut self) {
        self.stack.forget();
    }

    /// Entries that are still to come will be dropped.
    pub fn is_complete(&self) -> bool {
        self.options.limit != 0 && self.entries >= self.options.limit
    }

    pub fn step<DB: Database<Error = EngineError>>(
        &mut self,
        (place, price, moment): (&Place<'_>, &Price, &Moment<'_>),
        journal: &mut Journal<DB>,
        text: &mut Text,
    ) -> Result<(), EngineError> {
        if self.is_complete() {
            return Ok(());
        }
        text.short(if self.entries == 0 { b"{\"pc\":" } else { b",{\"pc\":" });
        self.entries += 1;
        text.number(moment.pc as u128);
        text.short(b",\"op\":\"");
        text.named(|out| put_name(out, place.op));
        text.short(b"\",\"gas\":");
        text.number(place.gas as u128);
        text.short(b",\"gasCost\":");
        text.number(price.cost);
        text.short(b",\"depth\":");
        text.number(moment.depth as u128);
        text.short(b",\"error\":");
        match &price.fault {
            None => text.short(b"null"),
            Some(fault) => text.quoted(fault),
        }
        if self.options.stack {
            self.stack.put(place, text);
        }
        if self.options.memory {
            put_memory(moment.memory, text);
        }
        if self.options.storage && matches!(place.op, SLOAD | SSTORE) {
            self.put_storage(place, journal, text)?;
        }
        if moment.refund != 0 {
            text.short(b",\"refund\":");
            text.number(moment.refund.max(0) as u128);
        }
        text.put(b"}");
        Ok(())
    }

    pub fn finish(result: &ExecutionResult, text: &mut Text) {
        text.short(b"],\"gas\":");
        text.number(result.tx_gas_used() as u128);
        text.short(b",\"failed\":");
        text.short(if result.is_success() { b"false" } else { b"true" });
        text.short(b",\"returnValue\":\"");
        text.digits(result.output().map_or(&[][..], |bytes| bytes));
        text.short(b"\"}");
    }

    fn put_storage<DB: Database<Error = EngineError>>(
        &mut self,
        place: &Place<'_>,
        journal: &mut Journal<DB>,
        text: &mut Text,
    ) -> Result<(), EngineError> {
        if place.stack.len() < OPERATIONS[place.op as usize].pops {
            return Ok(());
        }
        let key = place.peek(0);
        let value = match place.op {
            SLOAD => view::slot(journal, place.address, key)?.present,
            _ => place.peek(1),
        };
        let slots = self.storage.entry(place.address).or_default();
        slots.set(key, value);
        text.short(b",\"storage\":{");
        text.put(slots.listed());
        text.short(b"}");
        Ok(())
    }
}

/// The stack's words as text: from one instruction to the next, few of them change.
struct StackText {
    items: Vec<u8>,
    /// Words from the bottom whose text is right.
    known: usize,
}

impl StackText {
    fn new() -> Self {
        Self {
            items: vec![b'"'; MAX_HEIGHT * STACK_ITEM],
            known: 0,
        }
    }

    fn forget(&mut self) {
        self.known = 0;
    }

    fn put(&mut self, place: &Place<'_>, text: &mut Text) {
        let height = place.stack.len();
        for index in self.known.min(height)..height {
            let item = &mut self.items[index * STACK_ITEM..(index + 1) * STACK_ITEM];
            put_word(&mut item[1..], &place.stack[index]);
            item[STACK_ITEM - 1] = b',';
        }
        self.known = height.saturating_sub(OPERATIONS[place.op as usize].changes);
        text.short(b",\"stack\":[");
        text.put(without_comma(&self.items[..height * STACK_ITEM]));
        text.short(b"]");
    }
}

/// A contract's slots as text, in the order of their first access.
#[derive(Default)]
struct SlotTexts {
    items: Vec<u8>,
    places: HashMap<U256, usize>,
}

impl SlotTexts {
    fn set(&mut self, key: U256, value: U256) {
        let end = self.items.len();
        let at = *self.places.entry(key).or_insert(end);
        if at == end {
            self.items.resize(end + SLOT_ITEM, b'"');
            let item = &mut self.items[at..];
            put_word(&mut item[1..], &key);
            item[WORD_DIGITS + 2] = b':';
            item[SLOT_ITEM - 1] = b',';
        }
        put_word(&mut self.items[at + WORD_DIGITS + 4..], &value);
    }

    fn listed(&self) -> &[u8] {
        without_comma(&self.items)
    }
}

fn without_comma(items: &[u8]) -> &[u8] {
    &items[..items.len().saturating_sub(1)]
}

/// Writes the word's digits to the front of `out`.
fn put_word(out: &mut [u8], word: &U256) {
    if let Some(place) = out.first_chunk_mut::<WORD_DIGITS>() {
        write_word(place, word);
    }
}

fn put_memory(memory: &[u8], text: &mut Text) {
    text.short(b",\"memory\":[");
    for (index, word) in memory.chunks(WORD_BYTES).enumerate() {
        text.short(if index == 0 { b"\"" } else { b",\"" });
        text.digits(word);
        text.short(b"\"");
    }
    text.short(b"]");
}
