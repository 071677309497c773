// Signed lists of descriptors, installed by hand: accepted only with the right signature, in ascending versions,
// completely or not at all, and read by the signer at its next start.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { readPublicKey } from '../../src/host/release/minisign'
import { takeDescriptorList } from '../../src/host/signer/descriptor-lists'
import { DescriptorFolder } from '../../src/signer/descriptors/descriptor-folder'
import { parseDocument, signableDocument } from '../../src/signer/typed-data/document'
import { newKey, type SecretKey, signer } from './release-key'

const right = newKey('RELEASE1')
const stranger = newKey('STRANGER')
const CONTRACT = `0x${'ab'.repeat(20)}`
const descriptor = (intent: string) => ({
  context: { eip712: { deployments: [{ chainId: 2110, address: CONTRACT }] } },
  metadata: { owner: 'Tester' },
  display: { formats: { 'Mail(string text)': { intent, fields: [] } } },
})
const list = (version: unknown, intent = `list ${version}`, more: object = {}) =>
  JSON.stringify({ version, descriptors: { 'mail.json': descriptor(intent), ...more } })
const document = parseDocument({
  types: {
    EIP712Domain: [
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Mail: [{ name: 'text', type: 'string' }],
  },
  primaryType: 'Mail',
  domain: { chainId: 2110, verifyingContract: CONTRACT },
  message: { text: 'hello' },
})

describe('a list of descriptors', () => {
  let base = ''
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'descriptor-lists-'))
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const keyOf = (key: SecretKey) => {
    const read = readPublicKey(signer.publicKeyLine(key))
    if (read === null) throw new Error('no key')
    return read
  }
  const folder = (): string => join(base, 'signer', 'descriptors')
  const bring = (text: string, by: SecretKey | null = right): string => {
    const file = join(base, 'list.json')
    writeFileSync(file, text)
    rmSync(`${file}.minisig`, { force: true })
    if (by !== null)
      writeFileSync(`${file}.minisig`, signer.signatureText(Buffer.from(text), { key: by, comment: 'a' }))
    return file
  }
  const take = (file: string, mayBeOlder = false) =>
    takeDescriptorList({ file, keys: [keyOf(right)], folder: folder(), mayBeOlder }, { clock: systemClock() })
  const words = async () => {
    const descriptors = new DescriptorFolder(folder(), { log: silentLogger })
    await descriptors.load()
    return descriptors.describeDocument(document, signableDocument(document)).map(({ message }) => message)
  }

  it('is read by the signer from then on', async () => {
    const taken = await take(bring(list(1)))

    expect(taken).toMatchObject({ version: 1, usable: 1, leftOut: [], keyId: keyOf(right).id })
    expect(await words()).toEqual(['In the words of "Tester": "list 1"'])
    expect(readdirSync(folder())).toEqual(['signed-list.json'])
  })

  it('replaces an older one, and a newer one only on request', async () => {
    await take(bring(list(2)))
    await take(bring(list(3)))
    await take(bring(list(3, 'the same number again')))

    await expect(take(bring(list(2)))).rejects.toMatchObject({ code: 'HOST_DESCRIPTORS_OLD' })
    expect(await words()).toEqual(['In the words of "Tester": "the same number again"'])
    await take(bring(list(2)), true)
    expect(await words()).toEqual(['In the words of "Tester": "list 2"'])
  })

  it('replaces an unreadable one', async () => {
    mkdirSync(folder(), { recursive: true })
    writeFileSync(join(folder(), 'signed-list.json'), '{"version":9')

    expect(await words()).toEqual([])
    await take(bring(list(1)))
    expect(await words()).toEqual(['In the words of "Tester": "list 1"'])
  })

  it('may contain unknown descriptors, which are omitted and named', async () => {
    const odd = { ...descriptor('x'), includes: './other.json' }

    expect(await take(bring(list(1, 'mail', { 'odd.json': odd })))).toMatchObject({
      usable: 1,
      leftOut: [{ name: 'odd.json', reason: expect.stringContaining('includes') }],
    })
    expect(await words()).toEqual(['In the words of "Tester": "mail"'])
  })

  it.each([
    ['without a signature', list(1), null, 'HOST_RELEASE_FILE'],
    ['signed by somebody else', list(1), stranger, 'HOST_RELEASE_SIGNATURE'],
    ['that is not JSON', '{', right, 'HOST_DESCRIPTORS_INVALID'],
    ['without a version', list(undefined), right, 'HOST_DESCRIPTORS_INVALID'],
    ['of version 0', list(0), right, 'HOST_DESCRIPTORS_INVALID'],
    ['of nothing that is understood', '{"version":1,"descriptors":{"a":{}}}', right, 'HOST_DESCRIPTORS_INVALID'],
    ['of what is no descriptor', '{"version":1,"descriptors":{"a":7}}', right, 'HOST_DESCRIPTORS_INVALID'],
    ['without end', ' '.repeat(9 * 1024 * 1024), right, 'HOST_RELEASE_FILE'],
  ])('is rejected %s', async (_how, text, by, code) => {
    await expect(take(bring(text, by))).rejects.toMatchObject({ code })
    expect(existsSync(folder())).toBe(false)
  })

  it('is rejected if a byte was changed after signing', async () => {
    const file = bring(list(1))
    writeFileSync(file, readFileSync(file, 'utf8').replace('Tester', 'Tesler'))

    await expect(take(file)).rejects.toMatchObject({ code: 'HOST_RELEASE_SIGNATURE' })
  })

  it("reports that its place can't be written, and keeps nothing", async () => {
    mkdirSync(join(base, 'signer'))
    writeFileSync(folder(), 'a file in the place of the folder')

    await expect(take(bring(list(1)))).rejects.toMatchObject({ code: 'HOST_DESCRIPTORS_UNWRITABLE' })
    expect(readdirSync(join(base, 'signer'))).toEqual(['descriptors'])
  })
})
