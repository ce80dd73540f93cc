/** The anchors of a Linux machine are changed by one process at a time. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createLinuxAnchors } from '../../src/pki/trust-stores/linux-anchors.ts'
import { judgeTestRoot, makeTestRoot } from './test-root.ts'

test('two that install a root at once both find it in the bundle afterwards', async () => {
  proves('anchors-overwritten')
  const top = await mkdtemp(join(tmpdir(), 'cardwire-anchors-'))
  onTestFinished(() => rm(top, { recursive: true }))
  const folder = join(top, 'anchors')
  const bundle = join(top, 'bundle.pem')
  const steps: string[] = []
  // As update-ca-certificates does: it reads the files, and writes the bundle some time later.
  const run = async () => {
    steps.push('begin')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.crt')).toSorted()
    const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    await writeFile(bundle, files.join(''))
    steps.push('end')
    return { status: 0, output: '' }
  }
  const command = ['update'] as const
  const anchors = createLinuxAnchors({ ids: [], folder, extension: '.crt', command, bundle }, run)
  const roots = await Promise.all(
    ['one@machine', 'two@machine'].map(async (owner) => {
      const options = { now: Date.now(), owner, constraints: 'full', hosts: [] } as const
      return judgeTestRoot((await makeTestRoot(options)).cert)
    }),
  )

  await Promise.all(roots.map((root) => anchors.install(root)))

  expect(steps).toEqual(['begin', 'end', 'begin', 'end'])
  for (const root of roots) expect(await anchors.trusts(root)).toBe(true)
  expect(await readdir(folder)).toHaveLength(2)
})
