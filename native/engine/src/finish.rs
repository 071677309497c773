//! The end of a block: payouts, then the changes against the stored state with the new root, in the order of addresses and
//! keys. The other engine (`src/node/testing/state-overlay.ts`) gives the same bytes.

use crate::account::Account;
use crate::codec::{Reader, put_blob, put_count, put_optional};
use crate::error::EngineError;
use crate::keccak::keccak256_each;
use crate::rlp;
use crate::state::{Caches, Entry, State};
use crate::trie::{Changed, Changes, EMPTY_ROOT, NodeCache, Trie, commit};
use revm::primitives::{Address, B256, HashMap, U256};

/// What the block's height schedules and pays.
pub struct Payouts {
    lockbox: Address,
    beneficiary: Address,
    subsidy: U256,
    /// slots of the address and the amount
    scheduled: [U256; 2],
    due: [U256; 2],
    pays: bool,
}

impl Payouts {
    pub fn read(from: &mut Reader<'_>, beneficiary: Address) -> Self {
        let (lockbox, subsidy) = (from.address(), from.word());
        let scheduled = [from.word(), from.word()];
        let due = [from.word(), from.word()];
        let pays = from.byte() == 1;
        Self {
            lockbox,
            beneficiary,
            subsidy,
            scheduled,
            due,
            pays,
        }
    }

    /// Scheduling comes first, so that a maturity of 0 pays in the same block.
    pub fn apply(&self, state: &mut State) -> Result<(), EngineError> {
        let mut touched = Vec::new();
        if !self.subsidy.is_zero() {
            let beneficiary = U256::from_be_slice(self.beneficiary.as_slice());
            self.write(state, self.scheduled[0], beneficiary)?;
            self.write(state, self.scheduled[1], self.subsidy)?;
            touched.push(self.lockbox);
        }
        let amount = state.slot(self.lockbox, self.due[1])?;
        if self.pays && !amount.is_zero() {
            let word = state.slot(self.lockbox, self.due[0])?.to_be_bytes::<32>();
            let receiver = Address::from_slice(&word[12..]);
            self.write(state, self.due[0], U256::ZERO)?;
            self.write(state, self.due[1], U256::ZERO)?;
            let account = state.entry(receiver)?.made();
            account.balance = account
                .balance
                .checked_add(amount)
                .ok_or(EngineError::Unsupported("a balance of 2^256 or more"))?;
            touched.extend([self.lockbox, receiver]);
        }
        touched.into_iter().try_for_each(|address| state.delete_if_empty(address))
    }

    /// A write creates a missing account; without its 1 wei it is deleted again, with its schedule.
    fn write(&self, state: &mut State, slot: U256, value: U256) -> Result<(), EngineError> {
        let entry = state.entry(self.lockbox)?;
        entry.made();
        entry.slots.insert(slot, value);
        Ok(())
    }
}

/// Everything that a block changed, in the form for the host.
pub struct Finished {
    pub root: B256,
    flat: Vec<u8>,
    flat_count: usize,
    trie: Changes,
    codes: Vec<B256>,
}

/// Computes the changes. `keeps`: the caches move to the new state.
pub fn finish(state: &mut State, parent_root: B256, keeps: bool) -> Result<Finished, EngineError> {
    let State {
        caches,
        entries,
        new_codes,
        ..
    } = state;
    let mut sorted: Vec<(Address, Entry)> = entries.drain().collect();
    sorted.sort_unstable_by_key(|(address, _)| *address);
    let mut done = Finished {
        root: parent_root,
        flat: Vec::new(),
        flat_count: 0,
        trie: Changes::default(),
        codes: Vec::new(),
    };
    let mut storage_out = StorageChanges::default();
    let mut accounts: Vec<(Address, Option<Account>, Option<Vec<u8>>)> = Vec::new();
    let mut kept_slots: Vec<(Address, U256, U256)> = Vec::new();
    let mut next_incarnations: Vec<(Address, u32)> = Vec::new();
    let storages = finish_storages(caches, &sorted, keeps, &mut done)?;
    for ((address, entry), slots) in sorted.iter().zip(storages) {
        if slots.was_wiped || !slots.changed.is_empty() {
            let stored = caches.incarnation(*address)?;
            let incarnation = stored + u32::from(slots.was_wiped);
            if slots.was_wiped {
                storage_out.put_incarnation(*address, stored);
                next_incarnations.push((*address, incarnation));
                done.flat_count += 1;
            }
            for (slot, before, after) in slots.changed {
                storage_out.put_slot((*address, incarnation), slot, before, after);
                done.flat_count += 1;
                kept_slots.push((*address, slot, after));
            }
        }
        let now = entry.now.map(|now| Account {
            storage_root: slots.root,
            ..now
        });
        if now == entry.stored {
            continue;
        }
        let before = entry.stored.map(|account| account.encode());
        let after = now.map(|account| account.encode());
        put_account(&mut done.flat, *address, before.as_deref(), after.as_deref());
        done.flat_count += 1;
        if let Some(now) = now
            && new_codes.contains_key(&now.code_hash)
            && !done.codes.contains(&now.code_hash)
        {
            done.codes.push(now.code_hash);
        }
        accounts.push((*address, now, after));
    }
    storage_out.append_to(&mut done.flat);
    let addresses: Vec<&[u8]> = accounts.iter().map(|(address, ..)| address.as_slice()).collect();
    let mut trie = block_trie(parent_root, &mut caches.nodes, keeps);
    for ((.., after), key) in accounts.iter().zip(keccak256_each(&addresses)) {
        match after {
            None => trie.delete(key.as_slice())?,
            Some(bytes) => trie.put(key.as_slice(), bytes)?,
        }
    }
    let changed = trie.changed();
    done.root = commit(vec![changed], &mut caches.nodes, &mut done.trie)[0];
    if keeps {
        keep(
            caches,
            done.root,
            next_incarnations,
            accounts.iter().map(|(address, now, _)| (*address, *now)),
            kept_slots,
        );
    }
    Ok(done)
}

fn keep(
    caches: &mut Caches,
    root: B256,
    next_incarnations: Vec<(Address, u32)>,
    accounts: impl Iterator<Item = (Address, Option<Account>)>,
    slots: Vec<(Address, U256, U256)>,
) {
    if !next_incarnations.is_empty() {
        caches.slots.clear();
    }
    next_incarnations
        .into_iter()
        .for_each(|(address, incarnation)| caches.keep_incarnation(address, incarnation));
    accounts.for_each(|(address, account)| caches.keep_account(address, account));
    slots
        .into_iter()
        .for_each(|(address, slot, value)| caches.keep_slot(address, slot, value));
    caches.root = root;
}

struct FinishedStorage {
    root: B256,
    changed: Vec<(U256, U256, U256)>,
    was_wiped: bool,
}

struct Write {
    slot: U256,
    before: U256,
    after: U256,
}

/// One per entry. Keys and nodes are hashed for all of them together.
fn finish_storages(
    caches: &mut Caches,
    sorted: &[(Address, Entry)],
    keeps: bool,
    done: &mut Finished,
) -> Result<Vec<FinishedStorage>, EngineError> {
    let written: Vec<Vec<Write>> = sorted
        .iter()
        .map(|(address, entry)| writes(caches, *address, entry))
        .collect::<Result<_, _>>()?;
    let slots: Vec<[u8; 32]> = written.iter().flatten().map(|write| write.slot.to_be_bytes()).collect();
    let hashed: Vec<&[u8]> = slots.iter().map(|slot| &slot[..]).collect();
    let mut keys = keccak256_each(&hashed).into_iter();
    let mut tries = Vec::with_capacity(sorted.len());
    for ((_, entry), writes) in sorted.iter().zip(&written) {
        tries.push(changed_storage(&mut caches.nodes, keeps, entry, writes, &mut keys)?);
    }
    let roots = commit(tries, &mut caches.nodes, &mut done.trie);
    let finished = sorted.iter().zip(written).zip(roots);
    Ok(finished
        .map(|(((_, entry), writes), root)| FinishedStorage {
            root,
            changed: writes
                .into_iter()
                .filter(|write| write.before != write.after)
                .map(|write| (write.slot, write.before, write.after))
                .collect(),
            was_wiped: was_wiped(entry),
        })
        .collect())
}

fn stored_root(entry: &Entry) -> B256 {
    entry.stored.map_or(EMPTY_ROOT, |stored| stored.storage_root)
}

/// Its storage is left as it is, slots and nodes: what follows is in the next incarnation.
fn was_wiped(entry: &Entry) -> bool {
    entry.is_wiped && stored_root(entry) != EMPTY_ROOT
}

/// The slots that an account's storage trie has to be given, in their order: after a wipe all, else those that changed.
fn writes(caches: &mut Caches, address: Address, entry: &Entry) -> Result<Vec<Write>, EngineError> {
    let has_storage = !entry.is_wiped && stored_root(entry) != EMPTY_ROOT;
    let mut slots: Vec<(U256, U256)> = entry.slots.iter().map(|(slot, value)| (*slot, *value)).collect();
    slots.sort_unstable();
    let mut writes = Vec::with_capacity(slots.len());
    for (slot, after) in slots {
        let before = if has_storage {
            caches.slot(address, slot)?
        } else {
            U256::ZERO
        };
        if entry.is_wiped || after != before {
            writes.push(Write { slot, before, after });
        }
    }
    Ok(writes)
}

/// A template's block doesn't become the head: the next template starts from the same tries.
fn block_trie(root: B256, nodes: &mut NodeCache, keeps: bool) -> Trie<'_> {
    if keeps {
        Trie::succeeding(root, nodes)
    } else {
        Trie::new(root, nodes)
    }
}

/// `keys`: the hash of each write's slot is taken from them.
fn changed_storage(
    nodes: &mut NodeCache,
    keeps: bool,
    entry: &Entry,
    writes: &[Write],
    keys: &mut impl Iterator<Item = B256>,
) -> Result<Changed, EngineError> {
    let root = if entry.is_wiped { EMPTY_ROOT } else { stored_root(entry) };
    let mut trie = block_trie(root, nodes, keeps);
    for (write, key) in writes.iter().zip(keys) {
        if !write.after.is_zero() {
            let mut bytes = Vec::with_capacity(33);
            rlp::put_integer(&mut bytes, &write.after.to_be_bytes::<32>());
            trie.put(key.as_slice(), &bytes)?;
        } else if !entry.is_wiped {
            trie.delete(key.as_slice())?;
        }
    }
    Ok(trie.changed())
}

fn put_account(out: &mut Vec<u8>, address: Address, before: Option<&[u8]>, after: Option<&[u8]>) {
    out.push(21);
    out.push(b'a');
    out.extend_from_slice(address.as_slice());
    put_optional(out, before);
    put_optional(out, after);
}

/// Changes of storages, in the order of their keys: first incarnations' slots, later ones', incarnations.
#[derive(Default)]
struct StorageChanges {
    first: Vec<u8>,
    later: Vec<u8>,
    incarnations: Vec<u8>,
}

impl StorageChanges {
    fn put_slot(&mut self, (address, incarnation): (Address, u32), slot: U256, before: U256, after: U256) {
        let out = if incarnation == 0 { &mut self.first } else { &mut self.later };
        out.extend_from_slice(if incarnation == 0 { &[53, b's'] } else { &[57, b't'] });
        out.extend_from_slice(address.as_slice());
        if incarnation != 0 {
            out.extend_from_slice(&incarnation.to_be_bytes());
        }
        out.extend_from_slice(&slot.to_be_bytes::<32>());
        for value in [before, after] {
            let bytes = value.to_be_bytes::<32>();
            put_optional(out, (!value.is_zero()).then(|| rlp::trimmed(&bytes)));
        }
    }

    /// From `stored` to the next one.
    fn put_incarnation(&mut self, address: Address, stored: u32) {
        let out = &mut self.incarnations;
        out.extend_from_slice(&[21, b'w']);
        out.extend_from_slice(address.as_slice());
        let before = stored.to_be_bytes();
        put_optional(out, (stored != 0).then_some(&before[..]));
        put_optional(out, Some(&(stored + 1).to_be_bytes()));
    }

    fn append_to(mut self, out: &mut Vec<u8>) {
        for part in [&mut self.first, &mut self.later, &mut self.incarnations] {
            out.append(part);
        }
    }
}

impl Finished {
    pub fn put(&self, out: &mut Vec<u8>, new_codes: &HashMap<B256, revm::primitives::Bytes>) {
        put_count(out, self.flat_count);
        out.extend_from_slice(&self.flat);
        put_count(out, self.trie.nodes.len());
        for node in &self.trie.nodes {
            out.extend_from_slice(node.hash.as_slice());
            put_blob(out, &self.trie.bytes[node.encoded.clone()]);
        }
        put_count(out, self.trie.dead.len());
        self.trie.dead.iter().for_each(|hash| out.extend_from_slice(hash.as_slice()));
        put_count(out, self.codes.len());
        for hash in &self.codes {
            out.extend_from_slice(hash.as_slice());
            put_blob(out, &new_codes[hash]);
        }
    }
}
