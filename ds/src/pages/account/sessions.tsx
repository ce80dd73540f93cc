/** The own sessions on the page of the own account. */
import type { OwnSession } from '@cardwire/protocol'
import Bowser from 'bowser'
import type { ApiProblem } from '../frame/api.ts'
import { ProblemNote } from '../frame/fields.tsx'
import { Table, Time } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'

export const Sessions = ({
  sessions,
  problem,
}: {
  readonly sessions: readonly OwnSession[]
  readonly problem: ApiProblem | undefined
}) => {
  const texts = readTexts().account.sessions
  return (
    <>
      <h2>{texts.title}</h2>
      <ProblemNote problem={problem} />
      <Table
        caption={texts.caption}
        head={[texts.session, texts.address, texts.began, texts.lastUsed, texts.actions]}
        rows={sessions.map((session) => [
          <>
            {describeAgent(session)}{' '}
            {session.current && <span class="tag good">{texts.current}</span>}
          </>,
          session.address ?? '–',
          <Time at={session.createdAt} />,
          session.lastUsedAt === undefined ? '–' : <Time at={session.lastUsedAt} />,
          !session.current && (
            <form method="post" action={`account/sessions/${session.id}/end`} class="inline">
              <button
                type="submit"
                class="second"
                aria-label={texts.endLabel(describeAgent(session))}
              >
                {texts.end}
              </button>
            </form>
          ),
        ])}
      />
      {sessions.length > 1 && (
        <PostForm
          to="account/sessions/end-others"
          button={texts.endOthers(countOthers(sessions))}
          isDangerous
        />
      )}
    </>
  )
}

/** A list of this many of a kind may not have all. */
const maxListed = 100

function countOthers(sessions: readonly OwnSession[]): number | undefined {
  const programs = sessions.filter(({ kind }) => kind === 'program').length
  const isAll = Math.max(programs, sessions.length - programs) < maxListed
  return isAll ? sessions.length - 1 : undefined
}

/** `Firefox 140 on Linux`, where it says so. */
function describeAgent({ kind, userAgent = '' }: OwnSession): string {
  const texts = readTexts().account.sessions
  if (kind === 'program') return texts.program
  const { browser, os } = Bowser.parse(userAgent || ' ')
  const name = [browser.name, browser.version?.split('.')[0]].filter(Boolean).join(' ')
  const shown = name || texts.browser
  return os.name ? texts.browserOn(shown, os.name) : shown
}
