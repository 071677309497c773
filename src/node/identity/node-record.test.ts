import { describe, expect, it } from 'vitest'
import { bytesOfHex, toBareHex, toHex } from '../../base/hex'
import { decodeRlp } from '../codec/rlp'
import { nodeIdentity } from './enr'

// The example of EIP-778.
const KEY = bytesOfHex('b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291')
const EXAMPLE =
  'enr:-IS4QHCYrYZbAKWCBRlAy5zzaDZXJBGkcnh4MHcBFZntXNFrdvJjX04jRzjzCBOonrkTfj499SZuOh8R33Ls8RRcy5wBgmlkgnY0gmlwhH8AAAGJc2VjcDI1NmsxoQPKY0yuDUmstAHYpMa2_oxVtw0RW_QAdpzBQA8yWM0xOIN1ZHCCdl8'

describe('the identity of a node', () => {
  it('is the example record of EIP-778', () => {
    const identity = nodeIdentity(KEY, { ip: '127.0.0.1', port: 0, discoveryPort: 30303 }, 1n)

    expect(identity.enr).toBe(EXAMPLE)
    expect(toBareHex(identity.id)).toBe('a448f24c6d18e575453db13171562b71999873db5b286df957af199ec94617f7')
  })

  it('puts ports in the URL only if they differ', () => {
    const quiet = nodeIdentity(KEY, { ip: '127.0.0.1', port: 0, discoveryPort: 0 }, 1n)
    const open = nodeIdentity(KEY, { ip: '10.0.0.1', port: 32110, discoveryPort: 30303 }, 2n)

    expect(quiet.enode).toMatch(/^enode:\/\/[0-9a-f]{128}@127\.0\.0\.1:0$/)
    expect(open.enode).toMatch(/@10\.0\.0\.1:32110\?discport=30303$/)
    const record = decodeRlp(Buffer.from(open.enr.slice(4), 'base64url'))
    const items = record.ok && !(record.value instanceof Uint8Array) ? record.value : []
    expect(items.slice(6).map((item) => toHex(item as Uint8Array))).toContain(toHex(new TextEncoder().encode('tcp')))
  })
})
