/** What takes the access from an account: a new password, the reset of its second factor, removing it. */
import {
  type Administrator,
  removeAdministrator,
  resetSecondFactor,
  setPassword,
} from '@cardwire/client/protocol'
import { ApiProblem } from '../frame/api.ts'
import { attempt, findWrongName, showConfirmation } from '../frame/change.tsx'
import { readForm } from '../frame/form.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { findAdministrator } from './administrator.tsx'
import { administratorsHome, showPassword, toAdministratorAddress } from './administrators.tsx'

const acts = {
  password: {
    title: (name: string) => `Set a new password of ${name}`,
    button: 'Set a new password',
    meaning: 'The password so far is refused from then on. The next page shows the new one, once.',
  },
  'second-factor': {
    title: (name: string) => `Reset the second factor of ${name}`,
    button: 'Reset the second factor',
    meaning:
      'The password alone logs in from then on, until the account sets up another one. Be sure that it is the person who asks.',
  },
  remove: {
    title: (name: string) => `Remove ${name}`,
    button: 'Remove the account',
    meaning: 'Nobody can log in with it any more. What it has changed stays in the audit.',
  },
} as const
type Act = keyof typeof acts

interface Refused {
  readonly problem?: ApiProblem
  readonly typed?: string
}

export function addAdministratorActs(pages: PageApp): void {
  for (const act of ['password', 'second-factor', 'remove'] as const) {
    pages.get(`/administrators/:name/${act}`, async (context) =>
      confirm(context, await findAdministrator(context), act),
    )

    pages.post(`/administrators/:name/${act}`, async (context) => {
      const account = await findAdministrator(context)
      const typed = findWrongName(await readForm(context), account.name)
      if (typed !== undefined) return confirm(context, account, act, { typed })
      const done = await attempt(perform(context, account.name, act))
      return done instanceof ApiProblem ? confirm(context, account, act, { problem: done }) : done
    })
  }
}

async function perform(context: PageContext, name: string, act: Act): Promise<Response> {
  const { api } = context.var
  const params = { name }
  if (act === 'password') {
    const { data } = await api.call(setPassword, { params, body: {} })
    return showPassword(context, name, data.generatedPassword ?? '')
  }
  if (act === 'second-factor') {
    await api.call(resetSecondFactor, { params })
    return showNext(context, toAdministratorAddress(name))
  }
  await api.call(removeAdministrator, { params })
  return showNext(context, administratorsHome.to)
}

function confirm(
  context: PageContext,
  { name, sessions }: Administrator,
  act: Act,
  refused: Refused = {},
): Promise<Response> {
  const { title, button, meaning } = acts[act]
  const address = toAdministratorAddress(name)
  return showConfirmation(context, {
    title: title(name),
    trail: [administratorsHome, { to: address, text: name }],
    to: `${address}/${act}`,
    name,
    button,
    ...refused,
    children: (
      <p>
        {meaning} {sessions === 1 ? 'Its open session ends.' : `Its ${sessions} open sessions end.`}
      </p>
    ),
  })
}
