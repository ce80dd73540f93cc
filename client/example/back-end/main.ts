/** The back end of the example: a web server that holds the API key. */
import process from 'node:process'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { readSettings } from './settings.ts'

const settings = readSettings(process.env)

/** To `npm start`, which prints it, and not to the output, which is a log there. */
function sendAddress(address: string): void {
  if (process.send) process.send({ address })
  else process.stdout.write(`open ${address}\n`)
}

const server = serve({
  fetch: createApp(settings, sendAddress).fetch,
  // This machine alone, because nothing here is encrypted.
  hostname: '127.0.0.1',
  port: settings.port,
})
server.once('listening', () => process.stdout.write(`listening on port ${settings.port}\n`))
server.once('error', (error) => {
  process.stderr.write(`Cannot listen on port ${settings.port} (EXAMPLE_PORT): ${error.message}\n`)
  process.exit(1)
})
process.once('SIGTERM', () => process.exit(0))
// What started it has ended.
process.once('disconnect', () => process.exit(0))
