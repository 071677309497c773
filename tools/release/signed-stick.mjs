// A release of one package as it lies on a stick, signed by a key made for it: what checks of packages update from.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { manifest } from '../lib/packages.mjs'
import { sourceDate } from './fixed-tree.mjs'
import { publicKeyLine, signatureText } from './minisign.mjs'

const SUMS = 'SHA256SUMS'
const KEY = 'release.pub'

/**
 * @param {string} stick folder; what it held is removed @param {string} archive path of the package
 * @returns {{ name: string, key: string }} names in the folder: the package, the public key
 */
export function makeSignedStick(stick, archive) {
  rmSync(stick, { recursive: true, force: true })
  mkdirSync(stick)
  const name = basename(archive)
  cpSync(archive, join(stick, name))
  const sums = `${createHash('sha256').update(readFileSync(archive)).digest('hex')}  ${name}\n`
  const key = releaseKey()
  const comment = `headframe ${manifest('.').version} ${sourceDate()}`
  writeFileSync(join(stick, SUMS), sums)
  writeFileSync(join(stick, `${SUMS}.minisig`), signatureText(Buffer.from(sums), { key, comment }))
  writeFileSync(join(stick, KEY), `untrusted comment: of a check\n${publicKeyLine(key)}\n`)
  return { name, key: KEY }
}

function releaseKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [{ d }, { x }] = [privateKey, publicKey].map((key) => key.export({ format: 'jwk' }))
  return { id: Buffer.from('checking'), seed: Buffer.from(d, 'base64url'), publicKey: Buffer.from(x, 'base64url') }
}
