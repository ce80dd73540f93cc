/** Sessions of the page: an address that works once is exchanged for a cookie, so that other accounts of this machine get nothing. */
import { createHash, randomBytes, timingSafeEqual, type X509Certificate } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'

/** What is known of one browser. */
export interface Session {
  /** What its page was given last, to have it signed by a card; taken out when it is used. */
  nonce?: { readonly value: string; readonly expires: number }
  /** The certificate with which a user has signed in. */
  user?: X509Certificate
  /** A PDF that waits for the signature of this certificate (DER); taken out when it comes. */
  prepared?: { readonly state: Uint8Array; readonly certificate: Uint8Array }
  /** The order with the user's signature. */
  signedPdf?: Uint8Array<ArrayBuffer>
}

/** What a route finds in its context, behind `requireSession`. */
export interface SessionEnv {
  readonly Variables: { readonly session: Session }
}

export interface SessionOptions {
  /** The origin of the page. */
  readonly origin: string
  /** Receives the address that starts the next session: at once, and whenever one was used. It is a secret. */
  readonly onAddress: (address: string) => void
  /** Whether the address is in the terminal of who opens the page. */
  readonly forDeveloper: boolean
}

/** Browsers that can be open at once; another one ends the session that began first. */
const maxSessions = 20
const secretBytes = 32

/** In an application of yours, sessions begin when a user has logged in. Here they last until the back end ends. */
export function createSessions({ origin, onAddress, forDeveloper }: SessionOptions) {
  const { port, protocol } = new URL(origin)
  const isHttps = protocol === 'https:'
  // A cookie goes to every port of a host: another example has another name.
  const cookie = isHttps ? '__Host-cardwire-example' : `cardwire-example-${port || '80'}`
  const sessions = new Map<string, Session>()
  let key = ''

  function makeKey(): void {
    key = randomSecret()
    onAddress(`${origin}/?key=${key}`)
  }

  function start(context: Context): void {
    const session = randomSecret()
    const [oldest] = sessions.keys()
    if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest)
    sessions.set(hash(session).toString('hex'), {})
    setCookie(context, cookie, session, {
      path: '/',
      httpOnly: true,
      sameSite: 'Strict',
      // Over http the page is on this machine, where no browser needs it and some do not keep it.
      secure: isHttps,
    })
  }

  const findSession = (context: Context) =>
    sessions.get(hash(getCookie(context, cookie) ?? '').toString('hex'))

  const refuse = (context: Context) => {
    context.header('cache-control', 'no-store')
    return context.text(
      forDeveloper
        ? 'You have no session. Open the most recent URL from npm start'
        : 'You have no session. Sign in, then open this page again',
      401,
    )
  }

  makeKey()
  return {
    /** Answers the address with a key: it starts a session, and leads to the page. */
    acceptKey: createMiddleware(async (context, next) => {
      const given = context.req.query('key')
      if (context.req.path !== '/' || given === undefined) return next()
      const isNew = timingSafeEqual(hash(given), hash(key))
      // The address of this browser may be in its history.
      if (!isNew && !findSession(context)) return refuse(context)
      if (isNew) {
        start(context)
        makeKey()
      }
      context.header('cache-control', 'no-store')
      return context.redirect('/', 303)
    }),

    requireSession: createMiddleware<SessionEnv>(async (context, next) => {
      const session = findSession(context)
      if (!session) return refuse(context)
      context.set('session', session)
      return next()
    }),
  }
}

const randomSecret = () => randomBytes(secretBytes).toString('base64url')
const hash = (secret: string) => createHash('sha256').update(secret).digest()
