/** Which sites devices lose, with the largest allowlists there are. */
import type { VerdictChange } from '@cardwire/protocol'
import { expect, test } from 'vitest'
import { measureProcessorMs } from '../../../test/bed/processor-time.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Services } from '../services.ts'
import { findLostSites } from './lost-sites.ts'

/** Reads one of these lists after the other. */
function createReader(lists: readonly (readonly string[])[]) {
  const rest = [...lists]
  const rows = async () => rest.shift()?.map((value) => ({ value })) ?? []
  const reader = {
    select: () => ({ from: () => ({ where: rows }) }),
    sqlDialect: { eachText: () => '' },
  }
  return {
    services: { reader } as unknown as Pick<Services, 'reader'>,
    countLeft: () => rest.length,
  }
}

/** One device of each of so many versions, which updates to the same one. */
const changes = (count: number): readonly VerdictChange[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ version: `1.0.${at}`, platform: 'UNIX', count: 1 },
    ...{ before: 'none', after: 'recommend', target: '2.0.0' },
  }))

test('a site is lost unless an entry of the new allowlist allows it', async () => {
  const after = ['https://kept.example', 'https://*.shop.example']
  const before = [
    ...['https://kept.example', 'https://till.shop.example', 'https://*.till.shop.example'],
    ...['https://shop.example', 'https://*.example.org', 'https://lost.example'],
  ]
  const { services } = createReader([after, before])
  expect(await findLostSites(services, changes(1), (version) => version)).toEqual({
    total: 3,
    items: [
      { origin: 'https://*.example.org', devices: 1 },
      { origin: 'https://lost.example', devices: 1 },
      { origin: 'https://shop.example', devices: 1 },
    ],
  })
})

test('twenty versions whose allowlists have 2,000 origins of many names take little time', async () => {
  proves('lost-sites-compared')
  const names = 'a.'.repeat(115)
  const after = Array.from({ length: 2000 }, (_, at) => `https://*.y${at}.example`)
  const before = Array.from({ length: 20 }, (_, version) =>
    Array.from({ length: 2000 }, (_, at) => `https://${names}x${at}.v${version}.ex`),
  )
  const { services, countLeft } = createReader([after, ...before])
  let total = 0
  const ms = await measureProcessorMs(async () => {
    ;({ total } = await findLostSites(services, changes(20), (version) => version))
  })
  expect(total).toBe(40_000)
  expect(countLeft()).toBe(0)
  expect(ms).toBeLessThan(2500)
})
