// npm run lint: biome, then what it does not know: layers, bounds and bans of the style guide, of TypeScript and C++. `--fix` lets biome repair.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile, ROOT, run, runTool } from './lib/project.mjs'
import { ensurePackages } from './lib/set-up.mjs'
import { checkDocstrings } from './lint/docstrings.mjs'
import { documentChecker } from './lint/documents.mjs'
import { checkFolders } from './lint/folders.mjs'
import { checkImports, importsOf } from './lint/imports.mjs'
import { lintCpp } from './lint/lint-cpp.mjs'
import { checkLockFile, placed } from './lint/lock-file.mjs'
import { checkPlaceholders, PLACEHOLDERS } from './lint/placeholders.mjs'
import { checkSmallFiles } from './lint/small-files.mjs'
import { checkAllowedWaits, checkStyle, checkWaits } from './lint/style.mjs'
import { readWordList, wordChecker } from './lint/words.mjs'

const FOLDERS = ['src', 'test', 'e2e', 'tools', 'bin']
const SKIPPED = /^(test\/vectors|src\/renderer\/public)\//
const LINTED = /\.(ts|tsx|mjs)$/
/** What may name files: documents and comments. */
const NAMING = /\.(md|tsx?|mts|mjs|cjs|cpp|c|h|cl|cuh?|rs|go|css|py|sh|toml|ya?ml|gyp|service)$/
/** Where exported functions and types count: the program, without tests and what supports them. */
const DOCUMENTED = /^src\/(?!.*(?:\.test\.tsx?$|\.d\.ts$|\/testing\/)).*\.tsx?$/
const BUILT = /^native\/(build|prebuilds|engine\/target)\//
/** Taken over from others, unchanged. */
const VENDORED = /^native\/vendor\//

/** @returns {Promise<boolean>} true when nothing was found */
export async function lint({ fix = false } = {}) {
  const args = [packageFile('@biomejs/biome', 'bin/biome'), 'check', ...(fix ? ['--write'] : []), '.']
  const biome = await run(process.execPath, args)
  const rules = JSON.parse(readFileSync(join(ROOT, 'layers.json'), 'utf8'))
  const lockFile = join(ROOT, 'package-lock.json')
  if (fix) writeFileSync(lockFile, placed(readFileSync(lockFile, 'utf8')))
  const cpp = lintCpp(
    rules,
    ['src', 'test'].flatMap((folder) => filesBelow(`native/${folder}`)),
    fix,
  )
  if (cpp.note !== '') console.log(cpp.note)
  const findings = [...checkProject(rules), ...cpp.findings, ...checkLockFile(readFileSync(lockFile, 'utf8'))]
  for (const { path, line, message } of findings) console.error(`${path}:${line}: ${message}`)
  console.log(findings.length === 0 ? 'layers and style: no findings' : `layers and style: ${findings.length} findings`)
  return biome.code === 0 && findings.length === 0
}

function checkProject(rules) {
  const files = FOLDERS.flatMap((folder) => filesBelow(folder)).filter(
    (path) => LINTED.test(path) && !SKIPPED.test(path),
  )
  const waits = JSON.parse(readFileSync(join(ROOT, 'test/fixed-waits.json'), 'utf8'))
  const findings = [...checkFolders(rules, codeFiles()), ...checkAllowedWaits(waits, files)]
  const program = new Map()
  const checkWords = wordChecker(readWordList(readFileSync(join(ROOT, 'docs/writing.md'), 'utf8')))
  for (const path of files) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const imports = importsOf(path, text)
    if (DOCUMENTED.test(path)) program.set(path, { text, imports })
    findings.push(...checkImports(rules, path, imports), ...checkStyle(rules, path, text))
    findings.push(...checkWords(path, text), ...checkWaits(waits, path, text))
  }
  findings.push(...checkSmallFiles(rules, program))
  const docstrings = checkDocstrings(rules.bounds, new Map([...program].map(([path, { text }]) => [path, text])))
  console.log(`docstrings: ${docstrings.percent}% of exported functions and types`)
  return [...findings, ...docstrings.findings, ...checkDocuments(checkWords)]
}

/** Everything a folder's bound may count. */
function codeFiles() {
  return [...FOLDERS, 'native']
    .flatMap((folder) => filesBelow(folder))
    .filter((path) => !BUILT.test(path) && !VENDORED.test(path) && !SKIPPED.test(path))
}

/** Paths that documents and comments name (the change log names past ones, too), and the words of documents and resources. */
function checkDocuments(checkWords) {
  const inFolders = [...FOLDERS, 'docs', 'native', 'resources'].flatMap((folder) => filesBelow(folder))
  const atRoot = readdirSync(ROOT, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))
  const files = [...inFolders, ...atRoot].filter((path) => !BUILT.test(path))
  const check = documentChecker(files, (path) => readFileSync(join(ROOT, path), 'utf8'))
  const naming = files.filter(
    (path) => NAMING.test(path) && !VENDORED.test(path) && !SKIPPED.test(path) && path !== 'CHANGELOG.md',
  )
  const placeholders = [
    ...new Set([...files.filter((path) => path.endsWith('.md')), ...Object.values(PLACEHOLDERS)]),
  ].map((path) => checkPlaceholders(path, readFileSync(join(ROOT, path), 'utf8')))
  const open = placeholders.flatMap((each) => each.open)
  if (open.length > 0) console.log(`to be filled in before the project is published: ${open.join(', ')}`)
  const documents = files.filter((path) => path.endsWith('.md') || path.startsWith('resources/'))
  const texts = files.filter((path) => path.startsWith('src/') && path.endsWith('.json'))
  const prose = [...documents, ...texts, ...filesBelow('.github'), 'test/fixed-waits.json']
  return [
    ...placeholders.flatMap(({ findings }) => findings),
    ...naming.flatMap((path) => check(path, readFileSync(join(ROOT, path), 'utf8'))),
    ...prose.flatMap((path) => checkWords(path, readFileSync(join(ROOT, path), 'utf8'))),
  ]
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

if (process.argv[1]?.endsWith('lint.mjs')) {
  await runTool(async () => {
    await ensurePackages(console.log)
    return (await lint({ fix: process.argv.includes('--fix') })) ? 0 : 1
  })
}
