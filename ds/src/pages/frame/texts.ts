/** The texts in the language of the request. */
import { tryGetContext } from 'hono/context-storage'
import { catalogs } from '../../languages/catalogs.ts'
import type { Texts } from '../../languages/en/catalog.ts'
import type { PageEnv } from './page-env.ts'

/** In English outside a request. */
export const readTexts = (): Texts => catalogs[tryGetContext<PageEnv>()?.var.language ?? 'en']
