/** Who may ask: this page, under its own name, and no other site that the person has open. */
import { createMiddleware } from 'hono/factory'

export function guards(origin: string) {
  const { host } = new URL(origin)
  return {
    /** Another name that leads to this machine is another site (DNS rebinding). */
    ownHost: createMiddleware(async (context, next) => {
      if (context.req.header('host') === host) return next()
      return context.text(`Cannot answer under this name: open ${origin}`, 421)
    }),

    /** Browsers say where a request comes from, and let no page say it (www.w3.org/TR/fetch-metadata). */
    ownPage: createMiddleware(async (context, next) => {
      const from = context.req.header('origin')
      const own = context.req.header('sec-fetch-site') === 'same-origin'
      if (own && (from === undefined || from === origin)) return next()
      return context.text(`Cannot answer: ask from ${origin}`, 403)
    }),
  }
}
