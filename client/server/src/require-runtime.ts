/** The runtimes that this package is for. */

/** Throws where the runtime is too old: later it would fail in the middle of a check. */
export function requireRuntime(): void {
  if (typeof Promise.withResolvers === 'function') return
  throw new Error('@cardwire/server needs Node 22 or newer, Bun, Deno 2 or Workers')
}
