/** When a card process ends by itself, and when it does not because it keeps a PIN; by a clock of the test. */
import { Problem } from '@cardwire/protocol'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { waitFor } from '../../../test/bed/wait-for.ts'
import { type CardAccess, openCardAccess } from '../../src/sandbox/readers/card-access.ts'
import type { OperationPin } from '../../src/sandbox/readers/operation-queue.ts'
import type { CardOperation } from '../../src/system/ipc/card-messages.ts'

/** Answers each frame, with its own id as the signature. */
const program = `
  process.stdin.on('data', () => {
    const result = { kind: 'sign', signatures: [String(process.pid)] }
    process.stdout.write('\\u001e' + JSON.stringify({ type: 'result', result }) + '\\n')
  })`
const sign: Extract<CardOperation, { kind: 'sign' }> = {
  ...{ kind: 'sign', module: 'piv', key: '9C', certificate: 'c' },
  ...{ hash: 'sha256', digests: ['d'] },
}

let timers: { readonly delayMs: number; readonly act: () => void }[]
let access: CardAccess
beforeEach(() => {
  timers = []
  access = openCardAccess({
    command: [process.execPath, '-e', program],
    tokenCommand: [process.execPath, '-e', program],
    env: {},
    clock: {
      now: () => 0,
      after(delayMs, act) {
        const timer = { delayMs, act }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
    },
    log: { warn: () => undefined, error: () => undefined },
  })
})
afterEach(() => access.stop())

const keptPin = { kind: 'sent', bytes: new Uint8Array(), keepAs: 'a' } as const

/** Resolves with the id of the process that answered. */
const run = async (pin?: OperationPin) => {
  const { signatures } = await access.run('a reader', sign, pin ? { pin } : {})
  return Number(signatures[0])
}
const isRunning = (id: number) => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

test('a process ends five seconds after its last operation', async () => {
  const id = await run()
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([5000])
  timers[0]?.act()
  await waitFor(() => !isRunning(id))
  expect(await run()).not.toBe(id)
})

test('one that keeps a PIN goes on until that is forgotten, whatever else the card is asked, and another follows it', async () => {
  proves('bulk-grant')
  const id = await run(keptPin)
  expect(await run({ kind: 'kept', id: 'a' })).toBe(id)
  expect(await run()).toBe(id)
  expect(timers).toEqual([])
  access.forgetPin('a reader')
  await waitFor(() => !isRunning(id))
  expect(await run()).not.toBe(id)
})

test('a PIN is forgotten before the next operation is done', async () => {
  const id = await run(keptPin)
  access.forgetPin('a reader')
  expect(await run()).not.toBe(id)
})

test('a process that keeps none is left alone', async () => {
  const id = await run()
  access.forgetPin('a reader')
  access.forgetPin('another reader')
  expect(await run()).toBe(id)
})

test('an operation that is not wanted any more when its turn comes is not done, and the next one is', async () => {
  proves('consent-given-again', 'work-abandoned')
  let calls = 0
  const requireWanted = () => {
    calls += 1
    throw new Problem('consent-required', 'Cannot continue')
  }
  const first = run()
  const late = access.run('a reader', sign, { requireWanted })
  const next = run()
  await Promise.resolve()
  expect(calls).toBe(0)
  await expect(late).rejects.toMatchObject({ name: 'consent-required' })
  expect([calls, await next]).toEqual([1, await first])
})
