/** A receiver of webhooks on the loopback interface: what it got, verified by another implementation of the signatures. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Json } from '../../../test/bed/service-request.ts'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly json: Json
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface WebhookReceiver {
  readonly url: string
  readonly received: Received[]
  /** How it answers from now on; 204 at first. */
  answer: Answer
  /** The events of a type, in the order in which they came. */
  of(type: string): readonly Received[]
  stop(): Promise<unknown>
}

export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end()

/** Throws where the signature is not that of the secret. */
export const verify = (secret: string, { body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, { ...headers })

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const headers = request.headers as Readonly<Record<string, string>>
    received.push({ path: request.url ?? '', headers, body, json: JSON.parse(body) })
    receiver.answer(response, request)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: withStatus(204),
    of: (type) => received.filter(({ json }) => json.type === type),
    stop() {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  }
  return receiver
}
