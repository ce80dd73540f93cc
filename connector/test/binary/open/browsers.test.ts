/** The browser of the user: what the command opens it with. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Display, startDisplay } from '../../../../test/bed/display.ts'
import { createEnvironment, startProgram } from '../../../../test/bed/program.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { connectorProgram } from '../../../../test/bed/repository.ts'
import { createUser, type UserWithPage } from './user.ts'

let folder: string
let display: Display
let user: UserWithPage
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-browsers-'))
  display = await startDisplay()
  user = await createUser(display.settings)
})
afterAll(async () => {
  await user?.close()
  await display?.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Runs the command with this script as the browser that xdg-open finds. */
async function openWith(script: string) {
  const browser = join(folder, 'browser')
  await writeFile(browser, `#!/bin/sh\n${script}\n`)
  await chmod(browser, 0o755)
  await write('.local/share/applications/browser.desktop', [
    ...['[Desktop Entry]', 'Type=Application', 'Name=Browser', `Exec=${browser} %u`],
    'MimeType=x-scheme-handler/http;',
  ])
  await write('.config/mimeapps.list', [
    '[Default Applications]',
    'x-scheme-handler/http=browser.desktop',
  ])
  const env = createEnvironment(user.home, user.settings)
  return startProgram([connectorProgram, 'open'], { env })
}

async function write(path: string, lines: readonly string[]): Promise<void> {
  const file = join(user.home, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${lines.join('\n')}\n`)
}

test('the command opens the address of the page in the browser of the user, and does not print it', async () => {
  proves('open-from-menu')
  const address = join(folder, 'address')
  const program = await openWith(`echo "$1" > ${address}`)
  await program.waitForOutput(/is open in your browser/)
  expect(await readFile(address, 'utf8')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n$/)
  expect(program.output()).not.toContain('#')
  await program.stop()
})

test('without a desktop the address is printed', async () => {
  const env = createEnvironment(user.home, { ...user.settings, DISPLAY: '' })
  const program = startProgram([connectorProgram, 'open'], { env })
  await program.waitForOutput(/within 30 seconds:\nhttp:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}\n/)
  expect(await program.stop()).toBe(0)
})
