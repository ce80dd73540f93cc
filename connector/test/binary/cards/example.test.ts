/** The example with a Belgian identity card in a reader of the real card service: its user signs in, and signs a text. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BrowserSession,
  type OpenedPage,
  openBrowserSession,
} from '../../../../client/example/test/browser-session.ts'
import {
  createExampleEnvironment,
  type RunningExample,
  runTrust,
  startExample,
} from '../../../../client/example/test/example-start.ts'
import { createPinWindow, type PinWindow } from '../../../../client/example/test/pin-window.ts'
import { makeList } from '../../../../client/test/harness/revocation-authority.ts'
import { cardPorts, type Pcscd, startPcscd } from '../../../../test/bed/pcscd.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { type BeidFiles, insertBeidCard, makeBeidFiles } from '../../cards/beid-files.ts'
import { identity } from '../../cards/beid-person.ts'

const pin = '1234'
const [port] = cardPorts
const applets = ['1.7', '1.8'] as const

let pcscd: Pcscd
let user: BrowserSession
let example: RunningExample
let opened: OpenedPage
let pinWindow: PinWindow
let cards: Record<(typeof applets)[number], BeidFiles>

// Whoever has the machine's only pcscd may need it for minutes.
beforeAll(async () => {
  pcscd = await startPcscd()
  user = await openBrowserSession()
  pinWindow = createPinWindow(user.display)
  cards = { '1.7': await makeBeidFiles('1.7'), '1.8': await makeBeidFiles('1.8') }
  const roots = join(user.folder, 'roots.pem')
  const authorities = applets.map((applet) => readFile(cards[applet].certificateFile('ca'), 'utf8'))
  await writeFile(roots, (await Promise.all(authorities)).join(''))
  const revocations = join(user.folder, 'revocations.pem')
  const lists = applets.map((applet) => listNone(cards[applet]))
  await writeFile(revocations, (await Promise.all(lists)).join(''))
  const environment = await createExampleEnvironment(user.folder, {
    ...user.display.settings,
    EXAMPLE_READERS: 'machine',
    EXAMPLE_ROOTS: roots,
    EXAMPLE_REVOCATIONS: revocations,
  })
  example = await startExample(environment)
  runTrust(environment)
  opened = await user.open(example.url)
  await opened.page.getByRole('button', { name: 'Copy the code' }).click()
  await opened.page.getByText('Insert a card first.').waitFor()
})
afterAll(async () => {
  await opened?.close()
  await example?.stop()
  await user?.close()
  await pcscd?.close()
})

/** A list of the authority, PEM, that revokes nothing. */
async function listNone({ certificateFile, keyFile }: BeidFiles): Promise<string> {
  const issuer = { certificateFile: certificateFile('ca'), keyFile: keyFile('ca') }
  const list = await makeList({ issuer, entries: [] })
  return `-----BEGIN X509 CRL-----\n${list.toString('base64')}\n-----END X509 CRL-----\n`
}

describe.each([
  ['1.7', 'T=0'],
  ['1.8', 'T=0'],
] as const)('applet %s', (applet, protocol) => {
  test('its user signs in and signs a text, and the back end says what it has checked', async () => {
    proves('example-belgian-card')
    const { page } = opened
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const checks = (list: string) => page.locator(`#${list}-checks`).textContent()
    const inserted = await insertBeidCard(port, cards[applet], { pin, protocol })
    await page.getByText('This page never sees it').waitFor()
    await button('Sign in with the card').click()
    await pinWindow.enter(pin)
    await page.getByRole('heading', { name: 'Signed in as Test authentication' }).waitFor()
    expect(await checks('user')).toContain(`number ${identity.nationalNumber}`)
    expect(await checks('user')).toContain('It was issued by “Test ca”')

    await button('Sign the text').click()
    await pinWindow.enter(pin)
    await page.locator('#card-message').filter({ hasText: 'The text is signed' }).waitFor()
    expect(await checks('signature')).toContain(
      `issued to Test signature, number ${identity.nationalNumber}, who is signed in`,
    )
    await button('Sign out').click()
    await inserted.remove()
    await page.getByText('Insert a card first.').waitFor()
  })
})
