/** Notifications of Linux at a real desktop: dunst on a bus of its own, under Xvfb; and at buses that are hostile. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { startProgram } from '../../../test/bed/program.ts'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { limits } from '../../src/system/desktop/desktop.ts'
import { openDesktop } from '../../src/system/desktop/open-desktop.ts'
import { type BusScript, encodeReply, startScriptedBus } from './scripted-bus.ts'
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
let home: string
beforeAll(async () => {
  session = await startX11()
  home = session.environment['HOME'] ?? ''
  environment = await startBus(`unix:path=${home}/bus`)
  // The first question to it starts it: that is how its package tells the bus.
  await waitFor(async () => (await dunstctl('count').catch(() => '')) !== '')
})
afterAll(() => session.stop())

/** The environment of a program on a bus of its own. */
async function startBus(address: string): Promise<Readonly<Record<string, string>>> {
  const bus = ['dbus-daemon', '--session', '--nofork', '--print-address=1', `--address=${address}`]
  const [printed] = await session.start(bus).waitForOutput(/unix:.*\n/)
  return { ...session.environment, DBUS_SESSION_BUS_ADDRESS: printed.trim() }
}

const dunstctl = (...args: readonly string[]) =>
  session.run(['env', ...variables(), 'dunstctl', ...args])
const variables = () => [`DBUS_SESSION_BUS_ADDRESS=${environment['DBUS_SESSION_BUS_ADDRESS']}`]

const notification = { title: 'T', text: 'x' }

describe('a notification', () => {
  test.each([
    ['a plain one', 'Cardwire', 'https://shop.example may use your readers', undefined],
    ['other scripts', 'Zoë 智能卡 🂡', 'Łódź — 北京', undefined],
    [
      'what looks like markup, options, escapes and quotes',
      '--help "T" \' $HOME <b>',
      '<b>bold</b> & &amp; \\n "x" \'y\' \n$(id) `id` -1',
      // A line end would start a line that looks like Cardwire's.
      '&lt;b&gt;bold&lt;/b&gt; &amp; &amp;amp; \\n "x" \'y\' \\u000a$(id) `id` -1',
    ],
  ])('shows %s as it was written', async (_, title, text, body) => {
    expect(await notifierOf(environment).show({ title, text })).toBe(true)
    await dunstctl('close-all')
    const [newest] = History.parse(JSON.parse(await dunstctl('history'))).data[0] ?? []

    expect(newest).toMatchObject({
      appname: { data: 'Cardwire' },
      summary: { data: title },
      body: { data: body ?? text },
    })
  })

  test('is shown by the bus of the runtime folder where no address is set', async () => {
    const { DBUS_SESSION_BUS_ADDRESS: _, ...others } = environment
    expect(await notifierOf({ ...others, XDG_RUNTIME_DIR: home }).show(notification)).toBe(true)
  })

  test('is shown by a bus at an abstract address, after one that is not there', async () => {
    const abstract = await startBus(`unix:abstract=cardwire-${randomUUID()}`)
    const addresses = `unix:path=/nonexistent;${abstract['DBUS_SESSION_BUS_ADDRESS']}`
    const { show } = notifierOf({ ...abstract, DBUS_SESSION_BUS_ADDRESS: addresses })
    expect(await show(notification)).toBe(true)
  })

  test.each([
    ['where it is not', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' }],
    ['with an address that is none', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=%zz;disabled:' }],
    ['over TCP', { DBUS_SESSION_BUS_ADDRESS: 'tcp:host=127.0.0.1,port=1' }],
    ['in no environment', { DBUS_SESSION_BUS_ADDRESS: '' }],
  ])('is false without a bus: %s', async (_, variables) => {
    expect(await notifierOf({ ...session.environment, ...variables }).show(notification)).toBe(
      false,
    )
  })
})

describe('the texts of a notification', () => {
  const secret = `https://${randomUUID()}.example`
  const texts = { title: secret, text: `${secret} may use your readers` }

  test('are in the arguments and environment of no process while it is shown', async () => {
    proves('notification-arguments')
    expect(await notifierOf(environment).show(texts)).toBe(true)
    expect(await dunstctl('count', 'displayed')).toMatch(/^[1-9]/)
    expect(findProcesses(secret)).toEqual([])
  })

  test('are there neither while the bus has not answered yet', async () => {
    proves('notification-arguments')
    const path = join(home, randomUUID())
    const connected = Promise.withResolvers<Socket>()
    const script = { connection: connected.resolve, authentication: () => undefined }
    onTestFinished(await startScriptedBus(path, script))
    const shown = notifierOf(atPath(path)).show(texts)
    const client = await connected.promise
    expect(findProcesses(secret)).toEqual([])
    client.end()
    expect(await shown).toBe(false)
  })
})

const atPath = (path: string) => ({
  ...session.environment,
  DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}`,
})

/** The processes in whose arguments or environment a text is. */
function findProcesses(text: string): readonly string[] {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) =>
      ['cmdline', 'environ'].some((file) => read(`/proc/${pid}/${file}`).includes(text)),
    )
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))
}

/** The result at a bus that answers in this way, and how long it took, in milliseconds. */
async function notifyAt(script: BusScript) {
  const path = join(home, randomUUID())
  onTestFinished(await startScriptedBus(path, script))
  const began = performance.now()
  const shown = await notifierOf(atPath(path)).show(notification)
  return { shown, ms: performance.now() - began }
}

const send = (bytes: Buffer | string) => (client: Socket) => void client.write(bytes)
const close = (client: Socket) => void client.end()
const text = (value: string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(value.length)
  return Buffer.concat([length, Buffer.from(`${value}\0`)])
}

describe('a bus', () => {
  const signal = encodeReply({ replyTo: 2, type: 4, signature: 's', body: text(':1.1') })
  const pathField = Buffer.from('\x0a\x01t\0\0\0\0\0\x01\x02\x03\x04\x05\x06\x07\x08')
  const serialField = Buffer.from('\x05\x01u\0\x02\0\0\0')

  test.each<[string, BusScript]>([
    ['that replies as it should', {}],
    ['of the other byte order', { call: send(encodeReply({ replyTo: 2, isBigEndian: true })) }],
    [
      'that sends signals, and replies to other calls, before',
      {
        call: send(
          Buffer.concat([signal, encodeReply({ replyTo: 9 }), encodeReply({ replyTo: 2 })]),
        ),
      },
    ],
    [
      'with a header field that is not known',
      {
        call: send(
          encodeReply({
            replyTo: 2,
            fields: Buffer.concat([pathField, serialField, Buffer.from('\x08\x01g\0\x01u\0')]),
          }),
        ),
      },
    ],
    [
      'that closes the connection after its reply',
      { call: (client) => void client.end(encodeReply({ replyTo: 2 })) },
    ],
  ])('%s has shown it', async (_, script) => {
    expect(await notifyAt(script)).toMatchObject({ shown: true })
  })

  test.each<[string, BusScript]>([
    ['that closes at once', { authentication: close }],
    ['that closes after the greeting', { hello: close }],
    ['that closes after the call', { call: close }],
    ['that rejects the account', { authentication: send('REJECTED EXTERNAL\r\n') }],
    ['whose greeting has no end', { authentication: flood(Buffer.alloc(65_536, 'O')) }],
    ['that sends no D-Bus', { hello: send('HTTP/1.1 400 Bad Request\r\n\r\n') }],
    ['of another version', { hello: send(Buffer.from('l\x02\0\x02'.padEnd(16, '\0'))) }],
    ['that sends signals without end', { call: flood(signal) }],
    ['that replies with an error', { call: send(encodeReply({ replyTo: 2, type: 3 })) }],
    ['that replies with a text', { call: send(encodeReply({ replyTo: 2, signature: 's' })) }],
    ['with a body of 2 GB', { call: flood(encodeReply({ replyTo: 2, bodyBytes: 0x7fff_fff0 })) }],
    ['with fields of 4 GB', { call: send(encodeReply({ replyTo: 2, fieldBytes: 0xffff_ffff })) }],
    ['with fields that are cut', { call: send(encodeReply({ replyTo: 2, fieldBytes: 13 })) }],
    [
      'with a field of 4 GB',
      {
        call: send(
          encodeReply({ replyTo: 2, fields: Buffer.from('\x03\x01s\0\xff\xff\xff\xff', 'latin1') }),
        ),
      },
    ],
    [
      'with a field of a type that is none',
      { call: send(encodeReply({ replyTo: 2, fields: Buffer.from('\x05\x03a{v\0\0\0') })) },
    ],
    [
      'that numbers its reply with a text',
      {
        call: flood(
          encodeReply({
            replyTo: 2,
            fields: Buffer.concat([Buffer.from('\x05\x01s\0'), text('2')]),
          }),
        ),
      },
    ],
  ])('%s has not shown it, and is left at once', async (_, script) => {
    proves('message-bus-posed')
    const { shown, ms } = await notifyAt(script)
    expect(shown).toBe(false)
    expect(ms).toBeLessThan(limits.notificationMs)
  })

  test('that falls silent is left within three seconds', async () => {
    proves('message-bus-posed')
    const silent = () => undefined
    const scripts: readonly BusScript[] = [
      { authentication: silent },
      { hello: silent },
      { call: silent },
      { call: send(encodeReply({ replyTo: 2 }).subarray(0, 20)) },
    ]
    for (const { shown, ms } of await Promise.all(scripts.map(notifyAt))) {
      expect(shown).toBe(false)
      expect(ms).toBeLessThan(3000)
    }
  })

  test.runIf(process.getuid?.() === 0)(
    'that another account has taken the address of gets nothing',
    async () => {
      proves('message-bus-posed')
      const name = `cardwire-${randomUUID()}`
      const script = `import socket
listener = socket.socket(socket.AF_UNIX)
listener.bind('\\0${name}')
listener.listen()
print('listening', flush=True)
print('received', listener.accept()[0].recv(100), flush=True)`
      const nobody = { uid: 65_534, gid: 65_534 }
      const taker = startProgram(['python3', '-c', script], { account: nobody })
      await taker.waitForOutput(/listening/)
      const { show } = notifierOf({
        ...session.environment,
        DBUS_SESSION_BUS_ADDRESS: `unix:abstract=${name}`,
      })
      expect(await show(notification)).toBe(false)
      await taker.waitForOutput(/received b''/)
    },
  )
})

/** Sends the same more often than a client may read, in one write: it waits for nothing. */
function flood(bytes: Buffer) {
  const all = Buffer.concat(Array.from({ length: Math.ceil(2 ** 20 / bytes.length) }, () => bytes))
  return (client: Socket) => void client.write(all)
}
