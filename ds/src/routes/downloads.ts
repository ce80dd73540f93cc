/** Downloads of installers. */
import {
  downloadInstaller,
  downloadInstallerFor,
  downloadInstallerOf,
  downloadManifest,
  type Input,
  listDownloads,
  Problem,
  summarizeDownloads,
} from '@cardwire/protocol'
import { and, desc, eq, gte, lte } from 'drizzle-orm'
import { downloads, versions } from '../db/schema.ts'
import type { Bind } from '../http/bind.ts'
import { type Reason, renderInstallerChoices } from '../http/installer-choices-page.ts'
import { selectPage } from '../http/pagination.ts'
import { selectByDay } from '../http/select-by-day.ts'
import { readManifest } from '../packages/manifests.ts'
import { wantedHints } from '../rules/detect-system.ts'
import { findLatest } from '../rules/latest-version.ts'
import { createVersionUnknownProblem } from '../rules/problems.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog } from '../sync/catalog.ts'
import { listInstallerChoices, readSystem } from './installer-choices.ts'
import { createInstallerUnknownProblem, sendInstaller } from './send-installer.ts'

/** Anyone may ask for these: the versions are read only after a change of one. */
export function bindDownloadRoutes(bind: Bind, services: Services, readCatalog: ReadCatalog): void {
  const { db, reader, packages } = services
  const parts = { ...services, readCatalog }

  bind(downloadInstaller, async ({ query }, context) => {
    const system = readSystem(context)
    context.header('accept-ch', wantedHints.join(', '))
    context.header('critical-ch', wantedHints.join(', '))
    context.header('vary', ['User-Agent', ...wantedHints].join(', '), { append: true })
    const { offered } = await readCatalog()
    for (const os of system.installers) {
      const release = findLatest(offered, os)
      if (release) return sendInstaller(parts, context, release, os, query, system.machine)
    }
    const choices = await listInstallerChoices(services, offered)
    const [wanted] = system.installers
    if (system.isBrowser) {
      const reason: Reason =
        wanted === undefined ? { kind: 'system-unknown' } : { kind: 'no-installer', os: wanted }
      return renderInstallerChoices(context, reason, choices)
    }
    if (wanted !== undefined) throw createInstallerUnknownProblem(wanted)
    throw new Problem(
      'os-undetermined',
      'Cannot recognize your operating system: ask for one of the choices',
      { choices: choices.map((choice) => choice.url) },
    )
  })

  bind(downloadInstallerFor, async ({ params: { os }, query }, context) => {
    const release = findLatest((await readCatalog()).offered, os)
    if (!release) throw createInstallerUnknownProblem(os)
    return sendInstaller(parts, context, release, os, query)
  })

  bind(downloadInstallerOf, async ({ params: { os, version }, query }, context) => {
    const [release] = await db.select().from(versions).where(eq(versions.id, version))
    if (!release) throw createVersionUnknownProblem(version)
    return sendInstaller(parts, context, release, os, query)
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
}

const toCondition = ({ versionId, os, from, to }: Input<typeof summarizeDownloads>['query']) =>
  and(
    versionId === undefined ? undefined : eq(downloads.versionId, versionId),
    os === undefined ? undefined : eq(downloads.os, os),
    from === undefined ? undefined : gte(downloads.day, from),
    to === undefined ? undefined : lte(downloads.day, to),
  )
