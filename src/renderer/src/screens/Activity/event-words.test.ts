// An event becomes a sentence only if everything that the sentence names is known.
import { describe, expect, it } from 'vitest'
import { createLanguage } from '../../i18n/text'
import { anEntry } from '../../testing/open-app'
import { deviceNamer } from '../../widgets/devices/device-names'
import { wordsOf } from './Events'

const { t } = createLanguage('en')
const nameOf = deviceNamer({ 0: 'cpu', 1: 'cuda' }, t)
const served = (host: string, port: string) =>
  anEntry({
    message: 'JSON-RPC is served',
    fields: [
      { name: 'host', value: host },
      { name: 'port', value: port },
    ],
  })

describe('the sentence of an event', () => {
  it('names what is known', () => {
    expect(wordsOf(served('127.0.0.1', '8545'), t, nameOf).sentence).toContain('127.0.0.1')
  })

  it.each([
    [0, 'CPU finished the DAG for epoch 3.'],
    [1, 'GPU 1 finished the DAG for epoch 3.'],
    // its kind isn't known
    [2, 'Device 2 finished the DAG for epoch 3.'],
  ])('names device %i by its kind', (device, sentence) => {
    const fields = [
      { name: 'device', value: String(device) },
      { name: 'epoch', value: '3' },
    ]
    expect(wordsOf(anEntry({ message: 'DAG ready', fields }), t, nameOf).sentence).toBe(sentence)
  })

  it('is the program’s own if a value is null', () => {
    expect(wordsOf(served('null', 'null'), t, nameOf).sentence).toBe('JSON-RPC is served')
  })
})
