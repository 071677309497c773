// The forge's workflows: as electron-builder's YAML parser reads them, and that no foreign changes can get into a release.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { z } from 'zod'

const FOLDER = '.github/workflows'
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
    jobs: z.strictObject({
      linux: z.object({
        environment: z.literal('release'),
        // What the forge's attestation needs, and no right to publish anything.
        permissions: z.strictObject({
          contents: z.literal('read'),
          'id-token': z.literal('write'),
          attestations: z.literal('write'),
        }),
        steps: z.array(stepSchema),
      }),
    }),
  })
  .parse(yaml.load(readFileSync(`${FOLDER}/release.yml`, 'utf8')))
const { steps } = workflow.jobs.linux
const manifest = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')))

it('is started by version tags only', () => {
  expect(workflow.on.push.tags).toEqual(['v[0-9]*'])
})

/** What every workflow has. */
const anySchema = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(z.string(), z.object({ steps: z.array(stepSchema) })),
})

it.each(readdirSync(FOLDER))(
  '%s uses each action at one fixed commit, may only read, and gives no text to a shell',
  (file) => {
    const text = readFileSync(`${FOLDER}/${file}`, 'utf8')
    const { jobs } = anySchema.parse(yaml.load(text))
    const all = Object.values(jobs).flatMap((job) => job.steps)
    const used = all.flatMap(({ uses }) => (uses === undefined ? [] : [uses]))

    expect(used.length).toBeGreaterThan(0)
    for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    for (const { run = '' } of all) expect(run).not.toContain('${{')
    expect(text).not.toContain('pull_request_target')
  },
)

it('tests each pull request and push: the quick tier on three systems and Nodes, all parts of the full one', () => {
  const { on, jobs } = z
    .object({
      on: z.strictObject({ pull_request: z.null(), push: z.object({ branches: z.tuple([z.literal('**')]) }) }),
      jobs: z.object({
        quick: z.object({
          strategy: z.object({ matrix: z.object({ os: z.array(z.string()), node: z.array(z.number()) }) }),
          steps: z.array(stepSchema),
        }),
        full: z.object({
          strategy: z.object({ matrix: z.object({ part: z.array(z.number()) }) }),
          env: z.object({ PART: z.string() }),
          steps: z.array(stepSchema),
        }),
      }),
    })
    .parse(yaml.load(readFileSync(`${FOLDER}/test.yml`, 'utf8')))

  expect(on.push.branches).toEqual(['**'])
  expect(jobs.quick.strategy.matrix).toMatchObject({ node: [20, 22, 24] })
  expect(jobs.quick.strategy.matrix.os.map((name) => name.split('-')[0])).toEqual(['ubuntu', 'windows', 'macos'])
  expect(jobs.quick.steps.at(-1)?.run).toBe('npm test')
  const { part } = jobs.full.strategy.matrix
  expect(jobs.full.env.PART).toBe(`\${{ matrix.part }}/${part.length}`)
  expect(part).toEqual(part.map((_, index) => index + 1))
  expect(jobs.full.steps.at(-1)?.run).toBe('npm run test:full -- --rest --shard "$PART"')
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

it('makes every package or fails: with all tools that one is skipped without', () => {
  const lines = steps.flatMap(({ run = '' }) => run.split('\n'))
  const installed = lines.flatMap((line) => (/(?:apt-get|pip) install (.*)$/.exec(line)?.[1] ?? '').split(' '))
  const tools = readdirSync('tools', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.mjs$/.test(path) && !/^lint|wine/.test(path),
  )
  const wanted = tools.flatMap((path) => [
    ...readFileSync(`tools/${path}`, 'utf8').matchAll(
      /is not installed \((?:Debian: apt install|PyPI:) ([a-z0-9+ -]+)\)/g,
    ),
  ])
  const names = new Set(wanted.flatMap(([, text = '']) => text.split(' ')))

  expect(names.size).toBeGreaterThan(4)
  for (const name of [...names, 'g++-aarch64-linux-gnu'])
    expect(
      installed.map((each) => each.split('==')[0]),
      name,
    ).toContain(name)
  expect(
    lines
      .filter((line) => line.includes('npm run release') && line.includes('--key'))
      .every((line) => line.includes('--all')),
  ).toBe(true)
})

it('shows its secrets to the step that signs, and never to a shell', () => {
  const withSecrets = steps.filter((step) => JSON.stringify(step).includes('secrets.'))

  expect(withSecrets.map(({ run }) => run)).toEqual([expect.stringContaining('--key')])
  for (const { run = '' } of steps) expect(run).not.toContain('${{')
})
