/** How often a file is read for its digest, and how many files at once. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createFileDigests } from './file-digests.ts'

/** A file whose bytes come when the test says so. */
function createFile(text: string, etag = '"1"') {
  const starts: (() => void)[] = []
  const bytes = new TextEncoder().encode(text)
  return {
    starts,
    reads: 0,
    size: bytes.length,
    etag,
    async read() {
      this.reads += 1
      await new Promise<void>((start) => starts.push(start))
      return new Blob([bytes]).stream()
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test('many that ask for the digest of a file have it read once, and again when it is another', async () => {
  proves('digests-flood')
  const digest = createFileDigests()
  const file = createFile('content')
  const digests = Array.from({ length: 50 }, () => digest('/file', file))
  for (let start = file.starts.shift(); start; start = file.starts.shift()) {
    start()
    await turn()
    await turn()
  }
  expect(new Set(await Promise.all(digests))).toEqual(new Set([sha256('content')]))
  expect(file.reads).toBeLessThanOrEqual(2)

  const replaced = createFile('another', '"2"')
  const again = digest('/file', replaced)
  await turn()
  replaced.starts.shift()?.()
  expect(await again).toBe(sha256('another'))
})

test('two files are read at once, a hundred wait, and more are told to come again', async () => {
  proves('digests-flood')
  const digest = createFileDigests()
  const files = Array.from({ length: 102 }, () => createFile('content'))
  const digests = files.map((file, at) => digest(`/${at}`, file))
  await turn()
  expect(files.filter(({ reads }) => reads > 0)).toHaveLength(2)
  await expect(digest('/one-more', createFile('content'))).rejects.toMatchObject({
    name: 'service-busy',
    extras: { retryAfterS: 5 },
  })
  for (const file of files) {
    while (file.starts.length === 0) await turn()
    file.starts.shift()?.()
  }
  expect(new Set(await Promise.all(digests))).toEqual(new Set([sha256('content')]))
})
