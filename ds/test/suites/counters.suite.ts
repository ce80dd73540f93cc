/** Counters: every use once, whatever is sent again. */
import { expect, test } from 'vitest'
import { getAmount } from '../../../test/bed/amounts.ts'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { createLabel, createVersion, getData } from '../harness/arrange.ts'
import { createDevice } from '../harness/device.ts'
import { withDatabase } from '../harness/stored-data.ts'

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const day = daysAgo(100)
const dayAfter = daysAgo(99)

export function counterSuite(service: () => DistributionService): void {
  const device = async () =>
    createDevice(service(), await createVersion(service(), await service().login()))
  /** The id of a label of its own. */
  const known = async (name: string): Promise<string> => {
    const overrides = { name: `${name} ${crypto.randomUUID()}` }
    return (await createLabel(service(), await service().login(), overrides)).id
  }
  /** The last cells of a label's row: the id and the name of its organization. */
  const ownerOf = async (label: string): Promise<string> => {
    const read = async (path: string) =>
      getData(await service().request('GET', path, { token: await service().login() }))
    const { orgId } = await read(`/v3/labels/${label}`)
    return `${orgId},${(await read(`/v3/organizations/${orgId}`)).name}`
  }
  const counters = async (query: string) =>
    getData(
      await service().request('GET', `/v3/counters?${query}`, { token: await service().login() }),
    )
  const table = async (query: string) =>
    service().request('GET', `/v3/counters.csv?${query}`, { token: await service().login() })
  const batch = (entries: Json[]) => ({ id: crypto.randomUUID(), entries })
  const entry = (label: string, overrides: Json = {}) => ({
    label,
    module: 'belgian-eid',
    useCase: 'signature',
    day,
    count: 1,
    ...overrides,
  })
  const total = async (label: string) =>
    (await counters(`label=${label}&size=100`)).items.reduce(
      (sum: number, { count }: Json) => sum + count,
      0,
    )

  test('POST /v3/devices/sync counts batches by label, module, use case, tag and day, and acknowledges them', async () => {
    const [one, other] = [await device(), await device()]
    const label = await known('counted')
    const batches = [
      batch([entry(label), entry(label, { tag: 'shop', count: 2 })]),
      batch([entry(label, { count: 3 }), entry(label, { day: dayAfter, useCase: 'print' })]),
    ]
    const { reply } = await one.sync({ batches })
    expect(reply.acknowledged).toEqual(batches.map(({ id }) => id))
    await other.sync({ batches: [batch([entry(label, { count: 10 })])] })
    const { items } = await counters(`label=${label}`)
    expect(items).toEqual([
      { ...entry(label), day: dayAfter, useCase: 'print' },
      { ...entry(label), count: 14 },
      { ...entry(label), tag: 'shop', count: 2 },
    ])
  })

  test('a batch is counted once, alone, with others, twice in a request, and in upper case', async () => {
    proves('use-counted-once')
    const one = await device()
    const label = await known('once')
    const [first, second] = [batch([entry(label)]), batch([entry(label, { count: 5 })])]
    await one.sync({ batches: [first] })
    await one.sync({ batches: [first, second] })
    const again = await one.sync({
      batches: [first, second, second, { ...first, id: first.id.toUpperCase() }],
    })
    expect(again.reply.acknowledged).toContain(second.id)
    expect(await total(label)).toBe(6)
  })

  test.each(['approved = not approved', 'blocked = not blocked'])(
    'uses are counted when the device is evidence, and kept by it until then: %s',
    async (change) => {
      proves('strangers-are-no-evidence')
      const one = await device()
      const label = await known('waiting')
      const [counted, kept] = [batch([entry(label)]), batch([entry(label, { count: 5 })])]
      await one.sync({ batches: [counted] })
      const turn = () =>
        withDatabase(service(), ({ run }) =>
          run(`update devices set ${change} where id = ?`, one.id),
        )
      await turn()
      if (change.startsWith('approved')) {
        const waiting = await one.sync({ batches: [counted, kept] })
        expect(waiting.reply.acknowledged).toEqual([counted.id])
      } else expect((await one.sync({ batches: [counted, kept] })).status).toBe(403)
      expect(await total(label)).toBe(1)
      await turn()
      const { reply } = await one.sync({ batches: [kept] })
      expect([reply.acknowledged, await total(label)]).toEqual([[kept.id], 6])
    },
  )

  test('a batch is counted once when its device is deleted and registers again meanwhile', async () => {
    const token = await service().login()
    const version = await createVersion(service(), token)
    const one = await createDevice(service(), version)
    const label = await known('again')
    const [counted, later] = [batch([entry(label)]), batch([entry(label, { count: 5 })])]
    await one.sync({ batches: [counted] })
    await service().request('DELETE', `/v3/devices/${one.id}`, { token })
    const again = await createDevice(service(), version, {}, one)
    expect(again.id).not.toBe(one.id)
    await again.sync({ batches: [counted, later] })
    expect(await total(label)).toBe(6)
  })

  test('batches of two devices with the same id are both counted', async () => {
    const [one, other] = [await device(), await device()]
    const label = await known('both')
    const batches = [batch([entry(label)])]
    await one.sync({ batches })
    await other.sync({ batches })
    expect(await total(label)).toBe(2)
  })

  test('batches sent by many requests at once are counted once', async () => {
    const one = await device()
    const label = await known('crowd')
    const batches = Array.from({ length: 5 }, () => batch([entry(label)]))
    const send = () => one.sync({ batches })
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    // 503: a device has four places.
    for (const { status } of answers) expect([200, 409, 503]).toContain(status)
    expect(answers.filter(({ status }) => status === 200)).not.toEqual([])
    expect((await send()).reply.acknowledged).toHaveLength(5)
    expect(await total(label)).toBe(5)
  })

  test('many pairs of synchronizations at once count each batch once', async () => {
    proves('parallel-syncs')
    const pairs = getAmount('pairs of synchronizations at once')
    const one = await device()
    const label = await known('pair')
    for (let round = 0; round < pairs; round += 1) {
      const batches = [batch([entry(label, { tag: `tag ${round % 10}` })])]
      const answers = await Promise.all([one.sync({ batches }), one.sync({ batches })])
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken.length).toBeGreaterThan(0)
      for (const { reply } of taken) expect(reply.acknowledged).toEqual([batches[0]?.id])
    }
    const { items } = await counters(`label=${label}`)
    expect(items.map(({ tag, count }: Json) => [tag, count])).toEqual(
      Array.from({ length: 10 }, (_, at) => [`tag ${at}`, pairs / 10]),
    )
  })

  test('20 batches of 200 entries fit into one request, one more does not', async () => {
    const one = await device()
    const label = await known('most')
    const entries = Array.from({ length: 200 }, (_, at) => entry(label, { tag: `tag ${at}` }))
    const batches = Array.from({ length: 20 }, () => batch(entries))
    const { status } = await one.sync({ batches })
    expect(status).toBe(200)
    expect((await counters(`label=${label}&tag=tag%207`)).items).toMatchObject([{ count: 20 }])
    expect((await counters(`label=${label}`)).total).toBe(200)
    const more = await one.sync({ batches: [...batches, batch([entry(label)])] })
    expect([more.status, more.json.errors[0].path]).toEqual([422, 'batches'])
  })

  test.each([
    ['a count of none', { count: 0 }],
    ['half a count', { count: 0.5 }],
    ['a use case nobody knows', { useCase: 'mining' }],
    ['a tag of 65 characters', { tag: 'x'.repeat(65) }],
    ['a day that is none', { day: '2026-02-30' }],
    ['no label', { label: '' }],
  ])('POST /v3/devices/sync refuses %s, and counts nothing of the request', async (_, change) => {
    const one = await device()
    const label = await known('refused')
    const { status } = await one.sync({
      batches: [batch([entry(label)]), batch([entry(label, change)])],
    })
    expect(status).toBe(422)
    expect(await total(label)).toBe(0)
  })

  test.each([
    ['402 days ago', () => daysAgo(402)],
    ['in three days', () => daysAgo(-3)],
  ])('an entry of a day %s was dated by a wrong clock, and counts for today', async (_, at) => {
    proves('devices-flood')
    const one = await device()
    const label = await known('recent')
    const batches = [batch([entry(label), entry(label, { day: at() })])]
    const { reply } = await one.sync({ batches })
    expect(reply.acknowledged).toEqual(batches.map(({ id }) => id))
    const expected = [entry(label, { day: daysAgo(0) }), entry(label)]
    expect((await counters(`label=${label}`)).items).toEqual(expected)
  })

  test('an entry of a label that is not registered is acknowledged and not counted', async () => {
    proves('devices-flood')
    const one = await device()
    const [label, other] = [await known('recent'), `none${crypto.randomUUID()}`]
    const batches = [batch([entry(label), entry(other)])]
    const { reply } = await one.sync({ batches })
    expect(reply.acknowledged).toEqual(batches.map(({ id }) => id))
    expect((await counters(`label=${label}`)).items).toEqual([entry(label)])
    expect((await counters(`label=${other}`)).total).toBe(0)
  })

  test('an entry without a label is counted', async () => {
    const tag = crypto.randomUUID()
    await (await device()).sync({ batches: [batch([entry('-', { tag })])] })
    expect((await counters(`tag=${tag}`)).items).toEqual([entry('-', { tag })])
  })

  test('of a device 4,000 entries a day are counted, and the other batches are not acknowledged', async () => {
    proves('devices-flood')
    const one = await device()
    const label = await known('bounded')
    const full = (at: number) =>
      batch(Array.from({ length: 200 }, (_, n) => entry(label, { tag: `${at}.${n}` })))
    const first = Array.from({ length: 20 }, (_, at) => full(at))
    expect((await one.sync({ batches: first })).reply.acknowledged).toHaveLength(20)
    // What was counted is acknowledged again, for the reply may have been lost.
    const last = batch([entry(label, { tag: 'more' })])
    const again = await one.sync({ batches: [...first.slice(1), last] })
    expect(again.reply.acknowledged).toEqual(first.slice(1).map(({ id }) => id))
    expect((await counters(`label=${label}`)).total).toBe(4000)
    const other = await (await device()).sync({ batches: [last] })
    expect(other.reply.acknowledged).toEqual([last.id])
  })

  test('of a device that synchronizes twenty times at once 4,000 entries are counted, and no others acknowledged', async () => {
    proves('devices-flood')
    const one = await device()
    const label = await known('burst')
    const full = (at: number) =>
      batch(Array.from({ length: 200 }, (_, n) => entry(label, { tag: `${at}.${n}` })))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        one.sync({ batches: Array.from({ length: 15 }, (_, n) => full(at * 15 + n)) }),
      ),
    )
    const acknowledged = answers.flatMap(({ reply }) => reply?.acknowledged ?? [])
    expect((await counters(`label=${label}`)).total).toBe(acknowledged.length * 200)
    expect(acknowledged.length).toBeLessThanOrEqual(20)
  })

  test('GET /v3/counters filters by day, module, use case and tag, in pages', async () => {
    const one = await device()
    const label = await known('filter')
    const days = [daysAgo(32), daysAgo(31), daysAgo(30)]
    await one.sync({
      batches: [
        batch([
          ...days.map((day) => entry(label, { day })),
          entry(label, { module: 'luxtrust', tag: 'a' }),
          entry(label, { useCase: 'authentication' }),
        ]),
      ],
    })
    const found = async (query: string) => (await counters(`label=${label}&${query}`)).total
    expect(await found(`from=${days[1]}&to=${days[2]}`)).toBe(2)
    expect(await found('module=luxtrust')).toBe(1)
    expect(await found('useCase=authentication')).toBe(1)
    expect(await found('tag=a')).toBe(1)
    expect(await counters(`label=${label}&size=2&page=3`)).toMatchObject({ total: 5, items: [{}] })
  })

  test('GET /v3/counters.csv exports a table without spreadsheet formulas', async () => {
    const one = await device()
    const label = await known('table')
    const owner = await ownerOf(label)
    const tags = ['=HYPERLINK("http://evil.example","x")', 'a,b', '@x']
    await one.sync({ batches: [batch(tags.map((tag) => entry(label, { tag })))] })
    const { status, headers, text } = await table(`label=${label}&from=${day}&to=${day}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/csv; *charset=utf-8/)
    expect(text.split('\r\n')).toEqual([
      'day,label,module,useCase,tag,count,orgId,organization',
      `${day},${label},belgian-eid,signature,"'=HYPERLINK(""http://evil.example"",""x"")",1,${owner}`,
      `${day},${label},belgian-eid,signature,'@x,1,${owner}`,
      `${day},${label},belgian-eid,signature,"a,b",1,${owner}`,
      '',
    ])
  })

  test('GET /v3/counters/summary sums the uses of a filter by day, oldest day first', async () => {
    proves('usage-chart')
    const one = await device()
    const label = await known('summed')
    const entries = [
      entry(label, { day: dayAfter, count: 4 }),
      entry(label),
      entry(label, { tag: 'shop', count: 2 }),
      entry(label, { useCase: 'print', count: 7 }),
    ]
    await one.sync({ batches: [batch(entries)] })
    const summarize = async (query: string) =>
      getData(
        await service().request('GET', `/v3/counters/summary?${query}`, {
          token: await service().login(),
        }),
      )
    expect(await summarize(`label=${label}`)).toEqual({
      total: 14,
      days: [
        { day, count: 10 },
        { day: dayAfter, count: 4 },
      ],
    })
    expect(await summarize(`label=${label}&useCase=signature&to=${day}`)).toEqual({
      total: 3,
      days: [{ day, count: 3 }],
    })
    expect(await summarize(`label=${label}&module=none`)).toEqual({ total: 0, days: [] })
  })

  test('GET /v3/counters.csv exports more than 100,000 rows of a day', async () => {
    proves('devices-flood')
    const label = await known('large')
    await withDatabase(service(), ({ run }) =>
      run(
        `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 100001)
          insert into counters select ?, ?, 'eid', 'signature', 'tag ' || n, 1 from numbers`,
        day,
        label,
      ),
    )
    const { status, text } = await table(`label=${label}&from=${day}&to=${day}`)
    expect(status).toBe(200)
    const tags = text.split('\r\n').map((line) => line.split(',')[4])
    expect(tags.length).toBe(100_003)
    expect(new Set(tags).size).toBe(100_003)
    // Suites that follow read every row there is.
    await withDatabase(service(), ({ run }) => run('delete from counters where label = ?', label))
  })
}
