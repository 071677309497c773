import { describe, expect, it } from 'vitest'
import { formatEnode, parseEnode } from './node-address'

const ID =
  '34957ea19a9c8170892a41633f7ec05c3ca7d13d64fd155c485985c850f8cad72d5fa6ffcba62038580671565b76bd38b61cbc8145a203aa174f1069a3e10eb2'

describe("a node's URL", () => {
  it.each([`enode://${ID}@168.231.74.175:32110`, `enode://${ID}@[::1]:1?discport=0`, `enode://${ID}@node.example:7`])(
    'reads and writes %s',
    (url) => {
      const read = parseEnode(url)

      expect(read.ok && formatEnode(read.value)).toBe(url)
    },
  )

  it('takes the discovery port from discport', () => {
    const read = parseEnode(`enode://${ID}@10.0.0.1:32110?discport=30303`)

    expect(read.ok && [read.value.tcpPort, read.value.udpPort]).toEqual([32110, 30303])
  })

  it.each([
    '',
    'enode://',
    `enode://${ID.slice(2)}@1.2.3.4:1`,
    `enode://${ID}@1.2.3.4:65536`,
    `enode://${ID}@:1`,
    `enode://${ID}@[1.2.3.4]:1`,
    `http://${ID}@1.2.3.4:1`,
    `enode://${ID}@1.2.3.4`,
  ])('rejects %j', (url) => {
    expect(parseEnode(url).ok).toBe(false)
  })
})
