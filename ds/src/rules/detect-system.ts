/** Detects from the headers of a request which installers suit its system. */
import type { Platform } from '@cardwire/protocol'
import Bowser from 'bowser'
import type { Machine } from './choose-package.ts'

/** The request headers that describe the system. Browsers send most hints only on request. */
export interface SystemHeaders {
  readonly userAgent: string | undefined
  /** `Sec-CH-UA-Platform`, `-Mobile`, `-Arch`, `-Bitness` (wicg.github.io/ua-client-hints). */
  readonly platform: string | undefined
  readonly mobile: string | undefined
  readonly architecture: string | undefined
  readonly bitness: string | undefined
}

/** The hints to request, in `Accept-CH`. */
export const wantedHints = [
  'Sec-CH-UA-Platform',
  'Sec-CH-UA-Mobile',
  'Sec-CH-UA-Arch',
  'Sec-CH-UA-Bitness',
]

export interface System {
  /** The installers that run there, best first; empty when the system is not detected or runs no connector. */
  readonly installers: readonly Platform[]
  /** What is known of a machine with Linux. */
  readonly machine: Machine
  /** Whether a user sees the response, who can choose from a page. */
  readonly isBrowser: boolean
}

// Installers for Intel run on Apple silicon through Rosetta, 32-bit ones on 64-bit Windows; never the other way round.
const installersFor = {
  windows64: ['WIN64', 'WIN32'],
  windows32: ['WIN32'],
  mac: ['MACOS', 'MACOSARM'],
  macArm: ['MACOSARM', 'MACOS'],
  unix: ['UNIX'],
  none: [],
} as const satisfies Record<string, readonly Platform[]>

export function detectSystem(headers: SystemHeaders): System {
  const userAgent = headers.userAgent ?? ''
  // PowerShell sends a User-Agent of Mozilla, but shows no page.
  const isBrowser = /^(Mozilla|Opera)\//.test(userAgent) && !userAgent.includes('PowerShell/')
  const kind = detectKind(headers, userAgent)
  const machine = kind === 'unix' ? detectMachine(headers, userAgent) : {}
  return { installers: installersFor[kind], machine, isBrowser }
}

/** Firefox of Fedora and Ubuntu, curl of none and `libdnf` name the distribution. */
function detectMachine({ architecture }: SystemHeaders, userAgent: string): Machine {
  const isArm = readHint(architecture) === 'arm' || /aarch64|arm64/i.test(userAgent)
  const isIntel = readHint(architecture) === 'x86' || /x86_64|amd64/i.test(userAgent)
  const isRpm = /fedora|red hat|centos|rocky|almalinux|suse|libdnf/i.test(userAgent)
  return {
    ...(isArm ? { architecture: 'arm64' as const } : isIntel && { architecture: 'x64' as const }),
    ...(isRpm
      ? { format: 'rpm' as const }
      : /debian|ubuntu/i.test(userAgent) && { format: 'deb' as const }),
  }
}

function detectKind(headers: SystemHeaders, userAgent: string): keyof typeof installersFor {
  if (headers.mobile === '?1') return 'none'
  const hinted = readHint(headers.platform)
  if (hinted === undefined) return detectFromUserAgent(userAgent)
  if (hinted === 'Windows') return readHint(headers.bitness) === '32' ? 'windows32' : 'windows64'
  if (hinted === 'macOS') return readHint(headers.architecture) === 'arm' ? 'macArm' : 'mac'
  return hinted === 'Linux' ? 'unix' : 'none'
}

function detectFromUserAgent(userAgent: string): keyof typeof installersFor {
  if (userAgent === '') return 'none'
  const { os, platform } = Bowser.parse(userAgent)
  // iPadOS sends Macintosh; only its Safari adds Mobile. Phones and tablets run no connector.
  if ((platform.type !== undefined && platform.type !== 'desktop') || /Mobile|CrOS/.test(userAgent))
    return 'none'
  if (os.name === 'Windows')
    return /Win64|WOW64|x64|amd64|arm64/i.test(userAgent) ? 'windows64' : 'windows32'
  if (os.name === 'macOS') return 'mac'
  return os.name === 'Linux' || /\b(X11|Linux|FreeBSD|OpenBSD)\b/.test(userAgent) ? 'unix' : 'none'
}

/** The text of a hint; undefined when it is absent, "" or "Unknown". */
function readHint(hint: string | undefined): string | undefined {
  const text = hint?.replaceAll('"', '')
  return text === '' || text === 'Unknown' ? undefined : text
}
