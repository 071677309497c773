//! Code whose jump destinations are searched only when it jumps, and the instructions that work differently from revm's.

use super::Surrounded;
use crate::arithmetic::wrapping_power;
use core::ptr;
use revm::bytecode::opcode::{JUMPDEST, PUSH1};
use revm::bytecode::{Bytecode, JumpTable};
use revm::context::ContextTr;
use revm::context_interface::CreateScheme;
use revm::context_interface::context::ContextError;
use revm::interpreter::interpreter::{EthInterpreter, ExtBytecode};
use revm::interpreter::interpreter_types::Jumps;
use revm::interpreter::{CreateInputs, Host, InstructionContext, InstructionResult};
use revm::primitives::{Address, Bytes, U256};

/// More than the memory that a block's gas pays for; longer code is searched immediately.
const MAX_RAW_BYTES: usize = 24 << 20;

thread_local! {
    /// Stands for the jump destinations of code that wasn't searched; recognized by address, not by content. Created on first
    /// use: a constant would be in the module's file, zero by zero.
    static NOT_ANALYZED: &'static [u8] = vec![0; MAX_RAW_BYTES / 8].leak();
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

pub fn raw(code: Bytes) -> Bytecode {
    let length = code.len();
    if length > MAX_RAW_BYTES {
        return analyzed(code);
    }
    let table = JumpTable::from_static_slice(NOT_ANALYZED.with(|zeros| *zeros), MAX_RAW_BYTES);
    // SAFETY: behind each byte that can be an instruction lie PADDING bytes, and the last is a STOP.
    unsafe { Bytecode::new_analyzed(padded(code), length, table) }
}

/// Always plain code: these rules know no other kind, whatever its first bytes are.
pub fn analyzed(code: Bytes) -> Bytecode {
    let length = code.len();
    search(padded(code), length)
}

/// `padded`: the code, `length` bytes, with its padding.
fn search(padded: Bytes, length: usize) -> Bytecode {
    let table = JumpTable::from_slice(&destinations(&padded[..length]), length);
    // SAFETY: as above.
    unsafe { Bytecode::new_analyzed(padded, length, table) }
}

const WORD: usize = 8;
const ONES: u64 = u64::from_le_bytes([1; WORD]);
const HIGH_BITS: u64 = ONES << 7;
const JUMPDESTS: u64 = ONES * JUMPDEST as u64;
/// PUSH1 to PUSH32, and only they, begin with these three bits.
const PUSHES: u64 = ONES * PUSH1 as u64;
const PUSH_BITS: u64 = ONES * 0xe0;

/// Behind a PUSH, this many bytes are searched one by one: more of them are likely.
const DENSE_BYTES: usize = 64;

/// One bit per byte, the lowest first: whether it is a jump destination. Eight bytes without a PUSH are searched at once:
/// whoever creates long contracts pays nothing for their length.
fn destinations(code: &[u8]) -> Vec<u8> {
    let mut table = vec![0; code.len().div_ceil(8)];
    let mut at = 0;
    while at < code.len() {
        if let Some(bytes) = code.get(at..at + WORD).and_then(|bytes| bytes.first_chunk()) {
            let word = u64::from_le_bytes(*bytes);
            if zeros((word & PUSH_BITS) ^ PUSHES) == 0 {
                let found = zeros(word ^ JUMPDESTS);
                if found != 0 {
                    mark(&mut table, at, found);
                }
                at += WORD;
                continue;
            }
        }
        let dense = &code[..code.len().min(at + DENSE_BYTES)];
        while let Some(operation) = dense.get(at) {
            let pushed = operation.wrapping_sub(PUSH1);
            if pushed < 32 {
                at += pushed as usize + 2;
                continue;
            }
            if *operation == JUMPDEST {
                table[at / 8] |= 1 << (at % 8);
            }
            at += 1;
        }
    }
    table
}

/// The high bit of each byte that is zero.
fn zeros(word: u64) -> u64 {
    !(((word & !HIGH_BITS) + !HIGH_BITS) | word | !HIGH_BITS)
}

/// Sets the bits of the bytes from `at` on whose high bits are set in `found`.
fn mark(table: &mut [u8], at: usize, found: u64) {
    // One bit per byte, moved together in the highest byte.
    let bits = ((found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (at % 8);
    table[at / 8] |= bits as u8;
    if let Some(next) = table.get_mut(at / 8 + 1) {
        *next |= (bits >> 8) as u8;
    }
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
    let is_raw = |table: &JumpTable| NOT_ANALYZED.with(|zeros| ptr::eq(table.as_slice(), *zeros));
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
