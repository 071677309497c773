//! Tracers: what a transaction does while it runs, as JSON text. Every text equals that of `src/node/query/tracers`.

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
mod view;

use crate::error::EngineError;
use crate::precompiles::fault_text;
use calls::CallTree;
pub use events::CallStart;
use events::{CallEnd, Kind, REVERTED};
use four_byte::Selectors;
use operations::put_name;
use prestate::Prestate;
use price::{Place, Price, price};
use revm::bytecode::opcode::{CREATE, CREATE2, SELFDESTRUCT};
use revm::context::result::ExecutionResult;
use revm::context::{ContextTr, Journal};
use revm::context_interface::CreateScheme;
use revm::database_interface::Database;
use revm::handler::FrameResult;
use revm::interpreter::interpreter_types::{InputsTr, Jumps};
use revm::interpreter::{CallScheme, FrameInput, InstructionResult, Interpreter};
use revm::primitives::{Address, Bytes};
#[cfg(test)]
pub use run::{open_stage, trace_transaction};
use structs::{Moment, StructLog};
use text::Text;

enum Output {
    Structs(StructLog),
    Calls(CallTree),
    Selectors(Selectors),
    Prestate(Prestate),
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
    /// Without code; the reference runs nothing there.
    is_empty: bool,
    /// Of the calls around it.
    refund_below: i64,
    /// Its own, after its last instruction.
    refund: i64,
}

/// Told of everything in the reference's order. One transaction only.
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
        }
    }

    /// It may hold no more; what comes later is missing, and there is no result.
    pub fn is_full(&self) -> bool {
        match &self.output {
            Output::Calls(tree) => tree.is_full(),
            Output::Selectors(selectors) => selectors.is_full(),
            Output::Prestate(prestate) => prestate.is_full(),
            Output::Structs(_) | Output::Nothing => false,
        }
    }

    pub fn watch(&self) -> Watch {
        if self.frames.last().is_none_or(|frame| frame.is_empty) {
            return Watch::None;
        }
        match &self.output {
            Output::Structs(log) if !log.is_complete() => Watch::All,
            Output::Calls(_) | Output::Prestate(_) => Watch::Rare,
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
                        Output::Calls(_) => inputs.input.bytes(context),
                        _ => Bytes::new(),
                    },
                    selector: match self.output {
                        Output::Selectors(_) => selector_of(&inputs.input.as_bytes(context)),
                        _ => None,
                    },
                    gas: inputs.gas_limit,
                    value: matches!(kind, Kind::Call | Kind::CallCode).then(|| inputs.value.get()),
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
    pub fn end(&mut self, result: &FrameResult) {
        self.frames.pop();
        let failure = self.fault.take();
        let error = match result.instruction_result() {
            reason if reason.is_ok() => None,
            InstructionResult::Revert => Some(REVERTED.into()),
            InstructionResult::CreateContractSizeLimit => Some("max code size exceeded".into()),
            _ => Some(failure.unwrap_or_else(|| "contract creation code storage out of gas".into())),
        };
        self.tell_end(result, error);
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
        if is_refused || matches!(start.kind, Kind::Create | Kind::Create2) {
            return Ok(());
        }
        let error = match reason {
            InstructionResult::PrecompileError => Some(fault_text(&start.to, &start.input, start.gas).into()),
            InstructionResult::PrecompileOOG => Some("out of gas".into()),
            _ => None,
        };
        self.tell_start(start, (self.frames.is_empty(), error.is_none()), journal)?;
        self.tell_end(result, error);
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
            Output::Prestate(_) | Output::Nothing => (),
        }
        Ok(())
    }

    fn tell_end(&mut self, result: &FrameResult, error: Option<String>) {
        match &mut self.output {
            Output::Structs(log) => log.change_call(),
            Output::Calls(tree) => {
                let gas = result.gas();
                let keeps = result.instruction_result().is_ok_or_revert();
                let left = if keeps { gas.remaining() } else { 0 };
                tree.exit(CallEnd {
                    output: result.interpreter_result().output.clone(),
                    gas_used: gas.limit() - left,
                    error,
                });
            }
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
            Output::Calls(_) if place.op == SELFDESTRUCT && self.price.fault.is_none() => {
                self.destruct = Some(destruct_of(&place, journal)?);
            }
            _ => (),
        }
        Ok(())
    }

    /// After it ran: `end` says why its call pauses or is over.
    pub fn after(&mut self, op: u8, interpreter: &Interpreter, end: Option<InstructionResult>) -> Result<(), EngineError> {
        let gas_left = interpreter.gas.remaining();
        if let Some(frame) = self.frames.last_mut() {
            frame.refund = interpreter.gas.refunded();
        }
        let destruct = self.destruct.take();
        let is_failure = end.is_some_and(|reason| reason.is_halt());
        if end == Some(InstructionResult::FatalExternalError) {
            return Ok(());
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
        if let (Some(start), Output::Calls(tree)) = (destruct, &mut self.output) {
            tree.enter(start);
            tree.exit(CallEnd {
                output: Bytes::new(),
                gas_used: 0,
                error: None,
            });
        }
        Ok(())
    }

    /// The end of the text.
    pub fn finish(mut self, result: &ExecutionResult) -> Vec<u8> {
        match &self.output {
            Output::Structs(_) => StructLog::finish(result, &mut self.text),
            Output::Calls(tree) => tree.finish(&mut self.text),
            Output::Selectors(selectors) => selectors.finish(&mut self.text),
            Output::Prestate(prestate) => prestate.finish(&mut self.text),
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
    })
}

/// Both sides count the same rules; where they differ, neither may decide.
fn disagreed(op: u8) -> EngineError {
    EngineError::Disagreed(format!("the price of instruction {op:#x}"))
}

/// The error of an instruction that was paid and failed; None if it can't have one.
fn fault_of(reason: InstructionResult, op: u8) -> Option<String> {
    Some(match reason {
        InstructionResult::StateChangeDuringStaticCall | InstructionResult::CallNotAllowedInsideStatic => {
            "write protection".into()
        }
        InstructionResult::InvalidJump => "invalid jump destination".into(),
        InstructionResult::OutOfOffset => "return data out of bounds".into(),
        InstructionResult::OpcodeNotFound | InstructionResult::InvalidFEOpcode | InstructionResult::NotActivated => {
            let mut text = b"invalid opcode: ".to_vec();
            put_name(&mut text, op);
            String::from_utf8_lossy(&text).into_owned()
        }
        _ => return None,
    })
}
