/** Chromium of one account, on its own display, with a page of the shop in it. */
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Json } from '../harness.ts'
import type { Machine, Person } from './machine.ts'

/** What a page is told of a request: the answer, or that there is none that it may read. */
export type Told = { readonly status: number; readonly json: Json } | { readonly failed: string }

export interface Asked {
  readonly body?: unknown
  readonly token?: string
}

export interface PageInBrowser {
  fetch(port: number, path: string, asked?: Asked): Promise<Told>
  /** The person clicks a button, and the page writes this on the clipboard. */
  copy(text: string): Promise<void>
  close(): Promise<void>
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--password-store=basic',
]

export async function openPage(
  { folder }: Machine,
  { account, desktop }: Person,
  address: string,
): Promise<PageInBrowser> {
  const { uid, gid, home, name } = account
  const program = join(folder, `chromium-of-${name}`)
  const asAccount = `setpriv --reuid=${uid} --regid=${gid} --clear-groups`
  await writeFile(program, `#!/bin/sh\ncd /\nexec ${asAccount} /usr/bin/chromium "$@"\n`)
  await chmod(program, 0o755)
  const profile = join(home, 'profile')
  await mkdir(profile, { mode: 0o700, recursive: true })
  await chown(profile, uid, gid)
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    headless: false,
    args: flags,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: home,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      ...desktop.environment,
    },
  })
  const page = await context.newPage()
  await page.goto(address)
  return {
    fetch: (port, path, { body, token } = {}) =>
      page.evaluate(
        async ({ url, body, token }) => {
          const headers = {
            'X-CSRF-Token': 't1c-js',
            ...(token !== undefined && { Authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          }
          const method = body === undefined ? 'GET' : 'POST'
          const init: RequestInit = { method, headers, credentials: 'include' }
          if (body !== undefined) init.body = body
          try {
            const answer = await fetch(url, init)
            return { status: answer.status, json: await answer.json() }
          } catch (error) {
            return { failed: String(error) }
          }
        },
        {
          url: `https://localhost:${port}${path}`,
          body: body === undefined ? undefined : JSON.stringify(body),
          token,
        },
      ),
    async copy(text) {
      await page.evaluate(`document.title = ${JSON.stringify(text)}`)
      await page.click('button')
      await page.waitForSelector(`body[data-copied="${text}"]`)
    },
    close: () => context.close(),
  }
}
