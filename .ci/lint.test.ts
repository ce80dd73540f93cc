/** Contains one violation of each rule that the linter keeps for some folders only, and what must stay allowed. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const server = 'export const server = Bun.serve({ port: 0 })\n'
const wait = 'await expect.poll(() => 1, { timeout: 5000 }).toBe(1)\n'
const library = "export const library = dlopen('libc.so.6', {})\n"

/** A file, what stands in it, and the rules that it breaks. */
const cases = [
  ['ds/src/routes/a.ts', 'export const value: any = 1\n', ['lint/suspicious/noExplicitAny']],
  ['ds/src/routes/b.ts', "console.log('x')\n", ['lint/suspicious/noConsole']],
  ['test/bed/a.ts', "console.log('x')\n", []],
  ['ds/src/routes/c.ts', 'export default 1\n', ['lint/style/noDefaultExport']],
  ['ds/src/worker.ts', 'export default 1\n', []],
  ['connector/src/a.ts', server, ['plugin']],
  ['connector/src/system/server.ts', server, []],
  ['connector/src/system/native.ts', library, ['plugin']],
  ['connector/src/system/libraries/native.ts', library, []],
  ['connector/test/wine/native.ts', library, []],
  ['ds/src/auth/a.ts', "export const a = fetch('/', { method: 'POST' })\n", ['plugin']],
  ['connector/src/b.ts', "export const b = fetch('/')\n", ['plugin']],
  ['connector/publish/c.ts', 'export const c = (init) => fetch("/", init)\n', ['plugin']],
  ['client/src/d.ts', "export const d = fetch('/', { redirect: 'manual' })\n", []],
  ['client/src/e.ts', "export const e = globalThis.fetch('/', {})\n", ['plugin']],
  ['client/example/f.ts', "export const f = fetch('/', { ...{}, redirect: 'follow' })\n", []],
  ['ds/src/g.ts', "export const g = app.fetch('/')\n", []],
  ['ds/src/routes/d.test.ts', wait, ['plugin']],
  ['ds/test/suites/a.suite.ts', wait, ['plugin']],
  ['connector/test/a.ts', wait, ['plugin']],
  ['connector/test/binary/registry.test.ts', wait, []],
  ['ds/test/a.test.ts', 'await expect.poll(() => 1).toBe(1)\n', []],
  ['ds/test/e.test.ts', 'await setTimeout(1000)\n', ['plugin']],
  ['ds/test/f.test.ts', 'await Bun.sleep(1000)\n', ['plugin']],
  ['test/bed/b.ts', 'await new Promise((done) => setTimeout(done, 1000))\n', ['plugin']],
  ['test/bed/c.ts', 'setTimeout(() => controller.abort(), 1000)\n', []],
  ['test/bed/wait-for.ts', 'await setTimeout(20)\n', []],
  ['ds/test/b.test.ts', 'await vi.waitFor(() => undefined)\n', ['plugin']],
  ['ds/test/c.test.ts', 'await vi.waitFor(() => undefined, 5000)\n', ['plugin']],
  ['ds/test/d.test.ts', 'await vi.waitUntil(() => true, { timeout: 5000 })\n', ['plugin']],
] as const

interface Finding {
  readonly category: string
  readonly location: { readonly path: string }
}

describe('the linter', () => {
  let folder: string
  let found: readonly Finding[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cardwire-lint-'))
    await cp(join(root, 'biome.json'), join(folder, 'biome.json'))
    for (const file of await readdir(join(root, '.ci')))
      if (file.endsWith('.grit')) await cp(join(root, '.ci', file), join(folder, '.ci', file))
    for (const [file, source] of cases) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), source)
    }
    found = await lint(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(cases.map(([file, source, rules]) => [file, source.trim(), rules] as const))(
    '%s with «%s» breaks %j',
    (file, _, rules) => {
      const broken = found.filter(({ location }) => location.path === file)
      expect(broken.map(({ category }) => category)).toEqual(rules)
    },
  )
})

/** What the linter finds below a folder. */
function lint(cwd: string): Promise<readonly Finding[]> {
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '.']
  return new Promise((resolve, reject) => {
    execFile(join(root, 'node_modules/.bin/biome'), args, { cwd }, (error, stdout, stderr) => {
      if (error && error.code !== 1) reject(new Error(stdout + stderr))
      else resolve(JSON.parse(stdout).diagnostics)
    })
  })
}
