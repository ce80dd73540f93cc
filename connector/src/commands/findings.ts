/** What the doctor says of what it found: pure, so that every line has its test. */
import type { Sight } from '../agent/pinned.ts'
import type { CertStatus } from '../certs/certificates.ts'
import type { PcscState, Reader } from '../readers/readers.ts'
import type { Explanation } from '../registry/port.ts'

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

export const readersFinding = (readers: readonly Reader[]): Finding =>
  readers.length > 0
    ? {
        level: 'good',
        what: `readers: ${readers.map(({ name, card }) => `${name}${card ? ' (with a card)' : ''}`).join(', ')}`,
      }
    : {
        level: 'note',
        what: 'no reader is connected',
        todo: 'connect one, or see whether its driver is installed (libccid)',
      }

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
          todo:
            root.state === 'absent'
              ? 'make it: cardwire run'
              : 'make a new one: cardwire certs renew --root',
        },
    leaf.state === 'good'
      ? {
          level: 'good',
          what: `the certificate of localhost is good until ${day(leaf.certificate?.notAfter)}`,
        }
      : {
          level: 'bad',
          what: `the certificate of localhost is ${leaf.state}${because(leaf.reason)}`,
          todo: 'make it anew: cardwire certs renew',
        },
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
        : { level: 'note', what: `${store} does not believe the root${because(reason)}` },
  )
  return trust.some(({ trusted }) => trusted)
    ? findings
    : [
        ...findings,
        { level: 'bad', what: 'no browser of this user will believe the connector', todo },
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

export function clipboardFinding(
  platform: string,
  environment: Readonly<Record<string, string | undefined>>,
  has: (program: string) => boolean,
): Finding {
  if (platform !== 'linux') return { level: 'good', what: 'the clipboard is the one of the system' }
  const session = environment['WAYLAND_DISPLAY']
    ? 'Wayland'
    : environment['DISPLAY']
      ? 'X11'
      : undefined
  if (session === undefined) {
    return {
      level: 'note',
      what: 'there is no desktop session, and so no clipboard',
      todo: 'run it in the session of the person whose browser asks',
    }
  }
  const programs = session === 'Wayland' ? ['wl-paste', 'xclip', 'xsel'] : ['xclip', 'xsel']
  const found = programs.find(has)
  if (found) return { level: 'good', what: `the clipboard (${session}) is read with ${found}` }
  return {
    level: 'bad',
    what: `the clipboard (${session}) cannot be read`,
    todo: `install ${session === 'Wayland' ? 'wl-clipboard' : 'xclip'}`,
  }
}

const day = (time: string | undefined) => time?.slice(0, 10) ?? 'an unknown day'
const because = (reason: string | undefined) => (reason === undefined ? '' : `: ${reason}`)
