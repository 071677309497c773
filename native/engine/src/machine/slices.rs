//! Parts of a call, between which the host can end it.

use super::common::run_common;
use super::{STEPS_PER_SLICE, Surrounded};
use crate::error::EngineError;
use crate::trace::{Tracer, Watch};
use revm::bytecode::opcode::BLOCKHASH;
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_types::Jumps;
use revm::interpreter::{FrameInput, GasTable, Host, InstructionResult, InstructionTable, Interpreter, InterpreterAction};

/// In a bounded machine, an instruction counts as one step and as one more for each of these, so that its steps follow its time.
const GAS_PER_STEP: u64 = 16;

/// BLOCKHASH reads several values from the database.
const STEPS_PER_ANCESTOR: u32 = 64;

/// Runs about STEPS_PER_SLICE instructions; returns how many, and why the call pauses or ends.
///
/// A function of its own, and called often: V8 begins with slow code, and does not exchange it under a call that runs.
#[inline(never)]
pub fn run_slice<H: Host + ?Sized>(
    interpreter: &mut Interpreter,
    (instructions, prices): (&InstructionTable<EthInterpreter, H>, &GasTable),
    context: &mut H,
) -> (u32, Option<InstructionResult>) {
    let mut steps = 0;
    while steps < STEPS_PER_SLICE {
        steps += run_common(interpreter, STEPS_PER_SLICE - steps);
        steps += 1;
        if let Err(reason) = interpreter.step(instructions, prices, context) {
            return (steps, Some(reason));
        }
    }
    (steps, None)
}

/// The same for a bounded machine, until `limit`: steps follow the price of what isn't common.
#[inline(never)]
pub fn run_bounded_slice<H: Host + ?Sized>(
    interpreter: &mut Interpreter,
    (instructions, prices): (&InstructionTable<EthInterpreter, H>, &GasTable),
    context: &mut H,
    limit: u32,
) -> (u32, Option<InstructionResult>) {
    let mut steps: u32 = 0;
    while steps < limit {
        steps += run_common(interpreter, limit - steps);
        let op = interpreter.bytecode.opcode();
        let gas = interpreter.gas.remaining();
        let end = interpreter.step(instructions, prices, context).err();
        steps = steps.saturating_add(priced_steps(interpreter, op, gas));
        if end.is_some() {
            return (steps, end);
        }
    }
    (steps, None)
}

/// What the last instruction counts in a bounded machine. `gas`: before it.
fn priced_steps(interpreter: &Interpreter, opcode: u8, gas: u64) -> u32 {
    let price = gas.saturating_sub(interpreter.gas.remaining() + forwarded(interpreter));
    let fixed = if opcode == BLOCKHASH { STEPS_PER_ANCESTOR } else { 1 };
    u32::try_from(price / GAS_PER_STEP).unwrap_or(u32::MAX).saturating_add(fixed)
}

/// Gas for the call that the last instruction begins; it isn't spent yet.
fn forwarded(interpreter: &Interpreter) -> u64 {
    match &interpreter.bytecode.action {
        Some(InterpreterAction::NewFrame(FrameInput::Call(inputs))) => inputs.gas_limit,
        Some(InterpreterAction::NewFrame(FrameInput::Create(inputs))) => inputs.gas_limit(),
        _ => 0,
    }
}

/// What a traced slice may do, in steps; `is_bounded`: they count as in `run_bounded_slice`.
#[derive(Clone, Copy)]
pub struct StepBudget {
    pub steps: u32,
    pub is_bounded: bool,
}

/// The same as `run_slice`, telling the tracer of what it watches.
#[inline(never)]
pub fn run_traced_slice(
    interpreter: &mut Interpreter,
    (instructions, prices): (&InstructionTable<EthInterpreter, Surrounded>, &GasTable),
    context: &mut Surrounded,
    (tracer, depth, budget): (&mut Tracer, usize, StepBudget),
) -> Result<(u32, Option<InstructionResult>), EngineError> {
    let mut steps: u32 = 0;
    while steps < budget.steps {
        if tracer.watch() != Watch::All {
            steps += run_common(interpreter, budget.steps - steps);
        }
        let op = interpreter.bytecode.opcode();
        let gas = interpreter.gas.remaining();
        tracer.before(interpreter, depth, &mut context.journaled_state)?;
        let end = interpreter.step(instructions, prices, context).err();
        steps = steps.saturating_add(if budget.is_bounded {
            priced_steps(interpreter, op, gas)
        } else {
            1
        });
        tracer.after(op, (interpreter, end), &mut context.journaled_state)?;
        if end.is_some() {
            return Ok((steps, end));
        }
    }
    Ok((steps, None))
}
