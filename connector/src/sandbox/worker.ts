/** A thread of the sandbox: one monitors the readers, another queries them. Calls of PC/SC block only these threads. */
import * as z from 'zod/mini'
import { createFeatureReader } from './features.ts'
import { PcscError } from './pcsc/codes.ts'
import { openPcsc } from './pcsc/pcsc.ts'
import { monitorCardService } from './reconnect.ts'
import { type ThreadReport, ThreadRequest, ThreadStart } from './thread-messages.ts'

declare const self: Worker

const report = (message: ThreadReport) => self.postMessage(message)

self.onmessage = ({ data }) => {
  const { role, library } = z.parse(ThreadStart, data)
  const pcsc = openPcsc(library)
  report({ type: 'opened' })
  if (role === 'monitor') {
    const sleeper = new Int32Array(new SharedArrayBuffer(4))
    monitorCardService(pcsc, {
      onState: (state) => report({ type: 'state', state }),
      onShortCalls: () => report({ type: 'short-calls' }),
      onWait: (forMs, pending) => report({ type: 'wait', forMs, ...(pending && { pending }) }),
      sleep: (ms) => void Atomics.wait(sleeper, 0, 0, ms),
      now: () => performance.now(),
    })
  }
  const features = createFeatureReader(pcsc)
  self.onmessage = ({ data: request }) => {
    const message = z.parse(ThreadRequest, request)
    if (message.type === 'end') {
      features.close()
      report({ type: 'closed' })
      return
    }
    const { id, reader } = message.query
    try {
      report({ type: 'reply', reply: { id, features: [...features.read(reader)] } })
    } catch (error) {
      if (!(error instanceof PcscError)) throw error
      report({ type: 'reply', reply: { id, code: error.code } })
    }
  }
}
