import { describe, expect, it } from 'vitest'
import { deviceList } from '../options/miner'

describe('a list of devices', () => {
  it.each([
    ['0,2', ['0', '2']],
    ['gpu,cpu', ['gpu', 'cpu']],
    ['all,-1', ['all', '-1']],
    ['01:00.0,0001:0A:00.1', ['01:00.0', '0001:0a:00.1']],
    [' 0 , 1', ['0', '1']],
  ])('reads %s', (text, words) => {
    expect(deviceList().parse(text)).toEqual(words)
  })

  it.each(['', ',', '0,', 'first', '--1', '1.5', '01:00', '0x1', '1000', '0;1'])('rejects %j', (text) => {
    expect(deviceList().parse(text)).toBeNull()
  })

  it('reads numbers and words in the config file, and joins repeated options', () => {
    const type = deviceList()
    expect(type.fromToml([0, 'cpu'])).toEqual(['0', 'cpu'])
    expect(type.fromToml('0,cpu')).toEqual(['0', 'cpu'])
    expect(type.fromToml([1.5])).toBeNull()
    expect(type.fromToml([{}])).toBeNull()
    expect(type.merge?.(['0'], ['2'])).toEqual(['0', '2'])
  })
})
