//! The instructions that work differently from revm's.

use super::Surrounded;
use crate::arithmetic::wrapping_power;
use crate::bytecode::{is_raw, search};
use revm::context::ContextTr;
use revm::context_interface::CreateScheme;
use revm::context_interface::context::ContextError;
use revm::interpreter::interpreter::{EthInterpreter, ExtBytecode};
use revm::interpreter::interpreter_types::Jumps;
use revm::interpreter::{CreateInputs, Host, InstructionContext, InstructionResult};
use revm::primitives::{Address, Bytes, U256};

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
    if !code.legacy_jump_table().is_some_and(is_raw) {
        return false;
    }
    let at = code.pc();
    *code = ExtBytecode::new(search(code.bytes(), code.len()));
    code.absolute_jump(at);
    code.is_valid_legacy_jump(target)
}

/// EXTCODESIZE, which reads the code itself nowhere: its price isn't that of reading 24 KB.
pub fn code_size(context: InstructionContext<'_, Surrounded, EthInterpreter>) -> Result<(), InstructionResult> {
    let InstructionContext { interpreter, host } = context;
    let ([], top) = interpreter.stack.popn_top::<0>().ok_or(InstructionResult::StackUnderflow)?;
    let address = Address::from_word((*top).into());
    let cold_price = host.gas_params().cold_account_additional_cost();
    let cannot_pay = interpreter.gas.remaining() < cold_price;
    let account = host.load_account_info_skip_cold_load(address, false, cannot_pay)?;
    let (is_cold, hash) = (account.is_cold, account.code_hash);
    let known = account.code.as_ref().map(|code| code.len());
    if is_cold && !interpreter.gas.record_regular_cost(cold_price) {
        return Err(InstructionResult::OutOfGas);
    }
    let size = known.map_or_else(|| host.db_mut().code_size(hash), Ok);
    *top = U256::from(size.map_err(|error| {
        host.error = Err(ContextError::Db(error));
        InstructionResult::FatalExternalError
    })?);
    Ok(())
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
