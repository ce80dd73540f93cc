/** Environment variables that keep the registry small: it runs for every user, also without a page open. */

/**
 * Options of JavaScriptCore: without its compilers the process uses 7 MB less with fifty agents (measured). `useJIT` stays
 * on: bun:ffi compiles its calls, and the lookup of a connection's owner needs them.
 */
export const lowMemoryFlags = { BUN_JSC_useBaselineJIT: '0', BUN_JSC_useDFGJIT: '0' } as const
