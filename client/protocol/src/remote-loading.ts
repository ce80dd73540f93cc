/** Commands to the card in a reader, for pages that the administrator allows: the module remoteloading of legacy clients. */
import * as z from 'zod/mini'
import { cardProblems } from './card-token.ts'
import { data, operation } from './operation.ts'

const inReader = '/v3/modules/remoteloading/apps/hsm/readers/{reader}'

/** Bytes of a short APDU (ISO/IEC 7816-3 §12.1): header, length, 255 bytes of data, length of the answer. */
const maxCommandBytes = 261
/** In one request. */
const maxCommands = 100

const session = {
  sessionId: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.maxLength(64),
          z.describe('From open-session; without it, the page has the card only for this request'),
        ),
    ),
  ),
}
const hex = (maxBytes: number, description: string) =>
  z
    .string()
    .check(
      z.maxLength(2 * maxBytes),
      z.regex(/^(?:[0-9A-Fa-f]{2})*$/, 'expected bytes as hex digits'),
      z.describe(description),
    )
const byte = (description: string) =>
  z
    .union([
      z.int().check(z.minimum(0), z.maximum(255)),
      z.string().check(z.regex(/^(?:0x)?[0-9A-Fa-f]{1,2}$/, 'expected a byte as hex digits')),
    ])
    .check(z.describe(description))

const command = hex(maxCommandBytes, 'A short APDU as hex')

/** A command by its parts; bytes as hex or as numbers. */
export const Apdu = z.object({
  cla: byte('Class'),
  ins: byte('Instruction'),
  p1: byte('First parameter'),
  p2: byte('Second parameter'),
  data: z.optional(z.nullable(hex(255, 'As hex'))),
  le: z.optional(z.nullable(byte('Bytes of the response; 0 stands for 256'))),
})
export type Apdu = z.output<typeof Apdu>

export const CommandAnswer = z.object({
  sw: z.string().check(z.describe('Status word, upper-case hex')),
  tx: z.string().check(z.describe('The command that was sent, upper-case hex')),
  rx: z.optional(z.string().check(z.describe('The response of the card, without the status word'))),
})
export type CommandAnswer = z.output<typeof CommandAnswer>

const base = {
  tag: 'Remote loading',
  access: 'consented',
  method: 'POST',
  params: z.object({ reader: z.string().check(z.describe('The id of the reader')) }),
  problems: [
    ...cardProblems,
    'page-unnamed',
    'grant-missing',
    'command-refused',
    'card-session-unknown',
  ],
} as const

const body = <S extends z.ZodMiniType>(schema: S) => ({ type: 'json', schema }) as const
const optionalBody = { type: 'json', schema: z.object(session), optional: true } as const

export const openRawSession = operation({
  ...base,
  name: 'openRawSession',
  path: `${inReader}/open-session`,
  summary: 'Open an exclusive session with the card in a reader',
  description:
    'Needs the grant raw, with the applications that the page can select. The connector resets the card before and after the session. During the session, no one else can use the card. The session ends with close-session, or when a page that waits in hold-session is gone. If no page waits, it ends after a time without a command.',
  body: {
    type: 'json',
    schema: z.object({
      aid: z.optional(z.nullable(hex(16, 'An application to select first, as hex'))),
      timeout: z.optional(
        z.nullable(
          z
            .number()
            .check(
              z.describe(
                'If no page waits in hold-session, the session ends after this many seconds without a command, 1 to 180; default: 30',
              ),
            ),
        ),
      ),
    }),
    optional: true,
  },
  reply: data(z.string().check(z.describe('The id of the session'))),
})

export const holdRawSession = operation({
  ...base,
  name: 'holdRawSession',
  path: `${inReader}/hold-session`,
  summary: 'Wait until a session ends; if the page goes away, the session ends',
  body: body(z.object({ sessionId: z.string().check(z.maxLength(64)) })),
  reply: data(z.string().check(z.describe('Why the session ended'))),
})

export const closeRawSession = operation({
  ...base,
  name: 'closeRawSession',
  path: `${inReader}/close-session`,
  summary: 'End a session, and reset the card',
  body: optionalBody,
  reply: data(z.string().check(z.describe('The id of the session'))),
})

export const isRawCardPresent = operation({
  ...base,
  name: 'isRawCardPresent',
  path: `${inReader}/card-present`,
  summary: 'Check whether a reader has a card',
  body: optionalBody,
  reply: data(z.boolean()),
})

export const getRawAtr = operation({
  ...base,
  name: 'getRawAtr',
  path: `${inReader}/atr`,
  summary: 'Get the ATR of the card in a reader',
  body: optionalBody,
  reply: data(z.string().check(z.describe('Upper-case hex'))),
})

export const getCcidFeatures = operation({
  ...base,
  name: 'getCcidFeatures',
  path: `${inReader}/ccid-features`,
  summary: 'List the reader features that a page can use, which is always empty',
  body: optionalBody,
  reply: data(z.string()),
})

const base64 = z
  .string()
  .check(
    z.maxLength(4 * Math.ceil(maxCommandBytes / 3)),
    z.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'expected base64'),
  )

export const transmitRaw = operation({
  ...base,
  name: 'transmitRaw',
  path: `${inReader}/transmit`,
  summary: 'Send a command to the card, for our library',
  body: body(
    z.object({
      sessionId: z.string().check(z.maxLength(64)),
      data: base64.check(z.describe('A short APDU as base64')),
    }),
  ),
  reply: data(z.object({ data: z.string().check(z.describe('The response and its status word')) })),
})

export const sendRawCommand = operation({
  ...base,
  name: 'sendRawCommand',
  path: `${inReader}/command`,
  summary: 'Send a command to the card',
  body: body(z.object({ ...session, command })),
  reply: data(CommandAnswer),
})

export const sendRawCommands = operation({
  ...base,
  name: 'sendRawCommands',
  path: `${inReader}/commands`,
  summary: 'Send several commands to the card, one after the other',
  body: body(z.object({ ...session, commands: z.array(command).check(z.maxLength(maxCommands)) })),
  reply: data(z.array(CommandAnswer)),
})

export const sendRawApdu = operation({
  ...base,
  name: 'sendRawApdu',
  path: `${inReader}/apdu`,
  summary: 'Send a command to the card, as separate fields',
  body: body(z.object({ ...session, apdu: Apdu })),
  reply: data(CommandAnswer),
})

export const sendRawApdus = operation({
  ...base,
  name: 'sendRawApdus',
  path: `${inReader}/apdus`,
  summary: 'Send several commands to the card, as separate fields',
  body: body(z.object({ ...session, apdus: z.array(Apdu).check(z.maxLength(maxCommands)) })),
  reply: data(z.array(CommandAnswer)),
})
