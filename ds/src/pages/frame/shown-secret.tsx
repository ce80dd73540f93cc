/** The page of a secret that the service shows only once. */
import type { Child } from 'hono/jsx'
import { type PageContent, showPage } from './layout.tsx'
import type { PageContext } from './page-env.ts'
import { Copyable } from './parts.tsx'

interface ShownSecret extends Pick<PageContent, 'title'> {
  /** The pages above; the last one comes next. */
  readonly trail: readonly { readonly to: string; readonly text: string }[]
  /** What it is: `key`, `password`. */
  readonly kind: string
  /** Unique in the page. */
  readonly id: string
  /** What the button to copy it calls it. */
  readonly name: string
  readonly secret: string
  /** What the service keeps of it, and where to put it. */
  readonly warning: string
  /** What it is for. */
  readonly children?: Child
}

export const showSecret = (
  context: PageContext,
  { title, trail, kind, id, name, secret, warning, children }: ShownSecret,
): Promise<Response> =>
  showPage(context, {
    title,
    trail,
    children: (
      <>
        <div class="warning">
          <p>
            This is the only time the {kind} is shown: {warning}
          </p>
        </div>
        <p>
          <Copyable id={id} text={secret} name={name} />
        </p>
        {children && <p>{children}</p>}
        <p>
          <a class="button" href={trail.at(-1)?.to}>
            I have stored the {kind}
          </a>
        </p>
      </>
    ),
  })
