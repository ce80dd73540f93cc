/** The sentence that a page says after a change. It is in a cookie, because an address that says it could be sent by others. */
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Texts } from '../../languages/en/catalog.ts'
import { type PageContext, showNext } from './page-env.ts'
import { readTexts } from './texts.ts'

/** Has the name of an operation. */
const cookieName = 'cardwire-done'
const cookieOptions = { prefix: 'host', path: '/', secure: true } as const
/** Seconds until the next page has to be shown. */
const maxAge = 60

/** Sends the browser to another page, as `showNext` does, which then says that the operation is done. */
export function showDone(
  context: Context,
  to: string,
  { name }: { readonly name: keyof Texts['done'] },
): Response {
  setCookie(context, cookieName, name, {
    ...cookieOptions,
    ...{ httpOnly: true, sameSite: 'Strict', maxAge },
  })
  return showNext(context, to)
}

/** The note at the start of a page, shown once. */
export const Done = ({ context }: { readonly context: PageContext }) => {
  const name = getCookie(context, cookieName, 'host')
  if (name === undefined) return null
  deleteCookie(context, cookieName, cookieOptions)
  const sentences: Readonly<Record<string, string>> = readTexts().done
  if (!Object.hasOwn(sentences, name)) return null
  return (
    <div class="done" role="status">
      <p>{sentences[name]}</p>
    </div>
  )
}
