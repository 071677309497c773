// The forge's workflow: as electron-builder's YAML parser reads it, and that no foreign changes can get into a release.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { z } from 'zod'

const FILE = '.github/workflows/release.yml'
const require = createRequire(import.meta.url)
const yaml = z
  .object({ load: z.custom<(text: string) => unknown>() })
  .parse(createRequire(require.resolve('app-builder-lib/package.json'))('js-yaml'))

const stepSchema = z.strictObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
})
const workflow = z
  .strictObject({
    name: z.literal('release'),
    on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
    permissions: z.strictObject({ contents: z.literal('read') }),
    concurrency: z.object({ group: z.string() }),
    jobs: z.strictObject({ linux: z.object({ environment: z.literal('release'), steps: z.array(stepSchema) }) }),
  })
  .parse(yaml.load(readFileSync(FILE, 'utf8')))
const { steps } = workflow.jobs.linux
const manifest = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

it('is started by version tags only', () => {
  expect(workflow.on.push.tags).toEqual(['v[0-9]*'])
})

it('uses each action at one fixed commit', () => {
  const used = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))

  expect(used.length).toBeGreaterThan(0)
  for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
})

it('runs existing npm scripts and tools, and builds twice before it signs', () => {
  const lines = steps.flatMap(({ run = '' }) => run.split('\n'))
  const scripts = lines.flatMap((line) => /npm run (\S+)/.exec(line)?.[1] ?? [])
  const tools = lines.flatMap((line) => /node (tools\/\S+)/.exec(line)?.[1] ?? [])

  expect(scripts).toEqual(['release', 'release'])
  expect(manifest.scripts).toHaveProperty('release')
  expect(tools.filter((tool) => !existsSync(tool))).toEqual([])
  expect(lines.findIndex((line) => line.includes('--twice'))).toBeLessThan(
    lines.findIndex((line) => line.includes('--key')),
  )
})

it('shows its secrets to the step that signs, and never to a shell', () => {
  const withSecrets = steps.filter((step) => JSON.stringify(step).includes('secrets.'))

  expect(withSecrets.map(({ run }) => run)).toEqual([expect.stringContaining('--key')])
  for (const { run = '' } of steps) expect(run).not.toContain('${{')
})
