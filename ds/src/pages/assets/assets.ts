/** The files that pages load, at addresses with their digests: browsers keep them until they change. */

import { icon } from '../../http/icon.ts'
import type { PageApp } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'
import { script } from './script.ts'
import { style } from './style.ts'

const files = [
  { name: 'style', ending: 'css', media: 'text/css', content: style },
  { name: 'script', ending: 'js', media: 'text/javascript', content: script },
  { name: 'icon', ending: 'svg', media: 'image/svg+xml', content: icon },
] as const

type Addresses = Readonly<Record<(typeof files)[number]['name'], string>>

// The value, not the promise of it: on Workers a promise ends with the request that made it.
let addresses: Addresses | undefined

/** Where the files are, below `/admin/`. */
export async function findAssetAddresses(): Promise<Addresses> {
  addresses ??= Object.fromEntries(
    await Promise.all(
      files.map(async ({ name, ending, content }) => [
        name,
        `assets/${await createTag(content)}.${ending}`,
      ]),
    ),
  ) as Addresses
  return addresses
}

/** Adds the files to an app of pages. */
export function addAssets(pages: PageApp): void {
  pages.get('/assets/:file', async (context) => {
    const known = await findAssetAddresses()
    const file = files.find(({ name }) => known[name] === `assets/${context.req.param('file')}`)
    if (!file) return context.text(readTexts().frame.errors.notFoundTitle, 404)
    return context.body(file.content, 200, {
      'content-type': `${file.media}; charset=utf-8`,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })
}

async function createTag(content: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  return [...new Uint8Array(bytes).subarray(0, 8)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
