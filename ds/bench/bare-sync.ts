/** One route of Hono on Node that verifies an ES256 signature and writes a row: what a synchronization is measured against. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { type CryptoKey, compactVerify, importJWK } from 'jose'
import { start } from './child-process.ts'
import { readStartArguments } from './service.ts'

/** The copy of the devices that it writes into, beside them, where the engine has no files. */
export const bareTable = 'bare_devices'

/** `program`: the address of one that calls `serveBareSync`. */
export async function startBareSync(folder: string, program: string, ...args: readonly string[]) {
  // Memory is bounded for the service: the same bound for what it is measured against.
  const options = (await readStartArguments()).filter((argument) => argument.startsWith('-'))
  const file = fileURLToPath(program)
  const bare = start(folder, process.execPath, [...options, file, ...args])
  return { ...bare, url: await bare.waitForOutput(/(http\S+)/) }
}

/** `jwk`: of the device that sends, JSON; `write`: stores a request of a device. */
export async function serveBareSync(
  jwk: string,
  ids: readonly string[],
  write: (id: string, now: number) => unknown,
): Promise<void> {
  const key = (await importJWK(JSON.parse(jwk), 'ES256')) as CryptoKey
  let at = 0
  const app = new Hono()
  app.post('/v3/devices/sync', async (context) => {
    const { version } = await context.req.json<{ version: string }>()
    await compactVerify(context.req.header('authorization')?.slice('Bearer '.length) ?? '', key)
    at = (at + 1) % ids.length
    await write(ids[at] ?? '', Date.now())
    return context.json({ success: true, data: version })
  })
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    console.log(`listens on http://127.0.0.1:${port}`),
  )
}
