/** What the devices of a version and system are told. */
import type { Installer, Keystore, Offer, Platform, Verdict } from '@cardwire/client/protocol'
import type { PublishedKey } from '../auth/signing-key.ts'
import { packageKey } from '../packages/packages.ts'
import { judge } from '../rules/verdict.ts'
import type { Services } from '../services.ts'
import type { Catalog, ConfigurationRow, Release } from './catalog.ts'

/** The same for every device of a version and system. */
interface Orders {
  readonly verdict: Verdict
  readonly cors: readonly string[]
  readonly files: readonly { readonly path: string; readonly digest: string }[]
  readonly keystore?: Omit<Keystore, 'password'> & { readonly secret: string; readonly row: string }
  /** Names all of it. */
  readonly digest: string
}

export interface Told extends Orders {
  /** Names all that is told, the keys and the cycle included. */
  readonly state: string
  readonly tokenKeys: readonly PublishedKey['jwk'][]
  readonly replyKeys: readonly PublishedKey['jwk'][]
}

/** Where a version's installer for a system is downloaded, and where keystores of the service are. */
interface Links {
  installer(os: Platform, version: string): string
  readonly keystore: string
}

export function teller(
  parts: Pick<Services, 'packages' | 'digest' | 'keyring' | 'settings'>,
  links: Links,
) {
  const { packages, digest, keyring, settings } = parts
  /** Digests of files by key and entity tag: reading an installer for every device would be all the service did. */
  const digests = new Map<string, string>()

  return async (catalog: Catalog, version: string, os: Platform): Promise<Told> => {
    const orders = await catalog.memo(`orders of ${os} ${version}`, async () => {
      const made = await ordersOf(catalog, version, os)
      return { ...made, digest: await digest(JSON.stringify(made)) }
    })
    const [tokens, replies] = [await keyring.list('application'), await keyring.list('reply')]
    const keys = [...tokens, ...replies].map(({ id }) => id)
    const all = [orders.digest, settings.cycleS, ...keys].join(' ')
    const state = await catalog.memo(`state of ${all}`, () => digest(all))
    return {
      ...orders,
      state,
      tokenKeys: tokens.map(({ jwk }) => jwk),
      replyKeys: replies.map(({ jwk }) => jwk),
    }
  }

  async function ordersOf(
    catalog: Catalog,
    version: string,
    os: Platform,
  ): Promise<Omit<Orders, 'digest'>> {
    const { action, target } = judge(version, os, catalog.releases)
    const offer = target && (await offerOf(target, os))
    const rows = await catalog.configurationsOf(version)
    const keystore = keystoreOf(rows)
    return {
      verdict: { action, version, ...(offer && { offer }) },
      cors: rows.flatMap(({ config }) => ('cors' in config ? config.cors : [])),
      files: rows
        .flatMap(({ config }) => ('files' in config ? config.files : []))
        .filter((file) => file.os === undefined || file.os === os)
        .map(({ path, digest }) => ({ path, digest })),
      ...(keystore && { keystore }),
    }
  }

  function keystoreOf(rows: readonly ConfigurationRow[]): Orders['keystore'] {
    const row = rows.find(({ type }) => type === 'SSL_KEYSTORE')
    if (!row?.secret || !('uri' in row.config)) return undefined
    const { uri, digest } = row.config
    const guarded = isFile(uri)
    return {
      uri: guarded ? links.keystore : new URL(uri).href,
      guarded,
      ...(digest !== undefined && { digest }),
      ...{ secret: row.secret, row: row.id },
    }
  }

  async function offerOf({ id, uris }: Release, os: Platform): Promise<Offer | undefined> {
    const installer = uris.find((uri) => uri.os === os)
    if (!installer) return undefined
    const { uri } = installer
    const { sha256, size } = await factsOf(installer)
    return {
      version: id,
      url: isFile(uri) ? links.installer(os, id) : new URL(uri).href,
      ...(sha256 !== undefined && { sha256 }),
      ...(size !== undefined && { size }),
    }
  }

  /** Digest and size as they were registered, else as the file in the packages folder has them. */
  async function factsOf({
    uri,
    sha256,
    size,
  }: Installer): Promise<Pick<Installer, 'sha256' | 'size'>> {
    const key = packageKey(uri)
    if (key === undefined || (sha256 !== undefined && size !== undefined)) return { sha256, size }
    const file = await packages.find(key)
    if (!file) return { sha256, size }
    const name = `${key} ${file.etag}`
    const found = sha256 ?? digests.get(name) ?? (await file.digest())
    digests.set(name, found)
    return { sha256: found, size: size ?? file.size }
  }
}

const isFile = (uri: string) => /^file:/i.test(uri)
