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
  ['names in the order of the list, each once', { rigs: ['d', 'a', 'a'] }, ['a', 'd']],
  ['a name that is not watched, at the end', { rigs: ['x', 'd'] }, ['d', 'x']],
  ['a group', { groups: ['cellar'] }, ['a', 'b']],
  ['a group and a name', { groups: ['cellar'], rigs: ['d'] }, ['a', 'b', 'd']],
  ['a label by itself', { labels: { site: 'north' } }, ['a', 'c']],
  ['a label that narrows a group', { groups: ['cellar'], labels: { site: 'north' } }, ['a']],
  ['labels that all have to fit', { labels: { site: 'north', group: 'attic' } }, ['c']],
  ['all', { all: true }, ['a', 'b', 'c', 'd']],
  ['all with a label', { all: true, labels: { site: 'south' } }, ['b']],
])('chooses %s', (_, selection, names) => {
  expect(selectRigs(RIGS, { ...NONE, ...selection })).toEqual(names)
})

it.each<[string, Partial<RigSelection>, string]>([
  ['nothing', {}, 'name what is meant by rigs, groups or labels, or say all: true'],
  ['a group that nobody has, beside one that is there', { groups: ['cellar', 'roof'] }, 'no rig is in the group roof'],
  ['a group that nobody has, beside all', { groups: ['roof'], all: true }, 'no rig is in the group roof'],
  ['a label whose name every object has', { labels: { toString: 'x' } }, 'no rig has these labels'],
  [
    'a group in which no rig has the label',
    { groups: ['attic'], labels: { site: 'south' } },
    'no rig has these labels',
  ],
])('chooses nothing for %s, and says why', (_, selection, fault) => {
  expect(selectRigs(RIGS, { ...NONE, ...selection })).toEqual({ fault })
})
