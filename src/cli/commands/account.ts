// account new, list, import, update: keystore work without the UI.
import { ConfigError } from '../../config/errors'
import { type DoneAccount, KeystoreDesk } from '../../host/keystore-desk'
import type { CliCall } from '../call'
import { EXIT_DONE, noticeLine } from '../exit-codes'
import { loadConfig, readText } from '../load-config'
import { Secrets } from '../secrets'
import { depsOf } from '../trades-of-call'
import { addressWord, wordsOf } from '../words'

const ACTIONS = { new: [], list: [], import: ['FILE'], update: ['ADDRESS'] } as const

/** @throws ConfigError, SignerError, KeystoreError */
export async function runAccount(call: CliCall): Promise<number> {
  const { action, rest } = wordsOf(call.parsed, ACTIONS)
  const [word = ''] = rest
  switch (action) {
    case 'new':
      return withDesk(call, (desk, secrets, signal) => create(desk, secrets, signal))
    case 'import':
      return withDesk(call, (desk, secrets) => takeIn(desk, secrets, textOf(word)))
    case 'update':
      return withDesk(call, (desk, secrets) => update(desk, secrets, addressWord(word)))
    default:
      return withDesk(call, (desk) => list(desk, call))
  }
}

/** Also `signer newaccount`. @throws as runAccount */
export function runNewAccount(call: CliCall): Promise<number> {
  return withDesk(call, (desk, secrets, signal) => create(desk, secrets, signal))
}

async function withDesk(
  call: CliCall,
  run: (desk: KeystoreDesk, secrets: Secrets, signal: AbortSignal) => Promise<DoneAccount | null>,
): Promise<number> {
  const { argv, world } = call
  const { platform, surroundings } = world
  const config = loadConfig({ argv, surroundings, windowless: true })
  const desk = new KeystoreDesk(depsOf(config, platform, 'error'))
  const secrets = new Secrets(call)
  const stop = new AbortController()
  const signals = world.onStopSignal(() => stop.abort(new Error('stopped by a signal')))
  try {
    const done = await run(desk, secrets, stop.signal)
    if (done !== null) platform.standardOutput(done.address)
    return EXIT_DONE
  } finally {
    secrets.wipeAll()
    await desk.stop()
    signals.dispose()
  }
}

async function create(desk: KeystoreDesk, secrets: Secrets, signal: AbortSignal): Promise<DoneAccount> {
  const password = await secrets.next({ what: 'password of the new account', isNew: true })
  await desk.start()
  return desk.create(password, signal)
}

async function takeIn(desk: KeystoreDesk, secrets: Secrets, text: string): Promise<DoneAccount> {
  const isLocked = desk.hasPassword(text)
  const old = isLocked ? await secrets.next({ what: 'password of the key file', isNew: false }) : new Uint8Array(0)
  const next = await secrets.next({ what: 'password of the account here', isNew: true })
  await desk.start()
  return desk.import(text, { old, next })
}

async function update(desk: KeystoreDesk, secrets: Secrets, address: string): Promise<DoneAccount> {
  await desk.start()
  await desk.requireAccount(address)
  const old = await secrets.next({ what: 'present password', isNew: false })
  const next = await secrets.next({ what: 'new password', isNew: true })
  return desk.update(address, { old, next })
}

/** Broken key files are told, and are no failure. */
async function list(desk: KeystoreDesk, { world, argv }: CliCall): Promise<null> {
  const { platform } = world
  await desk.start()
  const { accounts, problems } = desk.listing()
  for (const { address, file } of accounts) platform.standardOutput(`${address}  ${file}`)
  const json = argv.includes('--log.json')
  for (const { file, reason } of problems) platform.standardError(noticeLine(`${file}: ${reason}`, json))
  return null
}

function textOf(file: string): string {
  const read = readText(file)
  if ('text' in read) return read.text
  const reason = 'missing' in read ? 'no such file' : read.unreadable
  throw new ConfigError('CONFIG_FILE_UNREADABLE', { where: 'account import', file, reason })
}
