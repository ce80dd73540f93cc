/** What the library needs of where it runs, so that all of it is tested without a browser and works in one. */

/** `fetch`, with the member that declares a loopback address (wicg.github.io/local-network-access). */
export type Fetch = (
  url: string,
  init: RequestInit & { readonly targetAddressSpace?: 'loopback' },
) => Promise<Response>

/** What is kept from visit to visit; never throws. */
export interface Storage {
  read(key: string): string | undefined
  write(key: string, value: string | undefined): void
}

/** The browser's permission to call this machine, as a PermissionStatus tells it. */
export interface Permission {
  readonly state: 'granted' | 'denied' | 'prompt'
  addEventListener(type: 'change', listener: () => void): void
  removeEventListener(type: 'change', listener: () => void): void
}

/** What the page is, as far as it decides whom it may call. */
export interface Page {
  /** Served over https or from this machine; else neither keys nor this machine are within its reach. */
  readonly secure: boolean
  /** Itself on this machine: no permission is asked for. */
  readonly loopback: boolean
  /** A frame whose surrounding page does not pass the permission on; undefined: a frame whose browser does not say. */
  readonly barred: boolean | undefined
}

export interface Ports {
  readonly fetch: Fetch
  readonly storage: Storage
  readonly page: Page
  /** undefined where the browser has no such permission, and asks nobody. */
  readonly permission: () => Promise<Permission | undefined>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Fills the bytes from a source nobody can predict. */
  readonly random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Does it after so many milliseconds, unless it is called off. */
  readonly after: (ms: number, act: () => void) => () => void
  /** Only pages that are secure have it. */
  readonly subtle: SubtleCrypto | undefined
  /** Who of several tabs does something for all; undefined where there is nothing to share with. */
  readonly locks: LockManager | undefined
  readonly channel: ((name: string) => BroadcastChannel) | undefined
}
