/** The web shop of these tests: its server and page, and the agent in a consent. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Json } from '../../../../test/bed/service-request.ts'

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

/** Starts the shop on this machine: its pages need no permission of the browser to call the connector. */
export async function openShop(): Promise<Shop> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(page)
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

/** Reads the agent of a consent. */
export const readAgent = (consent: string): Json =>
  JSON.parse(Buffer.from(consent, 'base64').toString()).agent
