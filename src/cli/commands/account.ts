// account new, account list: keystore work without the UI.
import { wipe } from '../../base/bytes'
import { ConfigError } from '../../config/errors'
import type { CliCall } from '../call'
import { EXIT_DONE, noticeLine } from '../exit-codes'
import { loadConfig, readText } from '../load-config'
import { tradesOf } from '../trades-of-call'
import { oneWord } from '../words'

const ACTIONS = ['new', 'list'] as const

/** @throws ConfigError, SignerError, KeystoreError */
export async function runAccount(call: CliCall): Promise<number> {
  const { argv, parsed, world } = call
  const action = oneWord(parsed, ACTIONS)
  const { platform, surroundings } = world
  const config = loadConfig({ argv, surroundings, windowless: true })
  const password = action === 'new' ? await newPassword(call) : null
  // The keystore only: whatever the configuration says, this call listens nowhere. Broken key files are told below.
  const { signer } = tradesOf({ ...config, signer: { ...config.signer, http: false } }, platform, 'error')
  if (signer === null) throw new Error('the account command has no signer')
  const stop = new AbortController()
  const signals = world.onStopSignal(() => stop.abort(new Error('stopped by a signal')))
  try {
    await signer.start(stop.signal)
    if (password !== null) {
      platform.standardOutput(await signer.createAccount(password))
      return EXIT_DONE
    }
    const { accounts, problems } = signer.accounts()
    for (const { address, file } of accounts) platform.standardOutput(`${address}  ${file}`)
    for (const { file, reason } of problems)
      platform.standardError(noticeLine(`${file}: ${reason}`, config.app.logJson))
    return EXIT_DONE
  } finally {
    if (password !== null) wipe(password)
    await signer.stop()
    signals.dispose()
  }
}

/** First line of --password FILE, or typed twice at a prompt. UTF-8 bytes, to be wiped by the caller. */
async function newPassword({ parsed, world }: CliCall): Promise<Uint8Array> {
  const { passwordFile } = parsed
  if (passwordFile !== null) {
    const read = readText(passwordFile)
    if ('text' in read) return utf8(read.text.split(/\r?\n/)[0] ?? '')
    const reason = 'missing' in read ? 'no such file' : read.unreadable
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where: '--password', file: passwordFile, reason })
  }
  const first = await world.askSecret('password of the new account: ')
  const second = first === null ? null : await world.askSecret('the same again: ')
  if (first === null) {
    throw new ConfigError('CONFIG_VALUE_MISSING', {
      flag: '--password',
      accepted: 'a file whose first line is the password',
    })
  }
  if (first !== second) throw new ConfigError('CONFIG_CONFLICT', { reason: 'the two passwords differ' })
  return utf8(first)
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
