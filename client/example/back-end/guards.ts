/** Middleware that refuses other sites: requests under another host name, and requests from another page. */
import { createMiddleware } from 'hono/factory'

export function createGuards(origin: string) {
  const { host } = new URL(origin)
  return {
    /** A request under another host name is of another site whose name leads to this machine (DNS rebinding). */
    requireOwnHost: createMiddleware(async (context, next) => {
      if (context.req.header('host') === host) return next()
      return context.text(`Cannot use this host name: open ${origin}`, 421)
    }),

    /** Browsers set the header that names the site of a request; pages cannot (www.w3.org/TR/fetch-metadata). */
    requireOwnPage: createMiddleware(async (context, next) => {
      const from = context.req.header('origin')
      const own = context.req.header('sec-fetch-site') === 'same-origin'
      if (own && (from === undefined || from === origin)) return next()
      return context.text(`Cannot accept this request: send it from ${origin}`, 403)
    }),
  }
}
