/** What earlier updates have left. */
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeLeftovers } from './remove-leftovers.ts'

const now = Date.UTC(2030, 0, 2, 12)
const hours = (count: number) => new Date(now - count * 3_600_000)

test('removeLeftovers removes the folders of updates of more than a day ago, and nothing else', async () => {
  const place = await mkdtemp(join(tmpdir(), 'cardwire-place-'))
  onTestFinished(() => rm(place, { recursive: true, force: true }))
  for (const [name, age] of [
    ['cardwire-update-old', 25],
    ['cardwire-update-new', 23],
    ['another', 1000],
  ] as const) {
    await mkdir(join(place, name))
    await writeFile(join(place, name, 'cardwire-installer.msi'), 'bytes')
    await utimes(join(place, name), hours(age), hours(age))
  }
  await removeLeftovers(place, now)
  expect((await readdir(place)).toSorted()).toEqual(['another', 'cardwire-update-new'])
})

test('removeLeftovers does nothing where the folder is missing', async () => {
  await removeLeftovers(join(tmpdir(), crypto.randomUUID()), now)
})
