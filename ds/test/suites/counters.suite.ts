/** Counters: every use once, whatever is sent again. */
import { expect, test } from 'vitest'
import { aVersion, dataOf } from '../harness/arrange.ts'
import { aDevice } from '../harness/device.ts'
import type { Json, Service } from '../harness/service.ts'

const day = '2026-03-01'

export function counterSuite(service: () => Service): void {
  const device = async () => aDevice(service(), await aVersion(service(), await service().login()))
  const counters = async (query: string) =>
    dataOf(await service().ask('GET', `/v3/counters?${query}`, { token: await service().login() }))
  const table = async (query: string) =>
    service().ask('GET', `/v3/counters.csv?${query}`, { token: await service().login() })
  const batch = (entries: Json[]) => ({ id: crypto.randomUUID(), entries })
  const entry = (label: string, overrides: Json = {}) => ({
    ...{ label, module: 'belgian-eid', useCase: 'signature', day, count: 1 },
    ...overrides,
  })
  const total = async (label: string) =>
    (await counters(`label=${label}&size=100`)).items.reduce(
      (sum: number, { count }: Json) => sum + count,
      0,
    )

  test('POST /v3/devices/sync counts batches by label, module, use case, tag and day, and acknowledges them', async () => {
    const [one, other] = [await device(), await device()]
    const label = `counted${one.id}`
    const batches = [
      batch([entry(label), entry(label, { tag: 'shop', count: 2 })]),
      batch([entry(label, { count: 3 }), entry(label, { day: '2026-03-02', useCase: 'print' })]),
    ]
    const { reply } = await one.sync({ batches })
    expect(reply.acknowledged).toEqual(batches.map(({ id }) => id))
    await other.sync({ batches: [batch([entry(label, { count: 10 })])] })
    const { items } = await counters(`label=${label}`)
    expect(items).toEqual([
      { ...entry(label), day: '2026-03-02', useCase: 'print' },
      { ...entry(label), count: 14 },
      { ...entry(label), tag: 'shop', count: 2 },
    ])
  })

  test('a batch is counted once, alone, with others, twice in a request, and in upper case', async () => {
    const one = await device()
    const label = `once${one.id}`
    const [first, second] = [batch([entry(label)]), batch([entry(label, { count: 5 })])]
    await one.sync({ batches: [first] })
    await one.sync({ batches: [first, second] })
    const again = await one.sync({
      batches: [first, second, second, { ...first, id: first.id.toUpperCase() }],
    })
    expect(again.reply.acknowledged).toContain(second.id)
    expect(await total(label)).toBe(6)
  })

  test('a batch of one device is not that of another', async () => {
    const [one, other] = [await device(), await device()]
    const label = `both${one.id}`
    const batches = [batch([entry(label)])]
    await one.sync({ batches })
    await other.sync({ batches })
    expect(await total(label)).toBe(2)
  })

  test('batches sent by many requests at once are counted once', async () => {
    const one = await device()
    const label = `crowd${one.id}`
    const batches = Array.from({ length: 5 }, () => batch([entry(label)]))
    const send = () => one.sync({ batches })
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect((await send()).reply.acknowledged).toHaveLength(5)
    expect(await total(label)).toBe(5)
  })

  test('a hundred times two synchronisations at once, each batch is counted once', async () => {
    const one = await device()
    const label = `pair${one.id}`
    for (let round = 0; round < 100; round += 1) {
      const batches = [batch([entry(label, { tag: `tag ${round % 10}` })])]
      const answers = await Promise.all([one.sync({ batches }), one.sync({ batches })])
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken.length).toBeGreaterThan(0)
      for (const { reply } of taken) expect(reply.acknowledged).toEqual([batches[0]?.id])
    }
    const { items } = await counters(`label=${label}`)
    expect(items.map(({ tag, count }: Json) => [tag, count])).toEqual(
      Array.from({ length: 10 }, (_, at) => [`tag ${at}`, 10]),
    )
  })

  test('20 batches of 200 entries fit into one request, one more does not', async () => {
    const one = await device()
    const label = `most${one.id}`
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
    const label = `refused${one.id}`
    const { status } = await one.sync({
      batches: [batch([entry(label)]), batch([entry(label, change)])],
    })
    expect(status).toBe(422)
    expect(await total(label)).toBe(0)
  })

  test('GET /v3/counters filters by day, module, use case and tag, in pages', async () => {
    const one = await device()
    const label = `filter${one.id}`
    const days = ['2026-01-01', '2026-01-02', '2026-01-03']
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
    expect(await found('from=2026-01-02&to=2026-01-03')).toBe(2)
    expect(await found('module=luxtrust')).toBe(1)
    expect(await found('useCase=authentication')).toBe(1)
    expect(await found('tag=a')).toBe(1)
    expect(await counters(`label=${label}&size=2&page=3`)).toMatchObject({ total: 5, items: [{}] })
  })

  test('GET /v3/counters.csv is a table that no spreadsheet runs', async () => {
    const one = await device()
    const label = `table${one.id}`
    const tags = ['=HYPERLINK("http://evil.example","x")', 'a,b', '@x']
    await one.sync({ batches: [batch(tags.map((tag) => entry(label, { tag })))] })
    const { status, headers, text } = await table(`label=${label}&from=${day}&to=${day}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/csv; *charset=utf-8/)
    expect(text.split('\r\n')).toEqual([
      'day,label,module,useCase,tag,count',
      `${day},${label},belgian-eid,signature,"'=HYPERLINK(""http://evil.example"",""x"")",1`,
      `${day},${label},belgian-eid,signature,'@x,1`,
      `${day},${label},belgian-eid,signature,"a,b",1`,
      '',
    ])
  })
}
