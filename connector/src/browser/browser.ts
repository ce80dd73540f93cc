/** The browser that asks, as its request describes it. */
import Bowser from 'bowser'

export interface Browser {
  /** As people call it; `Unknown` when it cannot be told. */
  readonly name: string
  /** Empty when it is not said. */
  readonly version: string
  readonly engine: string
  readonly os: { readonly name: string; readonly version: string }
  /** A phone or a tablet. */
  readonly mobile: boolean
  /** The client hints as they were sent, by header name in lower case. */
  readonly hints: Record<string, string>
}

// The hints of wicg.github.io/ua-client-hints §3 that a request can carry; the first three come unasked, over TLS.
const hintNames = [
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-ch-ua-platform-version',
  'sec-ch-ua-full-version-list',
  'sec-ch-ua-arch',
  'sec-ch-ua-bitness',
  'sec-ch-ua-model',
  'sec-ch-ua-wow64',
  'sec-ch-ua-form-factors',
]

// A User-Agent of this length is none, and what is measured by expressions should be short.
const longestUserAgent = 1000

/** `header` answers with a header of the request, by its name in lower case. */
export function browserOf(header: (name: string) => string | undefined): Browser {
  const hints = Object.fromEntries(
    hintNames.flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const userAgent = (header('user-agent') ?? '').slice(0, longestUserAgent)
  const brands = brandsOf(hints['sec-ch-ua-full-version-list'] ?? hints['sec-ch-ua'] ?? '')
  // Bowser throws at an empty one.
  const { browser, engine, os, platform } = Bowser.parse(userAgent || '-', { brands })
  const program = programOf(userAgent)
  const hintedOs = unquote(hints['sec-ch-ua-platform'])
  return {
    name: program?.name ?? (browser.name || 'Unknown'),
    version: program?.version ?? browser.version ?? '',
    engine: engine.name ?? '',
    os: {
      name: osName(hintedOs, os.name, userAgent),
      version: osVersion(hintedOs, unquote(hints['sec-ch-ua-platform-version']), os.version),
    },
    mobile:
      hints['sec-ch-ua-mobile'] === '?1' ||
      platform.type === 'mobile' ||
      platform.type === 'tablet',
    hints,
  }
}

/** Programs name themselves first (RFC 9110 §10.1.5), where browsers say Mozilla or Opera. */
function programOf(userAgent: string) {
  const [, name, version] = /^([A-Za-z][\w-]{0,40})\/(\d[\w.-]{0,40})(?: |$)/.exec(userAgent) ?? []
  if (name === undefined || /^(Mozilla|Opera)$/.test(name)) return undefined
  return { name, version: version ?? '' }
}

function osName(hinted: string | undefined, parsed: string | undefined, userAgent: string): string {
  // iPadOS calls itself Macintosh; only there Safari adds Mobile.
  if (parsed === 'macOS' && userAgent.includes('Mobile')) return 'iOS'
  return hinted ?? parsed ?? ''
}

/** Windows and macOS no longer tell their version in the User-Agent, but in a hint. */
function osVersion(
  os: string | undefined,
  hinted: string | undefined,
  parsed: string | undefined,
): string {
  if (hinted === undefined) return parsed ?? ''
  if (os !== 'Windows') return hinted
  // Windows 11 begins at 13; 0 is Windows 8.1 and older (learn.microsoft.com, "Detect Windows 11 using UA-CH").
  const major = Number.parseInt(hinted, 10)
  if (major >= 13) return '11'
  return major > 0 ? '10' : (parsed ?? '')
}

/** The brands of a list such as `"Chromium";v="142", "Google Chrome";v="142"`. */
const brandsOf = (list: string) =>
  [...list.matchAll(/"([^"]*)";\s*v="([^"]*)"/g)].map(([, brand = '', version = '']) => ({
    brand,
    version,
  }))

/** The text of a hint; undefined when it says nothing, which browsers also spell "" and "Unknown". */
function unquote(hint: string | undefined): string | undefined {
  const text = hint?.replaceAll('"', '')
  return text === '' || text === 'Unknown' ? undefined : text
}
