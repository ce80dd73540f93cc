/** The service on the pinned Deno, with no more permissions than docs/deploy.md gives it. */
import { listening, localSettings } from './node.ts'
import { bin, launch, type Runtime } from './service.ts'

const permissions = ['--allow-net', '--allow-read', '--allow-write', '--allow-env', '--allow-sys']

export const deno: Runtime = async (start) => {
  const settings = await localSettings(start)
  const args = ['run', ...permissions, 'ds/src/deno.ts']
  const started = await launch(bin('deno'), args, settings, listening)
  return { ...started, addressHeader: 'x-forwarded-for' }
}
