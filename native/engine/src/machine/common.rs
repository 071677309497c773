//! The most common instructions, in one function that keeps program counter, gas and stack height in locals. revm loads and
//! stores all of them for every instruction. Only what succeeds runs here: a failing instruction, or any other one, is left
//! to revm, which also decides the error.

use revm::bytecode::opcode::*;
use revm::interpreter::Interpreter;
use revm::interpreter::interpreter::EthInterpreter;
use revm::interpreter::interpreter_types::Jumps;
use revm::primitives::U256;

const MAX_HEIGHT: usize = 1024;
const WORD_BYTES: usize = 32;

/// Berlin's gas costs.
const JUMPDEST_GAS: u64 = 1;
const BASE: u64 = 2;
const VERY_LOW: u64 = 3;
const LOW: u64 = 5;
const MID: u64 = 8;
const HIGH: u64 = 10;

/// Runs up to about `limit` instructions and returns how many. It stops before the first one that must run elsewhere.
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
    let mut gas = gas_meter.remaining();
    let mut steps = 0;
    let mut at = bytecode.pc();
    let mut height = words.len();

    // Needs `$pops` words, leaves room for one more if `$grows`, and pays.
    macro_rules! start {
        ($pops:expr, $price:expr) => {
            if height < $pops || gas < $price {
                break;
            }
            gas -= $price;
            at += 1;
        };
    }
    macro_rules! room {
        ($price:expr) => {
            if height >= MAX_HEIGHT || gas < $price {
                break;
            }
            gas -= $price;
            at += 1;
        };
    }
    macro_rules! push {
        ($value:expr) => {
            floor.add(height).write($value);
            height += 1;
        };
    }
    macro_rules! unary {
        ($operation:expr) => {{
            start!(1, VERY_LOW);
            let top = floor.add(height - 1);
            *top = $operation(*top);
        }};
    }
    macro_rules! binary {
        ($operation:expr) => {{
            start!(2, VERY_LOW);
            height -= 1;
            let top = floor.add(height - 1);
            *top = $operation(*floor.add(height), *top);
        }};
    }
    // Divides numbers of one limb; longer ones are left to revm.
    macro_rules! short_division {
        ($operation:expr) => {{
            if height < 2 || gas < LOW {
                break;
            }
            let (one, other) = (*floor.add(height - 1), *floor.add(height - 2));
            let (Some(one), Some(other)) = (limb(&one), limb(&other)) else {
                break;
            };
            gas -= LOW;
            at += 1;
            height -= 1;
            *floor.add(height - 1) = U256::from(if other == 0 { 0 } else { $operation(one, other) });
        }};
    }
    // Goes to a valid destination, and executes its JUMPDEST too.
    macro_rules! land {
        ($target:expr) => {
            at = $target;
            if gas >= JUMPDEST_GAS {
                gas -= JUMPDEST_GAS;
                at += 1;
                steps += 1;
            }
        };
    }
    // A pushed constant is often the next instruction's destination: then it never reaches the stack.
    macro_rules! push_target {
        ($bytes:expr, $target:expr) => {{
            let target: usize = $target;
            let next = *code.add(at + 1 + $bytes);
            if next == JUMPI && height >= 1 && height < MAX_HEIGHT && gas >= VERY_LOW + HIGH {
                let is_zero = (*floor.add(height - 1)).is_zero();
                if is_zero || jumps.is_valid(target) {
                    gas -= VERY_LOW + HIGH;
                    height -= 1;
                    steps += 2;
                    if is_zero {
                        at += 2 + $bytes;
                    } else {
                        land!(target);
                    }
                    continue;
                }
            } else if next == JUMP && height < MAX_HEIGHT && gas >= VERY_LOW + MID && jumps.is_valid(target) {
                gas -= VERY_LOW + MID;
                steps += 2;
                land!(target);
                continue;
            }
            room!(VERY_LOW);
            at += $bytes;
            push!(U256::from(target));
        }};
    }

    // SAFETY: `floor` has room for MAX_HEIGHT words, and every access is below `height` or checked against it. `at` stays within
    // the code: its padding ends with a STOP, which isn't executed here, and a PUSH is padded up to the instruction behind it.
    unsafe {
        while steps < limit {
            match *code.add(at) {
                ADD => binary!(|a: U256, b| a.wrapping_add(b)),
                MUL => {
                    start!(2, LOW);
                    height -= 1;
                    let top = floor.add(height - 1);
                    *top = (*floor.add(height)).wrapping_mul(*top);
                }
                SUB => binary!(|a: U256, b| a.wrapping_sub(b)),
                DIV => short_division!(|a: u64, b: u64| a / b),
                MOD => short_division!(|a: u64, b: u64| a % b),
                LT => binary!(|a: U256, b| U256::from(a < b)),
                GT => binary!(|a: U256, b| U256::from(a > b)),
                SLT => binary!(|a, b| U256::from(is_less_signed(&a, &b))),
                SGT => binary!(|a, b| U256::from(is_less_signed(&b, &a))),
                EQ => binary!(|a: U256, b| U256::from(a == b)),
                ISZERO => unary!(|a: U256| U256::from(a.is_zero())),
                AND => binary!(|a: U256, b| a & b),
                OR => binary!(|a: U256, b| a | b),
                XOR => binary!(|a: U256, b| a ^ b),
                NOT => unary!(|a: U256| !a),
                SHL => binary!(|by, value| shift(by).map_or(U256::ZERO, |by| value << by)),
                SHR => binary!(|by, value| shift(by).map_or(U256::ZERO, |by| value >> by)),
                POP => {
                    start!(1, BASE);
                    height -= 1;
                }
                MLOAD => {
                    if height < 1 || gas < VERY_LOW {
                        break;
                    }
                    let top = floor.add(height - 1);
                    let Some(place) = place_within(&*top, memory.len()) else {
                        break;
                    };
                    gas -= VERY_LOW;
                    at += 1;
                    *top = U256::from_be_slice(&memory.slice_len(place, WORD_BYTES));
                }
                MSTORE => {
                    if height < 2 || gas < VERY_LOW {
                        break;
                    }
                    let Some(place) = place_within(&*floor.add(height - 1), memory.len()) else {
                        break;
                    };
                    gas -= VERY_LOW;
                    at += 1;
                    height -= 2;
                    memory.set(place, &(*floor.add(height)).to_be_bytes::<WORD_BYTES>());
                }
                JUMP => {
                    if height < 1 || gas < MID {
                        break;
                    }
                    let target = offset(&*floor.add(height - 1));
                    if !jumps.is_valid(target) {
                        break;
                    }
                    gas -= MID;
                    height -= 1;
                    land!(target);
                }
                JUMPI => {
                    if height < 2 || gas < HIGH {
                        break;
                    }
                    let is_zero = (*floor.add(height - 2)).is_zero();
                    let target = offset(&*floor.add(height - 1));
                    if !is_zero && !jumps.is_valid(target) {
                        break;
                    }
                    gas -= HIGH;
                    height -= 2;
                    if is_zero {
                        at += 1;
                    } else {
                        land!(target);
                    }
                }
                PC => {
                    room!(BASE);
                    push!(U256::from(at - 1));
                }
                GAS => {
                    room!(BASE);
                    push!(U256::from(gas));
                }
                JUMPDEST => {
                    if gas < JUMPDEST_GAS {
                        break;
                    }
                    gas -= JUMPDEST_GAS;
                    at += 1;
                }
                PUSH1 => push_target!(1, *code.add(at + 1) as usize),
                PUSH2 => push_target!(2, ((*code.add(at + 1) as usize) << 8) | *code.add(at + 2) as usize),
                op @ PUSH3..=PUSH32 => {
                    let length = (op - PUSH1) as usize + 1;
                    room!(VERY_LOW);
                    push!(pushed(code.add(at), length));
                    at += length;
                }
                op @ DUP1..=DUP16 => {
                    let depth = (op - DUP1) as usize + 1;
                    if height < depth {
                        break;
                    }
                    room!(VERY_LOW);
                    push!(*floor.add(height - depth));
                }
                op @ SWAP1..=SWAP16 => {
                    let depth = (op - SWAP1) as usize + 1;
                    start!(depth + 1, VERY_LOW);
                    core::ptr::swap(floor.add(height - 1), floor.add(height - 1 - depth));
                }
                _ => break,
            }
            steps += 1;
        }
        words.set_len(height);
    }
    bytecode.absolute_jump(at);
    gas_meter.set_remaining(gas);
    steps
}

/// The number, if it has one limb.
fn limb(word: &U256) -> Option<u64> {
    match word.as_limbs() {
        [low, 0, 0, 0] => Some(*low),
        _ => None,
    }
}

/// None if everything is shifted out.
fn shift(by: U256) -> Option<usize> {
    limb(&by).filter(|by| *by < 256).map(|by| by as usize)
}

fn offset(word: &U256) -> usize {
    limb(word).and_then(|low| usize::try_from(low).ok()).unwrap_or(usize::MAX)
}

/// Address of a word, if it needs no more memory than there is.
fn place_within(word: &U256, length: usize) -> Option<usize> {
    let last = length.checked_sub(WORD_BYTES)?;
    limb(word).filter(|place| *place <= last as u64).map(|place| place as usize)
}

/// For two's complement numbers.
fn is_less_signed(one: &U256, other: &U256) -> bool {
    let is_negative = |word: &U256| word.as_limbs()[3] >> 63 != 0;
    match (is_negative(one), is_negative(other)) {
        (true, false) => true,
        (false, true) => false,
        _ => one < other,
    }
}

/// The number in `length` bytes, most significant first.
///
/// # Safety
/// `length` bytes lie at `at`; it is at most 32.
#[inline(always)]
unsafe fn pushed(at: *const u8, length: usize) -> U256 {
    let mut limbs = [0u64; 4];
    let mut left = length;
    let mut index = 0;
    while left >= 8 {
        left -= 8;
        limbs[index] = u64::from_be_bytes(unsafe { at.add(left).cast::<[u8; 8]>().read_unaligned() });
        index += 1;
    }
    for place in 0..left {
        limbs[index] = (limbs[index] << 8) | unsafe { *at.add(place) } as u64;
    }
    U256::from_limbs(limbs)
}
