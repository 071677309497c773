//! What an instruction is about to cost, as prlx's traces show it: also where it can't be paid, and before anything
//! changes. Source: EIP-150, 160, 1884, 2200, 2929; go-ethereum 1.10 core/vm (order of charges and refunds)

use crate::error::EngineError;
use crate::trace::operations::{OPERATIONS, fits_stack, stack_fault};
use crate::trace::view;
use revm::bytecode::opcode::*;
use revm::context::Journal;
use revm::database_interface::Database;
use revm::primitives::{Address, U256};

/// Bytes; above it prlx does not even compute a price.
const MAX_MEMORY: u64 = 0x1f_ffff_ffe0;
const WORD: u64 = 32;
const COLD_SLOAD: u64 = 2_100;
const COLD_ACCOUNT: u64 = 2_600;
const WARM: u64 = 100;
const SSTORE_SET: u64 = 20_000;
const SSTORE_RESET: u64 = 5_000;
const SSTORE_SENTRY: u64 = 2_300;
const CLEAR_REFUND: i64 = 15_000;
const NEW_ACCOUNT: u64 = 25_000;
const CALL_VALUE: u64 = 9_000;
const DESTRUCT_REFUND: i64 = 24_000;

const OUT_OF_GAS: &str = "out of gas";

/// A running call, before its next instruction.
pub struct Place<'a> {
    pub op: u8,
    /// Bottom first.
    pub stack: &'a [U256],
    pub gas: u64,
    /// Bytes in use.
    pub memory: u64,
    /// The account whose storage and balance apply.
    pub address: Address,
}

impl Place<'_> {
    /// Counted from the top.
    pub fn peek(&self, depth: usize) -> U256 {
        self.stack[self.stack.len() - 1 - depth]
    }

    pub fn peek_address(&self, depth: usize) -> Address {
        Address::from_word(self.peek(depth).into())
    }
}

#[derive(Default)]
pub struct Price {
    pub cost: u128,
    /// Why it can't run.
    pub fault: Option<String>,
    /// What it adds to the refund; also if it can't run.
    pub refund: i64,
}

impl Price {
    fn failing(cost: u64, fault: &str) -> Self {
        Self {
            cost: cost as u128,
            fault: Some(fault.into()),
            refund: 0,
        }
    }
}

/// The part of a price that depends on operands or state.
struct Extra {
    /// None: not affordable, whatever the gas.
    gas: Option<u128>,
    refund: i64,
}

impl Extra {
    fn of(gas: Option<u64>) -> Self {
        Self {
            gas: gas.map(u128::from),
            refund: 0,
        }
    }
}

pub fn price<DB: Database<Error = EngineError>>(place: &Place<'_>, journal: &mut Journal<DB>) -> Result<Price, EngineError> {
    let Place { op, stack, gas, .. } = *place;
    let constant = OPERATIONS[op as usize].gas;
    if !fits_stack(op, stack.len()) {
        return Ok(Price::failing(constant, &stack_fault(op, stack.len())));
    }
    if gas < constant {
        return Ok(Price::failing(constant, OUT_OF_GAS));
    }
    let left = gas - constant;
    let size = match memory_size(place) {
        Some(size) => size,
        None => return Ok(Price::failing(constant, "gas uint64 overflow")),
    };
    let Some(extra) = extra(place, left, size, journal)? else {
        return Ok(Price {
            cost: constant as u128,
            ..Price::default()
        });
    };
    let Some(more) = extra.gas else {
        return Ok(Price {
            refund: extra.refund,
            ..Price::failing(constant, OUT_OF_GAS)
        });
    };
    Ok(Price {
        cost: constant as u128 + more,
        fault: (more > left as u128).then(|| OUT_OF_GAS.into()),
        refund: extra.refund,
    })
}

/// Bytes of memory that it needs, rounded up to words. None where they exceed 64 bits.
fn memory_size(place: &Place<'_>) -> Option<u64> {
    let range = |offset, length| memory_for(place.peek(offset), place.peek(length));
    match place.op {
        KECCAK256 | LOG0..=LOG4 | RETURN | REVERT => range(0, 1),
        MLOAD | MSTORE => memory_for(place.peek(0), U256::from(WORD)),
        MSTORE8 => memory_for(place.peek(0), U256::ONE),
        CALLDATACOPY | CODECOPY | RETURNDATACOPY => range(0, 2),
        EXTCODECOPY => range(1, 3),
        CREATE | CREATE2 => range(1, 2),
        CALL | CALLCODE => Some(range(3, 4)?.max(range(5, 6)?)),
        DELEGATECALL | STATICCALL => Some(range(2, 3)?.max(range(4, 5)?)),
        _ => Some(0),
    }
}

fn memory_for(offset: U256, length: U256) -> Option<u64> {
    if length.is_zero() {
        return Some(0);
    }
    let end = u64::try_from(offset.checked_add(length)?).ok()?;
    end.checked_next_multiple_of(WORD)
}

/// None where nothing is added.
fn extra<DB: Database<Error = EngineError>>(
    place: &Place<'_>,
    left: u64,
    size: u64,
    journal: &mut Journal<DB>,
) -> Result<Option<Extra>, EngineError> {
    let grow = || memory_gas(place.memory, size);
    let per_word = |depth, gas| Some(grow()? + gas * words(place.peek(depth))?);
    Ok(Some(match place.op {
        MLOAD | MSTORE | MSTORE8 | RETURN | REVERT | CREATE => Extra::of(grow()),
        KECCAK256 => Extra::of(per_word(1, 6)),
        CALLDATACOPY | CODECOPY | RETURNDATACOPY => Extra::of(per_word(2, 3)),
        CREATE2 => Extra::of(per_word(2, 6)),
        EXP => Extra::of(Some(10 + 50 * place.peek(1).byte_len() as u64)),
        op @ LOG0..=LOG4 => {
            let length = u64::try_from(place.peek(1)).ok();
            let topics = (op - LOG0) as u64;
            Extra::of(length.and_then(|length| grow()?.checked_add(375 + 375 * topics)?.checked_add(length.checked_mul(8)?)))
        }
        BALANCE | EXTCODESIZE | EXTCODEHASH => Extra::of(Some(access_gas(place.peek_address(0), journal))),
        EXTCODECOPY => Extra::of(per_word(3, 3).map(|copy| copy + access_gas(place.peek_address(0), journal))),
        SLOAD => {
            let is_warm = view::is_warm_slot(journal, place.address, place.peek(0));
            Extra::of(Some(if is_warm { WARM } else { COLD_SLOAD }))
        }
        SSTORE => store_gas(place, left, journal)?,
        SELFDESTRUCT => destruct_gas(place, journal)?,
        CALL | CALLCODE | DELEGATECALL | STATICCALL => Extra {
            gas: call_gas(place, left, grow(), journal)?,
            refund: 0,
        },
        _ => return Ok(None),
    }))
}

/// For memory that grows from `before` to `size` bytes.
fn memory_gas(before: u64, size: u64) -> Option<u64> {
    if size <= before {
        return Some(0);
    }
    let total = |bytes: u64| {
        let words = bytes / WORD;
        3 * words + words * words / 512
    };
    (size <= MAX_MEMORY).then(|| total(size) - total(before))
}

/// None above 64 bits.
fn words(length: U256) -> Option<u64> {
    u64::try_from(length).ok().map(|length| length.div_ceil(WORD))
}

fn access_gas<DB: Database>(address: Address, journal: &Journal<DB>) -> u64 {
    if view::is_warm(journal, address) {
        0
    } else {
        COLD_ACCOUNT - WARM
    }
}

fn store_gas<DB: Database<Error = EngineError>>(
    place: &Place<'_>,
    left: u64,
    journal: &mut Journal<DB>,
) -> Result<Extra, EngineError> {
    if left <= SSTORE_SENTRY {
        return Ok(Extra::of(None));
    }
    let (key, value) = (place.peek(0), place.peek(1));
    let view::SeenSlot { present, original } = view::slot(journal, place.address, key)?;
    let is_warm = view::is_warm_slot(journal, place.address, key);
    let access = if is_warm { 0 } else { COLD_SLOAD };
    let (gas, refund) = if present == value {
        (WARM, 0)
    } else if original == present {
        if original.is_zero() {
            (SSTORE_SET, 0)
        } else {
            let refund = if value.is_zero() { CLEAR_REFUND } else { 0 };
            (SSTORE_RESET - COLD_SLOAD, refund)
        }
    } else {
        (WARM, dirty_refund(original, present, value))
    };
    Ok(Extra {
        gas: Some((access + gas) as u128),
        refund,
    })
}

/// For a slot that the transaction changed before.
fn dirty_refund(original: U256, present: U256, value: U256) -> i64 {
    let mut refund = 0;
    if !original.is_zero() {
        if present.is_zero() {
            refund -= CLEAR_REFUND;
        } else if value.is_zero() {
            refund += CLEAR_REFUND;
        }
    }
    if original == value {
        let paid = if original.is_zero() {
            SSTORE_SET
        } else {
            SSTORE_RESET - COLD_SLOAD
        };
        refund += (paid - WARM) as i64;
    }
    refund
}

fn destruct_gas<DB: Database<Error = EngineError>>(place: &Place<'_>, journal: &mut Journal<DB>) -> Result<Extra, EngineError> {
    let receiver = place.peek_address(0);
    let access = if view::is_warm(journal, receiver) { 0 } else { COLD_ACCOUNT };
    let has_balance = !view::account(journal, place.address)?.balance.is_zero();
    let creates = has_balance && view::account(journal, receiver)?.is_empty();
    let refund = if view::is_destructed(journal, place.address) {
        0
    } else {
        DESTRUCT_REFUND
    };
    Ok(Extra {
        gas: Some((access + if creates { NEW_ACCOUNT } else { 0 }) as u128),
        refund,
    })
}

/// With the gas that is handed on.
fn call_gas<DB: Database<Error = EngineError>>(
    place: &Place<'_>,
    left: u64,
    grow: Option<u64>,
    journal: &mut Journal<DB>,
) -> Result<Option<u128>, EngineError> {
    let target = place.peek_address(1);
    let access = access_gas(target, journal);
    let Some(grow) = grow.filter(|_| left >= access) else {
        return Ok(None);
    };
    let moves = matches!(place.op, CALL | CALLCODE) && !place.peek(2).is_zero();
    let creates = place.op == CALL && moves && view::account(journal, target)?.is_empty();
    let base = grow + if creates { NEW_ACCOUNT } else { 0 } + if moves { CALL_VALUE } else { 0 };
    let asked = u128::try_from(place.peek(0)).unwrap_or(u128::MAX);
    let all = (access + base) as u128;
    let most = |gas: u128| gas - gas / 64;
    if all <= left as u128 {
        return Ok(Some(all + asked.min(most(left as u128 - all))));
    }
    // prlx's 64-bit difference wraps around, which only shows as the cost.
    let wrapped = (1 << 64) + left as u128 - all;
    let total = all + asked.min(most(wrapped));
    Ok((total < 1 << 64).then_some(total))
}
