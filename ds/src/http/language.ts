/** The language of a page: the one that was chosen in this browser, else the first that the browser asks for and we have. */
import type { Context } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import { type DetectorOptions, detectFromCookie, detectFromHeader } from 'hono/language'
import { type Language, languages } from '../languages/catalogs.ts'

const cookieName = 'language'
const cookieOptions = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict' } as const
const yearS = 31_536_000

const detection: DetectorOptions = {
  supportedLanguages: [...languages],
  fallbackLanguage: 'en',
  order: ['cookie', 'header'],
  lookupCookie: cookieName,
  lookupFromHeaderKey: 'accept-language',
  lookupQueryString: '',
  lookupFromPathIndex: 0,
  caches: false,
  ignoreCase: true,
}

export const isLanguage = (text: string | undefined): text is Language =>
  languages.some((language) => language === text)

/** The language that was chosen in this browser. */
export function findChosenLanguage(context: Context): Language | undefined {
  const chosen = detectFromCookie(context, detection)
  return isLanguage(chosen) ? chosen : undefined
}

export function findLanguage(context: Context): Language {
  const detected = detectFromHeader(context, detection)
  return findChosenLanguage(context) ?? (isLanguage(detected) ? detected : 'en')
}

/** Remembers the language in the browser; undefined: the browser's own languages decide again. */
export function rememberLanguage(context: Context, language: Language | undefined): void {
  if (language === undefined) deleteCookie(context, cookieName, cookieOptions)
  else setCookie(context, cookieName, language, { ...cookieOptions, maxAge: yearS })
}
