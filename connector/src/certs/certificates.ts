/** The port of the certificates of this machine: what the API and the command line ask for, and the shapes of the answers. */
import type { ConstraintKind } from '../pki/constraints.ts'
import type { RootVerdict } from '../pki/judge.ts'
import type { Protection } from '../pki/protection.ts'
import type { StoreResult } from '../trust/apply.ts'

/** What a TLS server needs. Texts are PEM, the key PKCS#8; never leaves the process. */
export interface TlsMaterial {
  readonly cert: string
  readonly key: string
  /** Milliseconds since 1970, UTC. */
  readonly notAfter: number
  /** SHA-256 of the certificate, lower-case hexadecimal. */
  readonly fingerprint: string
}

export interface Certificates {
  /**
   * Answers with what to serve: reuses a valid root, renews a stale leaf, repairs what is broken. A leaf that cannot be
   * renewed stays while it is valid. Throws the problem `certificate-refused` when there is nothing to serve.
   */
  ensure(): Promise<TlsMaterial>
  /** Looks, and changes nothing. */
  status(): Promise<CertStatus>
  /** Judges one host name or address as a browser on this machine would. Throws `input-invalid` for anything else. */
  statusOf(domain: string): Promise<DomainStatus>
  /**
   * Makes each trust store believe the root, and that of the registry service where the machine has one. A store that
   * fails never stops the others, and is trusted when it believes both.
   */
  install(): Promise<readonly StoreResult[]>
  /** Makes a new leaf; with `root` a new root, which takes the old one's place in the stores that believed it. */
  renew(options: { readonly root?: boolean }): Promise<RenewResult>
  /**
   * Sets the names beside localhost, 127.0.0.1 and ::1, all of them. Names that the root may not sign for are
   * remembered and named in `needsRoot`; `renew({ root: true })` then makes a root that may. Throws `input-invalid`.
   */
  hosts(hosts: readonly string[]): Promise<HostsResult>
  /** Takes one package off the list; with the last goes the trust, then the files. The folder stays. */
  uninstall(options: UninstallOptions): Promise<UninstallResult>
  /** Calls back when another leaf is to be served, whoever changed it. Answers with what ends that. */
  onChange(listener: (tls: TlsMaterial) => void): () => void
}

/** A certificate as people read it; times are ISO 8601, UTC. */
export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  readonly serial: string
  readonly fingerprint: string
  readonly notBefore: string
  readonly notAfter: string
  readonly names: readonly string[]
}

export interface CertStatus {
  readonly folder: string
  readonly files: readonly { readonly name: string; readonly present: boolean }[]
  readonly root: {
    readonly state: RootVerdict['kind']
    readonly reason?: string
    readonly certificate?: CertificateFacts
    readonly constraints?: {
      readonly kind: ConstraintKind
      /** Permitted host names with everything below them; null: not constrained. */
      readonly dns: readonly string[] | null
      readonly ip: readonly string[] | null
    }
  }
  readonly leaf: {
    readonly state: 'good' | 'stale' | 'absent'
    readonly reason?: string
    readonly certificate?: CertificateFacts
  }
  /** Extra names: asked for, and of those the ones outside the constraints of the root. */
  readonly hosts: { readonly wanted: readonly string[]; readonly needsRoot: readonly string[] }
  readonly protection: readonly Protection[]
  readonly trust: readonly StoreResult[]
  readonly packages: readonly string[]
}

export interface DomainStatus {
  readonly domain: string
  /** Whether the leaf carries the name. */
  readonly covered: boolean
  /** Whether the constraints of the root permit it. */
  readonly permitted: boolean
  readonly addresses: readonly string[]
  /** Whether every address is this machine. */
  readonly loopback: boolean
  /** The stores that believe the root. */
  readonly trustedBy: readonly string[]
  /** Whether a handshake with the running API showed this leaf; null when none could be had. */
  readonly served: boolean | null
  /** Whether a browser that reads one of those stores opens the name without a warning. */
  readonly verified: boolean
  /** Why not, one sentence each. */
  readonly reasons: readonly string[]
}

export interface RenewResult {
  readonly renewed: boolean
  /** Why nothing was renewed; the old files are in force. */
  readonly reason?: string
  readonly rootReplaced: boolean
  readonly leaf?: CertificateFacts
  /** The new root in the stores that believed the old one. */
  readonly trust: readonly StoreResult[]
  readonly warnings: readonly string[]
}

export interface HostsResult {
  readonly hosts: readonly string[]
  /** The names of the leaf in force. */
  readonly names: readonly string[]
  /** Those the root may not sign for. */
  readonly needsRoot: readonly string[]
  /** Why the leaf is the old one. */
  readonly reason?: string
  readonly warnings: readonly string[]
}

export interface UninstallOptions {
  /** The package that goes; our own when none is named. */
  readonly package?: string
  /** Removes the files although a store still believes the root. */
  readonly force?: boolean
}

export interface UninstallResult {
  readonly removed: boolean
  readonly reason?: string
  readonly trust: readonly StoreResult[]
  /** Who still uses the folder. */
  readonly packages: readonly string[]
}
