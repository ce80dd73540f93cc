/** Commands of pages to cards, in a session that is open or in one for the request. */
import * as contract from '@cardwire/protocol/remote-loading'
import type { Bind } from '../http/route-types.ts'
import type { RawSession } from './raw-session.ts'
import type { RawUse } from './raw-use.ts'

export function bindRawCommandRoutes(bind: Bind, { use }: Pick<RawUse, 'use'>): void {
  bind(contract.transmitRaw, async ({ params, body }, context) => {
    const command = new Uint8Array(Buffer.from(body.data, 'base64'))
    const { sw, rx = '' } = (await one(use(context, params, body, () => [command]))).data
    return { data: { data: Buffer.from(rx + sw, 'hex').toString('base64') } }
  })
  bind(contract.sendRawCommand, ({ params, body }, context) =>
    one(use(context, params, body, () => [fromHex(body.command)])),
  )
  bind(contract.sendRawCommands, async ({ params, body }, context) => ({
    data: await use(context, params, body, () => body.commands.map(fromHex)),
  }))
  bind(contract.sendRawApdu, ({ params, body }, context) =>
    one(use(context, params, body, ({ protocol }) => [encodeApdu(body.apdu, protocol)])),
  )
  bind(contract.sendRawApdus, async ({ params, body }, context) => ({
    data: await use(context, params, body, ({ protocol }) =>
      body.apdus.map((apdu) => encodeApdu(apdu, protocol)),
    ),
  }))
}

async function one(answers: Promise<contract.CommandAnswer[]>) {
  const [data] = await answers
  if (data) return { data }
  throw new Error('Cannot respond: nothing was sent')
}

/** T=0 has no place for the length of the answer behind data (ISO/IEC 7816-3 §12.1.3). */
function encodeApdu(apdu: contract.Apdu, protocol: RawSession['protocol']): Uint8Array {
  const header = [apdu.cla, apdu.ins, apdu.p1, apdu.p2].map(toByte)
  const data = fromHex(apdu.data ?? '')
  const hasLength = apdu.le !== undefined && apdu.le !== null
  const length = hasLength && (data.length === 0 || protocol === 'T=1') ? [toByte(apdu.le)] : []
  return Uint8Array.from([...header, ...(data.length > 0 ? [data.length, ...data] : []), ...length])
}

const toByte = (value: number | string | null | undefined): number =>
  typeof value === 'string' ? Number.parseInt(value.replace(/^0x/, ''), 16) : (value ?? 0)

export const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
