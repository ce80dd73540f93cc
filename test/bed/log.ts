/** Logs for tests: one that keeps its lines, and one that keeps nothing. */

type Write = (event: string, fields?: Readonly<Record<string, unknown>>) => void

export interface Log {
  readonly debug: Write
  readonly info: Write
  readonly warn: Write
  readonly error: Write
}

/** A log whose lines, with their level and fields, are put into `lines`. */
export function createLog(lines: string[]): Log {
  const at =
    (level: string): Write =>
    (event, fields = {}) =>
      void lines.push(`${level} ${event} ${JSON.stringify(fields)}`)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

const ignore = () => undefined
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
