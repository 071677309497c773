//! The state in the middle of a transaction, read without warming what is read: by tracers here, and by the host's own.

use crate::boundary::set_result;
use crate::error::EngineError;
use revm::context::Journal;
use revm::database_interface::Database;
use revm::primitives::{Address, B256, KECCAK_EMPTY, U256};
use std::cell::Cell;

/// An account as instructions see it.
pub struct Seen {
    pub nonce: u64,
    pub balance: U256,
    pub has_code: bool,
    pub code_hash: B256,
    /// It is in the state, though it may be empty.
    pub exists: bool,
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
    let exists = loaded.map_or(stored.is_some(), |account| {
        !account.is_loaded_as_not_existing() || !account.is_empty() || account.is_created()
    });
    let info = loaded.map(|account| &account.info).or(stored.as_ref());
    Ok(info.map_or(
        Seen {
            nonce: 0,
            balance: U256::ZERO,
            has_code: false,
            code_hash: KECCAK_EMPTY,
            exists,
        },
        |info| {
            let has_code = info.code_hash != KECCAK_EMPTY && !info.code_hash.is_zero();
            Seen {
                nonce: info.nonce,
                balance: info.balance,
                has_code,
                code_hash: if has_code { info.code_hash } else { KECCAK_EMPTY },
                exists,
            }
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

/// The running transaction's state, for the host.
pub trait Live {
    fn account(&mut self, address: Address) -> Result<(Seen, bool), EngineError>;
    fn code(&mut self, address: Address) -> Result<Vec<u8>, EngineError>;
    fn slot(&mut self, address: Address, key: U256) -> Result<SeenSlot, EngineError>;
}

impl<DB: Database<Error = EngineError>> Live for Journal<DB> {
    fn account(&mut self, address: Address) -> Result<(Seen, bool), EngineError> {
        Ok((account(self, address)?, is_destructed(self, address)))
    }

    fn code(&mut self, address: Address) -> Result<Vec<u8>, EngineError> {
        code(self, address)
    }

    fn slot(&mut self, address: Address, key: U256) -> Result<SeenSlot, EngineError> {
        slot(self, address, key)
    }
}

thread_local! {
    static LIVE: Cell<Option<*mut (dyn Live + 'static)>> = const { Cell::new(None) };
}

/// Lets the host look at the state while `body` runs.
pub fn while_live<T>(live: &mut dyn Live, body: impl FnOnce() -> T) -> T {
    let at: *mut (dyn Live + '_) = live;
    // SAFETY: the pointer is gone before the reference that it is made from; nothing else uses that meanwhile.
    let at = unsafe { core::mem::transmute::<*mut (dyn Live + '_), *mut (dyn Live + 'static)>(at) };
    LIVE.set(Some(at));
    let result = body();
    LIVE.set(None);
    result
}

/// What `look` does with the state that is live. 0: a read failed; the host knows why.
fn looked(body: impl FnOnce(&mut dyn Live) -> Result<(), EngineError>) -> u32 {
    let Some(at) = LIVE.take() else { return 0 };
    // SAFETY: it is there only while `while_live` runs, and one call looks at a time.
    let done = body(unsafe { &mut *at });
    LIVE.set(Some(at));
    done.is_ok().into()
}

const ADDRESS_BYTES: usize = 20;
const WORD_BYTES: usize = 32;
/// Room for an account: nonce, balance, hash of the code, existence, end.
const ACCOUNT_BYTES: usize = 8 + 2 * WORD_BYTES + 2;

/// Reads an account in the middle of a transaction that tells the host something. Its 20 bytes of address at `pointer` are
/// replaced by the account: 8 bytes nonce, 32 balance, 32 hash of the code, whether it exists, whether it ends with the
/// transaction. 0 if that failed.
///
/// # Safety
/// There must be room for 74 bytes at `pointer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn look_account(pointer: *mut u8) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { core::slice::from_raw_parts_mut(pointer, ACCOUNT_BYTES) };
    let address = Address::from_slice(&bytes[..ADDRESS_BYTES]);
    looked(|live| {
        let (seen, is_destructed) = live.account(address)?;
        bytes[..8].copy_from_slice(&seen.nonce.to_be_bytes());
        bytes[8..40].copy_from_slice(&seen.balance.to_be_bytes::<WORD_BYTES>());
        bytes[40..72].copy_from_slice(seen.code_hash.as_slice());
        bytes[72] = seen.exists.into();
        bytes[73] = is_destructed.into();
        Ok(())
    })
}

/// The same for a slot: address and key are replaced by its value now, and before the transaction.
///
/// # Safety
/// There must be room for 64 bytes at `pointer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn look_slot(pointer: *mut u8) -> u32 {
    // SAFETY: the caller promises the same.
    let bytes = unsafe { core::slice::from_raw_parts_mut(pointer, 2 * WORD_BYTES) };
    let address = Address::from_slice(&bytes[..ADDRESS_BYTES]);
    let key = U256::from_be_slice(&bytes[ADDRESS_BYTES..ADDRESS_BYTES + WORD_BYTES]);
    looked(|live| {
        let SeenSlot { present, original } = live.slot(address, key)?;
        bytes[..WORD_BYTES].copy_from_slice(&present.to_be_bytes::<WORD_BYTES>());
        bytes[WORD_BYTES..].copy_from_slice(&original.to_be_bytes::<WORD_BYTES>());
        Ok(())
    })
}

/// The same for an account's code, which becomes the result.
///
/// # Safety
/// There must be 20 bytes at `pointer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn look_code(pointer: *const u8) -> u32 {
    // SAFETY: the caller promises the same.
    let address = Address::from_slice(unsafe { core::slice::from_raw_parts(pointer, ADDRESS_BYTES) });
    looked(|live| {
        set_result(live.code(address)?);
        Ok(())
    })
}
