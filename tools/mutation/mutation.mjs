// npm run mutation: mutates the program line by line and counts the mutations that no test notices. Hours of one core
// for all subjects, so it is run by hand (once a week, or after work on a subject) and isn't part of npm test.
// `-- SUBJECT...` takes some of them: consensus txpool requests policies. `-- --files PATH,PATH` narrows the files of
// one. The reports (text and page) go to .cache/mutation/SUBJECT.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'

const print = (line) => console.log(line)

/** What is changed, and the tests that are to notice it. */
const SUBJECTS = {
  consensus: {
    files: codeIn('src/node/consensus'),
    tests: [
      'src/node/consensus/**/*.test.ts',
      'src/node/chain/chain.test.ts',
      'src/node/chain/locked-subsidies.test.ts',
    ],
  },
  txpool: { files: codeIn('src/node/txpool'), tests: ['src/node/txpool/**/*.test.ts'] },
  requests: {
    files: codeIn('src/signer/requests'),
    tests: ['src/signer/requests/**/*.test.ts', 'src/signer/*.test.ts'],
  },
  policies: {
    files: codeIn('src/signer/rules').filter((path) => /\/(policy|judge|dry-run)[^/]*$/.test(path)),
    tests: ['src/signer/rules/polic*.test.ts'],
  },
}
/** What no test of a subject reads: the copy that is changed leaves it out. */
const LEFT_OUT = ['.cache', '.tsc', '.git', 'coverage', 'dist', 'docs', 'e2e', 'native', 'out', 'test-results']

function codeIn(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [`${folder}/${entry.name}`] : [],
  )
}

/** @returns {Promise<number>} percent of mutations that a test noticed */
async function mutate(name, files) {
  const { Stryker } = await import('@stryker-mutator/core')
  process.env.HEADFRAME_MUTATION_TESTS = SUBJECTS[name].tests.join(',')
  const report = `.cache/mutation/${name}`
  const results = await new Stryker({
    mutate: files,
    testRunner: 'vitest',
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    // Texts are compared with a reader's eye, not by tests: to change one isn't a fault.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: LEFT_OUT.map((folder) => `/${folder}`),
    tempDirName: '.cache/mutation/copies',
    concurrency: 1,
    timeoutMS: 20_000,
    reporters: ['clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: true },
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    disableTypeChecks: false,
    // It would rewrite one by the API that this TypeScript no longer has; none is needed to run tests.
    tsconfigFile: 'none',
    allowConsoleColors: false,
  }).runMutationTest()
  const counted = results.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status))
  const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  return Math.round((1000 * noticed.length) / Math.max(1, counted.length)) / 10
}

function readArguments(args) {
  const at = args.indexOf('--files')
  const only = at === -1 ? null : (args[at + 1] ?? '').split(',')
  const names = args.filter((_word, index) => at === -1 || (index !== at && index !== at + 1))
  const unknown = names.find((name) => SUBJECTS[name] === undefined)
  if (unknown !== undefined)
    throw new ToolError(`unknown subject ${unknown}; known: ${Object.keys(SUBJECTS).join(' ')}`)
  return { names: names.length === 0 ? Object.keys(SUBJECTS) : names, only }
}

await runTool(async () => {
  await ensurePackages(print)
  const { names, only } = readArguments(process.argv.slice(2))
  for (const name of names) {
    const files = only === null ? SUBJECTS[name].files : SUBJECTS[name].files.filter((path) => only.includes(path))
    if (files.length === 0) throw new ToolError(`${name} has none of ${only?.join(', ')}`)
    console.log(`${name}: ${await mutate(name, files)}% of the changes noticed`)
  }
  return 0
})
