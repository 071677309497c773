// How many code files a folder holds: a folder is a subject, and beyond the limit it is several.
import { posix } from 'node:path'

const CODE = /\.(?:tsx?|mjs|cjs|js|cpp|cc|c|h|cl|cu|rs|css|py|sh)$/
const TEST = /(?:\.test\.tsx?|_test\.cpp)$/

/**
 * Files directly in a folder count, those of its subfolders do not; nor do tests, data and documents.
 * @param {readonly string[]} files all of the project, relative, with slashes
 * @returns {{ path: string, line: number, message: string }[]}
 */
export function checkFolders(rules, files) {
  const counts = new Map()
  for (const file of files) {
    if (!CODE.test(file) || TEST.test(file)) continue
    const folder = posix.dirname(file)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  const { folderFiles } = rules.bounds
  return [...counts]
    .filter(([, count]) => count > folderFiles)
    .map(([path, count]) => ({ path, line: 1, message: `${count} files of code, at most ${folderFiles}` }))
}
