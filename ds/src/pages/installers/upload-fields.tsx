/** A form with a file: it works as it is, and with scripts shows how far it is (assets/upload-script.ts). */
import type { PropsWithChildren } from 'hono/jsx'
import type { ApiProblem } from '../frame/api.ts'
import { explainField } from '../frame/change.tsx'
import { describe, Labelled } from '../frame/fields.tsx'
import { readTexts } from '../frame/texts.ts'

interface UploadFormProps {
  /** Where it goes, below `/admin/`. */
  readonly to: string
  readonly button: string
  /** The largest file, in bytes. */
  readonly maxBytes: number
  readonly problem: ApiProblem | undefined
  /** What the file is, such as `Package`. */
  readonly label: string
  /** With scripts, several files may be chosen. */
  readonly several?: boolean
}

/** Its children are the other fields. The file is the last one: what comes before it says where it belongs. */
export const UploadForm = ({
  to,
  button,
  maxBytes,
  problem,
  label,
  several = false,
  children,
}: PropsWithChildren<UploadFormProps>) => {
  const { frame, installers } = readTexts()
  const texts = installers.form
  const hint = texts.limit(Math.floor(maxBytes / 1_000_000))
  const error = explainField(problem, 'file', ['body-too-large'])
  return (
    <form
      method="post"
      action={to}
      enctype="multipart/form-data"
      data-upload=""
      data-started={texts.started}
      data-received={texts.received}
      data-too-large={texts.tooLarge('{size}')}
      data-canceled={texts.canceled}
      data-failed={texts.failed}
      data-unconfirmed={texts.unconfirmed}
      data-only-one={texts.onlyOne}
      data-all={texts.all}
      data-partly={texts.partly}
      data-result={frame.field('{name}', '')}
    >
      {children}
      <Labelled name="file" label={label} hint={hint} error={error}>
        <input
          id="file"
          name="file"
          type="file"
          required
          data-max-bytes={maxBytes}
          data-several={several ? texts.several : undefined}
          {...describe('file', hint, error)}
        />
      </Labelled>
      <div class="actions">
        <button type="submit">{button}</button>
        <button type="button" class="second" data-cancel="" hidden>
          {frame.cancel}
        </button>
      </div>
      <div data-progress="" hidden>
        <label for="upload-progress">{texts.progress}</label>
        <progress id="upload-progress" max="1" value="0"></progress>{' '}
        <span data-sent={texts.sent('{sent}', '{total}')}></span>
      </div>
      <p role="status"></p>
      {several && <ul data-results=""></ul>}
    </form>
  )
}
