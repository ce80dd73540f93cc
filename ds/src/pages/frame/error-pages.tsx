/** The pages for what went wrong: words for what a user can act on, the id of the request for all else. */
import { Problem } from '@cardwire/protocol'
import { describeError } from '../../db/describe-error.ts'
import { createStorageProblem } from '../../http/storage-problem.ts'
import type { Services } from '../../services.ts'
import { ApiProblem } from './api.ts'
import { type PageContent, showPage, showPlainPage } from './layout.tsx'
import { type PageContext, showNext } from './page-env.ts'
import { describeProblem } from './problem-words.ts'
import { readTexts } from './texts.ts'

/** For a request that another page has sent. */
export const showRefused = (context: PageContext): Promise<Response> =>
  showPlainPage(context, {
    title: readTexts().frame.errors.refusedTitle,
    status: 403,
    children: (
      <p>
        {readTexts().frame.errors.refused((words) => (
          <a href="./">{words}</a>
        ))}
      </p>
    ),
  })

/** For an address that leads nowhere. */
export const showUnknown = (context: PageContext): Promise<Response> =>
  showPage(context, {
    title: readTexts().frame.errors.unknownTitle,
    status: 404,
    children: <p>{readTexts().frame.errors.unknown}</p>,
  })

/** For an error that no screen has caught. */
export async function showError(
  error: Error,
  context: PageContext,
  { log, random }: Services,
): Promise<Response> {
  if (error instanceof ApiProblem && error.status === 401) return showNext(context, 'login')
  const requestId = context.get('requestId')
  const texts = readTexts().frame.errors
  const known = findProblem(error) ?? createStorageProblem(error, random)
  if (!known) log.error('defect', { requestId, error: describeError(error) })
  const status = known?.status ?? 500
  const { sentence, detail } = known
    ? describeProblem(known)
    : { sentence: texts.failed, detail: undefined }
  const show = context.get('session') ? showPage : showPlainPage
  return show(context, {
    title: status === 404 ? texts.notFoundTitle : texts.failedTitle,
    status: status as PageContent['status'] & number,
    children: (
      <>
        <p>{sentence}</p>
        {detail !== undefined && (
          <p class="soft" lang="en">
            {detail}
          </p>
        )}
        <p class="soft">
          {texts.request} <code>{requestId}</code>
        </p>
      </>
    ),
  })
}

const findProblem = (error: Error) =>
  error instanceof ApiProblem || error instanceof Problem ? error : undefined
