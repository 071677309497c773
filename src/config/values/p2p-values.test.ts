import { describe, expect, it } from 'vitest'
import { natMode, networkList, nodeUrls, treeUrls } from './p2p-values'

const ID = 'ab'.repeat(64)
const KEY = 'AM5FCQLWIZX2QFPNJAP7VUERCCRNGRHWZG3YYHIUV7BVDQ5FDPRT2'

describe('values of the network layer', () => {
  it('are lists of nodes', () => {
    const text = `enode://${ID}@10.0.0.1:30303?discport=0, enode://${ID}@[::1]:1`

    expect(nodeUrls().parse(text)).toHaveLength(2)
    expect(nodeUrls().parse('')).toEqual([])
    expect(nodeUrls().fromToml([`enode://${ID}@host:1`])).toHaveLength(1)
  })

  it.each([`enode://${ID.slice(1)}@10.0.0.1:1`, `enode://${ID}@10.0.0.1`, 'enr:abc', `enode://${ID}@h:1,`])(
    'reject the node %s',
    (text) => {
      expect(nodeUrls().parse(text)).toBeNull()
      expect(nodeUrls().fromToml([text, 1])).toBeNull()
    },
  )

  it('are node lists in DNS', () => {
    expect(treeUrls().parse(`enrtree://${KEY}@nodes.example.org`)).toHaveLength(1)
    expect(treeUrls().parse('enrtree://short@nodes.example.org')).toBeNull()
    expect(treeUrls().parse(`https://${KEY}@nodes.example.org`)).toBeNull()
  })

  it('are networks', () => {
    expect(networkList().parse('10.0.0.0/8,2001:db8::/32')).toEqual(['10.0.0.0/8', '2001:db8::/32'])
    for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', 'x/8', '10.0.0/8'])
      expect(networkList().parse(text)).toBeNull()
  })

  it('are port mapping methods, and are written as they were typed', () => {
    for (const text of ['any', 'none', 'upnp', 'pmp', 'extip:1.2.3.4', 'extip:2001:db8::1']) {
      const mode = natMode().parse(text)
      expect(mode === null ? null : natMode().format(mode)).toBe(text)
    }
    for (const text of ['extip', 'extip:', 'extip:host', 'pmp:1.2.3.4', 'auto'])
      expect(natMode().parse(text)).toBeNull()
  })
})
