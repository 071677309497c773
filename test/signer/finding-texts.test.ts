// Every finding that the signer can report has a text in each language of the window, which recognizes it by its words.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messageReader } from '../../src/renderer/src/i18n/messages'
import { recognized } from '../../src/renderer/src/i18n/said'
import german from '../../src/renderer/src/i18n/texts/de.json'
import findings from '../../src/renderer/src/i18n/texts/en-findings.json'
import spanish from '../../src/renderer/src/i18n/texts/es.json'
import portuguese from '../../src/renderer/src/i18n/texts/pt.json'
import russian from '../../src/renderer/src/i18n/texts/ru.json'
import chinese from '../../src/renderer/src/i18n/texts/zh.json'
import type { Effect } from '../../src/signer/effects/effect'
import { effectFindings, understandingFindings } from '../../src/signer/effects/effect-findings'

const SIGNER = join(import.meta.dirname, '..', '..', 'src', 'signer')
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7'
const catalogues = [
  ['de', german],
  ['es', spanish],
  ['pt-BR', portuguese],
  ['ru', russian],
  ['zh-CN', chinese],
] as const
/** As the window says a text. */
function languageOf(catalogue: Readonly<Record<keyof typeof findings, string>>): Parameters<typeof recognized>[0] {
  const read = messageReader('en')
  const known = new Map<string, ReturnType<typeof read>>()
  return (key, values) => {
    const message = known.get(key) ?? read(catalogue[key])
    known.set(key, message)
    return message(values)
  }
}

const english = languageOf(findings)
const inGerman = languageOf(german)

const sourceOf = (path: string): string => readFileSync(join(SIGNER, path), 'utf8')
const sources = (folder: string): string =>
  readdirSync(join(SIGNER, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => sourceOf(join(folder, name)))
    .join('\n')

/** Texts that follow `opening` in a source; each value in them stands as an address. */
function textsAfter(source: string, opening: string): readonly string[] {
  const text = new RegExp(`${opening}(?:'((?:[^'\\n\\\\]|\\\\.)*)'|"([^"\\n]*)"|\`([^\`]*)\`)`, 'g')
  return [...source.matchAll(text)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll("\\'", "'").replace(/\$\{[^}]*\}/g, ADDRESS),
  )
}

/** Every kind of effect with all that its sentence depends on. */
function effects(details: readonly string[]): readonly Effect[] {
  const lower = ADDRESS.toLowerCase()
  const places = [
    { form: 'call', depth: 0, source: 'transfer(address,uint256)' },
    { form: 'call', depth: 1, source: 'transfer(address,uint256)' },
    { form: 'signature', depth: 0, source: 'Permit' },
    { form: 'signature', depth: 0, source: 'not a plain name' },
    { form: 'signature', depth: 1, source: 'Order' },
    { form: 'signature', depth: 1, source: '' },
  ] as const
  const kinds = [
    'payment',
    'transfer',
    'grant',
    'control',
    'proceeds',
    'vote',
    'order',
    'unknown',
    'unreadable',
  ] as const
  const targets = [
    { contract: null, isCallee: false, from: null, to: null },
    { contract: lower, isCallee: false, from: lower, to: lower },
    { contract: lower, isCallee: true, from: lower, to: lower },
  ]
  const amounts = [
    { amount: 5n, until: 4_000_000_000n },
    { amount: 'all', until: null },
    { amount: null, until: 2n ** 200n },
    { amount: 2n ** 255n, until: null },
  ] as const
  return places.flatMap((place) =>
    kinds.flatMap((kind) =>
      targets.flatMap((target) =>
        amounts.flatMap((amount) =>
          details.map((detail): Effect => ({ ...place, kind, ...target, ...amount, detail })),
        ),
      ),
    ),
  )
}

/** Which details the code gives to which kinds of effects. */
const NOTES = ['', 'as a debt of the account', 'for gas', 'as a refund of gas, at a price that the request sets']
const ORDERS = [
  'nothing comes back to the account',
  'something comes back to the account',
  'only 5 units come back to the account, next to nothing for a token of 18 decimals',
]

const told = (effect: Effect): readonly string[] => effectFindings([effect]).map(({ message }) => message)

function effectTexts(): readonly string[] {
  const of = (kinds: readonly Effect['kind'][], details: readonly string[]): readonly string[] =>
    effects(details)
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap(told)
  const numbered = effects(['token number 7'])
    .filter(({ kind }) => kind === 'grant' || kind === 'transfer')
    .flatMap((effect) => told({ ...effect, amount: 'number' }))
  return [
    ...of(['payment', 'transfer', 'grant', 'proceeds', 'vote'], NOTES),
    ...of(['order'], ORDERS).filter((text) => !text.startsWith('It ') && !text.startsWith('A call')),
    ...numbered,
    ...of(['unreadable'], ['holds more calls than can be read']),
    ...of(['unknown'], ['carries out the command 0x10 of a router, which may move all that it may take']),
  ]
}

const controlSource = sourceOf('effects/control-methods.ts')
const gained = [...controlSource.matchAll(/\[\s*'\w+\([^']*\)', \d, '([^']+)'/g)].map(([, detail = '']) => detail)
const details = [...new Set(textsAfter(sources('effects'), 'detail(?: =|:) ?'))].filter((text) => text !== '')
const parts = [
  ...textsAfter(sources('effects'), '\\bnote\\('),
  ...textsAfter(sources('effects'), 'notUnderstood: \\['),
  ...textsAfter(sourceOf('checks/data-rules.ts'), 'return \\['),
  ...textsAfter(sourceOf('checks/data-rules.ts'), ' \\? \\['),
  `a call inside it, of the method 0x12345678 of ${ADDRESS}`,
  'the method 0x12345678 of a contract',
  'documents of the type Mail with these members',
  'documents of this type',
  'it holds more calls than can be read',
]

const onDevice = textsAfter(sourceOf('requests/request-kinds.ts'), '\\b(?:info|warning)\\(\\s*')

/** Texts of the checks that stand in one piece in their source, and those put together there. */
const checks = [
  ...textsAfter(sources('checks'), '\\b(?:critical|warning|info)\\(\\s*'),
  ...textsAfter(sources('checks'), 'message(?: =|:) ?'),
  ...onDevice,
  ...textsAfter(sourceOf('checks/transaction-rules.ts'), 'const text = '),
].map((text) =>
  text.startsWith('the ABI signature')
    ? `Transaction contains data, but ${text}`
    : text.replace(
        /^(Transaction contains data, but) 0x.*$/,
        '$1 the ABI signature could not be found: signature 12345678 not found',
      ),
)

describe('the findings of the signer', () => {
  it('are found in its source', () => {
    expect(checks.length).toBeGreaterThan(40)
    expect(onDevice).toHaveLength(4)
    expect(gained.length).toBeGreaterThan(40)
    expect(details.length).toBeGreaterThan(10)
    expect(parts.length).toBeGreaterThan(10)
  })

  it('are all recognized, in their own words', () => {
    const changes = [...gained, ...details].map((detail) => [detail, `${ADDRESS} ${detail}`])
    const isKnown = ([detail = '', change = '']: readonly string[]): boolean =>
      [
        recognized(english, change, 'change'),
        recognized(english, detail, 'change'),
        recognized(english, `It ${detail}`),
        recognized(english, `It moves all of this token from the account to someone, ${detail}`),
        recognized(english, `Anyone with this signature can take all of a token from the account; ${detail}`),
        recognized(english, detail, 'amount'),
      ].some((text) => text !== null)

    for (const text of new Set([...checks, ...effectTexts()])) expect(recognized(english, text)).toBe(text)
    expect(changes.filter((one) => !isKnown(one)).map(([detail]) => detail)).toEqual([])
    expect(parts.filter((part) => recognized(english, part, 'part') !== part)).toEqual([])
  })

  it.each(catalogues)('are said in %s', (_tag, catalogue) => {
    const t = languageOf(catalogue)
    const all = [...checks, ...understandingFindings(parts, true).map(({ message }) => message)]

    expect(all.filter((text) => [null, text].includes(recognized(t, text)))).toEqual([])
  })

  it('stay as they were said where they are not known, whatever they hold', () => {
    const t = inGerman
    const hostile = ' lets someone take all of this token from the account to '.repeat(5_000)

    for (const text of [
      '',
      'A new finding',
      `It lets mallory take all of this token from the account`,
      `It${hostile}`,
      `It lets ${ADDRESS} eat all`,
    ])
      expect(recognized(t, text)).toBeNull()
    expect(recognized(t, `Transaction invokes the following method: "${hostile}"`)).toContain(hostile)
  })

  it('show addresses and numbers as they are', () => {
    const t = inGerman
    const text = `Anyone with this signature (Permit) can let ${ADDRESS} take up to 5 units of this token from the account, until 2096-10-02 07:06 UTC`

    expect(recognized(t, text)).toBe(
      `Wer diese Signatur hat (Permit), kann ${ADDRESS} nehmen lassen: bis zu 5 Einheiten dieses Tokens von dem Konto, bis 2096-10-02 07:06 UTC`,
    )
  })
})
