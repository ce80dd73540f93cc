/** Which changes are large: those that reach more than DS_REVIEW_SHARE of all devices. */
import { afterEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { createVersion, getData } from './harness/arrange.ts'
import { createDevice } from './harness/device.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'

let ds: InProcess | undefined
afterEach(() => ds?.stop())

test.each([
  ['0', 1, true],
  ['49', 2, true],
  ['50', 2, false],
  ['100', 4, false],
])('with %s percent, a change to %i of 4 devices is large: %s', async (share, count, isLarge) => {
  proves('change-reviewed')
  ds = await startInProcess({ DS_REVIEW_SHARE: share })
  const token = await ds.login()
  const [version, other] = [await createVersion(ds, token), await createVersion(ds, token)]
  for (let made = 0; made < 4; made += 1) await createDevice(ds, made < count ? version : other)
  const path = `/v3/versions/${version.id}/configurations/reach`
  expect(getData(await ds.request('GET', path, { token }))).toMatchObject({ reach: count, isLarge })
})
