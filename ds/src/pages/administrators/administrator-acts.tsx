/** What takes the access from an account: a new password, the reset of its second factor, removing it. */
import { removeAdministrator, resetSecondFactor, setPassword } from '@cardwire/client/protocol'
import { confirmAct } from '../frame/confirm-act.ts'
import { type PageApp, type PageContext, showNext } from '../frame/page-env.ts'
import { findAdministrator } from './administrator.tsx'
import { administratorsHome, showPassword, toAdministratorAddress } from './administrators.tsx'

interface Act {
  readonly title: (name: string) => string
  readonly button: string
  readonly meaning: string
  perform(context: PageContext, name: string): Promise<Response>
}

/** By the last step of their paths. */
const acts: Readonly<Record<string, Act>> = {
  password: {
    title: (name) => `Set a new password of ${name}`,
    button: 'Set a new password',
    meaning: 'The password so far is refused from then on. The next page shows the new one, once.',
    async perform(context, name) {
      const { data } = await context.var.api.call(setPassword, { params: { name }, body: {} })
      return showPassword(context, name, data.generatedPassword ?? '')
    },
  },
  'second-factor': {
    title: (name) => `Reset the second factor of ${name}`,
    button: 'Reset the second factor',
    meaning:
      'From then on the password is enough to log in, until the account sets up another one. Make sure that the owner of the account asked for it.',
    async perform(context, name) {
      await context.var.api.call(resetSecondFactor, { params: { name } })
      return showNext(context, toAdministratorAddress(name))
    },
  },
  remove: {
    title: (name) => `Remove ${name}`,
    button: 'Remove the account',
    meaning: 'Nobody can log in with it any more. What it has changed stays in the audit.',
    async perform(context, name) {
      await context.var.api.call(removeAdministrator, { params: { name } })
      return showNext(context, administratorsHome.to)
    },
  },
}

export function addAdministratorActs(pages: PageApp): void {
  for (const [step, { title, button, meaning, perform }] of Object.entries(acts)) {
    confirmAct(pages, `/administrators/:name/${step}`, {
      find: findAdministrator,
      name: ({ name }) => name,
      describe: (_, { name, sessions }) => ({
        title: title(name),
        trail: [administratorsHome, { to: toAdministratorAddress(name), text: name }],
        button,
        children: (
          <p>
            {meaning}{' '}
            {sessions === 1 ? 'Its open session ends.' : `Its ${sessions} open sessions end.`}
          </p>
        ),
      }),
      perform: (context, { name }) => perform(context, name),
    })
  }
}
