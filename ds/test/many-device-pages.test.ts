/** The page of a change that takes several requests, with a clock that the test sets. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'
import { readHidden } from './harness/page-text.ts'

let ds: InProcess
beforeEach(async () => {
  let uptime = 0
  ds = await startInProcess({}, (services) => ({
    ...services,
    // Each look at it takes three seconds: there is time for two steps.
    uptime: () => {
      uptime += 3000
      return uptime
    },
  }))
  await ds.driver.run({
    sql: `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1700)
      insert into devices (id, fingerprint, key, version, platform, device, "user", blocked, approved, registrations,
        registered_at, created_at, asserted_at, last_seen_at, last_seen_day, revision, faults)
      select 'd' || n, 'd' || n, '{}', '4.0.0', 'UNIX', '{}', '{}', 0, 1, 1, 1, 1, 1, 1, 1, 1, '[]' from numbers`,
    params: [],
  })
})
afterEach(() => ds.stop())

const countBlocked = async () =>
  (await ds.driver.run({ sql: 'select count(*) from devices where blocked', params: [] }))[0]?.[0]

test('a change that takes long says how far it is, and continues with a button or by itself', async () => {
  proves('many-devices-pages')
  const session = await openPageSession(ds)
  const to = 'devices/change?version=4.0.0&change=block'
  const review = await session.get(to)
  expect(review.text).toContain('1,700 devices will change.')
  const form = { id: readHidden(review.text, 'id'), maxReach: readHidden(review.text, 'maxReach') }
  const first = await session.post(to, { ...form, confirm: '1700' })
  expect(first.text).toContain('1,000 of 1,700 devices are done.')
  expect(first.text).toMatch(/<progress value="1000" max="1700" aria-label="Changing devices">/)
  expect(first.text).toMatch(/data-continue[^>]*><form method="post"/)
  expect(await countBlocked()).toBe(1000)
  const next = { id: readHidden(first.text, 'id'), maxReach: readHidden(first.text, 'maxReach') }
  expect(next).toEqual(form)
  const last = await session.post(to, next)
  expect(last.text).toContain('1,700 devices blocked.')
  expect(last.text).toContain(`href="devices/change?change=unblock&amp;changedBy=${form.id}"`)
  expect(await countBlocked()).toBe(1700)
})

test('a wrong number, or none, changes nothing', async () => {
  proves('many-devices-pages')
  const session = await openPageSession(ds)
  const to = 'devices/change?change=remove'
  const { text } = await session.get(to)
  const form = { id: readHidden(text, 'id'), maxReach: readHidden(text, 'maxReach') }
  const wrong = await session.post(to, { ...form, confirm: '170' })
  expect([wrong.status, wrong.text.includes('doesn’t match “1700”')]).toEqual([422, true])
  expect((await session.post(to, { id: form.id })).status).toBe(409)
  expect((await session.post('devices/change?change=forget', form)).status).toBe(422)
  expect(await ds.driver.run({ sql: 'select count(*) from devices', params: [] })).toEqual([[1700]])
})
