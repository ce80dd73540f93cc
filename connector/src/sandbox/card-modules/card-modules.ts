/** The card modules of this connector. */
import { beid } from './beid.ts'
import type { CardModule } from './card-module.ts'
import { emv } from './emv.ts'
import { openpgp } from './openpgp.ts'
import { piv } from './piv.ts'

/** In the order in which a card is tried. */
export const cardModules: readonly CardModule[] = [piv, beid, openpgp, emv]

export const findCardModule = (id: string): CardModule | undefined =>
  cardModules.find((module) => module.id === id)
