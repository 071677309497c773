import { describe, expect, it } from 'vitest'
import { defineErrors } from '../base/errors'
import { ConfigError } from '../config/errors'
import { exitCodeOf, failureLine, noticeLine } from './exit-codes'

const SampleError = defineErrors({ POOL_CLOSED: (d: { host: string }) => `connection to ${d.host} closed` })

describe('exit codes', () => {
  it('are 2 for wrong usage or configuration', () => {
    expect(exitCodeOf(new ConfigError('CONFIG_FILE_MISSING', { file: 'x' }))).toBe(2)
  })

  it('are 1 for every runtime failure, known or not', () => {
    expect([new SampleError('POOL_CLOSED', { host: 'h' }), new Error('x'), 'x'].map(exitCodeOf)).toEqual([1, 1, 1])
  })
})

describe('lines for the user', () => {
  it('are one line each, whatever the message contains', () => {
    expect(failureLine(new Error('a\nb'), false)).toBe('headframe: a b')
    expect(noticeLine('careful', false)).toBe('headframe: note: careful')
  })

  it('are objects with the code in a JSON log', () => {
    const error = new SampleError('POOL_CLOSED', { host: 'h' })

    expect(JSON.parse(failureLine(error, true))).toEqual({
      level: 'error',
      module: 'cli',
      message: 'connection to h closed',
      fields: { code: 'POOL_CLOSED' },
    })
    expect(JSON.parse(failureLine(new Error('x'), true))).toMatchObject({ fields: { code: 'UNEXPECTED' } })
    expect(JSON.parse(noticeLine('careful', true))).toMatchObject({ level: 'warn', message: 'careful' })
  })
})
