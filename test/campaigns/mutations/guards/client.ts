/** Guards of the client library. */
import type { Guard, Unguarded } from '../guard.ts'

export const clientGuards: readonly Guard[] = []

export const unguardedClient: Unguarded = {}
