// Rules for a transaction request, in the reference's order and wording (signer.md 3; recorded in
// vectors/signer/tx-refuse.json).
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toBareHex } from '../../base/hex'
import { checksumAddress } from '../address'
import { SignerError } from '../errors'
import { formOf, payloadOf, type TransactionRequest } from '../transactions/transaction'
import type { Finding } from './findings'

export interface TransactionRuleOptions {
  /** Whether the network knows dynamic-fee transactions. */
  readonly london: boolean
  /** Strict mode refuses on findings, so it gets none that the reference does not have. */
  readonly strict: boolean
}

/** Shorter creation code than this is suspicious; the reference's bound. */
const SMALL_CODE_BYTES = 40

/**
 * All findings about a transaction whose `input` has been merged into `data`.
 * @throws SignerError SIGNER_VALUE_WITHOUT_CODE, in any mode
 */
export function checkTransaction(tx: TransactionRequest, options: TransactionRuleOptions): readonly Finding[] {
  const findings = tx.to === null ? creationFindings(tx) : callFindings(tx, tx.to.text)
  return [...findings, ...networkFindings(tx, options)]
}

function creationFindings(tx: TransactionRequest): readonly Finding[] {
  const size = payloadOf(tx).length
  const findings: Finding[] = []
  if (size === 0) {
    if (tx.value > 0n) throw new SignerError('SIGNER_VALUE_WITHOUT_CODE', undefined)
    findings.push(critical('Transaction will create a contract with empty code'))
  } else if (size < SMALL_CODE_BYTES) {
    findings.push(warning(`Transaction will create a contract, but the payload is suspiciously small (${size} bytes)`))
  }
  if (tx.methodSignature !== null) {
    findings.push(
      warning(
        'Transaction will create a contract, but method selector supplied, indicating an intent to call a method',
      ),
    )
  }
  return findings
}

function callFindings(tx: TransactionRequest, to: string): readonly Finding[] {
  return [...recipientFindings(to), ...feeFindings(tx), ...dataFindings(tx)]
}

function recipientFindings(to: string): readonly Finding[] {
  const findings: Finding[] = []
  if (checksumAddress(to) !== to) findings.push(warning('Invalid checksum on recipient address'))
  if (/^0[xX]0{40}$/.test(to)) findings.push(critical('Transaction recipient is the zero address'))
  return findings
}

function feeFindings(tx: TransactionRequest): readonly Finding[] {
  const price = tx.gasPrice !== null
  const cap = tx.maxFeePerGas !== null
  const tip = tx.maxPriorityFeePerGas !== null
  if (!price && !cap) return [critical("Neither 'gasPrice' nor 'maxFeePerGas' specified.")]
  if (!price && !tip) return [critical("Neither 'gasPrice' nor 'maxPriorityFeePerGas' specified.")]
  if (price && cap) return [critical("Both 'gasPrice' and 'maxFeePerGas' specified.")]
  if (price && tip) return [critical("Both 'gasPrice' and 'maxPriorityFeePerGas' specified.")]
  return []
}

function dataFindings(tx: TransactionRequest): readonly Finding[] {
  const data = payloadOf(tx)
  if (data.length === 0) return []
  if (data.length < 4) {
    return [warning('Transaction data is not valid ABI (missing the 4 byte call prefix)')]
  }
  const findings: Finding[] = []
  const argumentBytes = data.length - 4
  if (argumentBytes % 32 !== 0) {
    findings.push(
      warning(`Transaction data is not valid ABI (length should be a multiple of 32 (was ${argumentBytes}))`),
    )
  }
  return [...findings, selectorFinding(tx, data)]
}

/**
 * Without a database of method names no selector is known, and a caller's claim cannot be proved against the
 * arguments.
 */
function selectorFinding(tx: TransactionRequest, data: Uint8Array): Finding {
  const selector = toBareHex(data.subarray(0, 4))
  if (tx.methodSignature === null) {
    return warning(
      `Transaction contains data, but the ABI signature could not be found: signature ${selector} not found`,
    )
  }
  const claimed = toBareHex(keccak_256(new TextEncoder().encode(tx.methodSignature)).subarray(0, 4))
  const reason = claimed === selector ? 'arguments cannot be verified' : `no method with id: 0x${selector}`
  return warning(`Transaction contains data, but provided ABI signature could not be matched: ${reason}`)
}

function networkFindings(tx: TransactionRequest, options: TransactionRuleOptions): readonly Finding[] {
  if (options.strict || options.london || formOf(tx) !== 'dynamicFee') return []
  return [
    {
      severity: 'Info',
      message: 'This network does not accept dynamic fee transactions; use gasPrice instead of maxFeePerGas',
    },
  ]
}

function critical(message: string): Finding {
  return { severity: 'CRITICAL', message }
}

function warning(message: string): Finding {
  return { severity: 'WARNING', message }
}
