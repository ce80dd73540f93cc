/** Readers that come and go at the worst moments, seen by the real sandbox. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import type { Call } from '../scripted-card-service/driver-protocol.ts'
import { changeLimitMs, haveNames, registerScriptedCardServices } from './scripted-sandbox.ts'

const start = registerScriptedCardServices()

/** The wait that lasts until something changes, as against a question that is answered at once. */
const lasts = ({ name, fields: [timeoutMs] }: Call) =>
  name === 'status-change' && Number(timeoutMs) > changeLimitMs

describe('a reader that comes', () => {
  test('after the listing, as the wait begins, is listed within two seconds', async () => {
    proves('reader-during-listing')
    const { service, supervise } = await start()
    service.plug({ name: 'First' })
    const waits: Call[] = []
    service.script('status-change', async (call, usual) => {
      if (lasts(call)) waits.push(call)
      // The service counts its readers as it takes the call up: this one is there by then, and was not listed.
      if (waits.length === 1) service.plug({ name: 'Late', atr: '3B00' })
      return usual()
    })
    const { waitFor } = supervise()
    await service.waitForCall(lasts)

    const readers = await waitFor(haveNames('First', 'Late'), changeLimitMs)

    expect(readers?.[1]?.card).toEqual({ atr: '3B00' })
    // Not because the wait was a short one: it was ended.
    expect(service.calls.some(({ name }) => name === 'cancel')).toBe(true)
  })

  test('as each of many waits begins is listed each time', async () => {
    const { service, supervise } = await start()
    const names = Array.from({ length: 12 }, (_, at) => `Reader ${at}`)
    const coming = names.values()
    service.script('status-change', async (call, usual) => {
      const next = lasts(call) ? coming.next() : undefined
      if (next?.value !== undefined) service.plug({ name: next.value })
      return usual()
    })
    const { waitFor } = supervise()

    // How soon is the other tests' question: one that is missed would wait for a minute.
    for (const at of names.keys())
      expect(await waitFor(haveNames(...names.slice(0, at + 1)), 5 * changeLimitMs)).not.toBeNull()
  })

  // So many calls there are from the first to the last before all is quiet, the question for a key pad included.
  const moments = Array.from({ length: 11 }, (_, at) => at + 1).flatMap((number) => [
    { moment: 'before', number },
    { moment: 'after', number },
  ])
  test.each(moments)(
    '$moment call number $number of a sandbox is listed within two seconds',
    async ({ moment, number }) => {
      const { service, supervise } = await start()
      service.plug({ name: 'First' })
      const plugged = Promise.withResolvers<void>()
      const plug = () => {
        service.plug({ name: 'Late' })
        plugged.resolve()
      }
      let calls = 0
      for (const name of ['establish', 'list-readers', 'status-change', 'connect'] as const)
        service.script(name, async (_, usual) => {
          calls += 1
          const now = calls === number
          if (now && moment === 'before') plug()
          const answer = usual()
          if (now && moment === 'after') plug()
          return answer
        })
      const { waitFor } = supervise()
      await plugged.promise

      // The first of these moments come before the sandbox has said anything, or a thread of it has begun.
      expect(await waitFor(haveNames('First', 'Late'), changeLimitMs)).not.toBeNull()
    },
  )
})
