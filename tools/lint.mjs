// npm run lint: biome, then what it does not know: layers, cycles, bounds and bans of the style guide. `--fix` lets biome repair.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkImports, findCycles, importsOf } from './lib/imports.mjs'
import { packageFile, ROOT, run, runTool } from './lib/project.mjs'
import { checkStyle } from './lib/style.mjs'

const FOLDERS = ['src', 'test', 'e2e', 'tools', 'bin']
const SKIPPED = /^(test\/vectors|src\/renderer\/public)\//
const LINTED = /\.(ts|tsx|mjs)$/

/** @returns {Promise<boolean>} true when nothing was found */
export async function lint({ fix = false } = {}) {
  const args = [packageFile('@biomejs/biome', 'bin/biome'), 'check', ...(fix ? ['--write'] : []), '.']
  const biome = await run(process.execPath, args)
  const findings = checkProject()
  for (const { path, line, message } of findings) console.error(`${path}:${line}: ${message}`)
  console.log(
    findings.length === 0 ? 'layers and style: nothing to say' : `layers and style: ${findings.length} findings`,
  )
  return biome.code === 0 && findings.length === 0
}

function checkProject() {
  const rules = JSON.parse(readFileSync(join(ROOT, 'layers.json'), 'utf8'))
  const files = FOLDERS.flatMap((folder) => filesBelow(folder)).filter(
    (path) => LINTED.test(path) && !SKIPPED.test(path),
  )
  const findings = []
  const graph = new Map()
  for (const path of files) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const imports = importsOf(path, text)
    findings.push(...checkImports(rules, path, imports), ...checkStyle(rules, path, text))
    graph.set(
      path,
      imports.flatMap(({ target }) => (target === null || !target.startsWith('src/') ? [] : [target])),
    )
  }
  return [...findings, ...findCycles(graph)]
}

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

if (process.argv[1]?.endsWith('lint.mjs')) {
  await runTool(async () => ((await lint({ fix: process.argv.includes('--fix') })) ? 0 : 1))
}
