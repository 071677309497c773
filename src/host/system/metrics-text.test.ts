import { expect, it } from 'vitest'
import { TextMetrics } from './metrics-text'

it('prints help, type and samples of each family, in declaration order', async () => {
  const metrics = new TextMetrics()
  metrics.collect(
    { name: 'zeta_total', help: 'Later letters first.', type: 'counter', labels: ['result', 'gpu'] },
    () => [
      { labels: { result: 'accepted' }, value: 0 },
      { labels: { gpu: '0', result: 'accepted' }, value: 12 },
    ],
  )
  metrics.collect({ name: 'alpha', help: 'A gauge.', type: 'gauge' }, () => [{ labels: {}, value: 0.25 }])

  expect(await metrics.text()).toBe(
    [
      '# HELP zeta_total Later letters first.',
      '# TYPE zeta_total counter',
      'zeta_total{result="accepted"} 0',
      'zeta_total{result="accepted",gpu="0"} 12',
      '# HELP alpha A gauge.',
      '# TYPE alpha gauge',
      'alpha 0.25',
      '',
    ].join('\n'),
  )
})

it('reads collected families again for each page and drops samples that are gone', async () => {
  const metrics = new TextMetrics()
  let host = 'a:1'
  metrics.collect({ name: 'connected', help: 'h', type: 'gauge', labels: ['host'] }, () => [
    { labels: { host }, value: 1 },
  ])
  await metrics.text()
  host = 'b:2'

  const page = await metrics.text()

  expect(page).toContain('connected{host="b:2"} 1\n')
  expect(page).not.toContain('a:1')
})

it('keeps a collected counter at what its reader says, page after page', async () => {
  const metrics = new TextMetrics()
  metrics.collect({ name: 'c_total', help: 'h', type: 'counter' }, () => [{ labels: {}, value: 7 }])
  await metrics.text()

  expect(await metrics.text()).toContain('\nc_total 7\n')
})

it('has no value for what its reader gives none, neither 0 nor the last one', async () => {
  const metrics = new TextMetrics()
  let value: number | null = null
  const read = () => (value === null ? [] : [{ labels: {}, value }])
  metrics.collect({ name: 'income', help: 'h', type: 'gauge' }, read)
  metrics.collect({ name: 'gaps_total', help: 'h', type: 'counter' }, read)
  const families = ['# HELP income h', '# TYPE income gauge', '# HELP gaps_total h', '# TYPE gaps_total counter', '']
  expect(await metrics.text()).toBe(families.join('\n'))

  value = 3
  expect(await metrics.text()).toContain('\nincome 3\n')
  value = null
  expect(await metrics.text()).toBe(families.join('\n'))
})

it('escapes label values', async () => {
  const metrics = new TextMetrics()
  metrics.collect({ name: 'g', help: 'h', type: 'gauge', labels: ['name'] }, () => [
    { labels: { name: 'a"b\\c\nd' }, value: 1 },
  ])

  expect(await metrics.text()).toContain('g{name="a\\"b\\\\c\\nd"} 1\n')
})

it('accepts a family that is declared again: the new reader, in the old place', async () => {
  const metrics = new TextMetrics()
  metrics.collect({ name: 'first', help: 'h', type: 'gauge' }, () => [{ labels: {}, value: 1 }])
  metrics.collect({ name: 'second', help: 'h', type: 'gauge' }, () => [{ labels: {}, value: 1 }])
  metrics.counter({ name: 'n_total', help: 'h' }).inc(2)

  metrics.collect({ name: 'first', help: 'h', type: 'gauge' }, () => [{ labels: {}, value: 5 }])
  metrics.counter({ name: 'n_total', help: 'h' }).inc()

  const page = await metrics.text()
  expect(page.indexOf('first 5')).toBeLessThan(page.indexOf('second 1'))
  expect(page).toContain('n_total 3\n')
})

it('shares nothing with another registry', async () => {
  const one = new TextMetrics()
  const other = new TextMetrics()
  one.collect({ name: 'same', help: 'h', type: 'gauge' }, () => [{ labels: {}, value: 1 }])
  other.collect({ name: 'same', help: 'h', type: 'gauge' }, () => [{ labels: {}, value: 2 }])

  expect(await one.text()).toContain('same 1\n')
  expect(await other.text()).toContain('same 2\n')
})
