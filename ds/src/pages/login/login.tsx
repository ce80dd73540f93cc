/** Logging in and out. */
import { Problem } from '@cardwire/protocol'
import { readClientAddress } from '../../auth/authorize.ts'
import type { EmbeddedProvider } from '../../auth/identity/provider.ts'
import { devices } from '../../db/schema.ts'
import type { Services } from '../../services.ts'
import { Field } from '../frame/fields.tsx'
import { readPublicForm } from '../frame/form.ts'
import { showPlainPage } from '../frame/layout.tsx'
import { isOpenedSafely, keepsCookies } from '../frame/own-origin.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { PostForm } from '../frame/post-form.tsx'
import { deleteSessionCookie, endSession, findSession, setSessionCookie } from '../frame/session.ts'
import { readTarget } from '../frame/target.ts'
import { readTexts } from '../frame/texts.ts'
import { addExternalLogin, breakGlassAddress, showLoggedOut } from './external-login.tsx'

/** These screens need no session. */
export function addLogin(pages: PageApp, services: Services): void {
  const { embedded, breakGlass, browsers } = services.identity
  if (embedded) addPasswordLogin(pages, services, embedded, 'login')
  else if (browsers) addExternalLogin(pages, services, browsers)
  else pages.get('/login', showNoLogin)
  if (breakGlass) addPasswordLogin(pages, services, breakGlass, breakGlassAddress)

  pages.post('/logout', async (context) => {
    const session = await findSession(context, services)
    if (session) await endSession(session, services)
    deleteSessionCookie(context)
    if (!browsers) return showNext(context, 'login')
    return showLoggedOut(context, await browsers.login.findEndAddress())
  })
}

/** At the provider that is part of the service. */
function addPasswordLogin(
  pages: PageApp,
  services: Services,
  provider: Pick<EmbeddedProvider, 'logInBrowser'>,
  address: string,
): void {
  pages.get(`/${address}`, async (context) => {
    const to = context.req.query('to') ?? ''
    if (!isOpenedSafely(context)) return showPlainHttp(context)
    if (await findSession(context, services)) return showNext(context, readTarget(to))
    return showLogin(context, { address, to })
  })

  pages.post(`/${address}`, async (context) => {
    const form = await readPublicForm(context)
    // As long as the token endpoint takes them: what is cut off is no name and no password of anybody.
    const [name, to] = [form.text('username').slice(0, 200), form.text('to')]
    if (!keepsCookies(context)) return showPlainHttp(context)
    const from = {
      address: readClientAddress(services, context),
      requestId: context.get('requestId'),
      userAgent: context.req.header('user-agent') ?? '',
    }
    try {
      const code = form.text('code').replaceAll(' ', '').slice(0, 40) || undefined
      const credentials = { name, password: form.secret('password').slice(0, 1024), code }
      const { cookie, recovered } = await provider.logInBrowser(credentials, from)
      // A browser that logs in again has no use for what it had.
      const earlier = await findSession(context, services)
      if (earlier) await services.browserSessions.end(earlier)
      setSessionCookie(context, cookie)
      if (recovered) return showNext(context, 'account')
      if (to === '' && !(await hasDevice(services))) return showNext(context, 'first-use')
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return showLogin(context, {
        address,
        name,
        to,
        reason: explain(error, form.text('code') !== ''),
      })
    }
    return showNext(context, readTarget(to))
  })
}

/** Whether a connector has registered: until then an administrator needs the first steps, whatever else there is. */
const hasDevice = async ({ db }: Services) =>
  (await db.select({ id: devices.id }).from(devices).limit(1)).length > 0

/** Without the form: a password that is typed here has been sent before anything can refuse it. */
const showPlainHttp = (context: PageContext): Promise<Response> =>
  showPlainPage(context, {
    title: readTexts().signIn.title,
    status: 401,
    children: <p>{readTexts().signIn.plainHttp}</p>,
  })

function explain({ name, message }: Problem, isCodeSent: boolean): string {
  const texts = readTexts().signIn
  if (name === 'second-factor-required') return texts.codeMissing
  if (name !== 'grant-refused') return `${message}.`
  return isCodeSent ? texts.wrongCode : texts.wrongPassword
}

/** Where tokens of an external provider are accepted, and no client is set by which browsers get them. */
const showNoLogin = (context: PageContext): Promise<Response> =>
  showPlainPage(context, {
    title: readTexts().signIn.title,
    status: 403,
    children: <p>{readTexts().signIn.noClient('DS_IDP_CLIENT_ID')}</p>,
  })

function showLogin(
  context: PageContext,
  {
    address,
    name = '',
    to,
    reason,
  }: {
    /** Where the form goes. */
    readonly address: string
    readonly name?: string
    readonly to: string
    readonly reason?: string
  },
) {
  const texts = readTexts().signIn
  return showPlainPage(context, {
    title: texts.title,
    status: reason === undefined ? 200 : 401,
    children: (
      <PostForm to={address} button={texts.button}>
        {reason !== undefined && (
          <div class="error" role="alert">
            <p>{reason}</p>
          </div>
        )}
        <input type="hidden" name="to" value={to} />
        <Field
          name="username"
          label={texts.userName}
          value={name}
          autocomplete="username"
          autofocus={name === ''}
          required
        />
        <Field
          name="password"
          label={texts.password}
          type="password"
          autocomplete="current-password"
          autofocus={name !== ''}
          required
        />
        <Field
          name="code"
          label={texts.code}
          hint={texts.codeHint}
          autocomplete="one-time-code"
          maxlength={40}
        />
      </PostForm>
    ),
  })
}
