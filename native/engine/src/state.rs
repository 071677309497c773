//! The state of a block that is being executed: what its transactions changed, above what the host has stored. Dropping the
//! changes drops the block.

use crate::account::{Account, EMPTY};
use crate::boundary::host::{ancestor_hash, read_value, value_length};
use crate::bytecode::analyzed;
use crate::error::EngineError;
use crate::generations::Generations;
use crate::trie::{EMPTY_ROOT, NodeCache};
use revm::bytecode::Bytecode;
use revm::database_interface::Database;
use revm::primitives::{Address, B256, Bytes, HashMap, KECCAK_EMPTY, U256};
use revm::state::{AccountInfo, EvmState};

const ACCOUNT_CACHE_BYTES: usize = 16 << 20;
const SLOT_CACHE_BYTES: usize = 16 << 20;
const INCARNATION_CACHE_BYTES: usize = 8 << 20;
const CODE_CACHE_BYTES: usize = 64 << 20;
const CODE_SIZE_CACHE_BYTES: usize = 12 << 20;
const NODE_CACHE_BYTES: usize = 64 << 20;
/// An entry with its space in the table, which is half empty.
const ACCOUNT_BYTES: usize = 300;
const SLOT_BYTES: usize = 200;
const INCARNATION_BYTES: usize = 100;
const CODE_SIZE_BYTES: usize = 100;

/// What is kept between blocks. Flat values belong to the state with `root`; nodes and codes are keyed by their content's hash.
pub struct Caches {
    pub root: B256,
    pub accounts: Generations<Address, Option<Account>>,
    pub slots: Generations<(Address, U256), U256>,
    /// Which of an address's storages is the state's, counted from 0: deleting an account begins the next one.
    incarnations: Generations<Address, u32>,
    pub codes: Generations<B256, Bytecode>,
    code_sizes: Generations<B256, usize>,
    pub nodes: NodeCache,
}

impl Caches {
    pub fn new() -> Self {
        Self {
            root: B256::ZERO,
            accounts: Generations::new(ACCOUNT_CACHE_BYTES),
            slots: Generations::new(SLOT_CACHE_BYTES),
            incarnations: Generations::new(INCARNATION_CACHE_BYTES),
            codes: Generations::new(CODE_CACHE_BYTES),
            code_sizes: Generations::new(CODE_SIZE_CACHE_BYTES),
            nodes: NodeCache::new(NODE_CACHE_BYTES),
        }
    }

    /// Drops the flat values of another state.
    pub fn move_to(&mut self, root: B256) {
        if self.root != root {
            self.accounts.clear();
            self.slots.clear();
            self.incarnations.clear();
            self.root = root;
        }
    }

    pub fn account(&mut self, address: Address) -> Result<Option<Account>, EngineError> {
        if let Some(known) = self.accounts.get(&address, |_| ACCOUNT_BYTES) {
            return Ok(known);
        }
        let read = match read_value(b'a', address.as_slice(), &[])? {
            None => None,
            Some(bytes) => Some(Account::decode(&bytes).ok_or(EngineError::Damaged("stored account"))?),
        };
        self.keep_account(address, read);
        Ok(read)
    }

    pub fn slot(&mut self, address: Address, slot: U256) -> Result<U256, EngineError> {
        if let Some(known) = self.slots.get(&(address, slot), |_| SLOT_BYTES) {
            return Ok(known);
        }
        let word = slot.to_be_bytes::<32>();
        let read = match self.incarnation(address)? {
            0 => read_value(b's', address.as_slice(), &word)?,
            later => read_value(b't', address.as_slice(), &[&later.to_be_bytes()[..], &word].concat())?,
        };
        let value = match read {
            None => U256::ZERO,
            Some(bytes) => U256::try_from_be_slice(&bytes).ok_or(EngineError::Damaged("stored slot"))?,
        };
        self.keep_slot(address, slot, value);
        Ok(value)
    }

    pub fn incarnation(&mut self, address: Address) -> Result<u32, EngineError> {
        if let Some(known) = self.incarnations.get(&address, |_| INCARNATION_BYTES) {
            return Ok(known);
        }
        let incarnation = match read_value(b'w', address.as_slice(), &[])? {
            None => 0,
            Some(bytes) => u32::from_be_bytes(bytes[..].try_into().map_err(|_| EngineError::Damaged("stored incarnation"))?),
        };
        self.keep_incarnation(address, incarnation);
        Ok(incarnation)
    }

    pub fn keep_incarnation(&mut self, address: Address, incarnation: u32) {
        self.incarnations.set(address, incarnation, INCARNATION_BYTES);
    }

    pub fn keep_account(&mut self, address: Address, account: Option<Account>) {
        self.accounts.set(address, account, ACCOUNT_BYTES);
    }

    pub fn keep_slot(&mut self, address: Address, slot: U256, value: U256) {
        self.slots.set((address, slot), value, SLOT_BYTES);
    }

    fn code(&mut self, hash: B256) -> Result<Bytecode, EngineError> {
        if let Some(code) = self.codes.get(&hash, code_bytes) {
            return Ok(code);
        }
        let bytes = read_value(b'c', hash.as_slice(), &[])?.ok_or(EngineError::MissingCode(hash.0))?;
        let code = analyzed(bytes.into());
        self.keep_code(hash, &code);
        Ok(code)
    }

    /// Without keeping or searching the code: its size costs less gas than a call.
    fn code_size(&mut self, hash: B256) -> Result<usize, EngineError> {
        if let Some(size) = self.code_sizes.get(&hash, |_| CODE_SIZE_BYTES) {
            return Ok(size);
        }
        let size = value_length(b'c', hash.as_slice())?.ok_or(EngineError::MissingCode(hash.0))?;
        self.code_sizes.set(hash, size, CODE_SIZE_BYTES);
        Ok(size)
    }

    fn keep_code(&mut self, hash: B256, code: &Bytecode) {
        self.codes.set(hash, code.clone(), code_bytes(code));
    }
}

fn code_bytes(code: &Bytecode) -> usize {
    code.len() * 9 / 8 + 300
}

/// The flat values of one state, and what was changed above it.
#[derive(Clone)]
pub struct Stage {
    root: B256,
    accounts: Generations<Address, Option<Account>>,
    slots: Generations<(Address, U256), U256>,
    incarnations: Generations<Address, u32>,
    entries: HashMap<Address, Entry>,
    new_codes: HashMap<B256, Bytes>,
}

impl Stage {
    /// Nothing read and nothing changed.
    pub fn new(root: B256) -> Self {
        Self {
            root,
            accounts: Generations::new(ACCOUNT_CACHE_BYTES),
            slots: Generations::new(SLOT_CACHE_BYTES),
            incarnations: Generations::new(INCARNATION_CACHE_BYTES),
            entries: HashMap::default(),
            new_codes: HashMap::default(),
        }
    }

    /// Accounts and slots that it holds.
    pub fn held(&self) -> usize {
        let changed: usize = self.entries.values().map(|entry| 1 + entry.slots.len()).sum();
        self.accounts.count() + self.slots.count() + changed
    }
}

/// An account that the block touched. Its storage root is the stored one until the end.
#[derive(Clone)]
pub struct Entry {
    pub stored: Option<Account>,
    pub now: Option<Account>,
    /// The account was deleted or created again: its stored storage doesn't count anymore.
    pub is_wiped: bool,
    pub slots: HashMap<U256, U256>,
}

pub struct State {
    pub caches: Caches,
    pub entries: HashMap<Address, Entry>,
    pub new_codes: HashMap<B256, Bytes>,
    /// Hashes of the block's ancestors that were asked for: at most 256.
    ancestors: HashMap<u64, B256>,
}

impl State {
    pub fn new() -> Self {
        Self {
            caches: Caches::new(),
            entries: HashMap::default(),
            new_codes: HashMap::default(),
            ancestors: HashMap::default(),
        }
    }

    /// Begins a block on the state with `root`.
    pub fn begin(&mut self, root: B256) {
        self.entries.clear();
        self.new_codes.clear();
        self.forget_ancestors();
        self.caches.move_to(root);
    }

    /// Before work in another block.
    pub fn forget_ancestors(&mut self) {
        self.ancestors.clear();
    }

    /// Puts `stage` in place of what is read and changed here, and that into `stage`.
    pub fn exchange(&mut self, stage: &mut Stage) {
        core::mem::swap(&mut self.caches.root, &mut stage.root);
        core::mem::swap(&mut self.caches.accounts, &mut stage.accounts);
        core::mem::swap(&mut self.caches.slots, &mut stage.slots);
        core::mem::swap(&mut self.caches.incarnations, &mut stage.incarnations);
        core::mem::swap(&mut self.entries, &mut stage.entries);
        core::mem::swap(&mut self.new_codes, &mut stage.new_codes);
    }

    pub fn account(&mut self, address: Address) -> Result<Option<Account>, EngineError> {
        match self.entries.get(&address) {
            Some(entry) => Ok(entry.now),
            None => self.caches.account(address),
        }
    }

    /// For changes.
    pub fn entry(&mut self, address: Address) -> Result<&mut Entry, EngineError> {
        if !self.entries.contains_key(&address) {
            let stored = self.caches.account(address)?;
            let entry = Entry {
                stored,
                now: stored,
                is_wiped: false,
                slots: HashMap::default(),
            };
            self.entries.insert(address, entry);
        }
        self.entries.get_mut(&address).ok_or(EngineError::Damaged("overlay"))
    }

    pub fn slot(&mut self, address: Address, slot: U256) -> Result<U256, EngineError> {
        if let Some(entry) = self.entries.get(&address) {
            if let Some(value) = entry.slots.get(&slot) {
                return Ok(*value);
            }
            if entry.is_wiped || entry.stored.is_none() {
                return Ok(U256::ZERO);
            }
        }
        self.caches.slot(address, slot)
    }

    /// Bytes of the code with this hash.
    pub fn code_size(&mut self, hash: B256) -> Result<usize, EngineError> {
        if hash == KECCAK_EMPTY {
            return Ok(0);
        }
        match self.new_codes.get(&hash) {
            Some(code) => Ok(code.len()),
            None => self.caches.code_size(hash),
        }
    }

    /// Deletes the account if it counts as empty.
    pub fn delete_if_empty(&mut self, address: Address) -> Result<(), EngineError> {
        if self.account(address)?.is_some_and(|account| account.is_empty()) {
            self.entry(address)?.delete();
        }
        Ok(())
    }

    /// Applies what a transaction did.
    pub fn commit(&mut self, changes: EvmState) -> Result<(), EngineError> {
        for (address, account) in changes {
            if !account.is_touched() {
                continue;
            }
            let is_created = account.is_created();
            let code = account
                .info
                .code
                .as_ref()
                .filter(|_| is_created && account.info.code_hash != KECCAK_EMPTY);
            if let Some(code) = code.filter(|_| !account.is_selfdestructed()) {
                self.caches.keep_code(account.info.code_hash, code);
                self.new_codes.insert(account.info.code_hash, code.original_bytes());
            }
            let entry = self.entry(address)?;
            if account.is_selfdestructed() || account.is_empty() {
                entry.delete();
                continue;
            }
            if is_created {
                entry.is_wiped = true;
                entry.slots.clear();
            }
            let info = &account.info;
            let storage_root = entry.now.map_or(EMPTY_ROOT, |now| now.storage_root);
            let now = Account {
                nonce: info.nonce,
                balance: info.balance,
                storage_root,
                code_hash: info.code_hash,
            };
            entry.now = Some(now);
            let changed = account.storage.iter().filter(|(_, slot)| slot.is_changed());
            entry.slots.extend(changed.map(|(key, slot)| (*key, slot.present_value)));
        }
        Ok(())
    }
}

impl Entry {
    pub fn delete(&mut self) {
        self.now = None;
        self.is_wiped = true;
        self.slots.clear();
    }

    /// The account, for changes; it is created if it is missing.
    pub fn made(&mut self) -> &mut Account {
        self.now.get_or_insert(EMPTY)
    }
}

impl Database for State {
    type Error = EngineError;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, EngineError> {
        let Some(account) = self.account(address)? else {
            return Ok(None);
        };
        Ok(Some(AccountInfo {
            balance: account.balance,
            nonce: account.nonce,
            code_hash: account.code_hash,
            account_id: None,
            code: None,
        }))
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, EngineError> {
        match self.new_codes.get(&hash) {
            Some(bytes) if self.caches.codes.get(&hash, code_bytes).is_none() => Ok(analyzed(bytes.clone())),
            _ => self.caches.code(hash),
        }
    }

    fn storage(&mut self, address: Address, slot: U256) -> Result<U256, EngineError> {
        self.slot(address, slot)
    }

    fn block_hash(&mut self, number: u64) -> Result<B256, EngineError> {
        if let Some(hash) = self.ancestors.get(&number) {
            return Ok(*hash);
        }
        let hash = ancestor_hash(number)?;
        self.ancestors.insert(number, hash);
        Ok(hash)
    }
}
