//! Execution of blocks and calls under this chain's rules (Berlin), built to WebAssembly for `src/node/execution/wasm`.
//! Only numbers and byte ranges of the module's memory cross the boundary; see that folder for the other side.

#[cfg(not(any(test, target_arch = "wasm32")))]
compile_error!("the engine is built to WebAssembly by tools/build-engine.mjs; natively there are its tests only");

mod account;
mod arithmetic;
mod block;
mod boundary;
mod bytecode;
mod call;
mod codec;
mod error;
mod finish;
mod generations;
mod keccak;
mod machine;
mod message;
mod precompiles;
mod receipts;
mod rlp;
mod state;
#[cfg(test)]
mod tests;
mod trace;
mod transition;
mod trie;

/// The first call after the module was instantiated.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    boundary::keep_last_words();
    arithmetic::install();
}
