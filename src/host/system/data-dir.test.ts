import { expect, it } from 'vitest'
import { NETWORKS } from '../../config/schema'
import { minerRecords } from './data-dir'

it('keeps the records of each network apart: practice income is none on the main network', () => {
  const files = NETWORKS.flatMap((network) => Object.values(minerRecords('/data', network)))

  expect(new Set(files).size).toBe(files.length)
  expect(minerRecords('/data', 'main').money).toBe('/data/money-main.jsonl')
})
