/** The files of Swagger UI, read from its package, for Node and Deno. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Viewer } from '../ports.ts'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The content of each, once it was read: a copy for each request would be 1.4 MB that its client may never read. */
const contents = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()

export const viewerFiles: Viewer = {
  readFile(name) {
    const known = contents.get(name)
    if (known) return known
    const content = readFile(join(folder, name)).then((bytes) => new Uint8Array(bytes))
    contents.set(name, content)
    content.catch(() => contents.delete(name))
    return content
  },
}
