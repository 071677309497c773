// The end of a chaos run: the program's answers over its lives, compared with what exists now.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { command } from './commands'
import { booksOf, type Counterparts } from './counterparts'
import type { ChaosReport } from './figures'
import type { Victim } from './victim'
import type { Wallet } from './wallet'

export interface Reckoned {
  readonly victim: Victim
  readonly others: Counterparts
  readonly wallet: Wallet
  readonly door: string
  readonly datadir: string
  readonly passwordFile: string
  /** The pool's connections before the last life. */
  readonly connectionsBefore: number
  readonly fault: (text: string) => void
  /** Between the program's last exit and the last check of its files. */
  readonly afterLastStop: () => void
}

type Books = Pick<ChaosReport, 'shares' | 'payments' | 'keys' | 'audit' | 'dataBytes'> & {
  readonly chain: Pick<ChaosReport['chain'], 'head' | 'peerHead'>
}

const HANG_MS = 240_000
/** No share is found at this one. */
const NO_SHARES = 2 ** 50
const auditSchema = z.object({ type: z.string() })

export async function reckon(parts: Reckoned): Promise<Books> {
  const { victim, others, wallet, datadir, fault } = parts
  await wallet.stop()
  const isDone = async (): Promise<boolean> => {
    await wallet.settle()
    return wallet.open === 0
  }
  if (!(await eventually(isDone))) fault(`${wallet.open} approved payments are in no block`)
  await others.freeze()
  const heads = async (): Promise<readonly [number, number]> => [
    Number(await victim.node('eth_blockNumber').catch(() => Number.NaN)),
    await others.head(),
  ]
  const isLevel = async (): Promise<boolean> => {
    const [own, peer] = await heads()
    return own === peer
  }
  if (!(await eventually(isLevel)))
    fault(`its latest block is ${(await heads())[0]}, the peer's ${await others.head()}`)
  const [head, peerHead] = await heads()
  await payees(parts)
  const shares = await lastShares(parts)
  const code = await victim.stop()
  if (code !== 0) fault(`it ended with ${code} in the end`)
  parts.afterLastStop()
  await offline(parts)
  return {
    chain: { head, peerHead },
    shares,
    payments: {
      approved: wallet.payments.length,
      mined: wallet.payments.length - wallet.open,
      askedAgain: wallet.asksAgain,
    },
    keys: await keys(parts),
    audit: await audit(parts),
    dataBytes: sizeOf(datadir),
  }
}

/** Each payee has one payment and no second one. */
async function payees({ victim, wallet, fault }: Reckoned): Promise<void> {
  for (const { to, wei, nonce } of wallet.payments) {
    const balance = BigInt(String(await victim.node('eth_getBalance', [to, 'latest'])))
    if (balance !== wei) fault(`payment ${nonce} was ${wei} wei, its payee has ${balance}`)
  }
}

/** Share by share, once none is pending. */
async function lastShares({ victim, others, connectionsBefore, fault }: Reckoned): Promise<ChaosReport['shares']> {
  others.pool.setDifficulty(NO_SHARES)
  let told = ''
  const agree = async (): Promise<boolean> => {
    const { accepted, lost } = await victim.shares()
    const { taken } = booksOf(others.pool.judged, connectionsBefore, 0)
    told = `${accepted} accepted and ${lost} lost here, the pool took ${taken}`
    return accepted <= taken && taken <= accepted + lost
  }
  if (!(await eventually(agree))) fault(`shares of the last life don't agree: ${told}`)
  const { accepted, stale, duplicate, rejected } = others.pool.counts
  if (duplicate > 0) fault(`${duplicate} shares were sent twice`)
  if (rejected > 0) fault(`${rejected} shares were wrong`)
  const { lost } = await victim.shares()
  return { taken: accepted, lost, stale, duplicate }
}

async function offline({ door, datadir, fault }: Reckoned): Promise<void> {
  const { code, stdout, stderr } = await command(door, ['db', 'verify', '--seals', '--datadir', datadir])
  if (code !== 0) fault(`db verify --seals ended with ${code}: ${(stdout + stderr).slice(-400)}`)
}

/** Every account that the signer answered with unlocks with its password. */
async function keys({ wallet, door, datadir, passwordFile, fault }: Reckoned): Promise<ChaosReport['keys']> {
  let opened = 0
  for (const address of wallet.accounts) {
    const words = ['account', 'verify', address, '--datadir', datadir, '--password', passwordFile]
    const { code, stderr } = await command(door, words)
    if (code === 0) opened += 1
    else fault(`the key of ${address} does not open: ${stderr.slice(-300)}`)
  }
  return { made: wallet.accounts.length, opened }
}

/** The audit log is valid, has an approval before each signature, and reveals a changed byte. */
async function audit({ door, datadir, wallet, fault }: Reckoned): Promise<ChaosReport['audit']> {
  const file = join(datadir, 'audit.log')
  const verified = await command(door, ['audit', 'verify', '--datadir', datadir])
  if (verified.code !== 0) fault(`audit verify ended with ${verified.code}: ${verified.stderr.slice(-300)}`)
  const text = readFileSync(file, 'utf8')
  const types = text
    .trim()
    .split('\n')
    .map((line) => auditSchema.parse(JSON.parse(line)).type)
  const count = (name: string): number => types.filter((type) => type === name).length
  if (count('decision') < wallet.approvals)
    fault(`${wallet.approvals} approvals were answered with a signature, ${count('decision')} decisions are on record`)
  const changed = `${file}.changed`
  const bytes = Buffer.from(text)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(changed, bytes)
  const refused = await command(door, ['audit', 'verify', changed, '--datadir', datadir])
  if (refused.code === 0) fault('audit verify does not see a changed byte')
  const torn = readdirSync(datadir).filter((name) => name.startsWith('audit.log.torn')).length
  return { records: types.length, torn }
}

/** False if it takes too long. */
async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + HANG_MS
  while (performance.now() < end) {
    if (await holds().catch(() => false)) return true
    await new Promise((next) => setTimeout(next, 500))
  }
  return false
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
