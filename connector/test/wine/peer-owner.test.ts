/** Whose a connection is on Windows, by the real tables and tokens, as far as Wine has them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type Act, openAct } from './run-program.ts'

let act: Act
beforeAll(async () => {
  act = await openAct('./peer-owner-program.ts')
})
afterAll(() => act.stop())

test('a connection of our own process is ours, by the SID of the user', async () => {
  proves('other-account-calls', 'users-unnamed')
  const lines = (await act.run()).trim().split('\n')
  const [inTable, four, six] = lines.map((line) => JSON.parse(line))
  // The registry of Windows has the users who are logged in by their SIDs.
  const user = /S-1-5-21[-\d]+/.exec(await act.output('reg', 'query', 'HKU'))?.[0]

  expect(user).toBeDefined()
  expect(inTable).toEqual({ session: 1 })
  expect(four).toEqual({
    host: '127.0.0.1',
    us: { kind: 'ours', user },
    somebody: { kind: 'other', user },
    bySession: { kind: 'other', user: 'session 1' },
    otherPort: { kind: 'unknown' },
    otherAddress: { kind: 'unknown' },
  })
  // Wine 8 lists connections over IPv6 without their processes; what it does not list it does not know.
  const unknown = { kind: 'unknown' }
  expect(six).toMatchObject({ host: '::1', us: unknown, somebody: unknown })
})
