/** Detects the browser of a request from its User-Agent and client hints. */
import Bowser from 'bowser'

export interface Browser {
  /** Its usual name; `Unknown` when it cannot be detected. */
  readonly name: string
  /** Empty when unknown. */
  readonly version: string
  readonly engine: string
  readonly os: { readonly name: string; readonly version: string }
  /** A phone or a tablet. */
  readonly mobile: boolean
  /** The client hints as they were sent, by header name in lower case. */
  readonly hints: Record<string, string>
}

// The hints of wicg.github.io/ua-client-hints §3 that a request can carry; browsers send the first three by default over TLS.
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

// No real User-Agent is longer, and regular expressions are run on it.
const maxUserAgentLength = 1000

/** `header` returns a header of the request by its name in lower case. */
export function detectBrowser(header: (name: string) => string | undefined): Browser {
  const hints = Object.fromEntries(
    hintNames.flatMap((name) => {
      const value = header(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const userAgent = (header('user-agent') ?? '').slice(0, maxUserAgentLength)
  const brands = parseBrands(hints['sec-ch-ua-full-version-list'] ?? hints['sec-ch-ua'] ?? '')
  // Bowser throws for an empty User-Agent.
  const { browser, engine, os, platform } = Bowser.parse(userAgent || '-', { brands })
  const program = parseProgram(userAgent)
  const hintedOs = unquote(hints['sec-ch-ua-platform'])
  return {
    name: program?.name ?? (browser.name || 'Unknown'),
    version: program?.version ?? browser.version ?? '',
    engine: engine.name ?? '',
    os: {
      name: chooseOsName(hintedOs, os.name, userAgent),
      version: chooseOsVersion(hintedOs, unquote(hints['sec-ch-ua-platform-version']), os.version),
    },
    mobile:
      hints['sec-ch-ua-mobile'] === '?1' ||
      platform.type === 'mobile' ||
      platform.type === 'tablet',
    hints,
  }
}

/** Programs name themselves first (RFC 9110 §10.1.5), where browsers say Mozilla or Opera. */
function parseProgram(userAgent: string) {
  const [, name, version] = /^([A-Za-z][\w-]{0,40})\/(\d[\w.-]{0,40})(?: |$)/.exec(userAgent) ?? []
  if (name === undefined || /^(Mozilla|Opera)$/.test(name)) return undefined
  return { name, version: version ?? '' }
}

function chooseOsName(
  hinted: string | undefined,
  parsed: string | undefined,
  userAgent: string,
): string {
  // iPadOS calls itself Macintosh; only there Safari adds Mobile.
  if (parsed === 'macOS' && userAgent.includes('Mobile')) return 'iOS'
  return hinted ?? parsed ?? ''
}

/** Windows and macOS no longer tell their version in the User-Agent, but in a hint. */
function chooseOsVersion(
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
const parseBrands = (list: string) =>
  [...list.matchAll(/"([^"]*)";\s*v="([^"]*)"/g)].map(([, brand = '', version = '']) => ({
    brand,
    version,
  }))

/** The text of a hint; undefined when it is empty, which browsers also write as "" and "Unknown". */
function unquote(hint: string | undefined): string | undefined {
  const text = hint?.replaceAll('"', '')
  return text === '' || text === 'Unknown' ? undefined : text
}
