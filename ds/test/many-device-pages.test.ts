/** The page of a change that takes several requests, with a clock that the test sets. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'
import { type InProcess, startInProcess } from './harness/in-process.ts'
import { fromOwnPage, openPageSession } from './harness/page-session.ts'
import { readHidden } from './harness/page-text.ts'
import { boundary, createForm, encode, end, join } from './harness/upload-form.ts'

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
    sql: `insert into versions (id, precedence, recommended, mandatory, allowed, uris, revision, created_at, updated_at)
      values ('4.0.0', '4.0.0', 0, 0, 1, '[]', 1, 1, 1)`,
    params: [],
  })
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
  expect(first.text).toContain('1,000 of 1,700 devices changed.')
  expect(first.text).toMatch(/<progress value="1000" max="1700" aria-label="Blocking devices">/)
  expect(first.text).toMatch(/data-continue[^>]*><form method="post"/)
  expect(await countBlocked()).toBe(1000)
  const next = { id: readHidden(first.text, 'id'), maxReach: readHidden(first.text, 'maxReach') }
  expect(next).toEqual(form)
  expect(first.text).toContain(`<a href="devices/changes/${form.id}">Stop here</a>`)
  const last = await session.post(to, next)
  expect([last.status, last.headers.get('location')]).toEqual([
    303,
    `../devices/changes/${form.id}`,
  ])
  const done = await session.get(`devices/changes/${form.id}`)
  expect(done.text).toContain('1,700 devices blocked.')
  expect(done.text).toContain(`href="devices/change?change=unblock&amp;changedBy=${form.id}"`)
  expect(done.text).not.toContain('>Continue<')
  expect(await countBlocked()).toBe(1700)
})

test('a change that was left is found again, continued and undone, from the lists and the audit', async () => {
  proves('many-devices-kept')
  const session = await openPageSession(ds)
  await ds.driver.run({ sql: "update devices set blocked = 1 where id = 'd5'", params: [] })
  const to = 'devices/change?change=block&standing=silent'
  const review = await session.get(to)
  expect(review.text).toContain('1,699 devices will change.')
  const form = { id: readHidden(review.text, 'id'), maxReach: readHidden(review.text, 'maxReach') }
  await session.post(to, { ...form, confirm: '1,699' })
  const address = `devices/changes/${form.id}`

  expect((await session.get('devices')).text).toContain('href="devices/changes"')
  const list = (await session.get('devices/changes')).text
  for (const text of ['1,000 of 1,699', 'Incomplete', 'Status: Inactive', '>admin<', '>Continue<'])
    expect(list).toContain(text)
  expect(list).toContain(`href="devices/change?change=unblock&amp;changedBy=${form.id}"`)
  const these = (await session.get(`devices?changedBy=${form.id}`)).text
  expect(these).toContain(`<a href="${address}">Devices of an earlier change</a>`)
  const audit = (await session.get('audit')).text
  expect(audit).toContain('Block devices: 500 (Status: Inactive)')
  expect(audit).toContain(`href="${address}"`)
  expect(audit).not.toContain('kind=device&amp;')
  expect((await session.get('audit?kind=device')).text).toContain('kind=device&amp;id=d')
  expect((await session.get('devices/d1')).text).toContain(`href="${address}"`)
  expect((await session.get('devices/d5')).text).not.toContain(`href="${address}"`)

  const left = (await session.get(address)).text
  expect(left).toContain('1,000 of 1,699 devices changed. The other devices haven’t changed.')
  const action = /<form method="post" action="(devices\/change[^"]*)"/.exec(left)?.[1] ?? ''
  expect(action).toBe('devices/change?standing=silent&amp;change=block')
  const again = { id: readHidden(left, 'id'), maxReach: readHidden(left, 'maxReach') }
  expect((await session.post(action.replace('&amp;', '&'), again)).status).toBe(303)
  expect(await countBlocked()).toBe(1700)

  const back = `devices/change?change=unblock&changedBy=${form.id}`
  const undo = await session.get(back)
  expect(undo.text).toContain('1,699 devices will change.')
  const undoForm = { id: readHidden(undo.text, 'id'), maxReach: readHidden(undo.text, 'maxReach') }
  const half = await session.post(back, { ...undoForm, confirm: '1699' })
  expect(half.text).toContain('aria-label="Unblocking devices"')
  expect((await session.post(back, undoForm)).status).toBe(303)
  expect(await countBlocked()).toBe(1)
  const unknown = await session.get('devices/changes/6f9a3c5e-5d0c-4b62-9e0a-3f4d1c2b7a10')
  expect(unknown.status).toBe(404)
})

test('the pages of a change say how many devices are still as it left them, and how many an undo leaves as they are', async () => {
  proves('many-devices-kept')
  const session = await openPageSession(ds)
  const to = 'devices/change?change=block&version=4.0.0'
  const readForm = (text: string) => ({
    id: readHidden(text, 'id'),
    maxReach: readHidden(text, 'maxReach'),
  })
  const form = readForm((await session.get(to)).text)
  const address = `devices/changes/${form.id}`
  await session.post(to, { ...form, confirm: '1700' })
  const back = `devices/change?change=unblock&changedBy=${form.id}`
  const undoForm = readForm((await session.get(back)).text)
  expect(undoForm.maxReach).toBe('1000')
  await session.post(back, { ...undoForm, confirm: '1000' })
  const stopped = (await session.get(address)).text
  expect(stopped).toContain(
    '0 of 1,700 devices changed. 1,000 devices were changed again or removed later. The other devices haven’t changed.',
  )
  expect((await session.post(to, form)).status).toBe(303)
  expect(await countBlocked()).toBe(700)
  const done = (await session.get(address)).text
  expect(done).toContain('700 devices blocked. 1,000 devices were changed again or removed later.')
  for (const page of [done, (await session.get('devices/changes')).text])
    expect(page).toContain('700 of 1,700 (1,000 changed again later)')
  const undo = (await session.get(back)).text
  expect(undo).toContain('700 devices will change.')
  expect(undo).toContain('1,000 devices stay as they are, because they were changed again later.')
})

test('approving and removing say that they have no way back', async () => {
  proves('many-devices-kept')
  const session = await openPageSession(ds)
  const to = 'devices/change?change=remove&version=4.0.0'
  const { text } = await session.get(to)
  const form = { id: readHidden(text, 'id'), maxReach: readHidden(text, 'maxReach') }
  await session.post(to, { ...form, confirm: '1700' })
  const left = (await session.get(`devices/changes/${form.id}`)).text
  expect(left).toContain('Can’t be undone')
  expect(left).toContain('>Continue<')
  expect(left).not.toContain('>Undo<')
  expect((await session.get('devices/changes')).text).toContain('Can’t be undone')
})

test('a role that may not change devices sees the changes, and no form', async () => {
  proves('many-devices-kept')
  const session = await openPageSession(ds)
  const to = 'devices/change?change=block'
  const { text } = await session.get(to)
  const form = { id: readHidden(text, 'id'), maxReach: readHidden(text, 'maxReach') }
  await session.post(to, { ...form, confirm: '1700' })
  await ds.driver.run({ sql: "update administrators set role = 'publisher'", params: [] })
  expect([(await session.get(to)).status, (await session.post(to, form)).status]).toEqual([
    403, 403,
  ])
  const list = (await session.get('devices/changes')).text
  const left = (await session.get(`devices/changes/${form.id}`)).text
  expect(left).toContain('1,000 of 1,700 devices changed.')
  for (const page of [list, left])
    for (const act of ['Continue', 'Undo']) expect(page).not.toContain(`>${act}<`)
})

test('a review says until when sites keep their access', async () => {
  proves('end-of-access-shown')
  const session = await openPageSession(ds)
  const day = 86_400_000
  const end = new Date((Math.floor(ds.now / day) + 31) * day).toISOString()
  for (const change of ['block', 'remove'])
    expect((await session.get(`devices/change?change=${change}`)).text).toContain(
      `<time datetime="${end}"`,
    )
  expect((await session.get('devices/change?change=approve')).text).not.toContain(end)
})

test('a wrong number, or none, changes nothing', async () => {
  proves('many-devices-pages')
  const session = await openPageSession(ds)
  const to = 'devices/change?change=remove'
  const { text } = await session.get(to)
  const form = { id: readHidden(text, 'id'), maxReach: readHidden(text, 'maxReach') }
  const wrong = await session.post(to, { ...form, confirm: '170' })
  expect([wrong.status, wrong.text.includes('The number doesn’t match “1,700”')]).toEqual([
    422,
    true,
  ])
  expect((await session.post(to, { id: form.id })).status).toBe(409)
  expect((await session.post('devices/change?change=forget', form)).status).toBe(422)
  expect(await ds.driver.run({ sql: 'select count(*) from devices', params: [] })).toEqual([[1700]])
})

test('tags are added to the devices of a filter, with the groups that change, and each device gets back what it had', async () => {
  proves('tag-changes', 'many-devices-pages')
  const session = await openPageSession(ds)
  const full = Array.from({ length: 32 }, (_, at) => `t${at}`)
  const keep = (id: string, tags: readonly string[]) =>
    ds.driver.run({
      sql: 'update devices set tags = ? where id = ?',
      params: [JSON.stringify(tags), id],
    })
  await keep('d5', ['attic'])
  await keep('d6', full)
  await ds.driver.run({ sql: "delete from devices where id > 'd7'", params: [] })
  await ds.driver.run({
    sql: `insert into device_groups (id, name, rules, priority, revision, created_at, updated_at)
      values ('0b9d6c1e-7f5e-4a54-9a39-3a7a3b1f6c02', 'Hall & <b>', '[{"tags":["hall"]}]', 0, 1, 1, 1)`,
    params: [],
  })
  const list = (await session.get('devices?version=4.0.0')).text
  expect(list).toContain('href="devices/change?version=4.0.0&amp;change=addTags">Add tags</a>')
  expect(list).not.toContain('change=restoreTags')
  const asked = (await session.get('devices/change?version=4.0.0&change=addTags')).text
  expect(asked).toMatch(/<form method="get" action="devices\/change"/)
  expect(asked).toContain('<input type="hidden" name="version" value="4.0.0"/>')
  const wrong = await session.get('devices/change?version=4.0.0&change=addTags&tags=a+b%21')
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('Enter tags, separated by commas.')
  expect(wrong.text).toContain('value="a b!"')

  const to = 'devices/change?version=4.0.0&change=addTags&tags=Hall%2C+east'
  const review = (await session.get(to)).text
  const count = Number(/<strong>([\d,]+) devices will change/.exec(review)?.[1]?.replace(',', ''))
  expect(review).toContain('Tags: hall, east')
  expect(review).toContain('1 device keeps its tags, because it would otherwise have more than 32.')
  expect(review).toContain('<a href="devices/d6">d6</a>')
  expect(review).toContain('>Hall &amp; &lt;b&gt;</a>')
  const form = { id: readHidden(review, 'id'), maxReach: readHidden(review, 'maxReach') }
  const confirm = form.maxReach
  expect(count).toBe(Number(confirm))
  let answer = await session.post(to, { ...form, confirm })
  while (answer.status === 200) answer = await session.post(to, form)
  const address = `devices/changes/${form.id}`
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `../${address}`])
  expect((await session.get('devices/d5')).text).toContain('Add tags <a href="devices/changes/')
  const done = (await session.get(address)).text
  expect(done).toContain('devices have new tags.')
  expect(done).toContain('1 device keeps its tags')
  expect((await session.get('devices/changes')).text).toContain('>Add tags: east, hall</a>')
  expect((await session.get('audit')).text).toContain('(Version: 4.0.0; Tags: east, hall)')

  const back = `devices/change?change=restoreTags&changedBy=${form.id}`
  expect(done).toContain(`href="${back.replace('&', '&amp;')}"`)
  const undo = (await session.get(back)).text
  const undoForm = { id: readHidden(undo, 'id'), maxReach: readHidden(undo, 'maxReach') }
  let undone = await session.post(back, { ...undoForm, confirm: undoForm.maxReach })
  while (undone.status === 200) undone = await session.post(back, undoForm)
  const rows = await ds.driver.run({
    sql: "select tags, count(*) from devices where id <> 'd6' group by tags order by tags",
    params: [],
  })
  expect(rows.map(([tags]) => tags)).toEqual(['["attic"]', '[]'])
})

test('a CSV file with tags is checked, said to be changed, confirmed and undone', async () => {
  proves('tag-import')
  const session = await openPageSession(ds)
  await ds.driver.run({ sql: "delete from devices where id not in ('d1', 'd2')", params: [] })
  expect((await session.get('devices')).text).toContain('href="devices/imports"')
  const send = (name: string, text: string) => {
    const body = join(createForm(name, encode(text)), encode(end))
    return ds.request('POST', '/admin/devices/imports', {
      headers: {
        ...fromOwnPage(ds),
        cookie: session.cookie,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': String(body.length),
      },
      body,
    })
  }
  const form = (await session.get('devices/imports')).text
  expect(form).toMatch(/<form method="post" action="devices\/imports" enctype="multipart/)
  expect(form).toContain('up to 100,000 rows')
  expect(form).toContain('64 MB')
  const wrong = await send('a.csv', 'name,place\nx,y\n')
  expect([wrong.status, wrong.text.includes('The service can’t read this file.')]).toEqual([
    400,
    true,
  ])
  const rows = 'id,hostname,tags\nd1,,hall east\nd2,,\n<b>,,x\nd1,,y\n'
  const answer = await send('a.csv', rows)
  const to = answer.headers.get('location')?.replace('../', '') ?? ''
  expect([answer.status, to]).toEqual([
    303,
    expect.stringMatching(/^devices\/imports\/|^imports\//),
  ])
  const id = to.slice(to.lastIndexOf('/') + 1)
  const review = (await session.get(`devices/imports/${id}`)).text
  for (const text of ['1 device will change.', '1 device is unknown.', '&lt;b&gt;'])
    expect(review).toContain(text)
  expect(review).toContain('Line 5: the device is in an earlier row')
  const confirmed = { id: readHidden(review, 'id'), maxReach: readHidden(review, 'maxReach') }
  expect(confirmed).toEqual({ id, maxReach: '1' })
  const change = 'devices/change?change=importTags'
  const mistyped = await session.post(change, { ...confirmed, confirm: '7' })
  expect([mistyped.status, mistyped.text.includes('1 device will change.')]).toEqual([422, true])
  const done = await session.post(change, { ...confirmed, confirm: '1' })
  expect([done.status, done.headers.get('location')]).toEqual([303, `../devices/changes/${id}`])
  const page = (await session.get(`devices/changes/${id}`)).text
  expect(page).toContain('1 device has the tags from its row.')
  expect(page).toContain('Devices in imported rows')
  const undo = `devices/change?change=restoreTags&changedBy=${id}`
  expect(page).toContain(`href="${undo.replace('&', '&amp;')}"`)
  expect((await session.get('audit')).text).toContain('Import tags: 1')
  const tagged = await ds.driver.run({ sql: 'select tags from devices order by id', params: [] })
  expect(tagged).toEqual([['["east","hall"]'], ['[]']])
})

test('rows that are pasted from a spreadsheet are checked as those of a file are', async () => {
  proves('tag-import')
  const session = await openPageSession(ds)
  await ds.driver.run({ sql: "delete from devices where id not in ('d1', 'd2')", params: [] })
  await ds.driver.run({ sql: `update devices set tags = '["old"]'`, params: [] })
  const paste = (rows: string) => session.post('devices/imports', { rows })
  const form = (await session.get('devices/imports')).text
  expect(form).toContain('<label for="rows">Or paste rows</label>')
  expect(form).toMatch(/<textarea id="rows" [^>]*aria-describedby="rows-hint"/)
  expect(form).toContain('up to 100,000 characters')

  const wrong = await paste('name\tplace\r\n<b>x\ty\r\n')
  expect(wrong.status).toBe(422)
  expect(wrong.text).toContain('The service can’t read these rows.')
  expect(wrong.text).toContain('aria-describedby="rows-hint rows-error"')
  expect(wrong.text).toContain('name\tplace\n&lt;b&gt;x\ty\n</textarea>')
  expect((await paste(' \r\n')).text).toContain('Paste rows first.')
  for (const length of [100_001, 1_100_000]) {
    const long = await paste('x'.repeat(length))
    expect([length, long.status]).toEqual([length, 422])
    expect(long.text).toContain('These rows are too long.')
  }

  // The last cell is empty, and the first column has no name.
  const answer = await paste('\tid\ttags\r\n1\td1\thall, east\r\n2\td2\t')
  const to = answer.headers.get('location') ?? ''
  expect([answer.status, to]).toEqual([303, expect.stringMatching(/imports\/[\w-]{36}$/)])
  const id = to.slice(to.lastIndexOf('/') + 1)
  expect((await session.get(`devices/imports/${id}`)).text).toContain('2 devices will change.')
  const confirmed = { id, maxReach: '2', confirm: '2' }
  expect((await session.post('devices/change?change=importTags', confirmed)).status).toBe(303)
  const tagged = await ds.driver.run({ sql: 'select tags from devices order by id', params: [] })
  expect(tagged).toEqual([['["east","hall"]'], ['[]']])
})

test('pasted rows of up to 100,000 characters of any kind are read', async () => {
  proves('tag-import')
  const session = await openPageSession(ds)
  const head = 'hostname\ttags\n'
  const rows = head + 'ß\t\n'.repeat(20_000) + '€'.repeat(40_000 - head.length)
  const answer = await session.post('devices/imports', { rows })
  expect(answer.status).toBe(303)
})
