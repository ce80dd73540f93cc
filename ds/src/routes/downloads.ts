/** Installers for whoever asks. */
import {
  downloadInstaller,
  downloadInstallerFor,
  downloadInstallerOf,
  type Installer,
  listDownloads,
  type Platform,
  Problem,
} from '@cardwire/client/protocol'
import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { downloads, versions } from '../db/schema.ts'
import { type Package, packageKey } from '../packages/packages.ts'
import { latest } from '../rules/latest.ts'
import { systemOf, wantedHints } from '../rules/platform-of.ts'
import { partOf } from '../rules/range.ts'
import type { Services } from '../services.ts'
import type { Bind } from './bind.ts'
import { choicesPage } from './choices-page.ts'
import { pageOf } from './lists.ts'
import { downloadUrl, versionUnknown } from './versions.ts'

type Release = typeof versions.$inferSelect

export function downloadRoutes(bind: Bind, app: Services): void {
  const { db, clock, packages, log, url } = app

  bind(downloadInstaller, async (_, context) => {
    const { req } = context
    const system = systemOf({
      userAgent: req.header('user-agent'),
      platform: req.header('sec-ch-ua-platform'),
      mobile: req.header('sec-ch-ua-mobile'),
      architecture: req.header('sec-ch-ua-arch'),
      bitness: req.header('sec-ch-ua-bitness'),
    })
    context.header('accept-ch', wantedHints.join(', '))
    context.header('critical-ch', wantedHints.join(', '))
    context.header('vary', ['User-Agent', ...wantedHints].join(', '), { append: true })
    const releases = await db.select().from(versions)
    for (const os of system.installers) {
      const release = latest(releases, os)
      if (release) return installer(context, release, os)
    }
    const choices = latestInstallers(releases)
    if (system.isBrowser) return choicesPage(context, choices)
    if (system.installers.length > 0) throw noInstaller(system.installers[0])
    throw new Problem(
      'os-undetermined',
      'Cannot tell your operating system: ask for one of the choices',
      {
        choices: choices.map((choice) => choice.url),
      },
    )
  })

  bind(downloadInstallerFor, async ({ params: { os } }, context) => {
    const release = latest(await db.select().from(versions), os)
    if (!release) throw noInstaller(os)
    return installer(context, release, os)
  })

  bind(downloadInstallerOf, async ({ params: { os, version } }, context) => {
    const [release] = await db.select().from(versions).where(eq(versions.id, version))
    if (!release) throw versionUnknown(version)
    return installer(context, release, os)
  })

  bind(listDownloads, async ({ query: { versionId, os, from, to, ...paging } }) => {
    const where = and(
      versionId === undefined ? undefined : eq(downloads.versionId, versionId),
      os === undefined ? undefined : eq(downloads.os, os),
      from === undefined ? undefined : gte(downloads.day, from),
      to === undefined ? undefined : lte(downloads.day, to),
    )
    const order = [desc(downloads.day), downloads.versionId, downloads.os]
    return { data: await pageOf(db, downloads, paging, where, order) }
  })

  async function installer(context: Context, release: Release, os: Platform): Promise<Response> {
    const found = release.uris.find((uri) => uri.os === os)
    if (!found) throw noInstaller(os, release.id)
    if (!/^file:/i.test(found.uri)) {
      await count(context, release, os)
      return context.body(null, 302, { location: new URL(found.uri).href })
    }
    const key = packageKey(found.uri)
    const file = key === undefined ? undefined : await packages.find(key)
    if (key === undefined || !file) {
      log.error('installer missing', { version: release.id, os, uri: found.uri })
      throw new Problem(
        'installer-unknown',
        `Cannot send the installer of version "${release.id}" for ${os}: its file is not in the packages folder`,
      )
    }
    return send(context, file, key, () => count(context, release, os), found)
  }

  /** Counts what begins a download: not a look at its head, not the next part of one under way. */
  async function count(context: Context, { id }: Release, os: Platform): Promise<void> {
    if (context.req.method !== 'GET') return
    const day = new Date(clock()).toISOString().slice(0, 10)
    await db
      .insert(downloads)
      .values({ versionId: id, os, day, count: 1 })
      .onConflictDoUpdate({
        target: [downloads.versionId, downloads.os, downloads.day],
        set: { count: sql`${downloads.count} + 1` },
      })
  }

  function latestInstallers(releases: readonly Release[]) {
    const systems: Platform[] = ['WIN64', 'WIN32', 'MACOS', 'MACOSARM', 'UNIX']
    return systems.flatMap((os) => {
      const release = latest(releases, os)
      return release ? [{ os, version: release.id, url: downloadUrl(url, os, release.id) }] : []
    })
  }
}

async function send(
  context: Context,
  file: Package,
  key: string,
  begun: () => Promise<void>,
  { sha256 }: Installer,
): Promise<Response> {
  const { req } = context
  const part = partOf(file, {
    range: req.method === 'GET' ? req.header('range') : undefined,
    ifRange: req.header('if-range'),
    ifNoneMatch: req.header('if-none-match'),
  })
  const name = key.slice(key.lastIndexOf('/') + 1)
  const headers: Record<string, string> = {
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    'content-disposition': disposition(name),
    'content-type': 'application/octet-stream',
    etag: file.etag,
    'x-content-type-options': 'nosniff',
    // RFC 9530: lets whoever downloads check the whole.
    ...(sha256 && { 'repr-digest': `sha-256=:${base64OfHex(sha256)}:` }),
  }
  if (part.status === 304)
    return context.body(null, 304, { etag: file.etag, 'cache-control': 'no-cache' })
  if (part.status === 416) {
    throw new Problem(
      'range-unsatisfiable',
      `Cannot send this range: the file has ${file.size} bytes`,
      {
        headers: { 'content-range': `bytes */${file.size}` },
      },
    )
  }
  const { start, end } = part.status === 206 ? part : { start: 0, end: file.size - 1 }
  headers['content-length'] = String(end - start + 1)
  if (part.status === 206) headers['content-range'] = `bytes ${start}-${end}/${file.size}`
  if (req.method === 'HEAD') return context.body(null, 200, headers)
  if (start === 0) await begun()
  return context.body(end < start ? '' : await file.read(start, end), part.status, headers)
}

/** RFC 6266: a plain name for old programs, the true one in UTF-8 beside it. */
function disposition(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const base64OfHex = (hex: string) =>
  btoa(hex.replaceAll(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))))

const noInstaller = (os: Platform | undefined, version?: string) =>
  new Problem(
    'installer-unknown',
    `Cannot find an installer for ${os}: ${version ? `version "${version}" has none` : 'no version has one'}`,
  )
