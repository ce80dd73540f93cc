/** The packed client, installed as an integrator does, with the page of its guide: without a build, and built by Vite. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { toolPath } from '../../../test/bed/repository.ts'
import { browsersOf, openUserSession, type UserSession } from './user-session.ts'
import { becomes } from './wait.ts'

const client = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** The folder of an integrator's project. */
let project: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'cardwire-installed-'))
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  await run(process.execPath, [join(client, 'build/main.ts'), join(project, 'packages')])
  const { stdout } = await run('npm', ['pack', '--silent', './packages/client'], { cwd: project })
  const quiet = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quiet, `./${stdout.trim()}`], { cwd: project })
  const page = await readPage()
  await Promise.all([servePlainly(page), buildByVite(page)])
})
afterAll(() => rm(project, { recursive: true, force: true }))

/** The page of the guide; it looks for the connector on the port that its address names. */
async function readPage(): Promise<string> {
  const guide = await readFile(join(client, 'guides/connect.md'), 'utf8')
  const [, page = ''] = /^```html\n(.*?)^```$/ms.exec(guide) ?? []
  const name = "applicationDomain: 'shop'"
  expect(page.split(name)).toHaveLength(2)
  const port = "t1cApiPort: new URLSearchParams(location.search).get('port')"
  return page.replace(name, `${name}, ${port}`)
}

/** The package's files beside the page, found by an import map. */
async function servePlainly(page: string): Promise<void> {
  const folder = join(project, 'pages/plain')
  await cp(join(project, 'node_modules/@cardwire/client'), join(folder, 'client'), {
    recursive: true,
  })
  const imports = {
    '@cardwire/client': './client/index.js',
    '@cardwire/client/describe': './client/describe.js',
  }
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  await writeFile(join(folder, 'index.html'), page.replace('<!doctype html>', `$&\n${map}`))
}

async function buildByVite(page: string): Promise<void> {
  const folder = join(project, 'vite')
  const [, script = ''] = /<script type="module">(.*)<\/script>/s.exec(page) ?? []
  await mkdir(folder)
  await writeFile(join(folder, 'main.js'), script)
  const entry = '<script type="module" src="./main.js"></script>'
  await writeFile(join(folder, 'index.html'), page.replace(/<script.*<\/script>/s, entry))
  const target = join(project, 'pages/vite')
  const options = ['--base=./', `--outDir=${target}`, '--emptyOutDir', '--logLevel=warn']
  const { stderr } = await run(toolPath('vite'), ['build', ...options], { cwd: folder })
  expect(stderr).toBe('')
}

describe.each(browsersOf('visit'))('%s', (_, openBrowser) => {
  let desk: UserSession
  beforeAll(async () => {
    desk = await openUserSession(openBrowser, {}, { source: { folder: join(project, 'pages') } })
  })
  afterAll(() => desk?.close())

  test.each([
    ['without a build', 'plain'],
    ['built by Vite', 'vite'],
  ])('the page of the guide gets consent and shows the readers, %s', async (_, folder) => {
    proves('installed-package')
    const page = await desk.newPage()
    const port = desk.connector.registryPort
    const tab = await desk.browser.open(`${page.origin}/${folder}/?port=${port}`)
    await becomes(() => tab.text('#word'), expect.stringMatching(/^[\w-]{32}$/))
    await tab.click('#copy')
    await becomes(() => tab.text('#readers'), expect.stringMatching(/Virtual Reader: no card/))
    await tab.close()
  })
})
