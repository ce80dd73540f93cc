/** What the library uses of its environment, as an interface: a browser implements it, and so do the tests. */

/** `fetch`, with the option that declares a loopback address (wicg.github.io/local-network-access). */
export type Fetch = (
  url: string,
  init: RequestInit & { readonly targetAddressSpace?: 'loopback' },
) => Promise<Response>

/** Text that is kept from visit to visit; never throws. */
export interface Storage {
  read(key: string): string | undefined
  write(key: string, value: string | undefined): void
}

/** The browser's permission to call this machine: a PermissionStatus. */
export interface Permission {
  readonly state: 'granted' | 'denied' | 'prompt'
  addEventListener(type: 'change', listener: () => void): void
  removeEventListener(type: 'change', listener: () => void): void
}

/** What decides which addresses the page may call. */
export interface Page {
  /** Served over https or from this machine; else the page has neither WebCrypto nor access to this machine. */
  readonly secure: boolean
  /** Served from this machine: then the browser needs no permission. */
  readonly loopback: boolean
  /** A frame whose embedding page does not delegate the permission; undefined: the browser does not show it. */
  readonly blockedByPolicy: boolean | undefined
}

export interface Ports {
  readonly fetch: Fetch
  readonly storage: Storage
  readonly page: Page
  /** Resolves with undefined in a browser without such a permission. */
  readonly queryPermission: () => Promise<Permission | undefined>
  /** Whether the page's own Content-Security-Policy kept it from requesting this address. */
  readonly isBlockedByCsp: (address: string) => Promise<boolean>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Fills the bytes from a cryptographic random source. */
  readonly random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Calls `act` after so many milliseconds; the function that it returns cancels that. */
  readonly schedule: (ms: number, act: () => void) => () => void
  /** undefined in a page that is not secure. */
  readonly subtle: Pick<SubtleCrypto, 'importKey' | 'verify'> | undefined
  /** Elects the tab that reads for all; undefined in a runtime without tabs. */
  readonly locks: LockManager | undefined
  readonly openChannel: ((name: string) => BroadcastChannel) | undefined
}
