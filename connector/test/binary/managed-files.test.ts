/** Folders that an administrator gives pages by the configuration of the service: to a connector that runs, and back; and the uses that it counts. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Connector,
  createHome,
  homePaths,
  runCommand,
  startConnector,
} from '../../../test/bed/connector.ts'
import { type Display, startDisplay } from '../../../test/bed/display.ts'
import {
  type DistributionService,
  startDistributionService,
} from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import { runForDocument } from './command-document.ts'
import { createFilePage, type FilePage } from './file-page.ts'
import { version } from './managed.ts'
import { createUser, openInChromium } from './open/user.ts'

const [shop, other] = ['https://shop.example', 'https://other.example']
const invoices = { entity: 'shop', type: 'invoices' }
const tag = 'files-7'

let folder: string
let home: string
let display: Display
let service: DistributionService
let connector: Connector
/** Pages with a token of the label shop. */
let pages: Readonly<Record<'shop' | 'other', FilePage>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-files-'))
  await mkdir(join(folder, 'invoices'))
  await writeFile(join(folder, 'invoices', 'a.txt'), 'a')
  service = await startDistributionService()
  const { installationApiKey } = await service.registerVersion(version)
  await service.allow(version, [shop, other])
  const { apiKey: apikey } = await service.createLabel('shop')
  display = await startDisplay()
  home = await createHome()
  connector = await startConnector(
    {
      ...display.settings,
      CARDWIRE_DS_URL: service.url,
      CARDWIRE_INSTALLATION_KEY: installationApiKey,
    },
    home,
  )
  await synchronize()
  const { json } = await service.request('GET', '/v3/tokens/application', { headers: { apikey } })
  const credentials = { token: json.data, tag }
  pages = {
    shop: await createFilePage(connector, display, shop, credentials),
    other: await createFilePage(connector, display, other, credentials),
  }
})
afterAll(async () => {
  await connector?.stop()
  await display?.stop()
  await service?.stop()
  for (const path of [folder, home]) await rm(path, { recursive: true, force: true })
})

async function synchronize(): Promise<void> {
  const { json } = await connector.request('/v3/sync', { method: 'POST' })
  expect(json.data).toMatchObject({ standing: 'good' })
}

/** The folders of the CONTEXT_CONFIG from now on. */
async function give(folders: readonly object[] | undefined): Promise<void> {
  const { items } = await service.admin('GET', '/v3/configurations')
  await service.admin('PUT', '/v3/configurations?maxReach=999999999', {
    ...{ id: items[0].id, type: 'CONTEXT_CONFIG', versionId: version },
    config: { cors: [shop, other], ...(folders && { cards: { folders } }) },
  })
  await synchronize()
}

/** The origin of the page that wrote a file, as other programs see it. */
function readMark(path: string): string {
  const script = "import os, sys; print(os.getxattr(sys.argv[1], 'user.xdg.origin.url').decode())"
  return spawnSync('python3', ['-c', script, path], { encoding: 'utf8' }).stdout.trim()
}

const listTypes = async (page: FilePage) => (await page.call('list-types', {})).json.data.types

test('a folder of the service is a type of its origin from the next synchronization on, and no longer than that', async () => {
  proves('administrator-folders', 'file-mark')
  const path = join(folder, 'invoices')
  expect(await listTypes(pages.shop)).toEqual([])
  await give([{ origin: shop, ...invoices, path }])
  const type = { ...invoices, path, access: 'rw', status: 'MAPPED' }
  expect(await listTypes(pages.shop)).toEqual([{ ...type, files: 1 }])
  expect(await listTypes(pages.other)).toEqual([])
  const written = await pages.shop.download({ ...invoices, fileName: 'b.txt' }, 'b')
  expect(written.status).toBe(200)
  expect(readMark(join(path, 'b.txt'))).toBe(`${shop}/`)
  for (const operation of ['update-type', 'delete-type']) {
    const { status, json } = await pages.shop.call(operation, invoices)
    expect([status, json.code]).toEqual([409, '505003'])
  }

  await give([{ origin: other, ...invoices, path }])
  expect(await listTypes(pages.shop)).toEqual([])
  expect(await listTypes(pages.other)).toEqual([{ ...type, files: 2 }])
  await give(undefined)
  expect(await listTypes(pages.other)).toEqual([])
  const read = await pages.shop.call('upload', { ...invoices, fileName: 'b.txt' })
  expect([read.status, read.json.code]).toEqual([422, '505001'])
  expect(await readFile(join(path, 'b.txt'), 'utf8')).toBe('b')
})

test('the command and the local page show such a folder with the consent, which neither takes back', async () => {
  proves('file-folders-managed')
  const path = join(folder, 'invoices')
  await give([{ origin: shop, ...invoices, path }])
  const managed = { CARDWIRE_DS_URL: service.url }
  const listFolders = () => {
    const { document } = runForDocument(home, ['consents'], managed)
    const consents = document['consents'] as { origin: string; managedFolders: object[] }[]
    return consents.map(({ origin, managedFolders }) => [origin, managedFolders])
  }
  const expected = [
    [other, []],
    [shop, [{ ...invoices, path }]],
  ]
  expect(listFolders().toSorted()).toEqual(expected)
  const { out } = runCommand(home, ['consents'], managed)
  expect(out).toContain(`${path} (shop/invoices)\n    Only an administrator can change this.`)
  const revoked = runCommand(home, ['consents', 'revoke', '--folders', shop], managed)
  expect([revoked.status, revoked.err]).toEqual([
    1,
    expect.stringContaining('you have not chosen a folder'),
  ])
  expect(listFolders().toSorted()).toEqual(expected)

  const user = await createUser(managed, { home })
  onTestFinished(() => user.close())
  const { page, close } = await openInChromium((await user.open()).address)
  onTestFinished(close)
  const sentence = page.getByText(`in: ${path}. Only an administrator`)
  await sentence.waitFor()
  expect(await page.getByRole('button', { name: 'Stop sharing these folders' }).count()).toBe(0)
  await give(undefined)
  await sentence.waitFor({ state: 'detached' })
})

test('a folder of the service that users may not choose is read and written by no page', async () => {
  proves('service-names-folder')
  const { runtime, certificates } = homePaths(home)
  await mkdir(join(home, '.ssh'))
  await writeFile(join(home, '.ssh', 'id.txt'), 'secret')
  await symlink(join(home, '.ssh'), join(folder, 'link'))
  await symlink(home, join(folder, 'elsewhere'))
  const refused = [
    ...['/etc', '/usr/share', home, join(home, '.ssh'), runtime, certificates],
    ...[join(folder, 'link'), join(folder, 'elsewhere', '.ssh'), `/proc/self/root${home}`],
  ]
  await give([{ origin: shop, ...invoices, path: join(folder, 'invoices') }])
  for (const path of refused) {
    await give([{ origin: shop, ...invoices, path }])
    const [type] = await listTypes(pages.shop)
    expect(type).toEqual({ ...invoices, path, access: '', status: 'UNMAPPED', files: 0 })
    const answers = [
      await pages.shop.call('list-type-content', invoices),
      await pages.shop.call('upload', { ...invoices, fileName: 'id.txt' }),
      await pages.shop.call('create-dir', { ...invoices, relPath: ['made'] }),
      await pages.shop.download({ ...invoices, fileName: 'planted.txt' }, 'x'),
    ]
    expect(answers.map(({ status, json }) => [path, status, json.code])).toEqual(
      answers.map(() => [path, 409, '505002']),
    )
  }
  expect(await readdir(join(home, '.ssh'))).toEqual(['id.txt'])
  await connector.waitForOutput(/folder not used.*\.ssh/)
  const { document } = runForDocument(home, ['consents'], { CARDWIRE_DS_URL: service.url })
  expect(JSON.stringify(document)).not.toContain('/proc/self/root')
})

test('each file that goes over the wire is a use in the table of the service; what is refused is none', async () => {
  proves('administrator-folders')
  await give([{ origin: shop, ...invoices, path: join(folder, 'invoices') }])
  const file = { ...invoices, fileName: 'counted.txt' }
  const before = await readUses()
  expect((await pages.shop.download(file, 'x')).status).toBe(200)
  expect((await pages.shop.call('upload', file)).status).toBe(200)
  expect((await pages.shop.call('upload', file)).status).toBe(200)
  expect((await pages.shop.download(file, 'y')).status).toBe(409)
  expect((await pages.shop.call('upload', { ...file, fileName: 'none.txt' })).status).toBe(422)
  expect((await pages.shop.call('list-type-content', invoices)).status).toBe(200)
  await synchronize()
  const after = await readUses()
  expect(after['file-download']).toBe((before['file-download'] ?? 0) + 1)
  expect(after['file-upload']).toBe((before['file-upload'] ?? 0) + 2)
})

/** How often each was counted for the label, and the module fileexchange alone. */
async function readUses(): Promise<Readonly<Record<string, number>>> {
  await synchronize()
  const { items } = await service.admin('GET', `/v3/counters?tag=${tag}`)
  const uses: Record<string, number> = {}
  for (const { label, module, useCase, count } of items) {
    expect([label, module]).toEqual(['shop', 'fileexchange'])
    uses[useCase] = (uses[useCase] ?? 0) + count
  }
  return uses
}
