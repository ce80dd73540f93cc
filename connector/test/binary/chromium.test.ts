/** Chromium with the root in the databases of its home, at the compiled binary itself. */
import { rm } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumFlags, chromiumProgram } from '../../../test/bed/chromium.ts'
import {
  type Connector,
  createEmptyHome,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { createEnvironment } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'

let connector: Connector
let stranger: string
beforeAll(async () => {
  connector = await startConnector()
  stranger = await createEmptyHome()
})
afterAll(async () => {
  await connector?.stop()
  await rm(stranger, { recursive: true, force: true })
})

/** What Chromium of a home is shown at an address, or the error in its words. */
async function visit(home: string, address: string) {
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    args: [...chromiumFlags],
    env: createEnvironment(home),
  })
  try {
    const page = await browser.newPage()
    const response = await page.goto(address)
    return {
      status: response?.status(),
      type: response?.headers()['content-type'],
      issuer: (await response?.securityDetails())?.issuer,
    }
  } catch (error) {
    return /net::\w+/.exec(String(error))?.[0] ?? String(error)
  } finally {
    await browser.close()
  }
}

test.each(['localhost', '127.0.0.1', '[::1]'])(
  'after certs install Chromium opens https://%s of the running connector without a warning',
  async (host) => {
    proves('root-constrained')
    expect(runCommand(connector.home, ['certs', 'install']).status).toBe(0)
    const address = `https://${host}:${connector.port}/device-key`
    // The connector's own answer, which wants the header of its clients: no page of warnings stands before it.
    expect(await visit(connector.home, address)).toEqual({
      status: 403,
      type: 'application/problem+json',
      issuer: expect.stringContaining('Cardwire'),
    })
  },
)

test('in a home whose stores do not contain the root it is refused', async () => {
  const address = `https://localhost:${connector.port}/device-key`
  expect(await visit(stranger, address)).toBe('net::ERR_CERT_AUTHORITY_INVALID')
})
