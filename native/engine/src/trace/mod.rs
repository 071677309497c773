//! Tracers: what a transaction does while it runs, as JSON text. Source of the texts: go-ethereum 1.10.

mod calls;
mod events;
mod four_byte;
mod operations;
mod prestate;
mod price;
mod run;
mod stages;
mod structs;
mod text;
mod told;
mod view;

use crate::error::EngineError;
use crate::precompiles::fault_text;
use calls::CallTree;
pub use events::CallStart;
use events::{CallEnd, Kind, REVERTED};
use four_byte::Selectors;
use operations::{is_defined, put_name};
use prestate::Prestate;
use price::{Place, Price, price};
use revm::bytecode::opcode::{CALL, CREATE, CREATE2, LOG0, LOG4, SELFDESTRUCT};
use revm::context::result::ExecutionResult;
use revm::context::{ContextTr, Journal};
use revm::context_interface::CreateScheme;
use revm::database_interface::Database;
use revm::handler::FrameResult;
use revm::interpreter::interpreter_types::{InputsTr, Jumps};
use revm::interpreter::{CallScheme, FrameInput, InstructionResult, Interpreter};
use revm::primitives::{Address, Bytes};
#[cfg(test)]
pub use run::{open_stage, run_message, trace_transaction};
use structs::{Moment, StructLog};
use text::Text;
use told::Told;

enum Output {
    Structs(StructLog),
    Calls(CallTree),
    Selectors(Selectors),
    Prestate(Prestate),
    Told(Told),
    Nothing,
}

/// Which instructions a tracer is told of.
#[derive(PartialEq, Eq)]
pub enum Watch {
    All,
    /// All but the common ones, which neither call nor read the state.
    Rare,
    None,
}

/// A call that runs.
struct Frame {
    /// Without code; prlx runs nothing there.
    is_empty: bool,
    /// Of the calls around it.
    refund_below: i64,
    /// Its own, after its last instruction.
    refund: i64,
}

/// Told of everything in prlx's order. One transaction only.
pub struct Tracer {
    text: Text,
    output: Output,
    frames: Vec<Frame>,
    /// Of the instruction that runs.
    price: Price,
    gas_before: u64,
    /// The instruction that runs would end the contract.
    destruct: Option<CallStart>,
    /// Why the innermost call failed.
    fault: Option<String>,
    /// Why the call that ended last failed; in the end, that is the transaction's own.
    failure: Option<String>,
}

impl Tracer {
    fn new(output: Output, text: Text) -> Self {
        Self {
            text,
            output,
            frames: Vec::new(),
            price: Price::default(),
            gas_before: 0,
            destruct: None,
            fault: None,
            failure: None,
        }
    }

    /// It may hold no more; what comes later is missing, and there is no result.
    pub fn is_full(&self) -> bool {
        match &self.output {
            Output::Calls(tree) => tree.is_full(),
            Output::Selectors(selectors) => selectors.is_full(),
            Output::Prestate(prestate) => prestate.is_full(),
            Output::Structs(_) | Output::Told(_) | Output::Nothing => false,
        }
    }

    pub fn watch(&self) -> Watch {
        if self.frames.last().is_none_or(|frame| frame.is_empty) {
            return Watch::None;
        }
        match &self.output {
            Output::Structs(log) if !log.is_complete() => Watch::All,
            Output::Told(told) if told.wants(told::ALL_STEPS | told::GAS) => Watch::All,
            Output::Calls(_) | Output::Prestate(_) | Output::Told(_) => Watch::Rare,
            _ => Watch::None,
        }
    }

    /// What a call is started with. `caller`: whose code makes it; None for the transaction.
    pub fn start_of<CTX: ContextTr>(&self, input: &FrameInput, caller: Option<Address>, context: &CTX) -> CallStart {
        match input {
            FrameInput::Call(inputs) => {
                let kind = match inputs.scheme {
                    CallScheme::Call => Kind::Call,
                    CallScheme::CallCode => Kind::CallCode,
                    CallScheme::DelegateCall => Kind::DelegateCall,
                    CallScheme::StaticCall => Kind::StaticCall,
                };
                CallStart {
                    kind,
                    from: caller.unwrap_or(inputs.caller),
                    to: inputs.bytecode_address,
                    input: match self.output {
                        Output::Calls(_) | Output::Told(_) => inputs.input.bytes(context),
                        _ => Bytes::new(),
                    },
                    selector: match self.output {
                        Output::Selectors(_) => selector_of(&inputs.input.as_bytes(context)),
                        _ => None,
                    },
                    gas: inputs.gas_limit,
                    value: matches!(kind, Kind::Call | Kind::CallCode).then(|| inputs.value.get()),
                    built_in: None,
                }
            }
            FrameInput::Create(inputs) => CallStart {
                kind: match inputs.scheme() {
                    CreateScheme::Create2 { .. } => Kind::Create2,
                    _ => Kind::Create,
                },
                from: inputs.caller(),
                to: Address::ZERO,
                input: inputs.init_code().clone(),
                selector: selector_of(inputs.init_code()),
                gas: inputs.gas_limit(),
                value: Some(inputs.value()),
                built_in: None,
            },
            FrameInput::Empty => unreachable!("revm starts no such call"),
        }
    }

    /// A call with code of its own begins.
    pub fn begin<DB: Database<Error = EngineError>>(
        &mut self,
        start: CallStart,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let is_empty = matches!(start.kind, Kind::Create | Kind::Create2) && start.input.is_empty();
        let refund_below = self.frames.last().map_or(0, |frame| frame.refund_below + frame.refund);
        let is_top = self.frames.is_empty();
        self.tell_start(start, (is_top, true), journal)?;
        self.frames.push(Frame {
            is_empty,
            refund_below,
            refund: 0,
        });
        Ok(())
    }

    /// The innermost call with code has ended.
    pub fn end<DB: Database<Error = EngineError>>(&mut self, result: &FrameResult, journal: &mut Journal<DB>) {
        self.frames.pop();
        let failure = self.fault.take();
        let error = match result.instruction_result() {
            reason if reason.is_ok() => None,
            InstructionResult::Revert => Some(REVERTED.into()),
            InstructionResult::CreateContractSizeLimit => Some("max code size exceeded".into()),
            _ => Some(failure.unwrap_or_else(|| "contract creation code storage out of gas".into())),
        };
        self.failure.clone_from(&error);
        self.tell_end(result, error, journal);
    }

    /// A call that needed no code, or couldn't start.
    pub fn pass<DB: Database<Error = EngineError>>(
        &mut self,
        start: CallStart,
        result: &FrameResult,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let reason = result.instruction_result();
        let is_refused = matches!(
            reason,
            InstructionResult::CallTooDeep | InstructionResult::OutOfFunds | InstructionResult::OverflowPayment
        );
        self.failure = None;
        if is_refused || matches!(start.kind, Kind::Create | Kind::Create2) {
            let is_collision = reason == InstructionResult::CreateCollision;
            self.failure = is_collision.then(|| "contract address collision".into());
            return Ok(());
        }
        let error = match reason {
            InstructionResult::PrecompileError => {
                Some(fault_text(&start.built_in.unwrap_or(start.to), &start.input, start.gas).into())
            }
            InstructionResult::PrecompileOOG => Some("out of gas".into()),
            _ => None,
        };
        self.failure.clone_from(&error);
        self.tell_start(start, (self.frames.is_empty(), error.is_none()), journal)?;
        self.tell_end(result, error, journal);
        Ok(())
    }

    fn tell_start<DB: Database<Error = EngineError>>(
        &mut self,
        start: CallStart,
        (is_top, has_moved): (bool, bool),
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        match &mut self.output {
            Output::Structs(log) => log.change_call(),
            Output::Calls(tree) => tree.enter(start),
            Output::Selectors(selectors) => selectors.enter(&start, is_top),
            Output::Prestate(prestate) if is_top => prestate.begin(&start, has_moved, journal)?,
            Output::Told(told) => told.start(&start, (is_top, has_moved), journal),
            Output::Prestate(_) | Output::Nothing => (),
        }
        Ok(())
    }

    fn tell_end<DB: Database<Error = EngineError>>(
        &mut self,
        result: &FrameResult,
        error: Option<String>,
        journal: &mut Journal<DB>,
    ) {
        let gas = result.gas();
        let keeps = result.instruction_result().is_ok_or_revert();
        let left = if keeps { gas.remaining() } else { 0 };
        let end = CallEnd {
            output: result.interpreter_result().output.clone(),
            gas_used: gas.limit() - left,
            error,
        };
        match &mut self.output {
            Output::Structs(log) => log.change_call(),
            Output::Calls(tree) => tree.exit(end),
            Output::Told(told) => told.end(&end, self.frames.is_empty(), journal),
            _ => (),
        }
    }

    /// Before an instruction runs.
    pub fn before<DB: Database<Error = EngineError>>(
        &mut self,
        interpreter: &Interpreter,
        depth: usize,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let memory = interpreter.memory.context_memory();
        let place = Place {
            op: interpreter.bytecode.opcode(),
            stack: interpreter.stack.data(),
            gas: interpreter.gas.remaining(),
            memory: memory.len() as u64,
            address: interpreter.input.target_address(),
        };
        self.price = price(&place, journal)?;
        self.gas_before = place.gas;
        match &mut self.output {
            Output::Structs(log) => {
                let below = self.frames.last().map_or(0, |frame| frame.refund_below);
                let moment = Moment {
                    pc: interpreter.bytecode.pc(),
                    depth,
                    memory: &memory,
                    refund: below + interpreter.gas.refunded() + self.price.refund,
                };
                log.step((&place, &self.price, &moment), journal, &mut self.text)?;
            }
            Output::Prestate(prestate) => prestate.step((&place, &memory), self.price.fault.is_some(), journal)?,
            Output::Told(told) => {
                let below = self.frames.last().map_or(0, |frame| frame.refund_below);
                let refund = below + interpreter.gas.refunded() + self.price.refund;
                told.step((&place, &self.price, refund), (interpreter, depth), journal);
            }
            _ => (),
        }
        let shows_destruct = matches!(self.output, Output::Calls(_) | Output::Told(_));
        if shows_destruct && place.op == SELFDESTRUCT && self.price.fault.is_none() {
            self.destruct = Some(destruct_of(&place, journal)?);
        }
        Ok(())
    }

    /// After it ran: `end` says why its call pauses or is over.
    pub fn after<DB: Database<Error = EngineError>>(
        &mut self,
        op: u8,
        (interpreter, end): (&Interpreter, Option<InstructionResult>),
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let gas_left = interpreter.gas.remaining();
        if let Some(frame) = self.frames.last_mut() {
            frame.refund = interpreter.gas.refunded();
        }
        let destruct = self.destruct.take();
        let is_failure = end.is_some_and(|reason| reason.is_halt());
        if end == Some(InstructionResult::FatalExternalError) {
            return Ok(());
        }
        if let (Output::Told(told), Some(reason), None) = (&mut self.output, end, &self.price.fault) {
            let text = match reason {
                InstructionResult::Revert => Some(REVERTED.into()),
                _ if is_failure => fault_of(reason, op),
                _ => None,
            };
            if let Some(text) = text {
                told.fault((&text, is_checked_first(reason, op)), interpreter, journal);
            }
        }
        if is_failure {
            self.fault = self
                .price
                .fault
                .take()
                .or_else(|| end.and_then(|reason| fault_of(reason, op)));
            return if self.fault.is_some() { Ok(()) } else { Err(disagreed(op)) };
        }
        let is_creation = matches!(op, CREATE | CREATE2);
        let is_right = is_creation || gas_left as u128 + self.price.cost == self.gas_before as u128;
        if self.price.fault.is_some() || !is_right {
            return Err(disagreed(op));
        }
        let nothing = CallEnd {
            output: Bytes::new(),
            gas_used: 0,
            error: None,
        };
        match (destruct, &mut self.output) {
            (Some(start), Output::Calls(tree)) => {
                tree.enter(start);
                tree.exit(nothing);
            }
            (Some(start), Output::Told(told)) => {
                told.start(&start, (false, true), journal);
                told.end(&nothing, false, journal);
            }
            (None, Output::Told(told)) if matches!(op, LOG0..=LOG4) => {
                if let Some(log) = journal.inner.logs.last() {
                    told.log(log);
                }
            }
            _ => (),
        }
        Ok(())
    }

    /// Why the transaction's own call failed, in prlx's words.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Whether the code could tell how much gas it had, and how much less its SSTOREs would have taken.
    pub fn gas_seen(&self) -> (bool, u64) {
        match &self.output {
            Output::Told(told) => (told.sees_gas, told.store_slack),
            _ => (true, 0),
        }
    }

    /// The end of the text.
    pub fn finish(mut self, result: &ExecutionResult) -> Vec<u8> {
        match &self.output {
            Output::Structs(_) => StructLog::finish(result, &mut self.text),
            Output::Calls(tree) => tree.finish(&mut self.text),
            Output::Selectors(selectors) => selectors.finish(&mut self.text),
            Output::Prestate(prestate) => prestate.finish(&mut self.text),
            Output::Told(_) => (),
            Output::Nothing => self.text.short(b"{}"),
        }
        self.text.rest()
    }
}

/// None where the data is too short.
fn selector_of(data: &[u8]) -> Option<([u8; 4], usize)> {
    data.split_first_chunk().map(|(selector, rest)| (*selector, rest.len()))
}

fn destruct_of<DB: Database<Error = EngineError>>(
    place: &Place<'_>,
    journal: &mut Journal<DB>,
) -> Result<CallStart, EngineError> {
    Ok(CallStart {
        kind: Kind::SelfDestruct,
        from: place.address,
        to: place.peek_address(0),
        input: Bytes::new(),
        selector: None,
        gas: 0,
        value: Some(view::account(journal, place.address)?.balance),
        built_in: None,
    })
}

/// Both sides count the same rules; where they differ, neither may decide.
fn disagreed(op: u8) -> EngineError {
    EngineError::Disagreed(format!("the price of instruction {op:#x}"))
}

/// prlx looks whether it may change the state before it takes the operands; a call takes them first.
fn is_checked_first(reason: InstructionResult, op: u8) -> bool {
    let is_static = matches!(
        reason,
        InstructionResult::StateChangeDuringStaticCall | InstructionResult::CallNotAllowedInsideStatic
    );
    is_static && op != CALL
}

/// The error of an instruction that was paid and failed; None if it can't have one. revm charges for instructions of later rules
/// before it refuses them.
fn fault_of(reason: InstructionResult, op: u8) -> Option<String> {
    if !is_defined(op) {
        let mut text = b"invalid opcode: ".to_vec();
        put_name(&mut text, op);
        return Some(String::from_utf8_lossy(&text).into_owned());
    }
    let text = match reason {
        InstructionResult::StateChangeDuringStaticCall | InstructionResult::CallNotAllowedInsideStatic => "write protection",
        InstructionResult::InvalidJump => "invalid jump destination",
        InstructionResult::OutOfOffset => "return data out of bounds",
        _ => return None,
    };
    Some(text.into())
}
