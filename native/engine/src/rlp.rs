//! The part of RLP that accounts, receipts and trie nodes need.

/// Appends `bytes` as one item.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    if bytes.len() == 1 && bytes[0] < 0x80 {
        out.push(bytes[0]);
        return;
    }
    put_head(out, 0x80, bytes.len());
    out.extend_from_slice(bytes);
}

/// Appends the head of an item of `length` bytes; a single byte below 0x80 has none.
pub fn put_bytes_head(out: &mut Vec<u8>, length: usize) {
    put_head(out, 0x80, length);
}

/// How many bytes `put_bytes` appends.
pub fn bytes_length(bytes: &[u8]) -> usize {
    if bytes.len() == 1 && bytes[0] < 0x80 {
        return 1;
    }
    list_length(bytes.len())
}

/// How many bytes a list takes whose items take `length`.
pub fn list_length(length: usize) -> usize {
    let digits = (usize::BITS - length.leading_zeros()).div_ceil(8) as usize;
    1 + if length < 56 { 0 } else { digits } + length
}

/// Appends an integer, big-endian without leading zeros.
pub fn put_integer(out: &mut Vec<u8>, bytes: &[u8]) {
    put_bytes(out, trimmed(bytes));
}

/// Appends the head of a list whose items take `length` bytes.
pub fn put_list_head(out: &mut Vec<u8>, length: usize) {
    put_head(out, 0xc0, length);
}

/// `items` as a list.
pub fn list(items: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(items.len() + 4);
    put_list_head(&mut out, items.len());
    out.extend_from_slice(items);
    out
}

fn put_head(out: &mut Vec<u8>, base: u8, length: usize) {
    if length < 56 {
        out.push(base + length as u8);
        return;
    }
    let bytes = (length as u64).to_be_bytes();
    let short = trimmed(&bytes);
    out.push(base + 55 + short.len() as u8);
    out.extend_from_slice(short);
}

pub fn trimmed(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    &bytes[zeros..]
}

/// One item as it is in its surroundings.
pub struct Item<'a> {
    pub is_list: bool,
    pub payload: &'a [u8],
}

/// The first item of `bytes` and what follows it; None if the bytes aren't RLP.
pub fn split(bytes: &[u8]) -> Option<(Item<'_>, &[u8])> {
    let first = *bytes.first()?;
    let (is_list, head, length) = match first {
        0x00..=0x7f => (false, 0, 1),
        0x80..=0xb7 => (false, 1, (first - 0x80) as usize),
        0xb8..=0xbf => long(bytes, false, first - 0xb7)?,
        0xc0..=0xf7 => (true, 1, (first - 0xc0) as usize),
        0xf8..=0xff => long(bytes, true, first - 0xf7)?,
    };
    let end = head + length;
    let payload = bytes.get(head..end)?;
    Some((Item { is_list, payload }, &bytes[end..]))
}

fn long(bytes: &[u8], is_list: bool, count: u8) -> Option<(bool, usize, usize)> {
    let digits = bytes.get(1..1 + count as usize)?;
    if digits.len() > 4 {
        return None;
    }
    let length = digits.iter().fold(0usize, |sum, digit| (sum << 8) | *digit as usize);
    let head = 1 + digits.len();
    head.checked_add(length)?;
    Some((is_list, head, length))
}
