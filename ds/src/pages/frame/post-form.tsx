/** A form that changes something. */
import type { PropsWithChildren } from 'hono/jsx'
import { readTexts } from './texts.ts'

export const PostForm = ({
  to,
  button,
  isDangerous = false,
  cancel,
  cancelText = readTexts().frame.cancel,
  etag,
  children,
}: PropsWithChildren<{
  /** Where it goes, below `/admin/`. */
  readonly to: string
  /** The text of its button. */
  readonly button: string
  readonly isDangerous?: boolean
  /** Where the link beside the button leads; there is none when absent. */
  readonly cancel?: string
  /** The text of that link. */
  readonly cancelText?: string
  /** The ETag of what the form shows. */
  readonly etag?: string | undefined
}>) => (
  <form method="post" action={to}>
    {children}
    {etag !== undefined && <input type="hidden" name="etag" value={etag} />}
    <div class="actions">
      <button type="submit" class={isDangerous ? 'danger' : undefined}>
        {button}
      </button>
      {cancel !== undefined && <a href={cancel}>{cancelText}</a>}
    </div>
  </form>
)
