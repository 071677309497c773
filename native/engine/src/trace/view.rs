//! The state in the middle of a transaction, read without warming what is read.

use crate::error::EngineError;
use revm::context::Journal;
use revm::database_interface::Database;
use revm::primitives::{Address, KECCAK_EMPTY, U256};

/// An account as instructions see it.
pub struct Seen {
    pub nonce: u64,
    pub balance: U256,
    pub has_code: bool,
}

impl Seen {
    /// EIP-161
    pub fn is_empty(&self) -> bool {
        self.nonce == 0 && self.balance.is_zero() && !self.has_code
    }
}

/// A slot's value now, and before the transaction.
pub struct SeenSlot {
    pub present: U256,
    pub original: U256,
}

pub fn account<DB: Database<Error = EngineError>>(journal: &mut Journal<DB>, address: Address) -> Result<Seen, EngineError> {
    let loaded = journal.inner.state.get(&address);
    let stored = match loaded {
        Some(_) => None,
        None => journal.database.basic(address)?,
    };
    let info = loaded.map(|account| &account.info).or(stored.as_ref());
    Ok(info.map_or(
        Seen {
            nonce: 0,
            balance: U256::ZERO,
            has_code: false,
        },
        |info| Seen {
            nonce: info.nonce,
            balance: info.balance,
            has_code: info.code_hash != KECCAK_EMPTY && !info.code_hash.is_zero(),
        },
    ))
}

/// Empty where there is none.
pub fn code<DB: Database<Error = EngineError>>(journal: &mut Journal<DB>, address: Address) -> Result<Vec<u8>, EngineError> {
    let loaded = journal.inner.state.get(&address).map(|account| account.info.clone());
    let info = match loaded {
        Some(info) => Some(info),
        None => journal.database.basic(address)?,
    };
    let Some(info) = info else {
        return Ok(Vec::new());
    };
    if info.code_hash == KECCAK_EMPTY || info.code_hash.is_zero() {
        return Ok(Vec::new());
    }
    let code = match info.code {
        Some(code) => code,
        None => journal.database.code_by_hash(info.code_hash)?,
    };
    Ok(code.original_byte_slice().to_vec())
}

pub fn slot<DB: Database<Error = EngineError>>(
    journal: &mut Journal<DB>,
    address: Address,
    key: U256,
) -> Result<SeenSlot, EngineError> {
    if let Some(account) = journal.inner.state.get(&address) {
        if let Some(slot) = account.storage.get(&key) {
            return Ok(SeenSlot {
                present: slot.present_value,
                original: slot.original_value,
            });
        }
        if account.is_created() {
            return Ok(SeenSlot {
                present: U256::ZERO,
                original: U256::ZERO,
            });
        }
    }
    let value = journal.database.storage(address, key)?;
    Ok(SeenSlot {
        present: value,
        original: value,
    })
}

/// EIP-2929
pub fn is_warm<DB: Database>(journal: &Journal<DB>, address: Address) -> bool {
    let inner = &journal.inner;
    let loaded = inner.state.get(&address);
    loaded.is_some_and(|account| !account.is_cold_transaction_id(inner.transaction_id)) || inner.warm_addresses.is_warm(&address)
}

/// EIP-2929
pub fn is_warm_slot<DB: Database>(journal: &Journal<DB>, address: Address, key: U256) -> bool {
    let inner = &journal.inner;
    let loaded = inner.state.get(&address).and_then(|account| account.storage.get(&key));
    loaded.is_some_and(|slot| !slot.is_cold_transaction_id(inner.transaction_id))
        || inner.warm_addresses.is_storage_warm(&address, &key)
}

pub fn is_destructed<DB: Database>(journal: &Journal<DB>, address: Address) -> bool {
    let loaded = journal.inner.state.get(&address);
    loaded.is_some_and(|account| account.is_selfdestructed())
}
