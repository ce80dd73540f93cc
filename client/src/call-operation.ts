/** How a card calls the connector that it is at. */

import type { ClientOperation, RequestParts } from '@cardwire/protocol/call'
import type { Operation } from '@cardwire/protocol/operation'
import type { CallOptions } from './core-service.ts'
import type { ResponseData } from './session.ts'

/** Calls the connector; `waitMs` is what the call may take beside its own time. */
export type Call = <O extends Operation, T extends ResponseData<O>>(
  operation: ClientOperation<O, T>,
  parts: RequestParts<O>,
  options?: CallOptions,
  waitMs?: number,
) => Promise<T>
