import { expect, it } from 'vitest'
import { type RigSelection, selectRigs } from './rig-selection'

const NONE: RigSelection = { rigs: [], groups: [], labels: {}, all: false }
const RIGS = [
  { name: 'a', labels: { group: 'cellar', site: 'north' } },
  { name: 'b', labels: { group: 'cellar', site: 'south' } },
  { name: 'c', labels: { group: 'attic', site: 'north' } },
  { name: 'd' },
]

it.each<[string, Partial<RigSelection>, readonly string[]]>([
  ['nothing', {}, []],
  ['names in the order of the list, each once', { rigs: ['d', 'a', 'a'] }, ['a', 'd']],
  ['a name that is not watched, at the end', { rigs: ['x', 'd'] }, ['d', 'x']],
  ['a group', { groups: ['cellar'] }, ['a', 'b']],
  ['a group and a name', { groups: ['cellar'], rigs: ['d'] }, ['a', 'b', 'd']],
  ['a label by itself', { labels: { site: 'north' } }, ['a', 'c']],
  ['a label that narrows a group', { groups: ['cellar'], labels: { site: 'north' } }, ['a']],
  ['labels that all have to fit', { labels: { site: 'north', group: 'attic' } }, ['c']],
  ['all', { all: true }, ['a', 'b', 'c', 'd']],
  ['all with a label', { all: true, labels: { site: 'south' } }, ['b']],
  ['a group that nobody has', { groups: ['roof'] }, []],
  ['a label whose name every object has', { labels: { toString: 'x' } }, []],
])('chooses %s', (_, selection, names) => {
  expect(selectRigs(RIGS, { ...NONE, ...selection })).toEqual(names)
})
