// Which device an incident's sentence names: by its own data, or else by the devices of now.
import { expect, it } from 'vitest'
import type { IncidentCause } from '../../../../contract/incidents'
import { english } from '../../i18n/english'
import { createLanguage } from '../../i18n/text'
import { deviceNamer } from '../devices/device-names'
import { incidentSentence } from './incident-words'

const { t } = createLanguage('en')
const nameOf = deviceNamer({ '0': 'cpu', '0 EPYC 7763': 'cpu' }, t)

it.each([
  ['EPYC 7763', { index: 0, backend: 'cpu' }, 'CPU doesn’t respond'],
  // another device had this index then
  ['RTX 3070', { index: 0, backend: 'cuda' }, 'GPU 0 doesn’t respond'],
  // written by a version that didn't record the kind
  ['EPYC 7763', { index: 0 }, 'CPU doesn’t respond'],
  ['RTX 3070', { index: 0 }, 'Device 0 doesn’t respond'],
])('%s with %o is called by its kind', (name, values, sentence) => {
  const devices = [{ index: 0, name }]
  expect(incidentSentence({ cause: 'device-silent', devices, values }, t, nameOf)).toBe(sentence)
})

const PREFIX = 'ui.incident.'
const sentences = Object.entries(english).flatMap(([key, text]) =>
  key.startsWith(PREFIX) ? [[key.slice(PREFIX.length) as IncidentCause, text] as const] : [],
)

it.each(sentences)('%s says all that its incident holds', (cause, text) => {
  const places = [...text.matchAll(/\{(\w+)(, \w+)?/g)].map(
    ([, name = '', kind]) => [name, kind !== undefined] as const,
  )
  const values = Object.fromEntries(places.map(([name, isNumber]) => [name, isNumber ? 7 : `<${name}>`]))
  const sentence = incidentSentence({ cause, devices: [], values }, t, nameOf)
  for (const [name, isNumber] of places) if (name !== 'device') expect(sentence).toContain(isNumber ? '7' : `<${name}>`)
})

it.each([
  [{ trouble: '', text: 'its jobs are for an old block' }, 'a:1: its jobs are for an old block'],
  [{ trouble: 'of-tomorrow', text: 'it is odd', answer: 'no' }, 'a:1: it is odd: no'],
])('of a pool with %j has the words that came with it', (values, sentence) => {
  expect(incidentSentence({ cause: 'pool-trouble', devices: [], values: { host: 'a:1', ...values } }, t, nameOf)).toBe(
    sentence,
  )
})
