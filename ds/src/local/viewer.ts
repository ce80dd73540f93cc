/** The files of Swagger UI from its package, for Node and Deno. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Viewer } from '../services.ts'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

export const packageViewer: Viewer = {
  file: async (name) => new Uint8Array(await readFile(join(folder, name))),
}
