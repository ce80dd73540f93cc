/** The pages for what went wrong: words for what a user can act on, the id of the request for all else. */
import { Problem } from '@cardwire/client/protocol'
import { describeError } from '../../db/describe-error.ts'
import { createStorageProblem } from '../../http/storage-problem.ts'
import type { Services } from '../../services.ts'
import { ApiProblem } from './api.ts'
import { type PageContent, showPage, showPlainPage } from './layout.tsx'
import { type PageContext, showNext } from './page-env.ts'

/** For a request that another page has sent. */
export const showRefused = (context: PageContext): Promise<Response> =>
  showPlainPage(context, {
    title: 'Nothing was changed',
    status: 403,
    children: (
      <p>
        The request came from another page. <a href="./">Open the administration</a> and try again.
      </p>
    ),
  })

/** For an address that leads nowhere. */
export const showUnknown = (context: PageContext): Promise<Response> =>
  showPage(context, {
    title: 'There is no such page',
    status: 404,
    children: <p>The address is wrong, or what it named has been removed.</p>,
  })

/** For an error that no screen has caught. */
export async function showError(
  error: Error,
  context: PageContext,
  { log, random }: Services,
): Promise<Response> {
  if (error instanceof ApiProblem && error.status === 401) return showNext(context, 'login')
  const requestId = context.get('requestId')
  const known = findProblem(error) ?? createStorageProblem(error, random)
  if (!known) log.error('defect', { requestId, error: describeError(error) })
  const { status, message } = known ?? {
    status: 500,
    message: 'The service has written into its log what went wrong',
  }
  const show = context.get('session') ? showPage : showPlainPage
  return show(context, {
    title: status === 404 ? 'This is not there' : 'This did not work',
    status: status as PageContent['status'] & number,
    children: (
      <>
        <p>{message}.</p>
        <p class="soft">
          Request <code>{requestId}</code>
        </p>
      </>
    ),
  })
}

const findProblem = (error: Error) =>
  error instanceof ApiProblem || error instanceof Problem ? error : undefined
