// Methods that make other calls (batches, wallets, routers), or send what they yield to an address in their data (vaults,
// pools, swaps, lending). Sources: Multicall 1 to 3, OpenZeppelin's and Uniswap's Multicall, Safe
// and its MultiSend, ERC-725, ERC-4337 accounts, ERC-6551, ERC-4626, Uniswap V2 to V4, its Universal Router and forks,
// Curve, 1inch's router, Aave, Compound III, Morpho.
import { type LowerAddress, toHex } from '../../base/hex'
import { gasRefund, NOBODY } from './effect'
import { type CallReading, type MethodMeaning, method, Words } from './method'
import { permitBatch, permitSingle } from './token-methods'

/** Signatures whose proceeds go to the address in this word; -1 = to the caller. */
const RECEIVING: readonly (readonly [signature: string, word: number])[] = [
  // ERC-4626 and ERC-7540
  ['deposit(uint256,address)', 1],
  ['mint(uint256,address)', 1],
  ['deposit(uint256,address,address)', 1],
  ['mint(uint256,address,address)', 1],
  // Wrapped LAX, pools and bridges
  ['deposit()', -1],
  ['withdraw(uint256)', -1],
  ['withdrawTo(address,uint256)', 0],
  ['depositTo(address)', 0],
  ['depositTo(address,uint256)', 0],
  ['depositFor(address,uint256)', 0],
  ['depositFor(address)', 0],
  ['refundETH()', -1],
  // Uniswap V2
  ['swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', 3],
  ['swapTokensForExactTokens(uint256,uint256,address[],address,uint256)', 3],
  ['swapExactTokensForETH(uint256,uint256,address[],address,uint256)', 3],
  ['swapTokensForExactETH(uint256,uint256,address[],address,uint256)', 3],
  ['swapExactETHForTokens(uint256,address[],address,uint256)', 2],
  ['swapETHForExactTokens(uint256,address[],address,uint256)', 2],
  ['swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)', 3],
  ['swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)', 3],
  ['swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)', 2],
  ['addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)', 6],
  ['addLiquidityETH(address,uint256,uint256,uint256,address,uint256)', 4],
  ['removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)', 5],
  ['removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)', 4],
  ['swap(uint256,uint256,address,bytes)', 2],
  ['mint(address)', 0],
  ['burn(address)', 0],
  ['skim(address)', 0],
  // Uniswap V3
  ['mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))', 9],
  // Curve, 1inch
  ['exchange(int128,int128,uint256,uint256)', -1],
  ['exchange(int128,int128,uint256,uint256,address)', 4],
  ['exchange(uint256,uint256,uint256,uint256,bool,address)', 5],
  ['unoswapTo(address,address,uint256,uint256,uint256[])', 0],
  ['uniswapV3SwapTo(address,uint256,uint256,uint256[])', 0],
  ['unoswapTo(uint256,uint256,uint256,uint256,uint256)', 0],
  // Lending
  ['supply(address,uint256,address,uint16)', 2],
  ['deposit(address,uint256,address,uint16)', 2],
  ['withdraw(address,uint256,address)', 2],
  ['repay(address,uint256,uint256,address)', 3],
  ['supplyTo(address,address,uint256)', 0],
  ['withdrawTo(address,address,uint256)', 0],
  ['transferAsset(address,address,uint256)', 0],
]

/** Addresses that stand for someone else: the caller, or the called contract, where whoever calls it next may take it. */
type StandIns = Readonly<Record<string, 'caller' | 'contract'>>
/** Uniswap's SwapRouter and its positions. */
const FIRST_ROUTER: StandIns = { [NOBODY]: 'contract' }
/** Uniswap's SwapRouter02 and its Universal Router: 1 and 2. */
const LATER_ROUTER: StandIns = {
  [`0x${'1'.padStart(40, '0')}`]: 'caller',
  [`0x${'2'.padStart(40, '0')}`]: 'contract',
}
const CALLER_IF_NOBODY: StandIns = { [NOBODY]: 'caller' }

type Tokens = readonly [taken: LowerAddress | null, given: LowerAddress | null]

/** Uniswap's swaps, in their tuple if they have one: the words of their receiver and of the amount, and their tokens. */
const SWAPS: readonly (readonly [signature: string, word: number, amount: number, (args: Words) => Tokens])[] = [
  ['exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', 3, 4, pair],
  ['exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))', 3, 4, pair],
  ['exactInput((bytes,address,uint256,uint256))', 1, 2, (args) => endsOf(args.bytes(0))],
  ['exactOutput((bytes,address,uint256,uint256))', 1, 2, (args) => reversed(endsOf(args.bytes(0)))],
  ['swapExactTokensForTokens(uint256,uint256,address[],address)', 3, 0, (args) => endsOfList(args, 2)],
  ['swapTokensForExactTokens(uint256,uint256,address[],address)', 3, 0, (args) => endsOfList(args, 2)],
]
/** The first router's have a deadline besides, where the later's have the amount. */
const FIRST_SWAPS = SWAPS.slice(0, 4).map(
  ([signature, ...rest]) => [signature.replace(/address,uint256/, 'address,uint256,uint256'), ...rest] as const,
)
const swaps = [
  ...SWAPS.map((swap) => [LATER_ROUTER, ...swap] as const),
  ...FIRST_SWAPS.map((swap) => [FIRST_ROUTER, ...swap] as const),
].map(([standIns, signature, word, amount, tokensOf]) =>
  method(signature, (call) => {
    const args = signature.includes('((bytes') ? call.args.tuple(0) : call.args
    const [taken, given] = tokensOf(args)
    // The later router spends what it has itself.
    if (!args.isSet(amount)) call.take(taken)
    received(call, args.address(word), standIns, given)
  }),
)

function pair(args: Words): Tokens {
  return [args.address(0), args.address(1)]
}

const ADDRESS_BYTES = 20

/** Of a packed path: tokens with the fee of a pool between each two. */
function endsOf(path: Uint8Array): Tokens {
  return path.length < ADDRESS_BYTES
    ? [null, null]
    : [toHex(path.subarray(0, ADDRESS_BYTES)), toHex(path.subarray(-ADDRESS_BYTES))]
}

function endsOfList(args: Words, index: number): Tokens {
  const { count, items } = args.list(index)
  return count === 0 ? [null, null] : [items.address(0), items.address(count - 1)]
}

function reversed([taken, given]: Tokens): Tokens {
  return [given, taken]
}

/** What the call yields. @param to as in its data @param token null = not known */
export function received(
  { add, keep }: CallReading,
  to: LowerAddress,
  standIns: StandIns = {},
  token: LowerAddress | null = null,
): void {
  const meant = standIns[to]
  if (meant === undefined) add({ kind: 'proceeds', to })
  else if (meant === 'contract') keep(token)
}

/** From the account of someone who allowed it, or the caller's own, to a receiver. */
function redeemed({ add, args }: CallReading): void {
  add({ kind: 'transfer', from: args.address(2), to: args.address(1), amount: args.number(0) })
  add({ kind: 'proceeds', to: args.address(1) })
}

function borrowed({ add }: CallReading, owner: string, to: string): void {
  add({ kind: 'proceeds', from: owner, to, detail: 'as a debt of the account' })
}

const MORPHO_MARKET = '(address,address,address,address,uint256)'

export const receivingMethods: readonly MethodMeaning[] = [
  ...RECEIVING.map(([signature, word]) =>
    method(signature, (call) => {
      if (word >= 0) received(call, call.args.address(word))
    }),
  ),
  ...swaps,
  ...['bytes', 'bytes,bytes'].map((rest) =>
    method(`swap(address,(address,address,address,address,uint256,uint256,uint256),${rest})`, (call) =>
      received(call, call.args.address(4), CALLER_IF_NOBODY),
    ),
  ),
  method('collect((uint256,address,uint128,uint128))', (call) => {
    // Two tokens, which its data doesn't name.
    for (let i = 0; i < 2; i++) received(call, call.args.address(1), FIRST_ROUTER)
  }),
  method('unwrapWETH9(uint256)', ({ take }) => take(null)),
  method('unwrapWETH9(uint256,address)', (call) => {
    call.take(null)
    received(call, call.args.address(1))
  }),
  method('sweepToken(address,uint256)', ({ take, args }) => take(args.address(0))),
  method('sweepToken(address,uint256,address)', (call) => {
    call.take(call.args.address(0))
    received(call, call.args.address(2))
  }),
  method('withdraw(uint256,address,address)', redeemed),
  method('redeem(uint256,address,address)', redeemed),
  method('requestRedeem(uint256,address,address)', redeemed),
  method('requestDeposit(uint256,address,address)', redeemed),
  method('withdrawFrom(address,address,address,uint256)', ({ add, args }) => {
    const [from, to, contract] = [args.address(0), args.address(1), args.address(2)]
    add({ kind: 'transfer', from, to, contract, amount: args.number(3) })
  }),
  method('borrow(address,uint256,uint256,uint16,address)', (call) =>
    borrowed(call, call.args.address(4), call.args.address(4)),
  ),
  method(`borrow(${MORPHO_MARKET},uint256,uint256,address,address)`, (call) =>
    borrowed(call, call.args.address(7), call.args.address(8)),
  ),
  method(`withdraw(${MORPHO_MARKET},uint256,uint256,address,address)`, (call) => received(call, call.args.address(8))),
  method(`supply(${MORPHO_MARKET},uint256,uint256,address,bytes)`, (call) => received(call, call.args.address(7))),
  // Rights over what the account has lent, or may borrow.
  method('approveDelegation(address,uint256)', ({ add, args }) => {
    const [to, amount] = [args.address(0), args.number(1)]
    if (amount === 0n) add({ kind: 'revocation', to })
    else add({ kind: 'grant', to, amount, detail: 'as a debt of the account' })
  }),
  ...['allow', 'setAuthorization', 'approveManager'].map((name) =>
    method(`${name}(address,bool)`, ({ add, args }) => {
      const to = args.address(0)
      add(args.isSet(1) ? { kind: 'grant', to, amount: 'all' } : { kind: 'revocation', to })
    }),
  ),
]

/** `bytes[]`, each a call to the same contract on behalf of the same sender. */
function ownCalls({ inner, contract, sender, hasRoom }: CallReading, args: Words, index: number): void {
  const { count, items } = args.list(index)
  for (let i = 0; i < count && hasRoom(); i++) inner(items.bytes(i), contract, sender)
}

/** Words of a tuple; without `wei` the call pays nothing. */
interface TargetWords {
  readonly target: number
  readonly data: number
  readonly wei?: number
}

function targets(call: CallReading, args: Words, index: number, at: TargetWords): void {
  const { count, items } = args.list(index)
  for (let i = 0; i < count && call.hasRoom(); i++) {
    const each = items.tuple(i)
    const wei = at.wei === undefined ? 0n : each.number(at.wei)
    call.inner(each.bytes(at.data), each.address(at.target), call.contract, wei)
  }
}

/** Targets in one array, data in another, and maybe amounts in a third; the longest one counts. */
function columns(call: CallReading, at: TargetWords): void {
  const to = call.args.list(at.target)
  const calls = call.args.list(at.data)
  const wei = at.wei === undefined ? null : call.args.list(at.wei)
  const count = Math.max(calls.count, wei === null ? 0 : wei.count)
  for (let i = 0; i < count && call.hasRoom(); i++) {
    const data = i < calls.count ? calls.items.bytes(i) : new Uint8Array(0)
    const target = i < to.count ? to.items.address(i) : null
    call.inner(data, target, call.contract, wei !== null && i < wei.count ? wei.items.number(i) : 0n)
  }
}

const batches: readonly MethodMeaning[] = [
  method('multicall(bytes[])', (call) => ownCalls(call, call.args, 0)),
  method('multicall(uint256,bytes[])', (call) => ownCalls(call, call.args, 1)),
  method('multicall(bytes32,bytes[])', (call) => ownCalls(call, call.args, 1)),
  method('batch(bytes[],bool)', (call) => ownCalls(call, call.args, 0)),
  method('batch(bytes[])', (call) => ownCalls(call, call.args, 0)),
  method('multicall(address[],bytes[])', (call) => columns(call, { target: 0, data: 1 })),
  method('aggregate((address,bytes)[])', (call) => targets(call, call.args, 0, { target: 0, data: 1 })),
  method('blockAndAggregate((address,bytes)[])', (call) => targets(call, call.args, 0, { target: 0, data: 1 })),
  method('tryAggregate(bool,(address,bytes)[])', (call) => targets(call, call.args, 1, { target: 0, data: 1 })),
  method('tryBlockAndAggregate(bool,(address,bytes)[])', (call) => targets(call, call.args, 1, { target: 0, data: 1 })),
  method('aggregate3((address,bool,bytes)[])', (call) => targets(call, call.args, 0, { target: 0, data: 2 })),
  method('aggregate3Value((address,bool,uint256,bytes)[])', (call) =>
    targets(call, call.args, 0, { target: 0, data: 3, wei: 2 }),
  ),
]

const PACKED_HEAD = 1 + 20 + 32 + 32

const wallets: readonly MethodMeaning[] = [
  method('execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)', (call) => {
    const { add, args, contract } = call
    walletCall(call, 3)
    if (args.isSet(6)) add({ ...gasRefund(args.address(7), args.address(8)), from: contract })
  }),
  method('execTransactionFromModule(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execTransactionFromModuleReturnData(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execute(address,uint256,bytes,uint8)', (call) => walletCall(call, 3)),
  method('execute(uint256,address,uint256,bytes)', ({ add, args, inner, contract }) => {
    // ERC-725: operations 3 and 4 run foreign code in the account itself.
    if (args.number(0) === 3n || args.number(0) === 4n) delegated(add, contract, args.address(1))
    inner(args.bytes(3), args.address(1), contract, args.number(2))
  }),
  method('execute(address,uint256,bytes)', (call) => walletCall(call, null)),
  method('exec(address,bytes,uint256)', ({ args, inner, contract }) =>
    inner(args.bytes(1), args.address(0), contract, args.number(2)),
  ),
  method('execute(address,bytes)', ({ add, args, inner, contract }) => {
    // DSProxy and the like run the target's code in their own context.
    delegated(add, contract, args.address(0))
    inner(args.bytes(1), args.address(0), contract)
  }),
  method('functionCall(address,bytes)', ({ args, inner, contract }) => inner(args.bytes(1), args.address(0), contract)),
  method('functionCallWithValue(address,bytes,uint256)', ({ args, inner, contract }) =>
    inner(args.bytes(1), args.address(0), contract, args.number(2)),
  ),
  method('executeCall(address,uint256,bytes)', (call) => walletCall(call, null)),
  method('executeBatch(address[],bytes[])', (call) => columns(call, { target: 0, data: 1 })),
  ...['executeBatch', 'execute', 'batchExecute', 'executeTransactions'].map((name) =>
    method(`${name}(address[],uint256[],bytes[])`, (call) => columns(call, { target: 0, wei: 1, data: 2 })),
  ),
  method('executeBatch((address,uint256,bytes)[])', (call) => targets(call, call.args, 0, TARGET_WEI_DATA)),
  method('execute((address,uint256,bytes)[])', (call) => targets(call, call.args, 0, TARGET_WEI_DATA)),
  method('executeWithoutChainIdValidation(bytes[])', (call) => ownCalls(call, call.args, 0)),
  method('execute(bytes32,bytes)', modularCall),
  method('executeFromExecutor(bytes32,bytes)', modularCall),
  method('executeUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32)', (call) =>
    operation(call, call.args.tuple(0)),
  ),
  method('handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)', operations),
  method(
    'handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)',
    operations,
  ),
  method('approveHash(bytes32)', ({ add, args, note }) => approvedHash({ add, note }, hexOf(args, 0))),
  method('signMessage(bytes)', ({ add, note }) => approvedHash({ add, note }, 'of a message')),
  method('multiSend(bytes)', multiSend),
]

const TARGET_WEI_DATA: TargetWords = { target: 0, wei: 1, data: 2 }

/** An on-chain signature: whatever the hash stands for can be carried out with it. */
function approvedHash({ add, note }: Pick<CallReading, 'add' | 'note'>, hash: string): void {
  add({ kind: 'control', detail: `approves what the hash ${hash} stands for, which isn't shown` })
  note(`what the approved hash ${hash} stands for`)
}

function hexOf(args: Words, index: number): string {
  return `0x${args.number(index).toString(16).padStart(64, '0')}`
}

/** ERC-7579: the first byte of the mode says how the rest is packed. */
const CALL_TYPES = { single: 0x00, batch: 0x01, delegate: 0xff } as const
const WEI_BYTES = 32

function modularCall(call: CallReading): void {
  const { add, args, inner, contract, note } = call
  const type = Number(args.number(0) >> 248n)
  const packed = args.bytes(1)
  const target = toHex(packed.subarray(0, ADDRESS_BYTES)).padEnd(42, '0')
  const rest = packed.subarray(ADDRESS_BYTES)
  if (type === CALL_TYPES.batch) targets(call, args.wordsOf(1), 0, TARGET_WEI_DATA)
  else if (type === CALL_TYPES.single) {
    inner(rest.subarray(WEI_BYTES), target, contract, new Words(rest.subarray(0, WEI_BYTES)).number(0))
  } else if (type === CALL_TYPES.delegate) {
    delegated(add, contract, target)
    inner(rest, target, contract)
  } else note(`a call of the unknown type ${type}`)
}

/** ERC-4337: the sender's account runs the call. */
function operation({ inner, contract }: CallReading, words: Words): void {
  inner(words.bytes(3), words.address(0), contract)
}

function operations(call: CallReading): void {
  const { count, items } = call.args.list(0)
  for (let i = 0; i < count && call.hasRoom(); i++) operation(call, items.tuple(i))
}

/** @param operation word with the kind of call: 1 = the target's code runs in the wallet itself; null = none */
function walletCall({ add, args, inner, contract }: CallReading, operation: number | null): void {
  if (operation !== null && args.isSet(operation)) delegated(add, contract, args.address(0))
  inner(args.bytes(2), args.address(0), contract, args.number(1))
}

/** Foreign code with all rights of `contract`. */
function delegated(add: CallReading['add'], contract: LowerAddress | null, to: LowerAddress): void {
  add({ kind: 'control', contract, to, detail: 'runs its code with all rights of the wallet (delegatecall)' })
}

/** Safe's MultiSend: operation, target, value, length and data, packed back to back. */
function multiSend({ add, args, inner, contract, hasRoom }: CallReading): void {
  const packed = args.bytes(0)
  let at = 0
  while (at + PACKED_HEAD <= packed.length && hasRoom()) {
    const target = toHex(packed.subarray(at + 1, at + 21))
    if (packed[at] !== 0) delegated(add, contract, target)
    const words = new Words(packed.subarray(at + 21, at + PACKED_HEAD))
    const length = words.number(1)
    const end = at + PACKED_HEAD + (length > BigInt(packed.length) ? packed.length : Number(length))
    inner(packed.subarray(at + PACKED_HEAD, end), target, contract, words.number(0))
    at = end
  }
}

/** Bit 7 allows a command to fail. Some routers ignore bit 6, for others it makes another command. */
const COMMAND_MASK = 0x3f
const NAMED_MASK = 0x7f
const SUB_PLAN = 0x21
const COMMANDS: Readonly<Record<number, (call: CallReading, input: Words) => void>> = {
  0: (call, input) => swapped(call, input, endsOf(input.bytes(3))),
  1: (call, input) => swapped(call, input, reversed(endsOf(input.bytes(3)))),
  2: (call, input) => pulled(call, input.address(0), input.address(1), input.number(2)),
  3: (call, input) => permitBatch(call, input.tuple(0), call.sender),
  4: (call, input) => {
    call.take(input.address(0))
    received(call, input.address(1), LATER_ROUTER, input.address(0))
  },
  5: (call, input) => received(call, input.address(1), LATER_ROUTER, input.address(0)),
  6: (call, input) => received(call, input.address(1), LATER_ROUTER, input.address(0)),
  8: (call, input) => swapped(call, input, endsOfList(input, 3)),
  9: (call, input) => swapped(call, input, endsOfList(input, 3)),
  10: (call, input) => permitSingle(call, input, call.sender),
  11: (call, input) => received(call, input.address(0), LATER_ROUTER),
  12: (call, input) => {
    call.take(null)
    received(call, input.address(0), LATER_ROUTER)
  },
  13: (call, input) => {
    const { count, items } = input.list(0)
    for (let i = 0; i < count && call.hasRoom(); i++) {
      const move = items.from(i * 4)
      call.add({ ...hidden(move.address(3), move.address(1), move.number(2)), from: move.address(0) })
    }
  },
  // Only checks a balance.
  14: () => undefined,
}

/** @param input the receiver first, and whether the sender pays fifth */
function swapped(call: CallReading, input: Words, [taken, given]: ReturnType<typeof endsOf>): void {
  if (!input.isSet(4)) call.take(taken)
  received(call, input.address(0), LATER_ROUTER, given)
}

/** Permit2 moves it from the sender. */
function pulled(call: CallReading, token: LowerAddress, to: LowerAddress, amount: bigint): void {
  const meant = LATER_ROUTER[to]
  if (meant === undefined) call.add(hidden(token, to, amount))
  if (meant !== 'contract') return
  call.add({ kind: 'transfer', contract: token, to: call.contract, amount })
  call.keep(token)
}

function hidden(contract: LowerAddress, to: LowerAddress, amount: bigint) {
  return { kind: 'transfer', contract, to, amount, isHidden: true } as const
}

const routers: readonly MethodMeaning[] = [
  method('execute(bytes,bytes[])', (call) => commands(call, call.args, 0)),
  method('execute(bytes,bytes[],uint256)', (call) => commands(call, call.args, 0)),
]

const MAX_PLANS = 8

/** Commands of the Universal Router have no selectors: a byte each determines how its input is read. */
function commands(call: CallReading, args: Words, depth: number): void {
  const kinds = args.bytes(0)
  const { count, items } = args.list(1)
  const length = Math.min(kinds.length, count)
  for (let i = 0; i < length && call.hasRoom(); i++) {
    const input = items.wordsOf(i)
    const kind = (kinds[i] ?? 0) & NAMED_MASK
    const read = COMMANDS[kind & COMMAND_MASK]
    read?.(call, input)
    if (kind > COMMAND_MASK || (read === undefined && kind !== SUB_PLAN)) {
      const name = `0x${kind.toString(16).padStart(2, '0')}`
      call.note(`the command ${name} of the router`)
      const detail = `carries out the command ${name} of a router, which may move all that it may take`
      call.add({ kind: 'unknown', detail })
    }
    if ((kind & COMMAND_MASK) !== SUB_PLAN) continue
    if (depth < MAX_PLANS) commands(call, input, depth + 1)
    else call.add({ kind: 'unreadable', detail: 'nests plans too deep to be read' })
  }
}

export const callingMethods: readonly MethodMeaning[] = [...batches, ...wallets, ...routers]
