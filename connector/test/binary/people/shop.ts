/** The shop whose pages everybody here visits: its server, what its page asks, and what it keeps of the answers. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Json } from '../harness.ts'

export interface Shop {
  readonly origin: string
  close(): void
}

/** A page with a button that copies what its title says. */
const page = `<!doctype html><title>Shop</title><button>Copy</button><script>
document.querySelector('button').onclick = async () => {
  await navigator.clipboard.writeText(document.title)
  document.body.dataset.copied = document.title
}
</script>`

/** On this machine: a browser asks no leave for a page from here to ask the connector. */
export async function openShop(): Promise<Shop> {
  const server = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end(page)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Cannot find the shop')
  return {
    origin: `http://localhost:${address.port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const newWord = () => `::t1c::miksa::${crypto.randomUUID().replaceAll('-', '')}`

/** Which connector a consent leads to. */
export const agentIn = (consent: string): Json =>
  JSON.parse(Buffer.from(consent, 'base64').toString()).agent
