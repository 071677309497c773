// Methods that hand something over and send what they yield to an address in their data: vaults, pools, swaps, wrapped
// LAX, lending. Sources: ERC-4626, Uniswap V2 to V4 and their forks, Curve, 1inch's router, Aave, Compound III, Morpho.
import { toHex } from '../../base/hex'
import type { LowerAddress } from '../address'
import { NOBODY } from './effect'
import type { CallReading, MethodMeaning } from './method'
import { method } from './method'
import type { Words } from './words'

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
export const LATER_ROUTER: StandIns = {
  [`0x${'1'.padStart(40, '0')}`]: 'caller',
  [`0x${'2'.padStart(40, '0')}`]: 'contract',
}
/** 1inch's routers. */
const CALLER_IF_NOBODY: StandIns = { [NOBODY]: 'caller' }

/** What a swap takes, and what it yields. */
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
export function endsOf(path: Uint8Array): Tokens {
  return path.length < ADDRESS_BYTES
    ? [null, null]
    : [toHex(path.subarray(0, ADDRESS_BYTES)), toHex(path.subarray(-ADDRESS_BYTES))]
}

/** Of a path that is a list of addresses. */
export function endsOfList(args: Words, index: number): Tokens {
  const { count, items } = args.list(index)
  return count === 0 ? [null, null] : [items.address(0), items.address(count - 1)]
}

/** A path that begins with what comes out. */
export function reversed([taken, given]: Tokens): Tokens {
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

/** Debt of `owner`, paid out to the receiver. */
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
