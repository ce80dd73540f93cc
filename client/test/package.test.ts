/** The packages as they are published: checked by publint and attw, with their size, and the code of the README compiled against them. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, expect, test } from 'vitest'

const client = fileURLToPath(new URL('..', import.meta.url))
const programs = join(client, '../node_modules/.bin')
const run = promisify(execFile)

/** Bytes that the root entry may have, minified and gzipped, with all that it imports. */
const ceiling = 13_000

const names = ['client', 'protocol', 'server', 'react'] as const

let folder: string
let built: string

beforeAll(async () => {
  // Below the client's node_modules, so that the packages find their dependencies.
  const cache = join(client, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'cardwire-client-'))
  built = join(folder, 'node_modules/@cardwire')
  await run(process.execPath, [join(client, 'build/main.ts'), built])
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const imports = (code: string) =>
  [...code.matchAll(/^(?:im|ex)port\b(?:[^;"]* from)? ?"(.+)";$/gm)].map(([, from]) => from)

test.each(names)('@cardwire/%s passes publint', async (name) => {
  const { messages, pkg } = await publint({ pkgDir: join(built, name), strict: true })
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
})

test('the packages install from their files into an empty project, with what is published and no source', async () => {
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--pack-destination', project, ...names.map((name) => `./${name}`)],
    { cwd: built },
  )
  const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout)
  const paths = packed.map(({ files }) => files.map(({ path }) => path))
  const everywhere = ['README.md', 'package.json', 'index.js', 'index.d.ts']
  expect(paths).toEqual([
    expect.arrayContaining([
      ...[...everywhere, 'CHANGELOG.md', 'reference/index.md', 'guides/connect.md'],
      ...['testing/index.js', 'testing/index.d.ts'],
    ]),
    expect.arrayContaining(everywhere),
    expect.arrayContaining([...everywhere, 'reference/index.md']),
    expect.arrayContaining([...everywhere, 'reference/index.md']),
  ])
  expect(paths.flat().filter((path) => /(?<!\.d)\.ts$|\.test\./.test(path))).toEqual([])
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  const files = packed.map(({ filename }) => `./${filename}`)
  await run('npm', ['install', ...quiet, ...files], { cwd: project })
  // The test double throws errors of the class that a page knows.
  const script = `
    const { CardwireError, newCodeWord } = await import('@cardwire/client')
    const { verifyAuthentication } = await import('@cardwire/server')
    const { createTestConnector } = await import('@cardwire/client/testing')
    const { createConnection } = await import('@cardwire/client/connection')
    const connector = createTestConnector({ consent: false })
    const error = await connector.initialize().catch((thrown) => thrown)
    console.log(typeof newCodeWord(), typeof verifyAuthentication, error instanceof CardwireError, error.reason, createConnection().getState().status)`
  const loaded = await run(process.execPath, ['-e', script], { cwd: project })
  expect(loaded.stdout).toBe('string function true consent-required starting\n')
})

test('on an older Node, the package for back ends ends its import with a sentence', async () => {
  const script = `
    delete Promise.withResolvers
    await import('${join(built, 'server/index.js')}').catch(({ message }) => console.log(message))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
  expect(stdout).toBe('@cardwire/server needs Node 22 or newer, Bun, Deno 2 or Workers\n')
})

test('npm pack of the sources is refused with what to do', async () => {
  const packed = await run('npm', ['pack'], { cwd: client }).catch((error) => error)
  expect([packed.code, packed.stdout]).toEqual([
    1,
    expect.stringContaining('npm run package -w @cardwire/client makes it'),
  ])
})

test.each(names)(
  'the types of @cardwire/%s are found by every module resolution with ESM',
  async (name) => {
    await run(join(programs, 'attw'), ['--pack', join(built, name), '--profile', 'esm-only'])
  },
)

test('the packages for pages import no other package, the contract only zod, and back ends only what they install', async () => {
  const importsOf = async (file: string) =>
    [...new Set(imports(await readFile(join(built, file), 'utf8')))].sort()
  for (const file of ['client/index.js', 'client/connection.js', 'client/testing/index.js']) {
    const others = (await importsOf(file)).filter(
      (name) => !/^\.\.?\/shared-\w+\.js$/.test(name ?? ''),
    )
    expect(others).toEqual([])
  }
  expect(await importsOf('client/describe.js')).toEqual([])
  expect(await importsOf('client/files.js')).toEqual([])
  expect(await importsOf('react/index.js')).toEqual([
    '@cardwire/client',
    '@cardwire/client/connection',
    '@cardwire/client/describe',
    'react',
    'react/jsx-runtime',
  ])
  expect(await readFile(join(built, 'react/index.js'), 'utf8')).toMatch(/^"use client";\n/)
  expect(await importsOf('protocol/index.js')).toEqual(['zod/mini'])
  expect(await importsOf('server/index.js')).toEqual([
    ...['@noble/curves/nist.js', '@peculiar/x509', 'asn1js', 'ipaddr.js', 'pkijs'],
    'reflect-metadata',
  ])
  const dependenciesOf = async (name: string) =>
    JSON.parse(await readFile(join(built, name, 'package.json'), 'utf8')).dependencies
  expect(await dependenciesOf('client')).toBe(undefined)
  expect(Object.keys(await dependenciesOf('protocol'))).toEqual(['zod'])
  expect(Object.keys(await dependenciesOf('react'))).toEqual(['@cardwire/client'])
  expect(Object.keys(await dependenciesOf('server'))).toEqual([
    ...['@noble/curves', '@peculiar/x509', 'asn1js', 'ipaddr.js', 'pkijs'],
    'reflect-metadata',
  ])
})

test.each([
  ['client', []],
  ['server', ['@peculiar/x509']],
] as const)(
  'the types of @cardwire/%s need no types of other packages than %j',
  async (name, allowed) => {
    const everything = await readdir(join(built, name), { recursive: true })
    const files = everything.filter((file) => file.endsWith('.d.ts'))
    const texts = await Promise.all(files.map((file) => readFile(join(built, name, file), 'utf8')))
    const others = texts.flatMap((text) =>
      [...text.matchAll(/(?:from |import\()'([^.'][^']*)'/g)].map(([, from]) => from),
    )
    expect([...new Set(others)].sort()).toEqual(allowed)
  },
)

test('the root entry with all that it imports stays below 13 kB, minified and gzipped', async () => {
  const small = join(folder, 'small.js')
  await run(join(programs, 'bun'), [
    ...[
      'build',
      '--minify',
      '--target=browser',
      join(built, 'client/index.js'),
      `--outfile=${small}`,
    ],
  ])
  const code = await readFile(small, 'utf8')
  expect(code).not.toMatch(/Test reader/)
  const bytes = gzipSync(code, { level: 9 }).length
  expect(bytes).toBeGreaterThan(1000)
  expect(bytes).toBeLessThanOrEqual(ceiling)
})

test('the root entry loads without a browser, and rejects there as in a browser', async () => {
  const { initialize, CardwireError } = await import(join(built, 'client/index.js'))
  const error = await initialize({ t1cApiPort: 'x' }).catch((thrown: unknown) => thrown)
  expect(CardwireError.is(error)).toBe(true)
  expect(error.description).toMatch(/t1cApiPort/)
})

test.each(names)('no document of @cardwire/%s links to a file that is not in it', async (name) => {
  const files = (await readdir(join(built, name), { recursive: true })).filter((file) =>
    file.endsWith('.md'),
  )
  expect(files).toContain('README.md')
  for (const file of files) {
    const text = await readFile(join(built, name, file), 'utf8')
    const links = [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, to = '']) => to)
    const missing = links.filter((to) => !existsSync(join(built, name, dirname(file), to)))
    const outside = links.filter((to) => posix.join(dirname(file), to).startsWith('..'))
    expect([file, missing, outside]).toEqual([file, [], []])
  }
})

test('every code block of the README and the guides compiles against the package, and its tests pass', async () => {
  const guides = (await readdir(join(client, 'guides'))).sort().map((name) => `guides/${name}`)
  const texts = await Promise.all(
    ['README.md', ...guides].map((path) => readFile(join(client, path), 'utf8')),
  )
  const blocks = [...texts.join('\n').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language, code = '']) => ({ language, code }),
  )
  const typed = blocks.filter(({ language }) => language === 'ts')
  const pages = blocks.filter(({ language }) => language === 'html')
  expect([typed.length, pages.length]).toEqual([14, 1])
  const scripts = pages.map(
    ({ code }) => /<script type="module">(.*)<\/script>/s.exec(code)?.[1] ?? '',
  )
  const [strict, plain] = [join(folder, 'blocks'), join(folder, 'pages')]
  await Promise.all([mkdir(strict), mkdir(plain)])
  await Promise.all([
    writeFile(join(folder, 'package.json'), '{"type":"module"}'),
    writeFile(join(strict, 'tsconfig.json'), JSON.stringify(tsconfig(true))),
    ...typed.map(({ code }, at) => writeFile(join(strict, `${at}.ts`), code)),
    // A page is plain JavaScript, which knows that its own elements are there.
    writeFile(join(plain, 'tsconfig.json'), JSON.stringify(tsconfig(false))),
    ...scripts.map((code, at) => writeFile(join(plain, `${at}.js`), code)),
  ])
  const complaints = [strict, plain].map(async (at) => {
    const { stdout } = await run(join(programs, 'tsc'), ['-p', at]).catch((error) => error)
    return stdout
  })
  expect(await Promise.all(complaints)).toEqual(['', ''])
  const tests = typed.findIndex(({ code }) => code.includes('@cardwire/client/testing'))
  // Node strips no types below node_modules.
  const script = join(strict, 'tests.js')
  const options = ['--target=node', '--packages=external', `--outfile=${script}`]
  await run(join(programs, 'bun'), ['build', join(strict, `${tests}.ts`), ...options])
  const { stdout } = await run(process.execPath, ['--test', script])
  expect(stdout).toMatch(/pass 4\n.*fail 0\n/s)
})

const tsconfig = (strict: boolean) => ({
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(client, '../node_modules/@types')],
    strict,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    // The declarations are part of what is published.
    skipLibCheck: false,
  },
})
