/** How much work a PDF of a stranger may cause. Revisions of one file share a budget. */
import { tooLargePdf } from './pdf-error.ts'

const limits = {
  /** Objects that are read or compared, each with its members: a string counts as three, a dictionary as five. */
  objects: 4_000_000,
  /** Entries of cross-reference tables. */
  entries: 4_000_000,
  /** Bytes that compressed streams have when they are unpacked. */
  unpacked: 128 * 1024 * 1024,
  /** Bytes that are hashed, once for each signature. */
  signed: 1024 * 1024 * 1024,
} as const

type Kind = keyof typeof limits

/** Takes from what is left; throws `pdf-too-large` when it is used up. */
export type Budget = (kind: Kind, amount: number) => void

export function createBudget(): Budget {
  const left: Record<Kind, number> = { ...limits }
  return (kind, amount) => {
    left[kind] -= amount
    if (left[kind] < 0) throw tooLargePdf(`it has more than ${limits[kind]} ${words[kind]}`)
  }
}

const words: Readonly<Record<Kind, string>> = {
  objects: 'objects',
  entries: 'cross-reference entries',
  unpacked: 'bytes in compressed streams',
  signed: 'bytes in all its signed revisions',
}
