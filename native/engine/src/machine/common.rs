//! The most common instructions, in one function that keeps program counter, gas and stack height in locals. revm loads and
//! stores all of them for every instruction. Only what succeeds runs here: a failing instruction, or any other one, is left
//! to revm, which also decides the error.

use super::words::{WORD_BYTES, add_small, branch, is_less_signed, limb, offset, place_within, pushed, shift, subtract_small};
use revm::bytecode::opcode::*;
use revm::interpreter::Interpreter;
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_types::Jumps;
use revm::primitives::U256;

const MAX_HEIGHT: usize = 1024;

/// Berlin's gas costs.
const JUMPDEST_GAS: u64 = 1;
const BASE: u64 = 2;
const VERY_LOW: u64 = 3;
const LOW: u64 = 5;
const MID: u64 = 8;
const HIGH: u64 = 10;

/// What counts as one step: the price of most instructions here. Gas bounds the work, so that nothing else has to be counted.
const GAS_PER_STEP: u64 = 3;

/// Runs up to `limit` steps and returns how many. It stops before the first instruction that must run elsewhere.
#[inline(never)]
pub fn run_common(interpreter: &mut Interpreter<EthInterpreter>, limit: u32) -> u32 {
    let Interpreter {
        bytecode,
        gas: gas_meter,
        stack,
        memory,
        ..
    } = interpreter;
    let Some(jumps) = bytecode.legacy_jump_table() else {
        return 0;
    };
    let code = bytecode.bytes_ref().as_ptr();
    let words = stack.data_mut();
    let floor = words.as_mut_ptr();
    // What is beyond the limit stays out of reach: running out of `gas` here means that an instruction is left to revm.
    let budget = gas_meter.remaining().min(limit as u64 * GAS_PER_STEP);
    let reserve = gas_meter.remaining() - budget;
    let mut gas = budget;
    let mut at = bytecode.pc();
    let mut height = words.len();

    // SAFETY: `floor` has room for MAX_HEIGHT words, and every access is below `height` or checked against it. `at` stays within
    // the code: its padding ends with a STOP, which isn't executed here, and a PUSH is padded up to the instruction behind it.
    // What is read ahead begins behind an instruction that isn't STOP.
    unsafe {
        'run: loop {
            let mut is_true = 'truth: {
                // Needs `$pops` words and pays.
                macro_rules! start {
                    ($pops:expr, $price:expr) => {
                        if height < $pops || gas < $price {
                            break 'run;
                        }
                        gas -= $price;
                        at += 1;
                    };
                }
                macro_rules! room {
                    ($price:expr) => {
                        if height >= MAX_HEIGHT || gas < $price {
                            break 'run;
                        }
                        gas -= $price;
                        at += 1;
                    };
                }
                macro_rules! push {
                    ($value:expr) => {{
                        floor.add(height).write($value);
                        height += 1;
                        continue 'run;
                    }};
                }
                macro_rules! binary {
                    ($price:expr, $operation:expr) => {{
                        start!(2, $price);
                        height -= 1;
                        let top = floor.add(height - 1);
                        *top = $operation(*floor.add(height), *top);
                        continue 'run;
                    }};
                }
                // The result is a truth value, for `decide` below.
                macro_rules! compare {
                    ($operation:expr) => {{
                        start!(2, VERY_LOW);
                        height -= 1;
                        break 'truth $operation(&*floor.add(height), &*floor.add(height - 1));
                    }};
                }
                // Divides numbers of one limb; longer ones are left to revm.
                macro_rules! short_division {
                    ($operation:expr) => {{
                        if height < 2 || gas < LOW {
                            break 'run;
                        }
                        let (one, other) = (limb(&*floor.add(height - 1)), limb(&*floor.add(height - 2)));
                        let (Some(one), Some(other)) = (one, other) else {
                            break 'run;
                        };
                        gas -= LOW;
                        at += 1;
                        height -= 1;
                        *floor.add(height - 1) = U256::from(if other == 0 { 0 } else { $operation(one, other) });
                        continue 'run;
                    }};
                }
                // Goes to a valid destination, and executes its JUMPDEST too.
                macro_rules! land {
                    ($target:expr) => {{
                        at = $target;
                        if gas >= JUMPDEST_GAS {
                            gas -= JUMPDEST_GAS;
                            at += 1;
                        }
                        continue 'run;
                    }};
                }
                // The constant and the instruction behind it, which works on the word below: the constant never reaches the stack.
                macro_rules! with_constant {
                    ($behind:expr, $operation:expr) => {{
                        gas -= 2 * VERY_LOW;
                        at = $behind;
                        $operation(&mut *floor.add(height - 1));
                        continue 'run;
                    }};
                }
                macro_rules! compare_constant {
                    ($behind:expr, $is_true:expr) => {{
                        gas -= 2 * VERY_LOW;
                        at = $behind;
                        break 'truth $is_true(limb(&*floor.add(height - 1)));
                    }};
                }
                // Pushes a number of one or two bytes.
                macro_rules! push_small {
                    ($bytes:expr, $value:expr) => {{
                        let value: usize = $value;
                        let small = value as u64;
                        let next = at + 1 + $bytes;
                        // Each pair below needs one word and room for another; a jump is the dearest.
                        if (1..MAX_HEIGHT).contains(&height) && gas >= VERY_LOW + HIGH {
                            match *code.add(next) {
                                JUMPI => {
                                    let is_zero = (*floor.add(height - 1)).is_zero();
                                    if is_zero || jumps.is_valid(value) {
                                        gas -= VERY_LOW + HIGH;
                                        height -= 1;
                                        if !is_zero {
                                            land!(value);
                                        }
                                        at = next + 1;
                                        continue 'run;
                                    }
                                }
                                JUMP if jumps.is_valid(value) => {
                                    gas -= VERY_LOW + MID;
                                    land!(value);
                                }
                                ADD => with_constant!(next + 1, |top: &mut U256| add_small(top, small)),
                                SWAP1 if *code.add(next + 1) == SUB => {
                                    gas -= VERY_LOW;
                                    with_constant!(next + 2, |top: &mut U256| subtract_small(top, small));
                                }
                                AND => with_constant!(next + 1, |top: &mut U256| *top =
                                    U256::from(top.as_limbs()[0] & small)),
                                SHL => with_constant!(next + 1, |top: &mut U256| *top <<= value),
                                SHR => with_constant!(next + 1, |top: &mut U256| *top >>= value),
                                LT => compare_constant!(next + 1, |top: Option<u64>| top.is_none_or(|top| small < top)),
                                GT => compare_constant!(next + 1, |top: Option<u64>| top.is_some_and(|top| small > top)),
                                EQ => compare_constant!(next + 1, |top: Option<u64>| top == Some(small)),
                                _ => (),
                            }
                        }
                        room!(VERY_LOW);
                        at += $bytes;
                        push!(U256::from(value));
                    }};
                }

                match *code.add(at) {
                    ADD => binary!(VERY_LOW, |a: U256, b| a.wrapping_add(b)),
                    MUL => binary!(LOW, |a: U256, b| a.wrapping_mul(b)),
                    SUB => binary!(VERY_LOW, |a: U256, b| a.wrapping_sub(b)),
                    DIV => short_division!(|a: u64, b: u64| a / b),
                    MOD => short_division!(|a: u64, b: u64| a % b),
                    LT => compare!(|a: &U256, b: &U256| a < b),
                    GT => compare!(|a: &U256, b: &U256| a > b),
                    SLT => compare!(is_less_signed),
                    SGT => compare!(|a, b| is_less_signed(b, a)),
                    EQ => compare!(|a: &U256, b: &U256| a == b),
                    ISZERO => {
                        start!(1, VERY_LOW);
                        break 'truth (*floor.add(height - 1)).is_zero();
                    }
                    AND => binary!(VERY_LOW, |a: U256, b| a & b),
                    OR => binary!(VERY_LOW, |a: U256, b| a | b),
                    XOR => binary!(VERY_LOW, |a: U256, b| a ^ b),
                    NOT => {
                        start!(1, VERY_LOW);
                        let top = floor.add(height - 1);
                        *top = !*top;
                        continue 'run;
                    }
                    SHL => binary!(VERY_LOW, |by, value| shift(by).map_or(U256::ZERO, |by| value << by)),
                    SHR => binary!(VERY_LOW, |by, value| shift(by).map_or(U256::ZERO, |by| value >> by)),
                    POP => {
                        start!(1, BASE);
                        height -= 1;
                        continue 'run;
                    }
                    MLOAD => {
                        if height < 1 || gas < VERY_LOW {
                            break 'run;
                        }
                        let top = floor.add(height - 1);
                        let Some(place) = place_within(&*top, memory.len()) else {
                            break 'run;
                        };
                        gas -= VERY_LOW;
                        at += 1;
                        *top = U256::from_be_slice(&memory.slice_len(place, WORD_BYTES));
                        continue 'run;
                    }
                    MSTORE => {
                        if height < 2 || gas < VERY_LOW {
                            break 'run;
                        }
                        let Some(place) = place_within(&*floor.add(height - 1), memory.len()) else {
                            break 'run;
                        };
                        gas -= VERY_LOW;
                        at += 1;
                        height -= 2;
                        memory.set(place, &(*floor.add(height)).to_be_bytes::<WORD_BYTES>());
                        continue 'run;
                    }
                    JUMP => {
                        if height < 1 || gas < MID {
                            break 'run;
                        }
                        let target = offset(&*floor.add(height - 1));
                        if !jumps.is_valid(target) {
                            break 'run;
                        }
                        gas -= MID;
                        height -= 1;
                        land!(target);
                    }
                    JUMPI => {
                        if height < 2 || gas < HIGH {
                            break 'run;
                        }
                        let is_zero = (*floor.add(height - 2)).is_zero();
                        let target = offset(&*floor.add(height - 1));
                        if !is_zero && !jumps.is_valid(target) {
                            break 'run;
                        }
                        gas -= HIGH;
                        height -= 2;
                        if !is_zero {
                            land!(target);
                        }
                        at += 1;
                        continue 'run;
                    }
                    PC => {
                        room!(BASE);
                        push!(U256::from(at - 1));
                    }
                    GAS => {
                        room!(BASE);
                        push!(U256::from(reserve + gas));
                    }
                    JUMPDEST => {
                        if gas < JUMPDEST_GAS {
                            break 'run;
                        }
                        gas -= JUMPDEST_GAS;
                        at += 1;
                        continue 'run;
                    }
                    PUSH1 => push_small!(1, *code.add(at + 1) as usize),
                    PUSH2 => push_small!(2, ((*code.add(at + 1) as usize) << 8) | *code.add(at + 2) as usize),
                    op @ PUSH3..=PUSH32 => {
                        let length = (op - PUSH1) as usize + 1;
                        room!(VERY_LOW);
                        let value = pushed(code.add(at), length);
                        at += length;
                        push!(value);
                    }
                    DUP1 if height >= 1 && height + 1 < MAX_HEIGHT && gas >= 2 * VERY_LOW + HIGH => {
                        let is_zero = (*floor.add(height - 1)).is_zero();
                        if *code.add(at + 1) == ISZERO {
                            gas -= 2 * VERY_LOW;
                            height += 1;
                            at += 2;
                            break 'truth is_zero;
                        }
                        let (target, behind) = branch(code, at + 1);
                        if behind != 0 && (is_zero || jumps.is_valid(target)) {
                            gas -= 2 * VERY_LOW + HIGH;
                            if !is_zero {
                                land!(target);
                            }
                            at = behind;
                            continue 'run;
                        }
                        gas -= VERY_LOW;
                        at += 1;
                        push!(*floor.add(height - 1));
                    }
                    op @ DUP1..=DUP16 => {
                        let depth = (op - DUP1) as usize + 1;
                        if height < depth {
                            break 'run;
                        }
                        room!(VERY_LOW);
                        push!(*floor.add(height - depth));
                    }
                    op @ SWAP1..=SWAP16 => {
                        let depth = (op - SWAP1) as usize + 1;
                        start!(depth + 1, VERY_LOW);
                        if *code.add(at) == POP && gas >= BASE {
                            gas -= BASE;
                            at += 1;
                            height -= 1;
                            *floor.add(height - depth) = *floor.add(height);
                        } else {
                            core::ptr::swap(floor.add(height - 1), floor.add(height - 1 - depth));
                        }
                        continue 'run;
                    }
                    _ => break 'run,
                }
            };
            // A truth value that decides a jump never reaches the stack.
            while *code.add(at) == ISZERO && gas >= VERY_LOW {
                gas -= VERY_LOW;
                at += 1;
                is_true = !is_true;
            }
            let (target, behind) = branch(code, at);
            let can_jump = behind != 0 && height < MAX_HEIGHT && gas >= VERY_LOW + HIGH;
            if can_jump && (!is_true || jumps.is_valid(target)) {
                gas -= VERY_LOW + HIGH;
                height -= 1;
                at = if is_true { target } else { behind };
                if is_true && gas >= JUMPDEST_GAS {
                    gas -= JUMPDEST_GAS;
                    at += 1;
                }
            } else {
                *floor.add(height - 1) = U256::from(is_true);
            }
        }
        words.set_len(height);
    }
    bytecode.absolute_jump(at);
    gas_meter.set_remaining(reserve + gas);
    ((budget - gas) / GAS_PER_STEP) as u32
}
