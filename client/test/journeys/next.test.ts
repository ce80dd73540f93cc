/** The packed packages in a project of Next: its page is rendered on the server, exported, and used in a browser. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { openChromium } from './chromium.ts'
import { openUserSession, type UserSession } from './user-session.ts'
import { becomes } from './wait.ts'

const client = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
/** Not in the lock of this repository: npm loads it. */
const next = 'next@16.4.6'

const files = {
  'package.json': '{"private":true}',
  'next.config.mjs': "export default { output: 'export', basePath: '/shop', trailingSlash: true }",
  'app/layout.jsx':
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>',
  'app/page.jsx': `'use client'
import { CardwireProvider, Connect, useReaders } from '@cardwire/react'
const getToken = async () => (await fetch('/token')).text()
const port = typeof location === 'undefined' ? undefined : new URLSearchParams(location.search).get('port')
function Readers() {
  const state = useReaders()
  return <p id="readers">{state.status === 'ready' && state.readers.map(({ name }) => name).join()}</p>
}
export default () => (
  <CardwireProvider getToken={getToken} applicationDomain="shop" t1cApiPort={port}>
    <Connect><Readers /></Connect>
  </CardwireProvider>
)`,
}

let project: string
let desk: UserSession
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'cardwire-next-'))
  await mkdir(join(project, 'app'))
  await Promise.all(
    Object.entries(files).map(([name, text]) => writeFile(join(project, name), text)),
  )
  await run(process.execPath, [join(client, 'build/main.ts'), join(project, 'packages')])
  const packages = ['./packages/client', './packages/react']
  const { stdout } = await run('npm', ['pack', '--silent', ...packages], { cwd: project })
  const packed = stdout
    .trim()
    .split('\n')
    .map((file) => `./${file}`)
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund']
  await run('npm', ['install', ...quiet, next, 'react@19', 'react-dom@19', ...packed], {
    cwd: project,
  })
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' as const }
  await run(join(project, 'node_modules/.bin/next'), ['build'], { cwd: project, env })
  await run('mkdir', ['served'], { cwd: project })
  await run('mv', ['out', 'served/shop'], { cwd: project })
  desk = await openUserSession(openChromium, {}, { source: { folder: join(project, 'served') } })
})
afterAll(async () => {
  await desk?.close()
  await rm(project, { recursive: true, force: true })
})

test('a page of Next has its first state in the HTML, gets consent and shows the readers', async () => {
  proves('installed-package')
  const html = await readFile(join(project, 'served/shop/index.html'), 'utf8')
  expect(html).toContain('data-cardwire="starting"')
  const page = await desk.newPage()
  const tab = await desk.browser.open(`${page.origin}/shop/?port=${desk.connector.registryPort}`)
  await becomes(() => tab.text('[data-cardwire-part=code]'), expect.stringMatching(/^[\w-]{32}$/))
  await tab.click('[data-cardwire-part=action]')
  await becomes(() => tab.text('#readers'), 'Cardwire Virtual Reader')
  await tab.close()
})
