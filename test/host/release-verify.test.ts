// headframe verify: releases signed by the release tool and by minisign itself, and an attacker's replacements.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPublicKey } from '../../src/host/release/minisign'
import { builtInKeys, releaseKeys } from '../../src/host/release/release-keys'
import { verifyRelease } from '../../src/host/release/verify-release'
import { newKey, type SecretKey, signer as tool } from './release-key'

const hasMinisign = spawnSync('minisign', ['-v']).status === 0

const NAME = 'headframe_0.2.0_amd64.deb'
const SECONDS = 1_790_000_000
const RUNNING = '0.1.0'

const right = newKey('RELEASE1')
const wrong = newKey('RELEASE1') // even with the id of the right one
const stranger = newKey('STRANGER')

let folder = ''
const at = (name: string): string => join(folder, name)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'))
  release('0.2.0', right)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A release of one package. */
function release(version: string, key: SecretKey, name = NAME): void {
  writeFileSync(at(name), `package ${version} `.repeat(100))
  writeSums(`${sha256(at(name))}  ${name}\n`, version, key)
}

function writeSums(text: string, version: string, key: SecretKey): void {
  writeFileSync(at('SHA256SUMS'), text)
  sign(`headframe ${version} ${SECONDS}`, key)
}

function sign(comment: string, key: SecretKey): void {
  const bytes = readFileSync(at('SHA256SUMS'))
  writeFileSync(at('SHA256SUMS.minisig'), tool.signatureText(bytes, { key, comment }))
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

function edit(name: string, change: (text: string) => string): void {
  writeFileSync(at(name), change(readFileSync(at(name), 'latin1')), 'latin1')
}

const keyOf = (key: SecretKey) => {
  const read = readPublicKey(tool.publicKeyLine(key))
  if (read === null) throw new Error('no public key')
  return read
}
const verify = (name = NAME, notOlderThan: string | null = RUNNING) =>
  verifyRelease({ file: at(name), keys: [keyOf(right)], notOlderThan })

describe('a release', () => {
  it('is accepted if it is intact, signed by the key, and not older than the program', async () => {
    await expect(verify()).resolves.toEqual({
      version: '0.2.0',
      releasedAt: SECONDS * 1000,
      keyId: '31455341454C4552',
      sha256: sha256(at(NAME)),
    })
  })

  it('is accepted in the same version, and in an older one on request', async () => {
    release(RUNNING, right)
    await expect(verify()).resolves.toMatchObject({ version: RUNNING })
    release('0.0.9', right)
    await expect(verify(NAME, null)).resolves.toMatchObject({ version: '0.0.9' })
  })

  it('has its sums in the parent folder if packages have their own folders', async () => {
    mkdirSync(at('hiveos'))
    release('0.2.0', right, 'hiveos/headframe-0.2.0.tar.gz')

    await expect(verify('hiveos/headframe-0.2.0.tar.gz')).resolves.toMatchObject({ version: '0.2.0' })
  })
})

type Attack = readonly [title: string, act: () => void, code: string, words: RegExp, name?: string]

/** What was done to a release, the code and text of the rejection, and the file in question. */
const ATTACKS: readonly Attack[] = [
  ['one bit flipped', () => edit(NAME, flipLastBit), 'CHANGED', /not the file that was released/],
  ['cut off', () => truncateSync(at(NAME), 500), 'CHANGED', /Delete it/],
  ['bytes added at the end', () => edit(NAME, (text) => `${text}\n`), 'CHANGED', /want [0-9a-f]{64}/],
  ['empty', () => truncateSync(at(NAME), 0), 'FILE', /empty/],
  ['missing', () => rmSync(at(NAME)), 'FILE', /no such file/],
  ['another name', () => copyFileSync(at(NAME), at('other.deb')), 'NOT_LISTED', /other\.deb is not part/, 'other.deb'],
  ['a link', () => symlinkSync(at(NAME), at('link.deb')), 'FILE', /link: name the file/, 'link.deb'],
  ['a folder', () => mkdirSync(at('folder.deb')), 'FILE', /not a file/, 'folder.deb'],
  ['a pipe nobody writes to', () => spawnSync('mkfifo', [at('pipe.deb')]), 'FILE', /not a file/, 'pipe.deb'],
  ['an old release, rightly signed', () => release('0.0.9', right), 'OLD', /older than this program \(0\.1\.0\)/],
  ['signed by another key', () => release('0.2.0', stranger), 'SIGNATURE', /not one of 31455341454C4552/],
  ['signed by another key of the same id', () => release('0.2.0', wrong), 'SIGNATURE', /never signed by it/],
  ['sums made to fit', sumsMadeToFit, 'SIGNATURE', /was changed after/],
  ['a line of the sums taken twice', doubled, 'SUMS', /line 2/],
  ['sums with data behind', () => rightly('x'), 'SUMS', /line 2/],
  ['sums of CRLF', () => writeSums(`${sha256(at(NAME))}  ${NAME}\r\n`, '0.2.0', right), 'SUMS', /line 1/],
  ['no sums', () => rmSync(at('SHA256SUMS')), 'FILE', /SHA256SUMS cannot be read/],
  ['no signature', () => rmSync(at('SHA256SUMS.minisig')), 'FILE', /minisig cannot be read/],
  ['sums without end', () => edit('SHA256SUMS', (text) => text.repeat(1_000)), 'FILE', /more than the 65536/],
  ['a signed version changed', () => edit('SHA256SUMS.minisig', otherVersion), 'SIGNATURE', /was changed after/],
  ['a signed comment that is no release', () => sign('backups 0.2.0', right), 'SIGNATURE', /does not name a release/],
  ['a version that is none', () => sign('headframe 0.2.0-rc1 1', right), 'SIGNATURE', /does not name a release/],
  [
    'a line behind the signature',
    () => edit('SHA256SUMS.minisig', (text) => `${text}x\n`),
    'SIGNATURE',
    /want a signature/,
  ],
  ['a signature over the file itself', () => edit('SHA256SUMS.minisig', unhashed), 'SIGNATURE', /want a signature/],
]

function flipLastBit(text: string): string {
  return text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) ^ 1)
}

function sumsMadeToFit(): void {
  edit(NAME, (text) => `evil ${text}`)
  writeFileSync(at('SHA256SUMS'), `${sha256(at(NAME))}  ${NAME}\n`)
}

function doubled(): void {
  const line = `${sha256(at(NAME))}  ${NAME}\n`
  writeSums(`${line}${'0'.repeat(64)}  ${NAME}\n`, '0.2.0', right)
}

function rightly(more: string): void {
  writeSums(`${sha256(at(NAME))}  ${NAME}\n${more}`, '0.2.0', right)
}

function otherVersion(text: string): string {
  return text.replace('headframe 0.2.0', 'headframe 9.2.0')
}

/** minisign's older algorithm, by its two letters. */
function unhashed(text: string): string {
  return text.replace('\nRUR', '\nRWR')
}

describe('a rejected release', () => {
  it.each(ATTACKS.map((attack) => ({ title: attack[0], attack })))('$title', async ({ attack }) => {
    const [, act, code, words, name = NAME] = attack
    act()

    const failure: unknown = await verify(name).catch((error: unknown) => error)

    expect(failure).toMatchObject({ code: `HOST_RELEASE_${code}`, message: expect.stringMatching(words) })
  })
})

describe('the keys', () => {
  it('are those of the file if one is named', async () => {
    writeFileSync(at('release.pub'), `untrusted comment: key\n${tool.publicKeyLine(right)}\n`)

    const [key] = await releaseKeys(at('release.pub'))

    expect(key?.id).toBe('31455341454C4552')
  })

  it("that can't be read are named", async () => {
    writeFileSync(at('bad.pub'), 'RWabc\n')
    const refused = { code: 'HOST_RELEASE_KEY_FILE', message: expect.stringContaining('begins with RW') }

    await expect(releaseKeys(at('bad.pub'))).rejects.toMatchObject(refused)
    await expect(releaseKeys(at('none.pub'))).rejects.toMatchObject({ code: 'HOST_RELEASE_KEY_FILE' })
  })

  it('built into the program can be read, and missing ones are reported', async () => {
    expect(Array.isArray(builtInKeys())).toBe(true)
    await expect(releaseKeys(null, [])).rejects.toMatchObject({ code: 'HOST_RELEASE_NO_KEY' })
  })
})

describe.skipIf(!hasMinisign)(`compared with minisign${hasMinisign ? '' : ' (skipped: it is not installed)'}`, () => {
  const minisign = (...words: string[]) => spawnSync('minisign', words, { cwd: folder, encoding: 'utf8', input: '' })

  it('minisign accepts what the release tool signs', () => {
    const args = ['-V', '-m', 'SHA256SUMS', '-P', tool.publicKeyLine(right)]

    const { status, stdout } = minisign(...args)
    edit('SHA256SUMS', (text) => text.replace('deb', 'dab'))

    expect([status, stdout]).toEqual([0, expect.stringContaining(`Trusted comment: headframe 0.2.0 ${SECONDS}`)])
    expect(minisign(...args).status).toBe(1)
  })

  it('a key created by minisign signs here, and its own signature is accepted', async () => {
    minisign('-G', '-W', '-p', 'own.pub', '-s', 'own.key')
    const key = tool.readSecretKey(readFileSync(at('own.key'), 'utf8'))
    const keys = await releaseKeys(at('own.pub'))
    const file = at(NAME)

    sign(`headframe 0.2.0 ${SECONDS}`, key)
    await expect(verifyRelease({ file, keys, notOlderThan: RUNNING })).resolves.toMatchObject({ version: '0.2.0' })
    rmSync(at('SHA256SUMS.minisig'))
    minisign('-S', '-s', 'own.key', '-m', 'SHA256SUMS', '-t', `headframe 0.3.0 ${SECONDS}`)
    await expect(verifyRelease({ file, keys, notOlderThan: RUNNING })).resolves.toMatchObject({ version: '0.3.0' })
  })
})
