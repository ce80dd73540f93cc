/** A form whose change affects more devices than were confirmed: the page that says how many, and repeats the form with that number. */
import type { Role } from '@cardwire/protocol'
import type { ApiProblem } from './api.ts'
import { showConfirmation } from './change.tsx'
import { HiddenFields } from './fields.tsx'
import type { Form } from './form.ts'
import type { PageContent } from './layout.tsx'
import type { PageContext } from './page-env.ts'

interface ReachedChange extends Pick<PageContent, 'title' | 'trail'> {
  readonly operation: { readonly access: Role }
  /** Where the form goes, below `/admin/`. */
  readonly to: string
  readonly button: string
  readonly isDangerous?: boolean
  /** What happens to so many devices. */
  readonly describe: (reach: number) => string
  readonly wayBack: string
  /** Which one it is: a new one has no ETag yet. */
  readonly target: {
    readonly id: string
    readonly stored?: { readonly etag: string | undefined }
  }
  /** What was typed, as the form has it. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

export const confirmReach = (
  context: PageContext,
  form: Form,
  problem: ApiProblem,
  { describe, wayBack, target: { id, stored }, fields, ...page }: ReachedChange,
): Promise<Response> => {
  const { reach = 0 } = problem
  return showConfirmation(context, {
    ...page,
    mayEdit: true,
    wayBack: { sentence: wayBack },
    // A smaller number was confirmed.
    problem: form.has('maxReach') ? problem : undefined,
    children: (
      <div class="warning">
        <p>
          <strong>{describe(reach)}</strong>
        </p>
      </div>
    ),
    fields: (
      <HiddenFields
        values={[
          stored ? ['etag', stored.etag ?? ''] : ['id', id],
          ...fields,
          ['maxReach', String(reach)],
        ]}
      />
    ),
  })
}
