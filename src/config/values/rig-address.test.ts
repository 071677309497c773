import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRig, poolList, rigList, rigText, shownRig } from './rig-address'

it.each([
  ['10.0.0.5:3333', { name: '10.0.0.5:3333', host: '10.0.0.5', port: 3333, secret: null }],
  ['rig 1=rig.lan:80', { name: 'rig 1', host: 'rig.lan', port: 80, secret: null }],
  ['http://rig.lan:80', { name: 'rig.lan:80', host: 'rig.lan', port: 80, secret: null }],
  ['a-b_c.d=http://[::1]:65535#to%6ben', { name: 'a-b_c.d', host: '::1', port: 65_535, secret: 'token' }],
  ['[fe80::1]:1#a=b', { name: '[fe80::1]:1', host: 'fe80::1', port: 1, secret: 'a=b' }],
])('reads the rig %s', (text, { secret, ...place }) => {
  const rig = parseRig(text)

  expect(rig).toMatchObject(place)
  expect(rig?.token?.reveal() ?? null).toBe(secret)
})

it.each([
  '',
  'rig',
  'rig:',
  'rig:0',
  'rig:65536',
  '=rig:1',
  `${'n'.repeat(33)}=rig:1`,
  'näme=rig:1',
  'https://rig:1',
  'rig:1#',
  'rig:1#%zz',
  'rig:1#a%20b',
  'rig:1/path',
  'user@rig:1',
  'a=b=rig:1',
])('rejects the rig %j', (text) => {
  expect(parseRig(text)).toBeNull()
})

it.each([
  [
    'rig 1=rig.lan:80 group=cellar site=de-1',
    { name: 'rig 1', token: null, labels: { group: 'cellar', site: 'de-1' } },
  ],
  ['10.0.0.5:3333#tok  card=rtx3080', { name: '10.0.0.5:3333', token: 'tok', labels: { card: 'rtx3080' } }],
  ['rig.lan:80', { name: 'rig.lan:80', token: null, labels: {} }],
])('reads the labels of %s and writes them back', (text, { name, token, labels }) => {
  const rig = parseRig(text)

  expect(rig).toMatchObject({ name, labels })
  expect(rig?.token?.reveal() ?? null).toBe(token)
  expect(rig === null ? null : parseRig(rigText(rig))).toEqual(rig)
})

it.each([
  'rig:1 group',
  'rig:1 group=',
  'rig:1 =a',
  'rig:1 1a=b',
  'rig:1 __meta=b',
  'rig:1 gpu=0',
  'rig:1 rig=a',
  'rig:1 group=a group=b',
  'rig:1 group=a,b',
  'rig:1 group=a"b',
  'rig:1 site=ä',
  `rig:1 ${'a'.repeat(33)}=b`,
  `rig:1 a=${'b'.repeat(65)}`,
  `rig:1 ${Array.from({ length: 17 }, (_, i) => `l${i}=v`).join(' ')}`,
])('rejects the labels of %j', (text) => {
  expect(parseRig(text)).toBeNull()
})

it('shows neither token nor password, whatever else is wrong', () => {
  expect(shownRig('a=rig:x#secret#more')).toBe('a=rig:x#***')
})

it('never throws and never shows what follows the mark', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 8 }), (place, secret) => {
      parseRig(`${place}#${secret}`)
      return !shownRig(`${place.replaceAll('\n', '')}#${secret.replaceAll('\n', '')}#x`).includes(`#${secret}#`)
    }),
  )
})

it('takes several from a variable and a list from the config file, and formats them without secrets', () => {
  const rigs = rigList().parse('a=h:1#t, b=h:2')
  const pools = poolList().fromToml(['stratum+tcp://u:p@h:1', 'exit'])

  expect(rigs?.map((rig) => rig.reveal())).toEqual(['a=h:1#t', 'b=h:2'])
  expect(rigList().format(rigs ?? [])).toBe('a=h:1#*** b=h:2')
  expect(poolList().format(pools ?? [])).toBe('stratum+tcp://u:***@h:1 exit')
  expect(poolList().parse('one two')?.length).toBe(2)
  expect(poolList().fromToml([1])).toBeNull()
  expect(poolList().parse(' ')).toBeNull()
})
