/** Sends an installer, or where it is, and counts the download. */
import {
  type downloadInstaller,
  type Input,
  type Installer,
  type Platform,
  Problem,
} from '@cardwire/protocol'
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { readClientAddress } from '../auth/authorize.ts'
import { describeError } from '../db/describe-error.ts'
import { downloads } from '../db/schema.ts'
import { renderInstallerChoices } from '../http/installer-choices-page.ts'
import { sendFile } from '../http/send-file.ts'
import { findInstallers } from '../packages/manifests.ts'
import { isFileUri, toPackageKey } from '../packages/packages.ts'
import type { Machine } from '../rules/choose-package.ts'
import type { Services } from '../services.ts'
import type { ReadCatalog, Release } from '../sync/catalog.ts'
import { embedSettings } from './embed-settings.ts'
import { listInstallerChoices, readSystem } from './installer-choices.ts'

type DownloadServices = Services & { readonly readCatalog: ReadCatalog }

export async function sendInstaller(
  services: DownloadServices,
  context: Context,
  release: Release,
  os: Platform,
  { stamp, ...wanted }: Input<typeof downloadInstaller>['query'],
  detected: Machine = {},
): Promise<Response> {
  const { uri, sha256 } = await chooseInstaller(services, release, os, wanted, detected)
  if (!isFileUri(uri)) {
    await countDownload(services, context, release, os)
    return context.body(null, 302, { location: new URL(uri).href })
  }
  const key = toPackageKey(uri)
  const file = key === undefined ? undefined : await services.packages.find(key)
  if (key === undefined || !file) {
    services.log.error('installer missing', { version: release.id, os, uri })
    if (readSystem(context).isBrowser) {
      const others = await listInstallerChoices(services, (await services.readCatalog()).offered)
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
  const onBegin = () => countDownload(services, context, release, os)
  const client = readClientAddress(services, context)
  const digest = sent === file ? sha256 : undefined
  return sendFile(context, { file: sent, name, sha256: digest, client, onBegin })
}

/** What was asked for has to be there; what was detected is a guess. */
async function chooseInstaller(
  { packages }: Services,
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
async function countDownload(
  { db, clock, log }: Services,
  context: Context,
  { id }: Release,
  os: Platform,
): Promise<void> {
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

export const createInstallerUnknownProblem = (
  os: Platform | undefined,
  version?: string,
  words = '',
) =>
  new Problem(
    'installer-unknown',
    `Cannot find an installer for ${os}${words && `, ${words}`}: ${version ? `version "${version}" has none` : 'no version has one'}`,
  )
