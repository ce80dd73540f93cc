/** A thread that waits for the state of a reader to change, as a program without a connector would. */
import { openPcsc } from '../src/sandbox/pcsc/pcsc.ts'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<string>) => {
  const pcsc = openPcsc(undefined)
  const context = pcsc.establish()
  const [now] = pcsc.getStatusChange(context, 0, [{ name: data, state: 0 }]) ?? []
  self.postMessage('waiting')
  pcsc.getStatusChange(context, 30_000, [{ name: data, state: now?.state ?? 0 }])
  pcsc.release(context)
  self.postMessage('returned')
}
