// The practice network's first account: created at the first start with its own password, which is stored where a
// newcomer finds it. Practice money only.
import { existsSync, writeFileSync } from 'node:fs'

/** 20 characters out of 32: 100 bits. Without the ambiguous 0, o, 1 and l. */
const PASSWORD_LENGTH = 20
const PASSWORD_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** @param randomBytes cryptographically strong */
export function newPracticePassword(randomBytes: (length: number) => Uint8Array): string {
  return [...randomBytes(PASSWORD_LENGTH)].map((byte) => PASSWORD_LETTERS.charAt(byte % 32)).join('')
}

/** Mode 0600; never overwrites the file of an earlier practice network. @returns its path */
export function writePracticeAccount(
  file: string,
  account: { readonly address: string; readonly password: string },
): string {
  const text = [
    'Practice money only: this account exists on the practice network of this data directory and nowhere else.',
    'The program made it at its first start so that you have something to send. Nothing of value is at stake.',
    '',
    `address:  ${account.address}`,
    `password: ${account.password}`,
    '',
  ]
  const free = existsSync(file) ? file.replace(/\.txt$/, `-${account.address.slice(2, 10)}.txt`) : file
  writeFileSync(free, text.join('\n'), { mode: 0o600, flag: 'wx' })
  return free
}
