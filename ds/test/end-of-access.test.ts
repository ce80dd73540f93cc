/** The page of a blocked device says when sites can no longer use its card readers, as time passes. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { openPageSession } from './harness/page-session.ts'

const day = 86_400_000

let ds: InProcess
beforeEach(async () => {
  ds = await startInProcess()
})
afterEach(() => ds.stop())

/** The words of a page, without its elements. */
const readWords = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')

test('the page of a blocked device says until when sites can use it, and afterwards that they cannot', async () => {
  proves('end-of-access-shown')
  const token = await ds.login()
  const version = await createVersion(ds, token)
  const device = await createDevice(ds, version)
  await device.sync()
  const read = async () => {
    const { text } = await (await openPageSession(ds)).get(`devices/${device.id}`)
    return { text, words: readWords(text) }
  }
  const before = await read()
  expect(before.words).not.toContain('card readers until')
  expect(before.text).toContain(`<a href="versions/${version.id}">${version.id}</a>`)
  await ds.request('POST', `/v3/devices/${device.id}/block`, { token })
  const { text, words } = await read()
  expect(words).toContain(
    'If the device doesn’t contact the service again, sites can use its card readers until',
  )
  // Thirty days after the end of the day on which it was seen.
  const end = new Date((Math.floor(ds.now / day) + 31) * day).toISOString()
  expect(text).toContain(`datetime="${end}"`)
  ds.now += 32 * day
  expect((await read()).words).toContain('Sites can no longer use its card readers')
})
