// Methods that make other calls: batches, wallets, routers. Sources: Multicall 1 to 3, OpenZeppelin's and Uniswap's
// Multicall, Safe and its MultiSend, ERC-725, ERC-4337 accounts, ERC-6551, Uniswap's Universal Router.
import type { LowerAddress } from '../address'
import type { CallReading, MethodMeaning } from './method'
import { method } from './method'
import { permitBatch, permitSingle } from './token-methods'
import type { Words } from './words'

/** `bytes[]`, each a call to the same contract on behalf of the same sender. */
function ownCalls({ inner, contract, sender, hasRoom }: CallReading, args: Words, index: number): void {
  const { count, items } = args.list(index)
  for (let i = 0; i < count && hasRoom(); i++) inner(items.bytes(i), contract, sender)
}

/** Tuples of a target and its data, at these words of the tuple. */
function targets(call: CallReading, index: number, at: { readonly target: number; readonly data: number }): void {
  const { count, items } = call.args.list(index)
  for (let i = 0; i < count && call.hasRoom(); i++) {
    const each = items.tuple(i)
    call.inner(each.bytes(at.data), each.address(at.target), call.contract)
  }
}

/** Targets in one array, data in another. */
function columns(call: CallReading, target: number, data: number): void {
  const to = call.args.list(target)
  const calls = call.args.list(data)
  for (let i = 0; i < calls.count && call.hasRoom(); i++) {
    call.inner(calls.items.bytes(i), i < to.count ? to.items.address(i) : null, call.contract)
  }
}

const batches: readonly MethodMeaning[] = [
  method('multicall(bytes[])', (call) => ownCalls(call, call.args, 0)),
  method('multicall(uint256,bytes[])', (call) => ownCalls(call, call.args, 1)),
  method('multicall(bytes32,bytes[])', (call) => ownCalls(call, call.args, 1)),
  method('batch(bytes[],bool)', (call) => ownCalls(call, call.args, 0)),
  method('batch(bytes[])', (call) => ownCalls(call, call.args, 0)),
  method('multicall(address[],bytes[])', (call) => columns(call, 0, 1)),
  method('aggregate((address,bytes)[])', (call) => targets(call, 0, { target: 0, data: 1 })),
  method('blockAndAggregate((address,bytes)[])', (call) => targets(call, 0, { target: 0, data: 1 })),
  method('tryAggregate(bool,(address,bytes)[])', (call) => targets(call, 1, { target: 0, data: 1 })),
  method('tryBlockAndAggregate(bool,(address,bytes)[])', (call) => targets(call, 1, { target: 0, data: 1 })),
  method('aggregate3((address,bool,bytes)[])', (call) => targets(call, 0, { target: 0, data: 2 })),
  method('aggregate3Value((address,bool,uint256,bytes)[])', (call) => targets(call, 0, { target: 0, data: 3 })),
]

const PACKED_HEAD = 1 + 20 + 32 + 32

const wallets: readonly MethodMeaning[] = [
  method('execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', (call) =>
    walletCall(call, 3),
  ),
  method('execTransactionFromModule(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execTransactionFromModuleReturnData(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execute(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execute(uint256,address,uint256,bytes)', ({ add, args, inner, contract }) => {
    // ERC-725: operations 3 and 4 run foreign code in the account itself.
    if (args.number(0) === 3n || args.number(0) === 4n) delegated(add, contract, args.address(1))
    inner(args.bytes(3), args.address(1), contract)
  }),
  method('execute(address,uint256,bytes)', (call) => walletCall(call, null)),
  method('exec(address,bytes,uint256)', ({ args, inner, contract }) => inner(args.bytes(1), args.address(0), contract)),
  method('execute(address,bytes)', ({ add, args, inner, contract }) => {
    // DSProxy and the like run the target's code in their own context.
    delegated(add, contract, args.address(0))
    inner(args.bytes(1), args.address(0), contract)
  }),
  method('functionCall(address,bytes)', ({ args, inner, contract }) => inner(args.bytes(1), args.address(0), contract)),
  method('executeBatch(address[],bytes[])', (call) => columns(call, 0, 1)),
  method('executeBatch(address[],uint256[],bytes[])', (call) => columns(call, 0, 2)),
  method('execBatch(address[],bytes[],uint256[])', (call) => columns(call, 0, 1)),
  method('executeBatch((address,uint256,bytes)[])', (call) => targets(call, 0, { target: 0, data: 2 })),
  method('execute((address,uint256,bytes)[])', (call) => targets(call, 0, { target: 0, data: 2 })),
  method('multiSend(bytes)', multiSend),
]

/**
 * @param operation word with the kind of call: 1 = the target's code runs in the wallet itself; null = there is none
 */
function walletCall({ add, args, inner, contract }: CallReading, operation: number | null): void {
  if (operation !== null && args.isSet(operation)) delegated(add, contract, args.address(0))
  inner(args.bytes(2), args.address(0), contract)
}

/** Foreign code with all rights of `contract`. */
export function delegated(add: CallReading['add'], contract: LowerAddress | null, to: LowerAddress): void {
  add({ kind: 'control', contract, to, detail: 'its code runs with all rights of the wallet (delegatecall)' })
}

/** Safe's MultiSend: operation, target, value, length and data, packed back to back. */
function multiSend({ add, args, inner, contract, hasRoom }: CallReading): void {
  const packed = args.bytes(0)
  let at = 0
  while (at + PACKED_HEAD <= packed.length && hasRoom()) {
    const head = packedWords(packed, at)
    if (packed[at] !== 0) delegated(add, contract, head.target)
    const end = at + PACKED_HEAD + head.length
    inner(packed.subarray(at + PACKED_HEAD, end), head.target, contract)
    at = end
  }
}

function packedWords(packed: Uint8Array, at: number): { readonly target: LowerAddress; readonly length: number } {
  const target = `0x${Buffer.from(packed.subarray(at + 1, at + 21)).toString('hex')}`
  const length = BigInt(`0x${Buffer.from(packed.subarray(at + 53, at + PACKED_HEAD)).toString('hex')}`)
  return { target, length: length > BigInt(packed.length) ? packed.length : Number(length) }
}

/** Bit 7 allows a command to fail; the rest is its number. */
const COMMAND_MASK = 0x3f
const COMMANDS = { permit2TransferFrom: 0x02, permit2PermitBatch: 0x03, permit2Permit: 0x0a, subPlan: 0x21 } as const

const routers: readonly MethodMeaning[] = [
  method('execute(bytes,bytes[])', (call) => commands(call, call.args, 0)),
  method('execute(bytes,bytes[],uint256)', (call) => commands(call, call.args, 0)),
]

const MAX_PLANS = 8

/** Commands of the Universal Router have no selectors: a byte each determines how its input is read. */
function commands(call: CallReading, args: Words, depth: number): void {
  const kinds = args.bytes(0)
  const { count, items } = args.list(1)
  for (let i = 0; i < Math.min(kinds.length, count) && call.hasRoom(); i++) {
    const input = items.wordsOf(i)
    const kind = (kinds[i] ?? 0) & COMMAND_MASK
    if (kind === COMMANDS.permit2Permit) permitSingle(call, input, call.sender)
    if (kind === COMMANDS.permit2PermitBatch) permitBatch(call, input.tuple(0), call.sender)
    if (kind === COMMANDS.permit2TransferFrom) {
      const [contract, to, amount] = [input.address(0), input.address(1), input.number(2)]
      call.add({ kind: 'transfer', contract, to, amount })
    }
    if (kind !== COMMANDS.subPlan) continue
    if (depth < MAX_PLANS) commands(call, input, depth + 1)
    else call.add({ kind: 'unreadable', detail: 'nests plans too deep to be read' })
  }
}

export const callingMethods: readonly MethodMeaning[] = [...batches, ...wallets, ...routers]
