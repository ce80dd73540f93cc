/** Contains one violation of each import boundary and checks that the linter reports it. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const uses = (specifier: string) =>
  `import * as used from '${specifier}'\nexport const value = used\n`

/** Where a file would lie, what it would import, and whether that is allowed. */
const cases = [
  ['client/src/protocol/a.ts', uses('hono'), 'refused'],
  ['client/src/protocol/a.ts', uses('zod'), 'refused'],
  ['client/src/protocol/a.ts', uses('../main.ts'), 'refused'],
  ['client/src/protocol/a.ts', uses('node:fs'), 'refused'],
  ['client/src/protocol/a.ts', uses('zod/mini'), 'allowed'],
  ['client/src/protocol/a.ts', uses('./problem.ts'), 'allowed'],
  ['client/src/protocol/hono.ts', uses('hono/cors'), 'allowed'],
  ['client/src/protocol/hono.ts', uses('drizzle-orm'), 'refused'],
  ['client/src/a.ts', uses('@cardwire/ds'), 'refused'],
  ['client/src/a.ts', uses('../../connector/src/main.ts'), 'refused'],
  ['client/src/a.ts', uses('node:fs'), 'refused'],
  ['ds/src/rules/a.ts', uses('../services.ts'), 'refused'],
  ['ds/src/rules/a.ts', uses('../db/schema.ts'), 'refused'],
  ['ds/src/rules/a.ts', uses('hono'), 'refused'],
  ['ds/src/rules/a.ts', uses('semver'), 'allowed'],
  ['ds/src/routes/a.ts', uses('../db/d1.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../db/better-sqlite3.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../self-hosted/file-packages.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../auth/identity/password.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../app.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../node.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('node:fs'), 'refused'],
  ['ds/src/routes/a.ts', uses('@cardwire/connector'), 'refused'],
  ['ds/src/routes/a.ts', uses('../rules/latest-version.ts'), 'allowed'],
  ['ds/src/auth/a.ts', uses('../routes/labels.ts'), 'refused'],
  ['ds/src/auth/a.ts', uses('node:crypto'), 'refused'],
  ['ds/src/auth/a.ts', uses('../app.ts'), 'refused'],
  ['ds/src/auth/identity/password.ts', uses('node:crypto'), 'allowed'],
  ['ds/src/app.ts', uses('./self-hosted/file-packages.ts'), 'refused'],
  ['ds/src/app.ts', uses('./worker.ts'), 'refused'],
  ['ds/src/app.ts', uses('./routes/labels.ts'), 'allowed'],
  ['ds/src/self-hosted/a.ts', uses('bun'), 'refused'],
  ['ds/src/self-hosted/a.ts', uses('../../../connector/src/main.ts'), 'refused'],
  ['ds/src/self-hosted/a.ts', uses('node:fs'), 'allowed'],
  ['connector/src/a.ts', uses('@cardwire/ds'), 'refused'],
  ['connector/src/a.ts', uses('../../ds/src/app.ts'), 'refused'],
  ['connector/src/a.ts', uses('bun:ffi'), 'refused'],
  ['connector/src/a.ts', uses('@peculiar/x509'), 'refused'],
  ['connector/src/a.ts', 'export const server = Bun.serve({ port: 0 })\n', 'refused'],
  ['connector/src/system/server.ts', 'export const server = Bun.serve({ port: 0 })\n', 'allowed'],
  ['connector/src/sandbox/pcsc/native.ts', uses('bun:ffi'), 'allowed'],
  ['connector/src/pki/x509.ts', uses('@peculiar/x509'), 'allowed'],
  ['connector/src/pki/card-certificates.ts', uses('@peculiar/x509'), 'allowed'],
  ['test/bed/a.ts', uses('../../ds/src/settings.ts'), 'refused'],
  ['test/bed/a.ts', uses('../../connector/test/consent/person.ts'), 'refused'],
  ['test/bed/a.ts', uses('../../client/src/index.ts'), 'refused'],
  ['test/bed/a.ts', uses('@cardwire/client'), 'refused'],
  ['test/bed/a.ts', uses('bun:sqlite'), 'refused'],
  ['test/bed/a.ts', uses('@cardwire/client/protocol'), 'allowed'],
  ['test/bed/a.ts', uses('node:child_process'), 'allowed'],
  ['client/test/a.ts', uses('../../test/bed/distribution-service.ts'), 'allowed'],
  ['client/test/a.ts', uses('../../connector/test/consent/person.ts'), 'refused'],
  ['ds/test/a.ts', uses('../../test/bed/program.ts'), 'allowed'],
  ['connector/test/a.ts', uses('../../test/bed/distribution-service.ts'), 'allowed'],
  ['client/src/a.ts', uses('../../test/bed/program.ts'), 'refused'],
  ['ds/src/routes/a.ts', uses('../../../test/bed/program.ts'), 'refused'],
  ['ds/src/self-hosted/a.ts', uses('../../../test/bed/program.ts'), 'refused'],
  ['connector/src/a.ts', uses('../../test/bed/program.ts'), 'refused'],
  ['connector/src/a.test.ts', uses('../../test/bed/program.ts'), 'allowed'],
  ['ds/src/routes/a.ts', 'export const value: any = 1\n', 'refused'],
  ['ds/src/routes/a.ts', "console.log('x')\n", 'refused'],
  ['ds/src/routes/a.ts', 'export default 1\n', 'refused'],
] as const

describe('boundaries', () => {
  let folder: string
  let refused: ReadonlySet<string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-boundaries-'))
    // Each case stands in a tree of its own with the project's rules at its root; two more files make a circle.
    for (const [at, [path, source]] of cases.entries()) await plant(at, path, source)
    await plant(
      cases.length,
      'ds/src/auth/a.ts',
      "import { b } from './b.ts'\nexport const a = () => b\n",
    )
    await plant(
      cases.length,
      'ds/src/auth/b.ts',
      "import { a } from './a.ts'\nexport const b = () => a\n",
    )
    const found = await Promise.all(
      [...cases, 'circle'].map((_, at) => lint(join(folder, `case-${at}`))),
    )
    refused = new Set(found.flatMap((isRefused, at) => (isRefused ? [`case-${at}`] : [])))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(cases.map((each, at) => [each[0], each[1].split('\n')[0], each[2], at] as const))(
    '%s with «%s» is %s',
    (_, __, expected, at) => {
      expect(refused.has(`case-${at}`) ? 'refused' : 'allowed').toBe(expected)
    },
  )

  test('a circle of imports is refused', () => {
    expect(refused.has(`case-${cases.length}`)).toBe(true)
  })

  async function plant(at: number, path: string, source: string): Promise<void> {
    const base = join(folder, `case-${at}`)
    await mkdir(dirname(join(base, path)), { recursive: true })
    await cp(join(root, 'biome.json'), join(base, 'biome.json'))
    await cp(join(root, '.ci/bun-serve.grit'), join(base, '.ci/bun-serve.grit'))
    await writeFile(join(base, path), source)
  }
})

/** Whether the linter refuses the tree. */
function lint(folder: string): Promise<boolean> {
  const args = ['lint', '--vcs-enabled=false', '--colors=off', '.']
  return new Promise((resolve, reject) => {
    execFile(
      join(root, 'node_modules/.bin/biome'),
      args,
      { cwd: folder },
      (error, stdout, stderr) => {
        if (error && error.code !== 1) reject(new Error(stdout + stderr))
        else resolve(error !== null)
      },
    )
  })
}
