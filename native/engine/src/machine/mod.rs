//! revm's machine with changes that keep its work in step with gas: init code, whose length CREATE's price doesn't count, is
//! searched for jump destinations only when it jumps; EXP takes four bits of the exponent at a time. A call runs in slices,
//! between which the host can end it.

mod common;
mod jumps;
pub mod kept;
mod slices;
mod words;

use self::jumps::{code_size, exp, jump, jump_if, taken_code};
use self::slices::{StepBudget, run_bounded_slice, run_slice, run_traced_slice};
use crate::boundary::host;
use crate::bytecode::raw;
use crate::codec::Reader;
use crate::error::EngineError;
use crate::precompiles::Contracts;
use crate::state::State;
use crate::trace::{CallStart, Tracer, Watch};
use core::mem::swap;
use revm::bytecode::opcode::{EXP, EXTCODESIZE, JUMP, JUMPI};
use revm::context::result::{EVMError, ExecResultAndState, ExecutionResult};
use revm::context::{BlockEnv, CfgEnv, Context, ContextTr, Evm, FrameStack, Journal, JournalTr, TxEnv};
use revm::context_interface::context::ContextError;
use revm::database_interface::Database;
use revm::handler::evm::{ContextDbError, FrameInitResult};
use revm::handler::instructions::EthInstructions;
use revm::handler::{
    EthFrame, EvmTr, FrameInitOrResult, FrameResult, Handler, ItemOrResult, MainBuilder, MainContext, MainnetHandler,
};
use revm::interpreter::interpreter::{EthInterpreter, ExtBytecode};
use revm::interpreter::interpreter_action::FrameInit;
use revm::interpreter::interpreter_types::InputsTr;
use revm::interpreter::{FrameInput, Instruction, InstructionResult};
use revm::precompile::u64_to_address;
use revm::primitives::hardfork::SpecId;
use revm::primitives::{Address, Bytes, U256};
use revm::state::{Account, EvmState, EvmStorageSlot};

/// Instructions per slice, and between two queries to the host: under a millisecond for any program.
const STEPS_PER_SLICE: u32 = 4096;

/// What counts as steps in a bounded machine besides instructions: a call that begins, and each word that a built-in contract
/// reads or a tracer writes.
const STEPS_PER_CALL: u32 = 16;
const STEPS_PER_WORD: u32 = 3;

/// What a bounded machine runs of the built-in contracts: SHA-256 and identity. The others may take milliseconds.
const QUICK: [u64; 2] = [2, 4];

/// Memory of all calls in a bounded machine: what a single instruction can hash or copy.
const BOUNDED_MEMORY: u64 = 64 << 10;

type Frame = EthFrame<EthInterpreter>;
type Surrounded = Context<BlockEnv, TxEnv, CfgEnv, State, Journal<State>, ()>;
type Failure = EVMError<EngineError>;

pub type ExecutionOutcome = ExecResultAndState<ExecutionResult, EvmState>;

/// The block and chain that transactions run in.
#[derive(Clone)]
pub struct BlockContext {
    pub block: BlockEnv,
    pub chain_id: u64,
}

impl BlockContext {
    pub fn read(from: &mut Reader<'_>) -> Self {
        let block = BlockEnv {
            number: U256::from(from.long()),
            timestamp: U256::from(from.long()),
            beneficiary: from.address(),
            difficulty: from.word(),
            gas_limit: from.long(),
            basefee: 0,
            blob_excess_gas_and_price: None,
            ..Default::default()
        };
        let chain_id = from.long();
        Self { block, chain_id }
    }
}

/// What a transaction must keep to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rules {
    /// A block's.
    Block,
    /// A message may come from a contract, and have more gas than a block.
    Message,
}

/// Executes transactions one after another, on a state that it is lent.
pub struct Machine {
    evm: Evm<Surrounded, (), EthInstructions<EthInterpreter, Surrounded>, Contracts, Frame>,
    /// The host is asked now and then whether to continue.
    is_watched: bool,
    /// Steps follow time closely, and what takes long on its own ends the run.
    is_bounded: bool,
    /// Since the host was last asked.
    steps: u32,
    /// Told of what the next transaction does.
    tracer: Option<Tracer>,
    /// Calls within calls, at most, so far.
    deepest: usize,
}

/// A slot's value in place of the stored one, which stays its value before the transaction.
pub struct ChangedSlot {
    pub address: Address,
    pub key: U256,
    pub value: U256,
}

impl Machine {
    pub fn new(is_watched: bool) -> Self {
        let context: Surrounded = Context::mainnet()
            .with_db(State::new())
            .modify_cfg_chained(|cfg| cfg.set_spec_and_mainnet_gas_params(SpecId::BERLIN));
        let mut evm = context.build_mainnet().with_precompiles(Contracts::new());
        let table = evm.instruction.instruction_table_mut();
        table[JUMP as usize] = Instruction::new(jump);
        table[JUMPI as usize] = Instruction::new(jump_if);
        table[EXP as usize] = Instruction::new(exp);
        table[EXTCODESIZE as usize] = Instruction::new(code_size);
        Self {
            evm,
            is_watched,
            is_bounded: false,
            steps: 0,
            tracer: None,
            deepest: 0,
        }
    }

    /// From now on `tracer` watches, until it is taken back.
    pub fn set_tracer(&mut self, tracer: Tracer) {
        self.tracer = Some(tracer);
    }

    /// For a thread that must not wait: between two queries to the host, a bounded machine works for a millisecond at most,
    /// whatever the program does. It gives up where that can't be kept.
    pub fn set_bounded(&mut self, is_bounded: bool) {
        self.is_bounded = is_bounded;
        self.evm.ctx.cfg.memory_limit = if is_bounded { BOUNDED_MEMORY } else { u64::MAX };
    }

    /// Where the next transactions run.
    pub fn set_env(&mut self, within: BlockContext, rules: Rules) {
        let BlockContext { block, chain_id } = within;
        let context = &mut self.evm.ctx;
        context.block = block;
        context.cfg.chain_id = chain_id;
        context.cfg.disable_eip3607 = rules == Rules::Message;
        context.cfg.disable_block_gas_limit = rules == Rules::Message;
        context.cfg.disable_nonce_check = rules == Rules::Message;
        context.error = Ok(());
        self.steps = 0;
    }

    /// Where the next message has the built-in contracts.
    pub fn contracts(&mut self) -> &mut Contracts {
        &mut self.evm.precompiles
    }

    /// Lends it the state.
    pub fn with_state<T>(&mut self, state: &mut State, body: impl FnOnce(&mut Self) -> T) -> T {
        swap(state, self.state());
        let result = body(self);
        swap(state, self.state());
        result
    }

    /// Calls within calls, at most, and bytes of memory that it has kept.
    pub fn size(&self) -> (usize, usize) {
        (self.deepest, self.evm.ctx.local.shared_memory_buffer.borrow().capacity())
    }

    pub fn take_tracer(&mut self) -> Option<Tracer> {
        self.tracer.take()
    }

    pub fn state(&mut self) -> &mut State {
        self.evm.ctx.db_mut()
    }

    /// What it did and changed; the state itself stays as it was. The result of a run that the host ended means nothing.
    /// `changed`: slots that count as changed by the transaction itself, before its first instruction.
    pub fn transact(&mut self, tx: TxEnv, changed: &[ChangedSlot]) -> Result<ExecutionOutcome, Failure> {
        for slot in changed {
            self.put_changed(slot)?;
        }
        self.evm.ctx.tx = tx;
        let done = MainnetHandler::<Self, Failure, Frame>::default().run(self);
        // Even after a failure: the journal must be empty for the next one.
        let state = self.evm.ctx.journal_mut().finalize();
        Ok(ExecResultAndState::new(done?, state))
    }

    /// The slot and its account stay cold.
    fn put_changed(&mut self, changed: &ChangedSlot) -> Result<(), EngineError> {
        let ChangedSlot { address, key, value } = *changed;
        let original = self.state().storage(address, key)?;
        let info = self.state().basic(address)?;
        let journal = &mut self.evm.ctx.journaled_state.inner;
        let id = journal.transaction_id;
        let account = journal.state.entry(address).or_insert_with(|| {
            let mut account = match info {
                Some(info) => Account::default().with_info(info),
                None => Account::new_not_existing(id),
            };
            account.transaction_id = id;
            account.mark_cold();
            account
        });
        let mut slot = EvmStorageSlot::new_changed(original, value, id);
        slot.mark_cold();
        account.storage.insert(key, slot);
        Ok(())
    }

    /// Runs a slice of the innermost call. True if the call waits for another one, or has ended.
    fn run_slice(&mut self) -> bool {
        let is_over = self.is_over();
        let frame = self.evm.frame_stack.get();
        let interpreter = &mut frame.interpreter;
        if is_over {
            interpreter.halt_oog();
            return true;
        }
        let instructions = &self.evm.instruction;
        let tables = (instructions.instruction_table(), instructions.gas_table());
        let context = &mut self.evm.ctx;
        let left = STEPS_PER_SLICE.saturating_sub(if self.is_bounded { self.steps } else { 0 });
        let (steps, end) = match &mut self.tracer {
            Some(tracer) if tracer.watch() != Watch::None => {
                let budget = StepBudget {
                    steps: left,
                    is_bounded: self.is_bounded,
                };
                let run = run_traced_slice(interpreter, tables, context, (tracer, frame.depth + 1, budget));
                run.unwrap_or_else(|error| {
                    context.error = Err(ContextError::Db(error));
                    (0, Some(InstructionResult::FatalExternalError))
                })
            }
            _ if self.is_bounded => run_bounded_slice(interpreter, tables, context, left),
            _ => run_slice(interpreter, tables, context),
        };
        self.steps = self.steps.saturating_add(steps);
        if end == Some(InstructionResult::MemoryLimitOOG) {
            host::give_up();
        }
        if let Some(reason) = end
            && interpreter.bytecode.action.is_none()
        {
            interpreter.halt(reason);
        }
        end.is_some()
    }

    fn is_over(&mut self) -> bool {
        if !self.is_watched {
            return false;
        }
        if self.tracer.as_ref().is_some_and(Tracer::is_full) {
            return true;
        }
        if self.steps < STEPS_PER_SLICE {
            return host::was_stopped();
        }
        self.steps = 0;
        host::is_stopped()
    }

    /// Calls in a bounded machine. Built-in contracts that aren't quick end the run, and get no gas to begin with. Such a
    /// contract reads its input, and a tracer writes every call's.
    fn bound_contract(&mut self, input: &mut FrameInput) {
        let FrameInput::Call(inputs) = input else {
            return;
        };
        self.steps = self.steps.saturating_add(STEPS_PER_CALL);
        let built_in = self.evm.precompiles.at(&inputs.bytecode_address);
        if built_in.is_some() || self.tracer.is_some() {
            let words = inputs.input.len().div_ceil(32) as u32;
            self.steps = self.steps.saturating_add(words.saturating_mul(STEPS_PER_WORD));
        }
        let Some(built_in) = built_in else {
            return;
        };
        let is_quick = QUICK.iter().any(|number| built_in == u64_to_address(*number));
        if !is_quick {
            host::give_up();
        }
        if !is_quick || self.is_over() {
            inputs.gas_limit = 0;
        }
    }

    /// What the tracer is told of a call before it begins.
    fn start_of(&mut self, init: &FrameInit) -> Option<CallStart> {
        let tracer = self.tracer.as_ref()?;
        let stack = &mut self.evm.frame_stack;
        let caller = stack.index().map(|_| stack.get().interpreter.input.target_address());
        let mut start = tracer.start_of(&init.frame_input, caller, &self.evm.ctx);
        start.built_in = self.evm.precompiles.at(&start.to);
        Some(start)
    }

    /// Tells the tracer how the call began, or that it is already over.
    fn tell_start(&mut self, mut start: CallStart, result: Option<&FrameResult>) -> Result<(), EngineError> {
        let Some(tracer) = &mut self.tracer else {
            return Ok(());
        };
        let journal = &mut self.evm.ctx.journaled_state;
        let stack = &mut self.evm.frame_stack;
        if let Some(result) = result {
            return tracer.pass(start, result, journal);
        }
        let frame = stack.get();
        if frame.data.is_create() {
            start.to = frame.interpreter.input.target_address();
        }
        tracer.begin(start, journal)
    }
}

impl EvmTr for Machine {
    type Context = Surrounded;
    type Instructions = EthInstructions<EthInterpreter, Surrounded>;
    type Precompiles = Contracts;
    type Frame = Frame;

    fn all(&self) -> (&Self::Context, &Self::Instructions, &Self::Precompiles, &FrameStack<Frame>) {
        self.evm.all()
    }

    fn all_mut(
        &mut self,
    ) -> (
        &mut Self::Context,
        &mut Self::Instructions,
        &mut Self::Precompiles,
        &mut FrameStack<Frame>,
    ) {
        self.evm.all_mut()
    }

    /// Not part of the loop over a transaction's calls, for the same reason as `run_slice`; nor are the next two.
    #[inline(never)]
    fn frame_init(&mut self, mut init: FrameInit) -> Result<FrameInitResult<'_, Frame>, ContextDbError<Self::Context>> {
        self.deepest = self.deepest.max(init.depth);
        if self.is_bounded {
            self.bound_contract(&mut init.frame_input);
        }
        let start = self.start_of(&init);
        let code = match &mut init.frame_input {
            FrameInput::Create(inputs) => taken_code(inputs),
            _ => Bytes::new(),
        };
        let result = match self.evm.frame_init(init)? {
            ItemOrResult::Result(result) => Some(result),
            ItemOrResult::Item(frame) => {
                if !code.is_empty() {
                    frame.interpreter.bytecode = ExtBytecode::new(raw(code));
                }
                None
            }
        };
        if let Some(start) = start {
            self.tell_start(start, result.as_ref()).map_err(ContextError::Db)?;
        }
        Ok(match result {
            Some(result) => ItemOrResult::Result(result),
            None => ItemOrResult::Item(self.evm.frame_stack.get()),
        })
    }

    #[inline(never)]
    fn frame_run(&mut self) -> Result<FrameInitOrResult<Frame>, ContextDbError<Self::Context>> {
        while !self.run_slice() {}
        let frame = self.evm.frame_stack.get();
        let action = frame.interpreter.take_next_action();
        let next = frame.process_next_action(&mut self.evm.ctx, action);
        if let Ok(ItemOrResult::Result(result)) = &next {
            frame.set_finished(true);
            if let Some(tracer) = &mut self.tracer {
                tracer.end(result, &mut self.evm.ctx.journaled_state);
            }
        }
        next
    }

    #[inline(never)]
    fn frame_return_result(&mut self, result: FrameResult) -> Result<Option<FrameResult>, ContextDbError<Self::Context>> {
        self.evm.frame_return_result(result)
    }
}
