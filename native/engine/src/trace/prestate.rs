//! The accounts and slots that a transaction reads, in their state before it.

use crate::error::EngineError;
use crate::keccak::keccak256;
use crate::trace::events::{CallStart, Kind, MAX_HELD_BYTES};
use crate::trace::price::Place;
use crate::trace::text::Text;
use crate::trace::view;
use revm::bytecode::opcode::*;
use revm::context::Journal;
use revm::database_interface::Database;
use revm::primitives::{Address, HashMap, HashSet, U256};

/// What an account holds besides its code, and what a slot holds.
const ENTRY_BYTES: usize = 400;

struct Account {
    address: Address,
    balance: U256,
    nonce: u64,
    code: Vec<u8>,
    slots: Vec<(U256, U256)>,
    keys: HashSet<U256>,
}

pub struct Prestate {
    /// In the order of their first access.
    accounts: Vec<Account>,
    places: HashMap<Address, usize>,
    created: Option<Address>,
    held: usize,
    /// What the sender paid for gas in advance, wei.
    paid: U256,
}

impl Prestate {
    pub fn new(paid: U256) -> Self {
        Self {
            accounts: Vec::new(),
            places: HashMap::default(),
            created: None,
            held: 0,
            paid,
        }
    }

    pub fn is_full(&self) -> bool {
        self.held > MAX_HELD_BYTES
    }

    /// Called after gas was bought and, if `has_moved`, the value moved: undoes both for the two accounts concerned.
    pub fn begin<DB: Database<Error = EngineError>>(
        &mut self,
        start: &CallStart,
        has_moved: bool,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let moved = start.value.filter(|_| has_moved).unwrap_or_default();
        let sender = self.look(start.from, journal)?;
        let receiver = self.look(start.to, journal)?;
        let there = &mut self.accounts[receiver];
        there.balance = there.balance.wrapping_sub(moved);
        let here = &mut self.accounts[sender];
        here.balance = here.balance.wrapping_add(moved).wrapping_add(self.paid);
        here.nonce = here.nonce.wrapping_sub(1);
        if start.kind == Kind::Create {
            self.created = Some(start.to);
        }
        Ok(())
    }

    /// An instruction that can't be paid still counts as an access, as in prlx; the length of a CREATE2 may be
    /// anything then.
    pub fn step<DB: Database<Error = EngineError>>(
        &mut self,
        (place, memory): (&Place<'_>, &[u8]),
        has_fault: bool,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        if self.is_full() {
            return Ok(());
        }
        let height = place.stack.len();
        match place.op {
            SLOAD | SSTORE if height >= 1 => self.look_at_slot(place.address, place.peek(0), journal)?,
            EXTCODECOPY | EXTCODEHASH | EXTCODESIZE | BALANCE | SELFDESTRUCT if height >= 1 => {
                self.look(place.peek_address(0), journal)?;
            }
            CALL | CALLCODE | DELEGATECALL | STATICCALL if height >= 5 => {
                self.look(place.peek_address(1), journal)?;
            }
            CREATE => {
                let nonce = view::account(journal, place.address)?.nonce;
                self.look(place.address.create(nonce), journal)?;
            }
            CREATE2 if height >= 4 && !has_fault => {
                let code = init_code(memory, place.peek(1), place.peek(2));
                let salt = place.peek(3).to_be_bytes::<32>();
                self.look(place.address.create2(salt, keccak256(&code)), journal)?;
            }
            _ => (),
        }
        Ok(())
    }

    pub fn finish(&self, text: &mut Text) {
        let shown = self.accounts.iter().filter(|account| Some(account.address) != self.created);
        text.short(b"{");
        for (index, account) in shown.enumerate() {
            text.short(if index == 0 { b"\"" } else { b",\"" });
            text.address(&account.address);
            text.short(b"\":{\"balance\":\"");
            text.quantity(account.balance);
            text.short(b"\",\"nonce\":");
            text.number(account.nonce as u128);
            text.short(b",\"code\":\"");
            text.data(&account.code);
            text.short(b"\",\"storage\":{");
            for (index, (key, value)) in account.slots.iter().enumerate() {
                text.short(if index == 0 { b"\"" } else { b",\"" });
                text.data(&key.to_be_bytes::<32>());
                text.short(b"\":\"");
                text.data(&value.to_be_bytes::<32>());
                text.short(b"\"");
            }
            text.put(b"}}");
        }
        text.put(b"}");
    }

    /// The account's index.
    fn look<DB: Database<Error = EngineError>>(
        &mut self,
        address: Address,
        journal: &mut Journal<DB>,
    ) -> Result<usize, EngineError> {
        if let Some(place) = self.places.get(&address) {
            return Ok(*place);
        }
        let view::Seen { nonce, balance, .. } = view::account(journal, address)?;
        let code = view::code(journal, address)?;
        self.held += ENTRY_BYTES + code.len();
        let place = self.accounts.len();
        self.places.insert(address, place);
        self.accounts.push(Account {
            address,
            balance,
            nonce,
            code,
            slots: Vec::new(),
            keys: HashSet::default(),
        });
        Ok(place)
    }

    fn look_at_slot<DB: Database<Error = EngineError>>(
        &mut self,
        address: Address,
        key: U256,
        journal: &mut Journal<DB>,
    ) -> Result<(), EngineError> {
        let place = self.look(address, journal)?;
        if self.accounts[place].keys.contains(&key) {
            return Ok(());
        }
        let value = view::slot(journal, address, key)?.present;
        let account = &mut self.accounts[place];
        account.keys.insert(key);
        account.slots.push((key, value));
        self.held += ENTRY_BYTES;
        Ok(())
    }
}

/// The step comes before memory grows: what isn't there yet is 0.
fn init_code(memory: &[u8], offset: U256, length: U256) -> Vec<u8> {
    let mut code = vec![0; length.saturating_to()];
    let start = memory.len().min(offset.saturating_to());
    let end = memory.len().min(start.saturating_add(code.len()));
    code[..end - start].copy_from_slice(&memory[start..end]);
    code
}
