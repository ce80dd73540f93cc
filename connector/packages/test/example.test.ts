/** The whole way of a user: download, install, log in, and sign in with a card at the page of the example, in Chromium. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { boot, createRoot } from '../../../test/bed/booted-machine.ts'
import { root as repository, toolPath } from '../../../test/bed/repository.ts'
import { makePublished } from '../../test/binary/packages/make-packages.ts'

const script = fileURLToPath(new URL('example.sh', import.meta.url))
const desktop = [
  'vsmartcard-vpcd',
  'xvfb',
  'xclip',
  'xdotool',
  'zenity',
  'chromium',
  'fonts-dejavu',
]

let folder: string
let facts: Readonly<Record<string, string>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-page-'))
  execFileSync('npm', ['run', '--silent', 'build', '-w', 'ds'], { cwd: repository })
  const page = ['build', 'client/example/page/main.ts', '--outdir=client/example/dist', '--minify']
  execFileSync(toolPath('bun'), page, { cwd: repository, stdio: 'ignore' })
  const root = join(folder, 'root')
  createRoot(root, desktop)
  const packages = makePublished(folder)
  const folders = { '/repository': repository }
  facts = boot({ root, script, packages, folders, results: join(folder, 'results') })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a user who downloads, installs and logs in signs in with a card at the page of the example', () => {
  expect(facts).toEqual({
    'publish.status': '0',
    'install.status': '0',
    'session.starts': 'yes',
    'session.browsersTrust': '2',
    'page.says': 'Signed in as Virtual Person',
    done: 'yes',
  })
})
