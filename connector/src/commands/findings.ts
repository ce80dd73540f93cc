/** What the doctor says of what it found: pure, so that every line has its test. */
import type { Sight } from '../agent/pinned.ts'
import type { CertStatus } from '../certs/certificates.ts'
import type { KeptKeystore } from '../keystore/kept.ts'
import type { PcscState, Reader } from '../readers/readers.ts'
import type { Explanation } from '../registry/port.ts'
import type { Settings } from '../settings.ts'
import type { Policy, Remembered } from '../sync/state.ts'

export interface Finding {
  /** note: something is missing that one may do without. */
  readonly level: 'good' | 'note' | 'bad'
  readonly what: string
  readonly todo?: string
}

export function pcscFinding(state: PcscState, platform: string): Finding {
  if (state.kind === 'up') return { level: 'good', what: 'the card service answers' }
  return {
    level: 'bad',
    what: `the card service cannot be reached: ${state.reason}`,
    todo: advice(state.code, platform),
  }
}

function advice(code: string, platform: string): string {
  // pcscd lets in only whom polkit calls active (pcscd's org.debian.pcsc-lite.policy).
  if (code === 'SCARD_W_SECURITY_VIOLATION') {
    return 'log in at the machine itself, or let this user in with a polkit rule for org.debian.pcsc-lite.access_pcsc'
  }
  if (platform === 'win32') return 'start the service "Smart Card": sc start SCardSvr'
  if (platform === 'darwin') return 'connect a reader: macOS starts the service then'
  return code.startsWith('LIBRARY_')
    ? 'install it: apt-get install pcscd (dnf install pcsc-lite, pacman -S pcsclite)'
    : 'start it: systemctl start pcscd.socket'
}

export const readersFinding = (readers: readonly Reader[], platform: string): Finding =>
  readers.length > 0
    ? {
        level: 'good',
        what: `readers: ${readers.map(({ name, card }) => `${name}${card ? ' (with a card)' : ''}`).join(', ')}`,
      }
    : {
        level: 'note',
        what: 'no reader is connected',
        todo:
          platform === 'darwin'
            ? `connect one; if macOS 14 or later does not see it, an administrator chooses the other driver: ${otherDriver}`
            : 'connect one, or see whether its driver is installed (libccid)',
      }

const rootAdvice: Readonly<Record<Exclude<CertStatus['root']['state'], 'good'>, string>> = {
  absent: 'make it: cardwire run',
  early: 'set the clock of this machine right',
  foreign: 'move it away and start again, or make one in its place: cardwire certs renew --root',
  broken: 'make a new one: cardwire certs renew --root',
  keyless: 'make a new one: cardwire certs renew --root',
  expired: 'make a new one: cardwire certs renew --root',
}

// SmartCardServices(7) of macOS 14.
const otherDriver =
  'sudo defaults write /Library/Preferences/com.apple.security.smartcard useIFDCCID -bool yes'

export function certificateFindings({ root, leaf, protection }: CertStatus): readonly Finding[] {
  const open = protection.filter((each) => !each.private)
  return [
    root.state === 'good'
      ? {
          level: 'good',
          what: `the root certificate is good until ${day(root.certificate?.notAfter)}`,
        }
      : {
          level: 'bad',
          what: `the root certificate is ${root.state}${because(root.reason)}`,
          todo: rootAdvice[root.state],
        },
    ...(leaf.state === 'good'
      ? [
          {
            level: 'good',
            what: `the certificate of localhost is good until ${day(leaf.certificate?.notAfter)}`,
          } as const,
        ]
      : root.state === 'good'
        ? [
            {
              level: 'bad',
              what: `the certificate of localhost is ${leaf.state}${because(leaf.reason)}`,
              todo: 'make it anew: cardwire certs renew',
            } as const,
          ]
        : // It comes with the root.
          []),
    ...open.map(
      ({ path, access }): Finding => ({
        level: 'bad',
        what: `${path} can be read by others (${access})`,
        todo: 'cardwire run repairs it',
      }),
    ),
  ]
}

export function trustFindings({ root, trust }: CertStatus): readonly Finding[] {
  if (root.state !== 'good') return []
  const todo = 'make them believe it: cardwire certs install'
  const findings = trust.map(
    ({ store, trusted, reason }): Finding =>
      trusted
        ? { level: 'good', what: `${store} believes the root` }
        : { level: 'note', what: `${store} does not believe the root${because(reason)}`, todo },
  )
  return trust.some(({ trusted }) => trusted)
    ? findings
    : [
        ...findings,
        { level: 'bad', what: 'no browser of this user will believe the connector', todo },
      ]
}

/** `kept`: the keystore of the service; a machine with a local authority may do without. */
export function keystoreFindings(
  kept: Pick<KeptKeystore, 'names' | 'notAfter'> | undefined,
  localCa: boolean,
  now = Date.now(),
): readonly Finding[] {
  if (kept && kept.notAfter > now) {
    const until = day(new Date(kept.notAfter).toISOString())
    const what = `the keystore of the service is good until ${until}: ${kept.names.join(', ')}`
    return [{ level: 'good', what }]
  }
  if (kept === undefined && localCa) return []
  return [
    {
      level: 'bad',
      what: kept
        ? 'the keystore of the service has expired'
        : 'there is no keystore of a service, and CARDWIRE_LOCAL_CA is off',
      todo: 'ask the administrator for one; cardwire sync fetches it',
    },
  ]
}

/** `explained`: what is wrong, and what to do; nothing where nothing is wrong. */
export function registryFinding(
  sight: Sight,
  port: number,
  explained: Explanation | undefined,
): Finding {
  if (explained) return { level: 'bad', ...explained }
  if (sight.kind !== 'known') {
    return { level: 'good', what: `port ${port} is free for the registry` }
  }
  const whose = sight.whose === 'service' ? 'the service of this machine' : 'this user’s own'
  return { level: 'good', what: `the registry answers on port ${port} (${whose})` }
}

/** `unavailable`: why it cannot be read, a sentence; without a session nobody expects that it can. */
export function clipboardFinding(unavailable: string | undefined, inSession: boolean): Finding {
  if (unavailable === undefined) return { level: 'good', what: 'the clipboard can be read' }
  const [reason = '', ...advice] = unavailable.split('; ')
  const what = reason.replace(/^Cannot read the clipboard/, 'the clipboard cannot be read')
  const todo = advice.join('; ')
  return { level: inSession ? 'bad' : 'note', what, ...(todo === '' ? {} : { todo }) }
}

/** The API of this user: where it listens, or why it was not reached; then `free`, the first port it could have. */
export function apiFinding(
  { first, last }: Settings['apiPorts'],
  sight:
    | { readonly port: number }
    | { readonly silence: string; readonly isRunning: boolean; readonly free: number | undefined },
): Finding {
  if ('port' in sight) return { level: 'good', what: `the API answers on port ${sight.port}` }
  const { silence, isRunning, free } = sight
  if (isRunning) {
    const todo = 'end the process "cardwire run" and start it again'
    return { level: 'bad', what: `the API does not answer: ${silence}`, todo }
  }
  if (free === undefined) {
    const todo = 'end what holds them, or set another range: CARDWIRE_API_PORTS'
    return { level: 'bad', what: `no port from ${first} to ${last} is free for the API`, todo }
  }
  const todo = 'start it: cardwire run'
  return { level: 'note', what: `the connector is not running; port ${free} is free for it`, todo }
}

/** Who gets in by the settings alone. */
export function accessFindings({
  cors,
  dsUrl,
  jwks,
  jwtRequired,
}: Pick<Settings, 'cors' | 'dsUrl' | 'jwks' | 'jwtRequired'>): readonly Finding[] {
  const isManaged = dsUrl !== undefined
  return [
    ...(isManaged || cors.length > 0
      ? []
      : [
          {
            level: 'note',
            what: 'no page may ask, the allowlist is empty',
            todo: 'set CARDWIRE_CORS to the origins of the pages, or CARDWIRE_DS_URL',
          } as const,
        ]),
    ...(jwtRequired
      ? []
      : [
          {
            level: 'note',
            what: 'pages need no token, CARDWIRE_JWT is off',
            todo: 'leave it out where a service gives tokens',
          } as const,
        ]),
    ...(jwtRequired && !isManaged && jwks === undefined
      ? [
          {
            level: 'note',
            what: 'pages need a token, and there is no key to verify one with',
            todo: 'set CARDWIRE_DS_URL or CARDWIRE_JWKS, or CARDWIRE_JWT=off to do without',
          } as const,
        ]
      : []),
  ]
}

/** `answers`: undefined when it does, else why not. */
export function serviceFindings(
  dsUrl: string,
  answers: string | undefined,
  remembered: Remembered | undefined,
): readonly Finding[] {
  const reached: Finding =
    answers === undefined
      ? { level: 'good', what: `the distribution service ${dsUrl} answers` }
      : {
          level: 'bad',
          what: `the distribution service ${dsUrl} does not: ${answers}`,
          todo: 'check the network, CARDWIRE_DS_URL and CARDWIRE_CA_FILE',
        }
  if (remembered === undefined) {
    const todo =
      'set CARDWIRE_INSTALLATION_KEY to the key of this version, then start it: cardwire run'
    return [reached, { level: 'bad', what: 'this connector is not registered with it', todo }]
  }
  const { device, lastGood } = remembered.kept
  return [
    reached,
    { level: 'good', what: `this connector is registered as ${device}` },
    lastGood === undefined
      ? { level: 'note', what: 'it has never synchronised', todo: 'cardwire sync says why' }
      : { level: 'good', what: `it synchronised last at ${new Date(lastGood).toISOString()}` },
    ...(remembered.policy ? verdictFinding(remembered.policy) : []),
  ]
}

function verdictFinding({ verdict: { action, version, offer } }: Policy): readonly Finding[] {
  if (action === 'none') return []
  const todo = offer
    ? `install version ${offer.version}: ${offer.url}`
    : 'ask the administrator for another version'
  return action === 'recommend'
    ? [{ level: 'note', what: `another version is recommended over ${version}`, todo }]
    : [{ level: 'bad', what: `version ${version} may not be used any more`, todo }]
}

const day = (time: string | undefined) => time?.slice(0, 10) ?? 'an unknown day'
const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`)
