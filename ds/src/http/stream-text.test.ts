import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { streamText } from './stream-text.ts'

test('others have their turn after each part, however fast it is made and taken', async () => {
  proves('large-list-alone')
  let turns = 0
  async function* write() {
    for (let part = 0; part < 10; part += 1) {
      setImmediate(() => {
        turns += 1
      })
      yield `${turns} `
    }
  }
  const app = new Hono().get('/', (context) => streamText(context, write(), {}))
  const text = await (await app.request('/')).text()
  expect(Number(text.trim().split(' ').at(-1))).toBeGreaterThan(7)
})
