/** Logging in at an external identity provider: there by a link, and back with a code. */
import { Problem, type Role } from '@cardwire/protocol'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { errors } from 'jose'
import { readClientAddress } from '../../auth/authorize.ts'
import { loginCallbackPath, transactionLifetimeMs } from '../../auth/identity/authorization-code.ts'
import type { Identity, IdentityProvider } from '../../auth/identity/provider.ts'
import type { Services } from '../../services.ts'
import { ProblemNote } from '../frame/fields.tsx'
import { showPlainPage } from '../frame/layout.tsx'
import { isSafeOrigin } from '../frame/own-origin.ts'
import { type PageApp, type PageContext, pagesPath } from '../frame/page-env.ts'
import { setSessionCookie } from '../frame/session.ts'
import { readTarget } from '../frame/target.ts'
import { readTexts } from '../frame/texts.ts'

/** Where the account of an emergency signs in, below `/admin/`. */
export const breakGlassAddress = 'login/local'

type Browsers = NonNullable<IdentityProvider['browsers']>

/** The cookie of a login that is under way. Lax, because the browser comes back to it from another site. */
const cookieName = 'cardwire-login'

export function addExternalLogin(pages: PageApp, services: Services, browsers: Browsers): void {
  pages.get('/login', (context) =>
    showExternalLogin(context, services, readTarget(context.req.query('to') ?? '')),
  )

  pages.get('/login/begin', async (context) => {
    const to = readTarget(context.req.query('to') ?? '')
    // A page elsewhere would begin logins that nobody asked for.
    if (!isSafeOrigin(services.url) || context.req.header('sec-fetch-site') === 'cross-site')
      return showExternalLogin(context, services, to)
    const { address, transaction } = await browsers.login.begin(to)
    setCookie(context, cookieName, transaction, {
      prefix: 'host',
      path: '/',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: transactionLifetimeMs / 1000,
    })
    return context.redirect(address, 303)
  })

  pages.get(loginCallbackPath.slice(pagesPath.length), async (context) => {
    const sealed = getCookie(context, cookieName, 'host')
    deleteCookie(context, cookieName, { prefix: 'host', path: '/', secure: true })
    try {
      if (sealed === undefined) throw createRefusedProblem('it was begun in another browser')
      return await finish(context, services, browsers, sealed)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return showExternalLogin(context, services, '', error)
    }
  })
}

/** Begins the session of a login that comes back from the provider. Throws a problem when it is refused. */
async function finish(
  context: PageContext,
  services: Services,
  browsers: Browsers,
  sealed: string,
): Promise<Response> {
  const { search } = new URL(context.req.url)
  const callback = new URL(services.url + loginCallbackPath + search)
  const { tokens, subject, to } = await browsers.login.finish(callback, sealed)
  const identity = await identify(services, tokens.access)
  if (identity.subject !== subject) throw createRefusedProblem('it names two identities')
  const cookie = await browsers.sessions.begin(identity, tokens, {
    address: readClientAddress(services, context),
    requestId: context.get('requestId'),
    userAgent: context.req.header('user-agent') ?? '',
  })
  setSessionCookie(context, cookie)
  // Not a redirect: what another site began gets no Strict cookie. A page of this one that goes on does.
  const next = `${services.url}${pagesPath}/${to}`.replace(/\/$/, '')
  context.header('refresh', `0;url=${next}`)
  return showPlainPage(context, {
    title: readTexts().signIn.external.doneTitle,
    children: (
      <p>
        <a href={next}>{readTexts().signIn.external.next}</a>
      </p>
    ),
  })
}

async function identify(
  { identity: provider, log }: Services,
  token: string,
): Promise<Identity & { readonly role: Role }> {
  const identity = await provider.identify(token).catch((error) => {
    if (!(error instanceof errors.JOSEError)) throw error
    log.warn('token refused', { reason: error.message })
    throw createRefusedProblem('its access token is not one for this service')
  })
  const { role } = identity
  if (role !== undefined) return { ...identity, role }
  log.warn('login refused', { subject: identity.subject.slice(0, 200), field: 'role' })
  throw new Problem('role-missing', `Cannot sign in: "${identity.name}" has no role here`)
}

/** Where an administrator signs in; `url`: the address of the service, from which the provider sends browsers back. */
function showExternalLogin(
  context: PageContext,
  { url, identity: { breakGlass } }: Services,
  to: string,
  problem?: Problem,
): Promise<Response> {
  const begin = `${url}${pagesPath}/login/begin${to === '' ? '' : `?to=${encodeURIComponent(to)}`}`
  const { title, external: texts } = readTexts().signIn
  return showPlainPage(context, {
    title,
    status: problem === undefined ? 200 : 401,
    children: (
      <>
        <ProblemNote problem={problem} />
        {isSafeOrigin(url) ? (
          <>
            <p>{texts.about}</p>
            <p>
              <a href={begin}>{texts.begin}</a>
            </p>
          </>
        ) : (
          <p>{texts.plainHttp('DS_URL')}</p>
        )}
        {breakGlass && (
          <p class="soft">
            <a href={breakGlassAddress}>{texts.breakGlass}</a>
          </p>
        )}
      </>
    ),
  })
}

/** Shown after the log-out, where the provider has a session of its own. */
export function showLoggedOut(context: PageContext, address: string | undefined) {
  const { button, signedOut: texts } = readTexts().signIn
  return showPlainPage(context, {
    title: texts.title,
    children: (
      <>
        <p>{texts.about}</p>
        {address !== undefined && (
          <p>
            {texts.provider((words) => (
              <a href={address}>{words}</a>
            ))}
          </p>
        )}
        <p>
          <a href="login">{button}</a>
        </p>
      </>
    ),
  })
}

const createRefusedProblem = (reason: string) =>
  new Problem('grant-refused', `Cannot sign in: ${reason}, try again`)
