// npm run docs: writes docs/reference/options.md and errors.md from the definitions in src. `--check` only compares.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { ROOT, runTool } from './lib/project.mjs'

const REFERENCE = join(ROOT, 'docs', 'reference')
const GENERATED = '<!-- Made by `npm run docs` from the definitions in src; edit those. -->'

await runTool(async () => {
  const server = await createServer({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
  })
  try {
    const pages = { 'options.md': await optionsPage(server), 'errors.md': await errorsPage(server) }
    return process.argv.includes('--check') ? check(pages) : write(pages)
  } finally {
    await server.close()
  }
})

async function optionsPage(server) {
  const { optionsMarkdown } = await server.ssrLoadModule('/src/config/describe.ts')
  const intro = [
    '# Options',
    '',
    GENERATED,
    '',
    'Command line > environment > config file > default. The config file is TOML: a key `node.http-port` is `http-port = 8545`',
    'in the table `[node]`. `headframe config` prints what is in effect and where each value comes from.',
    '',
  ]
  return `${intro.join('\n')}\n${optionsMarkdown()}`
}

async function errorsPage(server) {
  const sections = []
  for (const path of errorFiles()) {
    const tables = Object.values(await server.ssrLoadModule(`/${path}`)).filter(
      (value) => typeof value?.table === 'object',
    )
    const rows = tables.flatMap(({ table }) =>
      Object.entries(table).map(([code, message]) => `| \`${code}\` | ${template(message)} |`),
    )
    if (rows.length > 0)
      sections.push(`## ${path.split('/')[1]}\n\n| code | message |\n|---|---|\n${rows.join('\n')}\n`)
  }
  const intro = [
    '# Errors',
    '',
    GENERATED,
    '',
    'Codes are stable; the parts in braces are filled in. Exit code 2 for `CONFIG_*`, else 1.',
    '',
  ]
  return `${intro.join('\n')}\n${sections.join('\n')}`
}

function errorFiles() {
  const trades = readdirSync(join(ROOT, 'src')).map((folder) => `src/${folder}/errors.ts`)
  return [
    'src/base/lifecycle.ts',
    ...trades.filter((path) => path !== 'src/base/errors.ts' && existsSync(join(ROOT, path))),
  ]
}

/** The message made from data that name themselves. */
function template(message) {
  const named = (path) =>
    new Proxy(() => path, {
      get: (_target, property) => {
        if (property === Symbol.toPrimitive || property === 'toString') return () => `{${path}}`
        if (property === 'join' || property === 'map') return () => `{${path}}`
        return named(path === '' ? String(property) : `${path}.${String(property)}`)
      },
    })
  // A number that the message computes cannot be named.
  return String(message(named('')))
    .replaceAll('NaN', '{number}')
    .replaceAll('|', '\\|')
}

function write(pages) {
  mkdirSync(REFERENCE, { recursive: true })
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(REFERENCE, name), text)
  console.log(`docs/reference: ${Object.keys(pages).join(', ')}`)
  return 0
}

function check(pages) {
  const stale = Object.entries(pages).filter(([name, text]) => {
    const file = join(REFERENCE, name)
    return !existsSync(file) || readFileSync(file, 'utf8') !== text
  })
  for (const [name] of stale) console.error(`docs/reference/${name} is not current: run npm run docs`)
  return stale.length === 0 ? 0 : 1
}
