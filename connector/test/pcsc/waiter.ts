/** A thread that waits without end for a reader to come: says its context, then the code that the wait ended with. */
import { PcscError } from '../../src/sandbox/pcsc/codes.ts'
import { forever, openPcsc, plugAndPlay } from '../../src/sandbox/pcsc/pcsc.ts'

declare const self: Worker

self.onmessage = () => {
  const pcsc = openPcsc(undefined)
  const context = pcsc.establish()
  self.postMessage(context)
  try {
    pcsc.getStatusChange(context, forever, [{ name: plugAndPlay, state: 0 }])
  } catch (error) {
    self.postMessage(error instanceof PcscError ? error.code : String(error))
  }
}
