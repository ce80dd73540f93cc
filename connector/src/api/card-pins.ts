/** PINs of cards, by what they are known by and by how they end. No PIN is here. */
import { Problem, type ProblemName } from '@cardwire/protocol/problem'
import type { DescribedKey, DescribedModule } from '../sandbox/card-modules/card-module.ts'

/** The same for all keys of a card that have one PIN, with one counter of attempts. */
export const toPinName = (
  { id }: Pick<DescribedModule, 'id'>,
  { pin }: Pick<DescribedKey, 'pin'>,
): string => `${id} ${pin?.counter ?? pin?.reference}`

const refusals: ReadonlySet<ProblemName> = new Set(['pin-wrong', 'pin-blocked', 'pin-invalid'])

/** Whether a card has refused the PIN that it was sent. By some statuses it does not say that the PIN is wrong. */
export const isRefusedPin = (error: unknown): error is Problem =>
  error instanceof Problem && refusals.has(error.name) && !error.extras.isPinUnsent
