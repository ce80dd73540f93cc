/** An integrator: a back end that gives tokens, and its page, which imports the library; over https, under any host. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createIdentity } from '../../../test/bed/certificates.ts'
import { root as repository, toolPath } from '../../../test/bed/repository.ts'

export interface Page {
  readonly origin: string
  /** Where the page is, for a registry on this port. */
  address(registryPort: string, more?: Readonly<Record<string, string>>): string
}

export interface Shop {
  readonly port: number
  /** Its root, PEM. */
  readonly root: string
  /** As an allowlist writes all pages of the shop. */
  readonly everyPage: string
  /** A page under a host that nobody has visited. */
  newPage(): Page
  /** The same page on a site of somebody else. */
  otherPage(): Page
  /** A page of somebody else with this page in a frame; `allow` is the attribute of the frame. */
  around(address: string, allow: string): Page
  /** What the back end answers a page that wants a token; throws when it has none. */
  token: () => string | Promise<string>
  /** How many tokens it has given. */
  given(): number
  close(): Promise<void>
}

/** A page that is bundled for the shop: its document, and the entry of the script that it loads. */
interface BundledPage {
  readonly html: string
  readonly entry: string
  /** Where the document loads the script from. */
  readonly scriptPath: string
}

/** Files as they are, such as those of a build: `/` is `index.html`. */
interface BuiltPages {
  readonly folder: string
}

export type PageSource = BundledPage | BuiltPages

const plainPage: PageSource = {
  html: fileURLToPath(new URL('./page.html', import.meta.url)),
  entry: join(repository, 'client/src/index.ts'),
  scriptPath: '/client.js',
}

export async function openShop(token: Shop['token'], source = plainPage): Promise<Shop> {
  const [identity, readPage] = await Promise.all([
    createIdentity('shop.example', '*.shop.example', '*.mall.example'),
    'folder' in source ? (path: string) => readBuilt(source.folder, path) : bundlePage(source),
  ])
  let given = 0
  let pages = 0
  const server = createServer(identity, async (request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://shop.example')
    const csp = searchParams.get('csp')
    const headers = { 'cache-control': 'no-store', ...(csp && { 'content-security-policy': csp }) }
    const respond = (status: number, type: string, body: string | Uint8Array) =>
      answer.writeHead(status, { 'content-type': type, ...headers }).end(body)
    if (pathname === '/around') {
      const allow = searchParams.get('allow') ?? ''
      const source = (searchParams.get('page') ?? '').replaceAll('&', '&amp;')
      const frame = `<iframe allow="${allow}" src="${source}" width="800" height="600"></iframe>`
      return respond(200, 'text/html', `<!doctype html><title>Mall</title>${frame}`)
    }
    if (pathname !== '/token') {
      const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
      const body = await readPage(path)
      if (!body) return respond(404, 'text/plain', 'There is no such page')
      return respond(200, types[extname(path)] ?? 'application/octet-stream', body)
    }
    try {
      const jwt = await shop.token()
      given += 1
      return respond(200, 'text/plain', jwt)
    } catch (error) {
      return respond(503, 'text/plain', error instanceof Error ? error.message : String(error))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0
  const under = (domain: string): string => {
    pages += 1
    return `https://page-${pages}.${domain}:${port}`
  }
  const shop: Shop = {
    port,
    root: identity.root,
    everyPage: `https://*.shop.example:${port}`,
    newPage: () => toPage(under('shop.example')),
    otherPage: () => toPage(under('mall.example')),
    around(page, allow) {
      const origin = under('mall.example')
      return { origin, address: () => `${origin}/around?${new URLSearchParams({ page, allow })}` }
    },
    token,
    given: () => given,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return shop
}

const toPage = (origin: string): Page => ({
  origin,
  address: (registryPort, more = {}) =>
    `${origin}/?${new URLSearchParams({ port: registryPort, ...more })}`,
})

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
}

/** The file; undefined if there is none. */
const readBuilt = (folder: string, path: string): Promise<Uint8Array | undefined> =>
  readFile(join(folder, path)).catch(() => undefined)

async function bundlePage({ html, entry, scriptPath }: BundledPage) {
  const [page, script] = await Promise.all([readFile(html), bundle(entry)])
  const files = new Map<string, Uint8Array>([
    ['/index.html', page],
    [scriptPath, script],
  ])
  return (path: string): Promise<Uint8Array | undefined> => Promise.resolve(files.get(path))
}

/** A script in one file, with the library, as an integrator's build makes it. */
async function bundle(entry: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-shop-'))
  try {
    const file = join(folder, 'client.js')
    const options = ['--production', '--target=browser', '--format=esm', `--outfile=${file}`]
    await promisify(execFile)(toolPath('bun'), ['build', entry, ...options])
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
