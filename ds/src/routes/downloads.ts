/** Downloads of installers. */
import {
  downloadInstaller,
  downloadInstallerFor,
  downloadInstallerOf,
  downloadManifest,
  type Input,
  type Installer,
  listDownloads,
  type Platform,
  Problem,
  summarizeDownloads,
} from '@cardwire/client/protocol'
import { and, desc, eq, gte, lte, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { readClientAddress } from '../auth/authorize.ts'
import { describeError } from '../db/describe-error.ts'
import { downloads, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import {
  type InstallerChoice,
  type Reason,
  renderInstallerChoices,
} from '../http/installer-choices-page.ts'
import { selectPage } from '../http/pagination.ts'
import { selectByDay } from '../http/select-by-day.ts'
import { sendFile } from '../http/send-file.ts'
import { findInstallers, readManifest } from '../packages/manifests.ts'
import { isFileUri, toPackageKey } from '../packages/packages.ts'
import { findEnding, type Machine } from '../rules/choose-package.ts'
import { detectSystem, wantedHints } from '../rules/detect-system.ts'
import { createInstallerUrl } from '../rules/installer-url.ts'
import { findLatest } from '../rules/latest-version.ts'
import { createVersionUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import { embedSettings } from './embed-settings.ts'

type Release = typeof versions.$inferSelect

export function bindDownloadRoutes(bind: Bind, services: Services): void {
  const { db, reader, clock, packages, log, url } = services

  bind(downloadInstaller, async ({ query }, context) => {
    const system = readSystem(context)
    context.header('accept-ch', wantedHints.join(', '))
    context.header('critical-ch', wantedHints.join(', '))
    context.header('vary', ['User-Agent', ...wantedHints].join(', '), { append: true })
    const releases = await db.select().from(versions)
    for (const os of system.installers) {
      const release = findLatest(releases, os)
      if (release) return sendInstaller(context, release, os, query, system.machine)
    }
    const choices = await findLatestInstallers(releases)
    const [wanted] = system.installers
    if (system.isBrowser) {
      const reason: Reason =
        wanted === undefined ? { kind: 'system-unknown' } : { kind: 'no-installer', os: wanted }
      return renderInstallerChoices(context, reason, choices)
    }
    if (wanted !== undefined) throw createInstallerUnknownProblem(wanted)
    throw new Problem(
      'os-undetermined',
      'Cannot tell your operating system: ask for one of the choices',
      { choices: choices.map((choice) => choice.url) },
    )
  })

  bind(downloadInstallerFor, async ({ params: { os }, query }, context) => {
    const release = findLatest(await db.select().from(versions), os)
    if (!release) throw createInstallerUnknownProblem(os)
    return sendInstaller(context, release, os, query)
  })

  bind(downloadInstallerOf, async ({ params: { os, version }, query }, context) => {
    const [release] = await db.select().from(versions).where(eq(versions.id, version))
    if (!release) throw createVersionUnknownProblem(version)
    return sendInstaller(context, release, os, query)
  })

  bind(downloadManifest, async ({ query: { version } }) => {
    const found = await readManifest(packages, version)
    if (!found)
      throw new Problem('installer-unknown', `Cannot find a manifest of version "${version}"`)
    return { data: found }
  })

  bind(listDownloads, async ({ query: { page, size, ...filter } }) => {
    const order = [desc(downloads.day), downloads.versionId, downloads.os]
    return {
      data: await selectPage(reader, downloads, { page, size }, toCondition(filter), order),
    }
  })

  bind(summarizeDownloads, async ({ query }) => ({
    data: await selectByDay(reader, downloads, toCondition(query)),
  }))

  async function sendInstaller(
    context: Context,
    release: Release,
    os: Platform,
    { stamp, ...wanted }: Input<typeof downloadInstaller>['query'],
    detected: Machine = {},
  ): Promise<Response> {
    const { uri, sha256 } = await chooseInstaller(release, os, wanted, detected)
    if (!isFileUri(uri)) {
      await countDownload(context, release, os)
      return context.body(null, 302, { location: new URL(uri).href })
    }
    const key = toPackageKey(uri)
    const file = key === undefined ? undefined : await packages.find(key)
    if (key === undefined || !file) {
      log.error('installer missing', { version: release.id, os, uri })
      if (readSystem(context).isBrowser) {
        const others = await findLatestInstallers(await db.select().from(versions))
        return renderInstallerChoices(
          context,
          { kind: 'file-missing', os },
          others.filter((choice) => choice.os !== os),
        )
      }
      throw new Problem(
        'installer-unknown',
        `Cannot send the installer of version "${release.id}" for ${os}: its file is not in the packages folder`,
      )
    }
    const sent = stamp === 'off' ? file : await embedSettings(services, release.id, key, file)
    const name = key.slice(key.lastIndexOf('/') + 1)
    const onBegin = () => countDownload(context, release, os)
    const client = readClientAddress(services, context)
    const digest = sent === file ? sha256 : undefined
    return sendFile(context, { file: sent, name, sha256: digest, client, onBegin })
  }

  /** What was asked for has to be there; what was detected is a guess. */
  async function chooseInstaller(
    { id, uris }: Release,
    os: Platform,
    wanted: Machine,
    detected: Machine,
  ): Promise<Installer> {
    const registered = uris.find((uri) => uri.os === os)
    if (!registered) throw createInstallerUnknownProblem(os, id)
    const isWanted = wanted.architecture !== undefined || wanted.format !== undefined
    const found = await findInstallers(packages, id, registered, { ...detected, ...wanted })
    const [installer = isWanted ? undefined : registered] = found ?? []
    if (installer) return installer
    const words = [wanted.architecture, wanted.format].filter(Boolean).join(', ')
    throw createInstallerUnknownProblem(os, id, words)
  }

  /** Counts a GET: a HEAD begins no download. Never fails: a download matters more than its count. */
  async function countDownload(context: Context, { id }: Release, os: Platform): Promise<void> {
    if (context.req.method !== 'GET') return
    const day = new Date(clock()).toISOString().slice(0, 10)
    try {
      await db
        .insert(downloads)
        .values({ versionId: id, os, day, count: 1 })
        .onConflictDoUpdate({
          target: [downloads.versionId, downloads.os, downloads.day],
          set: { count: sql`${downloads.count} + 1` },
        })
    } catch (error) {
      const requestId = context.get('requestId')
      log.error('download not counted', { requestId, error: describeError(error) })
    }
  }

  async function findLatestInstallers(
    releases: readonly Release[],
  ): Promise<readonly InstallerChoice[]> {
    const systems: Platform[] = ['WIN64', 'WIN32', 'MACOS', 'MACOSARM', 'UNIX']
    const choices: InstallerChoice[] = []
    for (const os of systems) {
      const release = findLatest(releases, os)
      if (release) choices.push(...(await findChoices(release, os)))
    }
    return choices
  }

  /** On Linux every package that the manifest has. */
  async function findChoices({ id: version, uris }: Release, os: Platform) {
    const registered = uris.find((uri) => uri.os === os)
    const found =
      os === 'UNIX' && registered && (await findInstallers(packages, version, registered, {}))
    if (!found) return [{ os, version, url: createInstallerUrl(url, os, version) }]
    return found.map(({ uri, architecture }) => {
      const choice = { architecture, format: findEnding(uri) }
      return { os, version, url: createInstallerUrl(url, os, version, choice), ...choice }
    })
  }
}

const readSystem = ({ req }: Context) =>
  detectSystem({
    userAgent: req.header('user-agent'),
    platform: req.header('sec-ch-ua-platform'),
    mobile: req.header('sec-ch-ua-mobile'),
    architecture: req.header('sec-ch-ua-arch'),
    bitness: req.header('sec-ch-ua-bitness'),
  })

const toCondition = ({ versionId, os, from, to }: Input<typeof summarizeDownloads>['query']) =>
  and(
    versionId === undefined ? undefined : eq(downloads.versionId, versionId),
    os === undefined ? undefined : eq(downloads.os, os),
    from === undefined ? undefined : gte(downloads.day, from),
    to === undefined ? undefined : lte(downloads.day, to),
  )

const createInstallerUnknownProblem = (os: Platform | undefined, version?: string, words = '') =>
  new Problem(
    'installer-unknown',
    `Cannot find an installer for ${os}${words && `, ${words}`}: ${version ? `version "${version}" has none` : 'no version has one'}`,
  )
