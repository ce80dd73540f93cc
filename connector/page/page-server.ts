/** The requests of the page to the command that serves it. */
import type { FindingView, SaveResult, ServiceForm, UpdateResult, View } from './view.ts'

export interface PageServer {
  /** Calls back with each view; resolves when there will be no more. */
  watch(show: (view: View) => void): Promise<void>
  /** Says that the user is still there. */
  recordUse(): Promise<unknown>
  findFindings(): Promise<readonly FindingView[]>
  start(): Promise<unknown>
  trust(): Promise<unknown>
  revoke(origin: string, what: 'consent' | 'identity' | 'folders'): Promise<unknown>
  saveService(form: ServiceForm): Promise<SaveResult>
  update(): Promise<UpdateResult>
  /** Whether an update runs, which may end the command. */
  isUpdating(): boolean
}

export interface Session {
  readonly token: string
  /** Of the user, as the system says. */
  readonly language: string
}

/** undefined: the ticket is too old, or was used before. Rejects when nobody answers. */
export async function openSession(ticket: string): Promise<Session | undefined> {
  const response = await send('/session', { ticket })
  return response.ok ? ((await response.json()) as Session) : undefined
}

/** Each rejects when the command has ended. */
export function createPageServer({ token }: Session): PageServer {
  async function ask<T>(path: string, body: object = {}): Promise<T> {
    const response = await send(path, body, token)
    if (!response.ok) throw new Error(`${path} failed with status ${response.status}`)
    return (await response.json()) as T
  }
  let isUpdating = false
  return {
    recordUse: () => ask('/use'),
    findFindings: () => ask('/findings'),
    start: () => ask('/start'),
    trust: () => ask('/trust'),
    revoke: (origin, what) => ask('/revoke', { origin, what }),
    saveService: (form) => ask('/service', form),
    async update() {
      isUpdating = true
      const result = await ask<UpdateResult>('/update')
      isUpdating = false
      return result
    },
    isUpdating: () => isUpdating,
    async watch(show) {
      const { body } = await send('/view', {}, token)
      if (!body) return
      const reader = body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        const lines = (rest + value).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) show(JSON.parse(line) as View)
      }
    },
  }
}

const send = (path: string, body: object, token = '') =>
  fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
