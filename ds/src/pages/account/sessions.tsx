/** The own sessions on the page of the own account. */
import type { OwnSession } from '@cardwire/client/protocol'
import Bowser from 'bowser'
import type { ApiProblem } from '../frame/api.ts'
import { ProblemNote } from '../frame/fields.tsx'
import { Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'

export const Sessions = ({
  sessions,
  problem,
}: {
  readonly sessions: readonly OwnSession[]
  readonly problem: ApiProblem | undefined
}) => (
  <>
    <h2>Sessions</h2>
    <ProblemNote problem={problem} />
    <Table
      caption="Where you are logged in"
      head={['Session', 'Address', 'Since', 'Last use', 'End']}
      rows={sessions.map((session) => [
        <>
          {describeAgent(session)} {session.current && <span class="tag good">this one</span>}
        </>,
        session.address ?? '–',
        <Time at={session.createdAt} />,
        session.lastUsedAt === undefined ? '–' : <Time at={session.lastUsedAt} />,
        !session.current && (
          <form method="post" action={`account/sessions/${session.id}/end`} class="inline">
            <button type="submit" class="second">
              End<span class="unseen"> {describeAgent(session)}</span>
            </button>
          </form>
        ),
      ])}
    />
    {sessions.length > 1 && (
      <PostForm to="account/sessions/end-others" button="End the others" isDangerous />
    )}
  </>
)

/** `Firefox 140 on Linux`, where it says so. */
function describeAgent({ kind, userAgent = '' }: OwnSession): string {
  if (kind === 'program') return 'A program'
  const { browser, os } = Bowser.parse(userAgent || ' ')
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  return [name || 'A browser', os.name].filter(Boolean).join(' on ')
}
