/** Listings over one kept-alive connection, asked from Node, whose TLS verifies our chain. */
import { fileURLToPath } from 'node:url'
import type { Running } from './binary.ts'

const program = fileURLToPath(new URL('./ask-listings.mjs', import.meta.url))
const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))

/** p50 and p99 in milliseconds. */
export async function listings({
  port,
  ca,
  token,
}: Running): Promise<{ p50: number; p99: number }> {
  const child = Bun.spawn([node, program, String(port), ca, token], { stdout: 'pipe' })
  return (await new Response(child.stdout).json()) as { p50: number; p99: number }
}
