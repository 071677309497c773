// Operations on a signer's files: the words after signer, and rules attest, policies, dryrun; audit verify.
import { SCRIPT_CAP, type ScriptCap, scriptCapSchema } from '../../base/approvals'
import { messageOf } from '../../base/errors'
import { visibleText } from '../../base/language/visible-text'
import { systemClock } from '../../base/time'
import { parseDecimal } from '../../base/units'
import { ConfigError } from '../../config/errors'
import { textOf } from '../../config/resolved-config'
import { releaseKeys } from '../../host/release/release-keys'
import { readText } from '../../host/settings/config-settings'
import { takeDescriptorList } from '../../host/signer/descriptor-lists'
import {
  type AuditQuestion,
  attestRules,
  changeStoredPassword,
  dryRunLines,
  initVault,
  policiesText,
  reportAudit,
  restoreVault,
  rulesHash,
  savePolicies,
} from '../../host/signer/keystore-commands'
import { uiApiText } from '../../host/signer/ui-api-text'
import type { TradesDeps } from '../../host/trades-deps'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { configOf } from '../load-config'
import { Secrets } from '../secrets'
import { depsOf } from '../trades-of-call'
import { addressWord, wordsOf } from '../words'
import { runNewAccount } from './account'

const SIGNER_ACTIONS = {
  init: [],
  attest: ['SHA256', '[LAX]', '[SIGNATURES]'],
  setpw: ['ADDRESS'],
  delpw: ['ADDRESS'],
  newaccount: [],
  gendoc: [],
  descriptors: ['LIST'],
  restore: [],
} as const

const RULES_ACTIONS = { attest: ['FILE', '[LAX]', '[SIGNATURES]'], policies: ['[FILE]'], dryrun: ['FILE'] } as const

const MASTER = { what: 'master password', isNew: false } as const

/** `headframe signer` followed by a word. @throws ConfigError, SignerError, VaultError, HostError */
export async function runSignerAction(call: CliCall): Promise<number> {
  const { action, rest } = wordsOf(call.parsed, SIGNER_ACTIONS)
  const [word = ''] = rest
  if (action === 'newaccount') return runNewAccount(call)
  if (action === 'gendoc') {
    call.world.platform.standardOutput(uiApiText())
    return EXIT_DONE
  }
  const deps = depsOfCall(call)
  const say = call.world.platform.standardOutput
  if (action === 'descriptors') return takeDescriptors(call, deps, word)
  return withSecrets(call, async (secrets) => {
    if (action === 'init') {
      say(await initVault(deps, await secrets.next({ what: 'new master password', isNew: true })))
    } else if (action === 'restore') {
      say(await restoreVault(deps, await secrets.next(MASTER)))
    } else if (action === 'attest') {
      const script = { sha256: hashWord(word).toLowerCase(), ...capWords(rest) }
      await attestRules(deps, script, await secrets.next(MASTER))
      say(`attested ${script.sha256}`)
    } else {
      const address = addressWord(word)
      const master = await secrets.next(MASTER)
      const password = action === 'delpw' ? null : await secrets.next({ what: `password of ${address}`, isNew: true })
      await changeStoredPassword(deps, { address, password }, master)
      say(`${password === null ? 'removed' : 'stored'} the password of ${address}`)
    }
  })
}

/** @throws HostError HOST_RELEASE_..., HOST_DESCRIPTORS_... */
async function takeDescriptors({ parsed, world }: CliCall, deps: TradesDeps, file: string): Promise<number> {
  const keys = await releaseKeys(parsed.key)
  const { descriptors: folder } = deps.config.signer
  const taken = await takeDescriptorList({ file, keys, folder, mayBeOlder: parsed.older }, deps)
  for (const { name, reason } of taken.leftOut)
    world.platform.standardError(`headframe: skipped ${visibleText(name)}: ${visibleText(reason)}`)
  world.platform.standardOutput(
    `${taken.path}: version ${taken.version}, ${taken.usable} descriptors, signed by key ${taken.keyId}; used after the signer restarts`,
  )
  return EXIT_DONE
}

/**
 * `headframe rules attest FILE [LAX [SIGNATURES]]`; `policies [FILE]` prints or replaces the form-built policies; `dryrun FILE`
 * shows what a file's would have done with past requests. @throws ConfigError, VaultError
 */
export async function runRules(call: CliCall): Promise<number> {
  const { action, rest } = wordsOf(call.parsed, RULES_ACTIONS)
  const [file] = rest
  const deps = depsOfCall(call)
  const say = call.world.platform.standardOutput
  return withSecrets(call, async (secrets) => {
    if (action === 'dryrun') {
      for (const line of await dryRunLines(deps, jsonOf(file ?? ''))) say(line)
      return
    }
    if (action === 'policies') {
      if (file === undefined) say(await policiesText(deps, await secrets.next(MASTER)))
      else {
        await savePolicies(deps, jsonOf(file), await secrets.next(MASTER))
        say(`policies replaced with those of ${file}`)
      }
      return
    }
    const cap = capWords(rest)
    const sha256 = await rulesHash(file ?? '')
    await attestRules(deps, { sha256, ...cap }, await secrets.next(MASTER))
    say(sha256)
  })
}

/** `[LAX] [SIGNATURES]` of an account and day, after the script. @throws ConfigError CONFIG_VALUE_INVALID */
function capWords([, lax, signatures]: readonly string[]): ScriptCap {
  const wei = scriptCapSchema.shape.wei.safeParse(lax === undefined ? SCRIPT_CAP.wei : parseDecimal(lax)?.toString())
  if (!wei.success) {
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'LAX', value: lax ?? '', expected: 'an amount such as 1.5' })
  }
  const cap = scriptCapSchema.safeParse({ wei: wei.data, signatures: Number(signatures ?? SCRIPT_CAP.signatures) })
  if (cap.success) return cap.data
  const expected = 'a whole number from 1 to 1000000'
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'SIGNATURES', value: signatures ?? '', expected })
}

/** A policy file's content; validated where it is used. */
function jsonOf(file: string): unknown {
  const where = 'rules'
  const text = textOf(where, file, readText)
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError('CONFIG_FILE_UNREADABLE', { where, file, reason: 'not JSON' })
  }
}

/**
 * `headframe audit verify [FILE]`: 1 for a bad record; --password checks the vault's seal, too, --anchor a mark noted
 * earlier; --json prints an object. @throws ConfigError
 */
export async function runAudit(call: CliCall): Promise<number> {
  const { parsed, world } = call
  const { rest } = wordsOf(parsed, { verify: ['[FILE]'] })
  const config = configOf(call)
  const file = rest[0] ?? config.signer.auditLog
  const anchor = parsed.anchor === null ? null : anchorWord(parsed.anchor)
  const secrets = new Secrets(call)
  try {
    const master = parsed.password === null ? null : await secrets.next(MASTER)
    const { ok, text, figures } = await reportAudit({ config, clock: systemClock() }, { file, anchor, master }).catch(
      (error: unknown) => {
        const reason = messageOf(error)
        return { ok: false, text: reason, figures: { file, record: null, reason } }
      },
    )
    if (parsed.json) world.platform.standardOutput(JSON.stringify({ ok, ...figures }))
    else if (ok) world.platform.standardOutput(text)
    else world.platform.standardError(`headframe: ${text}`)
    return ok ? EXIT_DONE : EXIT_FAILED
  } finally {
    secrets.wipeAll()
  }
}

function anchorWord(word: string): NonNullable<AuditQuestion['anchor']> {
  const match = /^(\d{1,15}):([0-9a-fA-F]{64})$/.exec(word)
  if (match !== null) return { records: Number(match[1]), hash: (match[2] ?? '').toLowerCase() }
  const expected = 'N:HASH as audit verify prints it: a number of records and 64 hex digits'
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: '--anchor', value: word, expected })
}

async function withSecrets(call: CliCall, run: (secrets: Secrets) => Promise<void>): Promise<number> {
  const secrets = new Secrets(call)
  try {
    await run(secrets)
    return EXIT_DONE
  } finally {
    secrets.wipeAll()
  }
}

function depsOfCall(call: CliCall) {
  return depsOf(configOf(call), call.world.platform, 'error')
}

function hashWord(word: string): string {
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(word)) return word.replace(/^0x/, '')
  throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'SHA256', value: word, expected: '64 hex digits' })
}
