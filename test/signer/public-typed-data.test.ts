// EIP-712 documents that others published, with their published hashes and signatures, and a third library's results
// for the same.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { messageOf } from '../../src/base/errors'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { dataToSign, readContent } from '../../src/signer/keystore/content-digest'
import { recoverAddress } from '../../src/signer/keystore/secret-key'
import { parseDocument, StructHasher, signableDocument } from '../../src/signer/typed-data/document'
import { checkTypes } from '../../src/signer/typed-data/types'
import { VECTORS } from './harness'

const member = z.object({ name: z.string(), type: z.string() })
const published = z.array(
  z.object({
    name: z.string(),
    domain: z.record(z.string(), z.unknown()),
    primaryType: z.string(),
    types: z.record(z.string(), z.array(member)),
    data: z.record(z.string(), z.unknown()),
    digest: z.string(),
  }),
)

const cases = published.parse(JSON.parse(gunzipSync(readFileSync(join(VECTORS, 'eip712/ethers.json.gz'))).toString()))

/** In the order that EIP-712 gives. */
const DOMAIN_MEMBERS = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
] as const

/** As a caller sends it: the published ones leave the domain's type to the reader. */
function documentOf({ domain, primaryType, types, data }: (typeof cases)[number]) {
  const EIP712Domain = DOMAIN_MEMBERS.filter(({ name }) => name in domain)
  return { types: { EIP712Domain, ...types }, primaryType, domain, message: data }
}

function hashOf(document: unknown): string {
  const parsed = parseDocument(document)
  const data = signableDocument(parsed)
  const { hash } = data
  const byKeyWorker = readContent(
    `0x${'a'.repeat(40)}`,
    JSON.parse(JSON.stringify(dataToSign(data, parsed).content)),
  ).digest
  expect(toHex(byKeyWorker)).toBe(toHex(hash))
  return toHex(hash)
}

describe('the 1,025 documents that ethers publishes', () => {
  it('have their published digest, with and without a domain', () => {
    const wrong = cases.filter((vector) => hashOf(documentOf(vector)) !== vector.digest)

    expect([cases.length, wrong.map(({ name }) => name)]).toEqual([1025, []])
  })

  it('have the digest that viem computes', () => {
    const different = cases.filter((vector) => {
      const document = documentOf(vector)
      return hashOf(document) !== hashTypedData(document as unknown as Parameters<typeof hashTypedData>[0])
    })

    expect(different.map(({ name }) => name)).toEqual([])
  })
})

const struct = z.object({
  types: z.record(z.string(), z.array(member)),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
})
const document = z.looseObject({ domain: z.unknown(), types: z.record(z.string(), z.unknown()) })
/**
 * A value by itself, hashed under no domain, or a whole document; with a hash, a signature, or none if it is rejected.
 */
const shared = z.object({ name: z.string(), error: z.string().optional() })
const publishedCase = z.union([
  shared.extend({ ...struct.shape, hash: z.string().optional() }),
  shared.extend({ document, digest: z.string().optional(), signature: z.string().optional() }),
])

/** The key behind viem's signatures. */
const SIGNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** Equal, different, or why it is rejected, without the value at fault. */
function outcomeOf(one: z.infer<typeof publishedCase>): string {
  try {
    if (!('document' in one)) {
      const types = new Map(Object.entries(one.types))
      checkTypes(types)
      return sameness(toHex(new StructHasher(types).hash(one.primaryType, one.message).hash), one.hash)
    }
    const named = 'EIP712Domain' in one.document.types ? one.document : withDomainType(one.document)
    const { hash } = signableDocument(parseDocument(named))
    if (one.signature === undefined) return sameness(toHex(hash), one.digest)
    const signature = bytesOfHex(one.signature.slice(2))
    signature[64] = (signature[64] ?? 0) - 27
    return sameness(recoverAddress(hash, signature) ?? '', SIGNER)
  } catch (error) {
    const reason = messageOf(error)
      .replace(/, got .*$/, '')
      .replace(/^(?:data|domain|to|contents|length|from|message)\S*: (?:\S+ (?=does not fit))?/, '')
    return one.error === undefined ? `we refuse: ${reason}` : 'refused here and there'
  }
}

function withDomainType(given: z.infer<typeof document>) {
  const domain = Object(given.domain) as object
  return { ...given, types: { EIP712Domain: DOMAIN_MEMBERS.filter(({ name }) => name in domain), ...given.types } }
}

function sameness(ours: string, theirs: string | undefined): string {
  return theirs === undefined ? 'signed here, refused there' : ours === theirs ? 'equal' : 'different'
}

function counted(library: 'metamask' | 'viem'): { readonly counts: object; readonly different: readonly string[] } {
  const text = readFileSync(join(VECTORS, `eip712/${library}.json`), 'utf8')
  const all = z.array(publishedCase).parse(JSON.parse(text))
  const counts: Record<string, number> = {}
  const different: string[] = []
  for (const one of all) {
    const outcome = outcomeOf(one)
    counts[outcome] = (counts[outcome] ?? 0) + 1
    if (outcome === 'different') different.push(one.name)
  }
  return { counts, different }
}

const ALONE = 'primaryType is the domain: programs disagree on what signing it alone means'

describe('the cases of other libraries', () => {
  it("have viem's hashes and signatures; a domain without a known member, or alone, is rejected", () => {
    expect(counted('viem')).toEqual({
      different: [],
      counts: {
        equal: 12,
        'refused here and there': 3,
        'we refuse: invalid argument 1: domain: unknown member "customName"': 1,
        [`we refuse: ${ALONE}`]: 2,
      },
    })
  })

  it("have the hashes of MetaMask's eth-sig-util; what it guesses at is rejected", () => {
    expect(counted('metamask')).toEqual({
      // clef takes a string without 0x for an address; that library hashes its letters.
      different: [
        'TypedDataUtils.hashStruct V4 example data type "address" should hash "bBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB" (type "string")',
      ],
      counts: {
        equal: 50,
        different: 1,
        'refused here and there': 15,
        [`we refuse: ${ALONE}`]: 3,
        'we refuse: invalid argument 1: domain: unknown member "customName"': 1,
        'we refuse: invalid argument 1: domain: unknown member "extraField"': 1,
        'we refuse: missing, want an object (Person)': 1,
        'we refuse: type "Mail" cannot reference itself': 1,
        'we refuse: does not fit int8, want -2^7 to 2^7-1': 3,
        'we refuse: want 1 bytes, 0x and 2 hex digits': 10,
        'we refuse: want 32 bytes, 0x and 64 hex digits': 12,
        'we refuse: want a string': 3,
        'we refuse: want an address, 40 hex digits': 7,
        'we refuse: want an object (Person)': 1,
        'we refuse: want bytes, 0x and hex digits': 6,
        'we refuse: want true or false': 7,
      },
    })
  })
})
