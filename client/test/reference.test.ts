/** The API reference in the repository: written again from the types, it has to be the same. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { proves } from '../../test/bed/proves.ts'

const client = fileURLToPath(new URL('..', import.meta.url))

async function readAll(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(folder)).sort()
  const read = async (file: string) => [file, await readFile(join(folder, file), 'utf8')] as const
  return Object.fromEntries(await Promise.all(files.map(read)))
}

test('the reference is what the types say, and nothing that is exported lacks a description', async () => {
  proves('api-reference')
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-reference-'))
  try {
    const script = join(client, 'build/reference.ts')
    const { stderr } = await promisify(execFile)(process.execPath, [script, folder]).catch(
      (error) => error,
    )
    expect(stderr, 'what has no description').toBe('')
    for (const [name, own] of [
      ['client', 'reference'],
      ['server', 'server/reference'],
    ] as const)
      expect(await readAll(join(client, own)), 'npm run reference -w @cardwire/client').toEqual(
        await readAll(join(folder, name)),
      )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
