/** Serves the files of the page; its script is bundled before the start. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'

const example = fileURLToPath(new URL('..', import.meta.url))

const files = {
  '/': { file: 'page/page.html', type: 'text/html; charset=utf-8' },
  '/page.css': { file: 'page/page.css', type: 'text/css; charset=utf-8' },
  '/icon.svg': { file: 'page/icon.svg', type: 'image/svg+xml' },
  '/main.js': { file: 'dist/main.js', type: 'text/javascript; charset=utf-8' },
} as const

export function createPageRoutes(): Hono {
  const app = new Hono()
  for (const [path, { file, type }] of Object.entries(files)) {
    app.get(path, async (context) => {
      context.header('content-type', type)
      context.header('cache-control', 'no-cache')
      return context.body(await readFile(`${example}${file}`))
    })
  }
  return app
}
