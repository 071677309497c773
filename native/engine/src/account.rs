//! An account as stored in the state: RLP [nonce, balance, storageRoot, codeHash].

use crate::rlp;
use crate::trie::EMPTY_ROOT;
use revm::primitives::{B256, KECCAK_EMPTY, U256};

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Account {
    pub nonce: u64,
    pub balance: U256,
    pub storage_root: B256,
    pub code_hash: B256,
}

pub const EMPTY: Account = Account {
    nonce: 0,
    balance: U256::ZERO,
    storage_root: EMPTY_ROOT,
    code_hash: KECCAK_EMPTY,
};

impl Account {
    /// EIP-158: storage does not count.
    pub fn is_empty(&self) -> bool {
        self.nonce == 0 && self.balance.is_zero() && self.code_hash == KECCAK_EMPTY
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut items = Vec::with_capacity(112);
        rlp::put_integer(&mut items, &self.nonce.to_be_bytes());
        rlp::put_integer(&mut items, &self.balance.to_be_bytes::<32>());
        rlp::put_bytes(&mut items, self.storage_root.as_slice());
        rlp::put_bytes(&mut items, self.code_hash.as_slice());
        rlp::list(&items)
    }

    /// None if the bytes aren't an account.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (list, rest) = rlp::split(bytes)?;
        let (nonce, after) = rlp::split(list.payload)?;
        let (balance, after) = rlp::split(after)?;
        let (root, after) = rlp::split(after)?;
        let (code, after) = rlp::split(after)?;
        let is_whole = list.is_list && rest.is_empty() && after.is_empty();
        let fits = nonce.payload.len() <= 8 && balance.payload.len() <= 32;
        if !is_whole || !fits || root.payload.len() != 32 || code.payload.len() != 32 {
            return None;
        }
        Some(Self {
            nonce: nonce.payload.iter().fold(0, |sum, byte| (sum << 8) | *byte as u64),
            balance: U256::from_be_slice(balance.payload),
            storage_root: B256::from_slice(root.payload),
            code_hash: B256::from_slice(code.payload),
        })
    }
}
