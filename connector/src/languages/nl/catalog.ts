/** All texts in Dutch. */
import type { Catalog } from '../en/catalog.ts'
import { dialogs } from './dialogs.ts'
import { findings, remedies } from './findings.ts'
import { page } from './page.ts'

export const nl: Catalog = { dialogs, page, findings, remedies }
