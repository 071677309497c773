import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../base/logger'
import { FakeClock } from '../../../../base/testing/fake-clock'
import { recordText, signRecord } from '../../../identity/enr'
import { FakeDns, toBase32 } from '../../../testing/fake-dns-tree'
import { base32, DnsTrees, readTreeAddress, readTreeEntry, readTreeRoot } from './dns-trees'

// The example of EIP-1459.
const EXAMPLE_KEY = 'AKPYQIUQIL7PSIACI32J7FGZW56E5FKHEFCCOFHILBIMW3M6LWXS2'
const EXAMPLE_ROOT =
  'enrtree-root:v1 e=JWXYDBPXYWG6FX3GMDIBFA6CJ4 l=C7HRFPF3BLGF3YR4DY5KX3SMBE seq=1 sig=o908WmNp7LibOfPsr4btQwatZJ5URBr2ZAuxvK4UWHlsB9sUOTJQaGAlLPVAhM__XJesCHxLISo94z5Z2a463gA'
const EXAMPLE_LINK = 'enrtree://AM5FCQLWIZX2QFPNJAP7VUERCCRNGRHWZG3YYHIUV7BVDQ5FDPRT2@morenodes.example.org'
const EXAMPLE_BRANCH = 'enrtree-branch:2XS2367YHAXJFGLZHVAWLQD4ZY,H4FHT4B454P6UXFD7JCYQ5PWDY,MHTDO6TMUBRIA2XWG5LUDACK24'
const EXAMPLE_NODE =
  'enr:-HW4QOFzoVLaFJnNhbgMoDXPnOvcdVuj7pDpqRvh6BRDO68aVi5ZcjB3vzQRZH2IcLBGHzo8uUN3snqmgTiE56CH3AMBgmlkgnY0iXNlY3AyNTZrMaECC2_24YYkYHEgdzxlSNKQEnHhuNAbNlMlWJxrJxbAFvA'

const key = (number: number): Uint8Array => new Uint8Array(32).fill(number)
const content = { host: Uint8Array.of(8, 8, 8, 8), tcpPort: 1, udpPort: 1, forkId: null }
const node = (number: number): string => recordText(signRecord(key(number), 1n, content))
const TIMES = { questionMs: 10, idleMs: 100, recheckMs: 10_000 }

function client(dns: FakeDns, urls: readonly string[]) {
  const clock = new FakeClock()
  const deps = { resolveTxt: dns.resolveTxt, randomBytes: (n: number) => new Uint8Array(n), clock, log: silentLogger }
  const trees = new DnsTrees(urls, deps, TIMES)
  const found: string[] = []
  trees.events.on('recordFound', (record) => found.push(recordText(record)))
  const run = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 10) {
      clock.advance(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  trees.start()
  return { trees, found, run, clock }
}

describe('entries of node lists', () => {
  it('are those of the example of EIP-1459', () => {
    const address = readTreeAddress(`enrtree://${EXAMPLE_KEY}@nodes.example.org`)
    const root = address.ok ? readTreeRoot(EXAMPLE_ROOT, address.value.key) : address

    expect(root).toEqual({
      ok: true,
      value: { nodes: 'JWXYDBPXYWG6FX3GMDIBFA6CJ4', links: 'C7HRFPF3BLGF3YR4DY5KX3SMBE', sequence: 1 },
    })
    expect(readTreeEntry(EXAMPLE_LINK, 'C7HRFPF3BLGF3YR4DY5KX3SMBE')).toMatchObject({ value: { kind: 'link' } })
    expect(readTreeEntry(EXAMPLE_BRANCH, 'JWXYDBPXYWG6FX3GMDIBFA6CJ4')).toMatchObject({
      value: { children: { length: 3 } },
    })
    expect(readTreeEntry(EXAMPLE_NODE, '2XS2367YHAXJFGLZHVAWLQD4ZY')).toMatchObject({ value: { kind: 'node' } })
  })

  it('with another signature, hash or form are rejected', () => {
    const address = readTreeAddress(EXAMPLE_LINK)
    const hashOf = (text: string): string => toBase32(new Uint8Array(16).fill(text.length))

    expect(address.ok && readTreeRoot(EXAMPLE_ROOT, address.value.key).ok).toBe(false)
    expect(address.ok && readTreeRoot('', address.value.key).ok).toBe(false)
    expect(readTreeEntry(EXAMPLE_NODE, hashOf('x')).ok).toBe(false)
    expect(readTreeEntry(EXAMPLE_NODE, '2XS2367YHAXJFGL').ok).toBe(false)
    expect(readTreeAddress(`enrtree://${'A'.repeat(53)}@x.org`).ok).toBe(false)
  })

  it('encode bytes in base32', () => {
    expect(base32('A')).toBeNull()
    expect(base32('AB')).toBeNull()
    expect(base32('a7')).toBeNull()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(base32(toBase32(bytes))).toEqual(bytes)
      }),
    )
  })
})

describe('a client of node lists', () => {
  it('walks a tree and the trees it links to, requesting each entry once', async () => {
    const dns = new FakeDns()
    const other = dns.publish('b.org', key(2), { nodes: [node(12)], links: [], sequence: 1 })
    const url = dns.publish('a.org', key(1), { nodes: [node(10), node(11)], links: [other, other], sequence: 1 })
    const { trees, found, run, clock } = client(dns, [url])
    await run(500)
    await trees.stop()

    expect([...found].sort()).toEqual([node(10), node(11), node(12)].sort())
    expect(new Set(dns.questions).size).toBe(dns.questions.length)
    expect(clock.pending).toBe(0)
  })

  it('finds new entries after a recheck without requesting the rest again', async () => {
    const dns = new FakeDns()
    const url = dns.publish('a.org', key(1), { nodes: [node(10)], links: [], sequence: 1 })
    const { found, run } = client(dns, [url])
    await run(300)
    dns.publish('a.org', key(1), { nodes: [node(10), node(11)], links: [], sequence: 2 })
    const before = dns.questions.length
    await run(11_000)

    expect(found.slice(1)).toContain(node(11))
    expect(dns.questions.length - before).toBe(3)
  })

  it("doesn't return to an older root", async () => {
    const dns = new FakeDns()
    dns.publish('a.org', key(1), { nodes: [node(9)], links: [], sequence: 1 })
    const old = dns.texts.get('a.org') ?? ''
    const url = dns.publish('a.org', key(1), { nodes: [node(10)], links: [], sequence: 2 })
    const { found, run } = client(dns, [url])
    await run(300)
    dns.texts.set('a.org', old)
    await run(11_000)

    expect(found).toEqual([node(10)])
  })

  it('rejects a forged root or entry, and gives up on missing ones', async () => {
    const dns = new FakeDns()
    const url = dns.publish('a.org', key(1), { nodes: [node(10), node(11)], links: [], sequence: 1 })
    const forged = [...dns.texts].find(([, text]) => text === node(10))?.[0] ?? ''
    dns.texts.set(forged, node(13))
    const lost = [...dns.texts].find(([, text]) => text === node(11))?.[0] ?? ''
    dns.texts.delete(lost)
    const { found, run } = client(dns, [url])
    await run(1_000)

    expect(found).toEqual([])
    expect(dns.questions.filter((name) => name === forged || name === lost)).toHaveLength(6)
  })

  it('follows sixteen trees at most', async () => {
    const dns = new FakeDns()
    let url = dns.publish('t0.org', key(1), { nodes: [], links: [], sequence: 1 })
    for (let i = 1; i < 40; i++) url = dns.publish(`t${i}.org`, key(1), { nodes: [], links: [url], sequence: 1 })
    const { trees, run } = client(dns, [url])
    await run(2_000)

    expect(trees.trees).toBe(16)
  })

  it('says which URL is invalid', () => {
    expect(() => client(new FakeDns(), ['enrtree://x@y'])).toThrow(/enrtree:\/\/x@y/)
  })
})
