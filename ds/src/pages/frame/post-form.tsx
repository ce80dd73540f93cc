/** A form that changes something. */
import type { PropsWithChildren } from 'hono/jsx'
import type { Form } from './form.ts'
import { readTexts } from './texts.ts'

export const PostForm = ({
  to,
  button,
  isDangerous = false,
  cancel,
  cancelText = readTexts().frame.cancel,
  etag,
  mayEdit = false,
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
  /** Whether the form repeats what another one has: a second button leads back to that one. */
  readonly mayEdit?: boolean
}>) => (
  <form method="post" action={to}>
    {children}
    {etag !== undefined && <input type="hidden" name="etag" value={etag} />}
    <div class="actions">
      <button type="submit" class={isDangerous ? 'danger' : undefined}>
        {button}
      </button>
      {mayEdit && <KeepEditing />}
      {cancel !== undefined && <a href={cancel}>{cancelText}</a>}
    </div>
  </form>
)

/** Leads to the form with what was typed before. */
export const KeepEditing = () => (
  <button type="submit" name="choice" value="edit" class="second" formnovalidate>
    {readTexts().frame.conflict.keepEditing}
  </button>
)

/** Whether the administrator chose that. */
export const isEditedFurther = (form: Form): boolean => form.text('choice') === 'edit'
