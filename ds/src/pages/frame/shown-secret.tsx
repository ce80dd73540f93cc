/** The page of a secret that the service shows only once. */
import type { Child } from 'hono/jsx'
import { type PageContent, showPage } from './layout.tsx'
import type { PageContext } from './page-env.ts'
import { Copyable } from './parts.tsx'

interface ShownSecret extends Pick<PageContent, 'title'> {
  /** The pages above; the last one comes next. */
  readonly trail: readonly { readonly to: string; readonly text: string }[]
  /** Unique in the page. */
  readonly id: string
  /** What the button to copy it does, for screen readers. */
  readonly copyLabel: string
  readonly secret: string
  /** That it is shown only now, and where to save it. */
  readonly warning: string
  /** The text of the link to the next page. */
  readonly done: string
  /** What it is for. */
  readonly children?: Child
}

export const showSecret = (
  context: PageContext,
  { title, trail, id, copyLabel, secret, warning, done, children }: ShownSecret,
): Promise<Response> =>
  showPage(context, {
    title,
    trail,
    children: (
      <>
        <div class="warning">
          <p>{warning}</p>
        </div>
        <p>
          <Copyable id={id} text={secret} label={copyLabel} />
        </p>
        {children && <p>{children}</p>}
        <p>
          <a class="button" href={trail.at(-1)?.to} data-reload="">
            {done}
          </a>
        </p>
      </>
    ),
  })
