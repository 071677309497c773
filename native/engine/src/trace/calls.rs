//! The call tree. Source: go-ethereum 1.10 prl/tracers/native/call.go (which members appear when)

use crate::trace::events::{CallEnd, CallStart, Kind, MAX_HELD_BYTES, REVERTED};
use crate::trace::text::Text;
use revm::primitives::{Bytes, U256};

/// What a call holds besides its bytes.
const ENTRY_BYTES: usize = 600;

struct Call {
    start: CallStart,
    end: Option<CallEnd>,
    calls: Vec<Call>,
}

/// Holds all calls until the end: a call's own result stands before those it made.
#[derive(Default)]
pub struct CallTree {
    /// From the transaction's own call to the innermost.
    open: Vec<Call>,
    top: Option<Call>,
    held: usize,
}

impl CallTree {
    /// Its memory limit was reached: what comes later is missing.
    pub fn is_full(&self) -> bool {
        self.held > MAX_HELD_BYTES
    }

    pub fn enter(&mut self, start: CallStart) {
        if self.is_full() {
            return;
        }
        self.held += ENTRY_BYTES + start.input.len();
        self.open.push(Call {
            start,
            end: None,
            calls: Vec::new(),
        });
    }

    pub fn exit(&mut self, end: CallEnd) {
        if self.is_full() {
            return;
        }
        let Some(mut call) = self.open.pop() else {
            return;
        };
        match self.open.last_mut() {
            None => {
                call.end = Some(end);
                self.top = Some(call);
            }
            Some(parent) => {
                let keeps = end.error.is_none();
                self.held += if keeps { end.output.len() } else { 0 };
                let output = if keeps { end.output } else { Bytes::new() };
                call.end = Some(CallEnd { output, ..end });
                parent.calls.push(call);
            }
        }
    }

    pub fn finish(&self, text: &mut Text) {
        match &self.top {
            // Nothing was called: the address of the contract was taken.
            None => text.short(br#"{"type":"","from":"","gas":"","gasUsed":"","input":""}"#),
            Some(call) => put_call(call, true, text),
        }
    }
}

fn put_call(Call { start, end, calls }: &Call, is_top: bool, text: &mut Text) {
    let error = end.as_ref().and_then(|end| end.error.as_deref());
    let is_creation = matches!(start.kind, Kind::Create | Kind::Create2);
    text.short(br#"{"type":"#);
    text.quoted(start.kind.name());
    text.short(br#","from":""#);
    text.address(&start.from);
    if is_top || error.is_none() || !is_creation {
        text.short(br#"","to":""#);
        text.address(&start.to);
    }
    if let Some(value) = start.value {
        text.short(br#"","value":""#);
        text.quantity(value);
    }
    text.short(br#"","gas":""#);
    text.quantity(U256::from(start.gas));
    text.short(br#"","gasUsed":""#);
    text.quantity(U256::from(end.as_ref().map_or(0, |end| end.gas_used)));
    text.short(br#"","input":""#);
    text.data(&start.input);
    text.put(b"\"");
    put_list(calls, text);
    if let Some(end) = end {
        put_end(end, is_top, text);
    }
    text.put(b"}");
}

fn put_list(calls: &[Call], text: &mut Text) {
    if calls.is_empty() {
        return;
    }
    text.short(br#","calls":["#);
    for (index, call) in calls.iter().enumerate() {
        if index > 0 {
            text.short(b",");
        }
        put_call(call, false, text);
    }
    text.short(b"]");
}

fn put_end(CallEnd { output, error, .. }: &CallEnd, is_top: bool, text: &mut Text) {
    if let Some(error) = error {
        text.short(br#","error":"#);
        text.quoted(error);
    }
    let is_revert = is_top && error.as_deref() == Some(REVERTED) && !output.is_empty();
    if error.is_none() || is_revert {
        text.short(br#","output":""#);
        text.data(output);
        text.short(b"\"");
    }
}
