/** Which installers suit the system that asks, as far as its request tells. */
import type { Platform } from '@cardwire/client/protocol'
import Bowser from 'bowser'

/** The request headers that tell the system. Hints beyond the platform come only when they were asked for. */
export interface SystemHeaders {
  readonly userAgent: string | undefined
  /** `Sec-CH-UA-Platform`, `-Mobile`, `-Arch`, `-Bitness` (wicg.github.io/ua-client-hints). */
  readonly platform: string | undefined
  readonly mobile: string | undefined
  readonly architecture: string | undefined
  readonly bitness: string | undefined
}

/** The hints to ask for. */
export const wantedHints = [
  'Sec-CH-UA-Platform',
  'Sec-CH-UA-Mobile',
  'Sec-CH-UA-Arch',
  'Sec-CH-UA-Bitness',
]

export interface System {
  /** The installers that run there, best first; empty when it cannot be told or nothing runs there. */
  readonly installers: readonly Platform[]
  /** Whether a person is looking, who can choose from a page. */
  readonly isBrowser: boolean
}

// Installers for Intel run on Apple silicon through Rosetta, 32-bit ones on 64-bit Windows; never the other way round.
const suitable = {
  windows64: ['WIN64', 'WIN32'],
  windows32: ['WIN32'],
  mac: ['MACOS', 'MACOSARM'],
  macArm: ['MACOSARM', 'MACOS'],
  unix: ['UNIX'],
  none: [],
} as const satisfies Record<string, readonly Platform[]>

export function systemOf(headers: SystemHeaders): System {
  const userAgent = headers.userAgent ?? ''
  // PowerShell calls itself Mozilla, but nobody looks at what it fetches.
  const isBrowser = /^(Mozilla|Opera)\//.test(userAgent) && !userAgent.includes('PowerShell/')
  return { installers: suitable[kindOf(headers, userAgent)], isBrowser }
}

function kindOf(headers: SystemHeaders, userAgent: string): keyof typeof suitable {
  if (headers.mobile === '?1') return 'none'
  const hinted = unquote(headers.platform)
  if (hinted === undefined) return fromUserAgent(userAgent)
  if (hinted === 'Windows') return unquote(headers.bitness) === '32' ? 'windows32' : 'windows64'
  if (hinted === 'macOS') return unquote(headers.architecture) === 'arm' ? 'macArm' : 'mac'
  return hinted === 'Linux' ? 'unix' : 'none'
}

function fromUserAgent(userAgent: string): keyof typeof suitable {
  if (userAgent === '') return 'none'
  const { os, platform } = Bowser.parse(userAgent)
  // iPadOS says Macintosh; only Safari there adds Mobile. Phones and tablets run no connector.
  if ((platform.type !== undefined && platform.type !== 'desktop') || /Mobile|CrOS/.test(userAgent))
    return 'none'
  if (os.name === 'Windows')
    return /Win64|WOW64|x64|amd64|arm64/i.test(userAgent) ? 'windows64' : 'windows32'
  if (os.name === 'macOS') return 'mac'
  return os.name === 'Linux' || /\b(X11|Linux|FreeBSD|OpenBSD)\b/.test(userAgent) ? 'unix' : 'none'
}

/** The text of a hint; undefined when it says nothing, which browsers also spell "" and "Unknown". */
function unquote(hint: string | undefined): string | undefined {
  const text = hint?.replaceAll('"', '')
  return text === '' || text === 'Unknown' ? undefined : text
}
