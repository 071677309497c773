// A step of the build: the catalogues of the other languages are shipped as lists of texts in the order of the English keys, which are
// shipped once. That saves a tenth of all JavaScript of the window.
import { basename } from 'node:path'
import { runnerImport } from 'vite'

const KEYS = 'virtual:text-keys'
const LANGUAGES = /\/i18n\/[a-z]{2}\/(german|spanish|portuguese|russian|chinese)\.ts$/

/** @param {string} english absolute path of the module whose `allTexts` has every key */
export function keylessTexts(english) {
  let read
  const keysOf = async () => {
    read ??= runnerImport(english, { configFile: false })
    return Object.keys((await read).module.allTexts)
  }
  return {
    name: 'keyless-texts',
    apply: 'build',
    resolveId: (id) => (id === KEYS ? `\0${KEYS}` : null),
    async load(id) {
      if (id === `\0${KEYS}`) return keysModule(await keysOf())
      if (!LANGUAGES.test(id)) return null
      const name = basename(id, '.ts')
      const { module } = await runnerImport(id, { configFile: false })
      const texts = (await keysOf()).map((key) => module[name][key])
      if (texts.includes(undefined)) throw new Error(`${id} lacks texts that English has`)
      return `import { keyed } from '${KEYS}'\nexport const ${name} = keyed(${JSON.stringify(texts)})`
    },
  }
}

const keysModule = (keys) =>
  `const keys = ${JSON.stringify(keys)}
export const keyed = (texts) => Object.fromEntries(keys.map((key, index) => [key, texts[index]]))`
