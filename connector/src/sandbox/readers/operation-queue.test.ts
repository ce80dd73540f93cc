/** The order of operations with one reader, with a process of the test. */
import { expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { createManualClock, flushPromises } from '../../../test/registry/manual-clock.ts'
import type { CardOperation } from '../../system/ipc/card-messages.ts'
import type { CardReply } from './card-process.ts'
import { createOperationQueue } from './operation-queue.ts'

function start() {
  const asked: string[] = []
  let answer: (reply: CardReply) => void = () => undefined
  const queue = createOperationQueue({
    start: () => ({
      request(request) {
        if ('operation' in request) asked.push(request.operation.kind)
        return new Promise((resolve) => {
          answer = resolve
        })
      },
      end: () => undefined,
      kill: () => undefined,
      exited: new Promise(() => undefined),
    }),
    requireRunning: () => undefined,
    onIdle: () => undefined,
    clock: createManualClock(),
    log: { warn: () => undefined },
  })
  return {
    asked,
    run: (operation: CardOperation) => queue.run('a reader', operation, {}),
    /** Ends the operation that runs. */
    async finish() {
      answer({ type: 'result', result: { kind: 'reset' } })
      await flushPromises()
    },
  }
}

const info = { kind: 'info', module: 'piv' } as const

test('a reset goes before everything that waits for the card, however much that is', async () => {
  proves('library-pin-reused')
  const { asked, run, finish } = start()
  const others = Array.from({ length: 16 }, () => run(info))
  await expect(run(info)).rejects.toMatchObject({ name: 'card-busy' })
  const reset = run({ kind: 'reset' })
  await finish()
  expect(asked).toEqual(['info', 'reset'])
  await finish()
  await reset
  for (const _ of others) await finish()
  await Promise.all(others)
  expect(asked).toEqual(['info', 'reset', ...others.slice(1).map(() => 'info')])
})
