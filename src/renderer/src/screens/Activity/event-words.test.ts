// An event becomes a sentence only if everything that the sentence names is known.
import { describe, expect, it } from 'vitest'
import { createLanguage } from '../../i18n/text'
import { anEntry } from '../../testing/open-app'
import { wordsOf } from './event-words'

const { t } = createLanguage('en')
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
    expect(wordsOf(served('127.0.0.1', '8545'), t).sentence).toContain('127.0.0.1')
  })

  it('is the program’s own if a value is null', () => {
    expect(wordsOf(served('null', 'null'), t).sentence).toBe('JSON-RPC is served')
  })
})
