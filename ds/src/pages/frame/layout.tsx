/** The frame of every page: head, the way to the screens, who is logged in. */
import { includesRole, type Role } from '@cardwire/protocol'
import { html } from 'hono/html'
import type { Child } from 'hono/jsx'
import { version } from '../../version.ts'
import { findAssetAddresses } from '../assets/assets.ts'
import { Done } from './done.tsx'
import { type NavigationLink, navigation } from './navigation.ts'
import { findBase, type PageContext, pagesPath } from './page-env.ts'
import { readTexts } from './texts.ts'

export interface PageContent {
  /** The heading of the page, and the start of its title, which goes on with the pages above. */
  readonly title: string
  /** Of the title, where it is not the language of the page. */
  readonly titleLanguage?: 'en'
  /** The pages above this one, as the administrator would go back through them. */
  readonly trail?: readonly { readonly to: string; readonly text: string }[]
  /** The screen in the navigation that this page belongs to; the first step of its path when absent. */
  readonly screen?: string
  readonly status?:
    | 200
    | 400
    | 401
    | 403
    | 404
    | 405
    | 409
    | 412
    | 413
    | 422
    | 429
    | 500
    | 502
    | 503
  readonly children?: Child
}

/** Shows a page to a user who is logged in. */
export async function showPage(context: PageContext, page: PageContent): Promise<Response> {
  const { path } = context.req
  const screen = page.screen ?? path.slice(pagesPath.length + 1).split('/')[0] ?? ''
  const { identity } = context.var
  const texts = readTexts().frame
  return showDocument(
    context,
    page,
    <div class="frame">
      <header class="side">
        <a class="unseen skip" href={`${readOwnAddress(context)}#main`}>
          {texts.skip}
        </a>
        <p class="product">Cardwire</p>
        <button type="button" class="second" popovertarget="menu">
          {texts.menu}
        </button>
        <div id="menu" popover>
          <Screens context={context} screen={screen} />
          <div class="account">
            <p>
              <a href="account" aria-current={screen === 'account' ? 'page' : undefined}>
                {identity.name}
              </a>
              <br />
              <span class="soft">{describeRole(identity.role)}</span>
            </p>
            <form method="post" action="logout">
              <button type="submit" class="second">
                {texts.signOut}
              </button>
            </form>
            <p class="soft">
              {texts.about(version)}
              <br />
              {context.var.hasDocuments && (
                <>
                  <a href="documents" aria-current={screen === 'documents' ? 'page' : undefined}>
                    {readTexts().documents.title}
                  </a>
                  <br />
                </>
              )}
              <a href="docs">{texts.api}</a>
            </p>
          </div>
        </div>
      </header>
      <main id="main" tabindex={-1}>
        {page.trail && (
          <nav class="trail" aria-label={texts.trail}>
            {page.trail.map(({ to, text }) => (
              <span>
                <a href={to || './'}>{text}</a> /{' '}
              </span>
            ))}
          </nav>
        )}
        <h1 lang={page.titleLanguage}>{page.title}</h1>
        <Done context={context} />
        {page.children}
      </main>
    </div>,
  )
}

/** The way to the screens that are for the user; `screen`: the one that is shown. */
const Screens = ({
  context,
  screen,
}: {
  readonly context: PageContext
  readonly screen: string
}) => (
  <nav aria-label={readTexts().frame.screens}>
    {navigation.map(({ group, links }) => (
      <section>
        <h2>{readTexts().frame.groups[group]}</h2>
        <ul>
          {links
            .filter((link) => isFor(context, link))
            .map(({ to, title }) => (
              <li>
                <a href={to || './'} aria-current={to === screen ? 'page' : undefined}>
                  {readTexts()[title].title}
                </a>
              </li>
            ))}
        </ul>
      </section>
    ))}
  </nav>
)

const isFor = ({ var: { identity } }: PageContext, link: NavigationLink): boolean =>
  includesRole(identity.role, link.role ?? 'viewer')

/** What the user may do: a viewer sees fewer buttons, and why. */
function describeRole(role: Role | undefined): string {
  const { noRole, roles } = readTexts().frame
  return role ? roles[role] : noRole
}

/** Shows a page without a user. */
export const showPlainPage = (context: PageContext, page: PageContent): Promise<Response> =>
  showDocument(
    context,
    page,
    <main id="main" class="narrow" tabindex={-1}>
      <p class="soft">{readTexts().frame.product}</p>
      <h1>{page.title}</h1>
      {page.children}
    </main>,
  )

async function showDocument(
  context: PageContext,
  { title, trail = [], status = 200 }: PageContent,
  body: Child,
): Promise<Response> {
  const base = findBase(context.req.path)
  const assets = await findAssetAddresses()
  const document = (
    <html lang={readTexts().locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{[title, ...trail.map(({ text }) => text).reverse(), 'Cardwire'].join(' · ')}</title>
        <base href={base} />
        <link rel="stylesheet" href={assets.style} />
        <link rel="icon" type="image/svg+xml" href={assets.icon} />
        <script src={assets.script} defer></script>
      </head>
      <body>{body}</body>
    </html>
  )
  return context.html(html`<!doctype html>${document}`, status)
}

/** The address of a page relative to its base, for links into the page itself. */
function readOwnAddress({ req }: PageContext): string {
  const { search } = new URL(req.url)
  // `./`, lest a step of the path is read as a scheme or a host.
  const own =
    req.path === pagesPath ? `..${pagesPath}` : `./${req.path.slice(pagesPath.length + 1)}`
  return own + search
}
