/** Finds what takes more than linear time in a request, with the texts that are worst for a parser. */
import { measureProcessorMs } from './processor-time.ts'

/** Node and Bun take no header that is larger. */
const largest = 15_000

/** Texts of `size` characters, each of which a pattern or a loop may go through again and again. */
const patterns: Readonly<Record<string, (size: number) => string>> = {
  letters: (size) => 'a'.repeat(size),
  digits: (size) => '1'.repeat(size),
  labels: (size) => repeat('a.', size),
  'an origin of labels': (size) => `https://${repeat('a.', size)}`,
  'an origin of escapes': (size) => `https://${repeat('%c3%a4', size)}`,
  'labels in punycode': (size) => repeat('xn--4ca.', size),
  'an origin of ports': (size) => `https://a${repeat(':1', size)}`,
  commas: (size) => repeat('a,', size),
  'entity tags': (size) => repeat('"a", ', size),
  parameters: (size) => repeat('a;q=0.1,', size),
  cookies: (size) => repeat('a=b; ', size),
  quotes: (size) => '"'.repeat(size),
  brands: (size) => repeat('"a";v="1",', size),
  spaces: (size) => `a${' '.repeat(size)}a`,
  'a bearer and spaces': (size) => `Bearer ${' '.repeat(size)} a b`,
  'a bearer of parts': (size) => `Bearer ${repeat('a.', size)}`,
  'a bearer of deep JSON': (size) => `Bearer ${btoa('['.repeat(size / 2))}.a.a`,
  'a bearer of letters': (size) => `Bearer ${'a'.repeat(size)}!`,
  slashes: (size) => `${'/'.repeat(size)}a`,
  'a browser of many names': (size) => `Mozilla/5.0 (${repeat('Android ', size)}`,
  'a browser of many versions': (size) => `Mozilla/5.0 ${repeat('Chrome/1.', size)}`,
  brackets: (size) => `[${']:1'.repeat(size / 3)}`,
  addresses: (size) => repeat('192.0.2.1, ', size),
  'parts of a range': (size) => `bytes=${repeat('0-1,', size)}`,
  'a version': (size) => `1.1.1-${repeat('1.', size)}!`,
}

const repeat = (text: string, size: number) => text.repeat(Math.floor(size / text.length))

/** The headers that the programs read before they know who asks, and those that servers read in their name. */
export const headerNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'access-control-request-headers',
  'apikey',
  'authorization',
  'content-type',
  'cookie',
  'forwarded',
  'host',
  'if-match',
  'if-none-match',
  'if-range',
  'origin',
  'range',
  'sec-ch-ua',
  'sec-ch-ua-arch',
  'sec-ch-ua-bitness',
  'sec-ch-ua-full-version-list',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
  'x-csrf-token',
  'x-forwarded-for',
  'x-pace-pin',
  'x-t1c-billing-tag',
] as const

export interface CostlyRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

type Create = (text: string) => CostlyRequest

/** Each header, the path and the query of each of these paths, as a function of the hostile text. */
function listPlaces(paths: readonly string[]): readonly (readonly [string, Create])[] {
  return paths.flatMap((path) => [
    ...headerNames.map(
      (name) =>
        [`${name} of ${path}`, (text: string) => ({ path, headers: { [name]: text } })] as const,
    ),
    [
      `the path below ${path}`,
      (text: string) => ({ path: `${path}/${text.replaceAll(/[^\w/.%-]/g, '/')}`, headers: {} }),
    ] as const,
    [
      `the query of ${path}`,
      (text: string) => ({ path: `${path}?${text.replaceAll(/[^\w.%]/g, '&a=')}`, headers: {} }),
    ] as const,
    ...['version', 'os', 'architecture', 'to', 'ttl', 'filter'].map(
      (name) =>
        [
          `${name} in the query of ${path}`,
          (text: string) => ({ path: `${path}?${name}=${encodeURIComponent(text)}`, headers: {} }),
        ] as const,
    ),
  ])
}

/** Below this at its largest size, it does not matter how the time grows. */
const enoughMs = 5

/** Four times the size: linear time has a ratio of 4, quadratic time one of 16. */
const maxRatio = 9

/**
 * What takes longer than 5 ms of the processor at its largest size and more than linear time, by its place and pattern. Only the
 * quickest of several counts. The programs run in this process.
 */
export async function findCostly(
  paths: readonly string[],
  send: (request: CostlyRequest) => Promise<unknown>,
): Promise<readonly string[]> {
  const costly: string[] = []
  for (const [place, create] of listPlaces(paths))
    costly.push(...(await findCostlyPatterns(place, largest, (text) => send(create(text)))))
  return costly
}

/** The patterns that take longer than 5 ms at this size, in characters, and more than linear time. */
export async function findCostlyPatterns(
  place: string,
  size: number,
  run: (text: string) => unknown,
): Promise<readonly string[]> {
  const costly: string[] = []
  for (const [pattern, write] of Object.entries(patterns)) {
    const measure = (text: string, times: number) => measureQuickest(() => run(text), times)
    const text = write(size)
    if ((await measure(text, 1)) < enoughMs) continue
    if ((await measure(text, 5)) < enoughMs) continue
    const ratio = (await measure(text, 5)) / (await measure(write(size / 4), 5))
    if (ratio > maxRatio) costly.push(`${place}, ${pattern}: ${ratio.toFixed(1)}`)
  }
  return costly
}

async function measureQuickest(run: () => unknown, times: number): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time += 1)
    quickest = Math.min(quickest, await measureProcessorMs(run))
  return quickest
}
