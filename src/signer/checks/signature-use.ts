// What others would do with a signature, as calls that our node can try before it is made: a permit and the transfer that
// follows, an order's fill, a user operation through its entry point, a Safe transaction. Only for documents known in
// full. Sources: ERC-2612, ERC-3009, DAI, Permit2, Seaport, ERC-4337 0.8, Safe 1.0 and later.
import { concatBytes } from '../../base/bytes'
import { fromHex, type LowerAddress, toHex } from '../../base/hex'
import { isJsonObject } from '../../base/json-text'
import { type AbiValue, encodeArguments } from '../abi/arguments'
import { type AbiType, parseSignature } from '../abi/signature'
import { DOCUMENT_TYPES } from '../effects/known-documents'
import { contractIn, StructHasher, type TypedDocument } from '../typed-data/document'
import { integerOfText } from '../typed-data/values'

/** One call of a use; bytes and words as `0x` hex. */
interface UseCall {
  readonly from: LowerAddress
  readonly to: LowerAddress
  /** Wei, decimal. */
  readonly value: string
  readonly data: string
  /** The word at byte `at` of the data is no more than what `owner` has of `token`. */
  readonly most?: { readonly token: LowerAddress; readonly owner: LowerAddress; readonly at: number }
}

export interface SignatureUse {
  readonly kind: 'permit' | 'authorization' | 'order' | 'userOperation' | 'safeTransaction'
  readonly calls: readonly UseCall[]
  /** The hash to sign: in the calls, the signer's address stands for `r`. */
  readonly digest: string
  readonly wallets: readonly LowerAddress[]
  readonly parties: readonly LowerAddress[]
  readonly numbers: readonly { readonly contract: LowerAddress; readonly number: string }[]
  readonly slots: readonly { readonly address: LowerAddress; readonly slot: string; readonly value: string }[]
  /** Who fills an order, and what it pays with. */
  readonly funded: {
    readonly account: LowerAddress
    readonly tokens: readonly LowerAddress[]
    readonly spender: LowerAddress
  } | null
}

/** Someone who isn't a party: fills orders, submits operations. */
const STRANGER = '0x5f111e45f111e45f111e45f111e45f111e45f111'
const MAX_TRANSFERS = 6
const MAX_TOKENS = 8
const WORD = 32
const SELECTOR = 4
const THRESHOLD_SLOT = 4n
const NONCE_SLOT = 5n
const ALL = (1n << 256n) - 1n

interface Known {
  readonly message: Readonly<Record<string, unknown>>
  readonly contract: LowerAddress
  readonly signer: LowerAddress
  /** The parts of a signature that isn't made yet. */
  readonly v: bigint
  readonly r: Uint8Array
  readonly s: Uint8Array
}

type Use = Pick<SignatureUse, 'kind' | 'calls' | 'parties'> &
  Partial<Pick<SignatureUse, 'wallets' | 'numbers' | 'slots' | 'funded'>>
type Way = (known: Known) => Use | null

/**
 * @param digest of `typed`, 32 bytes
 * @param signer lower case
 * @returns null when it isn't known what the signature is for
 */
export function signatureUse(typed: TypedDocument, digest: Uint8Array, signer: LowerAddress): SignatureUse | null {
  const contract = contractIn(typed)
  const way = WAYS.get(new StructHasher(typed.types).encodeType(typed.primaryType))
  if (way === undefined || contract === null) return null
  const r = new Uint8Array(WORD)
  r.set(bytesIn(signer), WORD - 20)
  const s = new Uint8Array(WORD).fill(1, WORD - 1)
  try {
    const use = way({ message: typed.message, contract, signer, v: 27n, r, s })
    return use === null ? null : { wallets: [], numbers: [], slots: [], funded: null, ...use, digest: toHex(digest) }
  } catch (error) {
    if (error instanceof UseFault) return null
    throw error
  }
}

/** A value of another form than its type's: what the document says isn't what the contract would be told. */
class UseFault extends Error {}

const SIGNED = 'uint8,bytes32,bytes32'

const permit: Way = ({ message, contract, signer, v, r, s }) => {
  const spender = addressOf(message.spender)
  const value = integerOf(message.value)
  return {
    kind: 'permit',
    calls: [
      call(spender, contract, `permit(address,address,uint256,uint256,${SIGNED})`, [
        ...[message.owner, spender, value, message.deadline, v, r, s],
      ]),
      taking({ spender, owner: signer, token: contract }, value),
    ],
    parties: [contract, spender],
  }
}

const daiPermit: Way = ({ message, contract, signer, v, r, s }) => {
  const spender = addressOf(message.spender)
  const { holder, nonce, expiry, allowed } = message
  const given = [holder, spender, nonce, expiry, allowed, v, r, s]
  const allowing = call(spender, contract, `permit(address,address,uint256,uint256,bool,${SIGNED})`, given)
  const taken = allowed === true ? [taking({ spender, owner: signer, token: contract }, ALL)] : []
  return { kind: 'permit', calls: [allowing, ...taken], parties: [contract, spender] }
}

/** ERC-3009. @param name of the contract's method */
const authorization =
  (name: string): Way =>
  ({ message, contract, v, r, s }) => {
    const to = addressOf(message.to)
    const { from, value, validAfter, validBefore, nonce } = message
    const types = `address,address,uint256,uint256,uint256,bytes32,${SIGNED}`
    const calls = [call(to, contract, `${name}(${types})`, [from, to, value, validAfter, validBefore, nonce, v, r, s])]
    return { kind: 'authorization', calls, parties: [contract, to] }
  }

const PERMIT_DETAILS = '(address,uint160,uint48,uint48)'

/** Permit2: allowances. @param isMany of several tokens */
const allowances =
  (isMany: boolean): Way =>
  ({ message, contract, signer, r, s }) => {
    const spender = addressOf(message.spender)
    const details = (isMany ? listOf(message.details) : [message.details]).map(objectOf)
    const plain = details.map(({ token, amount, expiration, nonce }) => [token, amount, expiration, nonce])
    const given = [isMany ? plain : plain[0], spender, message.sigDeadline]
    const type = `(${PERMIT_DETAILS}${isMany ? '[]' : ''},address,uint256)`
    const allowing = call(spender, contract, `permit(address,${type},bytes)`, [signer, given, signatureOf(r, s)])
    const taken = details.slice(0, MAX_TRANSFERS).map(({ token, amount }): UseCall => {
      const of = addressOf(token)
      const to = 'transferFrom(address,address,uint160,address)'
      const taking = call(spender, contract, to, [signer, spender, integerOf(amount), of])
      return { ...taking, most: { token: of, owner: signer, at: SELECTOR + 2 * WORD } }
    })
    return { kind: 'permit', calls: [allowing, ...taken], parties: [...tokensIn(details), spender, contract] }
  }

/** Permit2: one transfer by the spender itself. @param isMany of several tokens */
const signedTransfer =
  (isMany: boolean): Way =>
  ({ message, contract, signer, r, s }) => {
    const spender = addressOf(message.spender)
    const permitted = (isMany ? listOf(message.permitted) : [message.permitted]).map(objectOf)
    const tokens = permitted.map(({ token, amount }) => [token, amount])
    const details = permitted.map(({ amount }) => [spender, amount])
    const suffix = isMany ? '[]' : ''
    const signature = `permitTransferFrom(((address,uint256)${suffix},uint256,uint256),(address,uint256)${suffix},address,bytes)`
    const given = [isMany ? tokens : tokens[0], message.nonce, message.deadline]
    const args = [given, isMany ? details : details[0], signer, signatureOf(r, s)]
    const calls = [call(spender, contract, signature, args)]
    return { kind: 'permit', calls, parties: [...tokensIn(permitted), spender, contract] }
  }

const OFFER = '(uint8,address,uint256,uint256,uint256)[]'
const CONSIDERATION = '(uint8,address,uint256,uint256,uint256,address)[]'
const FULFILL = `fulfillOrder(((address,address,${OFFER},${CONSIDERATION},uint8,uint256,uint256,bytes32,uint256,bytes32,uint256),bytes),bytes32)`

/** Seaport: filled by a stranger who has what the order asks for. */
const order: Way = ({ message, contract, r, s }) => {
  const offer = listOf(message.offer).map(objectOf)
  const asked = listOf(message.consideration).map(objectOf)
  const plain = (item: Readonly<Record<string, unknown>>): unknown[] => {
    const { itemType, token, identifierOrCriteria, startAmount, endAmount } = item
    return [itemType, token, identifierOrCriteria, startAmount, endAmount]
  }
  const { offerer, zone, orderType, startTime, endTime, zoneHash, salt, conduitKey } = message
  const parameters = [
    ...[offerer, zone, offer.map(plain), asked.map((item) => [...plain(item), item.recipient])],
    ...[orderType, startTime, endTime, zoneHash, salt, conduitKey, BigInt(asked.length)],
  ]
  const own = asked.filter(({ itemType }) => integerOf(itemType) === 0n)
  const value = own.reduce((sum, { startAmount, endAmount }) => sum + higher(startAmount, endAmount), 0n)
  const args = [[parameters, signatureOf(r, s)], new Uint8Array(WORD)]
  const items = [...offer, ...asked].filter(({ itemType }) => integerOf(itemType) !== 0n)
  const tokens = asked.filter(({ itemType }) => integerOf(itemType) === 1n)
  return {
    kind: 'order',
    calls: [{ ...call(STRANGER, contract, FULFILL, args), value: value.toString() }],
    parties: [...tokensIn(items), contract],
    numbers: items
      .filter(({ itemType }) => integerOf(itemType) > 1n)
      .slice(0, MAX_TOKENS)
      .map((item) => ({ contract: addressOf(item.token), number: integerOf(item.identifierOrCriteria).toString() })),
    funded: { account: STRANGER, tokens: tokensIn(tokens), spender: contract },
  }
}

const OPERATION = '(address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)'

/** ERC-4337: given to the entry point by a bundler. */
const operation: Way = ({ message, contract, r, s }) => {
  const wallet = addressOf(message.sender)
  const { nonce, initCode, callData, accountGasLimits, preVerificationGas, gasFees, paymasterAndData } = message
  const packed = [wallet, nonce, initCode, callData, accountGasLimits, preVerificationGas, gasFees, paymasterAndData]
  const args = [[[...packed, signatureOf(r, s)]], STRANGER]
  return {
    kind: 'userOperation',
    calls: [call(STRANGER, contract, `handleOps(${OPERATION}[],address)`, args)],
    parties: [],
    wallets: [wallet],
    funded: { account: STRANGER, tokens: [], spender: contract },
  }
}

/** As if this owner's signature were the last one that the wallet needs, and its turn had come. */
const safeTransaction: Way = ({ message, contract, r, s }) => {
  const { to, value, data, operation: kind, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, nonce } = message
  const given = [to, value, data, kind, safeTxGas, baseGas, gasPrice, gasToken, refundReceiver, signatureOf(r, s)]
  const types = 'address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes'
  return {
    kind: 'safeTransaction',
    calls: [call(STRANGER, contract, `execTransaction(${types})`, given)],
    parties: [addressOf(to)],
    wallets: [contract],
    slots: [
      { address: contract, slot: wordText(THRESHOLD_SLOT), value: wordText(1n) },
      { address: contract, slot: wordText(NONCE_SLOT), value: wordText(integerOf(nonce)) },
    ],
  }
}

const WAYS: ReadonlyMap<string, Way> = new Map([
  [DOCUMENT_TYPES.permit, permit],
  [DOCUMENT_TYPES.daiPermit, daiPermit],
  [DOCUMENT_TYPES.authorization, authorization('transferWithAuthorization')],
  [DOCUMENT_TYPES.receiving, authorization('receiveWithAuthorization')],
  [DOCUMENT_TYPES.permitSingle, allowances(false)],
  [DOCUMENT_TYPES.permitBatch, allowances(true)],
  [DOCUMENT_TYPES.transfer, signedTransfer(false)],
  [DOCUMENT_TYPES.batchTransfer, signedTransfer(true)],
  [DOCUMENT_TYPES.order, order],
  [DOCUMENT_TYPES.userOperation, operation],
  [DOCUMENT_TYPES.safeTransaction, safeTransaction],
])

/** The spender takes what it may, as far as the owner has it. */
function taking(
  {
    spender,
    owner,
    token,
  }: { readonly spender: LowerAddress; readonly owner: LowerAddress; readonly token: LowerAddress },
  value: bigint,
): UseCall {
  const taken = call(spender, token, 'transferFrom(address,address,uint256)', [owner, spender, value])
  return { ...taken, most: { token, owner, at: SELECTOR + 2 * WORD } }
}

function call(from: LowerAddress, to: LowerAddress, signature: string, args: readonly unknown[]): UseCall {
  const { inputs, selector } = parseSignature(signature)
  const values = inputs.map((type, index) => abiValue(type, args[index]))
  return { from, to, value: '0', data: toHex(concatBytes(selector, encodeArguments(values))) }
}

function abiValue(type: AbiType, value: unknown): AbiValue {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return { type, kind: 'integer', integer: integerOf(value) }
    case 'bool':
      if (typeof value !== 'boolean') throw new UseFault(type.text)
      return { type, kind: 'bool', bool: value }
    case 'array':
      return { type, kind: 'list', items: listOf(value).map((item) => abiValue(type.element, item)) }
    case 'tuple': {
      const items = listOf(value)
      return { type, kind: 'list', items: type.members.map((member, index) => abiValue(member, items[index])) }
    }
    default:
      return { type, kind: 'bytes', bytes: bytesIn(value) }
  }
}

function integerOf(value: unknown): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return BigInt(value)
  if (typeof value !== 'string') throw new UseFault('want an integer')
  return integerOfText(value)
}

function bytesIn(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  const bytes = typeof value === 'string' ? fromHex(value) : null
  if (bytes === null) throw new UseFault('want bytes')
  return bytes
}

function addressOf(value: unknown): LowerAddress {
  const bytes = bytesIn(value)
  if (bytes.length !== 20) throw new UseFault('want an address')
  return toHex(bytes)
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UseFault('want a list')
  return value
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isJsonObject(value)) throw new UseFault('want an object')
  return value
}

function tokensIn(items: readonly Readonly<Record<string, unknown>>[]): readonly LowerAddress[] {
  return [...new Set(items.map(({ token }) => addressOf(token)))].slice(0, MAX_TOKENS)
}

function higher(one: unknown, two: unknown): bigint {
  const [a, b] = [integerOf(one), integerOf(two)]
  return a > b ? a : b
}

/** 65 bytes as contracts take them. */
function signatureOf(r: Uint8Array, s: Uint8Array): Uint8Array {
  return concatBytes(r, s, Uint8Array.of(27))
}

function wordText(value: bigint): string {
  return `0x${value.toString(16).padStart(2 * WORD, '0')}`
}
