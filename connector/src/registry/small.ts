/** What keeps the registry small: it waits most of the time, and whoever has no page open pays for it too. */

/**
 * Variables of JavaScriptCore: without its compilers it has 7 MB less with fifty APIs (measured). Not `useJIT`: without
 * that nothing can ask the system whose a connection is, for bun:ffi compiles its calls.
 */
export const withoutCompilers = { BUN_JSC_useBaselineJIT: '0', BUN_JSC_useDFGJIT: '0' } as const
