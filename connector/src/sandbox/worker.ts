/** A thread of the sandbox: one watches the readers, another talks to them. Calls of PC/SC block only these. */
import * as z from 'zod/mini'
import { PcscError } from '../pcsc/codes.ts'
import { openPcsc } from '../pcsc/pcsc.ts'
import { featureReader } from './features.ts'
import { Order, type Report, Start } from './thread.ts'
import { watch } from './watch.ts'

declare const self: Worker

const report = (message: Report) => self.postMessage(message)

self.onmessage = ({ data }) => {
  const { role, library } = z.parse(Start, data)
  const pcsc = openPcsc(library)
  report({ type: 'opened' })
  if (role === 'watch') {
    const sleeper = new Int32Array(new SharedArrayBuffer(4))
    watch(pcsc, {
      see: (sight) => report({ type: 'sight', sight }),
      busy: () => report({ type: 'busy' }),
      waits: (forMs, blind) => report({ type: 'waits', forMs, ...(blind && { blind }) }),
      pause: (ms) => void Atomics.wait(sleeper, 0, 0, ms),
      now: () => performance.now(),
    })
  }
  const features = featureReader(pcsc)
  self.onmessage = ({ data: order }) => {
    const told = z.parse(Order, order)
    if (told.type === 'end') {
      features.close()
      report({ type: 'closed' })
      return
    }
    const { id, reader } = told.question
    try {
      report({ type: 'answer', answer: { id, features: [...features.of(reader)] } })
    } catch (error) {
      if (!(error instanceof PcscError)) throw error
      report({ type: 'answer', answer: { id, code: error.code } })
    }
  }
}
