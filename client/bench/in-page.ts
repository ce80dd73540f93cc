/** The functions that the bench runs in a page. Each is sent there as text, so it may use its argument alone. */

export interface Visit {
  readonly registryPort: string
  readonly jwt: string
}

/** Measures the milliseconds from `initialize` to the list of readers, and records the addresses of its requests. */
export async function measureReaderList({ registryPort, jwt }: Visit) {
  const library = '/client.js'
  const { initialize }: typeof import('../src/index.ts') = await import(library)
  const addresses: string[] = []
  const originalFetch = globalThis.fetch
  globalThis.fetch = (input, init) => {
    addresses.push(String(input))
    return originalFetch(input, init)
  }
  try {
    const started = performance.now()
    const client = await initialize({ t1cApiPort: registryPort, jwt, applicationDomain: 'shop' })
    const readers = await client.readers()
    const tookMs = performance.now() - started
    return { tookMs, addresses, readers: readers.length }
  } finally {
    globalThis.fetch = originalFetch
  }
}

/** Measures the milliseconds that bare requests of these addresses take, one after the other. */
export async function measureBareCalls(addresses: readonly string[]) {
  const started = performance.now()
  for (const address of addresses) {
    // No connector answers without the header; with it the browser sends a preflight request, as for the library.
    const headers = { 'x-csrf-token': 't1c-js' }
    const response = await fetch(address, { credentials: 'omit', headers })
    await response.text()
    if (!response.ok) throw new Error(`Cannot measure ${address}: it answers ${response.status}`)
  }
  return performance.now() - started
}

/** Resolves when the shop's page shows this state. */
export function waitForState(state: string) {
  const { document, MutationObserver } = globalThis as unknown as {
    document: { querySelector(selector: string): { readonly textContent: string } }
    MutationObserver: new (act: () => void) => { observe(node: object, what: object): void }
  }
  const element = document.querySelector('#state')
  return new Promise<void>((resolve) => {
    const check = () => {
      if (element.textContent === state) resolve()
    }
    new MutationObserver(check).observe(element, { childList: true })
    check()
  })
}

/** The entries of localStorage, to be written in another browser. */
export const readStorage = () => Object.entries({ ...globalThis.localStorage })

export function writeStorage(entries: readonly (readonly [string, string])[]) {
  for (const [key, value] of entries) globalThis.localStorage.setItem(key, value)
}
