/** The language of a page: the one that was chosen in this browser, else the first that the browser asks for and we have. */
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { languageDetector } from 'hono/language'
import { type Language, languages } from '../../languages/catalogs.ts'

const cookieName = 'language'

/** Sets `language` of the request. */
export const detectLanguage = (): MiddlewareHandler =>
  languageDetector({
    supportedLanguages: languages,
    fallbackLanguage: 'en',
    order: ['cookie', 'header'],
    lookupCookie: cookieName,
    caches: false,
  })

const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const
const yearS = 31_536_000

export const isLanguage = (text: string | undefined): text is Language =>
  languages.some((language) => language === text)

/** The language that was chosen in this browser. */
export function findChosenLanguage(context: Context): Language | undefined {
  const chosen = getCookie(context, cookieName)
  return isLanguage(chosen) ? chosen : undefined
}

/** Remembers the language in the browser; undefined: the browser's own again. */
export function rememberLanguage(context: Context, language: Language | undefined): void {
  if (language === undefined) deleteCookie(context, cookieName, cookieOptions)
  else setCookie(context, cookieName, language, { ...cookieOptions, maxAge: yearS })
}
