// Receivers, values and deadlines of the protocols' own documents: what a person is told of each, and what isn't
// understood.
import { describe, expect, it } from 'vitest'
import { checksumAddress } from '../../base/checksum-address'
import { parseDocument, signableDocument } from '../typed-data/document'
import { effectFindings } from './effect-findings'
import { documentMeaning } from './typed-effects'

const ME = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const EVIL = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const TOKEN = '0x7777777777777777777777777777777777777777'
const OTHER = '0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const NOBODY = `0x${'0'.repeat(40)}`
const HASH = `0x${'00'.repeat(32)}`
const MAX = (2n ** 256n - 1n).toString()
const LAX = 10n ** 18n
const THOUSAND = (1_000n * LAX).toString()
const evil = checksumAddress(EVIL)

const members = (text: string) =>
  text.split(',').map((each) => {
    const [type, name] = each.trim().split(' ')
    return { type, name }
  })

function meaningOf(primaryType: string, types: Record<string, string>, message: object, contract = TOKEN) {
  const document = parseDocument({
    types: {
      EIP712Domain: members('string name,uint256 chainId,address verifyingContract'),
      ...Object.fromEntries(Object.entries(types).map(([name, text]) => [name, members(text)])),
    },
    primaryType,
    domain: { name: 'X', chainId: 2110, verifyingContract: contract },
    message,
  })
  signableDocument(document)
  const { effects, notUnderstood } = documentMeaning(document, ME)
  return {
    said: effectFindings(effects, ME).map(({ severity, message: text }) => `${severity} ${text}`),
    notUnderstood,
  }
}

const COW =
  'address sellToken,address buyToken,address receiver,uint256 sellAmount,uint256 buyAmount,uint32 validTo,bytes32 appData,uint256 feeAmount,string kind,bool partiallyFillable,string sellTokenBalance,string buyTokenBalance'
const cow = (receiver: string) => ({
  sellToken: TOKEN,
  buyToken: OTHER,
  receiver,
  sellAmount: THOUSAND,
  buyAmount: THOUSAND,
  validTo: 4_294_967_295,
  appData: HASH,
  feeAmount: 0,
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
})
const ONE_INCH =
  'uint256 salt,address maker,address receiver,address makerAsset,address takerAsset,uint256 makingAmount,uint256 takingAmount,uint256 makerTraits'
const oneInch = (receiver: string) => ({
  salt: 1,
  maker: ME,
  receiver,
  makerAsset: TOKEN,
  takerAsset: OTHER,
  makingAmount: THOUSAND,
  takingAmount: THOUSAND,
  makerTraits: 0,
})
const ITEM = 'uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount'
const SEAPORT = {
  OrderComponents:
    'address offerer,address zone,OfferItem[] offer,ConsiderationItem[] consideration,uint8 orderType,uint256 startTime,uint256 endTime,bytes32 zoneHash,uint256 salt,bytes32 conduitKey,uint256 counter',
  OfferItem: ITEM,
  ConsiderationItem: `${ITEM},address recipient`,
}
const item = { itemType: 1, token: TOKEN, identifierOrCriteria: 0, startAmount: THOUSAND, endAmount: THOUSAND }
const seaport = (recipient: string) => ({
  offerer: ME,
  zone: NOBODY,
  offer: [item],
  consideration: [{ ...item, recipient }],
  orderType: 0,
  startTime: 0,
  endTime: 2_000_000_000,
  zoneHash: HASH,
  salt: 1,
  conduitKey: HASH,
  counter: 0,
})
const DUTCH = {
  Order: 'OrderInfo info,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs',
  OrderInfo: 'address reactor,address swapper,uint256 nonce,uint256 deadline',
  DutchOutput: 'address token,uint256 startAmount,uint256 endAmount,address recipient',
}
const dutch = (recipient: string) => ({
  info: { reactor: OTHER, swapper: ME, nonce: 1, deadline: 2_000_000_000 },
  inputToken: TOKEN,
  inputStartAmount: THOUSAND,
  inputEndAmount: THOUSAND,
  outputs: [{ token: OTHER, startAmount: THOUSAND, endAmount: THOUSAND, recipient }],
})

describe('an order', () => {
  const MAKER =
    'uint8 quoteType,address collection,address currency,address signer,uint256 price,uint256[] itemIds,uint256[] amounts'
  const maker = (price: string, quoteType: number) => ({
    quoteType,
    collection: TOKEN,
    currency: OTHER,
    signer: ME,
    price,
    itemIds: [5],
    amounts: [1],
  })

  it.each<[string, Record<string, string>, (receiver: string) => object, string]>([
    ['CoW', { Order: COW }, cow, NOBODY],
    ['1inch', { Order: ONE_INCH }, oneInch, NOBODY],
    ['Seaport', SEAPORT, seaport, ME],
    ['UniswapX', DUTCH, dutch, ME],
  ])('of %s is a gift when its proceeds go to a stranger', (_name, types, message, nobody) => {
    const [type = ''] = Object.keys(types)
    const own = [ME, nobody].map((receiver) => meaningOf(type, types, message(receiver)).said)
    const foreign = meaningOf(type, types, message(EVIL)).said

    for (const said of own) {
      expect(said).toHaveLength(1)
      expect(said[0]).toMatch(/^WARNING .*something comes back to the account/)
    }
    expect(foreign[0]).toMatch(/^CRITICAL .*nothing comes back to the account/)
    expect(foreign.join()).not.toContain('something comes back')
  })

  const MILLION_OF_SIX = (10n ** 12n - 1n).toString()
  it.each<[string, string, Record<string, string>, (token: string, price: string) => object]>([
    ['CoW', 'Order', { Order: COW }, (buyToken, buyAmount) => ({ ...cow(ME), buyToken, buyAmount })],
    [
      '1inch',
      'Order',
      { Order: ONE_INCH },
      (takerAsset, takingAmount) => ({ ...oneInch(ME), takerAsset, takingAmount }),
    ],
    [
      'Seaport',
      'OrderComponents',
      SEAPORT,
      (token, price) => ({
        ...seaport(ME),
        consideration: [
          {
            itemType: token === NOBODY ? 0 : 1,
            token,
            identifierOrCriteria: 0,
            startAmount: price,
            endAmount: price,
            recipient: ME,
          },
        ],
      }),
    ],
    [
      'UniswapX',
      'Order',
      DUTCH,
      (token, price) => ({
        ...dutch(ME),
        outputs: [{ token, startAmount: price, endAmount: price, recipient: ME }],
      }),
    ],
    ['LooksRare', 'Maker', { Maker: MAKER }, (currency, price) => ({ ...maker(price, 1), currency })],
  ])('of %s says how little comes back, which a token of few decimals may be a price in', (_name, type, types, of) => {
    const said = (token: string, price: string) => meaningOf(type, types, of(token, price)).said[0]

    const little = 'only 999999999999 units come back to the account, next to nothing for a token of 18 decimals'
    expect(said(OTHER, MILLION_OF_SIX)).toMatch(new RegExp(`^WARNING .*; ${little}`))
    expect(said(OTHER, '999999')).toMatch(/^CRITICAL .*; only 999999 units come back/)
    expect(said(OTHER, '0')).toMatch(/^CRITICAL .*; nothing comes back/)
    expect(said(NOBODY, MILLION_OF_SIX)).toMatch(/^CRITICAL .*; nothing comes back/)
  })

  it.each([
    ['with an end', 2_000_000_000n << 80n, ', until 2033-05-18 03:33 UTC'],
    ['without one', 0n, ', without an end'],
    ['beside other traits', (2_000_000_000n << 80n) | (1n << 79n) | (1n << 120n), ', until 2033-05-18 03:33 UTC'],
  ])('of 1inch says when it ends: %s', (_what, makerTraits, end) => {
    const { said } = meaningOf('Order', { Order: ONE_INCH }, { ...oneInch(ME), makerTraits: makerTraits.toString() })

    expect(said[0]?.endsWith(`something comes back to the account${end}`)).toBe(true)
  })

  it('of CoW takes its fee besides what it sells', () => {
    const { said } = meaningOf('Order', { Order: COW }, { ...cow(ME), sellAmount: 1, feeAmount: 4 })

    expect(said.join()).toContain('can take up to 5 units of the token')
  })

  it('of 1inch with an extension has a price that nobody sees', () => {
    const extended = (receiver: string) => ({ ...oneInch(receiver), makerTraits: (1n << 249n).toString() })
    const own = meaningOf('Order', { Order: ONE_INCH }, extended(NOBODY))

    expect(own.said).toEqual([
      expect.stringMatching(/^WARNING .* can take up to \d+ units of the token \w+ from the account, without an end$/),
    ])
    expect(own.notUnderstood).toEqual(["an extension of the order that isn't shown, which may set its price"])
    expect(meaningOf('Order', { Order: ONE_INCH }, extended(EVIL)).said[0]).toMatch(/^CRITICAL .*nothing comes back/)
  })

  it.each([
    [2, 1, 'can take token number 7 at the token'],
    [3, 1, 'can take token number 7 at the token'],
    [3, 5, 'can take up to 5 units of the token'],
    [4, 1, 'can take up to 1 units of the token'],
  ])('of Seaport that offers type %d, %d of it: %s', (itemType, amount, said) => {
    const offer = [{ ...item, itemType, identifierOrCriteria: 7, startAmount: amount, endAmount: amount }]

    expect(meaningOf('OrderComponents', SEAPORT, { ...seaport(ME), offer }).said.join()).toContain(said)
  })

  it.each([
    ['CoW', 'Order', { Order: COW }, cow(EVIL)],
    ['1inch', 'Order', { Order: ONE_INCH }, oneInch(EVIL)],
    ['UniswapX', 'Order', DUTCH, dutch(EVIL)],
  ])('of %s names who gets its proceeds', (_name, type, types, message) => {
    expect(meaningOf(type, types, message).said.join()).toContain(`what comes out of it to ${evil}, not to the account`)
  })

  it.each<[number, string, string]>([
    [1, '0', 'CRITICAL'],
    [1, THOUSAND, 'WARNING'],
    [0, THOUSAND, 'WARNING'],
  ])('of LooksRare, side %d at price %s, is %s', (side, price, severity) => {
    const { said } = meaningOf('Maker', { Maker: MAKER }, maker(price, side))

    expect(said[0]).toMatch(new RegExp(`^${severity} .*can take`))
  })
})

describe('a delegation', () => {
  it.each<[string, Record<string, string>, object, RegExp]>([
    [
      'of ERC-7710 gives the account away',
      {
        Delegation: 'address delegate,address delegator,bytes32 authority,Caveat[] caveats,uint256 salt',
        Caveat: 'address enforcer,bytes terms',
      },
      { delegate: EVIL, delegator: ME, authority: `0x${'ff'.repeat(32)}`, caveats: [], salt: 0 },
      /^CRITICAL .*may act in its place$/,
    ],
    [
      'of credit makes debts',
      { DelegationWithSig: 'address delegatee,uint256 value,uint256 nonce,uint256 deadline' },
      { delegatee: EVIL, value: MAX, nonce: 0, deadline: 2_000_000_000 },
      /^CRITICAL .*take an unlimited amount .*as a debt of the account, until 2033/,
    ],
    [
      'to a manager gives everything',
      { Authorization: 'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry' },
      { owner: ME, manager: EVIL, isAllowed: true, nonce: 0, expiry: 2_000_000_000 },
      /^CRITICAL .*take all .*until 2033/,
    ],
    [
      'to an authorized account gives everything',
      { Authorization: 'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline' },
      { authorizer: ME, authorized: EVIL, isAuthorized: true, nonce: 0, deadline: 2_000_000_000 },
      /^CRITICAL .*take all .*until 2033/,
    ],
    [
      'to a session key gives the account away',
      { Session: 'address account,address sessionKey,uint48 validUntil' },
      { account: ME, sessionKey: EVIL, validUntil: 2_000_000_000 },
      /^CRITICAL .*may act in its place, until 2033/,
    ],
    [
      'of a vote stays one',
      { Delegation: 'address delegatee,uint256 nonce,uint256 expiry' },
      { delegatee: EVIL, nonce: 0, expiry: 2_000_000_000 },
      /^WARNING .* vote with the tokens of/,
    ],
  ])('%s', (_what, types, message, expected) => {
    const [type = ''] = Object.keys(types)
    expect(meaningOf(type, types, message).said[0]).toMatch(expected)
  })

  it('that is taken back is none', () => {
    const type = { Authorization: 'address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry' }
    const message = { owner: ME, manager: EVIL, isAllowed: false, nonce: 0, expiry: 2_000_000_000 }

    expect(meaningOf('Authorization', type, message)).toEqual({ said: [], notUnderstood: [] })
  })
})

const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')
/** `execute(EVIL, 1000 LAX, 0x)`, and the same for a modular wallet. */
const EXECUTE = `0xb61d27f6${word(EVIL)}${word(THOUSAND)}${word(96n)}${word(0n)}`
const packedCall = `${EVIL.slice(2)}${word(THOUSAND)}`
const MODULAR = `0xe9ae5c53${word(0n)}${word(64n)}${word(52n)}${packedCall.padEnd(128, '0')}`
const OPERATION =
  'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 accountGasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData'
const operation = (callData: string, change: object = {}) => ({
  sender: OTHER,
  nonce: 0,
  initCode: '0x',
  callData,
  accountGasLimits: HASH,
  preVerificationGas: 0,
  gasFees: HASH,
  paymasterAndData: '0x',
  ...change,
})
const FORWARD = 'address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data'

const SAFE_TX =
  'address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce'
const safeTx = (change: object = {}) => ({
  to: OTHER,
  value: 0,
  data: '0x',
  operation: 0,
  safeTxGas: 50_000,
  baseGas: 0,
  gasPrice: 0,
  gasToken: NOBODY,
  refundReceiver: NOBODY,
  nonce: 0,
  ...change,
})

it.each([TOKEN.slice(2), `0X${TOKEN.slice(2)}`])('a contract is the same however it is spelled: %s', (contract) => {
  const types = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }
  const message = { owner: ME, spender: EVIL, value: 5, nonce: 0, deadline: 2_000_000_000 }

  expect(meaningOf('Permit', types, message, contract)).toEqual(meaningOf('Permit', types, message))
})

describe('a document that makes a wallet pay', () => {
  const wallet = checksumAddress(TOKEN)

  const paying = `can move 1000 LAX from ${checksumAddress(OTHER)} to ${evil}`

  it.each<[string, Record<string, string>, object, string]>([
    ['a user operation', { PackedUserOperation: OPERATION }, operation(EXECUTE), paying],
    ['a user operation of a modular wallet', { PackedUserOperation: OPERATION }, operation(MODULAR), paying],
    [
      'a forwarded request',
      { ForwardRequest: FORWARD },
      { from: ME, to: EVIL, value: THOUSAND, gas: 1, nonce: 0, data: '0x' },
      `can move 1000 LAX from ${checksumAddress(ME)} to ${evil}`,
    ],
    [
      'a payment under any name',
      { Payment: 'address from,address to,uint256 amount' },
      { from: ME, to: EVIL, amount: '5' },
      `can move up to 5 units of the token ${checksumAddress(TOKEN)} from ${checksumAddress(ME)} to ${evil}`,
    ],
  ])('says so: %s', (_what, types, message, expected) => {
    const [type = ''] = Object.keys(types)
    const { said } = meaningOf(type, types, message)

    expect(said.join('\n')).toContain(expected)
  })

  it('moves no token by its gas limits', () => {
    expect(meaningOf('SafeTx', { SafeTx: SAFE_TX }, safeTx()).said).toEqual([])
    const forwarded = { from: ME, to: EVIL, value: 0, gas: 1, nonce: 0, data: '0x' }
    expect(meaningOf('ForwardRequest', { ForwardRequest: FORWARD }, forwarded).said).toEqual([])
  })

  it.each<[string, object, string]>([
    ['LAX, to whoever sends it', {}, `can move all LAX from ${wallet} to someone, as a refund`],
    [
      'a token, to a stranger',
      { gasToken: OTHER, refundReceiver: EVIL },
      `can let ${evil} take all of the token ${checksumAddress(OTHER)} from ${wallet}, as a refund`,
    ],
  ])('says what it pays for gas: %s', (_what, change, expected) => {
    const { said } = meaningOf('SafeTx', { SafeTx: SAFE_TX }, safeTx({ gasPrice: 1, ...change }))

    expect(said.join('\n')).toContain(`CRITICAL Anyone with this signature (SafeTx) ${expected}`)
  })

  it('names the gas that a user operation may cost', () => {
    const gas = { preVerificationGas: '1000000', gasFees: `0x${word(LAX)}` }
    const { said } = meaningOf('PackedUserOperation', { PackedUserOperation: OPERATION }, operation('0x', gas))

    expect(said.join()).toContain('can move 1000000 LAX')
    expect(said.join()).toContain('for gas')
  })

  it("isn't understood when the wallet calls an unknown method", () => {
    const unknown = `0xb61d27f6${word(EVIL)}${word(0n)}${word(96n)}${word(4n)}${'9f3b7c01'.padEnd(64, '0')}`
    const known = meaningOf('PackedUserOperation', { PackedUserOperation: OPERATION }, operation(EXECUTE))
    const { notUnderstood } = meaningOf('PackedUserOperation', { PackedUserOperation: OPERATION }, operation(unknown))

    expect(known.notUnderstood).toEqual([])
    expect(notUnderstood).toEqual([`a call inside it, of the method 0x9f3b7c01 of ${evil}`])
  })
})

describe('a document of an unknown type', () => {
  it.each<[string, Record<string, string>, object]>([
    ['Mail', { Mail: 'string contents' }, { contents: 'hi' }],
    [
      'Permit',
      { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline,bytes32 more' },
      { owner: ME, spender: EVIL, value: 1, nonce: 0, deadline: 1, more: HASH },
    ],
    [
      'Permit',
      { Permit: 'address spender,address owner,uint256 value,uint256 nonce,uint256 deadline' },
      { owner: ME, spender: EVIL, value: 1, nonce: 0, deadline: 1 },
    ],
  ])("isn't understood: %s", (type, types, message) => {
    expect(meaningOf(type, types, message).notUnderstood).toEqual([`documents of the type ${type} with these members`])
  })

  it('is understood when the type is known in full', () => {
    const type = { Permit: 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline' }

    expect(
      meaningOf('Permit', type, { owner: ME, spender: EVIL, value: 1, nonce: 0, deadline: 1 }).notUnderstood,
    ).toEqual([])
  })
})
