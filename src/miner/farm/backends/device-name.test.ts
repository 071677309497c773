import { expect, it } from 'vitest'
import { deviceName } from './device-name'

it.each([
  ['NVIDIA GeForce RTX 3070', 'NVIDIA GeForce RTX 3070'],
  ['Intel(R)  Xeon(R) CPU', 'Intel(R)  Xeon(R) CPU'],
  ['\u202e0703 XTR\u202c', '0703 XTR'],
  ['RX\u200b 67\u200d00\n\tXT\u0000', 'RX 6700XT'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['\u200b \u2028', '?'],
  ['', '?'],
])('of %j is %j', (told, name) => {
  expect(deviceName(told)).toBe(name)
})

it('is cut between characters', () => {
  expect(deviceName('💎'.repeat(200))).toBe(`${'💎'.repeat(96)}…`)
})
