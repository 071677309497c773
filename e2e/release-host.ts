// A host with one newer release, signed with its own key, as `npm run release` creates it.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { newKey, signer } from '../test/host/release-key'
import { ROOT } from './harness'

export interface ReleaseHost {
  /** Arguments of the program, so that it searches here and trusts the key. */
  readonly options: readonly string[]
  /** From now on, announces another version than the signed one. */
  tamper(): void
  close(): void
}

const maker = z
  .object({
    updateNotice: z.custom<(release: object) => string>(),
    updateComment: z.custom<(seconds: number) => string>(),
  })
  .parse({ ...(await import(pathToFileURL(join(ROOT, 'tools/release/update-notice.mjs')).href)) })

/** @param version of the release; @param changes its change notes, one per line */
export async function serveRelease(version: string, changes: readonly string[]): Promise<ReleaseHost> {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-release-'))
  const made = join(folder, 'made')
  const key = newKey('RELEASE1')
  const name = `headframe-${version}-linux-x64.tar.gz`
  mkdirSync(made)
  writeFileSync(join(made, name), 'a package')
  writeFileSync(join(folder, 'release.pub'), signer.publicKeyLine(key))
  const changelog = `# Changelog\n\n## ${version}\n\n${changes.map((line) => `- ${line}\n`).join('')}`
  const notice = maker.updateNotice({ version, folder: made, names: [name], changelog })
  const comment = maker.updateComment(Math.floor(Date.now() / 1000))
  const files = new Map([
    ['/update.json', notice],
    ['/update.json.minisig', signer.signatureText(Buffer.from(notice), { key, comment })],
  ])
  const server = createServer((request, answer) => {
    const text = files.get(request.url ?? '')
    if (text === undefined) answer.writeHead(404).end()
    else answer.end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = z.object({ port: z.number() }).parse(server.address())
  return {
    options: ['--update.url', `http://127.0.0.1:${port}/update.json`, '--update.key', join(folder, 'release.pub')],
    tamper: () => void files.set('/update.json', notice.replaceAll(version, `${version}9`)),
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
