/** What the pages of versions share: addresses, the version of a path, its devices. */
import { getVersion, listDevices, type Platform, type Version } from '@cardwire/protocol'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'

export const versionsHome = 'versions'

export const toVersionsTrail = () => [{ to: versionsHome, text: readTexts().versions.title }]

export const toVersionAddress = (id: string): string => `versions/${encodeURIComponent(id)}`

export const toTrail = (id: string) => [
  ...toVersionsTrail(),
  { to: toVersionAddress(id), text: id },
]

export type ShownVersion = Version & { readonly etag: string | undefined }

/** The version that the path names. */
export async function findVersion(context: PageContext): Promise<ShownVersion> {
  const id = context.req.param('id') ?? ''
  const { data, etag } = await context.var.api.call(getVersion, { params: { id } })
  return { ...data, etag }
}

/** How many devices have a version: of one system, or of all. `more`: whether there are more than so many. */
export async function countDevices(context: PageContext, version: string, os?: Platform) {
  const { data } = await context.var.api.call(listDevices, { query: { version, os, size: '1' } })
  return { total: data.total, more: data.more }
}

export const flagNames = ['recommended', 'mandatory', 'allowed'] as const

export type Flags = Pick<Version, (typeof flagNames)[number]>
