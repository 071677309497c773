// Documents in the shape of real protocols', with data of our own: their hashes by us, ethers, viem and (recorded)
// eth-account are the same. Where one of those refuses a document, the others decide.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TypedDataEncoder } from 'ethers'
import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toHex } from '../../src/base/hex'
import { checkData } from '../../src/signer/checks/data-rules'
import { dataToSign, readContent } from '../../src/signer/keystore/content-digest'
import { parseDocument, signableDocument } from '../../src/signer/typed-data/document'
import { VECTORS } from './harness'

const ACCOUNT = `0x${'a'.repeat(40)}`

type Members = { readonly name: string; readonly type: string }[]

const documents = z
  .array(
    z.object({
      name: z.string(),
      /** As in a type string, the primary type first. */
      types: z.string(),
      domain: z.record(z.string(), z.union([z.string(), z.number()])),
      message: z.record(z.string(), z.unknown()),
      /** By eth-account; null = it refuses the document. */
      hash: z.string().nullable(),
    }),
  )
  .parse(JSON.parse(readFileSync(join(VECTORS, 'protocol-documents.json'), 'utf8')))

const DOMAIN = { name: 'string', version: 'string', chainId: 'uint256', verifyingContract: 'address', salt: 'bytes32' }

function expand({ types, domain, message }: (typeof documents)[number]) {
  const table: Record<string, Members> = {}
  for (const [, name = '', members = ''] of types.matchAll(/([^()]+)\(([^()]*)\)/g)) {
    table[name] = members === '' ? [] : members.split(',').map(memberOf)
  }
  const domainMembers = Object.entries(DOMAIN).flatMap(([name, type]) => (name in domain ? [{ name, type }] : []))
  return { types: table, domainMembers, primaryType: Object.keys(table)[0] ?? '', domain, message }
}

function memberOf(text: string) {
  const [type = '', name = ''] = text.split(' ')
  return { name, type }
}

/** viem 2 overlooks references to and from types whose names are more than letters, digits and underscores. */
function isReadByViem(types: Readonly<Record<string, Members>>): boolean {
  const names = Object.keys(types)
  return names.length === 1 || names.every((name) => /^\w+$/.test(name))
}

function outcome(run: () => string): string {
  try {
    return run()
  } catch {
    return 'refused'
  }
}

const documentOf = ({ types, domainMembers, ...rest }: ReturnType<typeof expand>) =>
  parseDocument({ types: { EIP712Domain: domainMembers, ...types }, ...rest })

describe('a document of a real protocol', () => {
  it('is one of sixty', () => {
    expect(documents.length).toBeGreaterThanOrEqual(60)
    expect(new Set(documents.map(({ name }) => name)).size).toBe(documents.length)
  })

  it.each(documents.map((each) => [each.name, each] as const))('%s has the hash that others compute', (_name, each) => {
    const { types, domainMembers, primaryType, domain, message } = expand(each)
    const document = documentOf(expand(each))
    const data = signableDocument(document)
    const { hash } = data
    const read = readContent(ACCOUNT, JSON.parse(JSON.stringify(dataToSign(data, document).content)))
    const viemTypes = { EIP712Domain: domainMembers, ...types }
    const byViem = () => hashTypedData({ types: viemTypes, primaryType, domain, message } as never)
    const others = [
      outcome(() => TypedDataEncoder.hash(domain, types, message)),
      each.hash ?? 'refused',
      ...(isReadByViem(types) ? [outcome(byViem)] : []),
    ].filter((answer) => answer !== 'refused')

    expect(toHex(read.digest)).toBe(toHex(hash))
    expect(others.length).toBeGreaterThanOrEqual(2)
    expect([...new Set(others)]).toEqual([toHex(hash)])
  })

  it('names in a warning what no type declares, and what an empty domain means', () => {
    const options = { chainId: 2110n, strict: false, origin: '', address: `0x${'1'.repeat(40)}`, now: 0 }
    const warningsOf = (name: string): readonly string[] => {
      const found = documents.find((each) => each.name === name)
      if (found === undefined) throw new Error(name)
      const document = documentOf(expand(found))
      return checkData(signableDocument(document), document, options)
        .findings.filter(({ severity }) => severity === 'WARNING')
        .map(({ message }) => message)
    }

    expect(warningsOf('members that no type declares')).toContain(
      'Not signed, since no type declares it: "attachedMoneyInEth" of Mail, "nested" of Mail, "wallet" of Person',
    )
    expect(warningsOf('an empty domain')).toContain('The domain is empty: any application may use the signature')
  })
})

describe('names of types', () => {
  const domain = { name: 'x' }
  const of = (name: string, member = 'a') => ({
    types: {
      EIP712Domain: [{ name: 'name', type: 'string' }],
      [name]: [{ name: member, type: 'uint256' }],
      Top: [{ name: 'r', type: `${name}[]` }],
    },
    primaryType: 'Top',
    domain,
    message: { r: [{ [member]: '1' }] },
  })

  it.each([
    'item',
    '_Item',
    '$Item',
    'Item$',
    'Item:X',
    'Ítem',
    'Item-X',
    'Item.X',
    'uint256x',
    'string_',
    'boolean',
    '1',
    '品目',
    '🙂',
  ])('sign as %s', (name) => {
    const { EIP712Domain: _domain, ...types } = of(name).types
    const hash = toHex(signableDocument(parseDocument(of(name))).hash)

    expect(hash).toBe(TypedDataEncoder.hash(domain, types, of(name).message))
    if (/^\w+$/.test(name)) expect(hash).toBe(hashTypedData({ ...of(name), domain } as never))
  })

  it.each([
    'a,b',
    'a(b',
    'a)b',
    'a[b',
    'a]b',
    'a b',
    'a\tb',
    'a\nb',
    'a\u00a0b',
    'a\u202eb',
    'a\u200bb',
    '\ud800',
    'uint7',
    'bytes33',
    'int',
    'bytes',
    'address',
  ])('are refused as %j', (name) => {
    expect(() => signableDocument(parseDocument(of(name)))).toThrow(/type/)
    if (!/^[a-z]+\d*$/.test(name)) expect(() => signableDocument(parseDocument(of('T', name)))).toThrow(/Name/)
  })

  it('are refused where programs put them in different orders', () => {
    const both = of('🙂')
    const types = { ...both.types, '\uff21': [{ name: 'a', type: 'uint256' }] }

    expect(() => signableDocument(parseDocument({ ...both, types }))).toThrow(/no order that all programs agree on/)
  })
})
