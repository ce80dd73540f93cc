/** Chromium of one account, on its own display, with a page of the shop in it. */
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createProgramAs } from '../../../../test/bed/accounts.ts'
import { chromiumFlags, chromiumProgram } from '../../../../test/bed/chromium.ts'
import { createEnvironment } from '../../../../test/bed/program.ts'
import type { Json } from '../../../../test/bed/service-request.ts'
import type { MachineUser } from './machine.ts'

/** The result of a request of a page: the response, or the error when the page may read none. */
export type PageResponse =
  | { readonly status: number; readonly json: Json }
  | { readonly failed: string }

export interface PageRequest {
  readonly body?: unknown
  readonly token?: string
}

export interface PageInBrowser {
  fetch(port: number, path: string, request?: PageRequest): Promise<PageResponse>
  /** Clicks a button, on which the page writes this text to the clipboard. */
  copy(text: string): Promise<void>
  close(): Promise<void>
}

export async function openPage(
  { account, display }: MachineUser,
  address: string,
): Promise<PageInBrowser> {
  const { uid, gid, home } = account
  // Made here it would be root's, and Chromium runs as the account.
  const profile = join(home, 'profile')
  await mkdir(profile, { mode: 0o700, recursive: true })
  await chown(profile, uid, gid)
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await createProgramAs(account, chromiumProgram),
    headless: false,
    args: [...chromiumFlags],
    env: createEnvironment(home, display.settings),
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
            const response = await fetch(url, init)
            return { status: response.status, json: await response.json() }
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
