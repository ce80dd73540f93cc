/** The files of Swagger UI, read from its package, for Node and Deno. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Viewer } from '../ports.ts'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

export const viewerFiles: Viewer = {
  readFile: async (name) => new Uint8Array(await readFile(join(folder, name))),
}
