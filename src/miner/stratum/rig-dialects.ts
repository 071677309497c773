// The pool's side of the four line dialects: how jobs and answers are written, and how logins and shares are read.
import { bigintFromBytes } from '../../base/bytes'
import { toBareHex } from '../../base/hex'
import { hash32 } from '../pool/session/job-maker'
import type { LineDialect } from '../pool/session/session'
import { targetOfDifficultyText } from '../pool/session/share-target'
import type { Job } from '../work-source'
import { targetOfDifficulty } from './variable-difficulty'

export const NICEHASH_PROTOCOL = 'EthereumStratum/1.0.0'
export const STRATUM2_PROTOCOL = 'EthereumStratum/2.0.0'
/** Seconds of a rig's silence that EthereumStratum/2.0.0 tells it we tolerate. */
export const SILENCE_SECONDS = 600

/** Bytes that fix the top of each connection's nonces, where the dialect has such. */
const EXTRANONCE_BYTES = 2
export const EXTRANONCES = 2 ** (8 * EXTRANONCE_BYTES)
const TAIL_DIGITS = 16 - 2 * EXTRANONCE_BYTES
/** `mining.set_difficulty` counts in 2^48 / 0xffff hashes: the original protocol's unit. */
const CLASSIC_HASHES = 2 ** 48 / 0xffff
const CLASSIC_DIGITS = 12
const MAX_NAME = 64

/** What a rig was given. */
export interface GivenJob {
  /** our name for it on this connection, hex digits */
  readonly id: string
  readonly job: Job
  /** expected hashes per share */
  readonly difficulty: number
  /** a result at or below it is a share */
  readonly target: bigint
  /** the same in 64 hex digits */
  readonly digits: string
  /** earlier jobs are worthless */
  readonly clean: boolean
  /** monotonic ms since when a newer one with the same header has replaced it; null: none has */
  replacedAt: number | null
}

/** A share as read from a request. */
export interface SentShare {
  /** our name for the job; null when the dialect names it by its header */
  readonly jobId: string | null
  /** 32 bytes; null when the dialect doesn't send it */
  readonly sealHash: Uint8Array | null
  readonly nonce: bigint
  /** 32 bytes; null when the dialect doesn't send it */
  readonly mixDigest: Uint8Array | null
}

/** An error as rigs understand it: the number and the words that pools use. */
export interface RigFault {
  readonly code: number
  readonly message: string
}

/** @param extranonce 0..EXTRANONCES - 1 */
export function extranonceText(extranonce: number): string {
  return extranonce.toString(16).padStart(2 * EXTRANONCE_BYTES, '0')
}

interface ShareTarget {
  readonly target: bigint
  readonly digits: string
}

/** What is the same for all rigs of a job: it is worked out once. */
interface SharedParts {
  /** hex, without prefix */
  readonly header: string
  readonly seed: string
  readonly blockTarget: bigint
  /** by dialect and difficulty */
  readonly targets: Map<string, ShareTarget>
}

/** A thousand rigs have a handful of difficulties among them; a hostile one can't add more than this. */
const MAX_TARGETS = 1_024
const shared = new WeakMap<Job, SharedParts>()

function partsOf(job: Job): SharedParts {
  const known = shared.get(job)
  if (known !== undefined) return known
  const { sealHash, seedHash, target } = job
  const blockTarget = bigintFromBytes(target)
  const parts = { header: toBareHex(sealHash), seed: toBareHex(seedHash), blockTarget, targets: new Map() }
  shared.set(job, parts)
  return parts
}

/** The target that a rig computes from the difficulty it is sent: never below the block's. */
export function shareTarget(dialect: LineDialect, difficulty: number, job: Job): ShareTarget {
  const { targets, blockTarget } = partsOf(job)
  const key = `${dialect === 'nicehash' ? 'classic' : ''} ${difficulty}`
  const known = targets.get(key)
  if (known !== undefined) return known
  const read = dialect === 'nicehash' ? targetOfDifficultyText(classicText(difficulty), 'classic')?.target : undefined
  const share = bigintFromBytes(read ?? targetOfDifficulty(difficulty))
  const target = share > blockTarget ? share : blockTarget
  const found = { target, digits: target.toString(16).padStart(64, '0') }
  if (targets.size < MAX_TARGETS) targets.set(key, found)
  return found
}

/** Rounded down, so that its target is never below the difficulty's. */
function classicText(difficulty: number): string {
  const scale = 10 ** CLASSIC_DIGITS
  return (Math.max(1, Math.floor((difficulty / CLASSIC_HASHES) * scale)) / scale).toFixed(CLASSIC_DIGITS)
}

/** The lines that give a rig this job. @param before what it was given last; null: nothing */
export function jobLines(
  dialect: LineDialect,
  given: GivenJob,
  { before, extranonce }: { readonly before: GivenJob | null; readonly extranonce: number },
): readonly string[] {
  const { job, id, clean, digits: target } = given
  const { header, seed } = partsOf(job)
  switch (dialect) {
    case 'stratum':
      return [push('mining.notify', [id, `0x${header}`, `0x${seed}`, `0x${target}`, clean])]
    case 'eth-proxy':
      return [JSON.stringify({ id: 0, jsonrpc: '2.0', result: workOf(given) })]
    case 'nicehash': {
      const difficulty = `{"id":null,"method":"mining.set_difficulty","params":[${classicText(given.difficulty)}]}`
      const notify = plain('mining.notify', [id, seed, header, clean])
      return before?.difficulty === given.difficulty ? [notify] : [difficulty, notify]
    }
    case 'stratum2': {
      const settings = { epoch: job.epoch.toString(16), target, algo: 'xhash', extranonce: extranonceText(extranonce) }
      const isSame = before?.target === given.target && before.job.epoch === job.epoch
      const height = (job.height ?? 0).toString(16)
      const notify = plain('mining.notify', [id, height, header, clean ? '1' : '0'])
      return isSame ? [notify] : [plain('mining.set', settings), notify]
    }
  }
}

/** What eth_getWork answers, without the height: some miners compute the epoch from it by another chain's rule. */
export function workOf({ job, digits }: GivenJob): readonly string[] {
  const { header, seed } = partsOf(job)
  return [`0x${header}`, `0x${seed}`, `0x${digits}`]
}

function push(method: string, params: unknown): string {
  return JSON.stringify({ id: null, jsonrpc: '2.0', method, params })
}

function plain(method: string, params: unknown): string {
  return JSON.stringify({ id: null, method, params })
}

/** An answer in the form of its dialect; null: the rig's first request failed, or it has none. @param id echoed */
export function answerLine(dialect: LineDialect | null, id: unknown, outcome: { result: unknown } | RigFault): string {
  const isLine = dialect === 'nicehash' || dialect === 'stratum2'
  const head = isLine ? { id } : { id, jsonrpc: '2.0' }
  if ('result' in outcome) return JSON.stringify({ ...head, result: outcome.result, error: null })
  const { code, message } = outcome
  const error = dialect === 'stratum' || dialect === 'nicehash' ? [code, message, null] : { code, message }
  return JSON.stringify({ ...head, result: dialect === 'eth-proxy' ? false : null, error })
}

/** The share in a request's parameters; a text names what is wrong with it. */
export function readShare(dialect: LineDialect, params: unknown, extranonce: number): SentShare | string {
  const list: readonly unknown[] = Array.isArray(params) ? params : []
  switch (dialect) {
    case 'stratum':
      return wholeShare(list[1], list[2], { header: list[3], mix: list[4] })
    case 'eth-proxy':
      return wholeShare(null, list[0], { header: list[1], mix: list[2] })
    case 'nicehash':
      return tailShare(list[1], list[2], extranonce)
    case 'stratum2':
      return tailShare(list[0], list[1], extranonce)
  }
}

/** `NAME`, `0xADDRESS`, `0xADDRESS.NAME` or `0xADDRESS/NAME`; a `worker` member goes before. `payout`: lower case, or null. */
export function readLogin(login: unknown, worker: unknown) {
  const text = cleanText(login)
  const [, address, rest = ''] = /^(0x[0-9a-f]{40})(?:[./](.*))?$/i.exec(text) ?? []
  const own = cleanText(worker)
  const name = own === '' ? (address === undefined ? text : rest) : own
  return { name: name.slice(0, MAX_NAME), payout: address?.toLowerCase() ?? null }
}

/** Without control, bidi and other invisible characters, at most 128 characters; empty for anything but text. */
export function cleanText(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .slice(0, 256)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, 128)
}

function wholeShare(
  jobId: unknown,
  nonceText: unknown,
  { header, mix }: { readonly header: unknown; readonly mix: unknown },
): SentShare | string {
  const nonce = digits(nonceText, 16)
  if (nonce === null) return 'the nonce is not 16 hex digits'
  const sealHash = header === undefined && jobId !== null ? null : hash32(header)
  const mixDigest = mix === undefined ? null : hash32(mix)
  if (sealHash === null && (jobId === null || header !== undefined)) return 'the header is not 64 hex digits'
  if (mixDigest === null && mix !== undefined) return 'the mix digest is not 64 hex digits'
  if (jobId !== null && (typeof jobId !== 'string' || jobId.length > 32)) return 'the job is not named by a short text'
  return { jobId: typeof jobId === 'string' ? jobId : null, sealHash, nonce: BigInt(`0x${nonce}`), mixDigest }
}

function tailShare(jobId: unknown, tailText: unknown, extranonce: number): SentShare | string {
  const tail = digits(tailText, TAIL_DIGITS)
  if (tail === null) return `the nonce is not ${TAIL_DIGITS} hex digits behind the extranonce`
  if (typeof jobId !== 'string' || jobId.length > 32) return 'the job is not named by a short text'
  return { jobId, sealHash: null, nonce: BigInt(`0x${extranonceText(extranonce)}${tail}`), mixDigest: null }
}

function digits(text: unknown, count: number): string | null {
  if (typeof text !== 'string' || text.length > count + 2) return null
  const bare = text.replace(/^0x/i, '')
  return bare.length === count && /^[0-9a-f]+$/i.test(bare) ? bare : null
}
