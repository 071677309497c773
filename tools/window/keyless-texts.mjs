// A step of the build: the catalogues of the other languages are shipped as lists of texts in the order of the English keys, which are
// shipped once. That saves a tenth of all JavaScript of the window.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LANGUAGE = /^\.\/texts\/([a-z]{2})\.json$/
/** Of the modules in their place, which are no files. */
const MADE = /\/([a-z]{2})-texts\.js$/

/** @param {string} folder absolute path of the catalogues: English is en.json and en-*.json */
export function keylessTexts(folder) {
  const read = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const english = readdirSync(folder).filter((file) => file.startsWith('en'))
  const keys = english.flatMap((file) => Object.keys(read(file)))
  const shared = join(folder, 'text-keys.js')
  return {
    name: 'keyless-texts',
    apply: 'build',
    enforce: 'pre',
    resolveId(id) {
      if (id === shared) return id
      const [, name] = LANGUAGE.exec(id) ?? []
      return name === undefined || name === 'en' ? null : join(folder, `${name}-texts.js`)
    },
    load(id) {
      if (id === shared) return keysModule(keys)
      const [, name] = MADE.exec(id) ?? []
      if (name === undefined) return null
      const catalogue = read(`${name}.json`)
      const texts = keys.map((key) => catalogue[key])
      if (texts.includes(undefined)) throw new Error(`${name}.json lacks texts that English has`)
      return `import { keyed } from ${JSON.stringify(shared)}\nexport default keyed(${JSON.stringify(texts)})`
    },
  }
}

const keysModule = (keys) =>
  `const keys = ${JSON.stringify(keys)}
export const keyed = (texts) => Object.fromEntries(keys.map((key, index) => [key, texts[index]]))`
