/** The files of the local page, as the browser gets them; a macro, so that the binary has them and starts no compiler. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PageFile {
  readonly type: string
  readonly text: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
}

/** By their paths on the server. Modules keep their names, and lose their types. */
export function readPageFiles(): Record<string, PageFile> {
  const connector = fileURLToPath(new URL('../../..', import.meta.url))
  const icon = join(connector, 'packages/icon/cardwire.svg')
  const modules = new Bun.Transpiler({ loader: 'ts', target: 'browser' })
  // A module of the page names the languages by `../src/languages`, which is `/src/languages` from the root.
  const files = [
    ['page', ''],
    ['src/languages', '/src/languages'],
  ].flatMap(([folder = '', base = '']) =>
    readdirSync(join(connector, folder), { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const type = types[extname(name)]
      if (type === undefined) return []
      const text = readFileSync(join(connector, folder, name), 'utf8')
      const path = name === 'page.html' ? '/' : `${base}/${name.replaceAll('\\', '/')}`
      return [[path, { type, text: name.endsWith('.ts') ? modules.transformSync(text) : text }]]
    }),
  )
  const iconFile = { type: 'image/svg+xml', text: readFileSync(icon, 'utf8') }
  return { ...Object.fromEntries(files), '/icon.svg': iconFile }
}
