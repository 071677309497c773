//! Memory that the host writes to and reads from. One call runs at a time; a result stays until the next one.

use std::cell::RefCell;
use std::mem::MaybeUninit;

thread_local! {
    static RESULT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    static LAST_WORDS: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic leaves its text for the host, which would otherwise only see a trap.
pub fn keep_last_words() {
    std::panic::set_hook(Box::new(|info| {
        LAST_WORDS.with(|words| *words.borrow_mut() = info.to_string())
    }));
}

/// Address of the text of the panic that ended this instance.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_pointer() -> *const u8 {
    LAST_WORDS.with(|words| words.borrow().as_ptr())
}

/// 0 if there was none.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> usize {
    LAST_WORDS.with(|words| words.borrow().len())
}

/// Keeps `bytes` for the host to read.
pub fn set_result(bytes: Vec<u8>) {
    RESULT.with(|result| *result.borrow_mut() = bytes);
}

/// Address of the last result.
#[unsafe(no_mangle)]
pub extern "C" fn result_pointer() -> *const u8 {
    RESULT.with(|result| result.borrow().as_ptr())
}

#[unsafe(no_mangle)]
pub extern "C" fn result_length() -> usize {
    RESULT.with(|result| result.borrow().len())
}

/// Allocates `length` bytes, which the host writes; freed by the function that takes them, or by `release`.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    let bytes = Box::<[u8]>::new_uninit_slice(length);
    Box::into_raw(bytes).cast()
}

/// Frees what `reserve` returned.
///
/// # Safety
/// `pointer` must come from `reserve(length)` and not be used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(pointer: *mut u8, length: usize) {
    let bytes = core::ptr::slice_from_raw_parts_mut(pointer.cast::<MaybeUninit<u8>>(), length);
    // SAFETY: `reserve` made it from a boxed slice of this length, and nobody uses it again.
    drop(unsafe { Box::from_raw(bytes) });
}

/// The bytes that the host wrote into memory from `reserve`.
///
/// # Safety
/// `pointer` must come from `reserve(length)`, all of it must be written, and it must not be used again.
pub unsafe fn taken(pointer: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: `reserve` made it from a boxed slice of this length, and nobody uses it again.
    unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(pointer, length)) }
}

pub mod host {
    //! What the module asks of its host while it runs.

    use crate::error::EngineError;
    use revm::primitives::B256;
    use std::cell::{Cell, RefCell};

    #[cfg(test)]
    use crate::tests::host::{ancestor, ask_hashes, ask_power, ask_rounds, ask_sha256, ask_tell, read, recover, stopped, write};

    /// Bytes of this memory, as the host reads them.
    #[repr(C)]
    pub struct Range {
        pub at: *const u8,
        pub length: usize,
    }

    impl Range {
        fn of(bytes: &[u8]) -> Self {
            Self {
                at: bytes.as_ptr(),
                length: bytes.len(),
            }
        }
    }

    #[cfg(not(test))]
    #[link(wasm_import_module = "host")]
    // SAFETY: `instance.ts` has these functions with these numbers of arguments, and stays within the ranges that it is given.
    unsafe extern "C" {
        /// Recovers the signer's key: 32 bytes digest, 64 bytes r and s, 1 byte parity are at `pointer`; the key's 64 bytes are
        /// written there. 0 if no key made the signature.
        fn recover(pointer: *mut u8) -> u32;

        /// Reads the value of a key into `out` as far as it has room. The value's length, -1 if the key is absent, -2 if the read
        /// failed: the host keeps the reason, and nothing may be decided then.
        fn read(key: *const u8, key_length: usize, out: *mut u8, room: usize) -> i32;

        /// Writes the hash of ancestor `number` into 32 bytes at `out`. 0 if it is unknown, which the host remembers.
        fn ancestor(number: f64, out: *mut u8) -> u32;

        /// Not 0 if the running transaction is to be given up.
        fn stopped() -> u32;

        /// Base to the power of the exponent modulo the modulus, whose addresses and lengths are at `numbers`; written into the
        /// last of `room` bytes at `out`. 0 if it was stopped.
        #[link_name = "power"]
        fn ask_power(numbers: *const [Range; 3], out: *mut u8, room: usize) -> u32;

        /// Takes a part of a long text. 0 if nobody wants the rest.
        fn write(text: *const u8, length: usize) -> u32;

        /// News of a traced transaction, see `trace/told.rs`. 0 ends it.
        #[link_name = "tell"]
        fn ask_tell(kind: u32, bytes: *const u8, length: usize) -> u32;

        /// `tens` times ten rounds of BLAKE2b: 16 words of the state, changed in place, and 16 of the message are at `words`.
        /// 0 if the host can't, and nothing has changed.
        #[link_name = "rounds"]
        fn ask_rounds(words: *mut u64, tens: u32) -> u32;

        /// Keccak-256 of `count` messages into 32 bytes each at `out`. 0 if the host can't, and nothing has changed.
        #[link_name = "hashes"]
        fn ask_hashes(messages: *const Range, count: usize, out: *mut B256) -> u32;

        /// SHA-256 of a message into 32 bytes at `out`. 0 if the host can't, and nothing has changed.
        #[link_name = "sha256"]
        fn ask_sha256(bytes: *const u8, length: usize, out: *mut [u8; 32]) -> u32;
    }

    thread_local! {
        static WAS_STOPPED: Cell<bool> = const { Cell::new(false) };
    }

    const ROOM: usize = 32 * 1024;

    thread_local! {
        static SCRATCH: RefCell<Vec<u8>> = RefCell::new(vec![0; ROOM]);
    }

    /// The value under `letter`, `first`, `second`; None if it is absent.
    pub fn read_value(letter: u8, first: &[u8], second: &[u8]) -> Result<Option<Vec<u8>>, EngineError> {
        let mut key = [0u8; 64];
        let length = 1 + first.len() + second.len();
        key[0] = letter;
        key[1..1 + first.len()].copy_from_slice(first);
        key[1 + first.len()..length].copy_from_slice(second);
        SCRATCH.with(|scratch| {
            let mut room = scratch.borrow_mut();
            loop {
                // SAFETY: `key` has `length` bytes, `room` as many as it says.
                let found = unsafe { read(key.as_ptr(), length, room.as_mut_ptr(), room.len()) };
                match found {
                    -1 => return Ok(None),
                    found if found < 0 => return Err(EngineError::Host),
                    found if found as usize <= room.len() => return Ok(Some(room[..found as usize].to_vec())),
                    found => room.resize(found as usize, 0),
                }
            }
        })
    }

    /// How many bytes that value has; None if it is absent.
    pub fn value_length(letter: u8, name: &[u8]) -> Result<Option<usize>, EngineError> {
        let key = [&[letter], name].concat();
        // SAFETY: there is no room, so nothing is written.
        match unsafe { read(key.as_ptr(), key.len(), core::ptr::dangling_mut(), 0) } {
            -1 => Ok(None),
            found if found < 0 => Err(EngineError::Host),
            found => Ok(Some(found as usize)),
        }
    }

    pub fn ancestor_hash(number: u64) -> Result<B256, EngineError> {
        let mut hash = B256::ZERO;
        // SAFETY: a hash has 32 bytes.
        let found = unsafe { ancestor(number as f64, hash.as_mut_ptr()) };
        if found == 0 { Err(EngineError::Host) } else { Ok(hash) }
    }

    /// Asks the host; once it says yes, the running work is over.
    pub fn is_stopped() -> bool {
        // SAFETY: it has no arguments.
        if unsafe { stopped() != 0 } {
            WAS_STOPPED.set(true);
        }
        was_stopped()
    }

    /// Ends the running work, whatever the host says; it is asked, so that it knows.
    pub fn give_up() {
        is_stopped();
        WAS_STOPPED.set(true);
    }

    /// Whether the running work is over since `begin`.
    pub fn was_stopped() -> bool {
        WAS_STOPPED.get()
    }

    /// Call before work that the host can stop.
    pub fn begin() {
        WAS_STOPPED.set(false);
    }

    /// Hands on a part of a long text. False if nobody wants the rest: then the running work is over.
    pub fn write_text(text: &[u8]) -> bool {
        // SAFETY: the text is a slice.
        let goes_on = unsafe { write(text.as_ptr(), text.len()) != 0 };
        if !goes_on {
            WAS_STOPPED.set(true);
        }
        goes_on
    }

    /// Tells the host's own tracer something; from then on the running work may be over.
    pub fn tell(kind: u32, bytes: &[u8]) {
        if was_stopped() {
            return;
        }
        // SAFETY: the bytes are a slice.
        if unsafe { ask_tell(kind, bytes.as_ptr(), bytes.len()) } == 0 {
            WAS_STOPPED.set(true);
        }
    }

    /// For long numbers. False if the host stopped it; `out` is undefined then.
    pub fn power(base: &[u8], exponent: &[u8], modulus: &[u8], out: &mut [u8]) -> bool {
        let numbers = [base, exponent, modulus].map(Range::of);
        // SAFETY: three slices, and the one that is written to.
        let done = unsafe { ask_power(&numbers, out.as_mut_ptr(), out.len()) != 0 };
        if !done {
            WAS_STOPPED.set(true);
        }
        done
    }

    /// Ten rounds of BLAKE2b, `tens` times. False if the host can't: then nothing has changed.
    pub fn rounds(tens: u32, state: &mut [u64; 16], message: &[u64; 16]) -> bool {
        let mut words = [0u64; 32];
        words[..16].copy_from_slice(state);
        words[16..].copy_from_slice(message);
        // SAFETY: there are 32 words.
        let done = unsafe { ask_rounds(words.as_mut_ptr(), tens) != 0 };
        if done {
            state.copy_from_slice(&words[..16]);
        }
        done
    }

    /// Keccak-256 of each message, into an `out` of the same length. False if the host can't: then nothing has changed.
    pub fn hashes(messages: &[&[u8]], out: &mut [B256]) -> bool {
        let ranges: Vec<Range> = messages.iter().map(|message| Range::of(message)).collect();
        let count = ranges.len().min(out.len());
        // SAFETY: there are `count` ranges, each of a slice, and room for as many hashes.
        unsafe { ask_hashes(ranges.as_ptr(), count, out.as_mut_ptr()) != 0 }
    }

    /// SHA-256 of a message. None if the host can't.
    pub fn sha256(message: &[u8]) -> Option<[u8; 32]> {
        let mut hash = [0; 32];
        // SAFETY: the message is a slice, and there are 32 bytes for the hash.
        let done = unsafe { ask_sha256(message.as_ptr(), message.len(), &mut hash) != 0 };
        done.then_some(hash)
    }

    /// The 64 bytes of the key that made `signature`.
    pub fn recovered_key(digest: &[u8; 32], signature: &[u8; 64], parity: u8) -> Option<[u8; 64]> {
        let mut bytes = [0u8; 97];
        bytes[..32].copy_from_slice(digest);
        bytes[32..96].copy_from_slice(signature);
        bytes[96] = parity;
        // SAFETY: there are 97 bytes.
        let found = unsafe { recover(bytes.as_mut_ptr()) };
        if found == 0 {
            return None;
        }
        bytes[..64].try_into().ok()
    }
}
