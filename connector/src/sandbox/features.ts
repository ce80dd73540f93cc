/** The features of readers (PC/SC part 10), such as a key pad of their own. */
import { ignorePcscErrors, PcscError } from './pcsc/codes.ts'
import type { Connection, Context, Pcsc } from './pcsc/pcsc.ts'

/** CM_IOCTL_GET_FEATURE_REQUEST is SCARD_CTL_CODE(3400) (PC/SC part 10 §2.2). */
const getFeatureRequest = 3400

/** A feature's tag, and the control code that calls it, as the reader names it; undefined: one of another form. */
export interface Feature {
  readonly tag: number
  readonly code: number | undefined
}

/** The answer has for each feature its tag, the length 4, and a control code, most significant byte first. */
export function parseFeatures(answer: Uint8Array): readonly Feature[] {
  const features: Feature[] = []
  const view = new DataView(answer.buffer, answer.byteOffset, answer.byteLength)
  for (let at = 0; at + 2 <= answer.length; ) {
    const [tag, length] = [view.getUint8(at), view.getUint8(at + 1)]
    const end = at + 2 + length
    if (end > answer.length) break
    features.push({ tag, code: length === 4 ? view.getUint32(at + 2) : undefined })
    at = end
  }
  return features
}

/** The features of the reader of this connection. Throws a PcscError. */
export const readFeatures = (
  pcsc: Pick<Pcsc, 'control' | 'getControlCode'>,
  connection: Connection,
): readonly Feature[] =>
  parseFeatures(pcsc.control(connection, pcsc.getControlCode(getFeatureRequest), new Uint8Array(0)))

/**
 * Reads the features of readers over direct connections, which need no card. The connection to the card service is kept,
 * and opened again once when it turns out to be lost. Throws a PcscError.
 */
export function createFeatureReader(pcsc: Pcsc): {
  read(reader: string): readonly number[]
  close(): void
} {
  let context: Context | undefined
  const connect = (reader: string): Connection => {
    if (context !== undefined && !pcsc.isValid(context)) context = undefined
    const isNew = context === undefined
    context ??= pcsc.establish()
    try {
      return connectByName(context, reader)
    } catch (error) {
      if (isNew || !(error instanceof PcscError) || !deadContextCodes.has(error.code)) throw error
      context = undefined
      return connect(reader)
    }
  }

  /** A name that was cut in the middle of a character is known by its bytes only after the readers have been listed here. */
  const connectByName = (within: Context, reader: string): Connection => {
    try {
      return pcsc.connect(within, reader, 'direct')
    } catch (error) {
      if (!(error instanceof PcscError) || error.code !== 'SCARD_E_UNKNOWN_READER') throw error
      ignorePcscErrors(() => pcsc.listReaders(within))
      return pcsc.connect(within, reader, 'direct')
    }
  }

  return {
    read(reader) {
      const connection = connect(reader)
      try {
        return readFeatures(pcsc, connection).map(({ tag }) => tag)
      } finally {
        ignorePcscErrors(() => pcsc.disconnect(connection, 'alone'))
      }
    },
    close() {
      const last = context
      if (last !== undefined) ignorePcscErrors(() => pcsc.release(last))
      context = undefined
    },
  }
}

/** The card service went, or came back as another process. */
const deadContextCodes: ReadonlySet<string> = new Set([
  'SCARD_E_INVALID_HANDLE',
  'SCARD_E_NO_SERVICE',
  'SCARD_E_SERVICE_STOPPED',
  'SCARD_F_COMM_ERROR',
  'SCARD_F_INTERNAL_ERROR',
])
