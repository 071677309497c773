//! Code whose jump destinations are searched only when it jumps, and the instructions that work differently from revm's.

use crate::arithmetic::wrapping_power;
use core::ptr;
use revm::bytecode::{Bytecode, JumpTable};
use revm::context_interface::CreateScheme;
use revm::interpreter::interpreter::{EthInterpreter, ExtBytecode};
use revm::interpreter::interpreter_types::Jumps;
use revm::interpreter::{CreateInputs, Host, InstructionContext, InstructionResult};
use revm::primitives::{Bytes, U256};

/// More than the memory that a block's gas pays for; longer code is searched immediately.
const MAX_UNSEARCHED_BYTES: usize = 24 << 20;

thread_local! {
    /// Stands for the jump destinations of code that wasn't searched; recognized by address, not by content. Created on first
    /// use: a constant would be in the module's file, zero by zero.
    static NOT_SEARCHED: &'static [u8] = vec![0; MAX_UNSEARCHED_BYTES / 8].leak();
}

/// Zeros after the code: what the longest PUSH in its last byte would read, and a STOP.
const PADDING: usize = 33;

/// Takes the init code out before revm searches it; the address, which may depend on it, stays the same.
pub fn taken_code(inputs: &mut CreateInputs) -> Bytes {
    if let CreateScheme::Create2 { .. } = inputs.scheme() {
        // The nonce doesn't matter here.
        let address = inputs.created_address(0);
        inputs.set_scheme(CreateScheme::Custom { address });
    }
    let code = inputs.init_code().clone();
    inputs.set_init_code(Bytes::new());
    code
}

pub fn unsearched(code: Bytes) -> Bytecode {
    let length = code.len();
    if length > MAX_UNSEARCHED_BYTES {
        return Bytecode::new_legacy(code);
    }
    let table = JumpTable::from_static_slice(NOT_SEARCHED.with(|zeros| *zeros), MAX_UNSEARCHED_BYTES);
    // SAFETY: behind each byte that can be an instruction lie PADDING bytes, and the last is a STOP.
    unsafe { Bytecode::new_analyzed(padded(code), length, table) }
}

fn padded(code: Bytes) -> Bytes {
    let is_padded = code.len() >= PADDING && code[code.len() - PADDING..].iter().all(|byte| *byte == 0);
    if is_padded {
        return code;
    }
    let mut longer = Vec::with_capacity(code.len() + PADDING);
    longer.extend_from_slice(&code);
    longer.resize(code.len() + PADDING, 0);
    longer.into()
}

pub fn jump<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let [target] = context.interpreter.stack.popn().ok_or(InstructionResult::StackUnderflow)?;
    jump_to(&mut context.interpreter.bytecode, target)
}

pub fn jump_if<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let [target, condition] = context.interpreter.stack.popn().ok_or(InstructionResult::StackUnderflow)?;
    if condition.is_zero() {
        return Ok(());
    }
    jump_to(&mut context.interpreter.bytecode, target)
}

#[inline(always)]
fn jump_to(code: &mut ExtBytecode, target: U256) -> Result<(), InstructionResult> {
    let target = usize::try_from(target).unwrap_or(usize::MAX);
    if !code.is_valid_legacy_jump(target) && !is_found(code, target) {
        return Err(InstructionResult::InvalidJump);
    }
    code.absolute_jump(target);
    Ok(())
}

/// Searches code that hasn't been searched. False if it has been: then the destination is bad.
#[cold]
fn is_found(code: &mut ExtBytecode, target: usize) -> bool {
    let is_unsearched = |table: &JumpTable| NOT_SEARCHED.with(|zeros| ptr::eq(table.as_slice(), *zeros));
    if !code.legacy_jump_table().is_some_and(is_unsearched) {
        return false;
    }
    let at = code.pc();
    *code = ExtBytecode::new(Bytecode::new_legacy(code.original_bytes()));
    code.absolute_jump(at);
    code.is_valid_legacy_jump(target)
}

pub fn exp<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let stack = &mut context.interpreter.stack;
    let ([base], exponent) = stack.popn_top::<1>().ok_or(InstructionResult::StackUnderflow)?;
    if !context
        .interpreter
        .gas
        .record_regular_cost(context.host.gas_params().exp_cost(*exponent))
    {
        return Err(InstructionResult::OutOfGas);
    }
    *exponent = wrapping_power(base, *exponent);
    Ok(())
}
