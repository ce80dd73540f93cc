/** Administrators who roll out versions: they plan rollouts, and start, pause, resume, halt, finish and remove them. */
import type { SeededRandom } from '../bed/random.ts'
import type { Model } from './model.ts'
import { groupHostnames, type StoredRollout } from './releases.ts'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: an answer is read where its shape is known
  readonly data: any
}

export interface PublisherOptions {
  readonly random: SeededRandom
  readonly model: Model
  /** Asks until there is an answer. */
  readonly insist: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** What no one else works on. */
  readonly alone: (name: string, act: () => Promise<void>) => Promise<void>
  /** The most that a stage is held, in seconds. */
  readonly mostHoldS: number
  /** Registers a version with none of the flags. */
  readonly register: (version: string) => Promise<Answer>
}

export interface Publishers {
  /** Makes the group that stages name. */
  begin(): Promise<void>
  /** Does the next thing with the rollout of one of the versions. */
  rollOut(): Promise<void>
  /** Ends all rollouts: every version is what it was before. */
  takeBack(): Promise<void>
}

/** Versions that no machine has unless it was offered them. */
export const laterVersionIds = ['4.2.0', '4.3.0']

const anyReach = 'maxReach=999999999'

type Rollout = Pick<StoredRollout, 'id' | 'version' | 'state'>
type Move = 'running' | 'paused' | 'halted' | 'finished' | 'removed'

/** What can be done next; what is named more often is done more often. */
const moves: Readonly<Record<StoredRollout['state'], readonly Move[]>> = {
  draft: ['running', 'running', 'running', 'finished', 'removed'],
  running: ['paused', 'paused', 'halted', 'finished'],
  paused: ['running', 'running', 'halted', 'finished'],
  halted: ['running', 'removed'],
  finished: [],
}

export function createPublishers(options: PublisherOptions): Publishers {
  const { random, model, insist, alone, mostHoldS, register } = options
  const group = random.uuid()

  /** Everything else, such as a rollout that has finished meanwhile, may happen. */
  async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await insist(method, path, body)
    if (answer.status === 400 || answer.status === 422)
      throw new Error(`Cannot ${method} ${path}: ${JSON.stringify([answer.data, body])}`)
    return answer
  }

  const list = async (): Promise<readonly Rollout[]> => {
    const { data } = await ask('GET', '/v3/rollouts?size=100')
    return (data.items as Rollout[]).filter(({ state }) => state !== 'finished')
  }

  /** Small shares, or a group, are followed by the next stage without knowing much of the devices. */
  function pickStages() {
    const holdS = random.integer(60, mostHoldS)
    const own = [random.integer(20, 50), random.integer(60, 100)].map((share) => ({ share, group }))
    const small = [random.integer(1, 4), random.integer(5, 10)].map((share) => ({ share }))
    const most = [{ share: 50 }, { share: 100 }]
    const stages = random.pick([
      [...own, ...small, ...most],
      [...small, ...most],
      [...own, { share: 100 }],
      [{ share: 50 }, { share: 100 }],
      [{ share: 100 }],
    ])
    return stages.map((stage) => ({ ...stage, holdS }))
  }

  async function plan(version: string): Promise<void> {
    // One that was finished has left its flag.
    await register(version)
    await putGroup()
    const body = {
      ...{ version, flag: random.pick(['recommended', 'recommended', 'mandatory']) },
      stages: pickStages(),
      badRate: random.pick([4, 50]),
    }
    await ask('PUT', `/v3/rollouts/${random.uuid()}?${anyReach}`, body)
  }

  async function move({ id }: Rollout, to: Move): Promise<void> {
    model.rollouts.mayChange(id)
    const { status } =
      to === 'removed'
        ? await ask('DELETE', `/v3/rollouts/${id}?${anyReach}`)
        : await ask('PUT', `/v3/rollouts/${id}/state?${anyReach}&force=true`, { state: to })
    model.rollouts.hasChanged(id, status < 300 && to !== 'removed' ? to : undefined)
  }

  /** Also after a backup that does not have it was restored. */
  const putGroup = () =>
    ask('PUT', `/v3/groups/${group}?${anyReach}`, {
      ...{ name: 'pilot', rules: [{ hostnames: groupHostnames }] },
    })

  return {
    begin: async () => void (await putGroup()),
    async rollOut() {
      const version = random.pick(laterVersionIds)
      await alone(version, async () => {
        const rollout = (await list()).find((one) => one.version === version)
        if (rollout) await move(rollout, random.pick(moves[rollout.state]))
        else await plan(version)
      })
    },
    async takeBack() {
      for (;;) {
        const open = await list()
        if (open.length === 0) break
        for (const rollout of open)
          await move(rollout, /^(draft|halted)$/.test(rollout.state) ? 'removed' : 'halted')
      }
      for (const version of laterVersionIds) await register(version)
    },
  }
}
