//! revm's machine with changes that keep its work in step with gas: init code, whose length CREATE's price doesn't count, is
//! searched for jump destinations only when it jumps; EXP takes four bits of the exponent at a time. A call runs in slices,
//! between which the host can end it.

use crate::arithmetic::wrapping_power;
use crate::boundary::host;
use crate::common::run_common;
use crate::error::EngineError;
use crate::trace::{CallStart, Tracer, Watch};
use core::ptr;
use revm::bytecode::opcode::{EXP, JUMP, JUMPI};
use revm::bytecode::{Bytecode, JumpTable};
use revm::context::result::{EVMError, ExecResultAndState, ExecutionResult};
use revm::context::{BlockEnv, CfgEnv, Context, ContextTr, FrameStack, Journal, JournalTr, TxEnv};
use revm::context_interface::CreateScheme;
use revm::context_interface::context::ContextError;
use revm::database_interface::Database;
use revm::handler::evm::{ContextDbError, FrameInitResult};
use revm::handler::instructions::EthInstructions;
use revm::handler::{
    EthFrame, EthPrecompiles, EvmTr, FrameInitOrResult, FrameResult, Handler, ItemOrResult, MainBuilder, MainnetEvm,
    MainnetHandler,
};
use revm::interpreter::interpreter::{EthInterpreter, ExtBytecode};
use revm::interpreter::interpreter_action::FrameInit;
use revm::interpreter::interpreter_types::{InputsTr, Jumps};
use revm::interpreter::{
    CreateInputs, FrameInput, GasTable, Host, Instruction, InstructionContext, InstructionResult, InstructionTable, Interpreter,
};
use revm::primitives::{Bytes, U256};
use revm::state::EvmState;

/// More than the memory that a block's gas pays for; longer code is searched immediately.
const MAX_UNSEARCHED_BYTES: usize = 24 << 20;

thread_local! {
    /// Stands for the jump destinations of code that wasn't searched; recognized by address, not by content. Created on first
    /// use: a constant would be in the module's file, zero by zero.
    static NOT_SEARCHED: &'static [u8] = vec![0; MAX_UNSEARCHED_BYTES / 8].leak();
}

/// Zeros after the code: what the longest PUSH in its last byte would read, and a STOP.
const PADDING: usize = 33;

/// Instructions per slice, and between two queries to the host: under a millisecond for any program.
const STEPS_PER_SLICE: u32 = 4096;

type Frame = EthFrame<EthInterpreter>;
type Surroundings<DB> = Context<BlockEnv, TxEnv, CfgEnv, DB, Journal<DB>, ()>;
type Failure<DB> = EVMError<<DB as Database>::Error>;

/// Executes transactions one after another.
pub struct Machine<DB: Database> {
    evm: MainnetEvm<Surroundings<DB>>,
    /// The host is asked now and then whether to continue.
    is_watched: bool,
    /// Since the host was last asked.
    steps: u32,
    /// The last one that revm ran.
    last: Step,
    /// The one that ended the transaction's own call with an error. Unknown with a tracer.
    failed: Option<Step>,
    /// Told of what the next transaction does.
    tracer: Option<Tracer>,
}

/// An instruction before it ran.
#[derive(Clone, Copy, Default)]
pub struct Step {
    pub opcode: u8,
    /// Words on the stack.
    pub height: usize,
}

impl<DB: Database<Error = EngineError>> Machine<DB> {
    pub fn new(context: Surroundings<DB>, is_watched: bool) -> Self {
        let mut evm = context.build_mainnet();
        let table = evm.instruction.instruction_table_mut();
        table[JUMP as usize] = Instruction::new(jump);
        table[JUMPI as usize] = Instruction::new(jump_if);
        table[EXP as usize] = Instruction::new(exp);
        Self {
            evm,
            is_watched,
            steps: 0,
            last: Step::default(),
            failed: None,
            tracer: None,
        }
    }

    /// The same, for one transaction that `tracer` watches.
    pub fn traced(context: Surroundings<DB>, tracer: Tracer) -> Self {
        let mut machine = Self::new(context, true);
        machine.tracer = Some(tracer);
        machine
    }

    pub fn take_tracer(&mut self) -> Option<Tracer> {
        self.tracer.take()
    }

    pub fn state(&mut self) -> &mut DB {
        self.evm.ctx.db_mut()
    }

    /// What it did and changed; the state itself stays as it was. The result of a run that the host ended means nothing.
    pub fn transact(&mut self, tx: TxEnv) -> Result<ExecResultAndState<ExecutionResult, EvmState>, Failure<DB>> {
        self.evm.ctx.tx = tx;
        self.failed = None;
        let done = MainnetHandler::<Self, Failure<DB>, Frame>::default().run(self);
        // Even after a failure: the journal must be empty for the next one.
        let state = self.evm.ctx.journal_mut().finalize();
        Ok(ExecResultAndState::new(done?, state))
    }

    /// The instruction at which the last transaction's own code failed; None if it didn't, or failed otherwise.
    pub fn failed_step(&self) -> Option<Step> {
        self.failed
    }

    /// Runs a slice of the innermost call. True if the call waits for another one, or has ended.
    fn has_run_slice(&mut self) -> bool {
        let is_over = self.is_over();
        let frame = self.evm.frame_stack.get();
        let is_outermost = frame.depth == 0;
        let interpreter = &mut frame.interpreter;
        if is_over {
            interpreter.halt_oog();
            return true;
        }
        let instructions = &self.evm.instruction;
        let tables = (instructions.instruction_table(), instructions.gas_table());
        let context = &mut self.evm.ctx;
        let (steps, end) = match &mut self.tracer {
            Some(tracer) if tracer.watch() != Watch::None => {
                let depth = frame.depth + 1;
                let run = run_traced_slice(interpreter, tables, context, (tracer, depth));
                run.unwrap_or_else(|error| {
                    context.error = Err(ContextError::Db(error));
                    (0, Some(InstructionResult::FatalExternalError))
                })
            }
            _ => run_slice(interpreter, tables, context, &mut self.last),
        };
        self.steps = self.steps.saturating_add(steps);
        if let Some(reason) = end
            && interpreter.bytecode.action.is_none()
        {
            interpreter.halt(reason);
            if is_outermost {
                self.failed = Some(self.last);
            }
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

    /// What the tracer is told of a call before it begins.
    fn start_of(&mut self, init: &FrameInit) -> Option<CallStart> {
        let tracer = self.tracer.as_ref()?;
        let stack = &mut self.evm.frame_stack;
        let caller = stack.index().map(|_| stack.get().interpreter.input.target_address());
        Some(tracer.start_of(&init.frame_input, caller, &self.evm.ctx))
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

impl<DB: Database<Error = EngineError>> EvmTr for Machine<DB> {
    type Context = Surroundings<DB>;
    type Instructions = EthInstructions<EthInterpreter, Surroundings<DB>>;
    type Precompiles = EthPrecompiles;
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
        let start = self.start_of(&init);
        let code = match &mut init.frame_input {
            FrameInput::Create(inputs) => taken_code(inputs),
            _ => Bytes::new(),
        };
        let result = match self.evm.frame_init(init)? {
            ItemOrResult::Result(result) => Some(result),
            ItemOrResult::Item(frame) => {
                if !code.is_empty() {
                    frame.interpreter.bytecode = ExtBytecode::new(unsearched(code));
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
        while !self.has_run_slice() {}
        let frame = self.evm.frame_stack.get();
        let action = frame.interpreter.take_next_action();
        let next = frame.process_next_action(&mut self.evm.ctx, action);
        if let Ok(ItemOrResult::Result(result)) = &next {
            frame.set_finished(true);
            if let Some(tracer) = &mut self.tracer {
                tracer.end(result);
            }
        }
        next
    }

    #[inline(never)]
    fn frame_return_result(&mut self, result: FrameResult) -> Result<Option<FrameResult>, ContextDbError<Self::Context>> {
        self.evm.frame_return_result(result)
    }
}

/// Runs about STEPS_PER_SLICE instructions; returns how many, and why the call pauses or ends.
///
/// A function of its own, and called often: V8 begins with slow code, and does not exchange it under a call that runs.
#[inline(never)]
fn run_slice<H: Host + ?Sized>(
    interpreter: &mut Interpreter,
    (instructions, prices): (&InstructionTable<EthInterpreter, H>, &GasTable),
    context: &mut H,
    failing: &mut Step,
) -> (u32, Option<InstructionResult>) {
    let mut steps = 0;
    while steps < STEPS_PER_SLICE {
        steps += run_common(interpreter, STEPS_PER_SLICE - steps);
        failing.height = interpreter.stack.len();
        failing.opcode = interpreter.bytecode.opcode();
        steps += 1;
        if let Err(reason) = interpreter.step(instructions, prices, context) {
            return (steps, Some(reason));
        }
    }
    (steps, None)
}

/// The same, telling the tracer of what it watches.
#[inline(never)]
fn run_traced_slice<DB: Database<Error = EngineError>>(
    interpreter: &mut Interpreter,
    (instructions, prices): (&InstructionTable<EthInterpreter, Surroundings<DB>>, &GasTable),
    context: &mut Surroundings<DB>,
    (tracer, depth): (&mut Tracer, usize),
) -> Result<(u32, Option<InstructionResult>), EngineError> {
    let mut steps = 0;
    while steps < STEPS_PER_SLICE {
        if tracer.watch() != Watch::All {
            steps += run_common(interpreter, STEPS_PER_SLICE - steps);
        }
        steps += 1;
        let op = interpreter.bytecode.opcode();
        tracer.before(interpreter, depth, &mut context.journaled_state)?;
        let end = interpreter.step(instructions, prices, context).err();
        tracer.after(op, interpreter, end)?;
        if end.is_some() {
            return Ok((steps, end));
        }
    }
    Ok((steps, None))
}

/// Takes the init code out before revm searches it; the address, which may depend on it, stays the same.
fn taken_code(inputs: &mut CreateInputs) -> Bytes {
    if let CreateScheme::Create2 { .. } = inputs.scheme() {
        // The nonce doesn't matter here.
        let address = inputs.created_address(0);
        inputs.set_scheme(CreateScheme::Custom { address });
    }
    let code = inputs.init_code().clone();
    inputs.set_init_code(Bytes::new());
    code
}

fn unsearched(code: Bytes) -> Bytecode {
    let length = code.len();
    if length > MAX_UNSEARCHED_BYTES {
        return Bytecode::new_legacy(code);
    }
    let table = JumpTable::from_static_slice(NOT_SEARCHED.with(|zeros| *zeros), MAX_UNSEARCHED_BYTES);
    // SAFETY: behind each byte that can be an instruction lie PADDING bytes, and the last is a STOP.
    unsafe { Bytecode::new_analyzed(padded(code), length, table) }
}

fn padded(code: Bytes) -> Bytes {
    let is_padded = code.len() >= PADDING && code[code.len() - PADDING..].iter().all(|byte| *byte == 0);
    if is_padded {
        return code;
    }
    let mut longer = Vec::with_capacity(code.len() + PADDING);
    longer.extend_from_slice(&code);
    longer.resize(code.len() + PADDING, 0);
    longer.into()
}

fn jump<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let [target] = context.interpreter.stack.popn().ok_or(InstructionResult::StackUnderflow)?;
    jump_to(&mut context.interpreter.bytecode, target)
}

fn jump_if<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let [target, condition] = context.interpreter.stack.popn().ok_or(InstructionResult::StackUnderflow)?;
    if condition.is_zero() {
        return Ok(());
    }
    jump_to(&mut context.interpreter.bytecode, target)
}

#[inline(always)]
fn jump_to(code: &mut ExtBytecode, target: U256) -> Result<(), InstructionResult> {
    let target = usize::try_from(target).unwrap_or(usize::MAX);
    if !code.is_valid_legacy_jump(target) && !is_found(code, target) {
        return Err(InstructionResult::InvalidJump);
    }
    code.absolute_jump(target);
    Ok(())
}

/// Searches code that hasn't been searched. False if it has been: then the destination is bad.
#[cold]
fn is_found(code: &mut ExtBytecode, target: usize) -> bool {
    let is_unsearched = |table: &JumpTable| NOT_SEARCHED.with(|zeros| ptr::eq(table.as_slice(), *zeros));
    if !code.legacy_jump_table().is_some_and(is_unsearched) {
        return false;
    }
    let at = code.pc();
    *code = ExtBytecode::new(Bytecode::new_legacy(code.original_bytes()));
    code.absolute_jump(at);
    code.is_valid_legacy_jump(target)
}

fn exp<H: Host + ?Sized>(context: InstructionContext<'_, H, EthInterpreter>) -> Result<(), InstructionResult> {
    let stack = &mut context.interpreter.stack;
    let ([base], exponent) = stack.popn_top::<1>().ok_or(InstructionResult::StackUnderflow)?;
    if !context
        .interpreter
        .gas
        .record_regular_cost(context.host.gas_params().exp_cost(*exponent))
    {
        return Err(InstructionResult::OutOfGas);
    }
    *exponent = wrapping_power(base, *exponent);
    Ok(())
}
