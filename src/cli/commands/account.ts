// headframe account: keystore operations without the UI.

import { renderUnicodeCompact } from 'uqr'
import { ConfigError } from '../../config/errors'
import { textOf } from '../../config/resolved-config'
import { readText } from '../../host/settings/config-settings'
import { KeystoreCommands, type ListedAccount, listedDevice } from '../../host/signer/keystore-commands'
import type { CliCall } from '../call'
import { EXIT_DONE, noticeLine } from '../exit-codes'
import { configOf } from '../load-config'
import { Secrets } from '../secrets'
import { untilSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'
import { addressWord, wordsOf } from '../words'

const ACTIONS = {
  new: [],
  list: [],
  import: ['FILE', '[PATH]'],
  update: ['ADDRESS'],
  export: ['ADDRESS'],
  backup: ['ADDRESS', 'FILE'],
  verify: ['ADDRESS', '[FILE]'],
  forget: ['ADDRESS'],
  device: ['[COUNT]'],
  add: ['PATH'],
  watch: ['ADDRESS', '[PATH]'],
  unsigned: ['[ID]'],
  signed: ['ID', 'FILE'],
} as const

/** How many accounts of each usual scheme to list. */
const USUAL_COUNT = 5
const MAX_COUNT = 100

/** What a command works with. */
interface Tools {
  readonly keystore: KeystoreCommands
  readonly secrets: Secrets
  readonly signal: AbortSignal
  /** One line beside the result. */
  readonly note: (text: string) => void
}

/** @returns the text for standard output, empty for none */
type Work = (tools: Tools) => Promise<string>

/** @throws ConfigError, SignerError, KeystoreError */
export async function runAccount(call: CliCall): Promise<number> {
  const { action, rest } = wordsOf(call.parsed, ACTIONS)
  const [word = '', file] = rest
  const { json } = call.parsed
  const works: Readonly<Record<keyof typeof ACTIONS, Work>> = {
    new: create,
    list: (tools) => list(tools, json),
    import: (tools) => takeIn(tools, textOf('account import', word, readText), file),
    update: (tools) => update(tools, addressWord(word)),
    export: (tools) => withAnchor(tools, exportKeyFile(tools, addressWord(word))),
    backup: (tools) => withAnchor(tools, backUp(tools, addressWord(word), file ?? '')),
    verify: (tools) => verify(tools, addressWord(word), file ?? null),
    forget: (tools) => forget(tools, addressWord(word)),
    device: (tools) => look(tools, countWord(word), json),
    add: (tools) => addFromDevice(tools, word),
    watch: (tools) => watch(tools, addressWord(word), file ?? ''),
    unsigned: (tools) => unsigned(tools, word, json),
    signed: (tools) => bring(tools, word, textOf('account signed', file ?? '', readText)),
  }
  return withKeystore(call, works[action])
}

/** Also `signer newaccount`. @throws as runAccount */
export function runNewAccount(call: CliCall): Promise<number> {
  return withKeystore(call, create)
}

async function withKeystore(call: CliCall, run: Work): Promise<number> {
  const { world } = call
  const { platform } = world
  const config = configOf(call)
  const note = (text: string): void => platform.standardError(noticeLine(text, config.app.logJson))
  const keystore = new KeystoreCommands(depsOf(config, platform, 'error'))
  return untilSignal(world, async (signal) => {
    const secrets = new Secrets(call, signal)
    try {
      const text = await run({ keystore, secrets, signal, note })
      if (text !== '') platform.standardOutput(text)
      return EXIT_DONE
    } finally {
      secrets.wipeAll()
      await keystore.stop()
    }
  })
}

async function create({ keystore, secrets, signal }: Tools): Promise<string> {
  const password = await secrets.next({ what: 'password of the new account', isNew: true })
  await keystore.start()
  return keystore.create(password, signal)
}

/** @param path of a seed phrase's account */
async function takeIn({ keystore, secrets }: Tools, text: string, path?: string): Promise<string> {
  const isLocked = keystore.hasPassword(text)
  const old = isLocked ? await secrets.next({ what: 'password of the key file', isNew: false }) : null
  const next = await secrets.next({ what: 'password of the account here', isNew: true })
  await keystore.start()
  return keystore.accounts.importAccount(text, { old, next }, path)
}

async function update(tools: Tools, address: string): Promise<string> {
  const old = await passwordOf(tools, address, 'present password')
  const next = await tools.secrets.next({ what: 'new password', isNew: true })
  return tools.keystore.accounts.changePassword(address, { old, next })
}

/** The encrypted file itself, for a pipe. */
async function exportKeyFile(tools: Tools, address: string): Promise<string> {
  const password = await passwordOf(tools, address)
  const { keyFile } = await tools.keystore.accounts.exportFile(address, password)
  return keyFile.trimEnd()
}

async function backUp(tools: Tools, address: string, file: string): Promise<string> {
  const password = await passwordOf(tools, address)
  const done = await tools.keystore.accounts.backUp(address, password, file)
  return `${done} is in ${file}; the copy opens with this password`
}

/** @param file a backup; null = the account's own file in the keystore */
async function verify(tools: Tools, address: string, file: string | null): Promise<string> {
  const copy = file === null ? null : textOf('account verify', file, readText)
  const password = await passwordOf(tools, address)
  const { accounts } = tools.keystore
  if (copy === null) await accounts.prove(address, password)
  else await accounts.proveCopy(address, copy, password)
  return `${file ?? address} opens with this password`
}

async function forget({ keystore }: Tools, address: string): Promise<string> {
  await keystore.start()
  if (await keystore.hardware.forget(address.toLowerCase())) {
    return `${address} was removed from the list of accounts; its key stays in the device`
  }
  await keystore.requireAccount(address)
  return `${address} was removed from the keystore; its file was moved to ${await keystore.accounts.forget(address)}`
}

/** Prints the end of the audit log along with an exported key, so that both can be kept together. */
async function withAnchor({ keystore, note }: Tools, work: Promise<string>): Promise<string> {
  const text = await work
  const anchor = keystore.anchor()
  if (anchor !== null) note(`audit anchor ${anchor}`)
  return text
}

/** Asks only when the account exists. */
async function passwordOf({ keystore, secrets }: Tools, address: string, what = `password of ${address}`) {
  await keystore.start()
  await keystore.requireAccount(address)
  return secrets.next({ what, isNew: false })
}

/** Broken key files and an empty keystore are reported beside the list, and aren't failures. */
async function list({ keystore, note }: Tools, isJson: boolean): Promise<string> {
  await keystore.start()
  const { accounts, problems } = keystore.listing()
  for (const { file, reason } of problems) note(`${file}: ${reason}`)
  if (accounts.length === 0 && !isJson) note(`no accounts in ${keystore.path}; create one with headframe account new`)
  return listing(accounts, isJson)
}

/** A connected device's addresses, on the first `count` paths of each usual scheme. */
async function look({ keystore, signal }: Tools, count: number, isJson: boolean): Promise<string> {
  return listing((await keystore.hardware.look(count, signal)).map(listedDevice), isJson)
}

async function addFromDevice({ keystore, signal }: Tools, path: string): Promise<string> {
  await keystore.start()
  return listing([listedDevice(await keystore.hardware.add(path, signal))], false)
}

/** @param place derivation path, optionally with a fingerprint in front; empty: the usual path */
async function watch({ keystore }: Tools, address: string, place: string): Promise<string> {
  await keystore.start()
  return listing([listedDevice(await keystore.hardware.watch(address.toLowerCase(), place))], false)
}

async function bring({ keystore }: Tools, id: string, text: string): Promise<string> {
  await keystore.bringSignature(id, text)
  return `${id} has its signature; the waiting signer picks it up within a second`
}

/** One line per request waiting for an offline device; for a single one its QR codes, or as JSON its file. */
async function unsigned({ keystore }: Tools, id: string, isJson: boolean): Promise<string> {
  if (id === '') {
    const files = await keystore.unsigned()
    if (isJson) return JSON.stringify(files)
    return files.map(({ requestId, kind, address }) => `${requestId}  ${address}  ${kind}`).join('\n')
  }
  const file = await keystore.unsignedOf(id)
  if (isJson) return JSON.stringify(file)
  const codes = file.ur.map((part, index) => `${renderUnicodeCompact(part)}\n${index + 1}/${file.ur.length}  ${part}`)
  return [...codes, `digest ${file.digest}`].join('\n\n')
}

/** One line each; an array as JSON. */
function listing(accounts: readonly ListedAccount[], isJson: boolean): string {
  if (isJson) return JSON.stringify(accounts)
  const names = { ledger: 'Ledger ', airgap: 'offline ', keystore: '' } as const
  const placeOf = ({ kind, place }: ListedAccount): string => `${names[kind]}${place}`
  return accounts.map((account) => `${account.address}  ${placeOf(account)}`).join('\n')
}

/** @throws ConfigError CONFIG_VALUE_INVALID */
function countWord(word: string): number {
  if (word === '') return USUAL_COUNT
  const count = Number(word)
  if (/^\d{1,3}$/.test(word) && count >= 1 && count <= MAX_COUNT) return count
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'COUNT', value: word, expected: `1 to ${MAX_COUNT}` })
}
