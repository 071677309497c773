// account_signGnosisSafeTx: a multisig wallet's transaction, which is typed data with a fixed type. A hash given by the
// caller must equal the signed one.
import { z } from 'zod'
import { equalBytes } from '../../base/bytes'
import { schemaFault } from '../../base/errors'
import { fromHex, toHex } from '../../base/hex'
import { SignerError } from '../errors'
import { argumentsBetween, requiredAddress } from '../model/arguments'
import { signableDocument, type TypedDataRequest, type TypedDocument } from './document'
import { DOMAIN_TYPE, type Member } from './types'

const ARGUMENT = 1

const MEMBERS: readonly Member[] = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
]

const number = z.union([z.string(), z.number().int()]).nullish()
const address = z.string().nullish()
const safeTransaction = z.looseObject({
  safe: z.string(),
  to: z.string(),
  value: number,
  data: z.string().nullish(),
  operation: number,
  safeTxGas: number,
  baseGas: number,
  gasPrice: number,
  gasToken: address,
  refundReceiver: address,
  nonce: number,
  chainId: number,
  contractTransactionHash: z.string().nullish(),
  safeTxHash: z.string().nullish(),
})

interface SafeTransactionRequest extends TypedDataRequest {
  /** The caller's object, which the answer repeats with signature, sender and hash added. */
  readonly given: Readonly<Record<string, unknown>>
}

const ABSENT: Readonly<Record<string, unknown>> = {
  address: `0x${'0'.repeat(40)}`,
  uint256: 0,
  uint8: 0,
  bytes: '0x',
}

/** @throws SignerError SIGNER_ARGUMENT_*, SIGNER_TYPED_DATA_INVALID, SIGNER_SAFE_HASH_MISMATCH */
export function parseSafeTransaction(params: readonly unknown[]): SafeTransactionRequest {
  argumentsBetween(params, 2, 3)
  const signer = requiredAddress(params, 0)
  const read = safeTransaction.safeParse(params[ARGUMENT])
  if (!read.success) {
    const reason = schemaFault(read.error, 'safe transaction')
    throw new SignerError('SIGNER_ARGUMENT_INVALID', { index: ARGUMENT, reason })
  }
  const document = documentOf(read.data)
  const data = signableDocument(document)
  const claimed = read.data.safeTxHash ?? read.data.contractTransactionHash ?? null
  if (claimed !== null) checkHash(claimed, data.hash)
  return { address: signer, data, document, given: read.data }
}

/** Wallets before 1.3.0 have no chain in their domain: a missing chain id means such a wallet, as in the reference. */
function documentOf(given: z.infer<typeof safeTransaction>): TypedDocument {
  const chainId = given.chainId ?? null
  const domainType: readonly Member[] = [
    ...(chainId === null ? [] : [{ name: 'chainId', type: 'uint256' }]),
    { name: 'verifyingContract', type: 'address' },
  ]
  return {
    types: new Map([
      [DOMAIN_TYPE, domainType],
      ['SafeTx', MEMBERS],
    ]),
    primaryType: 'SafeTx',
    domain: { ...(chainId === null ? {} : { chainId: String(chainId) }), verifyingContract: given.safe },
    message: Object.fromEntries(MEMBERS.map(({ name, type }) => [name, given[name] ?? ABSENT[type]])),
  }
}

function checkHash(claimed: string, computed: Uint8Array): void {
  const bytes = fromHex(claimed)
  if (bytes !== null && equalBytes(bytes, computed)) return
  throw new SignerError('SIGNER_SAFE_HASH_MISMATCH', { given: claimed.slice(0, 80), computed: toHex(computed) })
}
