/** All texts in English; the other languages have the same. */
import { dialogs } from './dialogs.ts'
import { findings, remedies } from './findings.ts'
import { page } from './page.ts'

export const en = { dialogs, page, findings, remedies }

export type Catalog = typeof en
