/** The calls for files: what is sent, what comes back, and the problems that a page can tell apart. */
import { expect, test } from 'vitest'
import { openFiles } from '../src/files.ts'
import { createTestConnector } from '../src/testing/index.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

async function open() {
  const connector = createTestConnector({
    folders: {
      'shop/invoices': { 'a.txt': bytes('a'), '2026/b.txt': bytes('b') },
      'shop/letters': {},
    },
  })
  const client = await connector.initialize()
  return { connector, files: openFiles(client, 'shop') }
}

test('a type is made by the user, listed, and ended', async () => {
  const { connector, files } = await open()
  expect(await files.types()).toEqual([])
  const made = await files.createType('invoices', { start: ['Documents'] })
  expect(made).toMatchObject({ entity: 'shop', type: 'invoices', status: 'MAPPED' })
  expect(connector.requests.at(-1)?.body).toMatchObject({ initPath: ['Documents'], timeout: 120 })
  expect(await files.types()).toEqual([made])
  await files.deleteType('invoices')
  expect(await files.types()).toEqual([])
  await expect(files.deleteType('invoices')).rejects.toMatchObject({
    ...{ problem: 'file-type-unknown', wireCode: '505001' },
  })
})

test('a user who chooses no folder is a problem of its own', async () => {
  const { files } = await open()
  await expect(files.createType('nothing')).rejects.toMatchObject({ problem: 'file-type-refused' })
})

test('files are listed, read, written, copied, moved and renamed', async () => {
  const { files } = await open()
  for (const type of ['invoices', 'letters']) await files.createType(type)
  const list = await files.list('invoices', { path: ['2026'] })
  expect(list.files.map(({ name }) => name)).toEqual(['b.txt'])
  const b = { type: 'invoices', path: ['2026'], name: 'b.txt' }
  expect(await files.read(b)).toEqual(bytes('b'))
  await files.write({ type: 'letters', path: ['a,b'], name: 'new.txt' }, bytes('new'))
  const written = { type: 'letters', path: ['a,b'], name: 'new.txt' }
  expect(await files.info(written)).toMatchObject({ size: 3, relPath: ['a,b'] })
  await files.copy(b, { type: 'letters', name: 'c.txt' })
  await files.move(b, { type: 'letters' })
  await files.rename({ type: 'letters', name: 'b.txt' }, 'd.txt')
  const names = (await files.list('letters')).files.map(({ name }) => name)
  expect(names.toSorted()).toEqual(['c.txt', 'd.txt'])
  await expect(files.read(b)).rejects.toMatchObject({ problem: 'file-unknown' })
  const again = files.write({ type: 'letters', name: 'c.txt' }, new Blob(['x']))
  await expect(again).rejects.toMatchObject({ problem: 'file-taken' })
})
