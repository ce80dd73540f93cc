/** Card services that hang, go and come back, and sandboxes that are killed: what is told meanwhile and afterwards. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Snapshot } from '../../src/sandbox/readers/readers.ts'
import type { Call, CallName } from '../scripted-card-service/driver-protocol.ts'
import {
  changeLimitMs,
  getDownCode,
  haveNames,
  registerScriptedCardServices,
} from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

const first = { name: 'First', atr: '3B00' }
const second = { name: 'Second' }

/** The wait that lasts until something changes, as against a question that is answered at once. */
const lasts = ({ name, fields: [timeoutMs] }: Call) => name === 'status-change' && timeoutMs !== '0'

const withCards = (count: number) => (snapshot: Snapshot) =>
  snapshot.readers.filter(({ card }) => card).length === count ? true : undefined

describe('a reader unplugged', () => {
  test.each<CallName>(['list-readers', 'status-change', 'connect', 'control', 'disconnect'])(
    'in the middle of %s is listed no more within two seconds, and the other is',
    async (name) => {
      const { service, supervise } = await start()
      service.plug(first, second)
      const unplugged = Promise.withResolvers<void>()
      const undo = service.script(name, async (_, usual) => {
        undo()
        service.unplug('Second')
        unplugged.resolve()
        return usual()
      })
      const { waitFor, logged } = supervise()
      await unplugged.promise

      expect(await waitFor(haveNames('First'), changeLimitMs)).toMatchObject([
        { card: { atr: '3B00' } },
      ])
      expect(logged).toEqual([])
    },
  )

  test('between the listing and the wait is listed no more within two seconds', async () => {
    const { service, supervise } = await start()
    service.plug(first, second)
    const undo = service.script('status-change', async (call, usual) => {
      if (!lasts(call)) return usual()
      undo()
      service.unplug('Second')
      return usual()
    })
    const { waitFor } = supervise()
    await service.waitForCall(lasts)

    expect(await waitFor(haveNames('First'), changeLimitMs)).toMatchObject([
      { card: { atr: '3B00' } },
    ])
  })

  test('and another plugged between the listing and the wait, are both noticed within two seconds', async () => {
    const { service, supervise } = await start()
    service.plug(first, second)
    const undo = service.script('status-change', async (call, usual) => {
      if (!lasts(call)) return usual()
      undo()
      service.unplug('Second')
      service.plug({ name: 'Third' })
      return usual()
    })
    const { waitFor } = supervise()
    await service.waitForCall(lasts)

    expect(await waitFor(haveNames('First', 'Third'), changeLimitMs)).not.toBeNull()
  })
})

describe('a card service', () => {
  test('that stops is reported, and within two seconds of its return the current readers are listed', async () => {
    const { service, supervise } = await start()
    service.plug(first)
    const { waitFor, logged } = supervise()
    await waitFor(haveNames('First'))

    await service.stop()
    const code = await waitFor(getDownCode, changeLimitMs)
    service.plug(second)
    service.remove('First')
    await service.start()

    expect(code).toMatch(/^SCARD_E_(SERVICE_STOPPED|NO_SERVICE)$/)
    expect(await waitFor(haveNames('First', 'Second'), changeLimitMs)).not.toBeNull()
    expect(await waitFor(withCards(0))).toBe(true)
    // The new service is listened to.
    service.insert('Second', '3BFF')
    expect(await waitFor(withCards(1), changeLimitMs)).toBe(true)
    expect(logged).toEqual([])
  })

  test('that is restarted in the middle of a call is used again within two seconds', async () => {
    const { service, supervise } = await start()
    service.plug(first)
    const undo = service.script('list-readers', 'never')
    const { waitFor, logged } = supervise()
    await service.waitForCall(({ name }) => name === 'list-readers')
    undo()
    await service.stop()
    await service.start()

    expect(await waitFor(haveNames('First'), changeLimitMs)).not.toBeNull()
    expect(logged).toEqual([])
  })
})

describe('a call that never returns', () => {
  test.each<CallName>(['establish', 'list-readers', 'status-change'])(
    'in %s has its deadline: the sandbox is replaced, and lists within two seconds',
    async (name) => {
      proves('hanging-reader-call', 'driver-hangs')
      const { service, supervise } = await start()
      service.plug(first)
      const undo = service.script(name, 'never')
      const { waitFor, logged } = supervise()
      const call = await service.waitForCall((one) => one.name === name)
      undo()
      await service.waitForEnd(call)

      expect(await waitFor(haveNames('First'), changeLimitMs)).toMatchObject([
        { card: { atr: '3B00' } },
      ])
      expect(logged).toMatchObject([
        { event: 'sandbox ended', fields: { pid: call.pid, end: 'stuck' } },
      ])
    },
  )

  test.each<CallName>(['connect', 'control'])(
    'in %s has its deadline, and the readers stay listed',
    async (name) => {
      const { service, supervise } = await start()
      service.plug(first)
      const undo = service.script(name, 'never')
      const { readers, waitFor, logged } = supervise({ timeouts: { replyMs: 1000 } })
      const call = await service.waitForCall((one) => one.name === name)
      const states: Snapshot[] = []
      readers.subscribe((snapshot) => states.push(snapshot))
      await waitFor(haveNames('First'))

      await service.waitForEnd(call)
      undo()
      await service.waitForCall((one) => one.pid !== call.pid)
      service.insert('First', '3BFF')

      expect(await waitFor(({ readers: [one] }) => one?.card?.atr === '3BFF' || undefined)).toBe(
        true,
      )
      expect(logged).toMatchObject([{ fields: { pid: call.pid, end: 'query-timeout' } }])
      for (const { pcsc, readers: all } of states)
        expect([pcsc.kind, all.map((one) => one.name)]).toEqual(['up', ['First']])
    },
  )

  test('in the recheck ends the sandbox at the next snapshot, and the next one lists', async () => {
    const { service, supervise } = await start()
    service.plug(first)
    const { readers, waitFor, logged } = supervise({ timeouts: { heartbeatMs: 300, pongMs: 300 } })
    await service.waitForCall(lasts)
    const undo = service.script('establish', 'never')
    const look = await service.waitForCall(
      (call) => call.name === 'establish' && service.calls.slice(0, -1).some(lasts),
    )
    readers.subscribe(() => undefined)
    await service.waitForEnd(look)
    undo()
    await service.waitForCall((call) => call.pid !== look.pid)
    service.plug(second)

    expect(await waitFor(haveNames('First', 'Second'))).not.toBeNull()
    expect(logged[0]).toMatchObject({ fields: { end: 'no-reply' } })
  })
})

describe('a sandbox that is killed', () => {
  test('while it is listing is replaced, and lists within a second', async () => {
    proves('driver-crashes')
    const { service, supervise } = await start()
    service.plug(first)
    const { readers, waitFor } = supervise()
    await waitFor(haveNames('First'))
    const before = service.calls.length
    const undo = service.script('list-readers', 'never')
    service.plug(second)
    const listing = await service.waitForCall(
      (call) => call.name === 'list-readers' && service.calls.indexOf(call) >= before,
    )
    undo()

    process.kill(listing.pid, 'SIGKILL')
    const from = performance.now()

    expect(await waitFor(haveNames('First', 'Second'), 1000)).not.toBeNull()
    expect(performance.now() - from).toBeLessThan(1000)
    expect([0, listing.pid]).not.toContain(readers.sandboxPid())
  })

  test('while it is listing for the first time is replaced, and lists within a second', async () => {
    const { service, supervise } = await start()
    service.plug(first)
    const undo = service.script('list-readers', 'never')
    const { waitFor } = supervise()
    const listing = await service.waitForCall((call) => call.name === 'list-readers')
    undo()

    process.kill(listing.pid, 'SIGKILL')

    expect(await waitFor(haveNames('First'), 1000)).not.toBeNull()
  })
})
