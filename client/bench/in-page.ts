/** What the bench does in a page. Each function is sent there as text, and knows what it is given alone. */

/** JSON. */
export interface Visit {
  readonly registryPort: string
  readonly jwt: string
}

/** Milliseconds from `initialize` to the readers, and the addresses that were asked for, in their order. */
export async function readersFrom({ registryPort, jwt }: Visit) {
  const library = '/client.js'
  const { initialize }: typeof import('../src/index.ts') = await import(library)
  const asked: string[] = []
  const bare = globalThis.fetch
  globalThis.fetch = (input, init) => {
    asked.push(String(input))
    return bare(input, init)
  }
  try {
    const started = performance.now()
    const client = await initialize({ t1cApiPort: registryPort, jwt, applicationDomain: 'shop' })
    const readers = await client.readers()
    const tookMs = performance.now() - started
    return { tookMs, asked, readers: readers.length }
  } finally {
    globalThis.fetch = bare
  }
}

/** Milliseconds that bare calls of these addresses take, one after the other. */
export async function bareCalls(addresses: readonly string[]) {
  const started = performance.now()
  for (const address of addresses) {
    // Without the header no connector answers; with it the browser asks for leave, as it does for the library.
    const headers = { 'x-csrf-token': 't1c-js' }
    const answer = await fetch(address, { credentials: 'omit', headers })
    await answer.text()
    if (!answer.ok) throw new Error(`Cannot measure ${address}: it answers ${answer.status}`)
  }
  return performance.now() - started
}

/** Resolves when the page of the shop says that it stands so. */
export function standing(state: string) {
  const { document, MutationObserver } = globalThis as unknown as {
    document: { querySelector(selector: string): { readonly textContent: string } }
    MutationObserver: new (act: () => void) => { observe(node: object, what: object): void }
  }
  const said = document.querySelector('#state')
  return new Promise<void>((resolve) => {
    const look = () => {
      if (said.textContent === state) resolve()
    }
    new MutationObserver(look).observe(said, { childList: true })
    look()
  })
}

/** All that the origin has stored; and puts it back in another browser. */
export const stored = () => Object.entries({ ...globalThis.localStorage })

export function store(entries: readonly (readonly [string, string])[]) {
  for (const [key, value] of entries) globalThis.localStorage.setItem(key, value)
}
