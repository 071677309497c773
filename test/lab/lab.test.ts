// A short run of the lab; `npm run lab` does longer ones, with reference nodes if that program is available.
import { rmSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { newFolder } from '../node/practice-node'
import { runLab } from './lab'
import { svgPicture, textPicture } from './picture'
import { labScript } from './script'

const folder = newFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('partitions, liars, a flood, a restart and a clock step leave one head, and no honest peer is banned', async () => {
  const report = await runLab({
    folder,
    seed: 5,
    ours: 4,
    theirs: 0,
    lengthMs: 9_000,
    partitionMs: 7_000,
    blockMs: 400,
  })

  expect(report.picture.happenings.map(({ what }) => what.split(' ')[0])).toEqual([
    'partition',
    'liars',
    'flood',
    'clock',
    'heal',
    'restart',
  ])
  expect(report.bans).toEqual([])
  expect(report.healedMs).toHaveLength(1)
  expect(report.height).toBeGreaterThan(3)
  // The two halves had different heads by then.
  expect(new Set(report.picture.sights.map(({ hash }) => hash)).size).toBeGreaterThan(report.height + 1)
  expect(svgPicture(report.picture)).toContain('partition')
  expect(textPicture(report.picture).split('\n')).toHaveLength(8)
})

it('gives the same script for the same seed', () => {
  const options = { seed: 9, nodes: 6, ours: 4, lengthMs: 600_000, partitionMs: 120_000 }
  expect(labScript(options)).toEqual(labScript(options))
  expect(labScript(options).filter(({ kind }) => kind === 'partition')).toHaveLength(4)
  expect(labScript({ ...options, seed: 10 })).not.toEqual(labScript(options))
})
