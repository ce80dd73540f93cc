/** The readers of this machine through the compiled binary: real pcscd, curl as the client that trusts the root alone. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardPorts, type Pcscd, readerNames, startPcscd } from '../../test/bed/pcscd.ts'
import { proves } from '../../test/bed/proves.ts'
import { insertCard, type VirtualCard } from '../../test/bed/virtual-card.ts'
import { readLines } from '../src/system/ipc/read-lines.ts'

const binary = fileURLToPath(new URL('../dist/cardwire', import.meta.url))
/** A Belgian eID, which the list knows. */
const atr = '3B9813400AA503010101AD1311'

describe('compiled connector', () => {
  let pcscd: Pcscd
  let home: string
  let connector: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  let base: string
  let curl: readonly string[]
  let card: VirtualCard | undefined

  const environment = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    CARDWIRE_API_PORTS: '26000-26999',
    CARDWIRE_LOG_LEVEL: 'debug',
  })
  const start = () =>
    Bun.spawn([binary, 'run'], {
      env: environment(),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })

  beforeAll(async () => {
    pcscd = await startPcscd()
    home = await mkdtemp(join(tmpdir(), 'cardwire-home-'))
    connector = start()
    const lines = readLines(connector.stderr)
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      const port = /listening on port (\d+)/.exec(line.value)?.[1]
      if (port === undefined) continue
      base = `https://localhost:${port}`
      break
    }
    // What else it says is read and dropped: a full pipe would stop it.
    void (async () => {
      for await (const _ of lines);
    })()
    const token = await readFile(
      join(home, '.local/state/cardwire/runtime/management-token'),
      'utf8',
    )
    const ca = join(home, '.local/share/cardwire/certificates/rootCA.pem')
    curl = [
      'curl',
      '-sS',
      '--cacert',
      ca,
      '-H',
      'X-CSRF-Token: t1c-js',
      '-H',
      `Authorization: Bearer ${token}`,
    ]
  })
  afterAll(async () => {
    await card?.remove()
    connector.kill()
    await connector.exited
    await pcscd.close()
    await rm(home, { recursive: true, force: true })
  })

  const run = async (command: readonly string[]) => {
    const child = Bun.spawn([...command], {
      env: environment(),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, out, err }
  }
  const ask = async (path: string) => JSON.parse((await run([...curl, base + path])).out)
  const readers = async (query = '') => (await ask(`/v3/readers${query}`)).data
  /** Asks until it is so: a card is seen by the service some moments after it is in. */
  const until = (holds: (all: { name: string; card?: { atr: string } }[]) => boolean) =>
    expect.poll(async () => holds(await readers())).toBe(true)
  const insert = async () => {
    card = await insertCard(cardPorts[0], { atr })
    await until((all) => all.some((reader) => reader.card?.atr === atr))
  }
  const remove = async () => {
    await card?.remove()
    card = undefined
    await until((all) => all.every((reader) => reader.card === undefined))
  }

  test('lists the readers, and a card as pcsc_scan prints it, with what it is', async () => {
    proves('readers-listed', 'reader-fields')
    expect((await readers()).map(({ name }: { name: string }) => name)).toEqual([...readerNames])
    await insert()
    const [first] = await readers()
    expect(first).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      pinpad: false,
      card: { atr, modules: ['beid'] },
    })
    expect(first.card.description.join(' ')).toMatch(/Belgi/)
    const { out } = await run(['timeout', '2', 'pcsc_scan', '-n'])
    expect(out.replaceAll(/[^0-9A-F]/g, '')).toContain(atr)
    expect(await ask(`/v3/readers/${first.id}`)).toMatchObject({ success: true, data: first })
    await remove()
  })

  test('filters by card and by name', async () => {
    proves('readers-listed')
    await insert()
    const names = async (query: string) =>
      (await readers(query)).map(({ name }: { name: string }) => name)
    expect(await names('?cardInserted=true')).toEqual([readerNames[0]])
    expect(await names('?cardInserted=false&excluded=hello')).toEqual([readerNames[1]])
    expect(await names('?excluded=pcd%2000%2000')).toEqual([readerNames[1]])
    expect(await names('?excluded=PCD')).toEqual([])
    await remove()
  })

  test('detection answers at once, on the change, or null after its time', async () => {
    proves('card-detection')
    expect((await ask('/v3/readers/detect?timeout=1')).data).toHaveLength(2)
    expect((await ask('/v3/readers/detect-card?timeout=1')).data).toBeNull()
    const [, second] = await readers()
    const waiting = ask('/v3/readers/detect-card?timeout=20')
    const other = ask(`/v3/readers/${second.id}/detect-card?timeout=1`)
    card = await insertCard(cardPorts[0], { atr })
    expect((await waiting).data.card.atr).toBe(atr)
    expect((await other).data).toBeNull()
    expect((await ask('/v3/readers/detect-card?timeout=1')).data.card.atr).toBe(atr)
    expect((await ask('/v3/readers/0000000000000000/detect-card')).code).toBe('701001')
    expect((await ask('/v3/readers/detect-card?timeout=61')).code).toBe('106004')
    await remove()
  })

  test('stream sends a snapshot, then each change, and a third stream is refused', async () => {
    const follow = () =>
      Bun.spawn([...curl, '-N', `${base}/v3/readers/events`], { stdout: 'pipe', stderr: 'ignore' })
    const [one, two] = [follow(), follow()]
    const events = eventsOf(one.stdout)
    const others = eventsOf(two.stdout)
    expect((await events.next()).value).toMatchObject({
      type: 'snapshot',
      readers: [{ name: readerNames[0] }, { name: readerNames[1] }],
    })
    await others.next()
    expect((await ask('/v3/readers/events')).code).toBe('112429')
    card = await insertCard(cardPorts[0], { atr })
    const inserted = (await events.next()).value
    expect(inserted).toMatchObject({
      type: 'card-inserted',
      reader: { name: readerNames[0], card: { atr } },
    })
    await card.remove()
    card = undefined
    const removed = (await events.next()).value
    expect(removed).toMatchObject({ type: 'card-removed', reader: { name: readerNames[0] } })
    expect(removed.sequence).toBeGreaterThan(inserted.sequence)
    one.kill()
    two.kill()
    await Promise.all([one.exited, two.exited])
    // Whoever comes again names the last number seen, and misses nothing.
    const again = Bun.spawn(
      [...curl, '-N', `${base}/v3/readers/events?after=${inserted.sequence}`],
      { stdout: 'pipe', stderr: 'ignore' },
    )
    expect((await eventsOf(again.stdout).next()).value).toEqual(removed)
    again.kill()
    await again.exited
  })

  test('sandbox that is killed is replaced: the next listing is right within a second', async () => {
    proves('sandbox-managed-by-api')
    const pid = (await ask('/info')).data.t1CInfoAPI.sandbox.pid
    process.kill(pid, 'SIGKILL')
    const killed = performance.now()
    await until((all) => all.length === readerNames.length)
    expect((await ask('/info')).data.t1CInfoAPI.sandbox.pid).not.toBe(pid)
    expect(performance.now() - killed).toBeLessThan(2000)
  })

  test('readers prints them; --watch shows a card coming and leaving', async () => {
    proves('readers-watch')
    const { code, out } = await run([binary, 'readers'])
    expect([code, out]).toEqual([0, expect.stringContaining(readerNames[1])])
    const watching = Bun.spawn([binary, 'readers', '--watch'], {
      env: environment(),
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const lines = readLines(watching.stdout)
    const line = async (holds: RegExp) => {
      for (let next = await lines.next(); !next.done; next = await lines.next())
        if (holds.test(next.value)) return next.value
      throw new Error(`It ended without a line that matches ${holds}`)
    }
    await line(/Waiting for changes/)
    card = await insertCard(cardPorts[0], { atr })
    expect(await line(/card inserted/)).toContain(atr.replaceAll(/../g, '$& ').trim())
    await card.remove()
    card = undefined
    await line(/card removed/)
    watching.kill('SIGINT')
    expect(await watching.exited).toBe(0)
  })

  test('readers --watch prints once that the service has stopped, and once that it is back', async () => {
    const watching = Bun.spawn([binary, 'readers', '--watch'], {
      env: environment(),
      stdout: 'pipe',
      stderr: 'ignore',
    })
    const messages: string[] = []
    let stopped: Promise<void> | undefined
    for await (const line of readLines(watching.stdout)) {
      if (line.includes('Waiting for changes')) stopped = pcscd.stop()
      if (line.includes('card service')) messages.push(line.replace(/^\S+ {2}/, ''))
      if (line.includes('service stopped')) {
        await stopped
        await pcscd.start()
      }
      if (line.includes('reader added') && line.includes(readerNames[1])) break
    }
    watching.kill('SIGINT')
    expect(await watching.exited).toBe(0)
    expect(messages).toEqual([
      expect.stringMatching(/^the smart card service stopped: ./),
      'the smart card service is back',
    ])
    await until((all) => all.length === readerNames.length)
  })

  test('stream says that the card service has stopped, and that it is back', async () => {
    proves('card-service-down-reported')
    const follow = [...curl, '-N', `${base}/v3/readers/events`]
    const stream = Bun.spawn(follow, { stdout: 'pipe', stderr: 'ignore' })
    const services: { readonly state: string }[] = []
    for await (const event of eventsOf(stream.stdout)) {
      // While it is down the reason may change: first its connection broke, then it does not run.
      if (event.type !== 'snapshot' || event.cardService.state === services.at(-1)?.state) continue
      services.push(event.cardService)
      if (services.length === 1) await pcscd.stop()
      if (services.length === 2) await pcscd.start()
      if (services.length === 3) break
    }
    stream.kill()
    await stream.exited
    const reason = expect.stringMatching(/card service|PC\/SC|SCARD/i)
    expect(services).toEqual([{ state: 'up' }, { state: 'down', reason }, { state: 'up' }])
    await until((all) => all.length === readerNames.length)
  })

  test('service that stops is reported with the remedy, and its return is detected', async () => {
    proves('doctor-card-service')
    await pcscd.stop()
    await expect.poll(async () => (await ask('/v3/readers')).code).toBe('112503')
    const broken = await run([binary, 'doctor'])
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/card service cannot be reached.*\n.*systemctl start pcscd/)
    expect((await run([binary, 'readers'])).code).toBe(1)
    await pcscd.start()
    await until((all) => all.length === readerNames.length)
    const { out } = await run([binary, 'doctor'])
    expect(out).toMatch(/✓ the smart card service is responding/)
    expect(out).toMatch(/✓ readers: Virtual PCD 00 00/)
  })
})

/** The events of a stream, without its comments. */
async function* eventsOf(stream: ReadableStream<Uint8Array>) {
  for await (const line of readLines(stream))
    if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
}
