/** A thread that sends commands to a card in one transaction, as a program without a connector would. */
import { openPcsc } from '../src/sandbox/pcsc/pcsc.ts'

declare const self: Worker

export interface Replay {
  readonly reader: string
  /** Hex. */
  readonly commands: readonly string[]
}

self.onmessage = ({ data: { reader, commands } }: MessageEvent<Replay>) => {
  const pcsc = openPcsc(undefined)
  const context = pcsc.establish()
  pcsc.listReaders(context)
  const started = performance.now()
  const connection = pcsc.connect(context, reader, 'shared')
  pcsc.begin(connection)
  for (const command of commands) pcsc.transmit(connection, Buffer.from(command, 'hex'))
  pcsc.end(connection, 'reset')
  pcsc.disconnect(connection, 'alone')
  self.postMessage(performance.now() - started)
  pcsc.release(context)
}
