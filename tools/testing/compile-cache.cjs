// For `node --require`: keeps what V8 made of the program's files below out/main, for the next start. The tests start the program
// some hundred times, and a third of each start is compiling 5 MB of JavaScript. (From Node 22 on module.enableCompileCache does this.)
const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire, Module } = require('node:module')
const { dirname, join, sep } = require('node:path')
const vm = require('node:vm')

const ROOT = dirname(dirname(__dirname))
const PROGRAM = join(ROOT, 'out', 'main') + sep
const STORE = join(ROOT, '.cache', 'compiled')

/** Scripts of this process that were not in the store, by their file in it. */
const fresh = new Map()
const compile = Module.prototype._compile

Module.prototype._compile = function compileKept(content, filename, ...rest) {
  if (!filename.startsWith(PROGRAM)) return compile.call(this, content, filename, ...rest)
  const body = scriptOf(content, filename).runInThisContext()
  return body.call(this.exports, this.exports, createRequire(filename), this, filename, dirname(filename))
}

process.once('exit', () => {
  for (const [file, script] of fresh) keep(file, script)
})

/** @returns {import('node:vm').Script} of the function that wraps a CommonJS module */
function scriptOf(content, filename) {
  const digest = createHash('sha1').update(content).digest('hex')
  const file = join(STORE, `${digest}-${process.version}`)
  const cachedData = stored(file)
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new vm.Script(Module.wrap(content), { filename, cachedData, importModuleDynamically })
  if (cachedData === undefined || script.cachedDataRejected) fresh.set(file, script)
  return script
}

function stored(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined // not kept yet
  }
}

/** Whole or not at all: other processes read it. A full or read-only disk costs the time that would have been saved. */
function keep(file, script) {
  try {
    mkdirSync(STORE, { recursive: true })
    const part = `${file}.${process.pid}`
    writeFileSync(part, script.createCachedData())
    renameSync(part, file)
  } catch {
    return
  }
}
