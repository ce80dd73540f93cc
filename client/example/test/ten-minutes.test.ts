/** The first page of a new integrator, as the README of the client has it: sign in, sign a PDF, and check both with revocation. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../test/bed/free-port.ts'
import { type Program, startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { type BrowserSession, type OpenedPage, openBrowserSession } from './browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from './example-start.ts'
import { createPinWindow, type PinWindow } from './pin-window.ts'

const client = fileURLToPath(new URL('../..', import.meta.url))
/** Beside the packages of the client. */
const installed = ['react', 'react-dom', 'vite', 'hono', '@hono/node-server']
const run = promisify(execFile)

let user: BrowserSession
let example: RunningExample
let programs: readonly Program[] = []
let opened: OpenedPage
let page: Page
let pinWindow: PinWindow

beforeAll(async () => {
  user = await openBrowserSession()
  pinWindow = createPinWindow(user.display)
  const [pagePort, serverPort] = [await findFreePort(), await findFreePort()]
  const origin = `http://localhost:${pagePort}`
  const environment = await createExampleEnvironment(user.folder, { ...user.display.settings })
  example = await startExample(environment, '--allow', origin)
  runTrust(environment)
  const project = join(user.folder, 'shop')
  const registry = `t1cApiPort="${environment['CARDWIRE_REGISTRY_PORT']}"`
  await writeProject(project, (code) =>
    code
      .replaceAll('5173', String(pagePort))
      .replaceAll('3000', String(serverPort))
      .replace('applicationDomain="shop"', `$& ${registry}`),
  )
  const env = { ...environment, NO_COLOR: '1' }
  const envFile = join(user.folder, 'data/example/.env')
  programs = [
    startProgram([process.execPath, `--env-file=${envFile}`, 'server.js'], { env, cwd: project }),
    startProgram(
      [join(project, 'node_modules/.bin/vite'), '--port', String(pagePort), '--strictPort'],
      {
        ...{ env, cwd: project },
      },
    ),
  ]
  await programs[1]?.waitForOutput(/ready in/)
  opened = await user.open(origin)
  ;({ page } = opened)
})
afterAll(async () => {
  await opened?.close()
  await Promise.all(programs.map((program) => program.stop()))
  await example?.stop()
  await user?.close()
})

/** The files of the README, beside the packages as they are published. */
async function writeProject(folder: string, adapt: (code: string) => string): Promise<void> {
  await mkdir(join(folder, 'src'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  await run(process.execPath, [join(client, 'build/main.ts'), join(folder, 'packages')])
  const packages = ['client', 'react', 'server'].map((name) => `./packages/${name}`)
  const { stdout } = await run('npm', ['pack', '--silent', ...packages], { cwd: folder })
  const others = await Promise.all(installed.map(readVersion))
  const names = [
    ...stdout
      .trim()
      .split('\n')
      .map((file) => `./${file}`),
    ...others,
  ]
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...quiet, ...names], { cwd: folder })
  const files = await readFiles()
  await Promise.all(files.map(([name, code]) => writeFile(join(folder, name), adapt(code))))
  await copyFile(join(client, 'example/back-end/order.pdf'), join(folder, 'order.pdf'))
}

/** What npm has already: the version of this repository. */
async function readVersion(name: string): Promise<string> {
  const manifest = await readFile(join(client, '../node_modules', name, 'package.json'), 'utf8')
  return `${name}@${JSON.parse(manifest).version}`
}

/** The code blocks of the README that name a file. */
async function readFiles(): Promise<readonly (readonly [name: string, code: string])[]> {
  const readme = await readFile(join(client, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(
    ([, name = '', code = '']) => [name, code] as const,
  )
}

test('it is four files of at most 60 lines', async () => {
  proves('ten-minutes')
  const files = await readFiles()
  expect(files.map(([name]) => name)).toEqual([
    ...['server.js', 'src/main.jsx', 'index.html', 'vite.config.js'],
  ])
  const lines = files
    .filter(([name]) => /jsx?$/.test(name))
    .flatMap(([, code]) => code.split('\n').filter((line) => line.trim() !== ''))
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(105)
})

test('a user allows the page, signs in, and signs the order', async () => {
  proves('ten-minutes')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await button('Copy code and allow').click()
  await page.getByText('Insert your card.').waitFor()
  const card = join(user.folder, 'data/example/card/atr')
  await writeFile(card, '3B8F80018073CC91CBF9A0000003080000100029')
  await button('Sign in').click()
  await pinWindow.enter('123456')
  await button('Sign the order').click()
  await pinWindow.enter('123456')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Signed by Virtual Person' }).click()
  const file = join(user.folder, 'order.pdf')
  await (await download).saveAs(file)
  const { stdout } = await run('pdfsig', ['-nocert', file])
  expect(stdout).toMatch(/Signature Validation: Signature is Valid\./)
})

test('a card whose revocation is unknown is rejected, with a sentence for the user', async () => {
  proves('ten-minutes')
  await rm(join(user.folder, 'data/example/card/atr.authority.crl.pem'))
  await page.reload()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await pinWindow.enter('123456')
  await page
    .getByText('This site can’t check right now whether your card is still valid.')
    .waitFor()
})
