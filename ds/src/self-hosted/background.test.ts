/** Work that goes on after its request. */
import { expect, test } from 'vitest'
import { createBackground } from './background.ts'

test('the end of the service waits for what was started', async () => {
  const [gate, events] = [Promise.withResolvers<void>(), [] as string[]]
  const { run, settle } = createBackground({ error: () => events.push('error') })
  run(async () => {
    await gate.promise
    events.push('worked')
  })
  const settled = settle().then(() => events.push('settled'))
  gate.resolve()
  await settled
  expect(events).toEqual(['worked', 'settled'])
  // Nothing is kept of what has ended.
  expect(await settle()).toEqual([])
})

test('what fails is logged', async () => {
  const logged: object[] = []
  const { run, settle } = createBackground({
    error: (message, fields) => logged.push({ message, fields }),
  })
  run(() => Promise.reject(new Error('the disk is full')))
  await settle()
  expect(logged).toMatchObject([
    {
      message: 'work in the background failed',
      fields: { error: { message: 'the disk is full' } },
    },
  ])
})
