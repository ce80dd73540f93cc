/** Listings over one kept-alive connection, requested from Node, whose TLS verifies our chain. */
import { fileURLToPath } from 'node:url'
import type { RunningConnector } from './binary.ts'

const program = fileURLToPath(new URL('./listings-client.mjs', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

/** p50 and p99 in milliseconds. */
export async function measureListings({
  port,
  ca,
  token,
}: RunningConnector): Promise<{ p50: number; p99: number }> {
  const child = Bun.spawn([node, program, String(port), ca, token], { stdout: 'pipe' })
  return (await new Response(child.stdout).json()) as { p50: number; p99: number }
}
