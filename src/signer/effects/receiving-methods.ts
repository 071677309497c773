// Methods that hand something over and send what they yield to an address in their data: vaults, pools, swaps, wrapped
// LAX, lending. Sources: ERC-4626, Uniswap V2 to V4 and their forks, Curve, 1inch's router, Aave, Compound III, Morpho.
import type { LowerAddress } from '../address'
import { NOBODY } from './effect'
import type { CallReading, MethodMeaning } from './method'
import { method } from './method'

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
  ['unwrapWETH9(uint256,address)', 1],
  ['unwrapWETH9(uint256)', -1],
  ['sweepToken(address,uint256,address)', 2],
  ['sweepToken(address,uint256)', -1],
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

/** As above, with stand-ins; with `isBehind` the address is in a dynamic tuple behind the first offset. */
const STANDING_IN: readonly (readonly [signature: string, word: number, standIns: StandIns, isBehind?: true])[] = [
  ['exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', 3, FIRST_ROUTER],
  ['exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))', 3, LATER_ROUTER],
  ['exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))', 3, FIRST_ROUTER],
  ['exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))', 3, LATER_ROUTER],
  ['exactInput((bytes,address,uint256,uint256,uint256))', 1, FIRST_ROUTER, true],
  ['exactInput((bytes,address,uint256,uint256))', 1, LATER_ROUTER, true],
  ['exactOutput((bytes,address,uint256,uint256,uint256))', 1, FIRST_ROUTER, true],
  ['exactOutput((bytes,address,uint256,uint256))', 1, LATER_ROUTER, true],
  ['swapExactTokensForTokens(uint256,uint256,address[],address)', 3, LATER_ROUTER],
  ['swapTokensForExactTokens(uint256,uint256,address[],address)', 3, LATER_ROUTER],
  ['collect((uint256,address,uint128,uint128))', 1, FIRST_ROUTER],
  ['swap(address,(address,address,address,address,uint256,uint256,uint256),bytes)', 4, CALLER_IF_NOBODY],
  ['swap(address,(address,address,address,address,uint256,uint256,uint256),bytes,bytes)', 4, CALLER_IF_NOBODY],
]

/** What the call yields. @param to as in its data */
export function received({ add, contract, isWhole }: CallReading, to: LowerAddress, standIns: StandIns = {}): void {
  const meant = standIns[to]
  if (meant === undefined) add({ kind: 'proceeds', to })
  else if (meant === 'contract' && isWhole) add({ kind: 'proceeds', to: contract })
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
  ...STANDING_IN.map(([signature, word, standIns, isBehind = false]) =>
    method(signature, (call) => received(call, (isBehind ? call.args.tuple(0) : call.args).address(word), standIns)),
  ),
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
