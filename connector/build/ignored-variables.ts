/**
 * Makes a program of Bun ignore its variables. With them, anyone who sets the environment of our program, which a user also does
 * for what Windows elevates, runs any code as it: `BUN_BE_BUN=1` makes it an interpreter, `BUN_OPTIONS` and
 * `BUN_INSPECT_PRELOAD` load files, `BUN_INSPECT` opens a debugger. The compiler of Bun 1.4.5 has no option against it.
 *
 * Each name gets a zero in the place of its first character. No variable has such a name: getenv(3) finds nothing under an
 * empty one, and no environment holds a zero inside a name.
 */

const prefix = Buffer.from('BUN_')

/** Those that have been seen to run code. A Bun that has one of them in another form needs another look. */
const dangerous = [
  'BUN_BE_BUN',
  'BUN_INSPECT',
  'BUN_INSPECT_CONNECT_TO',
  'BUN_INSPECT_PRELOAD',
  'BUN_OPTIONS',
]

/** The sandbox needs it: it turns off a timer, and nothing else. */
const kept = 'BUN_GC_TIMER_DISABLE'

/** A copy that ignores every variable of Bun, but for that one and options of the engine (`BUN_JSC_`). Throws when it has them in another form. */
export function ignoreVariables(program: Uint8Array): Buffer<ArrayBuffer> {
  const changed = Buffer.from(program)
  const found = new Set<string>()
  for (let at = changed.indexOf(prefix); at >= 0; at = changed.indexOf(prefix, at + 1)) {
    const name = readName(changed, at)
    if (name === undefined || name === kept) continue
    found.add(name)
    changed[at] = 0
  }
  const missing = dangerous.filter((name) => !found.has(name))
  if (missing.length > 0)
    throw new Error(`Cannot make the program ignore ${missing.join(', ')}: it has no such name`)
  return changed
}

/**
 * The name that begins there; undefined: other text, such as source code. Names end with a zero, and begin after one, or after
 * another name: the table of those with a number as their value has no zeros between them.
 */
function readName(program: Buffer, at: number): string | undefined {
  const [from, to] = [findEnd(program, at, -1), findEnd(program, at, 1)]
  return program[from] === 0 && program[to] === 0 ? program.toString('latin1', at, to) : undefined
}

/** The first place from there that is not a capital letter, a digit or an underscore. */
function findEnd(program: Buffer, start: number, step: 1 | -1): number {
  let at = start
  while (isOfName(program[at])) at += step
  return at
}

const isOfName = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x41 && byte <= 0x5a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f)
