// Node-API's functions as assembly: the definitions that node-api-headers carries become names, slots and jumps, which
// native/src/windows/host_functions.cpp fills.
import { readFileSync } from 'node:fs'
import { packageFile, ToolError } from '../lib/project.mjs'

const DEFINITIONS = ['js_native_api.def', 'node_api.def']

/**
 * The names below EXPORTS of module definition files.
 * @param {readonly string[]} texts
 * @returns {string[]} sorted, each once
 */
export function exportedNames(texts) {
  const names = texts.flatMap((text) => {
    const lines = text.split('\n').map((line) => line.trim())
    return lines.slice(lines.indexOf('EXPORTS') + 1).filter((line) => /^\w+$/.test(line))
  })
  return [...new Set(names)].sort()
}

/** @returns {string[]} all functions of Node-API that the installed node-api-headers know */
export function hostFunctions() {
  const names = exportedNames(
    DEFINITIONS.map((file) => readFileSync(packageFile('node-api-headers', `def/${file}`), 'utf8')),
  )
  if (names.length === 0) throw new ToolError('node-api-headers has no definitions of Node-API: npm ci')
  return names
}

/**
 * Assembly for x64 in GNU's syntax. A jump leaves every register as it was, those of floating point numbers included.
 * @param {readonly string[]} names
 */
export function hostAssembly(names) {
  return [
    '.section .rdata,"dr"',
    '.globl headframe_host_names',
    'headframe_host_names:',
    ...names.map((name) => `.asciz "${name}"`),
    '.byte 0',
    '.data',
    '.balign 8',
    '.globl headframe_host_slots',
    'headframe_host_slots:',
    ...names.map((name) => `slot_${name}: .quad 0`),
    '.text',
    ...names.flatMap((name) => [`.globl ${name}`, `${name}: jmp *slot_${name}(%rip)`]),
    '',
  ].join('\n')
}
