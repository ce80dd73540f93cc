/** Notifications of Linux at a real desktop: dunst on a bus of its own, under Xvfb. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { waitFor } from '../../../.ci/test-bed/wait-for.ts'
import { openDesktop } from '../../src/desktop/open-desktop.ts'
import { only } from './path.ts'
import { type Session, startX11 } from './session.ts'

const notifierOf = (environment: Readonly<Record<string, string>>) =>
  openDesktop({ platform: 'linux', environment, helper: [] }).notifier

/** What `dunstctl history` prints, as far as it is looked at. */
const field = z.object({ data: z.string() })
const History = z.object({
  data: z.array(z.array(z.object({ appname: field, summary: field, body: field }))),
})

let session: Session
let environment: Readonly<Record<string, string>>
beforeAll(async () => {
  session = await startX11()
  const bus = ['dbus-daemon', '--session', '--nofork', '--print-address=1']
  const [address] = await session.start(bus).waitForOutput(/.*\n/)
  environment = {
    ...session.environment,
    DBUS_SESSION_BUS_ADDRESS: address.trim(),
  }
  // The first question to it starts it: that is how its package tells the bus.
  await waitFor(async () => (await dunstctl('count').catch(() => '')) !== '')
})
afterAll(() => session.stop())

const dunstctl = (...args: readonly string[]) =>
  session.run(['env', ...variables(), 'dunstctl', ...args])
const variables = () => [`DBUS_SESSION_BUS_ADDRESS=${environment['DBUS_SESSION_BUS_ADDRESS']}`]

describe.each(['notify-send', 'gdbus'])('a notification by %s', (tool) => {
  const notifier = () => notifierOf({ ...environment, PATH: only(tool) })

  test.each([
    ['a plain one', 'Cardwire', 'https://shop.example may use your readers', undefined],
    ['other scripts', 'Zoë 智能卡 🂡', 'Łódź — 北京', undefined],
    [
      'what looks like markup, options, escapes and quotes',
      '--help "T" \' $HOME <b>',
      '<b>bold</b> & &amp; \\n "x" \'y\' \n$(id) `id` -1',
      '&lt;b&gt;bold&lt;/b&gt; &amp; &amp;amp; \\n "x" \'y\' \n$(id) `id` -1',
    ],
  ])('shows %s as it was written', async (_, title, text, body) => {
    expect(await notifier().show({ title, text })).toBe(true)
    await dunstctl('close-all')
    const [newest] = History.parse(JSON.parse(await dunstctl('history'))).data[0] ?? []

    expect(newest).toMatchObject({
      appname: { data: 'Cardwire' },
      summary: { data: title },
      body: { data: body ?? text },
    })
  })

  test('is false without a bus', async () => {
    const nowhere = {
      ...environment,
      PATH: only(tool),
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent',
    }
    expect(await notifierOf(nowhere).show({ title: 'T', text: 'x' })).toBe(false)
  })

  test('is false within three seconds on a bus that never answers', async () => {
    const path = join(environment['HOME'] ?? '', `silent-${tool}`)
    const silent = createServer().listen(path)
    await once(silent, 'listening')
    const mute = { ...environment, PATH: only(tool), DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }
    const begin = performance.now()
    expect(await notifierOf(mute).show({ title: 'T', text: 'x' })).toBe(false)
    expect(performance.now() - begin).toBeLessThan(3000)
    silent.close()
  })
})

test('Without a program that notifies, a notification is false', async () => {
  const notifier = notifierOf({ ...environment, PATH: only() })
  expect(await notifier.show({ title: 'T', text: 'x' })).toBe(false)
})
