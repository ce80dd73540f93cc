/** The texts in the language of the request. */
import { tryGetContext } from 'hono/context-storage'
import { en, type Texts } from '../../languages/en/catalog.ts'
import type { PageEnv } from './page-env.ts'

/** In English outside a request. */
export const readTexts = (): Texts => tryGetContext<PageEnv>()?.var.texts ?? en
