import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { trustedAuthorities } from './system-authorities'

const dir = mkdtempSync(join(tmpdir(), 'authorities-'))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it("reads the system's bundle: the first that holds certificates, and what the environment adds", () => {
  const [none, wrong, right, extra] = ['none', 'wrong', 'right', 'extra'].map((name) => join(dir, name))
  if (none === undefined || wrong === undefined || right === undefined || extra === undefined) throw new Error('names')
  const pem = (name: string): string => `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`
  writeFileSync(wrong, 'no certificates')
  writeFileSync(right, pem('system'))
  writeFileSync(extra, pem('extra'))
  const bundles = [none, wrong, right]

  expect(trustedAuthorities({ platform: 'linux', environment: {}, bundles })).toContain(pem('system'))
  const more = trustedAuthorities({ platform: 'linux', environment: { NODE_EXTRA_CA_CERTS: extra }, bundles })
  expect(more).toContain(pem('system'))
  expect(more).toContain(pem('extra'))
  expect(trustedAuthorities({ platform: 'linux', environment: {}, bundles: [none] })).toBeNull()
  // What replaces the system's doesn't replace what the environment adds.
  const environment = { NODE_EXTRA_CA_CERTS: extra }
  const given = trustedAuthorities({ instead: pem('given'), platform: 'linux', environment, bundles })
  expect(given).toContain(pem('given'))
  expect(given).toContain(pem('extra'))
  expect(given).not.toContain(pem('system'))
})
