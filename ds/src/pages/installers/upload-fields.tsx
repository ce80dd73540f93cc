/** A form with a file: it works as it is, and with scripts shows how far it is (assets/upload-script.ts). */
import type { PropsWithChildren } from 'hono/jsx'
import type { ApiProblem } from '../frame/api.ts'
import { explainField } from '../frame/change.tsx'
import { describe, Labelled } from '../frame/fields.tsx'

interface UploadFormProps {
  /** Where it goes, below `/admin/`. */
  readonly to: string
  readonly button: string
  /** The largest file, in bytes. */
  readonly maxBytes: number
  readonly problem: ApiProblem | undefined
  /** What the file is, such as `Package`. */
  readonly label: string
}

/** Its children are the other fields. The file is the last one: what comes before it says where it belongs. */
export const UploadForm = ({
  to,
  button,
  maxBytes,
  problem,
  label,
  children,
}: PropsWithChildren<UploadFormProps>) => {
  const hint = `At most ${Math.floor(maxBytes / 1_000_000)} MB.`
  const error = explainField(problem, 'file', ['body-too-large'])
  return (
    <form method="post" action={to} enctype="multipart/form-data" data-upload="">
      {children}
      <Labelled name="file" label={label} hint={hint} error={error}>
        <input
          id="file"
          name="file"
          type="file"
          required
          data-max-bytes={maxBytes}
          {...describe('file', hint, error)}
        />
      </Labelled>
      <div class="actions">
        <button type="submit">{button}</button>
        <button type="button" class="second" data-cancel="" hidden>
          Cancel
        </button>
      </div>
      <div data-progress="" hidden>
        <label for="upload-progress">Upload</label>
        <progress id="upload-progress" max="1" value="0"></progress> <span data-sent=""></span>
      </div>
      <p role="status"></p>
    </form>
  )
}
