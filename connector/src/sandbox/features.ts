/** What a reader can do beyond passing commands on: the features of PC/SC part 10. */
import { PcscError, quietly } from '../pcsc/codes.ts'
import type { Connection, Context, Pcsc } from '../pcsc/pcsc.ts'

/** CM_IOCTL_GET_FEATURE_REQUEST is SCARD_CTL_CODE(3400) (PC/SC part 10 §2.2). */
const getFeatureRequest = 3400

/** The tags of the answer: for each feature its tag, the length 4, and a control code. */
export function featureTags(answer: Uint8Array): readonly number[] {
  const tags: number[] = []
  for (let at = 0; at + 2 <= answer.length; at += 2 + (answer[at + 1] ?? 0)) {
    const tag = answer[at]
    if (tag !== undefined && at + 2 + (answer[at + 1] ?? 0) <= answer.length) tags.push(tag)
  }
  return tags
}

/**
 * Asks readers for their features over direct connections, which need no card. The connection to the card service is
 * kept, and made anew once when it turns out to be dead. Throws a PcscError.
 */
export function featureReader(pcsc: Pcsc): {
  of(reader: string): readonly number[]
  close(): void
} {
  let context: Context | undefined
  const connect = (reader: string): Connection => {
    if (context !== undefined && !pcsc.isValid(context)) context = undefined
    const fresh = context === undefined
    context ??= pcsc.establish()
    try {
      return connectByName(context, reader)
    } catch (error) {
      if (fresh || !(error instanceof PcscError) || !deadContext.has(error.code)) throw error
      context = undefined
      return connect(reader)
    }
  }

  /** A name that lost a part of a character on its way names its reader only once it has been listed here. */
  const connectByName = (within: Context, reader: string): Connection => {
    try {
      return pcsc.connect(within, reader, 'direct')
    } catch (error) {
      if (!(error instanceof PcscError) || error.code !== 'SCARD_E_UNKNOWN_READER') throw error
      quietly(() => pcsc.listReaders(within))
      return pcsc.connect(within, reader, 'direct')
    }
  }

  return {
    of(reader) {
      const connection = connect(reader)
      try {
        return featureTags(pcsc.control(connection, getFeatureRequest, new Uint8Array(0)))
      } finally {
        quietly(() => pcsc.disconnect(connection, 'alone'))
      }
    },
    close() {
      const last = context
      if (last !== undefined) quietly(() => pcsc.release(last))
      context = undefined
    },
  }
}

/** The card service went, or came back as another process. */
const deadContext: ReadonlySet<string> = new Set([
  'SCARD_E_INVALID_HANDLE',
  'SCARD_E_NO_SERVICE',
  'SCARD_E_SERVICE_STOPPED',
  'SCARD_F_COMM_ERROR',
  'SCARD_F_INTERNAL_ERROR',
])
