// Account management in the UI: importing and exporting keys, passwords, backups, names, watched addresses. Passwords
// are sealed by the page, or wiped here whatever the outcome; a key file is only exported after its password was verified.
import type { SealedPassword } from '../../../base/approvals'
import { wipe } from '../../../base/bytes'
import { checksumAddress } from '../../../base/checksum-address'
import type { Password } from '../../../signer/keystore/key-client'
import type { SignerService } from '../../../signer/signer-service'
import { HostError } from '../../errors'
import type { AccountNotes } from '../../signer/account-notes'
import type { RunningVault } from '../../signer/running-vault'
import type { CallsOf } from '../ui-handlers'
import { passwordBytes } from './password-bytes'

interface Present {
  readonly signer: SignerService
  readonly tools: { readonly accounts: AccountNotes; readonly vault: RunningVault }
}

/** @param present throws when this run has no signer */
export function signerAccountCalls(present: () => Present) {
  const keys = () => present().signer.accountManager
  const notes = () => present().tools.accounts
  return {
    'signer.importAccount': ({ text, oldPassword, password }) =>
      withPasswords([oldPassword ?? '', password], async (old, next) => ({
        address: await keys().importAccount(text, { old: oldPassword === null ? null : old, next }),
      })),
    'signer.changePassword': ({ address, oldPassword, password }) =>
      withPasswords([oldPassword, password], async (old, next) => {
        await keys().changePassword(address, { old, next })
        await notes().passwordChanged(address)
      }),
    'signer.exportAccount': ({ address, password }) =>
      withPasswords([password], async (bytes) => {
        const { file, keyFile } = await keys().exportFile(address, bytes)
        await notes().saved(address)
        return { file, text: keyFile }
      }),
    'signer.confirmBackup': ({ address, text, password }) =>
      withPasswords([password], async (bytes) => {
        await keys().proveCopy(address, text, bytes)
        await notes().proved(address)
      }),
    'signer.forgetAccount': ({ address, lastDigits }) => forget(present(), address, lastDigits),
    'signer.setLabel': async ({ address, label }) => notes().label(address, label.trim()),
    'signer.watch': async ({ address, label }) => notes().watch(address, label.trim()),
    'signer.unwatch': async ({ address }) => notes().unwatch(address),
  } satisfies Partial<CallsOf<'signer'>>
}

/**
 * Empty `keptIn`: its key was in a device. The password stored in an open vault is removed too. @throws HostError
 * HOST_LAST_DIGITS; as AccountManager.forget
 */
async function forget({ signer, tools }: Present, address: string, lastDigits: string): Promise<{ keptIn: string }> {
  const isRight = address.slice(-6).toLowerCase() === lastDigits.toLowerCase()
  if (!isRight) throw new HostError('HOST_LAST_DIGITS', { address: checksumAddress(address) })
  if ((await signer.hardware?.forget(address.toLowerCase())) === true) return { keptIn: '' }
  const { stored } = await tools.vault.state()
  const isStored = stored.some((each) => each.toLowerCase() === address.toLowerCase())
  const keptIn = await signer.accountManager.forget(address)
  if (isStored) await tools.vault.setPassword(address, null)
  return { keptIn }
}

/** Gives each in base64 its own bytes, and wipes them at the end; what a page sealed passes as it is. */
async function withPasswords<T>(
  given: readonly (string | SealedPassword)[],
  run: (...passwords: readonly [Password, Password]) => Promise<T>,
): Promise<T> {
  const passwords = given.map((each) => (typeof each === 'string' ? passwordBytes(each) : each))
  try {
    return await run(passwords[0] ?? new Uint8Array(0), passwords[1] ?? new Uint8Array(0))
  } finally {
    for (const each of passwords) if (each instanceof Uint8Array) wipe(each)
  }
}
