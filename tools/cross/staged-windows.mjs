// The program without Electron for Windows, in one folder: what the server packages hold, with Windows' natives, node.exe and a launcher.
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stageProgram } from '../server/staged-program.mjs'

/** `headframe WORDS` in a console; the words reach the program as they were typed. */
const LAUNCHER = '@"%~dp0node.exe" "%~dp0bin\\headframe.mjs" %*\r\n'

/**
 * Puts it into `folder`, which is emptied first. Everything must be built already.
 * @param {{ folder: string, node: { program: string, license: string } }} options `node`: paths of node.exe and its licenses
 * @returns {readonly string[]} the paths below `folder`, sorted
 * @throws ToolError when a part is not built
 */
export function stageWindows({ folder, node }) {
  const files = stageProgram({ folder, arch: 'x64', platform: 'win32' })
  cpSync(node.program, join(folder, 'node.exe'))
  cpSync(node.license, join(folder, 'LICENSE.node.txt'))
  writeFileSync(join(folder, 'headframe.cmd'), LAUNCHER)
  return [...files, 'LICENSE.node.txt', 'headframe.cmd', 'node.exe'].sort()
}
